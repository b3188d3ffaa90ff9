"""The moves that can be made from a schedule, found in its tree: the steps in which own schedules are written.

A move is here if its transform makes another schedule. Whether that is legal depends on the program: `check` asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from polyad import islx
from polyad.errors import ScheduleError
from polyad.machine import MACHINE, Machine
from polyad.schedule.moves.move import Argument, Move
from polyad.schedule.moves.named_loops import NamedLoop, NamedNest, Sequenced, nests_and_sequences
from polyad.schedule.schedule import Schedule
from polyad.schedule.transforms.nest import LoopName
from polyad.schedule.tree.draw import statement_dims
from polyad.schedule.tree.marks import ContractionMark, PrefixMark, SimdMark, in_threads
from polyad.schedule.tree.nodes import from_isl
from polyad.schedule.tree.placement import without_placement

__all__ = ["neighbours", "proposed_moves"]


def neighbours(schedule: Schedule, machine: Machine = MACHINE) -> list[tuple[Move, Schedule]]:
    """Every move with the schedule that it makes, each schedule once, and never the one that is there.

    The list is in the order of the tree. Names decide nothing: a schedule with other names has the same neighbours.

    Args:
        schedule: any schedule.
        machine: by how many iterations loops are cut.
    """
    seen = {str(schedule.unplaced())}
    found = []
    for move in proposed_moves(schedule, machine):
        try:
            changed = move.apply(schedule)
        except ScheduleError:
            continue
        text = str(changed)
        if text not in seen:
            seen.add(text)
            found.append((move, changed))
    return found


def proposed_moves(schedule: Schedule, machine: Machine = MACHINE) -> list[Move]:
    """The moves that fit the loops of a schedule as far as that is seen without making them, each once, in order."""
    with islx.LOCK:
        domain = schedule.isl.get_domain()
        tree = without_placement(from_isl(schedule.isl.get_root().child(0)))
        places = nests_and_sequences(tree, domain, statement_dims(domain))
    moves: dict[Move, None] = {}
    for place in places:
        moves |= dict.fromkeys(_of_nest(place, machine) if isinstance(place, NamedNest) else _of_sequence(place))
    return [*moves]


def _of_nest(nest: NamedNest, machine: Machine) -> Iterator[Move]:
    whole = False  # the macro-kernel runs these loops: their order, and how each of them runs, is its own
    for i, loop in enumerate(nest.loops):
        whole = isinstance(loop.mark, ContractionMark) or (whole and loop.mark is None)
        if loop.mark is not None:
            yield _move("unmark", loop)
        if not whole:
            yield from _of_loop(loop, machine)
        if nest.innermost and i == len(nest.loops) - 1 and not whole:
            yield from _of_innermost(loop, machine)
        if nest.outermost and i == 0:
            yield _move("parts", loop)
        for size in _shorter((machine.piece, machine.long, machine.block_sum), loop):
            yield _move("split", loop, size)
            if not whole:
                for count in range(2, len(nest.loops) - i + 1):
                    yield _move("tile", loop, (size,) * count)
        if nest.divisible:
            yield _move("distribute", loop)
        for name in loop.later:
            yield Move("shift", (_band(name), 1))


def _of_loop(loop: NamedLoop, machine: Machine) -> Iterator[Move]:
    dim = loop.band.dim
    if in_threads(loop.mark) is None:
        yield _move("parallel", loop)
        yield _move("region", loop)
        for count in dict.fromkeys((*_whole(loop, machine), *_shorter((machine.jam, machine.sums), loop))):
            yield _move("jam", loop, count)
    else:
        yield _move("sequential", loop)
    for outer, inner in combinations(loop.peers, 2):
        if dim == outer:
            yield _move("interchange", loop, (inner, outer))
        if dim == inner:
            yield _move("skew", loop, inner, outer)
    for count in _whole(loop, machine):
        yield _move("unroll", loop, count)
    yield _move("reverse", loop)


def _shorter(counts: tuple[int, ...], loop: NamedLoop) -> tuple[int, ...]:
    """The numbers of iterations that are less than all of a loop, as far as that is known."""
    return tuple(count for count in counts if loop.extent is None or count < loop.extent)


def _whole(loop: NamedLoop, machine: Machine) -> tuple[int, ...]:
    """The extent of a loop so short that all of it may be written at once."""
    return (loop.extent,) if loop.extent is not None and 2 <= loop.extent <= machine.piece else ()


def _of_innermost(loop: NamedLoop, machine: Machine) -> Iterator[Move]:
    if loop.mark != SimdMark():
        yield _move("vectorize", loop)
    if not isinstance(loop.mark, PrefixMark):
        yield _move("prefix", loop, machine.scan_steps)
    for count in _shorter((machine.jam,), loop):
        yield _move("unroll", loop, count)


def _of_sequence(sequence: Sequenced) -> Iterator[Move]:
    for n, (first, second) in enumerate(zip(sequence.children, sequence.children[1:], strict=False)):
        for a, b in zip(first, second, strict=False):
            yield Move("fuse", (_band(a.band), _band(b.band)))
        yield Move("reorder", ((sequence.first[n + 1], sequence.first[n]),))


def _move(name: str, loop: NamedLoop, *arguments: Argument) -> Move:
    return Move(name, (_band(loop.band), *arguments))


def _band(name: LoopName) -> Argument:
    return tuple(name) if name.around else name[:2]
