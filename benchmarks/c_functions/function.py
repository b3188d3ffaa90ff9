"""A C function of the tests at one choice of sizes: its text, its parameters and what it is called with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.c_functions.sizes import SIZES
from tests.pet.case import Array, Case, Draw, Parameter
from tests.pet.corpus import CASES
from tests.pet.draws import Sizes

__all__ = ["Function", "function_named"]


@dataclass(frozen=True, slots=True)
class Function:
    """One function with its arguments.

    Attributes:
        case: the function, and what is differentiated by what.
        sizes: its extents: integers that are passed, and macros.
        given: the arguments, by name.
        text: the C file, with macros that are extents replaced.
    """

    case: Case
    sizes: Mapping[str, int]
    given: Mapping[str, Any]
    text: str

    @property
    def name(self) -> str:
        return self.case.function

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.case.parameters

    @property
    def written(self) -> tuple[str, ...]:
        """The arrays that it writes, in the order of its parameters."""
        return tuple(p.name for p in self.parameters if p.name in {*self.case.updates, *self.case.results})

    def seed(self) -> Any:
        """The cotangent of what is differentiated: ones."""
        return np.ones_like(self.given[self.case.of])


def _stable(rng: np.random.Generator, shape: tuple[int, ...], sizes: Sizes) -> Array:
    """Draw a matrix whose powers stay small."""
    return np.asarray(0.7 * rng.normal(size=shape) / np.sqrt(shape[0]))


def _faster_decaying(rng: np.random.Generator, shape: tuple[int, ...], sizes: Sizes) -> Array:
    return np.asarray(rng.uniform(-0.5, 0.5, size=shape) / (1 + np.arange(shape[0])) ** 2)


_DRAWS: Mapping[str, Mapping[str, Draw]] = {"durbin": {"r": _faster_decaying}, "kalman": {"F": _stable}}
"""Case of the tests -> how arguments are drawn that would make numbers large at these sizes."""


def function_named(name: str) -> Function:
    case, sizes = CASES[name], SIZES[name]
    case = replace(case, draw={**case.draw, **_DRAWS.get(name, {})})
    text = case.path.read_text()
    for macro, value in sizes.items():
        text = re.sub(rf"^#define {macro} \d+$", f"#define {macro} {value}", text, flags=re.MULTILINE)
    return Function(case, sizes, case.arguments(0, sizes), text)
