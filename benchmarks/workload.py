"""Declarations of a benchmark file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["Case", "Contender", "Ready", "Workload", "generator"]

Arrays = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the table.

    Attributes:
        sizes: size -> value, {"T": 100, "B": 16}.
        dtype: element type of all arrays.
        kind: which variant of the workload, "" where there is one only.
        goal: threads -> time of polyad / time of the best peer, at most. Empty where nothing was promised.
        quick: whether a quick run takes it: small, and unlike the other quick ones.
        symbolic: whether polyad learns the sizes when the kernel is called only; else they are constants.
    """

    sizes: Mapping[str, int]
    dtype: str = "float32"
    kind: str = ""
    goal: Mapping[int, float] = field(default_factory=dict)
    quick: bool = False
    symbolic: bool = False

    def __getitem__(self, size: str) -> int:
        return self.sizes[size]

    @property
    def title(self) -> str:
        """How the case is called in tables and on the command line: "gru T100 B16 f32"."""
        sizes = [f"{name}{value}" for name, value in self.sizes.items()]
        return " ".join([*([self.kind] if self.kind else []), *sizes, {"float32": "f32", "float64": "f64"}[self.dtype]])

    @property
    def rtol(self) -> float:
        """How far results may be apart, relative to the largest element of an array."""
        return 1e-3 if self.dtype == "float32" else 1e-8


def _as_list(result: Any) -> list[Any]:
    return [np.asarray(a) for a in (result if isinstance(result, list | tuple) else [result])]


@dataclass(frozen=True, slots=True)
class Ready:
    """A contender that is set up.

    Attributes:
        call: what is timed; it returns when the work is done.
        arrays: makes NumPy arrays of what `call` returned, in the order and layout that all contenders share.
        compile_seconds: how long it took to make machine code, where that can be told.
        workspace_bytes: scratch memory of a call, where that is known exactly.
    """

    call: Callable[[], Any]
    arrays: Callable[[Any], Sequence[Any]] = _as_list
    compile_seconds: float | None = None
    workspace_bytes: int | None = None


Contender = Callable[[Case], Ready]
"""Sets up a case, however long it takes. It imports its library itself, so that each process holds one."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Something to time.

    Attributes:
        about: one line: what is computed, with respect to what it is differentiated.
        cases: the sizes it is run at.
        contenders: name -> set-up. A name is a library's, or starts with it and a blank: "jax" or "jax cold" runs where
            JAX is asked for and installed. The first one is polyad, whose time is divided by that of the best peer.
        tiny: sizes at which a test compares all contenders.
        aside: contenders that are shown but do not count as the best peer; the workload's docstring says why.
    """

    about: str
    cases: tuple[Case, ...]
    contenders: Mapping[str, Contender]
    tiny: Mapping[str, int] = field(default_factory=dict)
    aside: tuple[str, ...] = ()


def generator(case: Case) -> np.random.Generator:
    """The same random numbers for all contenders, threads and element types of a case."""
    return np.random.default_rng([len(case.kind), *case.sizes.values()])
