"""Options of the generated text that a target asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polyad.machine import MACHINE, Machine
from polyad.schedule.strategies import ALL, Strategies

__all__ = ["CodegenOptions"]


@dataclass(frozen=True, slots=True)
class CodegenOptions:
    """Choices that do not change results.

    Attributes:
        openmp: emit parallel loops where the schedule marks them.
        strategies: the optimisations to make; marks of the schedule are obeyed whatever they say.
        machine: from which sizes on they pay, and how long its vectors are.
        in_order: the schedule was given: what it adds up one number after the other is added up so, in its own type.
        index: the type of loop variables and subscripts.
    """

    openmp: bool = True
    strategies: Strategies = ALL
    machine: Machine = MACHINE
    in_order: bool = False
    index: Literal["int64", "int32"] = "int64"
