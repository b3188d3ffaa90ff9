"""Lists of moves as JSON text: a move a line, the name of the transform before its arguments.

[
 ["interchange", ["C", "i"], ["j", "k"]],
 ["jam", ["C", "i"], 4]
]
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from polyad.errors import ScheduleError
from polyad.schedule.moves.move import ARGUMENTS, Argument, Move

__all__ = ["as_moves", "moves_from_json", "moves_to_json", "moves_to_lists"]


def moves_to_json(moves: Sequence[Move]) -> str:
    """Text that `moves_from_json` reads back, the same for the same moves."""
    lines = [json.dumps(item) for item in moves_to_lists(moves)]
    return "[\n " + ",\n ".join(lines) + "\n]\n" if lines else "[]\n"


def moves_to_lists(moves: Sequence[Move]) -> list[list[object]]:
    """The moves as JSON values."""
    return [[move.name, *map(_list, move.arguments)] for move in moves]


def moves_from_json(text: str) -> tuple[Move, ...]:
    """The moves that `moves_to_json` wrote.

    Raises:
        ScheduleError: the text is no such list; the message says which move is none.
    """
    try:
        data = json.loads(text)
    except (TypeError, ValueError, RecursionError) as problem:
        raise ScheduleError(f"this is no list of moves: {problem}") from None
    return as_moves(data)


def as_moves(data: object) -> tuple[Move, ...]:
    """The moves of JSON values.

    Raises:
        ScheduleError: as above.
    """
    if not isinstance(data, list):
        raise ScheduleError(f"this is no list of moves, but of type {type(data).__name__}")
    try:
        return tuple(_move(n, item) for n, item in enumerate(data, start=1))
    except RecursionError:
        raise ScheduleError("this is no list of moves: lists are nested too deeply") from None


def _move(number: int, item: object) -> Move:
    match item:
        case [str(name), *arguments] if name in ARGUMENTS and len(arguments) <= len(ARGUMENTS[name]):
            return Move(name, tuple(_argument(number, a) for a in arguments))
    raise ScheduleError(
        f'move {number}, {item!r:.60}, is none: expected a transform with its arguments, such as ["jam", ["C", "i"], 4]'
    )


def _argument(number: int, value: object) -> Argument:
    if value is None or type(value) in (str, int):
        return value  # type: ignore[return-value]  # bool is another type
    if isinstance(value, list):
        return tuple(_argument(number, inner) for inner in value)
    raise ScheduleError(f"move {number}: {value!r:.60} is no argument: expected text, an integer or a list of these")


def _list(value: Argument) -> object:
    return [_list(inner) for inner in value] if isinstance(value, tuple) else value
