"""Products of vectors and matrices that are sums of few terms, and products of many matrices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import mul
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import integer, several
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import IndexExpr, Scalar
from polyad.frontend.scalar_functions import reduction
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.numpy.creation import eye
from polyad.numpy.dimensions import TensorLike, aligned, axis_number, broadcast_extents, extents, shape_text
from polyad.numpy.joining import stack
from polyad.numpy.linalg.lu import inv
from polyad.numpy.linalg.matrices import square_matrix
from polyad.numpy.matmul import matmul
from polyad.numpy.permutation import broadcast_to, expand_dims, moveaxis
from polyad.numpy.reshape import reshape

__all__ = ["cross", "kron", "matrix_power", "matvec", "multi_dot", "vecdot", "vecmat"]

_sum = reduction("sum")


def kron(a: TensorLike, b: TensorLike) -> Tensor:
    """The Kronecker product: blocks of b, each times an element of a, in every dimension.

    Shapes: a (M, N), b (P, Q), the result (M P, N Q); likewise in other numbers of dimensions, missing ones in front.
    """
    left, right = as_tensor(a, "a"), as_tensor(b, "b")
    rank = max(left.ndim, right.ndim)
    if left.ndim < rank:
        left = expand_dims(left, tuple(range(rank - left.ndim)))
    if right.ndim < rank:
        right = expand_dims(right, tuple(range(rank - right.ndim)))
    pairs = [e for both in zip(extents(left), extents(right), strict=True) for e in both]
    blocks = define(pairs, lambda *i: left.element(i[::2]) * right.element(i[1::2]), "blocks")
    return reshape(blocks, tuple(reduce(mul, pairs[2 * d : 2 * d + 2]) for d in range(rank)))


def cross(a: TensorLike, b: TensorLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None) -> Tensor:
    """The cross product of vectors of three elements, or, of two, its one component that is not zero.

    Args:
        a: tensor.
        b: tensor, which broadcasts with it.
        axisa: the dimension of the vectors in a.
        axisb: that in b.
        axisc: that in the result.
        axis: all three at once.

    Raises:
        ShapeError: the vectors have neither two nor three elements, or there is no such dimension.
    """
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    left, right = as_tensor(a, "a"), as_tensor(b, "b")
    x = moveaxis(left, axis_number(axisa, left.ndim, "cross"), -1)
    y = moveaxis(right, axis_number(axisb, right.ndim, "cross"), -1)
    lengths = x.shape[-1], y.shape[-1]
    if not set(lengths) <= {2, 3}:
        raise ShapeError(
            f"{user_line()}: cross takes vectors of two or three elements, a has {lengths[0]} and b {lengths[1]} along "
            "the dimension; name it with axis="
        )
    u, v = ([t[..., k] for k in range(t.shape[-1])] for t in (x, y))
    last = u[0] * v[1] - u[1] * v[0]
    if lengths == (2, 2):
        return as_tensor(last, "the product")
    third, fourth = (c[2] if len(c) == 3 else 0 for c in (u, v))
    parts = [u[1] * fourth - third * v[1], third * v[0] - u[0] * fourth, last]
    common = broadcast_extents("cross", [extents(p) for p in parts])
    return stack([broadcast_to(p, common) for p in parts], axisc)


def vecdot(x1: TensorLike, x2: TensorLike, axis: int = -1) -> Tensor:
    """The sum of the products along a dimension: result[i...] = sum_k x1[i..., k] x2[i..., k].

    Raises:
        ShapeError: the extents differ.
    """
    a, b = as_tensor(x1, "x1"), as_tensor(x2, "x2")
    a, b = (moveaxis(t, axis_number(axis, t.ndim, "vecdot"), -1) for t in (a, b))
    return _pairs("vecdot", a, b, 1, 1)


def matvec(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Matrices times vectors: result[i..., m] = sum_k x1[i..., m, k] x2[i..., k].

    Raises:
        ShapeError: too few dimensions, or the extents differ.
    """
    return _pairs("matvec", as_tensor(x1, "x1"), as_tensor(x2, "x2"), 2, 1)


def vecmat(x1: TensorLike, x2: TensorLike) -> Tensor:
    """Vectors times matrices: result[i..., n] = sum_k x1[i..., k] x2[i..., k, n].

    Raises:
        ShapeError: too few dimensions, or the extents differ.
    """
    return _pairs("vecmat", as_tensor(x1, "x1"), as_tensor(x2, "x2"), 1, 2)


