"""Blocks of iterations: which of them run, when one is whole, and several that stand side by side."""

from __future__ import annotations

from polyad.codegen.loops.how import OneVector
from polyad.codegen.loops.loop_values import Combine, Compare, Condition, Extreme, Value, add, scale
from polyad.codegen.loops.nodes import Block, Declare, Instance, Load, Loop, Node, Store
from polyad.codegen.loops.traversal import substitute, with_blocks
from polyad.ir.affine import Affine

__all__ = ["beside", "those_that_run", "whole_block"]


def beside(one: Block, other: Block) -> Block:
    """Two bodies made of the same one in one block: what is in the same loop of it stands in one loop."""

    def nests(block: Block) -> list[int]:
        children = block.children
        return [i for i, n in enumerate(children) if not (_is_flat(n))]

    children: list[Node] = []
    a = b = 0
    for i, j in [*zip(nests(one), nests(other), strict=True), (len(one.children), len(other.children))]:
        children += [*one.children[a:i], *other.children[b:j]]
        if i < len(one.children):
            children.append(_merged(one.children[i], other.children[j]))
        a, b = i + 1, j + 1
    return Block(tuple(sorted(children, key=lambda c: not isinstance(c, Declare))))


def _is_flat(node: Node) -> bool:
    """Whether a node holds no loops but those over lanes."""
    lanes = isinstance(node, Loop) and node.how == OneVector()
    return lanes or isinstance(node, Instance | Load | Store | Declare)


def _merged(one: Node, other: Node) -> Node:
    """One of two equal nodes around blocks, with the blocks of both side by side."""
    theirs = iter(_blocks_of(other))
    return with_blocks(lambda mine: beside(mine, next(theirs)), one)


def _blocks_of(node: Node) -> list[Block]:
    """The blocks in a node, in the order of `with_blocks`."""
    found: list[Block] = []

    def note(block: Block) -> Block:
        found.append(block)
        return block

    with_blocks(note, node)
    return found


def those_that_run(*loops: Loop | None) -> list[Node]:
    """The loops that are not known to be empty; what is in them, where they are known to have one iteration."""
    found: list[Node] = []
    for loop in loops:
        if loop is None:
            continue
        most = _most(add(loop.last, scale(loop.first, -1)))  # iterations behind the first one
        if most is not None and most < 0:
            continue
        match loop.first, loop.last:
            case (Affine() as first, Affine()) if most is not None and most < loop.step:
                found.append(substitute(loop.body, {loop.iterator: first}))
            case _:
                found.append(loop)
    return found


def _most(value: Value) -> int | None:
    """A number that a value is never above, if one is known."""
    match value:
        case Affine():
            return value.constant if value.is_constant else None
        case Extreme("min", args):
            return min((most for arg in args if (most := _most(arg)) is not None), default=None)
        case _:
            return None


def whole_block(loop: Loop, width: int) -> tuple[Condition | None, Value] | None:
    """Of a loop over the rows of one block: when it is whole (None: always), and the last row of one that is not.

    None for other loops.
    """
    match loop.last:
        case Affine() if loop.last - width + 1 == loop.first:
            return None, loop.last
        case Extreme("min", args):
            assert isinstance(loop.first, Affine)
            end = loop.first + (width - 1)
            others = tuple(a for a in args if a != end)
            if len(others) == len(args) or not others:
                return None
            tests: list[Condition] = [Compare(">=", a, end) for a in others]
            return (
                tests[0] if len(tests) == 1 else Combine("&&", tuple(tests)),
                others[0] if len(others) == 1 else Extreme("min", others),
            )
        case _:
            return None
