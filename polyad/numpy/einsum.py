"""Einstein's summation: the tensor product that a subscript text describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.complex_numbers.rules import product
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Reduced, Scalar, described
from polyad.frontend.tensor import Tensor, define
from polyad.numpy.dimensions import TensorLike, extents, is_one

__all__ = ["einsum"]

_ELLIPSIS = "αβγδεζηθικλμνξο"
"""Labels of the dimensions that `...` stands for, the last one first: letters that no user writes."""


@dataclass(frozen=True, slots=True)
class _Term:
    """A factor: a tensor and one label per dimension."""

    tensor: Tensor
    labels: str


@product("operands")
def einsum(subscripts: str, *operands: TensorLike) -> Tensor:
    """Sum of products over labelled dimensions, `einsum("bij,bjk->bik", a, b)`.

    A label that is not in the output is summed over; without `->` the output holds the labels that occur once, in
    alphabetical order. A label twice in one operand takes a diagonal; `...` stands for any further dimensions, which
    broadcast. More than two operands are multiplied from left to right, each label summed over as soon as nothing to
    the right needs it.

    Raises:
        ShapeError: labels and dimensions do not match, or a label has two extents.
    """
    texts, output = _parse(subscripts, [as_tensor(x, f"operand {n}") for n, x in enumerate(operands)])
    terms = [_Term(as_tensor(x, "operand"), t) for t, x in zip(texts, operands, strict=True)]
    sizes = _sizes(terms, subscripts)
    missing = sorted(set(output) - set(sizes))
    if missing or len(set(output)) != len(output):
        raise ShapeError(
            f"einsum {subscripts!r}: the output must name each of its labels once, from those of the operands"
        )
    if len(terms) > 1:
        terms = [_alone(t, [u.labels for u in terms if u is not t], output, sizes) for t in terms]
    while len(terms) > 2:
        later = {c for t in terms[2:] for c in t.labels} | set(output)
        kept = "".join(dict.fromkeys(c for t in terms[:2] for c in t.labels if c in later))
        terms = [_Term(_product(terms[:2], kept, sizes), kept), *terms[2:]]
    return _product(terms, output, sizes)


def _parse(subscripts: str, operands: Sequence[Tensor]) -> tuple[list[str], str]:
    """Labels of each operand and of the output, `...` spelled out."""
    if not isinstance(subscripts, str):
        raise DTypeError(f"einsum: the subscripts are a text such as 'ij,jk->ik', not {described(subscripts)}")
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    parts = left.split(",")
    if len(parts) != len(operands):
        raise ShapeError(f"einsum {subscripts!r} describes {len(parts)} operands, {len(operands)} were given")
    widest = 0
    for n, (part, x) in enumerate(zip(parts, operands, strict=True)):
        named = part.replace("...", "", 1)
        if not all(c.isascii() and c.isalpha() for c in named):
            raise ShapeError(f"einsum {subscripts!r}: {part!r} is not made of letters and at most one '...'")
        extra = x.ndim - len(named)
        if extra < 0 or (extra and "..." not in part) or extra > len(_ELLIPSIS):
            raise ShapeError(
                f"einsum {subscripts!r}: operand {n} ({x.name}) has {x.ndim} dimensions, {part!r} has {len(named)}"
            )
        widest = max(widest, extra)
        parts[n] = part.replace("...", _ELLIPSIS[:extra][::-1])
    rest = _ELLIPSIS[:widest][::-1]
    if arrow:
        if not all(c.isascii() and c.isalpha() for c in right.replace("...", "", 1)):
            raise ShapeError(
                f"einsum {subscripts!r}: the output {right!r} is not made of letters and at most one '...'"
            )
        return parts, right.replace("...", rest)
    everything = "".join(parts)
    once = sorted(c for c in set(everything) if everything.count(c) == 1 and c not in _ELLIPSIS)
    return parts, rest + "".join(once)


def _sizes(terms: Sequence[_Term], subscripts: str) -> dict[str, IndexExpr]:
    """The extent of each label; extent 1 gives way."""
    sizes: dict[str, IndexExpr] = {}
    for term in terms:
        for c, extent in zip(term.labels, extents(term.tensor), strict=True):
            known = sizes.get(c)
            if known is None or is_one(known):
                sizes[c] = extent
            elif not is_one(extent) and extent.affine != known.affine:
                what = "'...'" if c in _ELLIPSIS else f"label {c!r}"
                raise ShapeError(
                    f"einsum {subscripts!r}: {what} has extent {known} and, in {term.tensor.name}, {extent}"
                )
    return sizes


def _alone(term: _Term, others: Sequence[str], output: str, sizes: Mapping[str, IndexExpr]) -> _Term:
    """Sum a factor over the labels that nobody else has, before it is multiplied."""
    needed = {c for t in others for c in t} | set(output)
    if set(term.labels) <= needed:
        return term
    kept = "".join(dict.fromkeys(c for c in term.labels if c in needed))
    return _Term(_product([term], kept, sizes), kept)


def _product(terms: Sequence[_Term], output: str, sizes: Mapping[str, IndexExpr]) -> Tensor:
    """One definition: the sum over all labels outside of the output of the product of the factors."""
    summed = list(dict.fromkeys(c for t in terms for c in t.labels if c not in output))
    over = {c: reduce_axis(sizes[c], _hint(c)) for c in summed}

    def body(*index: IndexExpr) -> Scalar:
        at = dict(zip(output, index, strict=True)) | over
        factors = [t.tensor.element(_position(t, at)) for t in terms]
        value: Scalar = factors[0]
        for f in factors[1:]:
            value = Applied("mul", (value, f))
        return Reduced("sum", tuple(a.axes[0] for a in over.values()), value) if over else value

    return define([sizes[c] for c in output], body, "einsum", dims=[_hint(c) for c in output])


def _position(term: _Term, at: Mapping[str, IndexExpr]) -> list[IndexExpr | int]:
    return [0 if is_one(e) else at[c] for c, e in zip(term.labels, extents(term.tensor), strict=True)]


def _hint(label: str) -> str:
    return f"e{_ELLIPSIS.index(label)}" if label in _ELLIPSIS else label
