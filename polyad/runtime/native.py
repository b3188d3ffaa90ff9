"""Compiled functions: loading a library and calling into it, in forked processes too."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cffi

__all__ = ["FORK_GUARD", "SPINS", "NativeFunction", "NativeKernel", "call_parallel", "load_function"]

NativeFunction = Callable[..., int]
"""(sizes, one pointer an argument, workspace, workspace bytes) -> status."""


@dataclass(frozen=True, slots=True)
class NativeKernel:
    """A loaded kernel.

    Attributes:
        run: the function.
        threads: how many threads it may start when it is called by this one.
        on_device: of a kernel of a GPU, what launches it; see runtime/cuda/calls.py.
    """

    run: NativeFunction
    threads: Callable[[], int]
    on_device: Any = None


SPINS = "2000"
"""Looks at a barrier before a thread sleeps: longer than the others of a step that has its share take to come."""

# Path and name -> (library, what is in it). A library is closed when its object goes, and functions do not keep theirs.
_LOADED: dict[tuple[Path, str], tuple[Any, NativeKernel]] = {}


def load_function(path: Path, name: str, arguments: int) -> NativeKernel:
    """Load the kernel `name` with that many array arguments.

    The arrays are declared as `void *`, which lets a call pass any buffer without a conversion; their element types
    are checked in Python.

    Raises:
        OSError: the file is missing, damaged, or made for another machine; or it has no such function.
    """
    key = (path, name)
    if key not in _LOADED:
        ffi = cffi.FFI()
        pointers = "void *, " * (arguments + 1)
        ffi.cdef(f"int {name}(const void *, {pointers}size_t); int omp_get_max_threads(void);")
        # Never unmapped, not even when the interpreter ends: OpenMP's worker threads wait for more work in a library
        # that would go with the last kernel.
        with _short_waits():
            library = ffi.dlopen(str(path), ffi.RTLD_NOW | getattr(ffi, "RTLD_NODELETE", 0))
        try:
            # OpenMP's functions are found through the library, if it was linked with OpenMP.
            threads = getattr(library, "omp_get_max_threads", _one)
            _LOADED[key] = library, NativeKernel(getattr(library, name), threads)
        except AttributeError as problem:
            raise OSError(str(problem)) from problem
    return _LOADED[key][1]


@contextmanager
def _short_waits() -> Iterator[None]:
    """Tell GNU's OpenMP library, which reads its environment as it is loaded, that threads soon sleep while they wait.

    As it comes, they spin for some ten milliseconds, on the cores that those need that they wait for: beside another
    program, a kernel that meets in each step took up to a hundred times as long as on one thread. What the user has set
    stays.
    """
    asked = None if os.environ.keys() & {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} else SPINS
    if asked is not None:
        os.environ["GOMP_SPINCOUNT"] = asked
    try:
        yield
    finally:
        if asked is not None:
            del os.environ["GOMP_SPINCOUNT"]


def _one() -> int:
    return 1


class _ForkGuard:
    """Lets kernels run in a child made by fork.

    GNU's OpenMP library keeps a pool of threads for each thread that ran a parallel loop, for whichever library. In a
    forked child the pool of the thread that called fork is still on record but its threads are gone, and the next
    parallel loop waits for them for ever. A new thread has no pool yet, so the child runs what that one thread asks for
    on a thread of its own.
    """

    def __init__(self) -> None:
        self.forking_thread: int | None = None  # in a child, the thread whose pool may be dead
        self.worker: ThreadPoolExecutor | None = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.after_fork)

    def after_fork(self) -> None:
        self.forking_thread = threading.get_ident()
        self.worker = None  # its thread did not come along

    def call(self, function: NativeFunction, *arguments: Any) -> int:
        if self.forking_thread is None or threading.get_ident() != self.forking_thread:
            return function(*arguments)
        if self.worker is None:
            self.worker = ThreadPoolExecutor(1, thread_name_prefix="polyad")
        return self.worker.submit(function, *arguments).result()


FORK_GUARD = _ForkGuard()

call_parallel = FORK_GUARD.call
"""call_parallel(function, *arguments) calls a function that uses OpenMP."""
