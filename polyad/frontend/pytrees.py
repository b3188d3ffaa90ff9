"""Pytrees: nested tuples, lists, dicts, named tuples and registered dataclasses of leaves (optree)."""

from __future__ import annotations

from typing import Any

import optree

from polyad.errors import DefinitionError

__all__ = ["flatten", "flatten_in_order", "flatten_whole", "flatten_with_paths", "spread_prefix", "unflatten"]

_NS = "polyad"


def flatten(tree: Any) -> tuple[list[Any], Any]:
    """Leaves and structure; None is an empty node.

    Raises:
        DefinitionError: it is nested without end, or deeper than anybody means it.
    """
    try:
        leaves, structure = optree.tree_flatten(tree, namespace=_NS)
    except RecursionError:
        raise DefinitionError("this structure of arrays is nested too deeply; does it hold itself?") from None
    return list(leaves), structure


def flatten_with_paths(tree: Any, root: str = "") -> tuple[list[str], list[Any], Any]:
    """Paths as the user would write them (`args[0]['W']`), leaves, structure."""
    flatten(tree)  # which says what is wrong with it
    accessors, leaves, structure = optree.tree_flatten_with_accessor(tree, namespace=_NS)
    return [a.codify(root) for a in accessors], list(leaves), structure


def flatten_in_order(tree: Any, kind: type) -> tuple[list[str], list[Any], Any]:
    """As `flatten_whole`, with the entries of dicts in the order in which they were put in."""
    with optree.dict_insertion_ordered(True, namespace=_NS):
        return flatten_whole(tree, kind)


def flatten_whole(tree: Any, kind: type) -> tuple[list[str], list[Any], Any]:
    """As `flatten_with_paths`, where nodes of a kind are leaves."""
    flatten(tree)  # which says what is wrong with it
    accessors, leaves, structure = optree.tree_flatten_with_accessor(tree, lambda x: isinstance(x, kind), namespace=_NS)
    return [a.codify("") for a in accessors], list(leaves), structure


def unflatten(structure: Any, leaves: list[Any]) -> Any:
    """The tree with these leaves."""
    return optree.tree_unflatten(structure, leaves)


def spread_prefix(prefix: Any, tree: Any) -> list[Any]:
    """For each leaf of a tree, the leaf of a prefix that stands above it; None is a leaf of the prefix.

    Raises:
        ValueError: the tree does not begin as the prefix does.
    """
    spread = optree.broadcast_prefix(prefix, tree, none_is_leaf=True, namespace=_NS)
    leaves = optree.tree_leaves(tree, none_is_leaf=True, namespace=_NS)
    return [p for p, leaf in zip(spread, leaves, strict=True) if leaf is not None]
