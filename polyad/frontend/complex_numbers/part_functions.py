"""`real`, `imag`, `conj`, `angle`: of complex tensors their parts, and of real ones what NumPy makes of them."""

from __future__ import annotations

from typing import Any

from polyad.frontend.complex_numbers.arithmetic import chosen, pair
from polyad.frontend.complex_numbers.parts import parts
from polyad.frontend.scalar import Number
from polyad.frontend.tensor import elementwise

__all__ = ["angle", "conj", "conjugate", "imag", "real"]


def real(x: Any) -> Any:
    """The real part; x itself where it is real."""
    return parts(x)[0]


def imag(x: Any) -> Any:
    """The imaginary part; zeros where x is real."""
    re, im = parts(x)
    return elementwise("mul", re, Number(0)) if im is None else im


def conj(x: Any) -> Any:
    """Return real(x) - 1j * imag(x), element by element; x itself where it is real."""
    re, im = parts(x)
    return re if im is None else pair(re, elementwise("neg", im))


conjugate = conj


def angle(x: Any, deg: bool = False) -> Any:
    """The angle of x with the positive real numbers, in -pi .. pi; where x is real, 0 or pi. `deg` asks for degrees.

    It has no derivative at 0.
    """
    re, im = parts(x)
    if im is None:
        half = chosen(elementwise("lt", re, Number(0)), Number(3.141592653589793), elementwise("mul", re, Number(0.0)))
    else:
        half = elementwise("atan2", im, re)
    return elementwise("mul", half, Number(57.29577951308232)) if deg else half
