"""Activation functions, element-wise. They also work on single elements inside a `compute`."""

from __future__ import annotations

import math
from typing import Any

from polyad.errors import DefinitionError
from polyad.frontend.argument_checks import choice, flag, number, weight_tensor
from polyad.frontend.operator_functions import erf, expm1, logaddexp, sigmoid, tanh
from polyad.frontend.scalar import Scalar, is_number
from polyad.frontend.scalar_functions import select
from polyad.numpy.dimensions import axis_number
from polyad.numpy.elementwise import clip
from polyad.numpy.joining import split

__all__ = [
    "celu",
    "elu",
    "gelu",
    "glu",
    "hard_sigmoid",
    "hard_swish",
    "hard_tanh",
    "leaky_relu",
    "log_sigmoid",
    "mish",
    "prelu",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "softplus",
    "softsign",
    "tanh",
    "tanhshrink",
]

_SELU_ALPHA = 1.6732632423543772848170429916717
_SELU_SCALE = 1.0507009873554804934193349852946


def relu(x: Any) -> Any:
    """X where x > 0, else 0; the derivative at 0 is 0, and nan stays nan."""
    return select(x <= 0, 0, x)


def leaky_relu(x: Any, negative_slope: float = 0.01) -> Any:
    """X where x > 0, else negative_slope * x; the derivative at 0 is the slope."""
    return select(x > 0, x, x * number(negative_slope, "leaky_relu: negative_slope"))


def prelu(x: Any, slope: Any, axis: int = 1) -> Any:
    """`leaky_relu` with a slope to learn.

    Args:
        x: tensor.
        slope: a number or scalar tensor; or a vector, one slope per index of dimension `axis`.
        axis: that dimension, the channels.

    Source: He et al., Delving Deep into Rectifiers, 2015, eq. 1.
    """
    if not (isinstance(slope, Scalar) or (is_number(slope) and not isinstance(slope, bool))):
        slope = weight_tensor(slope, "prelu: slope")
    if getattr(slope, "ndim", 0) == 1 and x.ndim > 1:
        slope = along(slope, x.ndim, axis)
    return select(x > 0, x, slope * x)


def along(vector: Any, ndim: int, axis: int) -> Any:
    """A vector as tensor of `ndim` dimensions that broadcasts along all but one of them."""
    return vector[tuple(slice(None) if d == axis % ndim else None for d in range(ndim))]


def elu(x: Any, alpha: float = 1.0) -> Any:
    """X where x > 0, else alpha * (exp(x) - 1).

    Source: Clevert et al., Exponential Linear Units, 2015, eq. 15.
    """
    number(alpha, "elu: alpha")
    below = select(x > 0, 0, x)  # keeps the branch that is not taken, and its derivative, finite
    return select(x > 0, x, expm1(below) * alpha)


def celu(x: Any, alpha: float = 1.0) -> Any:
    """X where x > 0, else alpha * (exp(x / alpha) - 1), whose derivative at 0 is 1.

    Source: Barron, Continuously Differentiable Exponential Linear Units, 2017, eq. 2.
    """
    number(alpha, "celu: alpha")
    below = select(x > 0, 0, x)
    return select(x > 0, x, expm1(below / alpha) * alpha)


def selu(x: Any) -> Any:
    """`elu` with the alpha and the scale that keep mean 0 and variance 1 from layer to layer.

    Source: Klambauer et al., Self-Normalizing Neural Networks, 2017, eq. 2 and 14.
    """
    return elu(x, _SELU_ALPHA) * _SELU_SCALE


def softplus(x: Any) -> Any:
    """log(1 + exp(x)), without overflow."""
    return logaddexp(x, 0)


def log_sigmoid(x: Any) -> Any:
    """log(sigmoid(x)), without overflow."""
    return -softplus(-x)


def softsign(x: Any) -> Any:
    """X / (1 + |x|)."""
    return x / (abs(x) + 1)


def silu(x: Any) -> Any:
    """X * sigmoid(x), also called swish."""
    return x * sigmoid(x)


def mish(x: Any) -> Any:
    """X * tanh(softplus(x)).

    Source: Misra, Mish: A Self Regularized Non-Monotonic Activation Function, 2019, eq. 1.
    """
    return x * tanh(softplus(x))


def tanhshrink(x: Any) -> Any:
    """X - tanh(x)."""
    return x - tanh(x)


def hard_tanh(x: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    """X between the bounds, else the bound; the derivative at a bound is 0, and nan stays nan.

    Raises:
        DefinitionError: the lower bound is not below the upper one.
    """
    low, high = number(min_val, "hard_tanh: min_val"), number(max_val, "hard_tanh: max_val")
    if is_number(low) and is_number(high) and not low < high:
        raise DefinitionError(f"hard_tanh: min_val {low} must be below max_val {high}")
    return select(x <= low, low, select(x >= high, high, x))


def relu6(x: Any) -> Any:
    """X between 0 and 6, else the bound; the derivative at a bound is 0."""
    return hard_tanh(x, 0, 6)


def hard_swish(x: Any) -> Any:
    """X * (x + 3) / 6 between -3 and 3, 0 below and x above; the derivative is 0 at -3 and 1 at 3.

    Source: Howard et al., Searching for MobileNetV3, 2019, section 5.2.
    """
    return select(x <= -3, 0, select(x >= 3, x, x * (x + 3) / 6))


def glu(x: Any, axis: int = -1) -> Any:
    """The first half of a dimension times the sigmoid of the second.

    Shapes: dimension `axis` of the result has half the extent of that of `x`.

    Raises:
        ShapeError: the extent is not even.

    Source: Dauphin et al., Language Modeling with Gated Convolutional Networks, 2017, eq. 1.
    """
    half, gate = split(x, 2, axis_number(axis, x.ndim, "glu"))
    return half * sigmoid(gate)


def hard_sigmoid(x: Any) -> Any:
    """Clip(x / 6 + 1 / 2, 0, 1)."""
    return clip(x / 6 + 0.5, 0, 1)


def gelu(x: Any, approximate: bool | str = False) -> Any:
    """X times the probability that a standard normal variable is below x.

    Args:
        x: tensor.
        approximate: True or "tanh": by tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)); False or "none": exact, by erf.

    Source: Hendrycks and Gimpel, Gaussian Error Linear Units, 2016.
    """
    if isinstance(approximate, str):
        by_tanh = choice(approximate, ("tanh", "none"), "gelu: approximate") == "tanh"
    else:
        by_tanh = flag(approximate, "gelu: approximate")
    if by_tanh:
        return x * (tanh((x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)) + 1) * 0.5
    return x * (erf(x * math.sqrt(0.5)) + 1) * 0.5
