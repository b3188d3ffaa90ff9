"""Nodes of a block that cannot be taken apart: one declares a C variable, or names an integer, and others use it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyad.codegen.loops.nodes import Block, Let, Node
from polyad.codegen.loops.scope import declared_variable
from polyad.codegen.loops.variables import outer_uses
from polyad.codegen.lower.lowering import StoredProgram

__all__ = ["groups"]


def groups(block: Block, known: StoredProgram) -> Iterator[Sequence[Node]]:
    """The nodes of a block in order, those together that share a variable."""
    children = block.children
    start = end = 0  # of the group at hand; `end` is the place of the last node known to belong to it
    for place, node in enumerate(children):
        if place > end:
            yield children[start : end + 1]
            start = end = place
        end = max(end, _last_use(children, place, node, known))
    if children:
        yield children[start:]


def _last_use(children: Sequence[Node], place: int, node: Node, known: StoredProgram) -> int:
    """The place of the last node that uses what a node declares; its own where it declares nothing."""
    if isinstance(node, Let):
        return len(children) - 1
    variable = declared_variable(node, known.touches)
    if variable is None:
        return place
    uses = (p for p in range(place, len(children)) if _uses(children[p], variable[0], known))
    return max(uses, default=place)


def _uses(node: Node, variable: str, known: StoredProgram) -> bool:
    return any(use.variable == variable for use in outer_uses(node, known.touches))
