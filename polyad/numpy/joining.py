"""Putting tensors together, and taking them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.argument_checks import several
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Scalar, Selected, as_index, described
from polyad.frontend.tensor import Tensor, define
from polyad.numpy.dimensions import TensorLike, axis_number, dtype_name, extents, one_index, shape_text
from polyad.numpy.permutation import atleast_1d, atleast_2d, atleast_3d, expand_dims
from polyad.numpy.reshape import ravel

__all__ = [
    "append",
    "array_split",
    "column_stack",
    "concat",
    "concatenate",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "row_stack",
    "split",
    "stack",
    "vsplit",
    "vstack",
]


@each_part("tensors")
def concatenate(tensors: Sequence[TensorLike], axis: int | None = 0, dtype: Any = None) -> Tensor:
    """One tensor behind the other along a dimension; with `axis=None`, all ravelled.

    Raises:
        ShapeError: nothing to concatenate, or the other extents differ.
    """
    parts = [as_tensor(x, "a tensor to concatenate") for x in several(tensors, "concatenate: the tensors")]
    if not parts:
        raise ShapeError("concatenate needs at least one tensor")
    if axis is None:
        parts, axis = [ravel(p) for p in parts], 0
    d = axis_number(axis, parts[0].ndim, "concatenate")
    first = extents(parts[0])
    starts, total = [], one_index(0)
    for p in parts:
        others = [e.affine for n, e in enumerate(extents(p)) if n != d]
        if p.ndim != len(first) or others != [e.affine for n, e in enumerate(first) if n != d]:
            raise ShapeError(
                f"concatenate: {parts[0].name} {shape_text(first)} and {p.name} {shape_text(extents(p))} must agree in "
                f"all dimensions but dimension {d}"
            )
        starts.append(total)
        total = total + extents(p)[d]

    def body(*index: IndexExpr) -> Scalar:
        def part(n: int) -> Scalar:
            return parts[n].element([*index[:d], index[d] - starts[n], *index[d + 1 :]])

        value = part(len(parts) - 1)
        for n in reversed(range(len(parts) - 1)):
            value = Selected(Applied("lt", (index[d], starts[n + 1])), part(n), value)
        return value

    return define([*first[:d], total, *first[d + 1 :]], body, "concatenated", dtype_name(dtype, "concatenate"))


concat = concatenate


def append(x: TensorLike, values: TensorLike, axis: int | None = None) -> Tensor:
    """`x`, then the values, along a dimension; without one, both ravelled.

    Raises:
        ShapeError: the other extents differ.
    """
    return concatenate([x, values], axis)


@each_part("tensors")
def stack(tensors: Sequence[TensorLike], axis: int = 0) -> Tensor:
    """Tensors of one shape along a new dimension.

    Raises:
        ShapeError: nothing to stack, or the shapes differ.
    """
    parts = [as_tensor(x, "a tensor to stack") for x in several(tensors, "stack: the tensors")]
    if not parts:
        raise ShapeError("stack needs at least one tensor")
    shape = extents(parts[0])
    d = axis_number(axis, len(shape) + 1, "stack")
    for p in parts:
        if p.shape_affine != parts[0].shape_affine:
            raise ShapeError(
                f"stack: {parts[0].name} {shape_text(shape)} and {p.name} {shape_text(extents(p))} must have one shape"
            )

    def body(*index: IndexExpr) -> Scalar:
        rest = [*index[:d], *index[d + 1 :]]
        value = parts[-1].element(rest)
        for n in reversed(range(len(parts) - 1)):
            value = Selected(Applied("eq", (index[d], one_index(n))), parts[n].element(rest), value)
        return value

    return define([*shape[:d], one_index(len(parts)), *shape[d:]], body, "stacked")


def vstack(tensors: Sequence[TensorLike]) -> Tensor:
    """Concatenate along the first dimension, vectors as rows.

    Raises:
        ShapeError: the other extents differ.
    """
    return concatenate([atleast_2d(x) for x in tensors], 0)


def hstack(tensors: Sequence[TensorLike]) -> Tensor:
    """Concatenate along the second dimension, vectors along their only one.

    Raises:
        ShapeError: the other extents differ.
    """
    parts = [atleast_1d(x) for x in tensors]
    return concatenate(parts, 0 if parts and parts[0].ndim == 1 else 1)


row_stack = vstack


def dstack(tensors: Sequence[TensorLike]) -> Tensor:
    """Concatenate along the third dimension; a vector is (1, N, 1), a matrix (M, N, 1).

    Raises:
        ShapeError: the other extents differ.
    """
    return concatenate([atleast_3d(x) for x in tensors], 2)


def column_stack(tensors: Sequence[TensorLike]) -> Tensor:
    """Concatenate along the second dimension, vectors as columns.

    Raises:
        ShapeError: the other extents differ.
    """
    parts = [as_tensor(x, "a tensor to stack") for x in tensors]
    return concatenate([p if p.ndim > 1 else expand_dims(atleast_1d(p), 1) for p in parts], 1)


@each_part("x")
def split(x: TensorLike, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """Parts along a dimension.

    Args:
        x: tensor.
        indices_or_sections: the number of equal parts (an extent like `4*H` splits into 4), or the positions to cut at,
            which may be expressions of sizes.
        axis: dimension.

    Raises:
        ShapeError: the extent is not a multiple of the number of parts.
    """
    t, sections = as_tensor(x, "x"), _plain(indices_or_sections)
    d = axis_number(axis, t.ndim, "split")
    if not isinstance(sections, int) or isinstance(sections, bool):
        return _cut(t, d, _positions(sections, t, d))
    extent = extents(t)[d]
    coefficients = [extent.affine.constant, *(c for _, c in extent.affine.terms)]
    if sections < 1 or any(c % sections for c in coefficients):
        raise ShapeError(
            f"split: extent {extent} of dimension {d} of {t.name} is not a multiple of {sections} for all sizes; use "
            "array_split, or give the positions to cut at"
        )
    each = extent // sections
    return _cut(t, d, [each * n for n in range(1, sections)])


@each_part("x")
def array_split(x: TensorLike, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """As `split`, but of a constant extent the first parts may be longer by one.

    Raises:
        ShapeError: a symbolic extent is not a multiple of the number of parts.
    """
    t, sections = as_tensor(x, "x"), _plain(indices_or_sections)
    d = axis_number(axis, t.ndim, "array_split")
    extent = extents(t)[d].affine
    if not isinstance(sections, int) or not extent.is_constant or sections < 1:
        return split(t, sections, axis)
    each, longer = divmod(extent.constant, sections)
    return _cut(t, d, [one_index(n * each + min(n, longer)) for n in range(1, sections)])


def vsplit(x: TensorLike, indices_or_sections: Any) -> list[Tensor]:
    """Split along the first dimension."""
    return split(x, indices_or_sections, 0)


@each_part("x")
def hsplit(x: TensorLike, indices_or_sections: Any) -> list[Tensor]:
    """Split along the second dimension, vectors along their only one."""
    t = as_tensor(x, "x")
    return split(t, indices_or_sections, 0 if t.ndim == 1 else 1)


def dsplit(x: TensorLike, indices_or_sections: Any) -> list[Tensor]:
    """Split along the third dimension."""
    return split(x, indices_or_sections, 2)


def _plain(sections: Any) -> Any:
    """NumPy's integers and arrays of positions as Python's."""
    return sections.tolist() if isinstance(sections, np.ndarray | np.integer) else sections


def _positions(sections: Any, t: Tensor, d: int) -> list[IndexExpr]:
    """Positions as they are; negative constants count from the end."""
    if not isinstance(sections, tuple | list):
        raise DTypeError(f"split: give a number of parts or a list of positions, not {described(sections)}")
    extent = extents(t)[d]
    result = []
    for s in sections:
        position = as_index(s, "a position of split")
        if position.affine.is_constant:
            p = position.affine.constant
            if extent.affine.is_constant:
                n = extent.affine.constant
                position = one_index(min(max(p + n if p < 0 else p, 0), n))
            elif p < 0:
                position = extent + p
        result.append(position)
    return result


def _cut(t: Tensor, d: int, positions: Sequence[IndexExpr]) -> list[Tensor]:
    shape = extents(t)
    parts = []
    for n, (lo, hi) in enumerate(zip([one_index(0), *positions], [*positions, shape[d]], strict=True)):
        length = hi - lo
        if length.affine.is_constant and length.affine.constant < 0:
            length = one_index(0)
        parts.append(_part(t, d, lo, length, f"split_{n}"))
    return parts


def _part(t: Tensor, d: int, start: IndexExpr, length: IndexExpr, name: str) -> Tensor:
    shape = extents(t)
    return define(
        [*shape[:d], length, *shape[d + 1 :]],
        lambda *i: t.element([*i[:d], i[d] + start, *i[d + 1 :]]),
        name,
    )
