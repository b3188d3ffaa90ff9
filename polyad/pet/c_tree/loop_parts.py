"""Loops and conditions taken apart, and the variables that statements set."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence

from pycparser import c_ast

from polyad.pet.c_text.outside import target_of
from polyad.pet.c_text.parse import walk
from polyad.pet.c_tree.nodes import STEPS, block, inverse, is_break, own_jumps, statements

__all__ = [
    "apart",
    "before_counter",
    "conjunction",
    "conjuncts",
    "disjuncts",
    "is_data",
    "is_false",
    "leaves",
    "names_assigned",
    "names_in",
    "one_turn",
    "stepped",
    "unsigned",
    "words_of",
]


def one_turn(item: c_ast.Node) -> list[c_ast.Node] | None:
    """One turn of a loop, with the conditions that end it; None where `continue` leaves a part of it out."""
    body = statements(item.stmt)
    skips = any(own_jumps(body, c_ast.Continue))
    ends = (
        []
        if item.cond is None
        else [
            c_ast.If(inverse(c), block([c_ast.Break(item.coord)], item), None, item.coord) for c in conjuncts(item.cond)
        ]
    )
    ends = [e for e in ends if not is_false(e.cond)]
    if isinstance(item, c_ast.DoWhile):
        return None if skips else [*body, *ends]
    if isinstance(item, c_ast.For) and item.next is not None:
        return None if skips else [*ends, *body, item.next]
    return [*ends, *body]


def apart(item: c_ast.Node) -> list[c_ast.Node]:
    """`if (a || b) break;` as two statements."""
    if not is_break(item):
        return [item]
    return [c_ast.If(c, item.iftrue, None, item.coord) for c in disjuncts(item.cond)]


def is_false(condition: c_ast.Node) -> bool:
    """Whether a condition is `!(1)`."""
    inner = condition.expr if isinstance(condition, c_ast.UnaryOp) and condition.op == "!" else None
    return isinstance(inner, c_ast.Constant) and inner.value not in ("0",)


def conjuncts(condition: c_ast.Node) -> list[c_ast.Node]:
    """The parts of a condition between `&&`."""
    if isinstance(condition, c_ast.BinaryOp) and condition.op == "&&":
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    return [condition]


def disjuncts(condition: c_ast.Node) -> list[c_ast.Node]:
    """The parts of a condition between `||`."""
    if isinstance(condition, c_ast.BinaryOp) and condition.op == "||":
        return [*disjuncts(condition.left), *disjuncts(condition.right)]
    return [condition]


def conjunction(conditions: Sequence[c_ast.Node]) -> c_ast.Node:
    """Conditions with `&&` between them."""
    result = conditions[0]
    for condition in conditions[1:]:
        result = c_ast.BinaryOp("&&", result, condition)
    return result


def names_assigned(items: Sequence[c_ast.Node]) -> set[str]:
    """The variables that statements set or declare."""
    found = set()
    for item in items:
        for node, _ in walk(item):
            if isinstance(node, c_ast.Assignment) and isinstance(node.lvalue, c_ast.ID):
                found.add(str(node.lvalue.name))
            elif isinstance(node, c_ast.UnaryOp) and node.op in STEPS and isinstance(node.expr, c_ast.ID):
                found.add(str(node.expr.name))
            elif isinstance(node, c_ast.Decl):
                found.add(str(node.name))
    return found


def stepped(item: c_ast.Node) -> Iterator[str]:
    """The variables that are set in loops, or changed, but by more than the head of a loop."""
    heads = {id(n.next) for n, _ in walk(item) if isinstance(n, c_ast.For)}
    for node, _ in walk(item):
        match node:
            case c_ast.For(next=step, cond=condition, stmt=body):
                yield from names_assigned([body, *([condition] if condition is not None else [])])
                if isinstance(step, c_ast.ExprList):
                    yield from names_assigned([step])
            case c_ast.While() | c_ast.DoWhile():
                yield from names_assigned([node.cond, node.stmt])
            case c_ast.Assignment(op=op, lvalue=c_ast.ID(name=name)) if op != "=" and id(node) not in heads:
                yield str(name)
            case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=name)) if op in STEPS and id(node) not in heads:
                yield str(name)


def names_in(node: c_ast.Node) -> set[str]:
    """The names in an expression."""
    return {n.name for n, _ in walk(node) if isinstance(n, c_ast.ID)}


def is_data(node: c_ast.Node) -> bool:
    """Whether an expression reads elements of arrays, or calls a function."""
    return any(isinstance(n, c_ast.ArrayRef | c_ast.FuncCall) for n, _ in walk(node))


def leaves(items: Sequence[c_ast.Node]) -> bool:
    """Whether statements end a turn of a loop, or the function."""
    return bool(items) and isinstance(items[-1], c_ast.Break | c_ast.Continue | c_ast.Return)


def unsigned(kind: str) -> bool:
    """Whether an integer type is never negative."""
    return kind.startswith("unsigned")


def words_of(text: str) -> set[str]:
    """The names in a text."""
    return set(re.findall(r"[A-Za-z_]\w*", text))


def before_counter(item: c_ast.Node) -> tuple[list[c_ast.Node], c_ast.Node]:
    """The assignments beside the counter in `for (s = 0, j = 1; ...; j++)`, and the loop without them."""
    if not isinstance(item, c_ast.For) or not isinstance(item.init, c_ast.ExprList):
        return [], item
    counter = getattr(target_of(item.next), "name", None)
    own = [e for e in item.init.exprs if getattr(target_of(e), "name", None) == counter]
    early = [e for e in item.init.exprs if e not in own]
    if len(own) != 1 or any(counter in names_in(e) for e in early) or names_in(own[0]) & names_assigned(early):
        return [], item
    alone = copy.copy(item)
    alone.init = own[0]
    return early, alone
