"""Candidates in the child process: made, proved legal, certified, run on the arrays of a call, measured in turns."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from polyad.ir.json_text import from_json
from polyad.ir.program import Program
from polyad.kernel import Kernel
from polyad.pipeline import compile_program
from polyad.runtime.cache import digest
from polyad.schedule.moves.move import Move
from polyad.schedule.schedule import Schedule
from polyad.targets.target import Target
from polyad.tuning.noise import FEWEST, is_hopeless

__all__ = ["Bench", "Built", "Setup", "begin", "build", "compare"]

SAMPLE = 2e-3
"""Seconds that are measured at once, at least: as many calls as that takes."""

ROUNDS = 31
"""Measurements of each candidate, at most."""

SLOW = 3.0
"""Times as slow as the best one from which on a candidate is not measured on."""

KEPT = 4
"""Kernels that a child holds: the best one is asked for again and again, others are not."""

Moves = tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that a child has to know.

    Attributes:
        definition: what is compiled, as JSON.
        target: what for.
        fixed: sizes that are fixed.
        schedule: the YAML text of a schedule that was given; None for the default.
        arrays: the inputs.
        sizes: those given by name.
        memory: bytes that the child may have more than it has at first; 0 for as much as it likes.
    """

    definition: str
    target: Target
    fixed: Mapping[str, int]
    schedule: str | None
    arrays: tuple[Any, ...]
    sizes: Mapping[str, int]
    memory: int = 0


@dataclass(frozen=True, slots=True)
class Built:
    """A candidate that was made.

    Attributes:
        code: digest of its C.
        certificate: what was proved of it.
        proved: whether that is anything: proofs that take too long are given up.
    """

    code: str
    certificate: str
    proved: bool = True


@dataclass(slots=True)
class Bench:
    """The state of a child.

    Attributes:
        setup: what it was told.
        program: its definition.
        kernels: moves -> kernel, of those that were asked for last.
    """

    setup: Setup
    program: Program
    kernels: dict[Moves, Kernel] = field(default_factory=dict)

    def kernel(self, moves: Moves) -> Kernel:
        """The kernel after these moves."""
        if moves in self.kernels:
            self.kernels[moves] = self.kernels.pop(moves)  # the one that was asked for last comes last
        else:
            given = None if self.setup.schedule is None else Schedule.from_yaml(self.setup.schedule)
            self.kernels[moves] = compile_program(self.program, self.setup.target, self.setup.fixed, given, moves=moves)
            while len(self.kernels) > KEPT:
                del self.kernels[next(iter(self.kernels))]
        return self.kernels[moves]

    def seconds(self, kernel: Kernel, out: Any, calls: int) -> float:
        """The time of one of several calls."""
        arrays, sizes = self.setup.arrays, self.setup.sizes
        start = time.perf_counter()
        for _ in range(calls):
            kernel(*arrays, out=out, **sizes)
        return (time.perf_counter() - start) / calls


_BENCHES: list[Bench] = []
"""The one of this process, once it has begun."""


def begin(setup: Setup) -> None:
    """Get ready."""
    _BENCHES[:] = [Bench(setup, from_json(setup.definition))]
    if setup.memory:
        _limit_memory(setup.memory)


def build(moves: Moves) -> Built:
    """Make a candidate, prove it legal, compile and certify it.

    Raises:
        IllegalScheduleError: it violates a dependence.
        ScheduleError: a move does not fit.
        CertificationError: its loops do something else than the program.
        CompileError: the compiler failed.
    """
    kernel = _BENCHES[0].kernel(moves)
    certificate = kernel.certify()
    return Built(digest(kernel.source), str(certificate), certificate.all_sizes or bool(certificate.sizes))


def compare(old: Moves, new: Moves, seconds: float) -> tuple[list[float], list[float]]:
    """Seconds of a call of two kernels, measured in turns.

    Args:
        old: the moves of the first one.
        new: those of the second one.
        seconds: how long to measure, with a few measurements in any case; one that is slow, or slower each time, is not
            measured to the end.
    """
    bench = _BENCHES[0]
    kernels = [bench.kernel(old), bench.kernel(new)]
    outs = [_outputs(k(*bench.setup.arrays, **bench.setup.sizes)) for k in kernels]
    first = [bench.seconds(k, out, 1) for k, out in zip(kernels, outs, strict=True)]
    calls = max(1, math.ceil(SAMPLE / max(min(first), 1e-9)))
    times: tuple[list[float], list[float]] = [], []
    if first[1] > SLOW * first[0] and bench.seconds(kernels[1], outs[1], 1) > SLOW * first[0]:
        return [first[0]], [first[1]]
    end = time.perf_counter() + seconds
    for done in range(ROUNDS):
        if (done >= FEWEST and time.perf_counter() > end) or is_hopeless(*times):
            break
        for kernel, out, found in zip(kernels, outs, times, strict=True):
            found.append(bench.seconds(kernel, out, calls))
    return times


def _outputs(result: Any) -> list[np.ndarray]:
    return list(result) if isinstance(result, tuple) else [result]


def _limit_memory(more: int) -> None:
    """Let allocations fail from some bytes on, where the system can do that."""
    try:
        import resource  # which other systems than Unix do not have

        with open("/proc/self/status", encoding="ascii") as file:
            now = next(int(line.split()[1]) << 10 for line in file if line.startswith("VmData"))
        resource.setrlimit(resource.RLIMIT_DATA, (now + more, now + more))
    except (ImportError, OSError, StopIteration, ValueError):
        return
