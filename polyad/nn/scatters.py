"""Elements gathered and scattered by indices that come as data: as many contributions as there are indices."""

from __future__ import annotations

import math
from typing import Any

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.argument_checks import choice, weight_tensor
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import maximum
from polyad.frontend.scalar import as_index
from polyad.frontend.scalar_functions import cast, select
from polyad.frontend.tensor import Tensor
from polyad.ir.element_types import is_integer
from polyad.numpy.at import At
from polyad.numpy.creation import full, zeros
from polyad.numpy.cumulative import cumsum
from polyad.numpy.dimensions import TensorLike, axis_number, extents, shape_text
from polyad.numpy.indexing import take
from polyad.numpy.reductions import max, mean, sum
from polyad.numpy.written import Places, scattered

__all__ = ["embedding_bag", "gather_nd", "scatter_add", "scatter_nd", "segment_sum"]


def gather_nd(x: TensorLike, indices: TensorLike, axis: int = 0) -> Tensor:
    """Elements or parts of a tensor: y[i..., k...] = x[indices[0, i...], ..., indices[M - 1, i...], k...].

    Args:
        x: tensor of at least M dimensions.
        indices: integers; dimension `axis`, of constant extent M, holds the coordinates of a place.
        axis: 0, or -1 for coordinates that stand behind.

    Raises:
        ShapeError: M is not constant, or larger than the number of dimensions.
        DTypeError: the indices are not integers.
    """
    t = as_tensor(x, "x")
    result: Tensor = t[_coordinates("gather_nd", t, indices, axis)]
    return result


def scatter_nd(x: TensorLike, indices: TensorLike, updates: TensorLike, mode: str = "add", axis: int = 0) -> Tensor:
    """The tensor with values added or written at the places that `gather_nd` reads.

    Args:
        x: tensor of at least M dimensions.
        indices: integers; dimension `axis`, of constant extent M, holds the coordinates of a place.
        updates: of the shape of `gather_nd(x, indices, axis)`, or what broadcasts to it.
        mode: add; or update, where the last value for a place stays.
        axis: 0, or -1 for coordinates that stand behind.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the indices are not integers.
        DefinitionError: another mode.
    """
    t = as_tensor(x, "x")
    places = At(t)[_coordinates("scatter_nd", t, indices, axis)]
    return places.add(updates) if choice(mode, ("add", "update"), "scatter_nd: mode") == "add" else places.set(updates)


def scatter_add(x: TensorLike, indices: TensorLike, updates: TensorLike, axis: int = 0) -> Tensor:
    """The tensor with updates[i..., j, k...] added at [i..., indices[i..., j, k...], k...], j in dimension `axis`.

    Shapes: indices and updates have one shape, and no more elements than `x` along any other dimension; it is the
    transpose of `take_along_axis`.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the indices are not integers.
    """
    t, ids, given = as_tensor(x, "x"), _integers("scatter_add", indices), as_tensor(updates, "updates")
    d = axis_number(axis, t.ndim, "scatter_add")
    if t.ndim != ids.ndim or ids.shape_affine != given.shape_affine:
        shapes = ", ".join(shape_text(extents(v)) for v in (t, ids, given))
        raise ShapeError(f"scatter_add: {shapes} do not fit; indices and updates have one shape, x as many dimensions")
    places = Places(extents(ids), lambda i: [*i[:d], ids.element(i), *i[d + 1 :]])
    return scattered(t, t.element, places, given.element, "sum", f"{t.name}_added")


def segment_sum(x: TensorLike, segment_ids: TensorLike, num_segments: Any) -> Tensor:
    """Sums of the rows that belong together: y[s, ...] = sum of x[i, ...] over segment_ids[i] = s, one addition a row.

    Shapes: x (N, ...), segment_ids (N,), result (num_segments, ...).

    Raises:
        ShapeError: the ids are no vector of N.
        DTypeError: the ids are not integers.
    """
    t, ids = as_tensor(x, "x"), _integers("segment_sum", segment_ids)
    if ids.ndim != 1 or not t.ndim or ids.shape_affine != t.shape_affine[:1]:
        raise ShapeError(
            f"segment_sum: x {shape_text(extents(t))} and ids {shape_text(extents(ids))} must be (N, ...), (N,)"
        )
    return At(zeros((as_index(num_segments, "num_segments"), *extents(t)[1:]), t.dtype))[ids].add(t)


def embedding_bag(
    ids: TensorLike,
    table: TensorLike,
    offsets: TensorLike | None = None,
    mode: str = "mean",
    per_sample_weights: TensorLike | None = None,
) -> Tensor:
    """Rows of a table, put together bag by bag.

    Equation: y[b] = mean, sum or maximum of table[ids[i]] over the ids of bag b; 0 for an empty bag.

    Shapes: ids (B, L), or (N,) with offsets (B,); table (V, E); result (B, E).

    Args:
        ids: integers.
        table: rows.
        offsets: where each bag starts, not falling, the first at 0.
        mode: mean, sum or max.
        per_sample_weights: of the shape of the ids, factors of the rows; for mode sum.

    Raises:
        ShapeError: the shapes do not fit, or weights where they mean nothing.
        DTypeError: ids or offsets are not integers.
        DefinitionError: another mode.
    """
    what, i = "embedding_bag", _integers("embedding_bag", ids)
    kind = choice(mode, ("mean", "sum", "max"), "embedding_bag: mode")
    if i.ndim != (2 if offsets is None else 1):
        raise ShapeError(f"{what}: ids {shape_text(extents(i))} must be (B, L), or (N,) with offsets=")
    rows = take(as_tensor(table, "table"), i, axis=0)
    if per_sample_weights is not None:
        w = weight_tensor(per_sample_weights, f"{what}: per_sample_weights")
        if kind != "sum" or w.shape_affine != i.shape_affine:
            raise ShapeError(f"{what}: per_sample_weights have the shape of the ids, and go with mode='sum'")
        rows = rows * w[..., None]
    if offsets is None:
        return max(rows, 1) if kind == "max" else sum(rows, 1) if kind == "sum" else mean(rows, 1)
    starts = _integers(what, offsets)
    many, bags = extents(i)[0], extents(starts)[0]
    begun = At(zeros((many + 1,), "int64"))[starts].add(1)
    bag = maximum(cumsum(begun)[:many] - 1, 0)
    shape = (bags, extents(rows)[1])
    if kind == "sum":
        return segment_sum(rows, bag, bags)
    if kind == "max":
        best = At(full(shape, -math.inf, rows.dtype))[bag].max(rows)
        found: Tensor = select(best == -math.inf, 0.0, best)
        return found
    size = At(zeros((bags,), "int64"))[bag].add(1)
    average: Tensor = segment_sum(rows, bag, bags) / cast(maximum(size, 1), rows.dtype)[:, None]
    return average


def _coordinates(what: str, x: Tensor, indices: TensorLike, axis: int) -> tuple[Any, ...]:
    ids = _integers(what, indices)
    d = axis_number(axis, ids.ndim, what)
    many = ids.shape_affine[d]
    if not many.is_constant or not 1 <= many.constant <= x.ndim:
        raise ShapeError(
            f"{what}: dimension {d} of the indices {shape_text(extents(ids))} holds the coordinates, of which x has "
            f"{x.ndim}"
        )
    return tuple(take(ids, m, axis=d) for m in range(many.constant))


def _integers(what: str, value: TensorLike) -> Tensor:
    ids = as_tensor(value, "indices")
    if not is_integer(ids.dtype):
        raise DTypeError(f"{what}: indices must be integers, {ids.name} is {ids.dtype} (astype converts)")
    return ids
