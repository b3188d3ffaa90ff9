"""Walks over the loop IR: what is inside of a node, rebuilding from below and from above, substitution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from polyad.codegen.loops.how import How
from polyad.codegen.loops.loop_values import substitute_condition, substitute_value
from polyad.codegen.loops.nodes import (
    Block,
    Cell,
    Contraction,
    Copies,
    Copy,
    Guard,
    Instance,
    Launch,
    Let,
    Load,
    Loop,
    Node,
    Pack,
    Parts,
    PrefixScan,
    Region,
    Share,
    Single,
    Store,
)
from polyad.ir.affine import Affine

__all__ = [
    "blocks",
    "children",
    "declared",
    "declared_in_order",
    "expand",
    "instances",
    "map_blocks",
    "map_hows",
    "map_instances",
    "map_loops",
    "nodes",
    "outermost_loops",
    "substitute",
    "with_blocks",
]


_CHILDREN: Mapping[type, Callable[[Any], tuple[Node, ...]]] = {
    Block: lambda node: node.children,
    **dict.fromkeys((Loop, Share, Region, Single, Launch), lambda node: node.body.children),
    Guard: lambda node: node.then.children + (node.otherwise.children if node.otherwise is not None else ()),
    Contraction: lambda node: (node.nest,),
    Parts: lambda node: (node.loop,),
    PrefixScan: lambda node: (node.state.loop,),
}
"""The nodes directly inside of those that hold some."""


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside of a node."""
    inside = _CHILDREN.get(type(node))
    return () if inside is None else inside(node)


def nodes(node: Node) -> Iterator[Node]:
    """All nodes of a tree in textual order, outer before inner, without the blocks of loops and guards."""
    waiting = [node]
    while waiting:
        first = waiting.pop()
        yield first
        if (inside := _CHILDREN.get(type(first))) is not None:
            waiting += reversed(inside(first))


def blocks(node: Node) -> Iterator[Block]:
    """All blocks of a tree."""
    match node:
        case Block(inside):
            yield node
        case Loop(body=Block(inside) as body) | Share(body=Block(inside) as body):
            yield body
        case Region(body=Block(inside) as body) | Single(body=Block(inside) as body) | Launch(Block(inside) as body):
            yield body
        case Guard(_, then, otherwise):
            yield from blocks(then)
            if otherwise is not None:
                yield from blocks(otherwise)
            return
        case _:
            inside = children(node)
    for child in inside:
        yield from blocks(child)


def instances(node: Node) -> Iterator[Instance]:
    """All statement instances of a tree in textual order."""
    return (n for n in nodes(node) if isinstance(n, Instance))


def outermost_loops(node: Node) -> Iterator[Loop]:
    """The loops of a tree that no other loop of it is around, and no threads that share one."""
    if isinstance(node, Loop):
        yield node
    elif isinstance(node, Block | Guard):
        for child in children(node):
            yield from outermost_loops(child)


def declared(node: Node) -> set[str]:
    """The iterators and named integers that a tree declares."""
    return {*declared_in_order(node)}


def declared_in_order(node: Node) -> list[str]:
    """The same in textual order, outer before inner, each once."""
    found: dict[str, None] = {}
    for inner in nodes(node):
        match inner:
            case Loop(iterator=name) | Let(name=name) | Copies(name=name) | Copy(name=name):
                found[name] = None
            case Share(first=first, last=last):
                found |= {first: None, last: None}
            case _:
                pass
    return [*found]


def with_blocks(function: Callable[[Block], Block], node: Node) -> Node:
    """A node with a function applied to the blocks directly inside of it; none of a node that stands as a whole."""
    match node:
        case Block():
            return function(node)
        case Loop() | Share() | Region() | Single() | Launch():
            body = function(node.body)
            return node if body is node.body else replace(node, body=body)
        case Guard(_, then, otherwise):
            return replace(node, then=function(then), otherwise=None if otherwise is None else function(otherwise))
        case Parts(loop=loop):
            return replace(node, loop=replace(loop, body=function(loop.body)))
        case _:
            return node


