"""How much work a loop nest is: whether threads are worth starting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from polyad.analysis.statement_cost import statement_cost
from polyad.codegen.loops.how import Work
from polyad.codegen.loops.loop_values import Value, branches, names_of
from polyad.codegen.loops.nodes import Block, Contraction, Guard, Instance, Let, Loop, Node, Share
from polyad.codegen.loops.value_ranges import Range, range_of
from polyad.ir.affine import Affine
from polyad.ir.statement import Statement
from polyad.machine import Machine

__all__ = ["Nest", "work_estimate", "work_rank"]

Nest = tuple[Loop | Share, Sequence[Loop | Let]]  # with what is around it

Span = tuple[Affine, Affine]  # least and greatest value of an iterator, roughly

TERMS = 2
"""The largest terms of the sum of work are written out; the others do not change the decision."""


def work_estimate(
    nests: Sequence[Nest],
    statements: Mapping[str, Statement],
    machine: Machine,
    least: float,
    ranges: Mapping[str, Range],
) -> Work:
    """The scalar operations of loop nests, on average: 8 for each of B * (4 * H), and so on.

    Args:
        nests: each with the loops and named integers around it that the work may not mention, outermost first.
        statements: by name.
        machine: says what an operation costs.
        least: threads pay for more than this.
        ranges: of sizes and iterators: where they say that the work is never enough, it is their number.
    """
    totals = _totals(nests, statements, machine)
    largest = sorted(totals, key=lambda term: (-len(term[1]), -term[0]))[:TERMS]  # of equal ones, the first
    most = sum(_most(cost, factors, ranges) for cost, factors in largest)
    return Work(tuple(largest), least) if most > least else Work(((int(most), ()),), least)


def _most(cost: int, factors: Sequence[Affine], ranges: Mapping[str, Range]) -> float:
    """The largest value of a term of the sum of work; a loop without iterations is none."""
    greatest = [range_of(factor, ranges)[1] for factor in factors]
    return 0 if any(g <= 0 for g in greatest) else prod(greatest, start=cost)


def work_rank(nest: Nest, statements: Mapping[str, Statement], machine: Machine) -> tuple[int, int]:
    """The largest term of the work: (the number of its factors that are no numbers, what it costs for each)."""
    totals = _totals([nest], statements, machine)
    return max(((len(factors), cost) for cost, factors in totals), default=(0, 0))


def _totals(
    nests: Sequence[Nest], statements: Mapping[str, Statement], machine: Machine
) -> list[tuple[int, tuple[Affine, ...]]]:
    """Return the cost of work that is done as many times as the product of some factors that are no numbers."""
    found: list[tuple[tuple[Affine, ...], int]] = []
    for loop, around in nests:
        spans: dict[str, Span] = {}
        for outer in around:
            spans |= _spans_of(outer, spans)
        found += _terms(loop, spans, statements, machine)
    totals: dict[tuple[str, ...], int] = {}
    first: dict[tuple[str, ...], tuple[Affine, ...]] = {}  # factors in any order -> as they were met first
    for factors, cost in found:
        constant = cost
        symbolic = []
        for factor in factors:
            if factor.is_constant:
                constant *= max(factor.constant, 1)
            else:
                symbolic.append(factor)
        key = tuple(sorted(map(str, symbolic)))
        first.setdefault(key, tuple(symbolic))
        totals[key] = totals.get(key, 0) + constant
    return [(cost, first[key]) for key, cost in totals.items()]


def _spans_of(node: Loop | Let, spans: Mapping[str, Span]) -> dict[str, Span]:
    """The values of what a loop or a named integer declares."""
    if isinstance(node, Let):
        return {node.name: _trips(node.value, node.value, 1, spans)[0]}
    return {node.iterator: _trips(*node.limits, abs(node.step), spans)[0]}


def _terms(
    node: Node, spans: Mapping[str, Span], statements: Mapping[str, Statement], machine: Machine
) -> list[tuple[tuple[Affine, ...], int]]:
    """(trip counts of the loops around, cost) for every instance in a tree."""
    match node:
        case Share(first, last, low, high, body):
            assert isinstance(low, Affine) and isinstance(high, Affine), "the parts of a share have affine limits"
            return _terms(body, {**spans, first: (low, low), last: (high, high)}, statements, machine)
        case Contraction(nest=nest):
            return _terms(nest, spans, statements, machine)
        case Block(children):
            found = []
            for c in children:
                found += _terms(c, spans, statements, machine)
                spans = {**spans, **_spans_of(c, spans)} if isinstance(c, Let) else spans
            return found
        case Guard(_, then, otherwise):
            other = _terms(otherwise, spans, statements, machine) if otherwise is not None else []
            return _terms(then, spans, statements, machine) + other
        case Loop():
            inside = _terms(node.body, {**spans, **_spans_of(node, spans)}, statements, machine)
            trips = _trips(*node.limits, abs(node.step), spans)[1]
            # Half of a rectangle lies in a triangle; a tile is as wide everywhere.
            moving = {name for name, (low, high) in spans.items() if low != high}
            varies = not trips.is_constant and any(names_of(limit) & moving for limit in node.limits)
            return [((trips, *f), (c + 1) // 2 if varies else c) for f, c in inside]
        case Instance(statement=name):
            return [((), statement_cost(statements[name], machine))] if name in statements else []
        case _:
            return []


def _trips(low: Value, high: Value, step: int, spans: Mapping[str, Span]) -> tuple[Span, Affine]:
    """The span of an iterator and its number of values, inner bounds at their widest."""
    lows, highs = [*branches(low)], [*branches(high)]
    exact = [h - a for a in lows for h in highs if (h - a).is_constant]
    outer_low = lows[0].substitute({n: s[0] for n, s in spans.items()})
    outer_high = highs[0].substitute({n: s[1] for n, s in spans.items()})
    width = exact[0] if exact else outer_high - outer_low
    return (outer_low, outer_high), (width + step) // step
