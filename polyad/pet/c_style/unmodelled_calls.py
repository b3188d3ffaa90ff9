"""Calls of functions that the caller of a function has spoken of.

#pragma polyad ignore fail, give_back       messages, ends of the program, memory that is given back
#pragma polyad memory numbers               returns memory of its own, as malloc does

double *t = numbers(n);                     double *t = malloc(1);
if (n < 1) fail("no elements");             ;
give_back(t);                               ;
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from pycparser import c_ast

from polyad.pet.c_text.parse import walk
from polyad.pet.c_text.tree_edits import put
from polyad.pet.c_tree.nodes import constant, has_effects, statements

__all__ = ["without_calls"]

_STATEMENTS = ("block_items", "stmts", "stmt", "iftrue", "iffalse")
"""The places of statements in nodes, by pycparser's names."""


def without_calls(tree: c_ast.FuncDef, ignored: AbstractSet[str], memory: AbstractSet[str]) -> bool:
    """Change a function; returns whether it calls one of those.

    Args:
        tree: the function.
        ignored: functions whose calls are left out, where they are statements.
        memory: functions that return memory of its own.
    """
    calls = [n for n, _ in walk(tree.body) if isinstance(n, c_ast.FuncCall)]
    found = {called(n) for n in calls} & {*ignored, *memory}
    if not found:
        return False

    def without(node: c_ast.Node, slot: str = "") -> c_ast.Node:
        if called(node) in memory:
            return c_ast.FuncCall(c_ast.ID("malloc"), c_ast.ExprList([constant(1)]), node.coord)
        if called(node) in ignored and slot.partition("[")[0] in _STATEMENTS:
            return c_ast.EmptyStatement(node.coord)
        was_empty = _is_empty(node)
        for inner, child in node.children():
            put(node, inner, without(child, inner))
        return c_ast.EmptyStatement(node.coord) if _is_empty(node) and not was_empty else node

    without(tree.body)
    return True


def called(node: c_ast.Node) -> str:
    """The function that a node calls, "" for other nodes."""
    return str(node.name.name) if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) else ""


def _is_empty(node: c_ast.Node) -> bool:
    """Whether a condition decides nothing."""
    if not isinstance(node, c_ast.If) or has_effects(node.cond):
        return False
    inside = [*statements(node.iftrue), *statements(node.iffalse)]
    return all(isinstance(s, c_ast.EmptyStatement) for s in inside)
