"""Sorting by counting: the place of an element is the number of elements that come before it.

    rank[i]     = #{ j : x[j] < x[i], or x[j] == x[i] and j < i }
    argsort[r]  = the i with rank[i] == r;      sort[r] = x[argsort[r]]

Equal elements keep their order, nan comes last. An order of N elements takes 2 N**2 comparisons, which run in vector
lanes and on all threads; a kernel has no other loop whose number of steps data decide. Derivatives go to the element
that was chosen.
"""

from __future__ import annotations

from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import flag, integer
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import IndexExpr, Scalar
from polyad.frontend.scalar_functions import reduction, select
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.numpy.dimensions import TensorLike, axis_number, extents
from polyad.numpy.permutation import flip, moveaxis
from polyad.numpy.reshape import ravel

__all__ = ["LONGEST", "argsort", "sort", "sorted_last", "top_k"]

LONGEST = 4096
"""So many elements take 33 million comparisons, some milliseconds; with ten times as many it were half a second, where
NumPy's `sort` needs a few milliseconds. A call that sorts more does so outside of the kernel."""

_sum = reduction("sum")


def sort(x: TensorLike, axis: int | None = -1, *, stable: bool = True, descending: bool = False) -> Tensor:
    """The elements in increasing order along a dimension, nan last.

    Args:
        x: tensor.
        axis: dimension, of constant extent, at most 4096; None sorts the ravelled tensor.
        stable: of no effect: equal elements keep their order.
        descending: the largest first, nan in front of them.

    Raises:
        ShapeError: the extent is a size or too large, or there is no such dimension.
    """
    t, d = _along(x, axis, "sort")
    ordered = sorted_last(moveaxis(t, d, -1), "sort")
    return moveaxis(flip(ordered, -1) if flag(descending, "sort: descending") else ordered, -1, d)


def argsort(x: TensorLike, axis: int | None = -1, *, stable: bool = True, descending: bool = False) -> Tensor:
    """The positions of the elements in increasing order (int64), nan last; equal elements keep their order.

    Args:
        x: tensor.
        axis: dimension, of constant extent, at most 4096; None takes the ravelled tensor.
        stable: of no effect: equal elements keep their order.
        descending: the largest first.

    Raises:
        ShapeError: the extent is a size or too large, or there is no such dimension.
    """
    t, d = _along(x, axis, "argsort")
    places = _positions(moveaxis(t, d, -1), "argsort", flag(descending, "argsort: descending"))
    return moveaxis(places, -1, d)


def top_k(operand: TensorLike, k: int) -> tuple[Tensor, Tensor]:
    """The k largest elements of the last dimension, the largest first, and their positions, as `jax.lax.top_k`.

    Args:
        operand: tensor, of constant last extent, at most 4096.
        k: how many. Of equal elements the first ones are taken.

    Raises:
        ShapeError: there are fewer elements, or the extent is a size or too large.
    """
    t = as_tensor(operand, "operand")
    axis_number(-1, t.ndim, "top_k")
    places = _positions(t, "top_k", True)
    n = extents(t)[-1].affine.constant
    if not 0 <= integer(k, "top_k: k") <= n:
        raise ShapeError(f"{user_line()}: top_k: the last dimension of {t.name} has {n} elements, k is {k}")
    chosen = places[..., :k]
    return _taken(t, chosen), chosen


def sorted_last(t: Tensor, what: str) -> Tensor:
    """The elements in increasing order along the last dimension.

    Raises:
        ShapeError: its extent is a size or too large.
    """
    return _taken(t, _positions(t, what, False))


def _taken(t: Tensor, places: Tensor) -> Tensor:
    return define(extents(places), lambda *i: t.element([*i[:-1], places.element(i)]), f"{t.name}_sorted")


def _along(x: TensorLike, axis: int | None, what: str) -> tuple[Tensor, int]:
    t = ravel(x) if axis is None else as_tensor(x, "x")
    return t, axis_number(0 if axis is None else axis, t.ndim, what)


def _positions(t: Tensor, what: str, largest_first: bool) -> Tensor:
    extent = extents(t)[-1]
    if not extent.affine.is_constant or extent.affine.constant > LONGEST:
        raise ShapeError(
            f"{user_line()}: {what} of {extent} elements: an order is found by comparing all pairs, for a constant "
            f"number of elements up to {LONGEST}; use numpy.{what if what != 'top_k' else 'argsort'} outside of the "
            "traced function and pass the positions in, or fix the size with sizes="
        )
    if t.dtype == "bool":
        t = t.astype("int32")
    floating = "float" in t.dtype

    def before(a: Any, b: Any) -> Any:
        """a stands before b, wherever they lie."""
        first = b < a if largest_first else a < b
        if not floating:
            return first
        return first | ((a != a) & (b == b) if largest_first else (b != b) & (a == a))

    def rank(*index: IndexExpr) -> Scalar:
        *at, i = index
        earlier, later = reduce_axis((0, i), "j"), reduce_axis((i + 1, extent), "j")
        here: Any = t.element([*at, i])
        ahead: Any = t.element([*at, earlier])
        behind: Any = t.element([*at, later])
        kept = _sum(select(before(here, ahead), 0, 1), axis=earlier)
        result: Scalar = kept + _sum(select(before(behind, here), 1, 0), axis=later)
        return result

    ranks = define(extents(t), rank, "rank", "int64")

    def position(*index: IndexExpr) -> Scalar:
        *at, r = index
        i = reduce_axis(extent, "i")
        result: Scalar = _sum(select(ranks.element([*at, i]) == r, i, 0), axis=i)
        return result

    return define(extents(t), position, what, "int64")
