"""Compiled functions: loading a library and what is in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cffi

from polyad.runtime.threads.crowded import beside_others
from polyad.runtime.threads.waits import short_waits

__all__ = ["NativeFunction", "NativeKernel", "load_function"]

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
        ffi.cdef(f"int {name}(const void *, {pointers}size_t);")
        ffi.cdef("int omp_get_max_threads(void); void omp_set_num_threads(int);")
        # Never unmapped, not even when the interpreter ends: OpenMP's worker threads wait for more work in a library
        # that would go with the last kernel.
        with short_waits():
            library = ffi.dlopen(str(path), ffi.RTLD_NOW | getattr(ffi, "RTLD_NODELETE", 0))
        try:
            # OpenMP's functions are found through the library, if it was linked with OpenMP.
            run, threads = getattr(library, name), getattr(library, "omp_get_max_threads", _one)
            if threads is not _one:
                run = beside_others(run, threads, library.omp_set_num_threads)
            _LOADED[key] = library, NativeKernel(run, threads)
        except AttributeError as problem:
            raise OSError(str(problem)) from problem
    return _LOADED[key][1]


def _one() -> int:
    return 1
