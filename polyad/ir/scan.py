"""Scans: a tag on statements that says which of them a user's scan made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polyad.ir.affine import Affine

__all__ = ["Scan"]


@dataclass(frozen=True, slots=True)
class Scan:
    """A recurrence along one time dimension; used by messages and display, never by the meaning of a program.

    Attributes:
        name: unique in its program.
        time: the name of the time dimension in the statements' dims.
        length: number of steps.
        direction: +1 when step t needs step t - 1, -1 when it needs step t + 1.
        states: the state arrays; each has one slot more along time than the scan has steps.
        where: the user's `file:line`.
    """

    name: str
    time: str
    length: Affine
    direction: Literal[1, -1]
    states: tuple[str, ...]
    where: str = ""
