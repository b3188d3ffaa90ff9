"""Sums that the threads of a block share: loops that reduce, and write at most elements of their own iterations.

    for j: e[i, j] = exp(x[i, j]); s += e[i, j]      parts: sum s for s: part s_part
                                                       for j, merged
                                                         e[i, j] = exp(x[i, j]); s_part += e[i, j]

Each thread reduces every n-th iteration into a variable of its own; what threads have is put together in one order, so
that all of them hold the same sum (`pa_block_sum_f64` of polyad_cuda.h). How many threads a block has follows from the
sizes, and so do the bits.

A block is worth it where one thread would walk along memory: where elements that neighbours in the grid read at the
same time are far apart, and those of neighbours in the sum are not. A contraction, of which each operand serves several
elements of its result, has a thread for each of these, whatever lies how.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from polyad.codegen.cuda.loop_chains import iterations, loop_chain
from polyad.codegen.loops.how import Merged, Parallel, Serial, Work
from polyad.codegen.loops.nodes import Block, Instance, Loop, Node
from polyad.codegen.loops.statement_accesses import Touch, index_at
from polyad.codegen.loops.traversal import expand, instances
from polyad.codegen.loops.vector_loops import is_smooth_along
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.lower.partial_sums import parts_of, sums_of
from polyad.machine.device import DEVICE

__all__ = ["ALWAYS", "is_worth_a_block", "with_block_sums"]

ALWAYS = Work(((1, ()),), 0.0)
"""The threads of a block are there, whatever the work is."""


def with_block_sums(block: Block, known: StoredProgram) -> Block:
    """A block of a region with its sums shared by threads, those of serial loops in it, too."""

    def one(node: Node) -> Sequence[Node] | None:
        if not isinstance(node, Loop):
            return None
        if isinstance(node.how, Parallel):
            return [node]
        merged = _merged(node)
        sums = sums_of(merged[0], known, lambda i: _is_own(i, merged, known)) if _is_long(merged) else []
        return [parts_of(_as_one(merged), sums, known, ALWAYS, False)] if sums else None

    return expand(one, block)


def is_worth_a_block(grid: Sequence[Loop], body: Block, known: StoredProgram) -> bool:
    """Whether a block, instead of a thread, should run each iteration of a grid for the sake of the sums in it."""
    size = iterations(grid)
    found = False
    for loop in _reducing(body, known):
        merged = _merged(loop)
        reads = [(t, i) for i in instances(loop) for t in known.touches[i.statement] if t.array not in i.locals]
        if _is_contraction(reads, grid):
            return size is not None and size < DEVICE.few // DEVICE.warp
        along = all(is_smooth_along(t, i, merged[-1].iterator) for t, i in reads)
        across = all(is_smooth_along(t, i, grid[-1].iterator) for t, i in reads)
        found = found or (along and not across) or (size is not None and size < DEVICE.few)
    return found


def _reducing(block: Block, known: StoredProgram) -> Iterator[Loop]:
    """The outermost loops of a block that threads could share as sums."""
    for node in block.children:
        match node:
            case Loop(how=Serial()):
                merged = _merged(node)
                if _is_long(merged) and sums_of(node, known, lambda i, m=merged: _is_own(i, m, known)):  # type: ignore[misc]
                    yield node
                else:
                    yield from _reducing(node.body, known)
            case Block():
                yield from _reducing(node, known)
            case _:
                pass


def _merged(loop: Loop) -> tuple[Loop, ...]:
    """A serial loop and those inside of it that could be merged with it."""
    return loop_chain(loop, lambda inside: isinstance(inside.how, Serial) and inside.step == 1)


def _as_one(loops: Sequence[Loop]) -> Loop:
    """Loops merged."""
    body = loops[-1].body
    for loop in reversed(loops):
        body = Block((replace(loop, how=Merged(), body=body),))
    (found,) = body.children
    assert isinstance(found, Loop)
    return found


def _is_long(loops: Sequence[Loop]) -> bool:
    count = iterations(loops)
    return count is None or count >= DEVICE.terms


def _is_contraction(reads: Sequence[tuple[Touch, Instance]], grid: Sequence[Loop]) -> bool:
    """Whether each operand serves several iterations of a grid."""
    return all(any(not _moves(t, i, loop.iterator) for loop in grid) for t, i in reads)


def _moves(touch: Touch, instance: Instance, iterator: str) -> bool:
    return any(i is None or iterator in i.names() for i in index_at(touch, instance))


def _is_own(instance: Instance, loops: Sequence[Loop], known: StoredProgram) -> bool:
    """Whether what an instance writes are elements of its iteration alone, as all that others touch of the array are.

    Each loop has an index of its own: elements that have it alike are those of one iteration.
    """
    write = known.touches[instance.statement][0]
    if write.kind != "define":
        return False
    place, index = known.place(write.array), index_at(write, instance)
    folded = known.storage.slots.get(write.array, {})
    own: list[int] = []
    for loop in loops:
        others = {o.iterator for o in loops if o is not loop}
        found = (
            d
            for d, i in enumerate(index)
            if d not in folded
            if i is not None and abs(dict(i.terms).get(loop.iterator, 0)) == 1 and not others & i.names()
        )
        dim = next(found, None)
        if dim is None:
            return False
        own.append(dim)
    for other in instances(loops[0]):
        for touch in known.touches[other.statement]:
            if touch.array in other.locals or known.place(touch.array) != place:
                continue
            there = index_at(touch, other)
            if _form(touch.array, known) != _form(write.array, known) or any(there[d] != index[d] for d in own):
                return False
    return True


def _form(array: str, known: StoredProgram) -> tuple[object, ...]:
    """The extents of an array in memory: elements of two arrays of one form lie alike."""
    return known.program.arrays[array].shape, known.program.arrays[array].dtype, known.storage.slots.get(array, {})
