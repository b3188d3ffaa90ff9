"""Random weights as NumPy arrays, drawn while a program is written: they are arguments of functions, not part of them.

Weights have PyTorch's layout: (outputs, inputs) or (outputs, inputs, taps...), so a weight sums over
fan_in = inputs * taps products and takes part in fan_out = outputs * taps sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.argument_checks import number
from polyad.frontend.scalar import described

__all__ = [
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "lecun_normal",
    "lecun_uniform",
    "orthogonal",
]


def glorot_uniform(rng: Any, shape: Sequence[int], dtype: Any = "float32", gain: float = 1.0) -> np.ndarray:
    """Uniform with variance gain**2 * 2 / (fan_in + fan_out), within +-sqrt(3) of it.

    Args:
        rng: a `numpy.random.Generator`.
        shape: of the weight, at least two dimensions.
        dtype: its element type.
        gain: a factor.

    Raises:
        DTypeError: `rng` draws no numbers.
        ShapeError: fewer than two dimensions.

    Source: Glorot and Bengio, Understanding the Difficulty of Training Deep Networks, 2010, eq. 16.
    """
    fan_in, fan_out = _fans("glorot_uniform", shape)
    return _uniform("glorot_uniform", rng, shape, 2 / (fan_in + fan_out), dtype, gain)


def glorot_normal(rng: Any, shape: Sequence[int], dtype: Any = "float32", gain: float = 1.0) -> np.ndarray:
    """Normal with the variance of `glorot_uniform`, whose arguments and errors it has."""
    fan_in, fan_out = _fans("glorot_normal", shape)
    return _normal("glorot_normal", rng, shape, 2 / (fan_in + fan_out), dtype, gain)


def he_uniform(rng: Any, shape: Sequence[int], dtype: Any = "float32", gain: float = 1.0) -> np.ndarray:
    """Uniform with variance gain**2 * 2 / fan_in, for layers in front of `relu`; else as `glorot_uniform`.

    Source: He et al., Delving Deep into Rectifiers, 2015, eq. 10.
    """
    return _uniform("he_uniform", rng, shape, 2 / _fans("he_uniform", shape)[0], dtype, gain)


def he_normal(rng: Any, shape: Sequence[int], dtype: Any = "float32", gain: float = 1.0) -> np.ndarray:
    """Normal with the variance of `he_uniform`."""
    return _normal("he_normal", rng, shape, 2 / _fans("he_normal", shape)[0], dtype, gain)


def lecun_uniform(rng: Any, shape: Sequence[int], dtype: Any = "float32", gain: float = 1.0) -> np.ndarray:
    """Uniform with variance gain**2 / fan_in; else as `glorot_uniform`.

    Source: LeCun et al., Efficient BackProp, 1998, eq. 16.
    """
    return _uniform("lecun_uniform", rng, shape, 1 / _fans("lecun_uniform", shape)[0], dtype, gain)


def lecun_normal(rng: Any, shape: Sequence[int], dtype: Any = "float32", gain: float = 1.0) -> np.ndarray:
    """Normal with the variance of `lecun_uniform`."""
    return _normal("lecun_normal", rng, shape, 1 / _fans("lecun_normal", shape)[0], dtype, gain)


def orthogonal(rng: Any, shape: Sequence[int], dtype: Any = "float32", gain: float = 1.0) -> np.ndarray:
    """Orthogonal rows (columns where there are more rows), of length `gain`; dimensions behind the first count as one.

    Args and errors are those of `glorot_uniform`.

    Source: Saxe et al., Exact Solutions to the Nonlinear Dynamics of Learning, 2013.
    """
    _fans("orthogonal", shape)
    rows, columns = int(shape[0]), math.prod(int(e) for e in shape[1:])
    given = _drawn("orthogonal", rng, "normal", 1.0, (max(rows, columns), min(rows, columns)))
    q, r = np.linalg.qr(given)
    q = q * np.sign(np.diagonal(r))  # without this, the signs would not be evenly distributed
    whole = q if rows >= columns else q.T
    return np.asarray(whole.reshape(tuple(shape)) * number(gain, "orthogonal: gain"), dtype)


def _fans(what: str, shape: Sequence[int]) -> tuple[int, int]:
    if not isinstance(shape, tuple | list) or len(shape) < 2 or min(shape) < 1:
        raise ShapeError(f"{what}: the shape {described(shape)} must be (outputs, inputs, taps...), of constants")
    taps = math.prod(int(e) for e in shape[2:])
    return int(shape[1]) * taps, int(shape[0]) * taps


def _uniform(what: str, rng: Any, shape: Sequence[int], variance: float, dtype: Any, gain: Any) -> np.ndarray:
    return _made(what, _drawn(what, rng, "uniform", math.sqrt(3 * variance), shape), dtype, gain)


def _normal(what: str, rng: Any, shape: Sequence[int], variance: float, dtype: Any, gain: Any) -> np.ndarray:
    return _made(what, _drawn(what, rng, "normal", math.sqrt(variance), shape), dtype, gain)


def _made(what: str, drawn: np.ndarray, dtype: Any, gain: Any) -> np.ndarray:
    return np.asarray(drawn * number(gain, f"{what}: gain"), dtype)


def _drawn(what: str, rng: Any, kind: str, width: float, shape: Sequence[int]) -> np.ndarray:
    """Numbers from -width to width, or with that standard deviation."""
    if not isinstance(rng, np.random.Generator):
        raise DTypeError(
            f"{what}: rng must be a numpy.random.Generator (numpy.random.default_rng), not {described(rng)}"
        )
    given = rng.uniform(-width, width, tuple(shape)) if kind == "uniform" else rng.normal(0.0, width, tuple(shape))
    return np.asarray(given)
