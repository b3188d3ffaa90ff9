"""Distributions made of uniform numbers and bits, by the formulas of `jax.random`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from polyad.errors import DefinitionError, DTypeError, ShapeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import erfinv, log, log1p
from polyad.frontend.scalar import IndexExpr, as_index, is_number
from polyad.frontend.scalar_functions import select
from polyad.frontend.tensor import Tensor, as_shape, cast_tensor, user_line
from polyad.ir.element_types import element_type, is_integer, limits
from polyad.numpy.cumulative import cumsum
from polyad.numpy.dimensions import TensorLike, axis_number, broadcast_extents, extents, shape_text
from polyad.numpy.elementwise import clip
from polyad.numpy.indexing import take
from polyad.numpy.permutation import expand_dims
from polyad.numpy.reductions import argmax, sum
from polyad.random.bits import bits, float_type, uniform
from polyad.random.keys import split

__all__ = [
    "bernoulli",
    "categorical",
    "choice",
    "exponential",
    "gumbel",
    "normal",
    "randint",
    "truncated_normal",
]

_WORDS = 1 << 32


def normal(key: Any, shape: Any = (), dtype: Any = "float32") -> Tensor:
    """Normally distributed numbers of mean 0 and variance 1: sqrt(2) erfinv(u), with u uniform in (-1, 1).

    Args:
        key: uint32[2].
        shape: extents.
        dtype: float32 or float64.

    Raises:
        DTypeError, ShapeError: no key, or another element type.
    """
    kind = float_type(dtype, "normal")
    least = np.nextafter(np.array(-1, kind), np.array(0, kind), dtype=kind)
    return _result(erfinv(uniform(key, shape, kind, float(least), 1.0)) * math.sqrt(2))


def truncated_normal(key: Any, lower: float, upper: float, shape: Any = (), dtype: Any = "float32") -> Tensor:
    """Normally distributed numbers of those between two: lower < x < upper.

    Args:
        key: uint32[2].
        lower: a number.
        upper: a number.
        shape: extents.
        dtype: float32 or float64.

    Raises:
        DTypeError, ShapeError: no key, another element type, or bounds that are no numbers.
    """
    kind = np.dtype(float_type(dtype, "truncated_normal")).type
    if not is_number(lower) or not is_number(upper):
        raise DTypeError(f"{user_line()}: truncated_normal: bounds are numbers: clip normal numbers for others")
    low, high = (float(kind(math.erf(float(b) / math.sqrt(2)))) for b in (lower, upper))
    drawn = erfinv(uniform(key, shape, kind, low, high)) * math.sqrt(2)
    inside = np.nextafter(kind(lower), kind(np.inf)), np.nextafter(kind(upper), kind(-np.inf))
    return _result(clip(drawn, float(inside[0]), float(inside[1])))


def exponential(key: Any, shape: Any = (), dtype: Any = "float32") -> Tensor:
    """Exponentially distributed numbers of mean 1: -log(1 - u).

    Args:
        key: uint32[2].
        shape: extents.
        dtype: float32 or float64.

    Raises:
        DTypeError, ShapeError: no key, or another element type.
    """
    return _result(-log1p(-uniform(key, shape, float_type(dtype, "exponential"))))


def gumbel(key: Any, shape: Any = (), dtype: Any = "float32") -> Tensor:
    """Numbers of Gumbel's distribution: -log(-log(u)).

    Args:
        key: uint32[2].
        shape: extents.
        dtype: float32 or float64.

    Raises:
        DTypeError, ShapeError: no key, or another element type.
    """
    kind = float_type(dtype, "gumbel")
    return _result(-log(-log(uniform(key, shape, kind, float(np.finfo(kind).tiny), 1.0))))


def bernoulli(key: Any, p: Any = 0.5, shape: Any = None) -> Tensor:
    """Truth values that hold with probability p: u < p.

    Args:
        key: uint32[2].
        p: a number, or a tensor that broadcasts to the shape.
        shape: extents; those of p where it is left out.

    Raises:
        DTypeError, ShapeError: no key, or a p that is no float, or does not broadcast.
    """
    if is_number(p):
        return _result(uniform(key, () if shape is None else shape) < float(p))
    chance = as_tensor(p, "bernoulli: p")
    kind = float_type(chance.dtype, "bernoulli: p")
    wanted = extents(chance) if shape is None else as_shape(shape)
    return _of_shape(uniform(key, wanted, kind) < chance, wanted, "bernoulli")


def randint(key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = "int32") -> Tensor:
    """Integers with minval <= i < maxval, from 64 bits each: no two differ by more than 2^-32 in probability.

    Args:
        key: uint32[2].
        shape: extents.
        minval: an integer, or an integer tensor that broadcasts to the shape.
        maxval: the same; where it is not above minval, minval is what is drawn.
        dtype: int32 or uint32.

    Raises:
        DTypeError, ShapeError: no key, another element type, bounds that are no integers or do not broadcast.
    """
    kind = element_type(dtype, "randint")
    if kind not in ("int32", "uint32"):
        raise DTypeError(f"{user_line()}: randint: numbers of 32 bits are drawn, int32 or uint32; convert with astype")
    wanted, keys = as_shape(shape), split(key)
    upper, lower = bits(keys[0], wanted), bits(keys[1], wanted)
    if isinstance(minval, int | np.integer) and isinstance(maxval, int | np.integer):
        first, span = _known_span(int(minval), int(maxval), kind)
        if span == 0:  # all words
            return _result(cast_tensor(lower + first, kind))
        factor = (_WORDS >> 16) % span
        factor = factor * factor % _WORDS % span
    else:
        low, high = (_bound(b, kind, what) for b, what in ((minval, "minval"), (maxval, "maxval")))
        first = cast_tensor(low, "uint32")
        span = select(high > low, cast_tensor(high, "uint32") - first, 1)
        factor = (_WORDS >> 16) % span
        factor = factor * factor % span
    drawn = cast_tensor(first + ((upper % span) * factor + lower % span) % span, kind)
    return _of_shape(drawn, wanted, "randint")


def _known_span(minval: int, maxval: int, kind: str) -> tuple[int, int]:
    """The first integer and how many there are, modulo 2^32; `maxval` may be one more than the type holds."""
    least, most = limits(kind)
    low, high = (min(max(b, least), most) for b in (minval, maxval))
    return low % _WORDS, (high - low + (maxval > most)) % _WORDS if high > low else 1


def _bound(value: Any, kind: str, what: str) -> Tensor:
    """A bound as a tensor of the type that is drawn."""
    bound = as_tensor(value, f"randint: {what}")
    if not is_integer(bound.dtype):
        raise DTypeError(f"{user_line()}: randint: {what} is {bound.dtype}; it has to be of integers (astype converts)")
    if bound.dtype not in (kind, "int64"):
        bound = cast_tensor(bound, "int64")
    least, most = limits(kind)
    return _result(cast_tensor(clip(bound, least, most) if bound.dtype == "int64" else bound, kind))


def categorical(key: Any, logits: TensorLike, axis: int = -1, shape: Any = None) -> Tensor:
    """Positions along an axis, drawn with the probabilities softmax(logits): argmax(logits + gumbel).

    Args:
        key: uint32[2].
        logits: logarithms of probabilities, up to what they have in common.
        axis: of the positions.
        shape: extents, of which the last ones are those of `logits` without the axis; these alone where it is left out.

    Returns:
        int64 of this shape.

    Raises:
        DTypeError, ShapeError: no key, logits that are no floats, or another shape.
    """
    t = as_tensor(logits, "logits")
    kind, at = float_type(t.dtype, "categorical: logits"), axis_number(axis, t.ndim, "categorical")
    own = extents(t)
    batch = [*own[:at], *own[at + 1 :]]
    wanted = batch if shape is None else list(as_shape(shape))
    more = wanted[: len(wanted) - len(batch)]
    if [e.affine for e in wanted[len(more) :]] != [e.affine for e in batch]:
        raise ShapeError(
            f"{user_line()}: categorical: the shape {shape_text(wanted)} does not end with that of the logits without "
            f"their axis, {shape_text(batch)}"
        )
    noise = gumbel(key, (*more, *own), kind)
    return _result(argmax(noise + t, axis=len(more) + at))


def choice(key: Any, a: Any, shape: Any = (), replace: bool = True, p: Any = None, axis: int = 0) -> Tensor:
    """Elements of a tensor, or integers below a, each drawn from all of them.

    Args:
        key: uint32[2].
        a: a tensor, or how many integers there are, from 0 on.
        shape: extents of what is drawn.
        replace: True: an element may be drawn more than once.
        p: their probabilities, one for each element; all the same where it is left out.
        axis: along which elements of `a` lie.

    Returns:
        the elements, `shape` in the place of the axis; of an integer, int32 (int64 with p).

    Raises:
        DefinitionError: `replace` is False.
        DTypeError, ShapeError: no key, or p of another shape.
    """
    if not replace:
        raise DefinitionError(
            f"{user_line()}: choice without replacement needs an order of the data: draw positions "
            "with numpy.random and pass them in"
        )
    t = None if isinstance(a, int | np.integer | IndexExpr) else as_tensor(a, "a")
    count = as_index(a, "a") if t is None else extents(t)[axis_number(axis, t.ndim, "choice")]
    if p is None:
        bound = count.affine.constant if count.affine.is_constant else as_tensor(count, "count")
        drawn = randint(key, shape, 0, bound)
    else:
        drawn = _positions(key, as_tensor(p, "p"), count, shape)
    return drawn if t is None else take(t, drawn, axis=axis)


def _positions(key: Any, p: Tensor, count: IndexExpr, shape: Any) -> Tensor:
    """How many sums of probabilities are below a uniform number."""
    if p.ndim != 1 or p.shape_affine[0] != count.affine:
        raise ShapeError(f"{user_line()}: choice: p has the shape {p.shape}, and there are {count} elements")
    sums = cumsum(p)
    drawn = sums[-1] * (1 - uniform(key, shape, float_type(p.dtype, "choice: p")))
    return _result(sum(sums < expand_dims(drawn, -1), axis=-1))


def _of_shape(made: Any, wanted: Any, what: str) -> Tensor:
    """Refuse what is larger than what was asked for."""
    if [e.affine for e in broadcast_extents(what, [extents(made), wanted])] != [e.affine for e in wanted] or (
        made.ndim != len(wanted)
    ):
        raise ShapeError(
            f"{user_line()}: {what}: arguments of shape {shape_text(extents(made))} do not broadcast to "
            f"{shape_text(wanted)}"
        )
    return _result(made)


def _result(made: Any) -> Tensor:
    assert isinstance(made, Tensor), "made of tensors"
    return made
