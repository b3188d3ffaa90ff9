"""A child process that runs functions: it may crash, hang or eat memory, and the parent goes on.

A call is a frame on the child's input, (function, arguments) as a pickle after eight bytes of length; its answer is one
on its output. The child is a fresh interpreter, not a fork: a fork inherits locks and dead threads of OpenMP.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import selectors
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from typing import IO, Any, TypeVar

__all__ = ["Child", "FailedError", "LostError", "read_frame", "write_frame"]

_LENGTH = struct.Struct("<Q")
_START = "from polyad.tuning.child_main import main; main()"
_CHUNK = 1 << 20

Result = TypeVar("Result")


class LostError(Exception):
    """The child is gone: it crashed, or was ended since it took too long."""


class FailedError(Exception):
    """The function raised an exception.

    Attributes:
        kind: the name of the exception's class, after those that it derives from.
    """

    def __init__(self, kind: tuple[str, ...], message: str):
        super().__init__(message)
        self.kind = kind


class Child:
    """A running child."""

    def __init__(self) -> None:
        paths = os.pathsep.join(os.path.abspath(p) for p in sys.path)
        environment = {**os.environ, "PYTHONPATH": paths}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,  # Ctrl-C is the parent's, and what the child starts ends with it
        )

    def call(self, function: Callable[..., Result], *arguments: Any, timeout: float | None = None) -> Result:
        """Return what the function returns there.

        Args:
            function: of a module, by whose name the child finds it.
            arguments: can be pickled.
            timeout: seconds after which the child is ended.

        Raises:
            FailedError: it raised an exception.
            LostError: the child is gone, now or before.
        """
        end = None if timeout is None else time.monotonic() + timeout
        assert self._process.stdin is not None and self._process.stdout is not None  # pipes, as asked for
        if self._process.stdin.closed:
            raise LostError("is gone")
        try:
            write_frame(self._process.stdin, (function, arguments))
            kind, value = pickle.loads(self._answer(self._process.stdout, end))
        except BrokenPipeError:
            raise LostError(self._end()) from None
        except TimeoutError:
            self.close()
            raise LostError(f"took longer than {timeout:.3g} s") from None
        except BaseException:  # Ctrl-C between a call and its answer
            self.close()
            raise
        if kind is not None:
            raise FailedError(kind, value)
        result: Result = value
        return result

    def close(self) -> None:
        """End it, with all that it started."""
        if self._process.stdin is not None and self._process.stdin.closed:
            return
        with contextlib.suppress(OSError):  # it is gone already
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):  # what was not written yet
                if pipe is not None:
                    pipe.close()

    def _answer(self, pipe: IO[bytes], end: float | None) -> bytes:
        data = self._exactly(pipe, _LENGTH.size, end)
        return self._exactly(pipe, _LENGTH.unpack(data)[0], end)

    def _exactly(self, pipe: IO[bytes], count: int, end: float | None) -> bytes:
        found = bytearray()
        with selectors.DefaultSelector() as ready:
            ready.register(pipe, selectors.EVENT_READ)
            while len(found) < count:
                left = None if end is None else end - time.monotonic()
                if not ready.select(left) and left is not None and end is not None and time.monotonic() >= end:
                    raise TimeoutError
                chunk = os.read(pipe.fileno(), min(_CHUNK, count - len(found)))
                if not chunk:
                    raise BrokenPipeError
                found += chunk
        return bytes(found)

    def _end(self) -> str:
        """The way the child ended."""
        self.close()
        status = self._process.returncode
        return f"crashed ({signal.Signals(-status).name})" if status < 0 else f"ended with status {status}"


def write_frame(pipe: IO[bytes], value: Any) -> None:
    """Write a value."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> Any:
    """Read a value.

    Raises:
        EOFError: there is none any more.
    """
    length = pipe.read(_LENGTH.size)
    if len(length) < _LENGTH.size:
        raise EOFError
    return pickle.loads(pipe.read(_LENGTH.unpack(length)[0]))
