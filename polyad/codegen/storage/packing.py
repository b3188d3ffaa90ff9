"""Operands of contractions that are packed once, outside of the loops that leave them as they are.

    for t:                                     pack W into W_panels
      for b:                           ->      for t:
        c[t, b, :] += a[t, b, :] * W             for b:
                                                   c[t, b, :] += a[t, b, :] * W_panels

The copy is made before the outermost loop in which nothing writes the operand, and on whose iterator neither its place
nor its extents depend. Its memory is part of the workspace, so its extents may depend on sizes only. It is made outside
of a condition, such as that of the steps of an adjoint that pass something on, if all of it lies inside of its array
whether the condition holds or not: then it is only copied, where nothing uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from polyad.codegen.loops.how import Parallel
from polyad.codegen.loops.loop_values import Compare, Nonzero, names_of, parts
from polyad.codegen.loops.nodes import (
    Block,
    Contraction,
    ContractionAxis,
    Guard,
    Loop,
    Node,
    Operand,
    Pack,
    Shape,
    Share,
)
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.loops.traversal import declared, instances, with_blocks
from polyad.codegen.storage.memory_plan import Slot
from polyad.ir.affine import Affine

__all__ = ["pack_outside"]

EXTRA = 63
"""Columns that panels may have more than the operand: PA_PANEL_EXTRA of polyad_contraction.h."""

ShapeOf = Callable[[Contraction], Shape | None]

_Around = Loop | Share | Guard


def pack_outside(
    root: Block,
    shape_of: ShapeOf,
    inside: Callable[[Operand, Sequence[Loop]], bool],
    touches: Touches,
    fresh: Callable[[str], str],
    sizes: Collection[str],
) -> tuple[Block, tuple[Slot, ...]]:
    """Put the packing of operands in front of loops.

    Args:
        root: the loops.
        shape_of: what the macro-kernel is told of a nest, None where it is printed as loops.
        inside: whether an element lies inside of its array in all iterations of some loops, for all sizes.
        touches: the accesses of all statements.
        fresh: array -> an unused name for its panels.
        sizes: the names that the workspace is computed from.

    Returns:
        The loops, and the memory of the panels.
    """
    packer = _Packer(shape_of, inside, touches, fresh, frozenset(sizes))
    return packer.block(root, ()), tuple(packer.slots)


@dataclass(slots=True, eq=False)
class _Packer:
    shape_of: ShapeOf
    inside: Callable[[Operand, Sequence[Loop]], bool]
    touches: Touches
    fresh: Callable[[str], str]
    sizes: frozenset[str]
    slots: list[Slot] = field(default_factory=list)
    waiting: dict[int, list[Pack]] = field(default_factory=dict)  # loop -> what is packed before it

    def block(self, block: Block, around: tuple[_Around, ...]) -> Block:
        children: list[Node] = []
        for child in block.children:
            done = self.node(child, around)
            children += [*self.waiting.pop(id(child), ()), done]
        return Block(tuple(children))

    def node(self, node: Node, around: tuple[_Around, ...]) -> Node:
        match node:
            case Contraction():
                return self.contraction(node, around)
            case Loop() | Share() | Guard():
                around = (*around, node)
            case _:
                pass
        return with_blocks(lambda b: self.block(b, around), node)

    def contraction(self, node: Contraction, around: tuple[_Around, ...]) -> Contraction:
        shape = self.shape_of(node)
        if shape is None:
            return node
        needed = _names(shape)
        loop: Loop | Share | None = None
        repeated = False
        for position in reversed(range(len(around))):
            outer = around[position]
            if isinstance(outer, Guard):
                if _is_rare(outer) or not self.is_there(shape):
                    break
                continue
            written = any(self.touches[i.statement][0].array == shape.b.array for i in instances(outer))
            if needed is None or written or needed & declared(outer):
                break
            repeated = repeated or isinstance(outer, Loop)
            # There is one copy, so it must not be made by several threads.
            if repeated and not any(map(_starts_threads, around[:position])):
                loop = outer
        if loop is None:
            return node
        extents = (*_counts(shape.sums), _columns(shape) + EXTRA)
        if not all(names_of(extent) <= self.sizes for extent in extents):
            return node
        name = self.fresh(shape.b.array)
        self.slots.append(Slot((name,), shape.dtype, extents))
        self.waiting.setdefault(id(loop), []).append(Pack(name, shape.b.array, node))
        return replace(node, packed=name)

    def is_there(self, shape: Shape) -> bool:
        """Whether all of the operand may be read, whatever the iterations around."""
        return self.inside(shape.b, [loop for axis in (*shape.columns, *shape.sums) for loop in axis.loops])


def _is_rare(guard: Guard) -> bool:
    """Whether a condition says nothing of most iterations: it holds in one of them, or data decide."""
    return any(isinstance(p, Nonzero) or (isinstance(p, Compare) and p.op == "==") for p in parts(guard.condition))


def _starts_threads(node: _Around) -> bool:
    return isinstance(node, Share) or (isinstance(node, Loop) and isinstance(node.how, Parallel))


def _names(shape: Shape) -> frozenset[str] | None:
    """The names that the place and the extents of b depend on; None where they are no affine expressions."""
    found: set[str] = set()
    first: dict[str, Affine] = {}
    for axis in (*shape.sums, *shape.columns):
        if not isinstance(axis.count, Affine):
            return None
        found |= names_of(axis.count)
        for loop in axis.loops:
            if not isinstance(loop.first, Affine):
                return None
            first[loop.iterator] = loop.first
    # The panels have one affine number of columns, so at most one axis has a number that is not constant.
    if sum(not isinstance(x.count, Affine) or not x.count.is_constant for x in shape.columns) > 1:
        return None
    own = {loop.iterator for axis in shape.rows for loop in axis.loops}
    for index in shape.b.index:
        found |= index.substitute(first).names()
    return None if found & own else frozenset(found)


def _counts(axes: tuple[ContractionAxis, ...]) -> tuple[Affine, ...]:
    return tuple(x.count for x in axes if isinstance(x.count, Affine))


def _columns(shape: Shape) -> Affine:
    result = Affine.of(1)
    for count in _counts(shape.columns):
        result = result * count.constant if count.is_constant else count * result.constant
    return result
