"""Programs of the campaign that may be refused, by class and message, and why that is no defect.

Everything else that is refused counts as a failure, however clear its message is. The same list holds for programs
that are refused with symbolic sizes and run at fixed ones instead.
"""

import re
from dataclasses import dataclass

from polyad.errors import PolyadError

__all__ = ["ALLOWED", "Refusal", "allowed"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Attributes: the class of programs; a pattern that the message matches; why no user would mind."""

    label: str
    pattern: str
    reason: str


ALLOWED: tuple[Refusal, ...] = ()


def allowed(label: str, problem: PolyadError) -> Refusal | None:
    """The entry that lets a program of a class be refused, or None."""
    text = f"{type(problem).__name__}: {problem}"
    return next((r for r in ALLOWED if r.label == label and re.search(r.pattern, text)), None)
