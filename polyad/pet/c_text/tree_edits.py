"""Trees of C with other parts."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

__all__ = ["children_replaced", "put"]


def put(node: c_ast.Node, slot: str, child: c_ast.Node) -> None:
    """Put a node in the place that `children` names: `cond`, or `block_items[3]`."""
    name, _, index = slot.partition("[")
    if index:
        getattr(node, name)[int(index[:-1])] = child
    else:
        setattr(node, name, child)


def children_replaced(node: c_ast.Node, change: Callable[[c_ast.Node], c_ast.Node]) -> c_ast.Node:
    """The node, with something else in place of each child."""
    for slot, child in node.children():
        put(node, slot, change(child))
    return node
