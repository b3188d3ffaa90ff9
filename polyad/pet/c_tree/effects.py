"""Assignments, `++` and `--` inside of expressions, as statements of their own in C's order of evaluation.

    y[k++] = x[--j];               j = j - 1; y[k] = x[j]; k = k + 1;
    a = b = e;                     b = e; a = b;
    if ((d = x[i] - m) > 0)        d = x[i] - m; if (d > 0)
    a = 1, b = 2;                  a = 1; b = 2;
    v = c ? x[k++] : 0;            if (c) { v = x[k]; k = k + 1; } else v = 0;

C leaves the order of a side effect and other uses of its variable in one expression open. Where a variable that is
changed is named a second time, the expression stays as it is, and is refused; so it is behind `&&` and `||`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field

from pycparser import c_ast

from polyad.pet.c_text.parse import walk
from polyad.pet.c_tree.nodes import assign, block, constant, has_effects, map_children, statements

__all__ = ["as_statements", "pulled"]

_STEPS = {"p++": "+", "++": "+", "p--": "-", "--": "-"}


@dataclass(slots=True)
class _Parts:
    """An expression without side effects, and the statements for them.

    Attributes:
        counters: integers of the function that hold at least 32 bits: one that has been counted is counted back.
        late: whether there is a place behind the expression.
        before: what happens first.
        behind: what happens later.
    """

    counters: Mapping[str, str]
    late: bool
    before: list[c_ast.Node] = field(default_factory=list)
    behind: list[c_ast.Node] = field(default_factory=list)


class _Open(Exception):
    """C leaves the order open, or it is decided by data."""


def as_statements(item: c_ast.Node, counters: Mapping[str, str]) -> list[c_ast.Node]:
    """A statement as several without side effects in expressions; alone where that cannot be.

    Args:
        item: an expression, a declaration, an `if`, or a `return`; others come back as they are.
        counters: the integers of the function that hold at least 32 bits.
    """
    match item:
        case c_ast.ExprList():
            return [s for part in item.exprs for s in as_statements(part, counters)]
        case c_ast.Assignment(rvalue=c_ast.TernaryOp(cond=condition, iftrue=then, iffalse=other)) if has_effects(
            then
        ) or has_effects(other):
            sides = [c_ast.Assignment(item.op, copy.deepcopy(item.lvalue), v, item.coord) for v in (then, other)]
            return _by_condition(item, condition, sides, counters)
        case c_ast.TernaryOp(cond=condition, iftrue=then, iffalse=other) if has_effects(item):
            return _by_condition(item, condition, [then, other], counters)
        case c_ast.Assignment():
            return _assignment(item, counters)
        case c_ast.UnaryOp(op=op, expr=target) if op in _STEPS:
            return _assignment(assign(target, f"{_STEPS[op]}=", constant(1), item), counters, item)
        case c_ast.Decl(init=value) if value is not None and not isinstance(value, c_ast.InitList):
            found = pulled(value, counters, late=True)
            if found is None or not has_effects(value):
                return [item]
            before, plain, behind = found
            declared = copy.copy(item)
            declared.init = plain
            return [*before, declared, *behind]
        case c_ast.If(cond=condition) if has_effects(condition):
            found = pulled(condition, counters)
            if found is None:
                return [item]
            return [*found[0], c_ast.If(found[1], item.iftrue, item.iffalse, item.coord)]
        case c_ast.Return(expr=value) if has_effects(value):
            found = pulled(value, counters)
            return [item] if found is None else [*found[0], c_ast.Return(found[1], item.coord)]
        case _:
            return [item]


def pulled(
    value: c_ast.Node, counters: Mapping[str, str], *, late: bool = False
) -> tuple[list[c_ast.Node], c_ast.Node, list[c_ast.Node]] | None:
    """Statements before an expression, the expression without side effects, statements behind it.

    Args:
        value: an expression.
        counters: the integers of the function that hold at least 32 bits.
        late: whether there is a place behind the expression.

    Returns:
        None where C leaves the order open.
    """
    parts = _Parts(counters, late)
    try:
        if not isinstance(value, c_ast.ExprList):
            _check_order(value)
        plain = _plain(value, parts)
    except _Open:
        return None
    return parts.before, plain, parts.behind


def _by_condition(
    item: c_ast.Node, condition: c_ast.Node, sides: list[c_ast.Node], counters: Mapping[str, str]
) -> list[c_ast.Node]:
    """The statements of `c ? a : b`."""
    target = item.lvalue if isinstance(item, c_ast.Assignment) else None
    found = pulled(condition, counters)
    named = _names(condition)
    if found is None or (has_effects(condition) and _changed(condition) & _names(item, but=condition)):
        return [item]
    if target is not None and (has_effects(target) or _changed(condition) & named & _names(target)):
        return [item]
    then, other = (block(as_statements(side, counters), item) for side in sides)
    if any(has_effects_inside(s) for b in (then, other) for s in statements(b)):
        return [item]
    return [*found[0], c_ast.If(found[1], then, other, item.coord)]


def has_effects_inside(item: c_ast.Node) -> bool:
    """Whether an expression statement assigns in a part of it."""
    return any(has_effects(child) for child in item)


def _assignment(
    item: c_ast.Assignment, counters: Mapping[str, str], otherwise: c_ast.Node | None = None
) -> list[c_ast.Node]:
    """The statements of an assignment; `otherwise`, or itself, where nothing is inside of it."""
    if not has_effects(item.lvalue) and not has_effects(item.rvalue):
        return [item if otherwise is None else otherwise]
    parts = _Parts(counters, late=True)
    try:
        _check_order(item)
        target = _plain(item.lvalue, parts)
        value = _plain(item.rvalue, parts)
    except _Open:
        return [item if otherwise is None else otherwise]
    return [*parts.before, c_ast.Assignment(item.op, target, value, item.coord), *parts.behind]


def _plain(node: c_ast.Node, parts: _Parts) -> c_ast.Node:
    """An expression whose side effects have gone to the statements around it."""
    if not has_effects(node):
        return node
    match node:
        case c_ast.ExprList(exprs=[*first, last]):
            for item in first:
                _check_order(item)
                statements_ = as_statements(item, parts.counters)
                if any(has_effects_inside(s) for s in statements_):
                    raise _Open
                parts.before += [s for s in statements_ if has_effects(s)]
            _check_order(last)
            return _plain(last, parts)
        case c_ast.Assignment(op=op, lvalue=target, rvalue=value):
            target, value = _plain(target, parts), _plain(value, parts)
            parts.before.append(c_ast.Assignment(op, target, value, node.coord))
            return copy.deepcopy(target)
        case c_ast.UnaryOp(op=op, expr=target) if op in _STEPS:
            target = _plain(target, parts)
            step = assign(target, "=", c_ast.BinaryOp(_STEPS[op], copy.deepcopy(target), constant(1)), node)
            if op.startswith("p") and parts.late:
                parts.behind.append(step)
                return copy.deepcopy(target)
            parts.before.append(step)
            if not op.startswith("p"):
                return copy.deepcopy(target)
            if not isinstance(target, c_ast.ID) or target.name not in parts.counters:
                raise _Open  # 1 + x - 1 may be another number
            return c_ast.BinaryOp("-" if _STEPS[op] == "+" else "+", copy.deepcopy(target), constant(1), node.coord)
        case c_ast.BinaryOp(op="&&" | "||", right=right) if has_effects(right):
            raise _Open
        case c_ast.UnaryOp(op="*" | "&"):
            raise _Open  # a pointer that moves
        case c_ast.TernaryOp(iftrue=then, iffalse=other) if has_effects(then) or has_effects(other):
            raise _Open
        case c_ast.FuncCall(args=args) if args is not None:
            result = copy.copy(node)
            result.args = c_ast.ExprList([_plain(a, parts) for a in args.exprs], args.coord)
            return result
        case _:
            return map_children(node, lambda child: _plain(child, parts))


def _check_order(expression: c_ast.Node) -> None:
    """Refuse an expression that names what it changes in another place, too.

    What is assigned may be named in its own value, `a = (b = b + 1)`, and an array may be written in several places, as
    in `a[i] = a[i - 1] = e`.

    Raises:
        _Open: it does.
    """
    effects = [n for n, _ in walk(expression) if _target(n) is not None]
    bases = {id(n): _base(n) for n in effects}
    written = {id(bases[id(n)]) for n in effects if isinstance(n, c_ast.Assignment) and n.op == "="}
    for effect in effects:
        base = bases[id(effect)]
        name, is_scalar = _name(base), base is _target(effect)
        inside = {id(n) for n, _ in walk(effect)}
        for other in effects:
            again = other is not effect and id(other) in inside and _name(bases[id(other)]) == name
            if again and not {id(base), id(bases[id(other)])} <= written:
                raise _Open  # changed again in its own value
            if again and is_scalar:
                raise _Open
        for node, _ in walk(expression):
            if effect is expression or id(node) in inside or _name(node) != name:
                continue
            if is_scalar or name == "*" or id(node) not in written:
                raise _Open


def _target(node: c_ast.Node) -> c_ast.Node | None:
    """Return the node that a node changes."""
    if isinstance(node, c_ast.Assignment):
        return node.lvalue
    return node.expr if isinstance(node, c_ast.UnaryOp) and node.op in _STEPS else None


def _base(effect: c_ast.Node) -> c_ast.Node:
    """The name, or the pointer, of what is changed."""
    node = _target(effect)
    while isinstance(node, c_ast.ArrayRef | c_ast.StructRef):
        node = node.name
    return node


def _name(node: c_ast.Node) -> str:
    """The name of a variable; `*` for what a pointer points to, which may be anything."""
    if isinstance(node, c_ast.ID):
        return str(node.name)
    return "*" if isinstance(node, c_ast.UnaryOp) and node.op == "*" else ""


def _names(node: c_ast.Node, but: c_ast.Node | None = None) -> set[str]:
    skipped = set() if but is None else {id(n) for n, _ in walk(but)}
    return {n.name for n, _ in walk(node) if isinstance(n, c_ast.ID) and id(n) not in skipped}


def _changed(node: c_ast.Node) -> set[str]:
    return {_name(_base(n)) for n, _ in walk(node) if _target(n) is not None}
