"""Element-wise functions that the table of operators has under other names than NumPy, or that are composed of several.

Inside the body of a `compute` they work on single elements. Values, derivatives and accuracy stand in the table
(`polyad.ops`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import integer, several
from polyad.frontend.complex_numbers.parts import is_complex
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import exp, isnan, log, maximum, minimum
from polyad.frontend.scalar import Scalar
from polyad.frontend.scalar_functions import scalar_function
from polyad.frontend.scalar_functions import select as _select
from polyad.frontend.tensor import Tensor, elementwise

__all__ = [
    "absolute",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "arctanh",
    "clip",
    "deg2rad",
    "degrees",
    "divide",
    "equal",
    "exp2",
    "fabs",
    "fix",
    "float_power",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "greater",
    "greater_equal",
    "invert",
    "left_shift",
    "heaviside",
    "less",
    "less_equal",
    "log10",
    "log2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "mod",
    "multiply",
    "negative",
    "not_equal",
    "positive",
    "power",
    "rad2deg",
    "radians",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "round",
    "select",
    "square",
    "subtract",
    "true_divide",
    "where",
]


def _named(name: str, op: str) -> Callable[..., Any]:
    """The operator `op` under NumPy's name."""
    function = scalar_function(op)
    function.__name__ = function.__qualname__ = name
    return function


arcsin, arccos = _named("arcsin", "asin"), _named("arccos", "acos")
arctan, arctan2 = _named("arctan", "atan"), _named("arctan2", "atan2")
arcsinh, arccosh, arctanh = _named("arcsinh", "asinh"), _named("arccosh", "acosh"), _named("arctanh", "atanh")
float_power = _named("float_power", "pow")
fix = _named("fix", "trunc")
rint = scalar_function("round")
add, subtract, multiply = _named("add", "add"), _named("subtract", "sub"), _named("multiply", "mul")
divide, true_divide, floor_divide = (
    _named("divide", "div"),
    _named("true_divide", "div"),
    _named("floor_divide", "floordiv"),
)
mod, remainder = _named("mod", "mod"), _named("remainder", "mod")
power = _named("power", "pow")
negative, absolute, fabs = _named("negative", "neg"), _named("absolute", "abs"), _named("fabs", "abs")
equal, not_equal = _named("equal", "eq"), _named("not_equal", "ne")
less, less_equal = _named("less", "lt"), _named("less_equal", "le")
bitwise_and, bitwise_or = scalar_function("bitwise_and"), scalar_function("bitwise_or")
bitwise_xor, bitwise_not = scalar_function("bitwise_xor"), scalar_function("bitwise_not")
invert, bitwise_invert = _named("invert", "bitwise_not"), _named("bitwise_invert", "bitwise_not")
left_shift, right_shift = scalar_function("left_shift"), scalar_function("right_shift")
bitwise_left_shift = _named("bitwise_left_shift", "left_shift")
bitwise_right_shift = _named("bitwise_right_shift", "right_shift")
greater, greater_equal = _named("greater", "gt"), _named("greater_equal", "ge")


