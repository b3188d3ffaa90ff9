"""Weights of 8 bits: integers with one scale for each row, which are multiplied where a weight is read."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.argument_checks import integer
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar
from polyad.frontend.tensor import Tensor, define

__all__ = ["Quantised", "quantise"]


class Quantised(NamedTuple):
    """Weights as integers and scales: w is about values * scales.

    Functions of `polyad.numpy` and layers of `polyad.nn` take it where they take a tensor, and so does `@`. It is a
    pytree of two leaves, so that a function that `pa.jit` compiles may be given one.

    Attributes:
        values: int8, of the shape of the weights.
        scales: of the type of the weights; extents of the dimensions that share a scale are 1.
    """

    values: Any
    scales: Any

    def tensor(self) -> Tensor:
        """The weights as a tensor: w[i, j] = values[i, j] * scales[i, 0].

        No array holds its elements: they are computed where they are read.
        """
        values, scales = as_tensor(self.values, "values"), as_tensor(self.scales, "scales")
        if values.ndim != scales.ndim:
            raise ShapeError(f"Quantised: values have {values.ndim} dimensions, and scales {scales.ndim}")
        shared = [e.is_constant and e.constant == 1 for e in scales.shape_affine]

        def body(*index: IndexExpr) -> Scalar:
            place = [Number(0) if one else i for one, i in zip(shared, index, strict=True)]
            return Applied("mul", (Applied("cast", (values.element(index),), scales.dtype), scales.element(place)))

        return define(values.shape, body, "weights")

    def __polyad_tensor__(self) -> Tensor:
        return self.tensor()

    @property
    def T(self) -> Quantised:  # NumPy's name
        """The transposed weights."""
        return Quantised(self.values.T, self.scales.T)

    def __matmul__(self, other: Any) -> Tensor:
        made: Tensor = self.tensor() @ other
        return made

    def __rmatmul__(self, other: Any) -> Tensor:
        made: Tensor = as_tensor(other, "the left operand of @") @ self.tensor()
        return made


def quantise(weights: Any, axis: int | tuple[int, ...] = -1, bits: int = 8) -> Quantised:
    """Weights as integers of 8 bits with one scale for each row.

    Equation: q = round(w / s), s = max |w| / (2**(bits - 1) - 1) over `axis`; |w - q s| <= s / 2.

    Args:
        weights: an array of floats, such as NumPy's.
        axis: the dimensions that share a scale: -1 gives one to each row of a matrix (O, I), as layers have them.
        bits: from 2 to 8; what is stored has 8.

    Raises:
        DTypeError: weights that are no floats, or not finite.
        ShapeError: there is no such dimension.
        DTypeError: bits out of range.
    """
    array = np.asarray(weights)
    if array.dtype not in (np.float32, np.float64):
        raise DTypeError(f"quantise: weights are {array.dtype}; float32 or float64 is needed")
    if not np.isfinite(array).all():
        raise DTypeError("quantise: a weight is not finite")
    if not 2 <= integer(bits, "quantise: bits") <= 8:
        raise DTypeError(f"quantise: bits={bits}: from 2 to 8 are possible")
    try:
        largest = np.abs(array).max(axis=axis, keepdims=True, initial=0)
    except (np.exceptions.AxisError, ValueError):
        raise ShapeError(f"quantise: weights of shape {array.shape} have no dimension {axis}") from None
    most = 2 ** (bits - 1) - 1
    scales = np.where(largest > 0, largest / most, 1).astype(array.dtype)
    scales = np.where(scales > 0, scales, np.finfo(array.dtype).smallest_subnormal)
    found = np.rint(array.astype(np.float64) / scales)
    return Quantised(np.clip(found, -most, most).astype(np.int8), scales)
