"""Reshaping: the same elements in row-major order under another shape.

Dimensions are matched in groups with the same number of elements. Inside a group the row-major position is computed:
with `//` and `%` by constants, and, where a constant stands in front of a symbolic extent, case by case. So every index
stays affine. A group with two symbolic extents on one side would need a product of sizes, and is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product as combinations
from math import prod
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar
from polyad.frontend.tensor import Tensor, as_shape, define
from polyad.numpy.dimensions import TensorLike, extents, is_one, one_index, shape_text
from polyad.numpy.extent_product import ExtentProduct
from polyad.numpy.piecewise import Piece, Pieces, in_pieces, whole

__all__ = ["ravel", "reshape"]

_MOST_PIECES = 64


@dataclass(frozen=True, slots=True)
class _Side:
    """Dimensions with at most one symbolic extent among them.

    Attributes:
        lead: constant extents in front of the symbolic one.
        middle: the symbolic extent, or None.
        trail: constant extents behind it (all of them when there is no symbolic one).
    """

    lead: tuple[int, ...]
    middle: IndexExpr | None
    trail: tuple[int, ...]


@each_part("x")
def reshape(x: TensorLike, shape: Any) -> Tensor:
    """The elements in row-major order under another shape.

    Args:
        x: tensor.
        shape: extents; one of them may be -1, and is what remains.

    Raises:
        ShapeError: the numbers of elements differ, or an index would not be affine in the sizes; says which dimensions.
    """
    t = as_tensor(x, "x")
    old = extents(t)
    new = _target(t, shape)
    if any(e.affine.is_constant and e.affine.constant == 0 for e in (*old, *new)):
        return define(new, lambda *_: Applied("cast", (Number(0),), t.dtype), f"{t.name}_reshaped")
    groups = _groups(t, old, new)

    def body(*index: IndexExpr) -> Scalar:
        pieces: list[Pieces] = []
        for from_dims, to_dims in groups:
            pieces.append(
                _piecewise(t, [old[d] for d in from_dims], [new[d] for d in to_dims], [index[d] for d in to_dims])
            )
        return in_pieces(t, pieces)

    return define(new, body, f"{t.name}_reshaped")


@each_part("x")
def ravel(x: TensorLike) -> Tensor:
    """All elements in row-major order, as a vector.

    Raises:
        ShapeError: their number is not affine in the sizes.
    """
    return reshape(x, (-1,))


def _target(t: Tensor, shape: Any) -> tuple[IndexExpr, ...]:
    """The new shape with -1 worked out."""
    items = list(shape) if isinstance(shape, tuple | list) else [shape]
    for s in items:
        if isinstance(s, Scalar) and not isinstance(s, IndexExpr):
            raise ShapeError(f"reshape of {t!r}: extent {s} is a product of sizes; extents are affine in the sizes")
    free = [n for n, s in enumerate(items) if isinstance(s, int) and s == -1]
    if len(free) > 1:
        raise ShapeError(f"reshape of {t!r}: only one extent may be -1, got {tuple(items)}")
    known = as_shape(tuple(s for n, s in enumerate(items) if n not in free))
    total, given = ExtentProduct.of(extents(t)), ExtentProduct.of(known)
    if not free:
        if not total.same(given) and (total.constant or given.constant):
            raise ShapeError(
                f"reshape: {t.name} {shape_text(extents(t))} has {total} elements, {shape_text(known)} has {given}"
            )
        return known
    rest = total.over(given)
    if rest is None:
        raise ShapeError(
            f"reshape: the {total} elements of {t.name} {shape_text(extents(t))} are no multiple of {given}"
        )
    extent = rest.extent()
    if extent is None:
        raise ShapeError(
            f"reshape: {t.name} {shape_text(extents(t))}: the extent in place of -1 would be {rest}, a product of "
            "sizes; extents are affine in the sizes. Fix all but one of them to constants, or keep the dimensions apart"
        )
    return (*known[: free[0]], extent, *known[free[0] :])


def _groups(t: Tensor, old: Sequence[IndexExpr], new: Sequence[IndexExpr]) -> list[tuple[list[int], list[int]]]:
    """The finest matching of consecutive dimensions with equal products; dimensions of extent 1 join what follows."""
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(old) or j < len(new):
        a, b = [], []
        while i < len(old) and is_one(old[i]):
            a.append(i)
            i += 1
        while j < len(new) and is_one(new[j]):
            b.append(j)
            j += 1
        if i < len(old) and j < len(new):
            a.append(i)
            b.append(j)
            i, j = i + 1, j + 1
            while True:
                p, q = ExtentProduct.of(old[d] for d in a), ExtentProduct.of(new[d] for d in b)
                if p.same(q):
                    break
                if _extend_old(p, q, i < len(old), j < len(new)):
                    a.append(i)
                    i += 1
                else:
                    assert j < len(new)
                    b.append(j)
                    j += 1
        groups.append((a, b))
    return groups


def _extend_old(p: ExtentProduct, q: ExtentProduct, more_old: bool, more_new: bool) -> bool:
    """Say whether the old side of an unfinished group takes its next dimension: if it is a divisor, or the smaller."""
    if not (more_old and more_new):
        return more_old
    if q.over(p) is not None:
        return True
    if p.over(q) is not None:
        return False
    return (len(p.factors), p.constant) <= (len(q.factors), q.constant)


def _side(t: Tensor, shape: Sequence[IndexExpr], old: Sequence[IndexExpr], new: Sequence[IndexExpr]) -> _Side:
    symbolic = [n for n, e in enumerate(shape) if not e.affine.is_constant]
    if len(symbolic) > 1:
        raise ShapeError(
            f"reshape of {t.name}: {shape_text(old)} to {shape_text(new)} needs products of the sizes in "
            f"{shape_text([shape[n] for n in symbolic])} as indices; they must be affine. Keep these dimensions apart, "
            "or give them constant extents"
        )
    at = symbolic[0] if symbolic else 0
    lead = tuple(e.affine.constant for e in shape[:at])
    trail = tuple(e.affine.constant for e in shape[at + len(symbolic) :])
    return _Side(lead, shape[at] if symbolic else None, trail)


def _piecewise(t: Tensor, old: Sequence[IndexExpr], new: Sequence[IndexExpr], index: Sequence[IndexExpr]) -> Pieces:
    """Indices into the old dimensions of one group, for an index into its new ones."""
    wide = [e for e in old if not is_one(e)]
    inner = [(e, i) for e, i in zip(new, index, strict=True) if not is_one(e)]
    if len(wide) == len(inner) == 1:
        return whole(*_with_units(old, [inner[0][1]]))
    target = [e for e, _ in inner]
    source, result = _side(t, wide, old, new), _side(t, target, old, new)
    at = [i for _, i in inner]
    if source.middle is None:
        return whole(*_with_units(old, _digits(_position(at, result.trail), source.trail)))
    assert result.middle is not None
    n = prod(source.lead) * prod(result.lead)
    if n > _MOST_PIECES:
        raise ShapeError(
            f"reshape of {t.name}: {shape_text(old)} to {shape_text(new)} falls into {n} pieces, because constant "
            f"extents stand in front of a symbolic one; at most {_MOST_PIECES} are made. Put the symbolic one first"
        )
    cut = len(result.lead)
    lead = _position(at[:cut], result.lead)
    tail = _position(at[cut + 1 :], result.trail)
    pieces: list[Piece] = []
    for p, q in combinations(range(prod(result.lead)), range(prod(source.lead))):
        block = source.middle * prod(source.trail)
        place = (result.middle * p + at[cut]) * prod(result.trail) + tail - block * q
        inside = Applied("lt", (place, block))
        holds = Applied("and", (Applied("eq", (lead, one_index(p))), inside)) if result.lead else inside
        middle, *rest = [place // prod(source.trail), *_digits(place % prod(source.trail), source.trail)]
        digits = [*_digits(one_index(q), source.lead), middle, *rest]
        pieces.append(Piece(holds, tuple(_with_units(old, digits))))
    return (*pieces[:-1], Piece(None, pieces[-1].index))


def _position(index: Sequence[IndexExpr], shape: Sequence[int]) -> IndexExpr:
    """Row-major position in constant extents."""
    place = one_index(0)
    for i, n in zip(index, shape, strict=True):
        place = place * n + i
    return place


def _digits(place: IndexExpr, shape: Sequence[int]) -> list[IndexExpr]:
    """Indices into constant extents of a row-major position."""
    digits: list[IndexExpr] = []
    for d, n in enumerate(shape):
        behind = prod(shape[d + 1 :])
        quotient = place // behind
        digits.append(quotient % n if d else quotient)
    return digits


def _with_units(shape: Sequence[IndexExpr], digits: Sequence[IndexExpr]) -> list[IndexExpr]:
    """The digits with index 0 in the dimensions of extent 1."""
    rest = iter(digits)
    return [one_index(0) if is_one(e) else next(rest) for e in shape]
