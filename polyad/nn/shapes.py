"""Shapes taken from other tensors, and layouts said by letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import IndexExpr, described
from polyad.frontend.tensor import Tensor
from polyad.numpy.dimensions import TensorLike, axis_numbers, extents, is_one, shape_text
from polyad.numpy.permutation import broadcast_to, transpose
from polyad.numpy.reductions import sum
from polyad.numpy.reshape import reshape

__all__ = ["broadcast_to_like", "collapse_sum_like", "layout_transform", "reshape_like", "slice_like"]


def reshape_like(x: TensorLike, like: TensorLike) -> Tensor:
    """The elements of x, in row-major order, under the shape of another tensor.

    Raises:
        ShapeError: the numbers of elements differ.
    """
    return reshape(as_tensor(x, "x"), as_tensor(like, "like").shape)


def broadcast_to_like(x: TensorLike, like: TensorLike) -> Tensor:
    """X repeated to the shape of another tensor.

    Raises:
        ShapeError: it does not broadcast to that.
    """
    result: Tensor = broadcast_to(as_tensor(x, "x"), as_tensor(like, "like").shape)
    return result


def collapse_sum_like(x: TensorLike, like: TensorLike) -> Tensor:
    """X summed to the shape of another tensor that broadcasts to that of x: the transpose of broadcasting.

    Raises:
        ShapeError: the other shape does not broadcast to that of x.
    """
    t, other = as_tensor(x, "x"), as_tensor(like, "like")
    have, wanted = extents(t), extents(other)
    more = len(have) - len(wanted)
    pairs = list(zip(have[max(more, 0) :], wanted, strict=False))
    if more < 0 or not all(is_one(b) or a.affine == b.affine for a, b in pairs):
        raise ShapeError(f"collapse_sum_like: {shape_text(wanted)} does not broadcast to {shape_text(have)}")
    gone = sum(t, tuple(range(more))) if more else t
    ones = tuple(d for d, (a, b) in enumerate(pairs) if is_one(b) and not is_one(a))
    return sum(gone, ones, keepdims=True) if ones else gone


def slice_like(x: TensorLike, like: TensorLike, axes: Any = None) -> Tensor:
    """The front of x, as long as another tensor.

    Args:
        x: tensor.
        like: the other one.
        axes: the dimensions that are cut; all that both have if None.

    Raises:
        ShapeError: no such dimension, or one in which the other tensor is longer.
    """
    t, other = as_tensor(x, "x"), as_tensor(like, "like")
    both = min(t.ndim, other.ndim)
    cut = range(both) if axes is None else axis_numbers(axes, both, "slice_like")
    have, wanted = extents(t), extents(other)
    for d in cut:
        longer = wanted[d].affine - have[d].affine
        if longer.is_constant and longer.constant > 0:
            raise ShapeError(f"slice_like: {shape_text(wanted)} is longer than {shape_text(have)} in dimension {d}")
    key = tuple(slice(None, wanted[d] if d in cut else None) for d in range(t.ndim))
    result: Tensor = t[key]
    return result


def layout_transform(x: TensorLike, source: str, target: str) -> Tensor:
    """A tensor in another order of dimensions, some of them in blocks.

    A capital is a dimension; a number and a small letter are blocks of that many of its elements: in "NCHW4c" element c
    of the channels is element c % 4 of block c // 4, and blocks stand where "C" does.

    Args:
        x: tensor.
        source: its layout.
        target: that of the result, of the same capitals.

    Raises:
        DefinitionError: a layout that is none, or other capitals.
        ShapeError: another number of dimensions, or a dimension that is no multiple of its blocks.
    """
    t = as_tensor(x, "x")
    have, wanted = _parsed(source), _parsed(target)
    plain = [name for name, _ in have if name.isupper()]
    if sorted(plain) != sorted(n for n, _ in wanted if n.isupper()):
        raise DefinitionError(f"layout_transform: {source!r} and {target!r} have other dimensions")
    shape = extents(t)
    if len(shape) != len(have) or any(b and str(e) != str(b) for e, (_, b) in zip(shape, have, strict=True)):
        raise ShapeError(f"layout_transform: {t.name} {shape_text(shape)} is not {source!r}")
    order = [d for letter in plain for d, (n, _) in enumerate(have) if n.upper() == letter]
    whole = [_product([shape[d] for d in order if have[d][0].upper() == letter]) for letter in plain]
    merged = transpose(t, order) if order != list(range(t.ndim)) else t
    merged = reshape(merged, whole) if len(whole) < t.ndim else merged
    split: list[IndexExpr | int] = []
    names = []
    for letter, extent in zip(plain, whole, strict=True):
        blocks = [(n, b) for n, b in wanted if n.upper() == letter and b]
        size = 1
        for _, b in blocks:
            size *= b
        outer: IndexExpr = extent // size if size > 1 else extent
        if size > 1 and (outer * size).affine != extent.affine:
            raise ShapeError(
                f"layout_transform: {extent} elements of {letter} are no multiple of {size} for {target!r}"
            )
        split += [outer, *(b for _, b in blocks)]
        names += [letter, *(n for n, _ in blocks)]
    parts = reshape(merged, split) if len(split) > len(plain) else merged
    back = [names.index(n) for n, _ in wanted]
    return transpose(parts, back) if back != list(range(len(back))) else parts


def _product(factors: Sequence[IndexExpr]) -> Any:
    product: Any = factors[0]
    for f in factors[1:]:
        product = product * f
    return product


def _parsed(layout: str) -> list[tuple[str, int]]:
    """(letter, size of its blocks or 0) per dimension."""
    text: Any = layout
    if not isinstance(text, str) or not re.fullmatch(r"([A-Z]|[1-9]\d*[a-z])+", text):
        raise DefinitionError(f"layout_transform: {described(layout)} is no layout, such as 'NCHW' or 'NCHW4c'")
    found = [(n, int(b or 0)) for b, n in re.findall(r"(\d*)([A-Za-z])", layout)]
    letters = [n for n, _ in found]
    if len(set(letters)) != len(letters) or not {n.upper() for n in letters} <= set(letters):
        raise DefinitionError(f"layout_transform: {layout!r} has a letter twice, or blocks of no dimension")
    return found
