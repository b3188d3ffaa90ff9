"""Running sums and products: recurrences along a dimension."""

from __future__ import annotations

from operator import mul
from typing import Any

from polyad.frontend.complex_numbers.parts import as_complex, is_complex
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constants import as_tensor
from polyad.frontend.control.associative_scan import associative_scan
from polyad.frontend.recurrence import recurrence
from polyad.frontend.scalar import Applied, IndexExpr, Scalar, Selected
from polyad.frontend.scan import scan
from polyad.frontend.tensor import Tensor
from polyad.numpy.creation import ones_like
from polyad.numpy.dimensions import TensorLike, axis_number, axis_numbers, extents, one_index
from polyad.numpy.elementwise import where as choose
from polyad.numpy.permutation import expand_dims, moveaxis
from polyad.numpy.reshape import ravel

__all__ = ["complex_product", "cumprod", "cumsum"]


@each_part("x")
def cumsum(x: TensorLike, axis: int | None = None) -> Tensor:
    """Running sums: result[i] = result[i - 1] + x[i].

    Args:
        x: tensor.
        axis: dimension; None runs over the ravelled tensor.

    Raises:
        ShapeError: no such dimension.
    """
    return _running("cumsum", "add", x, axis)


def cumprod(x: TensorLike, axis: int | None = None) -> Tensor:
    """Running products: result[i] = result[i - 1] * x[i].

    Args:
        x: tensor.
        axis: dimension; None runs over the ravelled tensor.

    Raises:
        ShapeError: no such dimension.
    """
    if is_complex(x):
        z = ravel(x) if axis is None else as_complex(x)
        result: Tensor = associative_scan(mul, z, axis=0 if axis is None else axis)
        return result
    return _running("cumprod", "mul", x, axis)


def complex_product(x: Any, axis: Any, keepdims: bool, initial: Any, where: Any) -> Any:
    """The product of complex elements along dimensions: a recurrence for each; see `prod`."""
    z = as_complex(x) if where is True else choose(where, x, 1.0)
    axes = sorted(axis_numbers(axis, z.ndim, "prod"))
    for d in reversed(axes):
        front = moveaxis(z, d, 0)
        z = scan(lambda running, element: (running * element, None), ones_like(front[0]), front)[0]
    for d in axes if keepdims else ():
        z = expand_dims(z, d)
    return z if initial is None else z * initial


def _running(name: str, op: str, x: TensorLike, axis: int | None) -> Tensor:
    t = ravel(x) if axis is None else as_tensor(x, "x")
    d = axis_number(0 if axis is None else axis, t.ndim, name)

    def body(running: Tensor, *index: IndexExpr) -> Scalar:
        here = t.element(index)
        before: Any = running[tuple(i - 1 if n == d else i for n, i in enumerate(index))]
        return Selected(Applied("eq", (index[d], one_index(0))), here, Applied(op, (before, here)))

    result: Tensor = recurrence(extents(t), body, name, t.dtype)
    return result
