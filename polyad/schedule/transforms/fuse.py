"""Fusion: for i {A}; for j {B}  ->  for i = j {A; B}."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import (
    Dims,
    LoopName,
    Nest,
    NestLoop,
    check_name,
    find_loop,
    holds,
    rebuild,
    take_apart,
)
from polyad.schedule.tree.nodes import Node, Order, map_nodes

__all__ = ["fuse"]

Child = tuple[isl.UnionSet, Node]


def fuse(tree: Node, dims: Dims, a: LoopName, b: LoopName) -> Node:
    """Join two nests that are children of one sequence, from their outermost loops down to the named ones.

    The joined nest takes the place of the later one. In one iteration, what was in the earlier nest runs first.

    Raises:
        ScheduleError: the loops do not belong to two children of one sequence, or lie at different depths.
    """
    for band in (a, b):
        check_name(dims, band.statement, band.dim)
    joined: list[Node] = []

    def change(node: Node) -> Node:
        if not isinstance(node, Order) or not node.ordered or joined:
            return node
        places = [
            next((i for i, (f, _) in enumerate(node.children) if holds(f, band.statement)), None) for band in (a, b)
        ]
        first, second = places
        if first is None or second is None or first == second:
            return node
        result = _join(node.children, dims, (first, a), (second, b))
        joined.append(result)
        return result

    changed = map_nodes(tree, change)
    if not joined:
        raise ScheduleError(
            f"the loops over {a.dim} of {a.statement} and over {b.dim} of {b.statement} do not follow each other in "
            "one sequence"
        )
    return changed


def _join(children: Sequence[Child], dims: Dims, a: tuple[int, LoopName], b: tuple[int, LoopName]) -> Node:
    (early, first_name), (late, second_name) = sorted((a, b))
    first, second = take_apart(children[early][1]), take_apart(children[late][1])
    depths = []
    for nest, name in ((first, first_name), (second, second_name)):
        index = find_loop(nest, name, dims)
        if index is None:
            raise ScheduleError(f"{name} is not in the nest that follows the other one")
        depths.append(index + 1)
    if depths[0] != depths[1]:
        raise ScheduleError(
            f"{first_name} is loop {depths[0]} of its nest, the one over "
            f"{second_name.dim} of {second_name.statement} is loop {depths[1]}: fuse loops of the same depth"
        )
    depth = depths[0]
    parts_of = (children[early][0], children[late][0])
    loops = tuple(_union(x, y, *parts_of) for x, y in zip(first.loops[:depth], second.loops[:depth], strict=True))
    parts = [(children[early][0], Nest(first.loops[depth:], first.child))]
    parts.append((children[late][0], Nest(second.loops[depth:], second.child)))
    inside: list[Child] = []
    for part, rest in parts:
        body = rebuild(rest)
        steps = body.children if isinstance(body, Order) and body.ordered else ()
        inside += [(part.intersect(p), step) for p, step in steps] or [(part, body)]
    fused = rebuild(Nest(loops, Order(tuple(inside))))
    whole = children[early][0].union(children[late][0])
    kept = [(whole, fused) if i == late else child for i, child in enumerate(children) if i != early]
    return fused if len(kept) == 1 else Order(tuple(kept))


def _union(x: NestLoop, y: NestLoop, of_x: isl.UnionSet, of_y: isl.UnionSet) -> NestLoop:
    """One loop for the instances of both; it keeps a mark that both have.

    Copies of an unrolled body have statements in common: each goes by its own loop.
    """
    whole = x.function.intersect_domain(of_x).union_add(y.function.intersect_domain(of_y))
    return replace(
        x,
        function=whole.gist(of_x.union(of_y)).coalesce(),
        coincident=x.coincident and y.coincident,
        permutable=x.permutable and y.permutable,
        options=x.options if x.options is not None else y.options,
        mark=x.mark if x.mark == y.mark else None,
    )
