"""Shapes of contractions for the macro-kernel; nests that it cannot take are loops again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.codegen.loops.contractions import shape_of
from polyad.codegen.loops.how import Macro, Serial
from polyad.codegen.loops.nodes import Block, Contraction, Loop, Node, Pack
from polyad.codegen.loops.traversal import expand
from polyad.codegen.lower.lowering import StoredProgram

__all__ = ["contraction_shapes"]


def contraction_shapes(root: Block, known: StoredProgram) -> Block:
    """Give contractions their shapes: how many elements, and how far apart they lie in memory."""

    def shaped(node: Contraction) -> Contraction:
        shape = shape_of(node, known.program.arrays, known.storage.slots, known.storage.layouts)
        return replace(node, shape=shape)

    def one(node: Node) -> Sequence[Node] | None:
        match node:
            case Contraction():
                found = shaped(node)
                return [found.nest if found.shape is None else found]
            case Loop(how=Macro()):
                return [replace(node, how=Serial(), body=expand(one, node.body))]
            case Pack():
                found = shaped(node.contraction)
                assert found.shape is not None, "panels are made for contractions that the macro-kernel computes"
                return [replace(node, contraction=found)]
            case _:
                return None

    return expand(one, root)
