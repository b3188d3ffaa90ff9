"""Loop nests: clusters inside of clusters, level by level, and their schedule tree.

    schedule(statements, open dependences, loops around):
        clusters  <- strongly connected components; what moves into recurrences (sinking.py); fusion (fusion.py)
        for each cluster, in topological order:
            its common loops; inside of them, schedule(its statements, dependences within one iteration)

Source: R. Allen, K. Kennedy, Automatic translation of Fortran programs to vector form, 1987: the same recursion; here
every level is a band of a schedule tree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine, FloorDiv
from polyad.schedule.choose.concurrent_loops import is_parallel, is_simd
from polyad.schedule.choose.fusion import fuse
from polyad.schedule.choose.reassociation import in_parts, prefix
from polyad.schedule.choose.register_blocks import block_mark, block_size, is_short, reduction_tile
from polyad.schedule.choose.scan_fusion import join_scans
from polyad.schedule.choose.shares import is_shared
from polyad.schedule.choose.sinking import sink
from polyad.schedule.order.groups import Cluster, in_order
from polyad.schedule.order.joint_recurrences import clusters_of
from polyad.schedule.order.recurrence import RecurrenceLoop
from polyad.schedule.order.time_tiles import time_tiles
from polyad.schedule.state.problem import Problem, Rows
from polyad.schedule.tree.marks import ContractionMark, JamMark, Kind, LanesMark, ParallelMark, ShareMark, SimdMark
from polyad.schedule.tree.nodes import Band, Leaf, Mark, Node, Order, partial_schedule

__all__ = ["nest"]


# Split loops where the set of statements in them changes, instead of testing in every iteration.
_PEEL = isl.UnionSet("{ separate[x] }")

_AROUND = tuple(f"loop {n}" for n in range(32))
"""Names for the loops around."""


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """A loop on its way into the tree; `mark` None when it has none, `permutable` with the loop directly inside.

    Of a loop over blocks, `block` is the number of rows in each, of others 1, and `first` the row that begins them.
    """

    names: tuple[str, ...]
    loop: RecurrenceLoop
    mark: Kind | None
    permutable: bool
    child: _Level | _Siblings | str
    block: int = 1
    first: Rows = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class _Siblings:
    """Nests one after the other, each with its statements."""

    children: tuple[tuple[tuple[str, ...], _Level | str], ...]


def nest(problem: Problem) -> Node:
    """The schedule tree of all statements of a problem, below the domain node."""
    return _node(problem, _schedule(problem)) if problem.names else Leaf()  # isl knows no sequence of nothing


def _schedule(problem: Problem) -> _Level | _Siblings | str:
    clusters = clusters_of(problem)
    if problem.strategies.sink:
        clusters = sink(problem, clusters)
    if problem.strategies.scan_fusion and problem.strategies.prefix:
        clusters = join_scans(problem, clusters)
    if problem.strategies.fuse:
        clusters = fuse(problem, clusters)
    nests = [(c.names, _cluster(problem.only(c.names), c)) for c in in_order(problem, clusters)]
    return nests[0][1] if len(nests) == 1 else _Siblings(tuple(nests))


def _cluster(problem: Problem, cluster: Cluster) -> _Level | str:
    if not cluster.loops:
        return cluster.names[0]
    levels: list[tuple[RecurrenceLoop, Kind | None, Problem, int]] = []
    inside, name = problem, cluster.names[0]

    def add(loop: RecurrenceLoop, mark: Kind | None = None, rows: int = 1) -> None:
        levels.append((loop, mark, inside, rows))

    shape = cluster.contraction
    for position, loop in enumerate(cluster.loops):
        if shape is not None:
            if shape.blocked and position == len(shape.peeled):
                add(RecurrenceLoop({name: Affine.of(shape.blocked)}, True, False), rows=problem.machine.stair)
            add(loop, ContractionMark() if position == len(shape.peeled) else None)
            inside = inside.inside(loop.rows, loop.coincident)
            continue
        if position == 0 and is_shared(problem, cluster):
            add(loop, ShareMark())
            inside = inside.shared(loop.rows)
            continue
        if cluster.recurrence and not loop.coincident and (tiles := time_tiles(inside, loop.rows)) is not None:
            add(RecurrenceLoop(tiles[0], False, False))
            add(RecurrenceLoop(tiles[1], True, False), ParallelMark() if problem.strategies.parallel else None)
            inside = replace(inside, in_parallel=True)
        parallel = loop.coincident and is_parallel(inside)
        block = None if cluster.recurrence else block_mark(inside, loop.rows)
        parallel = parallel and not (isinstance(block, LanesMark) and is_short(inside, loop.rows))
        tile = reduction_tile(inside) if isinstance(block, JamMark) else None
        if parallel and block:
            add(loop, ParallelMark(), block_size(block, tile is not None, problem.machine))
        if tile is not None:
            add(RecurrenceLoop({name: Affine.of(tile[0])}, False, False), rows=tile[1])
        add(loop, block or (ParallelMark() if parallel else None))
        inside = inside.inside(loop.rows, loop.coincident)
        if parallel:
            inside = replace(inside, in_parallel=True)
    if cluster.recurrence:
        computed = inside.computed | {facts.statement.array for facts in inside.facts.values()}
        inside = replace(inside, fixed=len(inside.around[name]), computed=computed)
    result: _Level | _Siblings | str = _schedule(inside)
    for loop, mark, around, rows in reversed(levels):
        innermost = isinstance(result, str) or (
            isinstance(result, _Siblings) and all(isinstance(c, str) for _, c in result.children)
        )
        if not mark and innermost and shape is None and not cluster.recurrence and is_simd(around, loop.rows):
            mark = SimdMark()
        if shape is None and not cluster.recurrence and _is_plain(result):
            mark = in_parts(around, loop.rows, mark)
        elif not mark and innermost and cluster.recurrence and not loop.coincident:
            mark = prefix(around, loop.rows)
        if innermost and cluster.recurrence and _is_ragged(around, loop):
            loop = replace(loop, peeled=True)
        permutable = loop.permutable and isinstance(result, _Level) and _same_kind(cluster, loop, result)
        # Stairs are cut at multiples: the blocks of a contraction over them are those that it is a box in.
        first = _first(around, loop.rows) if rows > 1 and shape is None else {}
        result = _Level(cluster.names, loop, mark, permutable, result, rows, first)
    assert isinstance(result, _Level), "a cluster with loops makes at least one level"
    return result


def _is_plain(level: _Level | _Siblings | str) -> bool:
    """Whether all loops of a subtree run one iteration after the other, or in vector lanes."""
    match level:
        case _Siblings(children):
            return all(_is_plain(child) for _, child in children)
        case _Level():
            return level.mark in (None, SimdMark()) and _is_plain(level.child)
        case _:
            return True


def _goes_on(level: _Level) -> bool:
    """Whether the loop directly inside belongs to the same band: all loops of a contraction do."""
    return level.permutable and level.mark in (None, ContractionMark())


def _is_ragged(problem: Problem, loop: RecurrenceLoop) -> bool:
    """Whether a sequential loop over few scalar statements should run without its first and last iterations.

    The adjoint of an initial value that nobody asks for is not computed, and a test for it in every step would keep
    the loop from being a prefix scan.
    """
    first, *others = problem.names
    if loop.coincident or not problem.strategies.prefix or len(others) >= problem.machine.peeled:
        return False
    return not all(problem.same_extent(first, [loop.rows[first]], n, [loop.rows[n]]) for n in others)


def _same_kind(cluster: Cluster, loop: RecurrenceLoop, inner: _Level) -> bool:
    """Loops of a recurrence make one band with each other only, acyclic loops with acyclic ones."""
    return not cluster.recurrence or any(inner.loop is other for other in cluster.loops)


def _filter(problem: Problem, names: Iterable[str]) -> isl.UnionSet:
    """{ S[dims] } for all instances of some statements."""
    return islx.union_set(
        islx.name_dims(isl.Set.universe(problem.facts[n].statement.space()), problem.dims(n)) for n in names
    )


def _node(problem: Problem, level: _Level | _Siblings | str) -> Node:
    match level:
        case str():
            return Leaf()
        case _Siblings(children):
            return Order(tuple((_filter(problem, names), _node(problem, child)) for names, child in children))
        case _Level():
            loops = [level]
            last = level
            while _goes_on(last) and isinstance(last.child, _Level) and not last.child.mark:
                last = last.child
                loops.append(last)
            functions = [_function(problem, loop) for loop in loops]
            coincident = tuple(loop.loop.coincident for loop in loops)
            options = _PEEL if level.loop.peeled else None
            child = _node(problem, last.child)
            band = Band(partial_schedule(functions), coincident, len(loops) > 1 or all(coincident), options, child)
            return Mark(level.mark, band) if level.mark else band


def _first(problem: Problem, rows: Rows) -> Rows:
    """The first iteration of a loop inside of those around it, where one expression says it for all statements.

    Blocks begin there: those that begin at multiples of their size may be cut at both ends.
    """
    places: set[Affine] = set()
    for name, row in rows.items():
        iterations = isl.Map.from_range(problem.image(name, [row]))
        last = iterations.dim(isl.dim_type.out) - 1
        inside = iterations.move_dims(isl.dim_type.in_, 0, isl.dim_type.out, 0, last)  # { [around] -> [row] }
        pieces = islx.pieces(inside.lexmin_pw_multi_aff())
        if len(pieces) != 1:
            return {}
        places.add(Affine.from_aff(pieces[0][1].get_aff(0), _AROUND[:last]))
    (first, *others) = places
    if others or any(isinstance(atom, FloorDiv) for atom, _ in first.terms):
        return {}
    return {n: first.substitute(dict(zip(_AROUND, problem.around[n], strict=False))) for n in rows}


def _function(problem: Problem, level: _Level) -> isl.UnionPwAff:
    """{ S[i] -> [row] } over the statements of one loop."""
    result: isl.UnionPwAff | None = None
    for name in level.names:
        statement = problem.facts[name].statement
        where = islx.positions(statement.params(), statement.dims)
        aff = level.loop.rows[name].to_aff(statement.space(), where)
        if level.block > 1:
            size = isl.Val(level.block)
            begin = level.first.get(name, Affine.of(0)).to_aff(statement.space(), where)
            aff = aff.sub(begin).scale_down_val(size).floor().scale_val(size).add(begin)
        part = isl.UnionPwAff.from_pw_aff(isl.PwAff.from_aff(aff))
        result = part if result is None else result.union_add(part)
    assert result is not None, "a level has statements"
    return result
