"""Contractions among the nests of a grid: a block computes a tile of their results, from tiles of both operands.

    for i, grid(tiles)
      for j, merged
        double s = 0
        for k: s += a[i, k] * b[k, j]
        c[i, j] = tanh(s)

Rows are the loops that the first operand moves along, columns those of the second one, and the last of them is the last
loop of the grid; what both move along counts products. Each element of a tile is read from memory once for all rows, or
columns, of the tile, and waits in shared memory. The order in which terms are added up is that of their numbers, in
chunks of fixed lengths (polyad_cuda_tiles.h): results do not depend on how many blocks there are.

A tile pays where there are enough of them for a device, and enough terms. How large it is follows from the sizes: large
ones read less, small ones keep more of a device busy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf

import islpy as isl

from polyad.codegen.cuda.loop_chains import iterations
from polyad.codegen.loops.how import Serial
from polyad.codegen.loops.loop_values import mentioned
from polyad.codegen.loops.nodes import AddUp, Block, Instance, Load, Loop, Node, Store, Subtotal
from polyad.codegen.loops.statement_accesses import Touch, Touches, index_at
from polyad.ir.element_types import item_bytes
from polyad.ir.expr import Apply, Read
from polyad.machine.device import DEVICE, LIMITS, TileShape

__all__ = ["Tile", "along", "is_worth_tiles", "tile_of", "tile_shape"]


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """A contraction in a grid.

    Attributes:
        batch: the loops that count products.
        rows: of the results; those in a grid have some.
        columns: of the results; the last one walks along memory.
        sums: the loops of the terms.
        start: what the sum begins with, in the variable `local`.
        instance: of a term.
        first: the operand of the rows.
        second: the operand of the columns.
        local: the variable of the sum.
        rest: what is done with the sum.
    """

    batch: tuple[Loop, ...]
    rows: tuple[Loop, ...]
    columns: tuple[Loop, ...]
    sums: tuple[Loop, ...]
    start: Instance | Load
    instance: Instance
    first: Read
    second: Read
    local: str
    rest: tuple[Node, ...]


def tile_of(grid: Sequence[Loop], body: Block, touches: Touches) -> Tile | None:
    """The contraction that a grid of loops is, None where it is none.

    Args:
        grid: the loops, outermost first.
        body: what is inside of them.
        touches: the accesses of all statements.
    """
    match [n for n in body.children if not isinstance(n, Subtotal | AddUp)]:
        case [(Instance(declares=True) | Load(declares=True)) as start, Loop(how=Serial()) as loop, *rest]:
            pass
        case _:
            return None
    if not rest or not all(isinstance(n, Instance | Load | Store) for n in rest):
        return None
    sums, instance = _terms(loop, {o.iterator for o in grid})
    if instance is None:
        return None
    write, *reads = touches[instance.statement]
    totals = {n.local: n.total for n in body.children if isinstance(n, Subtotal)}
    local = instance.locals.get(write.array)
    local = totals.get(local, local) if isinstance(local, str) else None
    statement = write.statement
    product = statement.body
    if statement.reduction != "sum" or not isinstance(product, Apply) or product.op != "mul" or len(reads) != 2:
        return None
    one, other = product.args
    plain = isinstance(one, Read) and isinstance(other, Read) and one.array not in instance.locals
    if not plain or local is None or not _declares(start, local, touches):
        return None
    assert isinstance(one, Read) and isinstance(other, Read)
    if other.array in instance.locals or not one.dtype == other.dtype == product.dtype or "float" not in one.dtype:
        return None
    a, b = (along(r, instance, touches) for r in (one, other))
    if a is None or b is None:
        return None
    if grid[-1].iterator in a:  # columns are those that walk along memory
        one, other, a, b = other, one, b, a
    rows, columns = (tuple(o for o in grid if o.iterator in own - else_) for own, else_ in ((a, b), (b, a)))
    batch = tuple(o for o in grid if o not in rows and o not in columns)
    if not columns or columns[-1] is not grid[-1] or any(o.step != 1 for o in (*grid, *sums)):
        return None
    return Tile(batch, rows, columns, sums, start, instance, one, other, local, tuple(rest))


def is_worth_tiles(tile: Tile) -> bool:
    """Whether there are enough tiles, and terms; sizes that nobody knows are large."""
    return DEVICE.takes_tiles(*map(_count, (tile.rows, tile.columns, tile.sums, tile.batch)))


def tile_shape(tile: Tile) -> TileShape:
    """The tile that takes the least time by a model of a device, all of whose multiprocessors have as many tiles."""
    rows, columns, batch = map(_count, (tile.rows, tile.columns, tile.batch))
    shapes = _shapes(tile)
    if inf in (rows, columns):
        return shapes[0]

    def time(shape: TileShape) -> float:
        tiles = ceil(rows / shape.rows) * ceil(columns / shape.columns) * min(batch, DEVICE.unknown)
        most = ceil(tiles / LIMITS.multiprocessors)
        busy = min(most * shape.threads / DEVICE.warp / DEVICE.busy_warps, 1.0)
        return most * shape.rows * shape.columns / (shape.speed * max(busy, shape.threads / DEVICE.most_threads))

    return min(shapes, key=time)


def _shapes(tile: Tile) -> tuple[TileShape, ...]:
    return DEVICE.tile_shapes[item_bytes(tile.first.dtype)]


def _terms(loop: Loop, grid: set[str]) -> tuple[tuple[Loop, ...], Instance | None]:
    """The loops of terms, and the one instance inside of them, where there is nothing else."""
    found = [loop]
    while True:
        if (mentioned(found[-1].first) | mentioned(found[-1].last)) & {*grid, *(o.iterator for o in found)}:
            return (), None
        match found[-1].body.children:
            case (Loop(how=Serial()) as inside,):
                found.append(inside)
            case (Instance() as instance,):
                return tuple(found), instance
            case _:
                return (), None


def _declares(start: Instance | Load, local: str, touches: Touches) -> bool:
    if isinstance(start, Load):
        return start.local == local
    write = touches[start.statement][0]
    return write.kind == "define" and start.locals.get(write.array) == local


def along(read: Read, instance: Instance, touches: Touches) -> set[str] | None:
    """The iterators along which an operand moves; None where data decide."""
    if not isinstance(read.access, isl.MultiAff):
        return None
    touch: Touch = next(t for t in touches[instance.statement][1:] if t.access is read.access)
    return {n for i in index_at(touch, instance) if i is not None for n in i.names()}


def _count(loops: Sequence[Loop]) -> float:
    count = iterations(loops)
    return inf if count is None else count
