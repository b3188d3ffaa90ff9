"""Vector loops: those marked `simd`, or free to be, with their types, and what the lanes reduce into.

simd for k: s += x[k]      ->      vector(float64, sum s) for k: s += x[k]
"""

from __future__ import annotations

from dataclasses import replace

from polyad.codegen.loops.how import Divided, How, OneVector, Serial, Simd, Threads
from polyad.codegen.loops.nodes import Block, Loop
from polyad.codegen.loops.traversal import map_hows
from polyad.codegen.lower.lowering import StoredProgram

__all__ = ["vectors"]


def vectors(root: Block, known: StoredProgram) -> Block:
    """Run loops marked `simd`, or free to be, in vector lanes, where nothing forbids it."""

    def how(loop: Loop) -> How:
        match loop.how:
            case Simd() | OneVector():
                return known.vector(loop) or Serial()
            case Threads(within=Simd()) | Divided(within=Simd()):
                vector = known.vector(loop)
                return replace(loop.how, within=vector if vector is not None and not vector.sums else Serial())
            case _:
                return loop.how

    return map_hows(how, root)
