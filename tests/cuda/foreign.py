"""Arrays on the device that are not polyad's, as small as they can be, and calls of the driver that are counted."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import polyad as pa
from polyad.runtime.cuda.driver import Driver, find_driver

__all__ = [
    "WAITING",
    "Graph",
    "Interfaced",
    "Lent",
    "Recorder",
    "counted",
    "declare",
    "foreign_stream",
    "new_stream",
    "on_device",
]

FUNCTIONS = """
int cuStreamBeginCapture_v2(uintptr_t stream, int mode);
int cuStreamEndCapture(uintptr_t stream, void **graph);
int cuGraphInstantiateWithFlags(void **made, void *graph, unsigned long long flags);
int cuGraphLaunch(void *made, uintptr_t stream);
int cuCtxCreate_v2(void **context, unsigned int flags, int device);
"""

WAITING = {"cuStreamSynchronize", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyHtoDAsync_v2"}
"""Functions that a call with arrays on the device does without, once it was made before."""


class Interfaced:
    """An array that speaks `__cuda_array_interface__` and nothing else.

    Args:
        array: the elements.
        said: what it says of itself instead of the truth.
    """

    def __init__(self, array: Any, **said: Any):
        self.held, self.said = pa.to_device(array), said

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self.held.__cuda_array_interface__, "version": 3, **self.said}

    def numpy(self) -> np.ndarray:
        return self.held.numpy()


class Lent:
    """An array that speaks DLPack and nothing else.

    Attributes:
        asked: for which streams.
    """

    def __init__(self, array: Any, device: int = 0):
        self.held, self.asked, self.device = pa.to_device(array), [], device  # type: ignore[var-annotated]

    shape = property(lambda self: self.held.shape)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.device

    def __dlpack__(self, *, stream: int) -> Any:  # as before version 1: no max_version
        self.asked.append(stream)
        return self.held.__dlpack__(stream=stream)

    def numpy(self) -> np.ndarray:
        return self.held.numpy()


def on_device(*arrays: np.ndarray) -> list[Any]:
    """The same on the device."""
    return [pa.to_device(a) for a in arrays]


class _Counting:
    """The driver's library with each call counted."""

    def __init__(self, lib: Any, calls: Counter[str]):
        self.lib, self.calls = lib, calls

    def __getattr__(self, name: str) -> Any:
        function = getattr(self.lib, name)

        def call(*args: Any) -> Any:
            self.calls[name] += 1
            return function(*args)

        return call


@contextmanager
def counted(device: int = 0) -> Iterator[Counter[str]]:
    """How often each function of the driver is called inside."""
    driver, calls = find_driver(device), Counter[str]()
    lib = driver.lib
    driver.lib = _Counting(lib, calls)
    try:
        yield calls
    finally:
        driver.lib = lib


def declare(driver: Driver) -> Driver:
    """Declare functions that polyad does not use."""
    if not hasattr(driver.ffi, "declared"):
        driver.ffi.cdef(FUNCTIONS)
        driver.ffi.declared = True  # type: ignore[attr-defined]
    return driver


def new_stream(driver: Driver, blocking: bool = False) -> int:
    """A stream of the context that is current, or of the driver's."""
    made = driver.ffi.new("uintptr_t *")
    with driver.current():
        driver.do("cuStreamCreate", made, 0 if blocking else 1)
    return int(made[0])


class Recorder:
    """A stream that is captured inside of `with`; `graph` is what was launched there.

    Args:
        mode: 0 lets no thread wait, 1 not this one.
    """

    def __init__(self, driver: Driver, stream: int, mode: int = 0):
        self.driver, self.stream, self.mode = declare(driver), stream, mode

    def __enter__(self) -> "Recorder":
        with self.driver.current():
            self.driver.do("cuStreamBeginCapture_v2", self.stream, self.mode)
        return self

    def __exit__(self, kind: Any, *_: object) -> None:
        graph = self.driver.ffi.new("void **")
        with self.driver.current():
            if kind is None:
                self.driver.do("cuStreamEndCapture", self.stream, graph)
                self.graph = Graph(self.driver, graph[0])
            else:
                self.driver.lib.cuStreamEndCapture(self.stream, graph)


class Graph:
    """A graph that can be replayed."""

    def __init__(self, driver: Driver, graph: Any):
        self.driver, made = driver, driver.ffi.new("void **")
        driver.do("cuGraphInstantiateWithFlags", made, graph, 0)
        self.made = made[0]

    def replay(self, stream: int) -> None:
        """Run it in a stream, and wait."""
        with self.driver.current():
            self.driver.do("cuGraphLaunch", self.made, stream)
            self.driver.streams.wait(stream)


def foreign_stream(driver: Driver) -> int:
    """A stream of another context of the same device."""
    declare(driver)
    context, made = driver.ffi.new("void **"), driver.ffi.new("uintptr_t *")
    with driver.current():
        driver.do("cuCtxCreate_v2", context, 0, driver.device)
        driver.do("cuStreamCreate", made, 1)
        driver.do("cuCtxSetCurrent", driver.context)
    return int(made[0])
