"""Questions that every array function asks of its arguments: extents, axes, broadcasting."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import mul
from typing import Any

import numpy as np

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.axis_hints import axis_hints
from polyad.frontend.complex_numbers.pair import ComplexTensor
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import IndexExpr, Scalar, as_index, described
from polyad.frontend.tensor import Tensor, cast_tensor, own_extent
from polyad.ir.affine import Affine
from polyad.ir.element_types import element_type

__all__ = [
    "TensorLike",
    "aligned",
    "axis_number",
    "axis_numbers",
    "broadcast_extents",
    "count",
    "dtype_name",
    "extents",
    "floats",
    "is_one",
    "one_index",
    "reduction_axes",
    "shape_text",
]

TensorLike = Tensor | ComplexTensor | np.ndarray | float | int | bool | Sequence[Any]
"""What array functions take: tensors, captured NumPy arrays, numbers, nested lists of numbers."""

_ONE = Affine.of(1)


def extents(x: Tensor | ComplexTensor) -> tuple[IndexExpr, ...]:
    """The extents as index expressions."""
    sizes = x.size_symbols()
    return tuple(own_extent(e, sizes) for e in x.shape_affine)


def floats(x: Any, name: str) -> Tensor:
    """The tensor in floating-point numbers: integers and truth values as float64."""
    t = as_tensor(x, name)
    made: Tensor = t if "float" in t.dtype else cast_tensor(t, "float64")
    return made


def is_one(extent: IndexExpr) -> bool:
    """True for the extent 1."""
    return extent.affine == _ONE


def one_index(value: int) -> IndexExpr:
    """A constant index."""
    return as_index(value, "an index")


def shape_text(shape: Sequence[IndexExpr]) -> str:
    """A shape as messages show it."""
    return f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"


def dtype_name(dtype: Any, what: str, *more: str) -> str | None:
    """The name of an element type given as NumPy gives it, or one of `more`; None stays None.

    Raises:
        DTypeError: not a type polyad has.
    """
    return None if dtype is None else element_type(dtype, what, *more)


def axis_number(axis: Any, ndim: int, what: str) -> int:
    """A dimension number in range(ndim); negative ones count from the end.

    Raises:
        ShapeError: no such dimension.
        DTypeError: not an integer.
    """
    if not isinstance(axis, int | np.integer) or isinstance(axis, bool):
        raise DTypeError(f"{what}: axis must be an integer, not {described(axis)}")
    if not -ndim <= axis < ndim:
        raise ShapeError(f"{what}: axis {axis} does not exist, the tensor has {ndim} dimension{'s' * (ndim != 1)}")
    return int(axis) % ndim


def axis_numbers(axis: Any, ndim: int, what: str) -> tuple[int, ...]:
    """Several dimension numbers in the order given; None means all.

    Raises:
        ShapeError: no such dimension, or one twice.
    """
    if axis is None:
        return tuple(range(ndim))
    numbers = tuple(axis_number(a, ndim, what) for a in (axis if isinstance(axis, tuple | list) else (axis,)))
    if len(set(numbers)) != len(numbers):
        raise ShapeError(f"{what}: axis {axis} names one dimension twice")
    return numbers


def count(shape: Sequence[IndexExpr]) -> Scalar:
    """The number of elements; a product of sizes is a value, not an index expression."""
    product: Scalar = reduce(mul, shape, one_index(1))
    return product


def reduction_axes(x: Tensor, axes: Sequence[int]) -> dict[int, IndexExpr]:
    """A reduction axis over the whole of each of these dimensions."""
    shape = extents(x)
    hints = axis_hints(shape, letters="krsuvwijlmnpq")
    return {d: reduce_axis(shape[d], hints[d]) for d in axes}


def broadcast_extents(what: str, shapes: Sequence[Sequence[IndexExpr]]) -> tuple[IndexExpr, ...]:
    """The common shape by NumPy's rules.

    Raises:
        ShapeError: two extents differ and neither is 1.
    """
    rank = max((len(s) for s in shapes), default=0)
    result: list[IndexExpr] = []
    for d in range(-rank, 0):
        chosen = one_index(1)
        for extent in (s[d] for s in shapes if len(s) >= -d):
            if is_one(chosen):
                chosen = extent
            elif not is_one(extent) and extent.affine != chosen.affine:
                listed = " and ".join(shape_text(s) for s in shapes)
                raise ShapeError(f"{what}: {listed} do not broadcast: extent {chosen} against {extent}")
        result.append(chosen)
    return tuple(result)


def aligned(shape: Sequence[IndexExpr], index: Sequence[Any]) -> list[Any]:
    """The index into an operand of this shape for an index into the common shape."""
    tail = index[len(index) - len(shape) :]
    return [0 if is_one(e) else i for e, i in zip(shape, tail, strict=True)]
