"""Temporaries that become C variables: every element lives and dies within one iteration of one loop body.

Let D be the one place in the text that defines array z, and B the block (a loop body, or the whole function) that holds
D directly. If every access of z below B is to the same element f(iterators of B), then each iteration of B defines f
and uses no element but f: by single assignment no other iteration defines it, so none reads it. One variable declared
in B will do. The same holds for several such D in different blocks, when each access is to the element of the innermost
one around it: an iteration split off a loop stands beside the loop, and its variable is hidden inside of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from polyad.codegen.loops.nodes import Block, Contraction, Guard, Instance, Loop, Node, Share
from polyad.codegen.loops.statement_accesses import Touch, Touches, cell_of
from polyad.codegen.loops.traversal import map_blocks, map_instances
from polyad.ir.affine import Affine

__all__ = ["scalarise"]


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """An access in the text: the instance, its block, what it accesses, and the names declared around the block."""

    instance: Instance
    touch: Touch
    blocks: tuple[Block, ...]  # outermost first; the last one holds the instance directly


def scalarise(root: Block, candidates: Mapping[str, str], touches: Touches) -> tuple[Block, tuple[str, ...]]:
    """Turn temporaries into variables.

    Args:
        root: the loops.
        candidates: temporary -> the name that its variable would have.
        touches: the accesses of all statements.

    Returns:
        The loops with the variables, and the temporaries that need no memory any more.
    """
    places: dict[str, list[_Place]] = {a: [] for a in candidates}
    _collect(root, (), touches, places)
    gone = tuple(a for a, found in places.items() if _fits(found))
    names = {a: candidates[a] for a in gone}

    def one(node: Node) -> Node:
        match node:
            case Instance():
                return _rewrite(node, names, touches)
            case Contraction():  # its weights are read once, before it runs
                nest = map_instances(lambda i: _rewrite(i, names, touches), node.nest)
                assert isinstance(nest, Loop), "instances are replaced, and nothing else"
                return replace(node, nest=nest)
            case _:
                return node

    result = map_blocks(lambda block: Block(tuple(map(one, block.children))), root)
    assert isinstance(result, Block)
    return result, gone


def _rewrite(instance: Instance, names: Mapping[str, str], touches: Touches) -> Instance:
    own = touches[instance.statement]
    local = {t.array: names[t.array] for t in own if t.array in names}
    declares = own[0].kind == "define" and own[0].array in names
    return replace(instance, locals={**instance.locals, **local}, declares=declares) if local else instance


def _collect(node: Node, blocks: tuple[Block, ...], touches: Touches, places: Mapping[str, list[_Place]]) -> None:
    match node:
        case Block(children):
            for child in children:
                _collect(child, (*blocks, node), touches, places)
        case Loop(body=body) | Share(body=body) | Contraction(nest=Loop(body=body)):
            _collect(body, blocks, touches, places)
        case Guard(_, then, otherwise):
            _collect(then, blocks, touches, places)
            if otherwise is not None:
                _collect(otherwise, blocks, touches, places)
        case Instance():
            for touch in touches[node.statement]:
                if touch.array in places:
                    places[touch.array].append(_Place(node, touch, blocks))
        case _:
            pass


def _fits(places: list[_Place]) -> bool:
    """Whether every access lies below defining blocks and names the one element of the innermost."""
    homes: dict[int, Block] = {}
    cells: dict[int, tuple[Affine, ...] | None] = {}
    for place in places:
        if place.touch.kind == "define":
            home = place.blocks[-1]
            if id(home) in homes:
                return False
            homes[id(home)], cells[id(home)] = home, cell_of(place.touch, place.instance)
    read: set[int] = set()
    for place in places:
        around = [id(b) for b in place.blocks if id(b) in homes]
        if not around:
            return False
        cell = cell_of(place.touch, place.instance)
        if cell is None or cell != cells[around[-1]]:
            return False
        if place.touch.kind == "read":
            read.add(around[-1])
    return len(read) == len(homes)  # compilers warn about variables that nobody reads
