"""Running sums, products, maxima and minima: recurrences along a dimension."""

from __future__ import annotations

from operator import mul
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import flag
from polyad.frontend.complex_numbers.parts import as_complex, is_complex
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constants import as_tensor
from polyad.frontend.control.associative_scan import associative_scan
from polyad.frontend.recurrence import recurrence
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, Selected
from polyad.frontend.scan import scan
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.numpy.creation import ones_like
from polyad.numpy.dimensions import TensorLike, axis_number, axis_numbers, dtype_name, extents, one_index
from polyad.numpy.elementwise import where as choose
from polyad.numpy.joining import concatenate
from polyad.numpy.permutation import expand_dims, flip, moveaxis
from polyad.numpy.reshape import ravel

__all__ = ["complex_product", "cummax", "cummin", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum"]


@each_part("x")
def cumsum(x: TensorLike, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Running sums: result[i] = result[i - 1] + x[i].

    Args:
        x: tensor.
        axis: dimension; None runs over the ravelled tensor.
        dtype: element type to convert to first.

    Raises:
        ShapeError: no such dimension.
    """
    return _running("cumsum", "add", x, axis, dtype)


def cumprod(x: TensorLike, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Running products: result[i] = result[i - 1] * x[i].

    Args:
        x: tensor.
        axis: dimension; None runs over the ravelled tensor.
        dtype: element type to convert to first.

    Raises:
        ShapeError: no such dimension.
    """
    if is_complex(x):
        z = ravel(x) if axis is None else as_complex(x)
        result: Tensor = associative_scan(mul, z, axis=0 if axis is None else axis)
        return result
    return _running("cumprod", "mul", x, axis, dtype)


def cumulative_sum(
    x: TensorLike, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """Running sums as `cumsum`, with a 0 in front if `include_initial`; only a vector may leave the axis out.

    Raises:
        ShapeError: no such dimension, or none is given for a tensor that has several.
    """
    return _array_api("cumulative_sum", "add", 0, x, axis, dtype, include_initial)


def cumulative_prod(
    x: TensorLike, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """Running products as `cumprod`, with a 1 in front if `include_initial`; only a vector may leave the axis out.

    Raises:
        ShapeError: no such dimension, or none is given for a tensor that has several.
    """
    return _array_api("cumulative_prod", "mul", 1, x, axis, dtype, include_initial)


def _array_api(
    name: str, op: str, start: int, x: TensorLike, axis: int | None, dtype: Any, include_initial: bool
) -> Tensor:
    t = as_tensor(x, "x")
    if axis is None and t.ndim != 1:
        raise ShapeError(f"{user_line()}: {name}: x has {t.ndim} dimensions; say along which with axis=")
    d = axis_number(0 if axis is None else axis, t.ndim, name)
    made = _running(name, op, t, d, dtype)
    if not flag(include_initial, f"{name}: include_initial"):
        return made
    shape = list(extents(t))
    first = define([*shape[:d], 1, *shape[d + 1 :]], lambda *_: Number(start), "first", made.dtype)
    return concatenate([first, made], d)


def cummax(operand: TensorLike, axis: int = 0, reverse: bool = False) -> Tensor:
    """Running maxima, as `jax.lax.cummax`; `numpy.maximum.accumulate` of a tensor is this one.

    Args:
        operand: tensor.
        axis: dimension.
        reverse: from the last element to the first.

    Raises:
        ShapeError: no such dimension.
    """
    return _extremes("cummax", "maximum", operand, axis, reverse)


def cummin(operand: TensorLike, axis: int = 0, reverse: bool = False) -> Tensor:
    """Running minima, as `jax.lax.cummin`; `numpy.minimum.accumulate` of a tensor is this one.

    Args:
        operand: tensor.
        axis: dimension.
        reverse: from the last element to the first.

    Raises:
        ShapeError: no such dimension.
    """
    return _extremes("cummin", "minimum", operand, axis, reverse)


def _extremes(name: str, op: str, x: TensorLike, axis: int, reverse: bool) -> Tensor:
    t = as_tensor(x, "operand")
    d = axis_number(axis, t.ndim, name)
    if not flag(reverse, f"{name}: reverse"):
        return _running(name, op, t, d)
    return flip(_running(name, op, flip(t, d), d), d)


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


def _running(name: str, op: str, x: TensorLike, axis: int | None, dtype: Any = None) -> Tensor:
    t = ravel(x) if axis is None else as_tensor(x, "x")
    wanted = dtype_name(dtype, name)
    t = t if wanted is None else t.astype(wanted)
    d = axis_number(0 if axis is None else axis, t.ndim, name)

    def body(running: Tensor, *index: IndexExpr) -> Scalar:
        here = t.element(index)
        before: Any = running[tuple(i - 1 if n == d else i for n, i in enumerate(index))]
        return Selected(Applied("eq", (index[d], one_index(0))), here, Applied(op, (before, here)))

    result: Tensor = recurrence(extents(t), body, name, t.dtype)
    return result
