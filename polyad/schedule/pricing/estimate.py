"""The price of a schedule at given sizes, and what it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

import islpy as isl

from polyad.ir.program import Program
from polyad.machine import MACHINE, Machine
from polyad.schedule.pricing.instructions import instructions
from polyad.schedule.pricing.nests import Loop, Nest, Run, Sequence, nest_of
from polyad.schedule.pricing.traffic import arrays_of, traffic
from polyad.schedule.tree.marks import ContractionMark, PartsMark, RegionMark, Threaded
from polyad.schedule.tree.nodes import Node

__all__ = ["Price", "price_of"]


@dataclass(frozen=True, slots=True)
class Price:
    """An estimate of what a schedule takes, in instructions of one core.

    Attributes:
        computed: instructions, those of the busiest thread.
        near: what waits for bytes that are not in a core's own cache.
        far: what waits for bytes from memory.
        threads: what starting threads and their meetings take.
    """

    computed: float
    near: float
    far: float
    threads: float

    @property
    def total(self) -> float:
        """Instructions, and instructions that could have run meanwhile."""
        return self.computed + self.near + self.far + self.threads

    def __str__(self) -> str:
        parts = {"computing": self.computed, "cache": self.near, "memory": self.far, "threads": self.threads}
        told = ", ".join(f"{name} {value:.3g}" for name, value in parts.items() if value)
        return f"{self.total:.3g} instructions ({told})"


def price_of(
    program: Program,
    domain: isl.UnionSet,
    tree: Node,
    sizes: Mapping[str, int],
    machine: Machine = MACHINE,
    threads: int = 1,
) -> Price:
    """The price of a schedule tree.

    Equation: price = instructions + bytes beyond the own cache * b1 + bytes from memory * b2 + threads (decision 82).

    Args:
        program: as it was scheduled, `kernel.program`.
        domain: { S[i] }, its instances.
        tree: their order; `parallel` and other marks count.
        sizes: named sizes; others are taken for `Machine.guess`.
        machine: caches, lanes, and what things cost.
        threads: that run it.
    """
    sizes = {name: sizes.get(name, machine.guess) for name in program.params}
    nest = nest_of(program, domain, tree, sizes)
    computed = sum(_computed(run, loops, machine, threads) for run, loops in _runs(nest, ()))
    started = _started(nest, 1.0, False, machine) if threads > 1 else 0.0
    arrays = arrays_of(program, sizes)
    near, far = (traffic(arrays, nest, cache, machine.line) for cache in (machine.cache, machine.shared_cache))
    return Price(computed, near * machine.near_byte, far * machine.far_byte, started)


def _computed(run: Run, loops: tuple[Loop, ...], machine: Machine, threads: int) -> float:
    """Instructions of a statement on the busiest thread."""
    instances = run.times * prod(loop.trips for loop in loops)
    return instructions(run.statement, instances, loops, machine) / min(threads, _parallel(loops))


def _runs(nest: Nest, loops: tuple[Loop, ...]) -> Iterator[tuple[Run, tuple[Loop, ...]]]:
    """The statements, each with the loops around it."""
    match nest:
        case Run():
            yield nest, loops
        case Sequence(children):
            for child in children:
                yield from _runs(child, loops)
        case Loop(body=body):
            yield from _runs(body, (*loops, nest))


def _parallel(loops: tuple[Loop, ...]) -> int:
    """The number of threads that find work in the loops."""
    shared = (loop for loop in loops if isinstance(loop.mark, Threaded | PartsMark | ContractionMark))
    return next((max(int(loop.trips), 1) for loop in shared), 1)


def _started(nest: Nest, times: float, running: bool, machine: Machine) -> float:
    """The price of starting threads, and of their meetings."""
    match nest:
        case Run():
            return 0.0
        case Sequence(children):
            return sum(_started(c, times, running, machine) for c in children)
        case Loop(_, trips, mark, body):
            width = machine.vector_bytes / 4
            if isinstance(mark, Threaded):
                return times * (machine.thread_meeting if running else machine.thread_start) / width
            if isinstance(mark, RegionMark):
                start = times * machine.thread_start / width
                return start + _started(body, times * trips, True, machine)
            return _started(body, times * trips, running, machine)
