"""How the inputs of a case are drawn: `draw(rng, shape, sizes)`."""

from collections.abc import Mapping

import numpy as np

from tests.pet.case import Array, Draw

Sizes = Mapping[str, int]


def positive_definite(rng: np.random.Generator, shape: tuple[int, ...], sizes: Sizes) -> Array:
    half = rng.normal(size=shape)
    return np.asarray(half @ half.T + 3 * np.eye(shape[0]))


def diagonally_dominant(rng: np.random.Generator, shape: tuple[int, ...], sizes: Sizes) -> Array:
    return np.asarray(rng.uniform(-1, 1, size=shape) + (shape[0] + 1) * np.eye(shape[0]))


def decaying(rng: np.random.Generator, shape: tuple[int, ...], sizes: Sizes) -> Array:
    """Draw a few autocorrelations that are small enough for a positive definite Toeplitz matrix."""
    return np.asarray(rng.uniform(-0.5, 0.5, size=shape) / (1 + np.arange(shape[0])))


def probabilities(rng: np.random.Generator, shape: tuple[int, ...], sizes: Sizes) -> Array:
    drawn = rng.uniform(size=shape)
    return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))


def scaled(scale: float) -> Draw:
    return lambda rng, shape, sizes: np.asarray(rng.normal(size=shape, scale=scale))


def between(low: float, high: float) -> Draw:
    return lambda rng, shape, sizes: np.asarray(rng.uniform(low, high, size=shape))


def exactly(value: float) -> Draw:
    return lambda rng, shape, sizes: np.full(shape, value)


def indices(of: str) -> Draw:
    """Draw numbers from 0 up to the extent `of`."""
    return lambda rng, shape, sizes: np.asarray(rng.integers(0, max(1, sizes[of]), size=shape))


def indices_or_none(of: str) -> Draw:
    """Draw numbers from -1, which stands for none, up to the extent `of`."""
    return lambda rng, shape, sizes: np.asarray(rng.integers(-1, max(1, sizes[of]), size=shape))


def integers(below: int) -> Draw:
    """Draw integers from 0 up to a number."""
    return lambda rng, shape, sizes: np.asarray(rng.integers(0, below, size=shape))
