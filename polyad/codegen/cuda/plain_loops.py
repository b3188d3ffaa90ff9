"""Loops of the schedule for a GPU: parallel ones, and those that run one iteration after the other.

What is made for caches and vectors is taken apart: contractions are the loops that they stand for, the parts of a share
are one part, and lanes and jammed loops run one iteration after the other. Prefix scans stay (scans.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.codegen.loops.how import Parallel, Serial
from polyad.codegen.loops.loop_values import Compare
from polyad.codegen.loops.nodes import Block, Contraction, Guard, Let, Loop, Node, Share
from polyad.codegen.loops.traversal import expand
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine

__all__ = ["plain_loops"]


def plain_loops(root: Block, _: StoredProgram) -> Block:
    """The same iterations in loops that are parallel or serial, and nothing else around them."""

    def one(node: Node) -> Sequence[Node] | None:
        match node:
            case Loop(how=how):
                plain = Parallel() if isinstance(how, Parallel) else Serial()
                return [replace(node, how=plain, body=expand(one, node.body))]
            case Contraction(nest=nest):
                return expand(one, Block((nest,))).children
            case Share(first, last, low, high, body):
                some = Guard(Compare("<=", Affine.of(first), Affine.of(last)), expand(one, body))
                return [Block((Let(first, low), Let(last, high), some))]
            case _:
                return None

    return expand(one, root)
