"""Products of matrices and tensors: one sum over the contracted dimensions each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.axis_hints import axis_hints
from polyad.frontend.complex_numbers.part_functions import conj
from polyad.frontend.complex_numbers.parts import is_complex
from polyad.frontend.complex_numbers.rules import product
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Reduced, Scalar
from polyad.frontend.tensor import Tensor, define
from polyad.numpy.dimensions import TensorLike, aligned, axis_number, broadcast_extents, extents, shape_text

__all__ = ["dot", "inner", "matmul", "outer", "tensordot", "vdot"]


@product("a", "b")
def matmul(a: TensorLike, b: TensorLike) -> Tensor:
    """The matrix product, `a @ b`.

    Equation: c[..., m, n] = sum_k a[..., m, k] * b[..., k, n].

    Shapes: a (..., M, K), b (..., K, N), c (..., M, N); the leading dimensions broadcast. A one-dimensional `a` is a
    row, a one-dimensional `b` a column, and that dimension is missing from the result.

    Raises:
        ShapeError: an operand is a number, or the contracted extents differ.
    """
    left, right = as_tensor(a, "a"), as_tensor(b, "b")
    if not left.ndim or not right.ndim:
        raise ShapeError("matmul takes tensors of at least one dimension; multiply by a number with *")
    la, rb = extents(left), extents(right)
    row, column = left.ndim == 1, right.ndim == 1
    _contracted("matmul", left, -1, right, -1 if column else -2)
    batch = broadcast_extents("matmul", [la[:-2], rb[:-2]])
    shape = (*batch, *(() if row else la[-2:-1]), *(() if column else rb[-1:]))
    *_, inner_name = axis_hints((*shape, la[-1]), letters="ijklmnpq")
    k = reduce_axis(la[-1], inner_name)

    def body(*index: IndexExpr) -> Scalar:
        lead, tail = index[: len(batch)], index[len(batch) :]
        x = left.element([*aligned(la[:-2], lead), *(() if row else tail[:1]), k])
        y = right.element([*aligned(rb[:-2], lead), k, *(() if column else tail[-1:])])
        return Reduced("sum", (k.axes[0],), Applied("mul", (x, y)))

    return define(shape, body, "matmul")


def _contracted(what: str, a: Tensor, i: int, b: Tensor, j: int) -> None:
    if a.shape_affine[i] != b.shape_affine[j]:
        raise ShapeError(
            f"{what}: {a.name} {shape_text(extents(a))} and {b.name} {shape_text(extents(b))} do not fit: dimension "
            f"{i} of the first has extent {a.shape_affine[i]}, dimension {j} of the second {b.shape_affine[j]}"
        )


@product("a", "b")
def dot(a: TensorLike, b: TensorLike) -> Tensor:
    """The product over the last dimension of `a` and the one before the last of `b` (its only one, if it has one).

    Equation: c[i..., j..., n] = sum_k a[i..., k] * b[j..., k, n].

    Raises:
        ShapeError: the contracted extents differ.
    """
    left, right = as_tensor(a, "a"), as_tensor(b, "b")
    if not left.ndim or not right.ndim:
        product: Tensor = left * right
        return product
    return tensordot(left, right, ((-1,), (-1 if right.ndim == 1 else -2,)))


@product("a", "b")
def inner(a: TensorLike, b: TensorLike) -> Tensor:
    """The product over the last dimensions: c[i..., j...] = sum_k a[i..., k] * b[j..., k].

    Raises:
        ShapeError: the contracted extents differ.
    """
    return tensordot(a, b, ((-1,), (-1,)))


def vdot(a: TensorLike, b: TensorLike) -> Tensor:
    """The sum of the products of all elements of two tensors of one shape, those of the first conjugated.

    Raises:
        ShapeError: the shapes differ.
    """
    left: Any = conj(a) if is_complex(a) else as_tensor(a, "a")
    n = left.ndim
    return tensordot(left, b, (tuple(range(n)), tuple(range(n))))


@product("a", "b")
def outer(a: TensorLike, b: TensorLike) -> Tensor:
    """All products of two vectors: c[i, j] = a[i] * b[j].

    Raises:
        ShapeError: an operand is not a vector.
    """
    left, right = as_tensor(a, "a"), as_tensor(b, "b")
    if left.ndim != 1 or right.ndim != 1:
        raise ShapeError(
            f"outer takes two vectors, not tensors of {left.ndim} and {right.ndim} dimensions; ravel them first"
        )
    return tensordot(left, right, 0)


@product("a", "b")
def tensordot(a: TensorLike, b: TensorLike, axes: Any = 2) -> Tensor:
    """The sum of products over some dimensions of both.

    Args:
        a: tensor.
        b: tensor.
        axes: how many of the last of `a` and the first of `b`, or (dimensions of a, dimensions of b), pairwise.

    Returns:
        The tensor over the other dimensions of `a`, then those of `b`.

    Raises:
        ShapeError: contracted extents differ, or there are not that many dimensions.
    """
    left, right = as_tensor(a, "a"), as_tensor(b, "b")
    over_a, over_b = _pairs(left, right, axes)
    for i, j in zip(over_a, over_b, strict=True):
        _contracted("tensordot", left, i, right, j)
    la, rb = extents(left), extents(right)
    free_a = [d for d in range(left.ndim) if d not in over_a]
    free_b = [d for d in range(right.ndim) if d not in over_b]
    shape = [*(la[d] for d in free_a), *(rb[d] for d in free_b)]
    summed = [la[d] for d in over_a]
    hints = axis_hints([*shape, *summed])[len(shape) :]
    ks = [reduce_axis(e, h) for e, h in zip(summed, hints, strict=True)]

    def body(*index: IndexExpr) -> Scalar:
        at_a = dict(zip(free_a, index[: len(free_a)], strict=True)) | dict(zip(over_a, ks, strict=True))
        at_b = dict(zip(free_b, index[len(free_a) :], strict=True)) | dict(zip(over_b, ks, strict=True))
        x = left.element([at_a[d] for d in range(left.ndim)])
        y = right.element([at_b[d] for d in range(right.ndim)])
        product = Applied("mul", (x, y))
        return Reduced("sum", tuple(k.axes[0] for k in ks), product) if ks else product

    return define(shape, body, "tensordot")


def _pairs(a: Tensor, b: Tensor, axes: Any) -> tuple[list[int], list[int]]:
    if isinstance(axes, int):
        if not 0 <= axes <= min(a.ndim, b.ndim):
            raise ShapeError(f"tensordot: axes={axes}, but the operands have {a.ndim} and {b.ndim} dimensions")
        return list(range(a.ndim - axes, a.ndim)), list(range(axes))
    first, second = (x if isinstance(x, Sequence) else (x,) for x in axes)
    over_a = [axis_number(d, a.ndim, "tensordot") for d in first]
    over_b = [axis_number(d, b.ndim, "tensordot") for d in second]
    if len(over_a) != len(over_b) or len(set(over_a)) != len(over_a) or len(set(over_b)) != len(over_b):
        raise ShapeError(
            f"tensordot: axes={axes} must pair different dimensions of the first with different ones of the second"
        )
    return over_a, over_b
