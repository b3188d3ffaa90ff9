"""Cycles of open dependences: which statements form a recurrence."""

from __future__ import annotations

from collections.abc import Iterable

from polyad.analysis.graph import components
from polyad.schedule.state.problem import Edge, Problem

__all__ = ["cycles", "following", "is_cyclic", "preceding"]


def following(edges: Iterable[Edge]) -> dict[str, list[str]]:
    """Statement -> the statements that need it, each once."""
    return _neighbours((e.source, e.sink) for e in edges)


def preceding(edges: Iterable[Edge]) -> dict[str, list[str]]:
    """Statement -> the statements that it needs, each once."""
    return _neighbours((e.sink, e.source) for e in edges)


def _neighbours(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    result: dict[str, dict[str, None]] = {}
    for a, b in pairs:
        result.setdefault(a, {})[b] = None
    return {a: list(found) for a, found in result.items()}


def is_cyclic(problem: Problem) -> bool:
    """Whether the statements form one cycle of open dependences (a single statement: whether it needs itself)."""
    after = following(problem.edges)
    if len(problem.names) == 1:
        return problem.names[0] in after.get(problem.names[0], ())
    return len(components(problem.names, after)) == 1


def cycles(problem: Problem) -> list[Problem]:
    """The recurrences among the statements."""
    parts = [problem.only(group) for group in components(problem.names, following(problem.edges))]
    return [part for part in parts if is_cyclic(part)]
