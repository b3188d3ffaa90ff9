"""Schedule trees as values: what isl's schedule nodes hold, in frozen records that transforms take apart and rebuild.

    Node ::= Leaf | Band(partial, ..., child) | Order((filter, Node), ...) | Mark(kind, child)

The domain stands beside the tree. isl's `set` nodes (children in any order) are orders with `ordered` false. Nodes
that polyad never makes (context, guard, extension, expansion) are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad.errors import ScheduleError
from polyad.schedule.tree.marks import Kind, read_kind

__all__ = [
    "Band",
    "Leaf",
    "Mark",
    "Node",
    "Order",
    "from_isl",
    "map_nodes",
    "partial_schedule",
    "row_functions",
    "to_isl",
    "walk",
]


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """The statements of the filters above run here."""


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """Loops directly inside of each other.

    Attributes:
        partial: { S[i] -> [rows] }, one row a loop, outermost first.
        coincident: for each loop, whether the scheduler found it to carry nothing.
        permutable: whether the loops may be interchanged and tiled.
        options: AST build options of the band.
        child: what runs in one iteration.
    """

    partial: isl.MultiUnionPwAff
    coincident: tuple[bool, ...]
    permutable: bool
    options: isl.UnionSet | None
    child: Node

    @property
    def size(self) -> int:
        """The number of loops."""
        return len(self.coincident)

    def functions(self, member: int) -> dict[str, isl.PwAff]:
        """Statement name -> { S[i] -> [row] } of one loop."""
        return row_functions(self.partial.get_at(member))


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Children one after the other, or in any order.

    Attributes:
        children: (filter, node), the filter a union set { S[i] } that says what runs in the node.
        ordered: false for isl's `set` nodes.
    """

    children: tuple[tuple[isl.UnionSet, Node], ...]
    ordered: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """How the loop directly below runs (marks.py)."""

    kind: Kind
    child: Node


Node = Leaf | Band | Order | Mark


def row_functions(function: isl.UnionPwAff) -> dict[str, isl.PwAff]:
    """Statement name -> { S[i] -> [row] }."""
    found = function.get_pw_aff_list()
    functions = [found.get_at(i) for i in range(found.n_pw_aff())]
    return {f.get_domain_space().get_tuple_name(isl.dim_type.set): f for f in functions}


def from_isl(node: isl.ScheduleNode) -> Node:
    """Read the subtree at an isl node below the domain.

    Raises:
        ScheduleError: the tree holds a kind of node, or a mark, that polyad does not use.
    """
    kind = isl.schedule_node_type(node.get_type())
    types = isl.schedule_node_type
    if kind == types.leaf:
        return Leaf()
    if kind == types.band:
        members = range(node.band_n_member())
        options = node.band_get_ast_build_options()
        return Band(
            node.band_get_partial_schedule(),
            tuple(bool(node.band_member_get_coincident(i)) for i in members),
            bool(node.band_get_permutable()),
            None if options.is_empty() else options,
            from_isl(node.child(0)),
        )
    if kind == types.mark:
        return Mark(read_kind(node.mark_get_id().get_name()), from_isl(node.child(0)))
    if kind == types.filter:
        return Order(((node.filter_get_filter(), from_isl(node.child(0))),))
    if kind in (types.sequence, types.set):
        children = [node.child(i) for i in range(node.n_children())]
        return Order(
            tuple((c.filter_get_filter(), from_isl(c.child(0))) for c in children), ordered=kind == types.sequence
        )
    raise ScheduleError(
        f"the schedule tree holds a node of the kind {kind.name}; polyad's schedules are made of domain, band, "
        "sequence, set, filter and mark nodes"
    )


def to_isl(domain: isl.UnionSet, tree: Node, name: Callable[[Kind], str] = str) -> isl.Schedule:
    """Build the isl schedule of a tree over a domain { S[i] }.

    Args:
        domain: the instances.
        tree: their order.
        name: what marks are called in it, asked for each from the inside out, children of a sequence in order.
    """
    root = isl.Schedule.from_domain(domain).get_root()
    return _insert(root.child(0), tree, name).get_schedule()


def _insert(node: isl.ScheduleNode, tree: Node, name: Callable[[Kind], str]) -> isl.ScheduleNode:
    """Put a tree in place of the leaf at `node`; the position stays."""
    match tree:
        case Leaf():
            return node
        case Mark(kind, child):
            return _insert(node, child, name).insert_mark(isl.Id(name(kind)))
        case Band(partial, coincident, permutable, options, child):
            node = node.insert_partial_schedule(partial)
            for i, flag in enumerate(coincident):
                node = node.band_member_set_coincident(i, int(flag))
            node = node.band_set_permutable(int(permutable))
            if options is not None:
                node = node.band_set_ast_build_options(options)
            return _insert(node.child(0), child, name).parent()
        case Order(children, ordered):
            filters = isl.UnionSetList.alloc(isl.DEFAULT_CONTEXT, len(children))
            for part, _ in children:
                filters = filters.add(part)
            node = node.insert_sequence(filters) if ordered else node.insert_set(filters)
            for i, (_, child) in enumerate(children):
                node = _insert(node.child(i).child(0), child, name).parent().parent()
            return node


def walk(tree: Node) -> Iterator[Node]:
    """All nodes, outer before inner, in order."""
    yield tree
    match tree:
        case Band(child=child) | Mark(child=child):
            yield from walk(child)
        case Order(children):
            for _, child in children:
                yield from walk(child)
        case _:
            pass


def map_nodes(tree: Node, change: Callable[[Node], Node]) -> Node:
    """Rebuild bottom-up; `change` sees every node after its children were rebuilt."""
    match tree:
        case Band() | Mark():
            tree = replace(tree, child=map_nodes(tree.child, change))
        case Order(children):
            tree = replace(tree, children=tuple((f, map_nodes(c, change)) for f, c in children))
        case _:
            pass
    return change(tree)


def partial_schedule(functions: Sequence[isl.UnionPwAff]) -> isl.MultiUnionPwAff:
    """{ S[i] -> [rows] } from one function for each loop."""
    space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, len(functions)).align_params(functions[0].get_space())
    items = isl.UnionPwAffList.alloc(isl.DEFAULT_CONTEXT, len(functions))
    for function in functions:
        items = items.add(function)
    return isl.MultiUnionPwAff.from_union_pw_aff_list(space, items)
