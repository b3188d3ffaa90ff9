"""Convolutions and correlations of two vectors: one sum over the pairs that meet, zeros around left out."""

from __future__ import annotations

from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import choice
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import IndexExpr, Scalar
from polyad.frontend.scalar_functions import reduction, select
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.numpy.dimensions import TensorLike, extents, shape_text
from polyad.numpy.permutation import flip

__all__ = ["convolve", "correlate"]

_MODES = ("full", "same", "valid")
_sum = reduction("sum")


def convolve(a: TensorLike, v: TensorLike, mode: str = "full") -> Tensor:
    """The convolution of two vectors: result[n] = sum_m a[m] v[n - m], as `numpy.convolve`.

    Args:
        a: vector of N elements.
        v: vector of M elements; where it is provably the longer one, the two change places.
        mode: "full", N + M - 1 elements; "same", N of them from the middle; "valid", N - M + 1 where all of v meets a.

    Raises:
        ShapeError: no vectors, or empty ones.
        DefinitionError: another mode.
    """
    return _sums("convolve", a, v, mode)


def correlate(a: TensorLike, v: TensorLike, mode: str = "valid") -> Tensor:
    """The correlation of two vectors: result[n] = sum_m a[n + m] v[m], as `numpy.correlate`.

    Args:
        a: vector.
        v: vector.
        mode: as of `convolve`.

    Raises:
        ShapeError: no vectors, or empty ones.
        DefinitionError: another mode.
    """
    return _sums("correlate", a, v, mode)


def _sums(what: str, a: TensorLike, v: TensorLike, mode: str) -> Tensor:
    longer, shorter = as_tensor(a, "a"), as_tensor(v, "v")
    choice(mode, _MODES, f"{what}: mode")
    for t in (longer, shorter):
        if t.ndim != 1 or t.shape == (0,):
            raise ShapeError(
                f"{user_line()}: {what} takes two vectors with elements, {t.name} has shape {shape_text(extents(t))}; "
                "vmap does so along other dimensions"
            )
    turned = _less(longer, shorter)
    if turned:
        longer, shorter = shorter, longer
    if what == "correlate":
        shorter = flip(shorter)
    made = _convolved(longer, shorter, mode)
    return flip(made) if what == "correlate" and turned else made


def _less(a: Tensor, b: Tensor) -> bool:
    more = b.shape_affine[0] - a.shape_affine[0]
    return more.is_constant and more.constant > 0


def _convolved(a: Tensor, v: Tensor, mode: str) -> Tensor:
    (n,), (m,) = extents(a), extents(v)
    start = {"full": n * 0, "same": (m - 1) // 2, "valid": m - 1}[mode]
    length = {"full": n + m - 1, "same": n, "valid": n - m + 1}[mode]

    def body(i: IndexExpr) -> Scalar:
        k = reduce_axis(m, "k")
        at = i + start - k
        if mode == "valid":
            value: Any = a.element([at])
        else:
            value = select((at >= 0) & (at < n), a.element([at]), 0)
        result: Scalar = _sum(value * v.element([k]), axis=k)
        return result

    return define((length,), body, "convolved")
