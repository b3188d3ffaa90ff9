"""What a target asks of the generated text."""

from __future__ import annotations

from dataclasses import dataclass

from polyad.machine import MACHINE, Machine
from polyad.schedule.strategies import ALL, Strategies

__all__ = ["CodegenOptions"]


@dataclass(frozen=True, slots=True)
class CodegenOptions:
    """Choices that do not change results.

    Attributes:
        openmp: emit parallel loops where the schedule marks them.
        parallel_threshold: a parallel loop whose estimated work (scalar operations, a transcendental counts 20) is less
            runs on one thread: starting threads costs some microseconds.
        region_threshold: a sequential loop is a parallel region if a loop inside of it has more work than this: threads
            are there already, and meet in a microsecond.
        strategies: the optimisations to make; marks of the schedule are obeyed whatever they say.
        vector_bytes: of the vectors in which results of reductions are computed: 32 is a register of AVX, half of one
            of AVX-512, and two of SSE and NEON.
        machine: what else pays.
    """

    openmp: bool = True
    parallel_threshold: float = MACHINE.thread_start
    region_threshold: float = MACHINE.thread_meeting
    strategies: Strategies = ALL
    vector_bytes: int = MACHINE.vector_bytes
    machine: Machine = MACHINE
