"""Which loops marked `simd`, or free to be, run in vector lanes: their types, and what the lanes reduce into.

simd for k: s += x[k]      ->      vector(float64, sum s) for k: s += x[k]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.codegen.loops.how import Divided, How, OneVector, Serial, Simd, Threads
from polyad.codegen.loops.nodes import Block, Loop, Node, Parts, PrefixScan
from polyad.codegen.loops.traversal import expand, with_blocks
from polyad.codegen.lower.lowering import Lowering
from polyad.codegen.lower.prefix_scans import scan_loops

__all__ = ["vectors"]


def vectors(root: Block, known: Lowering) -> Block:
    """Run loops marked `simd`, or free to be, in vector lanes, where nothing forbids it."""

    def one(node: Node) -> Sequence[Node] | None:
        match node:
            case Loop():
                return [with_blocks(lambda b: expand(one, b), replace(node, how=_how(node, node.how, known)))]
            case Parts(loop=loop):
                (inside,) = expand(one, Block((loop,))).children
                assert isinstance(inside, Loop)
                return [replace(node, loop=inside)]
            case PrefixScan():
                first, second = (_of_scan(loop, known) for loop in scan_loops(node))
                return [replace(node, first=first, second=second)]
            case _:
                return None

    return expand(one, root)


def _how(loop: Loop, how: How, known: Lowering) -> How:
    match how:
        case Simd() | OneVector():
            return known.vector(loop) or Serial()
        case Threads(within=Simd()) | Divided(within=Simd()):
            vector = known.vector(loop)
            return replace(how, within=vector if vector is not None and not vector.sums else Serial())
        case _:
            return how


def _of_scan(loop: Loop, known: Lowering) -> How:
    """Of one of the loops of a prefix scan, which has no other name for what it reduces into."""
    return known.vector(loop) or Serial()
