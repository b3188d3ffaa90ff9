"""Parallel loops one behind the other as one, where no iteration needs what another one of the first loop did.

    parallel for j                             parallel for j
      c_bar[j] = f(h_bar[j])                     c_bar[j] = f(h_bar[j])
    if t >= 1                          ->        if t >= 1
      parallel for j                               b_bar[j] = g(c_bar[j])
        b_bar[j] = g(c_bar[j])

Between two loops threads meet, and wait for memory; within one, what an iteration has written is in its registers.

What must hold: the loops have the same iterations; where both access one piece of memory and one of them writes, it
holds one array, of which different iterations access different elements; the schedule
says of no meeting in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.codegen.cuda.loop_chains import around, loop_chain
from polyad.codegen.cuda.memory_accesses import MemoryAccess, memory_accesses
from polyad.codegen.loops.how import Parallel
from polyad.codegen.loops.loop_values import mentioned
from polyad.codegen.loops.nodes import Block, Guard, Loop, Node
from polyad.codegen.loops.scope import declared_variable
from polyad.codegen.loops.traversal import declared, expand, instances, substitute
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine

__all__ = ["fused_phases"]


def fused_phases(block: Block, known: StoredProgram) -> Block:
    """A block of steps with neighbouring loops fused, in all blocks inside of it."""

    def one(node: Node) -> Sequence[Node] | None:
        if isinstance(node, Loop) and isinstance(node.how, Parallel):
            return [node]
        return [replace(node, body=fused_phases(node.body, known))] if isinstance(node, Loop) else None

    made: list[Node] = []
    for node in expand(one, block).children:
        fused = _fused(made[-1], node, known) if made else None
        if fused is None:
            made.append(node)
        else:
            made[-1] = fused
    return Block(tuple(made))


def _fused(first: Node, second: Node, known: StoredProgram) -> Loop | None:
    """Two nodes as one loop; None where they are none."""
    match second:
        case Guard(then=Block((Loop() as nest,)), otherwise=None):
            guard: Guard | None = second
        case Loop() as nest:
            guard = None
        case _:
            return None
    if not isinstance(first, Loop) or not isinstance(first.how, Parallel) or first.how != nest.how:
        return None
    mine, theirs = ({i.statement for i in instances(node)} for node in (first, second))
    if any(mine & place.names and not theirs & place.names for place in known.meetings):
        return None
    one, other = (loop_chain(o, lambda loop: isinstance(loop.how, Parallel)) for o in (first, nest))
    names = {o.iterator: Affine.of(own.iterator) for own, o in zip(one, other, strict=False)}
    if [(o.first, o.last, o.step) for o in one] != [(o.first, o.last, o.step) for o in other]:
        return None
    iterators = {o.iterator for o in one}
    if declared(other[-1].body) & iterators:
        return None  # what is inside has the names that these would get
    body = substitute(other[-1].body, names)
    assert isinstance(body, Block)
    if guard is not None and mentioned(guard.condition) & {*iterators, *names}:
        return None
    ours = [*memory_accesses(one[-1].body, known)]
    both = ((a, b) for b in memory_accesses(body, known) for a in ours if a.conflicts(b))
    if not all(_apart(a, b, iterators) for a, b in both) or _declared(one[-1].body, known) & _declared(body, known):
        return None
    inside = body.children if guard is None else (replace(guard, then=body),)
    return around(one, Block((*one[-1].body.children, *inside)))


def _declared(block: Block, known: StoredProgram) -> set[str]:
    """The variables that a block declares."""
    return {v[0] for n in block.children if (v := declared_variable(n, known.touches)) is not None}


def _apart(a: MemoryAccess, b: MemoryAccess, iterators: set[str]) -> bool:
    """Whether two accesses are to different elements of an array wherever their iterations differ."""
    if a.array != b.array or a.cell is None or b.cell is None:
        return False
    alike = [i for i, other in zip(a.cell, b.cell, strict=True) if i == other]
    return all(any((i - Affine.of(n)).names().isdisjoint(iterators) for i in alike) for n in iterators)