def map_blocks(function: Callable[[Block], Block], node: Node) -> Node:
    """Rebuild bottom-up; `function` sees each block after its children were rebuilt."""

    def below(block: Block) -> Block:
        return function(Block(tuple(map_blocks(function, c) for c in block.children)))

    return with_blocks(below, node)


def map_instances(function: Callable[[Instance], Instance], node: Node) -> Node:
    """Rebuild with each instance replaced, but for those inside of contractions and prefix scans."""

    def inside(block: Block) -> Block:
        return Block(tuple(function(c) if isinstance(c, Instance) else c for c in block.children))

    return function(node) if isinstance(node, Instance) else map_blocks(inside, node)


def expand(function: Callable[[Node], Sequence[Node] | None], block: Block) -> Block:
    """Rebuild top-down: the nodes that a function makes of one take its place; where it makes none, it looks inside.

    A block of which nothing changes is returned as it is.
    """
    result: list[Node] = []
    same = True
    for child in block.children:
        found = function(child)
        if found is None:
            result.append(with_blocks(lambda b: expand(function, b), child))
            same = same and result[-1] is child
        else:
            result += found
            same = False
    return block if same else Block(tuple(result))


def map_loops(function: Callable[[Loop], Loop], block: Block) -> Block:
    """Rebuild top-down with each loop replaced, but for those inside of contractions and prefix scans."""

    def inside(loop: Loop) -> Loop:
        new = function(loop)
        return replace(new, body=map_loops(function, new.body))

    def one(node: Node) -> Sequence[Node] | None:
        match node:
            case Loop():
                return [inside(node)]
            case Parts(loop=loop):
                return [replace(node, loop=inside(loop))]
            case _:
                return None

    return expand(one, block)


def map_hows(function: Callable[[Loop], How], block: Block) -> Block:
    """Rebuild with a new way to run for each loop; for those of prefix scans, too, over all steps (`_scan_loops`)."""

    def scan(node: Node) -> Sequence[Node] | None:
        if not isinstance(node, PrefixScan):
            return None
        first, second = map(function, _scan_loops(node))
        return [replace(node, first=first, second=second)]

    return expand(scan, map_loops(lambda loop: replace(loop, how=function(loop)), block))


def _scan_loops(scan: PrefixScan) -> tuple[Loop, Loop]:
    """The loops before and after the scan of a block, over all steps."""
    state, loop = scan.state, scan.state.loop
    low, high = loop.limits

    def over(instances: Sequence[Instance], how: How) -> Loop:
        return Loop(loop.iterator, low, high, 1, Block(tuple(instances)), how)

    # The buffers are filled from what the writer reads.
    return over((*state.first, state.writer), scan.first), over(state.second, scan.second)


def substitute(node: Node, values: Mapping[str, Affine]) -> Node:
    """Replace iterators by affine expressions in a tree that declares none of them, before it is lowered."""

    def block(inside: Block) -> Block:
        return Block(tuple(substitute(c, values) for c in inside.children))

    def cell(of: Cell) -> Cell:
        return Cell(of.array, tuple(i.substitute(values) for i in of.index))

    match node:
        case Loop():
            first, last = substitute_value(node.first, values), substitute_value(node.last, values)
            return replace(node, first=first, last=last, body=block(node.body))
        case Guard():
            return with_blocks(block, replace(node, condition=substitute_condition(node.condition, values)))
        case Let(name, value):
            return Let(name, substitute_value(value, values))
        case Instance():
            return replace(node, args=tuple(a.substitute(values) for a in node.args))
        case Load() | Store():
            return replace(node, cell=cell(node.cell))
        case Share():
            low, high = substitute_value(node.low, values), substitute_value(node.high, values)
            return replace(node, low=low, high=high, body=block(node.body))
        case Contraction():
            return _substitute_contraction(node, values)
        case Pack():
            return replace(node, contraction=_substitute_contraction(node.contraction, values))
        case _:
            return with_blocks(block, node)


def _substitute_contraction(node: Contraction, values: Mapping[str, Affine]) -> Contraction:
    nest = substitute(node.nest, values)
    assert isinstance(nest, Loop)
    return replace(node, nest=nest)
