"""A program of the cliff detector: arrays whose extents hold one size N, and one function for each wording."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

__all__ = ["AROUND", "Program", "program"]

AROUND = (31, 32, 33, 63, 64, 65, 127, 128, 129)
"""Sizes before, at and behind what vectors, register blocks and caches are made of."""


@dataclass(frozen=True, slots=True)
class Program:
    """One program in several wordings.

    Attributes:
        arrays: name -> its extents, integers or "N". A name that begins with "p_" holds numbers between 0.5 and 1, one
            with "i_" integers below N; others hold small numbers of both signs.
        points: extents whose product the time is divided by.
        wordings: name -> f(lib, *arrays), an array. `lib` is polyad, or what has its words for another library.
        sizes: values of N.
    """

    arrays: Mapping[str, tuple[int | str, ...]]
    points: tuple[int | str, ...]
    wordings: Mapping[str, Callable[..., Any]]
    sizes: tuple[int, ...]

    def inputs(self, N: int) -> dict[str, Any]:
        """The arrays at a size."""
        return {name: _values(name, _extents(shape, N)) for name, shape in self.arrays.items()}

    def count(self, N: int) -> int:
        """How many points there are at a size."""
        return prod(_extents(self.points, N))


def _extents(shape: tuple[int | str, ...], N: int) -> tuple[int, ...]:
    return tuple(N if s == "N" else int(s) for s in shape)


def _values(name: str, shape: tuple[int, ...]) -> Any:
    rng = np.random.default_rng([len(name), *shape])
    if name.startswith("i_"):
        return rng.integers(0, 31, shape).astype(np.int32)
    values = rng.random(shape) / 2 + 0.5 if name.startswith("p_") else rng.normal(size=shape, scale=0.1)
    return values.astype(np.float32)


def program(arrays: str, points: str, sizes: tuple[int, ...] = AROUND, **wordings: Callable[..., Any]) -> Program:
    """A program from "x: 16 4 N, W: N N" and "N N"."""
    found = dict(one.split(":") for one in arrays.split(", "))
    shapes = {name: tuple(shape.split()) for name, shape in found.items()}
    return Program(shapes, tuple(points.split()), wordings, sizes)
