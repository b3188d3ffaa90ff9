"""Parallel loops: some start threads, some share those of the region around, others run in the one that is there.

parallel for i            ->   threads(work > least) for i
  parallel for j                 for j
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.codegen.loops.how import Divided, Parallel, Simd, Threads
from polyad.codegen.loops.loop_values import names_of
from polyad.codegen.loops.nodes import Assume, Block, Loop, Node, Parts, Region, Share
from polyad.codegen.loops.traversal import expand, nodes, with_blocks
from polyad.codegen.loops.vector_loops import lane_sums
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.lower.pieces import piece_count

__all__ = ["threads"]


def threads(root: Block, known: StoredProgram) -> Block:
    """Decide for each parallel loop and each share whether threads start."""
    return _Threads(known).block(root, threaded=False)


class _Threads:
    def __init__(self, known: StoredProgram) -> None:
        self.known = known

    def block(self, block: Block, threaded: bool) -> Block:
        return expand(lambda node: self.one(node, threaded), block)

    def one(self, node: Node, threaded: bool) -> Sequence[Node] | None:
        match node:
            case Loop(how=Parallel()):
                how = self.known.threads(node) if self.starts(threaded) else self.known.within(node)
                return [self.loop(replace(node, how=how))]
            case Loop(how=Divided() as divided):
                shared = replace(divided, pieces=piece_count(node), within=self.known.within(node))
                return [self.loop(replace(node, how=shared))]
            case Share():
                work = self.known.work(node) if self.known.options.openmp else None
                starts = work is not None and work.is_enough is not False
                return [replace(node, work=work if starts else None, body=self.block(node.body, True))]
            case Region() | Parts():
                return [with_blocks(lambda b: self.block(b, True), node)]
            case _:
                return None

    def starts(self, threaded: bool) -> bool:
        return self.known.options.openmp and not threaded

    def loop(self, loop: Loop) -> Loop:
        """A loop that was parallel, in threads or not; those inside run in its threads."""
        inside = self.block(loop.body, threaded=self.known.options.openmp)
        if isinstance(loop.how, Threads | Divided):
            inside = Block((*self.assumption(loop), *inside.children))
        return replace(loop, body=inside)

    def assumption(self, loop: Loop) -> list[Node]:
        """Return an assumption that compilers need for a loop whose iterations are divided among threads.

        They do not see where the part of a thread begins. Where sums inside may then be empty, gcc (12) splits the loop
        at that point, and forgets that those are vector loops.
        """
        loops = [n for n in nodes(loop) if isinstance(n, Loop) and isinstance(n.how, Simd)]
        sums = [n for n in loops if lane_sums(n, self.known.touches)]
        if not any(loop.iterator in names_of(bound) for n in sums for bound in (n.first, n.last)):
            return []
        return [Assume(loop.iterator, loop.limits[0])]
