"""Sequential loops that are marked `region`: threads start once around them, and not in each of their iterations.

    for t                       region for t
    ├─ parallel for b     ->    ├─ parallel for b
    └─ parallel for i           └─ parallel for i

The mark asks: what threads share, and what one of them does alone, depends on where arrays are stored
(codegen/lower/regions.py). A contraction outside of parallel loops, or a shared loop, has threads of its own, so no
region stands around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polyad import islx
from polyad.schedule.state.problem import Problem
from polyad.schedule.tree.marks import ContractionMark, Kind, ParallelMark, RegionMark, ShareMark, Threaded
from polyad.schedule.tree.nodes import Band, Mark, Node, Order, row_functions

__all__ = ["with_regions"]


def with_regions(problem: Problem, tree: Node) -> Node:
    """The tree with the outermost sequential loops around parallel ones marked."""
    match tree:
        case Mark(ParallelMark() | ShareMark() | ContractionMark(), _):
            return tree
        case Mark(child=child):
            return replace(tree, child=with_regions(problem, child))
        case Band(child=child):
            kinds = list(_marks(child))
            if (
                ParallelMark() in kinds
                and not {ShareMark(), ContractionMark()} & set(kinds)
                and not _is_small(problem, tree)
            ):
                return Mark(RegionMark(), tree)
            return replace(tree, child=with_regions(problem, child))
        case Order(children):
            return replace(tree, children=tuple((part, with_regions(problem, child)) for part, child in children))
        case _:
            return tree


def _marks(tree: Node) -> Iterator[Kind]:
    """The marks in a tree, without those inside of parallel loops."""
    match tree:
        case Mark(kind, child):
            yield kind
            if not isinstance(kind, Threaded):
                yield from _marks(child)
        case Band(child=child):
            yield from _marks(child)
        case Order(children):
            for _, child in children:
                yield from _marks(child)
        case _:
            pass


def _is_small(problem: Problem, band: Band) -> bool:
    """Whether all sizes are numbers, and an iteration does less than it takes threads to meet."""
    work = 0
    for name, row in row_functions(band.partial.get_at(0)).items():
        facts = problem.facts[name]
        iterations = row.as_map().intersect_domain(facts.domain).range()
        values = islx.extent(iterations, 0) if iterations.is_bounded() else None
        done = facts.work(problem.machine)
        if values is None or done is None:
            return False
        work += done // max(values // int(iterations.get_stride(0).to_python()), 1)  # tiles begin at every 16th, say
    return work <= problem.machine.thread_meeting
