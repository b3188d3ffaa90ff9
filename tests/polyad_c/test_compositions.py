"""A compiler that knows what sin(atan(x)) is must know it for nan, too: functions of functions, with and without it.

Each pair of operators of one argument is compiled as kernels are, and once more by a compiler that is told to know
nothing about the C library. GCC 12 gives sin(atan(nan)) = 1 where it may forget errno.
"""

import ctypes

import numpy as np
import pytest

from polyad.ops import OPS
from polyad.targets import Target
from polyad.targets.flags import compile_flags
from tests.codegen.compiled import COMPILERS, compile_only

UNARY = sorted(o.name for o in OPS.values() if o.arity == 1 and o.kind == "float")
SUFFIXES = {"f32": ("float", np.float32, 1e-5), "f64": ("double", np.float64, 1e-12)}
ODD = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 20.0, -700.0, 1e8, 1e-40, 3e38, -1e300, np.inf, -np.inf, np.nan)


def functions(suffix: str) -> str:
    """C: all pairs, each a function over an array."""
    ctype = SUFFIXES[suffix][0]
    lines = ['#include "polyad_runtime.h"']
    for outer in UNARY:
        for inner in UNARY:
            value = OPS[outer].c.format(OPS[inner].c.format("x[i]", f=suffix), f=suffix)
            lines.append(f"void {outer}_of_{inner}(int n, const {ctype} *x, {ctype} *y);")
            lines.append(f"void {outer}_of_{inner}(int n, const {ctype} *x, {ctype} *y)")
            lines.append(f"{{\n    for (int i = 0; i < n; i++) y[i] = {value};\n}}")
    return "\n".join(lines) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suffix", "compiler"),
    [(s, c) for s in SUFFIXES for c in COMPILERS],
)
def test_functions_of_functions(compiler: str, suffix: str) -> None:
    _, dtype, tolerance = SUFFIXES[suffix]
    plain = ctypes.CDLL(str(compile_only(functions(suffix), compiler, ("-std=c99", "-O0", "-fno-builtin"))))
    knowing = ctypes.CDLL(str(compile_only(functions(suffix), compiler, compile_flags(Target("c"), True))))
    with np.errstate(all="ignore"):
        x = np.array(ODD).astype(dtype)
        wrong = []
        for name in (f"{outer}_of_{inner}" for outer in UNARY for inner in UNARY):
            found = []
            for library in (plain, knowing):
                y = np.empty_like(x)
                getattr(library, name)(len(x), x.ctypes.data_as(ctypes.c_void_p), y.ctypes.data_as(ctypes.c_void_p))
                found.append(y)
            near = np.isclose(*found, rtol=tolerance, atol=1e-7 if suffix == "f32" else 1e-15, equal_nan=True)
            wrong += [
                f"{name}({v}) = {b}, should be {a}" for v, a, b, same in zip(x, *found, near, strict=True) if not same
            ]
    assert not wrong, "\n".join(wrong)
