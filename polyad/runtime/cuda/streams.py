"""Streams of a device: which one a call is launched in, whether it is captured, and what waits for what."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from polyad.errors import CallError
from polyad.runtime.cuda.context import Context

__all__ = ["DEFAULT_STREAM", "Streams", "given_stream", "launching_stream", "stream_number"]

DEFAULT_STREAM = 0
"""The stream that waits for all others, and they for it."""

_SPECIAL = (0, 1, 2)  # the default stream twice, and the one of each thread: of whatever context is current
_NON_BLOCKING, _NO_TIMING = 1, 2
_CAPTURED_BESIDE = 906  # said of the default stream while another one is captured


def stream_number(stream: Any) -> int:
    """The number of a stream, as the driver knows it.

    Args:
        stream: the number itself, or an object of any library with `cuda_stream` (PyTorch), `ptr` (CuPy) or
            `__cuda_stream__` (the protocol of cuda.core: a version and the number).

    Raises:
        CallError: it is something else.
    """
    if isinstance(stream, int) and not isinstance(stream, bool) and stream >= 0:
        return stream
    for name in ("cuda_stream", "ptr"):
        number = getattr(stream, name, None)
        if isinstance(number, int):
            return number
    protocol = getattr(stream, "__cuda_stream__", None)
    if callable(protocol):
        _, number = protocol()
        return int(number)
    raise CallError(
        f"stream={stream!r:.60}: expected the number of a stream, or an object with cuda_stream (PyTorch), ptr (CuPy) "
        "or __cuda_stream__",
        "stream",
    )


_GIVEN = threading.local()


@contextmanager
def given_stream(stream: int) -> Iterator[None]:
    """Calls of this thread with arrays of NumPy are launched in a stream inside."""
    before, _GIVEN.stream = launching_stream(), stream
    try:
        yield
    finally:
        _GIVEN.stream = before


def launching_stream() -> int:
    """The stream of `given_stream`, else the default one."""
    return getattr(_GIVEN, "stream", DEFAULT_STREAM)


class Streams:
    """The streams of a device, as long as its context lives.

    Args:
        driver: of the device.
    """

    def __init__(self, driver: Context):
        self.driver = driver
        self._lock = threading.Lock()
        self._held: deque[tuple[Any, object]] = deque()
        self._events: list[Any] = []
        self._copies: int | None = None

    @property
    def copies(self) -> int:
        """A stream of our own for copies that are waited for; it waits for no other."""
        with self._lock:
            if self._copies is None:
                stream = self.driver.ffi.new("uintptr_t *")
                self.driver.do("cuStreamCreate", stream, _NON_BLOCKING)
                self._copies = int(stream[0])
            return self._copies

    def check(self, stream: int, kernel: str) -> None:
        """Refuse a stream of another device.

        Raises:
            CallError: it is one, or of another context of this device.
        """
        if stream in _SPECIAL:
            return
        context = self.driver.slots.pointer
        self.driver.do("cuStreamGetCtx", stream, context)
        if context[0] != self.driver.context:
            raise CallError(
                f"{kernel}: stream={stream:#x} belongs to another device or context than the arrays, which are on "
                f"device {self.driver.ordinal}: pass a stream of that device, or leave stream= out",
                "stream",
            )

    def wait(self, stream: int) -> None:
        """Wait for all that was launched in a stream.

        Raises:
            DriverError: a launch failed.
        """
        with self.driver.relaxed():
            self.driver.do("cuStreamSynchronize", stream)

    def is_capturing(self, stream: int) -> bool:
        """Whether what is launched in a stream is recorded in a graph now."""
        status = self.driver.slots.number
        status[0] = 0
        code = self.driver.lib.cuStreamIsCapturing(stream, status)
        if code and code != _CAPTURED_BESIDE:
            raise self.driver.problem("cuStreamIsCapturing", code)
        return bool(code or status[0])

    def order(self, before: int, after: int) -> None:
        """Let what comes in a stream wait for what was launched in another."""
        event = self._recorded(before)
        self.driver.do("cuStreamWaitEvent", after, event, 0)
        self._events.append(event)

    def hold(self, owner: object, stream: int) -> None:
        """Keep an object until all that was launched in a stream is done."""
        self._held.append((self._recorded(stream), owner))

    def let_go(self) -> None:
        """Forget the objects that were held and are used no more."""
        if self._held:
            with self._lock, self.driver.relaxed():
                while self._held and self.driver.lib.cuEventQuery(self._held[0][0]) == 0:
                    self._events.append(self._held.popleft()[0])

    def _recorded(self, stream: int) -> Any:
        """An event behind what was launched in a stream."""
        try:
            event = self._events.pop()
        except IndexError:
            made = self.driver.ffi.new("void **")
            self.driver.do("cuEventCreate", made, _NO_TIMING)
            event = made[0]
        self.driver.do("cuEventRecord", event, stream)
        return event
