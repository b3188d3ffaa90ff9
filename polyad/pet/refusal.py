"""How an `ExtractionError` is made: the place comes first in its message, and is in its fields."""

from __future__ import annotations

from dataclasses import dataclass

from polyad.errors import ExtractionError

__all__ = ["TOO_DEEP", "SourcePlace", "refusal"]

TOO_DEEP = (
    "an expression nests hundreds of operations in each other; give parts of it variables of their own, or write a loop"
)
"""What is said where a recursion over an expression comes to Python's limit."""


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A place in C.

    Attributes:
        path: the C file.
        line: the line, counted from 1.
    """

    path: str
    line: int

    def refusal(self, construct: str, sentence: str) -> ExtractionError:
        """The error for a construct that cannot be modelled; arguments as for the function of this name."""
        return refusal(self.path, self.line, construct, sentence)


def refusal(path: str, line: int, construct: str, sentence: str) -> ExtractionError:
    """The error for a construct that cannot be modelled.

    Args:
        path: the C file.
        line: the line, counted from 1.
        construct: the construct, as C calls it.
        sentence: what is wrong, and what to write instead.
    """
    return ExtractionError(f"{path}:{line}: {sentence}", path, line, construct)
