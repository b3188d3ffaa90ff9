"""How much work a loop nest is, as a C expression: whether threads are worth starting."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from polyad.codegen.integer_text import affine_text
from polyad.codegen.loop_values import Choice, Extreme, Value
from polyad.codegen.loops import Block, Guard, Instance, Loop, Node
from polyad.ir.affine import Affine
from polyad.ir.expr import Apply
from polyad.ir.statement import Statement
from polyad.ops import OPS

__all__ = ["statement_cost", "work_estimate"]

Span = tuple[Affine, Affine]  # least and greatest value of an iterator, roughly

TERMS = 2
"""The largest terms of the sum of work are written out; the others do not change the decision."""


def statement_cost(statement: Statement) -> int:
    """Scalar operations of one instance, a transcendental function counted as in the operator table."""
    operations = sum(OPS[e.op].cost for e in statement.expressions() if isinstance(e, Apply))
    return operations + (1 if statement.reduction else 0) + 1


def work_estimate(loop: Loop, statements: Mapping[str, Statement], spell: Callable[[str], str]) -> str:
    """The scalar operations of a loop nest as a C expression of type double: `8.0 * B * (4 * H) + ...`."""
    totals: dict[tuple[str, ...], int] = {}
    for factors, cost in _terms(loop, {}, statements):
        constant = cost
        symbolic = []
        for factor in factors:
            if factor.is_constant:
                constant *= max(factor.constant, 1)
            else:
                text = affine_text(factor, spell)
                symbolic.append(text if text.isidentifier() else f"({text})")
        key = tuple(sorted(symbolic))
        totals[key] = totals.get(key, 0) + constant
    largest = sorted(totals.items(), key=lambda item: (-len(item[0]), -item[1], item[0]))[:TERMS]
    return " + ".join(" * ".join([f"{float(c)!r}", *factors]) for factors, c in largest)


def _terms(
    node: Node, spans: Mapping[str, Span], statements: Mapping[str, Statement]
) -> list[tuple[tuple[Affine, ...], int]]:
    """(trip counts of the loops around, cost) for every instance in a tree."""
    match node:
        case Block(children):
            return [t for c in children for t in _terms(c, spans, statements)]
        case Guard(_, then, otherwise):
            other = _terms(otherwise, spans, statements) if otherwise is not None else []
            return _terms(then, spans, statements) + other
        case Loop():
            low, high = (node.first, node.last) if node.step > 0 else (node.last, node.first)
            span, trips = _trips(low, high, abs(node.step), spans)
            return [((trips, *f), c) for f, c in _terms(node.body, {**spans, node.iterator: span}, statements)]
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
