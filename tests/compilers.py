"""Abilities of the compilers of this machine."""

from functools import cache

from polyad.runtime.compiler import works

_PROGRAM = "#include <omp.h>\nint threads(void);\nint threads(void) { return omp_get_max_threads(); }\n"


@cache
def has_openmp(compiler: str) -> bool:
    """Whether a compiler finds OpenMP: distributions may keep clang's in a package of its own."""
    return works([compiler], _PROGRAM, ("-fopenmp",))
