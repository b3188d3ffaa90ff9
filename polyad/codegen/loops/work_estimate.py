"""How much work a loop nest is, as a C expression: whether threads are worth starting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from polyad.codegen.loops.loop_values import Choice, Extreme, Value
from polyad.codegen.loops.loops import Block, Contraction, Guard, Instance, Let, Loop, Node, Share
from polyad.codegen.text.integer_text import affine_text
from polyad.ir.affine import Affine
from polyad.ir.expr import Apply
from polyad.ir.statement import Statement
from polyad.ops import OPS

__all__ = ["statement_cost", "work_estimate", "work_rank"]

Span = tuple[Affine, Affine]  # least and greatest value of an iterator, roughly

TERMS = 2
"""The largest terms of the sum of work are written out; the others do not change the decision."""


def statement_cost(statement: Statement) -> int:
    """Scalar operations of one instance, a transcendental function counted as in the operator table."""
    operations = sum(OPS[e.op].cost for e in statement.expressions() if isinstance(e, Apply))
    return operations + (1 if statement.reduction else 0) + 1


def work_estimate(
    loop: Loop | Share,
    statements: Mapping[str, Statement],
    spell: Callable[[str], str],
    around: Sequence[Loop | Let] = (),
) -> str:
    """The scalar operations of a loop nest as a C expression of type double: `8.0 * (double)B * (double)(4 * H) + ...`.

    Args:
        loop: the nest.
        statements: by name.
        spell: the C name of a size or iterator.
        around: loops and named integers around it that the text may not mention, outermost first.
    """
    totals = _totals(loop, statements, spell, around)
    largest = sorted(totals.items(), key=lambda item: (-len(item[0]), -item[1]))[:TERMS]  # of equal ones, the first
    return " + ".join(" * ".join([f"{float(c)!r}", *(f"(double){f}" for f in factors)]) for factors, c in largest)


def work_rank(loop: Loop, statements: Mapping[str, Statement], around: Sequence[Loop | Let] = ()) -> tuple[int, int]:
    """The largest term of the work: (the number of its factors that are no numbers, what it costs for each)."""
    totals = _totals(loop, statements, str, around)
    return max(((len(factors), cost) for factors, cost in totals.items()), default=(0, 0))


def _totals(
    loop: Loop | Share, statements: Mapping[str, Statement], spell: Callable[[str], str], around: Sequence[Loop | Let]
) -> dict[tuple[str, ...], int]:
    """Factors that are no numbers -> the cost of what is done so many times."""
    spans: dict[str, Span] = {}
    for outer in around:
        spans |= _spans_of(outer, spans)
    totals: dict[tuple[str, ...], int] = {}
    first: dict[tuple[str, ...], tuple[str, ...]] = {}  # factors in any order -> as they were met first
    for factors, cost in _terms(loop, spans, statements):
        constant = cost
        symbolic = []
        for factor in factors:
            if factor.is_constant:
                constant *= max(factor.constant, 1)
            else:
                text = affine_text(factor, spell)
                symbolic.append(text if text.isidentifier() else f"({text})")
        key = first.setdefault(tuple(sorted(symbolic)), tuple(symbolic))
        totals[key] = totals.get(key, 0) + constant
    return totals


def _spans_of(node: Loop | Let, spans: Mapping[str, Span]) -> dict[str, Span]:
    """The values of what a loop or a named integer declares."""
    if isinstance(node, Let):
        return {node.name: _trips(node.value, node.value, 1, spans)[0]}
    return {node.iterator: _trips(*_limits(node), abs(node.step), spans)[0]}


def _limits(loop: Loop) -> tuple[Value, Value]:
    """The least and the greatest value of an iterator."""
    return (loop.first, loop.last) if loop.step > 0 else (loop.last, loop.first)


def _terms(
    node: Node, spans: Mapping[str, Span], statements: Mapping[str, Statement]
) -> list[tuple[tuple[Affine, ...], int]]:
    """(trip counts of the loops around, cost) for every instance in a tree."""
    match node:
        case Share(first, last, low, high, body):
            assert isinstance(low, Affine) and isinstance(high, Affine), "the parts of a share have affine limits"
            return _terms(body, {**spans, first: (low, low), last: (high, high)}, statements)
        case Contraction(nest=nest):
            return _terms(nest, spans, statements)
        case Block(children):
            found = []
            for c in children:
                found += _terms(c, spans, statements)
                spans = {**spans, **_spans_of(c, spans)} if isinstance(c, Let) else spans
            return found
        case Guard(_, then, otherwise):
            other = _terms(otherwise, spans, statements) if otherwise is not None else []
            return _terms(then, spans, statements) + other
        case Loop():
            inside = _terms(node.body, {**spans, **_spans_of(node, spans)}, statements)
            trips = _trips(*_limits(node), abs(node.step), spans)[1]
            return [((trips, *f), c) for f, c in inside]
        case Instance(statement=name):
            return [((), statement_cost(statements[name]))] if name in statements else []
        case _:
            return []


def _trips(low: Value, high: Value, step: int, spans: Mapping[str, Span]) -> tuple[Span, Affine]:
    """The span of an iterator and its number of values, inner bounds at their widest."""
    lows, highs = _branches(low), _branches(high)
    exact = [h - a for a in lows for h in highs if (h - a).is_constant]
    outer_low = lows[0].substitute({n: s[0] for n, s in spans.items()})
    outer_high = highs[0].substitute({n: s[1] for n, s in spans.items()})
    width = exact[0] if exact else outer_high - outer_low
    return (outer_low, outer_high), (width + step) // step


def _branches(value: Value) -> list[Affine]:
    match value:
        case Affine():
            return [value]
        case Extreme(_, args):
            return [b for a in args for b in _branches(a)]
        case Choice(_, a, b):
            return _branches(a) + _branches(b)
