"""The number of threads of compiled code, in this process."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def threads(library: Path, number: int) -> Iterator[None]:
    """Parallel regions have `number` threads meanwhile; `library` was compiled with -fopenmp."""
    runtime = ctypes.CDLL(str(library))
    before = runtime.omp_get_max_threads()
    runtime.omp_set_num_threads(number)
    try:
        yield
    finally:
        runtime.omp_set_num_threads(before)
