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

Where threads share sums in a step, such as means and variances of normalised gates, all that stands between two
products is one phase, and a block runs it for a row: its threads share loops and sums, and meet each other alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from polyad.codegen.cuda.groups import groups
from polyad.codegen.cuda.loop_chains import around, loop_chain
from polyad.codegen.cuda.step_products import is_long_product
from polyad.codegen.loops.how import Parallel, Serial
from polyad.codegen.loops.loop_values import mentioned
from polyad.codegen.loops.nodes import Block, Guard, Let, Loop, Node, Share, SlotPointer
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.lower.lowering import StoredProgram
from polyad.ir.affine import Affine

__all__ = ["Rows", "in_phases"]

Rows = Callable[[Block, int], Block]


def in_phases(chain: Sequence[Loop], known: StoredProgram, rows: Rows | None = None) -> Share | None:
    """The iterations of parallel loops around steps, phase by phase; None where they are not one after another.

    Args:
        chain: the loops, inside of each other, outermost first.
        known: of the program.
        rows: makes the region of a block of nodes, for phases that a block does for a row; of nodes and the number of
            steps around them.
    """
    outer, *inner = chain
    if outer.step != 1:
        return None
    first, last = (known.fresh(f"{outer.iterator}_{end}") for end in ("first", "last"))
    own = replace(outer, first=Affine.of(first), last=Affine.of(last))
    body = _Phases((own, *inner), known, rows).block(chain[-1].body, 0)
    return Share(first, last, outer.first, outer.last, body, {})


@dataclass(frozen=True, slots=True, eq=False)
class _Phases:
    """Makes phases.

    Attributes:
        loops: the parallel loops that stood around.
        known: of the program.
        rows: as for `in_phases`.
    """

    loops: Sequence[Loop]
    known: StoredProgram
    rows: Rows | None

    def block(self, block: Block, steps: int) -> Block:
        """The nodes of a block, each for all iterations of the loops; `steps`: the loops of steps around it."""
        match block.children:
            case (SlotPointer() | Let(), *_):
                return Block(tuple(self.phase(block.children, steps)))
            case _:
                together = [*groups(block, self.known)]
                if self.rows is not None and any(map(self.is_product, together)):
                    together = self.between_products(together)
                return Block(tuple(n for group in together for n in self.phase(group, steps)))

    def phase(self, nodes_: Sequence[Node], steps: int) -> Sequence[Node]:
        """Nodes that belong together."""
        iterators = {o.iterator for o in self.loops}
        match nodes_:
            case [SlotPointer() as pointer, *rest]:
                return [pointer, *self.block(Block(tuple(rest)), steps).children]
            case [Let(value=value) as name, *rest] if not mentioned(value) & iterators:
                return [name, *self.block(Block(tuple(rest)), steps).children]
            case [Block() as inside]:
                return [self.block(inside, steps)]
            case [Loop(how=Serial()) as loop] if _has_phases(loop.body) and not _limits(loop) & iterators:
                return [replace(loop, body=self.block(loop.body, steps + 1))]
            case [Guard(condition, then, None) as guard] if _has_phases(then) and not mentioned(condition) & iterators:
                return [replace(guard, then=self.block(then, steps))]
            case _ if self.rows is not None and not self.is_product(nodes_):
                return [around(self.loops, self.rows(Block(tuple(nodes_)), steps))]
            case _:
                return [around(self.loops, Block(tuple(nodes_)))]

    def is_product(self, nodes_: Sequence[Node]) -> bool:
        """Whether nodes are a product, or steps with some: all threads of a team share it."""
        match nodes_:
            case [Loop(how=Parallel()) as loop]:
                nest = around(self.loops, Block((loop,)))
                return is_long_product(loop_chain(nest, lambda o: isinstance(o.how, Parallel)), self.known.touches)
            case [Loop(how=Serial(), body=body)] | [Guard(then=body)] | [Block() as body]:
                return any(map(self.is_product, groups(body, self.known)))
            case _:
                return False

    def between_products(self, together: Sequence[Sequence[Node]]) -> list[Sequence[Node]]:
        """Nodes in groups, all those between two products in one."""
        found: list[Sequence[Node]] = []
        joins = False
        for group in together:
            product = self.is_product(group)
            if joins and not product:
                found[-1] = (*found[-1], *group)
            else:
                found.append(group)
            joins = not product
        return found


def _has_phases(block: Block) -> bool:
    return any(isinstance(n, Loop) and isinstance(n.how, Parallel) for n in nodes(block))


def _limits(loop: Loop) -> frozenset[str]:
    return mentioned(loop.first) | mentioned(loop.last)
