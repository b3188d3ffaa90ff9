"""Places in place of names, for moves that are kept for any program that differs in names alone.

The third statement of a program is `s2`, its first dimension `i0`.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.errors import ScheduleError
from polyad.ir.program import Program
from polyad.ir.without_names import WithoutNames
from polyad.schedule.moves.move import Move
from polyad.schedule.schedule import Schedule
from polyad.schedule.tree.draw import statement_dims
from polyad.schedule.tree.nodes import Band, Leaf, Mark, Node, Order, from_isl, row_functions

__all__ = ["moves_with_names", "moves_without_names", "schedule_without_names"]


def moves_without_names(moves: Sequence[Move], program: Program) -> tuple[Move, ...]:
    """The moves on a schedule of a program, with places.

    Raises:
        ScheduleError: a name is none of the program's.
    """
    places = {s.name: f"s{i}" for i, s in enumerate(program.statements)}
    dims = {(s.name, d): f"i{i}" for s in program.statements for i, d in enumerate(s.dims)}
    return _renamed(moves, places, dims)


def moves_with_names(moves: Sequence[Move], program: Program) -> tuple[Move, ...]:
    """The inverse: moves with places, on a schedule of a program.

    Raises:
        ScheduleError: the program has no such place.
    """
    names = {f"s{i}": s.name for i, s in enumerate(program.statements)}
    dims = {(f"s{n}", f"i{i}"): d for n, s in enumerate(program.statements) for i, d in enumerate(s.dims)}
    return _renamed(moves, names, dims)


def _renamed(moves: Sequence[Move], names: dict[str, str], dims: dict[tuple[str, str], str]) -> tuple[Move, ...]:
    try:
        return tuple(move.renamed(lambda s: names[s], lambda s, d: dims[s, d]) for move in moves)
    except KeyError as problem:
        raise ScheduleError(f"the moves name {problem}, which the program does not have") from None


def schedule_without_names(schedule: Schedule, program: Program) -> str:
    """A schedule as text, the same for all programs that differ in names alone."""
    places = {s.name: i for i, s in enumerate(program.statements)}
    names = WithoutNames.of(program.params)
    assert statement_dims(schedule.isl.get_domain()).keys() == places.keys()  # a schedule of this program
    return "\n".join(_lines(from_isl(schedule.isl.get_root().child(0)), places, names)) + "\n"


def _lines(tree: Node, places: dict[str, int], names: WithoutNames) -> list[str]:
    match tree:
        case Leaf():
            return ["run"]
        case Mark(kind, child):
            return [f"mark {kind}", *_lines(child, places, names)]
        case Band(partial=partial, child=child):
            rows = [row_functions(partial.get_at(i)) for i in range(tree.size)]
            loops = [sorted((places[s], names.row(f)) for s, f in row.items()) for row in rows]
            return [f"band {loops}", *_lines(child, places, names)]
        case Order(children, ordered):
            lines = [f"{len(children)} in {'order' if ordered else 'any order'}"]
            for part, child in children:
                lines += [f"for {_filter(part, places, names)}", *_lines(child, places, names)]
            return lines


def _filter(part: isl.UnionSet, places: dict[str, int], names: WithoutNames) -> list[tuple[int, str]]:
    return sorted((places[s.get_tuple_name()], names.domain(s)) for s in islx.sets(part))
