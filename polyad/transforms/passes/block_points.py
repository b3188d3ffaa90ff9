"""Long dimensions in blocks: what is computed for each of many points, and then summed, is kept for some of them only.

    y[k, n] = ...                          for each block of 64 points
    m[n] max= y[k, n]              ->          y[k, n], m[n] for its points
    s[k] += f(y[k, n], m[n])                   s[k] += f(y[k, n], m[n])

A temporary with an element for every point (and component, and dimension) is larger than the caches, and goes to memory
and back between any two passes over the points. Where nothing ties two points but sums over all of them, at the end,
the points are counted as n = 64 s + p. Arrays become y[s, k, p], and are of use for one block only; the scheduler makes
a loop over blocks for that (schedule/state/segments.py), and storage folds each array to one block.

Where there are enough blocks, runs of them are parts that have sums of their own (rewrite/sums/part_sums.py),
and nothing else in common: the loop over parts is parallel, and each thread has one block of each array.

What must hold: every point is counted once, in the last segment too, where fewer are left; nothing that is computed for
points needs a sum over all of them; a part adds to sums of its own only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import matrix_product_of
from polyad.analysis.plain_axes import plain_axes, separable
from polyad.ir.affine import Affine
from polyad.ir.array import Array, Direction, Segment
from polyad.ir.element_types import item_bytes
from polyad.ir.expr import Access, Expr, Indirect, Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.fold import rebuild_statement
from polyad.transforms.rewrite.identity_definition import identity_definitions
from polyad.transforms.rewrite.sums.part_sums import part_sums

__all__ = ["block_points"]


class _Unfit(Exception):
    """Points are tied to each other, or counted in a way that is not seen through."""


@dataclass(slots=True, eq=False)
class _Points:
    """The dimensions and axes that run over the same points.

    Attributes:
        extent: how many there are.
        axes: array -> which of its axes counts points.
        dims: statement -> which of its dimensions counts points.
    """

    extent: int
    axes: dict[str, int] = field(default_factory=dict)
    dims: dict[str, int] = field(default_factory=dict)


def block_points(program: Program, machine: Machine = MACHINE) -> Program:
    """Count points in blocks where temporaries for all of them are large and nothing but sums ties them.

    Makes smaller: memory, to one block of each such temporary.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        machine: says what is large, how many points a block has, and in how many parts blocks run.
    """
    smallest, fewest = machine.points[0], machine.fewest_blocks
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    tried: set[tuple[str, int]] = set()
    for array in sorted(program.arrays.values(), key=_bytes, reverse=True):
        if not array.is_movable or _bytes(array) * fewest < machine.outgrown:
            continue
        for axis in range(len(array.shape)):
            if (array.name, axis) in tried or array.shape[axis].constant < fewest * smallest:
                continue
            try:
                points = _run_over(program, recurrent, array.name, axis)
            except _Unfit:
                continue
            tried |= set(points.axes.items())
            passing = _passing(program)
            size = sum(_bytes(program.arrays[name]) for name in points.axes if name not in passing)
            block = _block(points.extent, size, machine)
            if size < machine.outgrown or points.extent < fewest * block:
                continue
            opened = _opened(program, points)
            if _is_ordered(opened, points):
                parts = _parts(opened, points, -(-points.extent // block), size, machine)
                return _blocked(opened, points, block, parts)
    return program


def _passing(program: Program) -> set[str]:
    """Arrays that one statement reads, element by element as they come: in a common loop they need no memory."""
    readers, writers = program.readers(), program.writers()
    found = set()
    for array, reading in readers.items():
        reads = [r.access for s in reading for r in s.reads() if r.array == array]
        if len(reads) != 1 or any(s.reduction is not None for s in writers.get(array, ())):
            continue
        dims = len(reading[0].dims)
        if isinstance(reads[0], isl.MultiAff) and plain_axes(reads[0], dims) == list(range(dims)):
            found.add(array)
    return found


def _bytes(array: Array) -> int:
    """The size of an array, 0 where it is not known."""
    if not all(e.is_constant for e in array.shape):
        return 0
    size = item_bytes(array.dtype)
    for extent in array.shape:
        size *= max(extent.constant, 0)
    return size


def _block(extent: int, size: int, machine: Machine) -> int:
    """The number of points in a block.

    Args:
        extent: the number of all points.
        size: bytes of temporaries for all of them.
        machine: a long block stays in a core's cache; a short one may take more: half of it would not stay either.
    """
    block, enough, largest = machine.points
    while (
        2 * block <= largest
        and 2 * block * size <= (machine.shared_cache if block < enough else machine.cache) * extent
    ):
        block *= 2
    return block


def _run_over(program: Program, recurrent: set[str], array: str, axis: int) -> _Points:
    """All that is computed for each point of an axis of an array.

    Raises:
        _Unfit: something of it cannot be counted in blocks.
    """
    points = _Points(program.arrays[array].shape[axis].constant, {array: axis})
    writers, readers = program.writers(), program.readers()
    waiting = [array]
    while waiting:
        name = waiting.pop()
        if name in recurrent or program.arrays[name].shape[points.axes[name]] != Affine() + points.extent:
            raise _Unfit
        for s in {s.name: s for s in (*writers.get(name, ()), *readers.get(name, ()))}.values():
            waiting += _join(program, points, s)
    return points


def _join(program: Program, points: _Points, s: Statement) -> list[str]:
    """Take in a statement that accesses arrays of points; the arrays that come with it."""
    accesses = s.accesses()
    if any(isinstance(access, Indirect) for _, access in accesses) or (
        matrix_product_of(s) is not None and islx.is_box(s.domain, range(len(s.dims)))
    ):
        raise _Unfit
    plain = [(array, plain_axes(access, len(s.dims))) for array, access in accesses]
    here = {d for array, axes in plain if array in points.axes for d in _at(axes, points.axes[array])}
    if len(here) != 1 or not here <= separable(s) or points.dims.get(s.name, min(here)) not in here:
        raise _Unfit
    (dim,) = here
    points.dims[s.name] = dim
    new = []
    for array, axes in plain:
        position = axes[dim]
        if array in points.axes:
            if position != points.axes[array]:
                raise _Unfit
        elif position is None and program.arrays[array].is_temporary:
            raise _Unfit
        elif position is not None and position >= 0 and program.arrays[array].is_temporary:
            if not program.arrays[array].is_movable or any(array in scan.states for scan in program.scans):
                raise _Unfit
            points.axes[array] = position
            new.append(array)
    return new


def _at(axes: list[int | None], axis: int) -> list[int]:
    found = [d for d, position in enumerate(axes) if position == axis]
    if len(found) != 1:
        raise _Unfit
    return found


def _sums(program: Program, points: _Points) -> Iterator[Statement]:
    """The statements that sum over the points."""
    for s in program.statements:
        if s.name in points.dims and plain_axes(s.write, len(s.dims))[points.dims[s.name]] == -1:
            yield s


def _reached(program: Program, points: _Points) -> set[str]:
    """The statements that need a sum over all points."""
    after: dict[str, list[Statement]] = program.readers()
    writers = program.writers()
    waiting = [s.array for s in _sums(program, points)]
    seen: set[str] = set(waiting)
    found: set[str] = set()
    while waiting:
        for s in after.get(waiting.pop(), ()):
            # What a definition needs, the contributions to the same array wait for.
            others = writers[s.array] if s.reduction is None else []
            found |= {s.name, *(o.name for o in others if o.reduction is not None)}
            if s.array not in seen:
                seen.add(s.array)
                waiting.append(s.array)
    return found


def _opened(program: Program, points: _Points) -> Program:
    """Sums over points whose array is defined by other such sums start from zero instead: what defines it is added."""
    reached = _reached(program, points)
    sums = {s.array for s in _sums(program, points) if s.reduction == "sum"}
    taken = {s.name for s in program.statements}
    result: list[Statement] = []
    for s in program.statements:
        if s.reduction is not None or s.array not in sums or s.name not in reached or isinstance(s.write, Indirect):
            result.append(s)
            continue
        array = program.arrays[s.array]
        elements = s.write_relation().range()
        made = identity_definitions(array, "sum", elements, program.params, array.dims(program.params), taken)
        taken.update(m.name for m in made)
        result += [*made, replace(s, reduction="sum")]
    return program if len(result) == len(program.statements) else program.with_statements(result)


def _is_ordered(program: Program, points: _Points) -> bool:
    """Whether nothing that is computed for points needs a sum over all of them."""
    return not _reached(program, points) & points.dims.keys()


def _parts(program: Program, points: _Points, count: int, size: int, machine: Machine) -> int:
    """In how many parts blocks are run, each with sums of its own; 1 where those would take too much.

    Args:
        program: all sums over the points are contributions.
        points: what is counted in blocks.
        count: the number of blocks.
        size: bytes of temporaries for all points.
        machine: says how many parts there may be, and how much memory their sums have.
    """
    least, parts = machine.parts
    sums = sum(_bytes(program.arrays[a]) for a in {s.array for s in _sums(program, points)})
    while parts > 1 and (2 * parts > count or parts * sums > min(machine.shared_cache, size // machine.sums_share)):
        parts //= 2
    if parts < least:
        return 1
    return -(-count // -(-count // parts))  # none of them without blocks


def _blocked(program: Program, points: _Points, block: int, parts: int) -> Program:
    """The program with points counted as block * segment + position, or block * (segments * part + segment) + position.

    Args:
        program: the program.
        points: what is counted.
        block: the number of positions.
        parts: the number of parts; 1 for none.
    """
    count = -(-points.extent // block)
    outer = (parts, -(-count // parts)) if parts > 1 else (count,)
    arrays = dict(program.arrays)
    order: tuple[Direction, ...] = (0, 1) if parts > 1 else (1,)
    for name, axis in points.axes.items():
        shape = list(arrays[name].shape)
        shape[axis] = Affine() + block
        extents = (*(Affine.of(extent) for extent in outer), *shape)
        arrays[name] = replace(arrays[name], shape=extents, segment=Segment(order))
    statements = [
        _counted(s, points.dims[s.name], (*outer, block), points.axes) if s.name in points.dims else s
        for s in program.statements
    ]
    counted = replace(program, arrays=arrays, statements=tuple(statements))
    return part_sums(counted, {s.name for s in _sums(program, points)}, parts) if parts > 1 else counted


def _counted(s: Statement, dim: int, extents: tuple[int, ...], axes: Mapping[str, int]) -> Statement:
    """A statement over segments and positions: S[s, ..., p] for S[..., block * s + p].

    Args:
        s: the statement.
        dim: its dimension that counts points.
        extents: how many parts (where there are any), segments and positions there are.
        axes: array -> which of its axes counts points.
    """
    outer: tuple[str, ...] = ()
    for hint in ("p", "s")[-len(extents) + 1 :]:
        outer = (*outer, unique_name(hint, {*s.dims, *s.params(), *outer}))
    dims = (*outer, *s.dims)
    space, where = islx.space(s.params(), s.name, dims), islx.positions(s.params(), dims)
    point = Affine()
    for name, extent in zip((*outer, s.dims[dim]), extents, strict=True):
        point = point * extent + Affine.of(name)
    affs = [(point if d == s.dims[dim] else Affine.of(d)).to_aff(space, where) for d in s.dims]
    change = islx.multi_aff(space, s.name, affs)  # { S[s, ..., p] -> S[..., n] }
    local = isl.LocalSpace.from_space(space)
    counts = [isl.Aff.var_on_domain(local, isl.dim_type.set, d) for d in (*range(len(outer)), len(outer) + dim)]
    zero = isl.Aff.zero_on_domain(local)
    domain = s.domain.preimage_multi_aff(change)
    for count, extent in zip(counts[1:], extents[1:], strict=True):  # the number of points bounds the first
        domain = domain.intersect(count.ge_set(zero)).intersect((count - extent).lt_set(zero))

    def split(array: str, access: Access) -> Access:
        if array not in axes:
            return access
        assert isinstance(access, isl.MultiAff)
        index = [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
        index[axes[array]] = counts[-1]
        return islx.multi_aff(space, array, [*counts[:-1], *index])

    def visit(expr: Expr) -> Expr | None:
        if isinstance(expr, Read) and expr.array in axes:
            return Read(expr.array, split(expr.array, expr.access), expr.dtype)
        return None

    counted = s.change_space(s.name, dims, domain, change)
    counted = replace(counted, write=split(s.array, counted.write))
    return rebuild_statement(counted, visit)
