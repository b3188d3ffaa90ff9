"""The compiler arguments of a target."""

from __future__ import annotations

from polyad.machine import MACHINE
from polyad.targets.target import Target

__all__ = ["LINK_FLAGS", "NO_ALIAS_VERSIONS", "PARALLEL_FLAGS", "SIMD_FLAGS", "compile_flags"]

PARALLEL_FLAGS = ("-fopenmp",)
SIMD_FLAGS = ("-fopenmp-simd", "-DPA_OPENMP_SIMD")
"""Vector loops only: no OpenMP library is needed. The macro is there because the flag defines none."""

LINK_FLAGS = ("-lm",)

_MATH = ("-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast")
# What generated code relies on for speed. Results are right without them; -ffast-math would make them wrong.

NO_ALIAS_VERSIONS = "--param=vect-max-version-for-alias-checks=0"
"""For compilers that know it: GCC 12 makes vectors of `a[j * n + i] = a[(j - 1) * n + i] + ...` over j behind a test at
run time that lets the loop through although an iteration reads what the one before writes. Arrays are told apart by
`restrict`, and loops without such dependences are marked, so that no other loop needs such tests."""


def compile_flags(target: Target, openmp_works: bool, native_flag: str = "-march=native") -> tuple[str, ...]:
    """The arguments that compile C for `target` into a shared library, apart from files and libraries.

    Args:
        target: what to compile for.
        openmp_works: whether the compiler has an OpenMP library; without one, loops run on one core, vectorised.
        native_flag: how this compiler spells "this machine's CPU", "" when it cannot.
    """
    if target.march is None:
        machine: tuple[str, ...] = ()
    elif target.march == "native":
        machine = (native_flag,) if native_flag else ()
    else:
        machine = (f"-march={target.march}",)
    parallel = PARALLEL_FLAGS if target.openmp and openmp_works else SIMD_FLAGS
    worth = [
        f"-D{name}={value!r}"
        for name, value, usual in (
            ("PA_WORTH", float(target.machine.shared_contraction), float(MACHINE.shared_contraction)),
            ("PA_PIECE", target.machine.piece, MACHINE.piece),
        )
        if value != usual
    ]
    return ("-std=c99", f"-O{target.optimize}", *machine, *_MATH, *parallel, *worth, "-fPIC", *target.extra_flags)
