"""Places in increasing numbers, and counts of what falls between them.

Results are integers, or sums of weights; their shapes do not depend on data.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polyad.errors import DefinitionError, DTypeError, ShapeError
from polyad.frontend.argument_checks import choice, flag, integer
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import minimum
from polyad.frontend.scalar import IndexExpr, Scalar
from polyad.frontend.scalar_functions import reduction, select
from polyad.frontend.scan import scan
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.numpy.at import At
from polyad.numpy.creation import zeros
from polyad.numpy.dimensions import TensorLike, extents, floats, shape_text
from polyad.numpy.elementwise import clip, where
from polyad.numpy.reductions import max, min
from polyad.numpy.reshape import ravel

__all__ = ["bincount", "digitize", "histogram", "histogram_bin_edges", "searchsorted"]

_sum = reduction("sum")
_SIDES = ("left", "right")


def searchsorted(a: TensorLike, v: TensorLike, side: str = "left") -> Tensor:
    """At which position of an increasing vector numbers would have to be put in (int64).

    Equation: result[i] = #{ k : a[k] < v[i] }, with <= for side="right"; nan is larger than all numbers. The interval
    is halved as often as it takes where the extent of `a` is constant; else all elements are compared.

    Args:
        a: vector, increasing.
        v: tensor of any shape.
        side: "left" or "right" of equal elements.

    Raises:
        ShapeError: `a` is no vector.
        DefinitionError: another side.
    """
    points, values = as_tensor(a, "a"), as_tensor(v, "v")
    if points.ndim != 1:
        raise ShapeError(
            f"{user_line()}: searchsorted takes a vector, a has shape {shape_text(extents(points))}; ravel it"
        )
    right = choice(side, _SIDES, "searchsorted: side") == "right"

    def below(here: Any, wanted: Any) -> Any:
        if right:
            return (here <= wanted) | (wanted != wanted)
        return (here < wanted) | ((wanted != wanted) & (here == here))

    (n,) = extents(points)

    def counted(*index: IndexExpr) -> Scalar:
        k = reduce_axis(n, "k")
        result: Scalar = _sum(select(below(points.element([k]), values.element(index)), 1, 0), axis=k)
        return result

    if not n.affine.is_constant:
        return define(extents(values), counted, "place", "int64")
    length = n.affine.constant
    halves = np.array([1 << s for s in reversed(range(length.bit_length()))], np.int64)
    start = define(extents(values), lambda *_: as_tensor(0, "0").element([]), "place", "int64")
    if not length:
        return start

    def halved(place: Tensor, half: Tensor) -> tuple[Tensor, None]:
        def moved(*index: IndexExpr) -> Scalar:
            here: Any = place.element(index)
            step: Any = half.element([])
            last = minimum(here + step, length) - 1
            inside = (here + step <= length) & below(points.element([last]), values.element(index))
            result: Scalar = select(inside, here + step, here)
            return result

        return define(extents(values), moved, "place", "int64"), None

    found: Tensor = scan(halved, start, halves)[0]
    return found


def digitize(x: TensorLike, bins: TensorLike, right: bool = False) -> Tensor:
    """The number of the bin that each element falls in (int64): the i with bins[i - 1] <= x < bins[i].

    Args:
        x: tensor.
        bins: edges, an increasing vector.
        right: bins contain their right edge, not the left one.

    Raises:
        ShapeError: `bins` is no vector.
    """
    return searchsorted(bins, x, "left" if flag(right, "digitize: right") else "right")


def bincount(x: TensorLike, weights: Any = None, minlength: int = 0, *, length: int | None = None) -> Tensor:
    """How often each of 0 .. length - 1 occurs (int64), or the sum of the weights where it does.

    Args:
        x: vector of integers below `length`, which is checked when a kernel is called.
        weights: vector of as many numbers; the result has their type, and derivatives by them.
        minlength: as in NumPy, where the result may be longer; it is taken for `length` where that is not given.
        length: of the result.

    Raises:
        DefinitionError: no length: the shape of the result would depend on data.
        DTypeError: no integers.
        ShapeError: not one vector, or another number of weights.
    """
    ids = as_tensor(x, "x")
    size = length if length is not None else minlength or None
    if size is None:
        raise DefinitionError(
            f"{user_line()}: bincount: the shape of its result depends on the data; say how long it is with length="
        )
    if not ids.dtype.startswith("int"):
        raise DTypeError(f"{user_line()}: bincount counts integers, {ids.name} is {ids.dtype} (astype converts)")
    if ids.ndim != 1:
        raise ShapeError(f"{user_line()}: bincount takes a vector, x has shape {shape_text(extents(ids))}; ravel it")
    if weights is None:
        return At(zeros((size,), "int64"))[ids].add(1)
    given = as_tensor(weights, "weights")
    if given.shape_affine != ids.shape_affine:
        raise ShapeError(
            f"{user_line()}: bincount: {shape_text(extents(given))} weights for {shape_text(extents(ids))} integers"
        )
    values = floats(given, "weights")
    return At(zeros((size,), values.dtype))[ids].add(values)


def histogram_bin_edges(x: TensorLike, bins: Any = 10, range: Any = None) -> Tensor:
    """The edges of the bins of `histogram`, one more than these.

    Args:
        x: tensor.
        bins: how many of equal width, or the edges.
        range: (lowest, highest) edge; the least and largest element by default, half a unit around one number alone.

    Raises:
        ShapeError: no bins, or edges that are no vector.
    """
    if not isinstance(bins, int | np.integer) or isinstance(bins, bool):
        edges = as_tensor(bins, "bins")
        if edges.ndim != 1:
            raise ShapeError(f"{user_line()}: histogram: bins are a number of them or a vector of edges")
        return edges
    number = integer(bins, "histogram: bins")
    if number < 1:
        raise ShapeError(f"{user_line()}: histogram: bins is {number}; it takes one bin at least")
    t = floats(x, "x")
    low, high = (min(t), max(t)) if range is None else (floats(range[0], "range"), floats(range[1], "range"))
    alone = low == high
    low, high = where(alone, low - 0.5, low), where(alone, high + 0.5, high)

    def edge(i: IndexExpr) -> Scalar:
        first: Any = low.element([])
        last: Any = high.element([])
        result: Scalar = select(i == number, last, first + i * ((last - first) / number))
        return result

    return define((number + 1,), edge, "edges")


def histogram(
    x: TensorLike, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None
) -> tuple[Tensor, Tensor]:
    """How many elements fall in each bin, and the edges of the bins.

    Args:
        x: tensor, ravelled.
        bins: how many of equal width, or the edges, an increasing vector.
        range: (lowest, highest) edge, as of `histogram_bin_edges`. What lies outside is not counted.
        density: divide by the width of the bin and the sum of all, which gives numbers whose integral is 1.
        weights: of the elements; the counts are sums of them.

    Returns:
        (counts, edges), counts int64 without weights; the last bin contains its right edge.

    Raises:
        ShapeError: no bins, edges that are no vector, or weights of another shape.
    """
    t = ravel(x)
    edges = histogram_bin_edges(t, bins, range)
    number = extents(edges)[0] - 1
    place = searchsorted(edges, t, "right") - 1
    inside = (t >= edges[0]) & (t <= edges[-1])
    ids = clip(where(t == edges[-1], place - 1, place), 0, number - 1)
    given = None if weights is None else ravel(weights)
    if given is not None and given.shape_affine != t.shape_affine:
        raise ShapeError(f"{user_line()}: histogram: weights of shape {given.shape} for elements of shape {t.shape}")
    each = where(inside, 1 if given is None else given, 0)
    counts = At(zeros((number,), "int64" if given is None else floats(given, "weights").dtype))[ids].add(each)
    if not flag(density, "histogram: density"):
        return counts, edges
    return counts / (edges[1:] - edges[:-1]) / counts.sum(), edges
