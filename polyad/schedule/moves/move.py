"""A move: a transform of schedules with its arguments, as a value that is printed, saved, and made again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

from polyad.errors import ScheduleError
from polyad.schedule.schedule import Schedule

__all__ = ["ARGUMENTS", "Argument", "Move", "RenameDim", "RenameStatement", "replay"]

Argument = str | int | None | tuple["Argument", ...]
"""An argument of a transform: bands are `("S", "i")` or `("S", "i", 1)`, lists are tuples."""

Named = Literal["band", "statements", "dims", "dim", "other"]
RenameStatement = Callable[[str], str]
RenameDim = Callable[[str, str], str]  # (statement, dimension) -> dimension

ARGUMENTS: dict[str, tuple[Named, ...]] = {
    "tile": ("band", "other"),
    "split": ("band", "other"),
    "interchange": ("band", "dims"),
    "fuse": ("band", "band"),
    "distribute": ("band",),
    "skew": ("band", "dim", "dim", "other"),
    "reverse": ("band",),
    "shift": ("band", "other"),
    "reorder": ("statements",),
    "unroll": ("band", "other"),
    "jam": ("band", "other"),
    "parallel": ("band", "dim"),
    "vectorize": ("band", "dim"),
    "parts": ("band",),
    "prefix": ("band", "other"),
    "region": ("band",),
    "sequential": ("band",),
    "unmark": ("band",),
}
"""Transform -> the kinds of its arguments: which of them are names, and of what."""


@dataclass(frozen=True, slots=True)
class Move:
    """One call of a transform.

    `str(move)` is the call as a user writes it: `s.interchange(("C", "i"), ("j", "i"))`.

    Attributes:
        name: of the transform, a method of `Schedule`.
        arguments: its arguments by position, lists as tuples.
    """

    name: str
    arguments: tuple[Argument, ...]

    def __str__(self) -> str:
        """The call in Python."""
        return f"s.{self.name}({', '.join(map(_spelled, self.arguments))})"

    def apply(self, schedule: Schedule) -> Schedule:
        """The schedule after it; whether that is legal is asked where it is used.

        Raises:
            ScheduleError: there is no such transform, it takes other arguments, or it does not fit this schedule.
        """
        if self.name not in ARGUMENTS or len(self.arguments) > len(ARGUMENTS[self.name]):
            raise ScheduleError(f"{self} is no move: there is no transform {self.name!r} that takes these arguments")
        try:
            changed: Schedule = getattr(schedule, self.name)(*self.arguments)
        except (TypeError, ValueError, AttributeError) as problem:  # arguments of other kinds than it takes
            raise ScheduleError(f"{self} is no move: {problem}") from None
        return changed

    def renamed(self, statement: RenameStatement, dim: RenameDim) -> Move:
        """The same move on a schedule whose statements and dimensions have other names.

        Args:
            statement: name -> new name.
            dim: (statement, dimension), both old -> new name of the dimension.

        Raises:
            ScheduleError: there is no such transform, or an argument is not of its kind.
        """
        if self.name not in ARGUMENTS or len(self.arguments) > len(ARGUMENTS[self.name]):
            raise ScheduleError(f"{self} is no move: there is no transform {self.name!r} that takes these arguments")
        around = ""
        changed: list[Argument] = []
        for kind, argument in zip(ARGUMENTS[self.name], self.arguments, strict=False):
            match kind, argument:
                case "band", (str(name), str(over), *rest):
                    around = name
                    changed.append((statement(name), dim(name, over), *rest))
                case "statements", tuple(names):
                    changed.append(tuple(statement(_text(self, n)) for n in names))
                case "dims", tuple(names):
                    changed.append(tuple(dim(around, _text(self, n)) for n in names))
                case "dim", str(over):
                    changed.append(dim(around, over))
                case ("other", _) | (_, None):
                    changed.append(argument)
                case _:
                    raise ScheduleError(f"{self} is no move: {argument!r:.60} does not stand for a {kind}")
        return Move(self.name, tuple(changed))


def replay(moves: Sequence[Move], schedule: Schedule) -> Schedule:
    """The schedule after all of them, one after the other.

    Raises:
        ScheduleError: one of them does not fit what those before it made.
    """
    return reduce(lambda changed, move: move.apply(changed), moves, schedule)


def _text(move: Move, value: Argument) -> str:
    if not isinstance(value, str):
        raise ScheduleError(f"{move} is no move: {value!r:.60} is no name")
    return value


def _spelled(value: Any) -> str:
    """The value in Python, with the quotation marks of this library's text."""
    match value:
        case str():
            return f'"{value}"'
        case tuple():
            inside = ", ".join(map(_spelled, value))
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        case _:
            return repr(value)
