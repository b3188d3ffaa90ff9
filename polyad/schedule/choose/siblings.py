"""Statements that no dependence joins, and that gain from a common loop all the same.

y[i, 0] = 0                        pieces of one array: side by side in memory, so that a line that
y[i, k] = f(x[i, k])               several of them write is fetched once (k >= 1)

z[i, k] = g(x[i, k])               readers of one element, inside of other loops

m[] += x[i]                        sums over everything that read one element: it is loaded once, and no addition
s[] += x[i] * x[i]                 waits for the one before alone
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad.ir.statement import Statement
from polyad.schedule.state.equalities import Equalities
from polyad.schedule.state.problem import Edge, Problem

__all__ = ["siblings"]

_NEAR = 8  # statements after another one that are tried as its siblings: fusion then goes on from those


def siblings(problem: Problem) -> list[Edge]:
    """Pairs of pointwise statements that read the same elements, or write pieces of one array; kind "shared".

    Outermost loops are common to pieces and sums over everything only: two weight gradients keep a loop nest each.
    """
    found = [*_shared_reads(problem, [n for n in problem.names if problem.order(n).is_total]), *_pieces(problem)]
    if problem.in_parallel or problem.in_sequence:
        found = [*_shared_reads(problem, [n for n in problem.names if not problem.facts[n].profile.reductions]), *found]
    return found


def _pieces(problem: Problem) -> list[Edge]:
    """Pairs of definitions of one array, in step along as many of its leading indices as they have in common."""
    pieces: dict[str, list[str]] = {}
    for n in problem.names:
        facts = problem.facts[n]
        if facts.statement.reduction is None and not facts.identity:
            pieces.setdefault(facts.statement.array, []).append(n)
    found = []
    for array, names in pieces.items():
        for a in names:
            for b in _after(a, names):
                relation = _leading(problem.facts[a].statement, problem.facts[b].statement)
                if relation is not None:
                    found.append(_edge(problem, a, b, relation, array))
    return found


def _leading(first: Statement, second: Statement) -> isl.Map | None:
    """{ first -> second : the leading indices of the elements they write agree }, with as many as leave any pair."""
    result = None
    rank = first.write_relation().dim(isl.dim_type.out)
    for count in range(1, rank):
        ends = [s.write_relation().project_out(isl.dim_type.out, count, rank - count) for s in (first, second)]
        relation = ends[0].apply_range(ends[1].reverse())
        if relation.is_empty():
            break
        result = relation
    return result


def _shared_reads(problem: Problem, names: Sequence[str]) -> list[Edge]:
    """Pairs of the statements named that read the same elements of an array."""
    reads = {n: tuple(problem.facts[n].statement.reads()) for n in names}
    readers: dict[str, list[str]] = {}
    for n in names:
        for array in dict.fromkeys(r.array for r in reads[n]):
            readers.setdefault(array, []).append(n)
    found: list[Edge] = []
    for a in names:
        first = problem.facts[a].statement
        arrays = {r.array: r for r in reads[a]}
        near = {n for array in arrays for n in _after(a, readers[array])}
        for b in problem.listed(near):
            second = problem.facts[b].statement
            pair = next((arrays[r.array], r) for r in reads[b] if r.array in arrays)
            relation = first.read_relation(pair[0]).apply_range(second.read_relation(pair[1]).reverse())
            found.append(_edge(problem, a, b, relation, pair[0].array))
    return found


def _edge(problem: Problem, a: str, b: str, relation: isl.Map, array: str) -> Edge:
    """The pairs of a relation in one iteration of the loops around."""
    equalities = Equalities.of_map(relation, problem.dims(a), problem.dims(b))
    for row_a, row_b in zip(problem.around[a], problem.around[b], strict=True):
        equalities = equalities.and_equal(row_a, row_b)
    return Edge(a, b, relation, equalities, array, "shared")


def _after(name: str, names: Sequence[str]) -> Sequence[str]:
    start = names.index(name) + 1
    return names[start : start + _NEAR]
