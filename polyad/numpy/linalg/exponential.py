"""The exponential of a matrix by scaling, a Padé approximant of degree 13, and squaring (Higham, 2005)."""

from __future__ import annotations

import math
from typing import Any

from polyad.frontend.argument_checks import integer
from polyad.frontend.operator_functions import ceil, exp, log, maximum, minimum
from polyad.frontend.scalar import IndexExpr, Scalar
from polyad.frontend.scalar_functions import select, stop_gradient
from polyad.frontend.scan import scan
from polyad.frontend.tensor import Tensor, define
from polyad.numpy.creation import arange, eye
from polyad.numpy.dimensions import extents
from polyad.numpy.linalg.lu import solve
from polyad.numpy.linalg.matrices import square_matrix
from polyad.numpy.linalg.norms import norm
from polyad.numpy.permutation import expand_dims

__all__ = ["expm"]

_LARGEST = 5.371920351148152
"""The norm up to which the approximant of degree 13 is exact to rounding."""

_COEFFICIENTS = tuple(
    math.factorial(26 - k) * math.factorial(13) // (math.factorial(k) * math.factorial(13 - k)) for k in range(14)
)
"""Of the numerator of degree 13, divided by 13! / 26! of the customary form; the denominator has them with signs."""


def expm(a: Any, *, max_squarings: int = 16) -> Tensor:
    """The matrix exponential, sum_k a**k / k!.

    Shapes: a (..., N, N), and the result the same.

    Args:
        a: matrix.
        max_squarings: so many squarings there are, of which those count that the norm of `a` asks for. The result is
            nan for norms above 5.4 * 2**max_squarings, as in JAX.

    Raises:
        ShapeError: not square.
    """
    t = square_matrix(a, "expm")
    most = integer(max_squarings, "expm: max_squarings")
    size = stop_gradient(norm(t, 1, (-2, -1)))
    wanted = ceil(log(maximum(size / _LARGEST, 1e-30)) / math.log(2))
    squarings = maximum(wanted, 0.0)
    steps = minimum(squarings, float(most))
    scaled = t * expand_dims(exp(steps * -math.log(2)), (-2, -1))
    rational = _pade(scaled)

    def step(power: Tensor, number: Tensor) -> tuple[Tensor, None]:
        square = power @ power

        def body(*index: IndexExpr) -> Scalar:
            go: Any = number.element([]) < steps.element(index[:-2])
            result: Scalar = select(go, square.element(index), power.element(index))
            return result

        return define(extents(t), body, "power", t.dtype), None

    result: Tensor = scan(step, rational, arange(most))[0]
    within = expand_dims(squarings <= most, (-2, -1))
    return select(within, result, float("nan"))  # type: ignore[no-any-return]  # of tensors, a tensor


def _pade(a: Tensor) -> Tensor:
    """q(a)**-1 p(a), p the sum of even and odd powers, q their difference."""
    scale = 1.0 / _COEFFICIENTS[0]
    c = [scale * k for k in _COEFFICIENTS]
    one = eye(extents(a)[-1], dtype=a.dtype)
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    odd = a @ (a6 @ (c[13] * a6 + c[11] * a4 + c[9] * a2) + c[7] * a6 + c[5] * a4 + c[3] * a2 + c[1] * one)
    even = a6 @ (c[12] * a6 + c[10] * a4 + c[8] * a2) + c[6] * a6 + c[4] * a4 + c[2] * a2 + c[0] * one
    return solve(even - odd, even + odd)
