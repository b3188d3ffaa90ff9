"""Pytrees: nested tuples, lists, dicts, named tuples and registered dataclasses, as `jax.tree`.

None is a node without leaves, dicts are in the order of their keys. Dataclasses are registered with optree, in the
namespace `polyad`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import optree

from polyad.errors import DefinitionError
from polyad.frontend.complex_numbers.pair import ComplexTensor

__all__ = ["all", "flatten", "leaves", "map", "reduce", "structure", "transpose", "unflatten"]

_NS = "polyad"
_MISSING = object()

IsLeaf = Callable[[Any], bool]


def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: IsLeaf | None = None) -> Any:
    """The tree of f(leaf, *leaves of the rest).

    Args:
        f: takes one leaf of each tree.
        tree: gives the structure.
        rest: trees that have at least that structure.
        is_leaf: node -> whether to stop there.

    Raises:
        DefinitionError: the structures differ.

    Example:
        >>> pa.tree.map(lambda w, g: w - 0.5 * g, {"W": 3.0, "b": 1.0}, {"W": 2.0, "b": 0.0})
        {'W': 2.0, 'b': 1.0}
    """
    found, own = flatten(tree, is_leaf)
    columns = [_told("map", partial(own.flatten_up_to, other)) for other in rest]
    return unflatten(own, [f(*row) for row in zip(found, *columns, strict=True)])


def flatten(tree: Any, is_leaf: IsLeaf | None = None) -> tuple[list[Any], Any]:
    """(leaves, structure): `unflatten(structure, leaves)` is the tree again."""
    found, own = _told("flatten", lambda: optree.tree_flatten(tree, is_leaf=_leaf(is_leaf), namespace=_NS))
    return list(found), own


def _leaf(is_leaf: IsLeaf | None) -> IsLeaf:
    """Complex tensors are leaves, as arrays are, though they are taken apart where derivatives are."""
    return lambda x: isinstance(x, ComplexTensor) or (is_leaf is not None and is_leaf(x))


def unflatten(treedef: Any, leaves: Any) -> Any:
    """The tree of a structure and its leaves.

    Raises:
        DefinitionError: another number of leaves.
    """
    return _told("unflatten", lambda: optree.tree_unflatten(treedef, leaves))


def leaves(tree: Any, is_leaf: IsLeaf | None = None) -> list[Any]:
    """The leaves, from left to right."""
    return flatten(tree, is_leaf)[0]


def structure(tree: Any, is_leaf: IsLeaf | None = None) -> Any:
    """The structure: trees have the same if and only if these are equal."""
    return flatten(tree, is_leaf)[1]


def reduce(
    function: Callable[[Any, Any], Any], tree: Any, initializer: Any = _MISSING, is_leaf: IsLeaf | None = None
) -> Any:
    """function(... function(function(initializer, leaf 0), leaf 1) ...); without an initializer from leaf 0 on."""
    found = leaves(tree, is_leaf)
    if initializer is _MISSING:
        if not found:
            raise DefinitionError("tree.reduce: the tree has no leaves; give an initializer")
        initializer, *found = found
    for leaf in found:
        initializer = function(initializer, leaf)
    return initializer


def all(tree: Any, *, is_leaf: IsLeaf | None = None) -> bool:
    """Whether all leaves are true; tensors have no truth value."""
    return not any(not leaf for leaf in leaves(tree, is_leaf))


def transpose(outer_treedef: Any, inner_treedef: Any | None, pytree_to_transpose: Any) -> Any:
    """A tree of `outer` whose leaves are trees of `inner`, turned inside out.

    Raises:
        DefinitionError: the tree has another structure.
    """
    if inner_treedef is None:
        own = unflatten(outer_treedef, [object() for _ in range(outer_treedef.num_leaves)])
        inner_treedef = structure(_first_child(own, pytree_to_transpose))
    return _told("transpose", lambda: optree.tree_transpose(outer_treedef, inner_treedef, pytree_to_transpose))


def _first_child(outer: Any, tree: Any) -> Any:
    """The tree that stands at the first leaf of `outer`."""
    found: list[Any] = []
    map(lambda _, child: found.append(child), outer, tree)
    if not found:
        raise DefinitionError("tree.transpose: the outer structure has no leaves; give the inner one")
    return found[0]


def _told(what: str, call: Callable[[], Any]) -> Any:
    """The result of optree's function.

    Raises:
        DefinitionError: what optree says of a structure.
    """
    try:
        return call()
    except RecursionError:
        raise DefinitionError(f"tree.{what}: the tree is nested too deeply; does it hold itself?") from None
    except ValueError as problem:
        raise DefinitionError(f"tree.{what}: {problem}") from None
