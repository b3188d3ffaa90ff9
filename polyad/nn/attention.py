"""Scaled dot-product attention."""

from __future__ import annotations

import math
from typing import Any

from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.argument_checks import flag, number, weight_tensor
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import exp
from polyad.frontend.scalar import Applied, IndexExpr, Number, Reduced, Scalar, Selected
from polyad.frontend.scalar_functions import select, stop_gradient
from polyad.frontend.tensor import Tensor, define
from polyad.numpy.dimensions import TensorLike, aligned, broadcast_extents, extents, shape_text

__all__ = ["scaled_dot_product_attention"]


def scaled_dot_product_attention(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    attn_mask: Any = None,
    is_causal: bool = False,
    scale: Any = None,
) -> Tensor:
    """softmax(query @ key.T * scale + mask) @ value, with a causal mask over the triangle only.

    Equation: y[..., i, e] = sum_j p[..., i, j] * value[..., j, e], where p[..., i, :] is the softmax over j of
    scale * sum_d query[..., i, d] * key[..., j, d] + attn_mask[..., i, j]; of j <= i only if it is causal.

    Shapes: query (..., H, L, D), key (..., G, S, D), value (..., G, S, E), result (..., H, L, E). H is a constant
    multiple of G: so many heads of the query share one of the keys. Leading dimensions, also those of the heads, may be
    missing; of the keys they may be 1.

    Args:
        query: questions.
        key: what they are compared with.
        value: what is averaged.
        attn_mask: broadcasts to (..., L, S): truth values say who takes part, numbers are added. A row of which nobody
            takes part is 0.
        is_causal: position i sees positions up to i; what lies behind is not computed.
        scale: 1 / sqrt(D) if None.

    Raises:
        ShapeError: the shapes do not fit; more causal queries than keys.
        DefinitionError: a mask for causal attention.

    Source: Vaswani et al., Attention Is All You Need, 2017, eq. 1; Ainslie et al., GQA, 2023.
    """
    what = "scaled_dot_product_attention"
    q, k, v = as_tensor(query, "query"), as_tensor(key, "key"), as_tensor(value, "value")
    for t in (q, k, v):
        if t.ndim < 2:
            raise ShapeError(f"{what}: {t.name} {shape_text(extents(t))} must be (..., L, D)")
    *heads, rows, width = extents(q)
    columns = extents(k)[-2]
    if width.affine != k.shape_affine[-1] or columns.affine != v.shape_affine[-2]:
        shapes = ", ".join(shape_text(extents(t)) for t in (q, k, v))
        raise ShapeError(f"{what}: {shapes} do not fit; they must be (..., L, D), (..., S, D) and (..., S, E)")
    causal = flag(is_causal, f"{what}: is_causal")
    if causal and attn_mask is not None:
        raise DefinitionError(f"{what}: a causal mask is one; give attn_mask= or is_causal=True")
    longer = rows.affine - columns.affine
    if causal and not (longer.is_constant and longer.constant <= 0):
        raise ShapeError(f"{what}: {rows} causal queries see the keys up to their own position, of which are {columns}")
    if scale is None and not width.affine.is_constant:
        raise ShapeError(f"{what}: give scale= where the width {width} is not constant")
    factor = 1 / math.sqrt(width.affine.constant) if scale is None else number(scale, f"{what}: scale")
    shared = _shared(what, heads, k)
    batch = broadcast_extents(
        what, [heads, [*extents(k)[:-3], *heads[-1:]][-max(k.ndim - 2, 0) :] if k.ndim > 2 else []]
    )
    hidden: Tensor | None = None if attn_mask is None else weight_tensor(attn_mask, f"{what}: attn_mask")

    def keys(t: Tensor, at: list[Any]) -> list[Any]:
        """The index of the head of t that belongs to a head of the query."""
        own = [*at[:-1], at[-1] // shared if shared > 1 else at[-1]] if at else at
        return aligned(extents(t)[:-2], own) if t.ndim > 2 else []

    def seen(i: IndexExpr) -> IndexExpr:
        return reduce_axis(i + 1 if causal else columns, "j")

    def score(*index: IndexExpr) -> Scalar:
        *at, i, j = index
        d = reduce_axis(width, "d")
        product = Applied("mul", (q.element([*aligned(heads, at), i, d]), k.element([*keys(k, at), j, d])))
        return Reduced("sum", (d.axes[0],), product)

    products = define([*batch, rows, columns], score, "scores")
    scores: Tensor = products * factor
    if hidden is not None:
        scores = select(hidden, scores, -math.inf) if hidden.dtype == "bool" else scores + hidden

    def top(*index: IndexExpr) -> Scalar:
        *at, i = index
        j = seen(i)
        return Reduced("max", (j.axes[0],), scores.element([*at, i, j]))

    highest = stop_gradient(define([*batch, rows], top, "highest"))
    if hidden is not None:
        highest = select(highest == -math.inf, 0.0, highest)

    def raised(*index: IndexExpr) -> Scalar:
        *at, i, j = index
        above = exp(scores.element(index) - highest.element([*at, i]))
        return Selected(Applied("le", (j, i)), above, Number(0)) if causal else above

    weights = define([*batch, rows, columns], raised, "weights")

    def whole(*index: IndexExpr) -> Scalar:
        *at, i = index
        j = seen(i)
        return Reduced("sum", (j.axes[0],), weights.element([*at, i, j]))

    total = define([*batch, rows], whole, "total")
    if hidden is not None:
        total = select(total == 0, 1.0, total)

    def mixed(*index: IndexExpr) -> Scalar:
        *at, i, e = index
        j = seen(i)
        product = Applied("mul", (weights.element([*at, i, j]), v.element([*keys(v, at), j, e])))
        return Reduced("sum", (j.axes[0],), product)

    mixture = define([*batch, rows, extents(v)[-1]], mixed, "mixture")
    result: Tensor = mixture / total[..., None]
    return result


def _shared(what: str, heads: list[IndexExpr], k: Tensor) -> int:
    """How many heads of the query share one of the keys."""
    if not heads or k.ndim < 3:
        return 1
    many, few = heads[-1].affine, k.shape_affine[-3]
    if many == few or (few.is_constant and few.constant == 1):
        return 1
    if not many.is_constant or not few.is_constant or few.constant < 1 or many.constant % few.constant:
        raise ShapeError(f"{what}: {many} heads of the query cannot share {few} heads of the keys evenly")
    return many.constant // few.constant
