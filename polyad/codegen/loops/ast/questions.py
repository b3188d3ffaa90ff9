"""Questions about loops that isl is asked, within a limit."""

from __future__ import annotations

from collections.abc import Callable

from polyad import islx

__all__ = ["Questions"]

_OPERATIONS = 2_000_000
"""What isl may spend on one answer: about two seconds."""

_UNANSWERED = 3
"""Questions without an answer after which no more are asked: there may be hundreds, of sets as long as these."""


class Questions:
    """Questions about one schedule.

    Attributes:
        operations: what isl may spend on one answer.
        unanswered: how many isl has not answered.
    """

    def __init__(self, operations: int = _OPERATIONS) -> None:
        self.operations = operations
        self.unanswered = 0

    def ask(self, question: Callable[[], bool]) -> bool | None:
        """The answer; None where there is none, so that nothing is said: the certifier looks at sizes instead."""
        if self.unanswered >= _UNANSWERED:
            return None
        try:
            with islx.bounded_operations(self.operations):
                return question()
        except islx.OperationLimitError:
            self.unanswered += 1
            return None
