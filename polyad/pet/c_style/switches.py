"""`switch` as a chain of `if`.

    switch (a) {                                if (a == RELU || a == LEAKY) {
    case RELU:                                      y = x > 0 ? x : 0;
    case LEAKY: y = x > 0 ? x : 0; break;       } else {
    default: y = x;                                 y = x;
    }                                           }

What a case falls through to is written behind what it does. A `switch` with a `break` under a condition stays.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

from pycparser import c_ast

from polyad.pet.c_text.tree_edits import put
from polyad.pet.c_tree.nodes import block, has_effects, own_jumps, statements

__all__ = ["switches_as_conditions"]


@dataclass(slots=True)
class _Group:
    """The statements behind some labels, up to the next one.

    Attributes:
        values: those of `case`.
        default: whether `default` is among the labels.
        body: the statements.
    """

    values: list[c_ast.Node] = field(default_factory=list)
    default: bool = False
    body: list[c_ast.Node] = field(default_factory=list)


def switches_as_conditions(tree: c_ast.FuncDef) -> bool:
    """Change a function; returns whether it has such a `switch`."""
    return _changed(tree)


def _changed(node: c_ast.Node) -> bool:
    """Change what is below a node, inner ones first."""
    changed = False
    for slot, child in node.children():
        changed |= _changed(child)
        chain = _chain(child) if isinstance(child, c_ast.Switch) else None
        if chain is not None:
            put(node, slot, chain)
            changed = True
    return changed


def _chain(switch: c_ast.Switch) -> c_ast.Node | None:
    """The conditions of a `switch`; None where they would not say what it does."""
    groups = _groups(statements(switch.stmt))
    if not groups or has_effects(switch.cond):
        return None
    chain: c_ast.Node | None = None
    bodies = [_until_break(groups[i:]) for i in range(len(groups))]
    for group, body in sorted(zip(groups, bodies, strict=True), key=lambda one: not one[0].default):
        if any(own_jumps(body, c_ast.Break)):
            return None
        inside = block(copy.deepcopy(body), switch)
        if group.default:
            chain = inside
        else:
            tests = [c_ast.BinaryOp("==", copy.deepcopy(switch.cond), v, switch.coord) for v in group.values]
            chain = c_ast.If(reduce(_either, tests), inside, chain, switch.coord)
    return chain


def _either(one: c_ast.Node, other: c_ast.Node) -> c_ast.Node:
    return c_ast.BinaryOp("||", one, other, one.coord)


def _groups(cases: Sequence[c_ast.Node]) -> list[_Group]:
    """The groups of a `switch`; none where a statement stands before all labels."""
    groups: list[_Group] = []
    for case in cases:
        if not isinstance(case, c_ast.Case | c_ast.Default):
            return []
        if not groups or groups[-1].body:
            groups.append(_Group())
        last = groups[-1]
        if isinstance(case, c_ast.Default):
            last.default = True
        else:
            last.values.append(case.expr)
        last.body = [s for one in case.stmts or [] for s in (statements(one) if _ends(one) else [one])]
    return groups


def _until_break(groups: Sequence[_Group]) -> list[c_ast.Node]:
    """The statements from one group on."""
    body: list[c_ast.Node] = []
    for group in groups:
        for statement in group.body:
            if isinstance(statement, c_ast.Break):
                return body
            body.append(statement)
            if _ends(statement):
                return body
    return body


def _ends(statement: c_ast.Node) -> bool:
    """Whether nothing behind a statement runs."""
    if isinstance(statement, c_ast.Compound):
        return bool(statement.block_items) and _ends(statement.block_items[-1])
    return isinstance(statement, c_ast.Break | c_ast.Return | c_ast.Continue)
