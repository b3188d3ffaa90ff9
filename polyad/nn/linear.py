"""Affine layers, embeddings, dropout."""

from __future__ import annotations

from math import prod
from typing import Any

from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.argument_checks import number, weight_tensor
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import described, is_number
from polyad.frontend.tensor import Tensor
from polyad.nn.activations import along
from polyad.numpy.dimensions import TensorLike, axis_number, extents, shape_text
from polyad.numpy.elementwise import where
from polyad.numpy.indexing import take
from polyad.numpy.matmul import matmul
from polyad.numpy.permutation import transpose
from polyad.numpy.reshape import reshape
from polyad.random.distributions import bernoulli

__all__ = ["bias_add", "dense", "dropout", "embedding", "flatten"]


def dense(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None) -> Tensor:
    """An affine layer, x @ weight.T + bias.

    Equation: y[..., o] = sum_i x[..., i] * weight[o, i] + bias[o].

    Shapes: x (..., I), weight (O, I), bias (O,), result (..., O); PyTorch's layout.

    Raises:
        ShapeError: the shapes do not fit.
    """
    t, w = as_tensor(x, "x"), as_tensor(weight, "weight")
    if w.ndim != 2 or not t.ndim or t.shape_affine[-1] != w.shape_affine[1]:
        raise ShapeError(
            f"dense: x {shape_text(extents(t))} and weight {shape_text(extents(w))} do not fit; they "
            "must be (..., I) and (O, I)"
        )
    product = matmul(t, transpose(w))
    if bias is None:
        return product
    b = weight_tensor(bias, "dense: bias")
    if b.ndim and b.shape_affine != (w.shape_affine[0],):
        raise ShapeError(f"dense: bias {shape_text(extents(b))} must have the shape ({w.shape_affine[0]},)")
    result: Tensor = product + b
    return result


def bias_add(x: TensorLike, bias: TensorLike, axis: int = 1) -> Tensor:
    """X plus a vector along one dimension, that of the channels.

    Raises:
        ShapeError: the bias is no vector of that extent, or there is no such dimension.
    """
    t, b = as_tensor(x, "x"), weight_tensor(bias, "bias_add: bias")
    d = axis_number(axis, t.ndim, "bias_add")
    if b.shape_affine != (t.shape_affine[d],):
        raise ShapeError(f"bias_add: bias {shape_text(extents(b))} must have the shape ({extents(t)[d]},)")
    result: Tensor = t + along(b, t.ndim, d)
    return result


def flatten(x: TensorLike, start_axis: int = 1, end_axis: int = -1) -> Tensor:
    """The dimensions from `start_axis` to `end_axis` as one, in row-major order; all but the batch by default.

    Raises:
        ShapeError: there are no such dimensions, or `end_axis` stands before `start_axis`.
    """
    t = as_tensor(x, "x")
    first, last = (axis_number(a, t.ndim, "flatten") for a in (start_axis, end_axis))
    if last < first:
        raise ShapeError(f"flatten: dimension {last} stands before dimension {first}")
    shape = extents(t)
    many = [e.affine for e in shape[first : last + 1]]
    one = prod(e.constant for e in many) if all(e.is_constant for e in many) else -1
    return reshape(t, (*shape[:first], one, *shape[last + 1 :]))


def embedding(ids: TensorLike, table: TensorLike) -> Tensor:
    """Rows of a table: result[i..., e] = table[ids[i...], e].

    Shapes: ids any, table (V, E), result (ids..., E). Indices are checked against V when the kernel is called.

    Raises:
        DTypeError: the ids are not integers.
    """
    return take(as_tensor(table, "table"), as_tensor(ids, "ids"), axis=0)


def dropout(x: TensorLike, rate: float, mask: Any = None, uniform: Any = None, key: Any = None) -> Tensor:
    """Keep elements with probability 1 - rate, scaled by 1 / (1 - rate).

    Args:
        x: tensor.
        rate: probability of zero, 0 <= rate < 1.
        mask: tensor that is true (or not 0) where an element is kept; or
        uniform: random numbers from [0, 1), elements are kept where they are at least `rate`; or
        key: uint32[2], by which `polyad.random.bernoulli(key, 1 - rate, x.shape)` says which elements are kept.

    Raises:
        DefinitionError: not exactly one of `mask`, `uniform` and `key` is given, or the rate is out of range.
        DTypeError, ShapeError: no key.
    """
    if [mask is None, uniform is None, key is None].count(False) != 1:
        raise DefinitionError("dropout takes exactly one of mask=, uniform= and key=")
    if not is_number(rate) or not 0 <= number(rate, "dropout: rate") < 1:
        raise DefinitionError(f"dropout: rate {described(rate)} is not a number with 0 <= rate < 1")
    t = as_tensor(x, "x")
    if key is not None:
        kept = bernoulli(key, 1 - rate, extents(t))
    elif mask is not None:
        kept = weight_tensor(mask, "dropout: mask")
    else:
        kept = weight_tensor(uniform, "dropout: uniform") >= rate
    result: Tensor = where(kept, t * (1 / (1 - rate)), 0)
    return result
