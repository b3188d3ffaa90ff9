"""What a benchmark file declares."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Case", "Contender", "Workload"]

Case = Mapping[str, int]  # size -> value: {"T": 100, "B": 16}
Contender = Callable[[Case], Callable[[], Any]]
"""Sets up a case, however long it takes, and returns the function to time. What that function returns is compared with
the other contenders: a NumPy array, or a sequence of them. A contender imports its library itself, so that each
process holds one."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Something to time.

    Attributes:
        about: one line: what is computed, in which precision.
        cases: the sizes it is run at.
        contenders: name -> set-up. The first one is what the others are compared with. A name is a library's, or starts
            with it and a blank: "jax" or "jax cold" runs where JAX is asked for and installed.
        rtol: how far results may be apart, relative to the largest element of an array.
    """

    about: str
    cases: tuple[Case, ...]
    contenders: Mapping[str, Contender] = field(default_factory=dict)
    rtol: float = 1e-4
