"""Expressions of C with other parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from polyad.pet.scop import Access, Call, Cast, Node, Operation, Scop, ScopStatement

__all__ = ["rewrite", "rewrite_statements"]


def rewrite(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with another one in place of each, from the leaves up."""
    match node:
        case Access(arguments=below) | Call(arguments=below) | Operation(arguments=below):
            return change(replace(node, arguments=tuple(rewrite(a, change) for a in below)))
        case Cast(argument=argument):
            return change(replace(node, argument=rewrite(argument, change)))
        case _:
            return change(node)


def rewrite_statements(scop: Scop, change: Callable[[Node, ScopStatement], Node]) -> Scop:
    """The scop with other nodes in all statements but those that only say what is of no use any more."""
    statements = []
    for statement in scop.statements:
        if not statement.kills:

            def here(node: Node, place: ScopStatement = statement) -> Node:
                return change(node, place)

            guards = tuple((rewrite(condition, here), wanted) for condition, wanted in statement.guards)
            statement = replace(statement, body=rewrite(statement.body, here), guards=guards)
        statements.append(statement)
    return replace(scop, statements=tuple(statements))
