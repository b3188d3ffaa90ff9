"""The functions of <math.h> that C programs may call, and the operators that they are."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["FUNCTIONS"]

FUNCTIONS: Mapping[str, str] = {
    **{n: n for n in "exp expm1 log log1p sqrt cbrt hypot erf sin cos tan asin acos atan atan2 sinh cosh tanh".split()},
    **{n: n for n in ("asinh", "acosh", "atanh")},
    **{n: n for n in ("floor", "ceil", "trunc")},
    "fabs": "abs",
    "pow": "pow",
    "fmax": "maximum",
    "fmin": "minimum",
    "log2": "log",
    "log10": "log",
    "exp2": "pow",
    "fma": "add",
    "fdim": "maximum",
}
"""Function of <math.h> -> operator. With an `f` behind, the same at float."""
