"""Names of what does something in the loops, and of places, which become text when there is a message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from polyad.codegen.certify.demands import Element
from polyad.codegen.certify.memory import PlaceError, WrongError, text
from polyad.codegen.certify.threads import RaceError
from polyad.codegen.loops.instance import Local
from polyad.semantics.points import Point

__all__ = ["By", "Told"]


class By(NamedTuple):
    """An instance that does something, for messages; it becomes text where one is needed."""

    statement: str
    point: Point

    def __str__(self) -> str:
        """S[3, 0]."""
        return f"{self.statement}{list(self.point)}"


@dataclass(slots=True, eq=False)
class Told:
    """Say of what goes wrong inside who did it, and where.

    Attributes:
        by: who.
        where: an element, or a variable.
    """

    by: object
    where: Element | Local

    def __enter__(self) -> None:
        """Nothing went wrong yet."""

    def __exit__(self, kind: object, problem: BaseException | None, _: object) -> None:
        """Say it.

        Raises:
            WrongError: there was a race, or there is no such place.
        """
        if isinstance(problem, RaceError):
            where = text(self.where) if isinstance(self.where, tuple) else self.where
            raise WrongError(f"{self.by}: {where} {problem}") from None
        if isinstance(problem, PlaceError):
            raise WrongError(f"{self.by}: {problem}") from None