def bitwise_count(x: Any) -> Any:
    """How many bits of |x| are ones, an int32.

    Raises:
        DTypeError: no integers.
    """
    size = as_tensor(absolute(as_tensor(x, "x")) | 0, "x")
    if size.dtype == "int64":
        return bitwise_count(size.astype("uint32")) + bitwise_count((size >> 32).astype("uint32"))
    pairs = size.astype("uint32")
    pairs = pairs - ((pairs >> 1) & 0x55555555)
    fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333)
    return ((((fours + (fours >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 24).astype("int32")


def positive(x: Any) -> Any:
    """+x."""
    return x


def _truth(x: Any) -> Any:
    """Truth values as they are, numbers as x != 0."""
    if isinstance(x, bool) or (isinstance(x, Tensor) and x.dtype == "bool") or isinstance(x, Scalar):
        return x
    return not_equal(x, 0)


def logical_and(x: Any, y: Any) -> Any:
    """X and y; numbers count as true unless they are 0."""
    return elementwise("and", _truth(x), _truth(y))


def logical_or(x: Any, y: Any) -> Any:
    """X or y or both; numbers count as true unless they are 0."""
    return elementwise("or", _truth(x), _truth(y))


def logical_not(x: Any) -> Any:
    """Not x; numbers count as true unless they are 0."""
    return elementwise("not", _truth(x))


def logical_xor(x: Any, y: Any) -> Any:
    """Exactly one of x and y."""
    a, b = _truth(x), _truth(y)
    return logical_and(logical_or(a, b), logical_not(logical_and(a, b)))


def square(x: Any) -> Any:
    """x**2."""
    return multiply(x, x)


def reciprocal(x: Any) -> Any:
    """1 / x."""
    return divide(1.0, x)


def exp2(x: Any) -> Any:
    """2**x."""
    return exp(multiply(x, math.log(2.0)))


def log2(x: Any) -> Any:
    """The logarithm to base 2."""
    return multiply(log(x), 1 / math.log(2.0))


def log10(x: Any) -> Any:
    """The logarithm to base 10."""
    return multiply(log(x), 1 / math.log(10.0))


def round(x: Any, decimals: int = 0) -> Any:
    """The nearest number with that many decimals, ties to even; its derivative is zero."""
    if integer(decimals, "round: decimals") == 0:
        return rint(x)
    scale = 10.0**decimals
    return divide(rint(multiply(x, scale)), scale)


@each_part("a", "b")
def where(cond: Any, a: Any, b: Any) -> Any:
    """A where cond holds, else b, with broadcasting.

    Args:
        cond: truth values; numbers count as true unless they are 0.
        a: tensor or number.
        b: tensor or number.
    """
    cond = _truth(cond) if is_complex(cond) else cond
    test = cond if isinstance(cond, Scalar | bool) else _truth(as_tensor(cond, "cond"))
    return _select(test, a, b)


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """The element of the first choice whose condition holds, else the default, with broadcasting.

    Args:
        condlist: conditions; numbers count as true unless they are 0.
        choicelist: a tensor or number for each.
        default: tensor or number.

    Raises:
        ShapeError: no conditions, or another number of choices.
    """
    conditions, choices = several(condlist, "select: condlist"), several(choicelist, "select: choicelist")
    if not conditions or len(conditions) != len(choices):
        raise ShapeError(
            f"select: {len(conditions)} conditions and {len(choices)} choices; give one choice for each condition"
        )
    result = default
    for condition, choice in reversed(list(zip(conditions, choices, strict=True))):
        result = where(condition, choice, result)
    return result


def deg2rad(x: Any) -> Any:
    """Degrees as radians: x * pi / 180."""
    return multiply(x, math.pi / 180)


def rad2deg(x: Any) -> Any:
    """Radians as degrees: x * 180 / pi."""
    return multiply(x, 180 / math.pi)


radians, degrees = deg2rad, rad2deg


def fmod(x: Any, y: Any) -> Any:
    """The remainder of x / y with the sign of x, as C's `fmod`; `mod` has the sign of y."""
    size = mod(where(less(x, 0), negative(x), x), where(less(y, 0), negative(y), y))
    return where(less(x, 0), negative(size), size)


def fmax(x: Any, y: Any) -> Any:
    """The larger one, the other where one is nan."""
    return where(isnan(x), y, where(isnan(y), x, maximum(x, y)))


def fmin(x: Any, y: Any) -> Any:
    """The smaller one, the other where one is nan."""
    return where(isnan(x), y, where(isnan(y), x, minimum(x, y)))


def heaviside(x: Any, y: Any) -> Any:
    """0 for negative x, 1 for positive, y at 0, nan for nan."""
    return where(equal(x, 0), y, where(isnan(x), x, where(less(x, 0), 0.0, 1.0)))


def clip(x: Any, min: Any = None, max: Any = None) -> Any:
    """Min(max(x, lower), upper); one bound may be None.

    Raises:
        ShapeError: no bound is given.
    """
    if min is None and max is None:
        raise ShapeError("clip needs min=, max= or both")
    low = x if min is None else maximum(x, min)
    return low if max is None else minimum(low, max)
