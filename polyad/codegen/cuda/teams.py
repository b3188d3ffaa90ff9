"""Teams: blocks that run the steps of a recurrence together, for several rows of its batch.

    parallel for i                             share i_first .. i_last of 0 .. B - 1
      for t                                      for t
        parallel for j                             parallel for i = i_first .. i_last
          z[t, i, j] = f(h[t, i])          ->        parallel for j
        parallel for j                                 z[t, i, j] = f(h[t, i])
          h[t + 1, i, j] = g(z[t, i])              parallel for i = i_first .. i_last
                                                     parallel for j
                                                       h[t + 1, i, j] = g(z[t, i])

Each team has some rows, and all its threads share each phase of a step. So the weights of a network are read once for
all rows of a team, and each block of it needs only those of its own units. Iterations of a parallel loop have nothing
to do with each other, so they may run phase by phase, whatever the phases are. How many blocks a team has, and how many
rows, is a matter of speed alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.codegen.cuda.groups import groups
from polyad.codegen.cuda.loop_chains import around
from polyad.codegen.loops.how import Parallel, Serial
from polyad.codegen.loops.loop_values import mentioned
from polyad.codegen.loops.nodes import Block, Guard, Let, Loop, Node, Share, SlotPointer
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine

__all__ = ["in_phases"]


def in_phases(chain: Sequence[Loop], known: StoredProgram) -> Share | None:
    """The iterations of parallel loops around steps, phase by phase; None where they are not one after another.

    Args:
        chain: the loops, inside of each other, outermost first.
        known: of the program.
    """
    outer, *inner = chain
    if outer.step != 1:
        return None
    first, last = (known.fresh(f"{outer.iterator}_{end}") for end in ("first", "last"))
    own = replace(outer, first=Affine.of(first), last=Affine.of(last))
    body = _phases(chain[-1].body, (own, *inner), known)
    return Share(first, last, outer.first, outer.last, body, {})


def _phases(block: Block, loops: Sequence[Loop], known: StoredProgram) -> Block:
    """The nodes of a block, each for all iterations of loops that stood around it."""
    iterators = {o.iterator for o in loops}

    def phase(nodes_: Sequence[Node]) -> Sequence[Node]:
        match nodes_:
            case [SlotPointer() as pointer, *rest]:
                return [pointer, *_phases(Block(tuple(rest)), loops, known).children]
            case [Let(value=value) as name, *rest] if not mentioned(value) & iterators:
                return [name, *_phases(Block(tuple(rest)), loops, known).children]
            case [Block() as inside]:
                return [_phases(inside, loops, known)]
            case [Loop(how=Serial()) as loop] if _has_phases(loop.body) and not _limits(loop) & iterators:
                return [replace(loop, body=_phases(loop.body, loops, known))]
            case [Guard(condition, then, None) as guard] if _has_phases(then) and not mentioned(condition) & iterators:
                return [replace(guard, then=_phases(then, loops, known))]
            case _:
                return [around(loops, Block(tuple(nodes_)))]

    match block.children:
        case (SlotPointer() | Let(), *_):
            return Block(tuple(phase(block.children)))
        case _:
            return Block(tuple(n for group in groups(block, known) for n in phase(group)))


def _has_phases(block: Block) -> bool:
    return any(isinstance(n, Loop) and isinstance(n.how, Parallel) for n in nodes(block))


def _limits(loop: Loop) -> frozenset[str]:
    return mentioned(loop.first) | mentioned(loop.last)
