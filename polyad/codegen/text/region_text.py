"""Parallel regions in C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from polyad.codegen.loops.loops import Contraction, Guard, Let, Loop, Node, Pack, Share, children, nodes
from polyad.codegen.loops.statement_accesses import Touch
from polyad.codegen.loops.work_estimate import work_estimate, work_rank
from polyad.codegen.lower.parallel_region import Each, One, Part, Shared, region_parts
from polyad.codegen.names import Spelling
from polyad.codegen.options import CodegenOptions
from polyad.codegen.text.integer_text import condition_text
from polyad.codegen.text.line_text import broken, indented
from polyad.codegen.text.statement_text import StatementText

__all__ = ["region_lines"]


class Printer(Protocol):
    """What prints single nodes (loop_text.py)."""

    statements: StatementText
    touches: Mapping[str, tuple[Touch, ...]]
    memory: Mapping[str, int]
    options: CodegenOptions

    def node(self, node: Node, threaded: bool) -> list[str]:
        """A node; `threaded`: threads are already there."""

    def head(self, loop: Loop) -> list[str]:
        """for (...) {."""

    @property
    def spell(self) -> Spelling:
        """The C names of sizes and iterators."""

    def divided(self, loop: Loop, barrier: bool) -> list[str]:
        """A loop whose iterations the threads share."""

    def expanded(self, loop: Loop) -> Sequence[Node]:
        """A loop as it is printed."""


def region_lines(loop: Loop, printer: Printer) -> list[str] | None:
    """A sequential loop in a parallel region of its own, or None where it needs none.

    Threads are started if one iteration of the largest loop inside is worth the barriers.

    Args:
        loop: no parallel loop is around it.
        printer: prints what is inside of the parts.
    """
    if loop.parallel or not printer.options.openmp or not printer.options.strategies.region:
        return None
    inside = _parallel_loops(loop, ())
    # What shares a loop among threads has a region of its own, and so has what the macro-kernel computes by itself; in
    # an iteration of a parallel loop it runs in the thread that has the iteration.
    within = {n for shared, _ in inside for n in nodes(shared)}
    alone = [n for n in nodes(loop) if isinstance(n, Contraction | Pack | Share)]
    if not inside or not all(isinstance(n, Contraction) and n in within for n in alone):
        return None
    statements = printer.statements.statements
    rank = {n: work_rank(n, statements, around) for n, around in inside}
    most, around = max(inside, key=lambda found: rank[found[0]])
    text = work_estimate(most, statements, printer.spell, around)
    least = printer.options.machine.thread_meeting
    if not any(c in text for c in "*+") and float(text or 0) <= least:
        return None
    # Loops over borders are done by one thread, before threads have met at a barrier after each.
    small = frozenset(n for n, _ in inside if rank[n][0] <= 1 < rank[most][0])
    parts = region_parts(loop, printer.touches, printer.memory, small, printer.expanded)
    if parts is None:
        return None
    lines = [*printer.head(loop), *indented(_parts(parts, printer)), "}"]
    return [*broken(f"PA_PARALLEL_IF({text} > {least:.1f})"), "{", *indented(lines), "}"]


def _parallel_loops(node: Node, around: tuple[Loop | Let, ...]) -> list[tuple[Loop, tuple[Loop | Let, ...]]]:
    """The outermost parallel loops of a tree, each with the loops and named integers around it."""
    if isinstance(node, Loop) and node.parallel:
        return [(node, around)]
    if isinstance(node, Loop):
        around = (*around, node)
    found = []
    for child in children(node):
        found += _parallel_loops(child, around)
        around = (*around, child) if isinstance(child, Let) else around
    return found


def _parts(parts: Sequence[Part], printer: Printer) -> list[str]:
    return [line for part in parts for line in _part(part, printer)]


def _part(part: Part, printer: Printer) -> list[str]:
    """The lines of one part."""
    match part:
        case Shared(loop, barrier):
            return printer.divided(loop, barrier)
        case One(several):
            return ["PA_SINGLE", "{", *indented([line for n in several for line in printer.node(n, True)]), "}"]
        case Each(node, (), barrier):
            return [*printer.node(node, True), *(["PA_BARRIER"] if barrier else [])]
        case Each(Loop() as loop, (body,)):
            return [*printer.head(loop), *indented(_parts(body, printer)), "}"]
        case Each(Guard(condition), branches):
            lines = [f"if ({condition_text(condition, printer.spell)}) {{", *indented(_parts(branches[0], printer))]
            for other in branches[1:]:
                lines += ["} else {", *indented(_parts(other, printer))]
            return [*lines, "}"]
        case Each(_, (body,)):
            return ["{", *indented(_parts(body, printer)), "}"]
        case _:
            raise AssertionError("nodes with parts are loops, guards and blocks")
