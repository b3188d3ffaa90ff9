"""Functions of one complex number, as formulas in its parts (Abramowitz and Stegun, 3.7, 3.8, 4.2, 4.3, 4.5).

Cuts lie as in NumPy, along the negative real numbers for log, sqrt and angle; a zero with a minus sign counts as zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polyad.errors import DTypeError
from polyad.frontend.complex_numbers.arithmetic import binary, chosen, pair
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.complex_numbers.parts import parts
from polyad.frontend.scalar import Number
from polyad.frontend.tensor import elementwise, user_line

__all__ = ["complex_function"]

_ORDERED = frozenset("maximum minimum sign floor ceil round trunc lt le gt ge floordiv mod".split())
"""Operators that need an order of the numbers."""


def _exp(a: Any, b: Any) -> ComplexTensor:
    """e^a (cos b + i sin b)."""
    size = elementwise("exp", a)
    return pair(elementwise("mul", size, elementwise("cos", b)), elementwise("mul", size, elementwise("sin", b)))


def _log(a: Any, b: Any) -> ComplexTensor:
    """log |z| + i angle(z)."""
    return pair(elementwise("log", elementwise("hypot", a, b)), elementwise("atan2", b, a))


def _sqrt(a: Any, b: Any) -> ComplexTensor:
    """The root whose real part is not negative: t = sqrt((|z| + |a|) / 2) is its larger part, b / 2 t the other."""
    half = Number(0.5)
    size = elementwise("mul", elementwise("hypot", a, b), half)
    t = elementwise("sqrt", elementwise("add", size, elementwise("mul", elementwise("abs", a), half)))
    zero = Number(0.0)
    other = chosen(elementwise("eq", t, zero), zero, elementwise("div", elementwise("mul", b, half), t))
    right, above = elementwise("ge", a, zero), elementwise("ge", b, zero)
    real = chosen(right, t, chosen(above, other, elementwise("neg", other)))
    return pair(real, chosen(right, other, chosen(above, t, elementwise("neg", t))))


def _products(first: tuple[str, str], second: tuple[str, str], sign: str = "") -> Callable[[Any, Any], ComplexTensor]:
    """first[0](a) first[1](b) + i second[0](a) second[1](b), the imaginary part negated where a sign says so."""

    def function(a: Any, b: Any) -> ComplexTensor:
        real, imag = (elementwise("mul", elementwise(f, a), elementwise(g, b)) for f, g in (first, second))
        return pair(real, elementwise("neg", imag) if sign else imag)

    return function


def _tanh(a: Any, b: Any) -> ComplexTensor:
    """(u (1 + v^2) + i v (1 - u^2)) / (1 + u^2 v^2) for u = tanh a, v = tan b: no term grows with a."""
    one = Number(1.0)
    u, v = elementwise("tanh", a), elementwise("tan", b)
    uu, vv = elementwise("mul", u, u), elementwise("mul", v, v)
    below = elementwise("add", one, elementwise("mul", uu, vv))
    real = elementwise("mul", u, elementwise("add", one, vv))
    imag = elementwise("mul", v, elementwise("sub", one, uu))
    return pair(elementwise("div", real, below), elementwise("div", imag, below))


def _tan(a: Any, b: Any) -> ComplexTensor:
    """-i tanh(i z)."""
    turned = _tanh(elementwise("neg", b), a)
    return pair(turned.imag, elementwise("neg", turned.real))


_UNARY: dict[str, Callable[[Any, Any], Any]] = {
    "neg": lambda a, b: ComplexTensor(elementwise("neg", a), elementwise("neg", b)),
    "abs": lambda a, b: elementwise("hypot", a, b),
    "isnan": lambda a, b: elementwise("or", elementwise("isnan", a), elementwise("isnan", b)),
    "stop_gradient": lambda a, b: pair(elementwise("stop_gradient", a), elementwise("stop_gradient", b)),
    "exp": _exp,
    "log": _log,
    "sqrt": _sqrt,
    "sin": _products(("sin", "cosh"), ("cos", "sinh")),
    "cos": _products(("cos", "cosh"), ("sin", "sinh"), "-"),
    "sinh": _products(("sinh", "cos"), ("cosh", "sin")),
    "cosh": _products(("cosh", "cos"), ("sinh", "sin")),
    "tanh": _tanh,
    "tan": _tan,
}


def complex_function(op: str, *args: Any) -> Any:
    """A scalar operator of which an argument is complex.

    Raises:
        DTypeError: it is not defined for complex numbers.
    """
    if len(args) == 1 and op in _UNARY:
        return _UNARY[op](*parts(args[0]))
    if len(args) == 2 and op not in _ORDERED:
        return binary(op, *args)
    why = "there is no order among them" if op in _ORDERED else "there is no formula for it here"
    raise DTypeError(
        f"{user_line()}: {op} is not defined for complex numbers, {why}: take abs(z), z.real or z.imag of its "
        "arguments, or write it with exp, log and sqrt"
    )
