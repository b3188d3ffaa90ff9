"""Contractions in the steps of a recurrence, whose results and terms the threads of a region share.

    for t
      for i, divided(product)
        for j, merged
          float s = z[t, i, j]
          for k: s += h[t, i, k] * U[k, j]
          z[t, i, j] = s

A step waits for the one before, so its sums are short work for many threads: each result is the sum of eight parts, of
which each has every eighth block of 32 terms (polyad_cuda_teams.h). The parts follow from the number of terms alone,
and so do the bits. Rows are the loops that the first operand moves along; there may be none. Columns go to the blocks
of a team. The second operand stays on the chip, in the shared memory of the block that has the columns, where it is the
same in all steps: what it is read from, and which columns and terms there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from polyad.codegen.cuda.loop_chains import iterations, merged_loops
from polyad.codegen.cuda.memory_accesses import memory_accesses
from polyad.codegen.cuda.tiles import Tile, along, tile_of
from polyad.codegen.loops.how import Divided, Serial
from polyad.codegen.loops.loop_values import mentioned
from polyad.codegen.loops.nodes import Block, Launch, Loop, Node, Parts, Region, Share
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.loops.traversal import expand, nodes
from polyad.codegen.lower.lowering import StoredProgram
from polyad.machine.device import DEVICE

__all__ = ["is_long_product", "is_team", "product_of", "products", "rooms", "with_products"]


def with_products(block: Block, known: StoredProgram) -> Block:
    """A block of a region whose loops are divided, with the contractions in its steps as products."""

    def in_steps(node: Node) -> Sequence[Node] | None:
        if not isinstance(node, Loop) or not isinstance(node.how, Divided):
            return None
        if node.how.blocks:
            return [node]
        tile = product_of(node, known.touches)
        return [replace(node, how=replace(node.how, product=tile is not None and _is_long(tile)))]

    def one(node: Node) -> Sequence[Node] | None:
        if isinstance(node, Loop) and node.how == Serial():
            return [replace(node, body=expand(in_steps, node.body))]
        return None

    return expand(one, block)


def products(node: Node) -> list[Loop]:
    """The products of a launch, in their order."""
    return [n for n in nodes(node) if isinstance(n, Loop) and isinstance(n.how, Divided) and n.how.product]


def is_team(launch: Launch) -> bool:
    """Whether the threads of the region of a launch are those of a team: of parts of its own, or the only one.

    A sum that threads share is put together in one block, so there are none where a team is.
    """
    inside = [*nodes(launch)]
    lone = any(isinstance(n, Region) for n in launch.body.children)
    own = any(isinstance(n, Share) for n in inside)
    return own or (lone and bool(products(launch)) and not any(isinstance(n, Parts) for n in inside))


def product_of(loop: Loop, touches: Touches) -> Tile | None:
    """The contraction that a divided loop, and those merged with it, are; None where they are none."""
    loops = merged_loops(loop)
    tile = tile_of(loops, loops[-1].body, touches)
    if tile is None or tile.batch:
        return None
    return tile


def is_long_product(loops: Sequence[Loop], touches: Touches) -> bool:
    """Whether loops, of which each has the next one inside, are a contraction that lanes share the results of."""
    tile = tile_of(loops, loops[-1].body, touches)
    return tile is not None and not tile.batch and _is_long(tile)


def rooms(launch: Node, known: StoredProgram) -> Mapping[Loop, int]:
    """Product -> the number of the room where its second operand stays, for those where it is the same in all steps."""
    found: dict[Loop, int] = {}
    loops = products(launch)
    written = {a.place for a in memory_accesses(launch, known) if a.writes} if loops else set()
    for loop in loops:
        tile = product_of(loop, known.touches)
        assert tile is not None, "it was one when it was marked"
        own = {o.iterator for o in (*tile.columns, *tile.sums)}
        moved = along(tile.second, tile.instance, known.touches)
        bounds = frozenset().union(*(mentioned(b) for o in (*tile.columns, *tile.sums) for b in o.limits))
        fixed = bounds <= set(known.program.params)
        if fixed and moved is not None and moved <= own and known.place(tile.second.array) not in written:
            found[loop] = len(found)
    return found


def _is_long(tile: Tile) -> bool:
    count = iterations(tile.sums)
    return count is None or count >= DEVICE.terms