def _pairs(what: str, a: Tensor, b: Tensor, rank_a: int, rank_b: int) -> Tensor:
    """Sums over the last dimension of a and the first of the last `rank_b` of b."""
    for t, rank, name in ((a, rank_a, "x1"), (b, rank_b, "x2")):
        if t.ndim < rank:
            raise ShapeError(f"{user_line()}: {what}: {name} has {t.ndim} dimensions, it takes {rank} at least")
    ea, eb = extents(a), extents(b)
    if ea[-1].affine != eb[-rank_b].affine:
        raise ShapeError(
            f"{user_line()}: {what}: x1 {shape_text(ea)} and x2 {shape_text(eb)} do not fit: {ea[-1]} elements against "
            f"{eb[-rank_b]}"
        )
    lead_a, lead_b = ea[: a.ndim - rank_a], eb[: b.ndim - rank_b]
    batch = broadcast_extents(what, [lead_a, lead_b])
    rows, columns = ea[a.ndim - rank_a : -1], eb[b.ndim - rank_b + 1 :]

    def body(*index: IndexExpr) -> Scalar:
        k = reduce_axis(ea[-1], "k")
        at, rest = index[: len(batch)], index[len(batch) :]
        left: Any = a.element([*aligned(lead_a, at), *rest[: len(rows)], k])
        right: Any = b.element([*aligned(lead_b, at), k, *rest[len(rows) :]])
        result: Scalar = _sum(left * right, axis=k)
        return result

    return define([*batch, *rows, *columns], body, what)


def matrix_power(a: TensorLike, n: int) -> Tensor:
    """The n-th power of square matrices by squaring; of the inverse for negative n.

    Shapes: a (..., N, N), and the result the same.

    Raises:
        ShapeError: not square.
        DTypeError: n is no integer constant.
    """
    t = square_matrix(a, "matrix_power")
    exponent = integer(n, "matrix_power: n")
    if exponent == 0:
        return broadcast_to(eye(extents(t)[-1], dtype=t.dtype), extents(t))
    base = inv(t) if exponent < 0 else t
    result: Tensor | None = None
    exponent = abs(exponent)
    while exponent:
        if exponent & 1:
            result = base if result is None else matmul(result, base)
        exponent >>= 1
        base = matmul(base, base) if exponent else base
    assert result is not None
    return result


def multi_dot(arrays: Sequence[TensorLike]) -> Tensor:
    """The product of several matrices in the order of fewest multiplications; the outer ones may be vectors.

    Where an extent is a size, the order is that from the left.

    Raises:
        ShapeError: no matrices, or two neighbours do not fit.
    """
    parts = [as_tensor(x, "a matrix of multi_dot") for x in several(arrays, "multi_dot: arrays")]
    inner = all(p.ndim == 2 for p in parts[1:-1])
    if not parts or not inner or not all(p.ndim in (1, 2) for p in parts):
        raise ShapeError(
            f"{user_line()}: multi_dot takes matrices, of which the first and the last may be vectors, not tensors of "
            f"{', '.join(str(p.ndim) for p in parts) or 'no'} dimensions"
        )
    shapes = [p.shape_affine for p in parts]
    sizes = [
        shapes[0][0] if len(shapes[0]) == 2 else None,
        *(s[-1] if n or len(s) == 2 else s[0] for n, s in enumerate(shapes)),
    ]
    if parts[-1].ndim == 1 and len(parts) > 1:
        sizes[-1] = None
    if not all(s is None or s.is_constant for s in sizes):
        return reduce(matmul, parts)
    lengths = [1 if s is None else s.constant for s in sizes]
    return _ordered(parts, lengths)


def _ordered(parts: Sequence[Tensor], lengths: Sequence[int]) -> Tensor:
    """The cheapest brackets: cost[i, j] = min_k cost[i, k] + cost[k, j] + length[i] length[k] length[j]."""
    n = len(parts)
    best: dict[tuple[int, int], tuple[int, int]] = {(i, i + 1): (0, i) for i in range(n)}
    for span in range(2, n + 1):
        for i in range(n - span + 1):
            j = i + span
            best[i, j] = min(
                (best[i, k][0] + best[k, j][0] + lengths[i] * lengths[k] * lengths[j], k) for k in range(i + 1, j)
            )

    def product(i: int, j: int) -> Tensor:
        if j == i + 1:
            return parts[i]
        k = best[i, j][1]
        return matmul(product(i, k), product(k, j))

    return product(0, n)
