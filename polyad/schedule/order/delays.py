"""Large arrays are computed in the step that reads them, not as early as possible.

    f[t, i, j] = ... p[t, i] - p[t, j]        all pairs of places
    v[t + 1, i] = v[t, i] + sum f[t, i, j]    read one step later, as the statements count

Retiming gives each statement the earliest step. Where that is before the step of all readers, the array waits in memory
for them; computed later, what it is computed from waits. That is less memory if all of it has fewer long dimensions,
and if no step needs the array of another one in any case, as of a state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyad.schedule.state.problem import Edge, Problem

__all__ = ["Bound", "delay"]

Bound = tuple[Edge, int]
"""A dependence between statements that have a row, and its least distance."""

Readers = Mapping[str, set[str]]
"""Array -> the other arrays that are computed from it."""


def delay(problem: Problem, shift: dict[str, int], bounds: Sequence[Bound]) -> None:
    """Shift statements that compute large arrays from small ones by as much as the dependences on them allow.

    Args:
        problem: the statements.
        shift: of the row of each; changed.
        bounds: the least distance of each edge.
    """
    home = {name: problem.facts[name].statement.array for name in shift}
    size = {home[name]: problem.size(name) for name in shift}
    readers: dict[str, set[str]] = {array: set() for array in size}
    for e, _ in bounds:
        if home[e.source] != home[e.sink]:
            readers[home[e.source]].add(home[e.sink])
    distances = [(home[e.source], home[e.sink], b + shift[e.sink] - shift[e.source]) for e, b in bounds]
    for array in size:
        small = {a for a in size if size[array][0] > size[a][0]}
        moved = _together(array, small, readers)
        names = [n for n in shift if home[n] in moved]
        sources = {a for a in size if a not in moved and readers[a] & moved}
        if sources and sources <= small and not readers[array] & moved and not _is_carried(moved, distances):
            free = [distance for source, sink, distance in distances if source == array != sink]
            shift.update({n: shift[n] + max(0, min(free, default=0)) for n in names})
            distances = [(home[e.source], home[e.sink], b + shift[e.sink] - shift[e.source]) for e, b in bounds]


def _is_carried(arrays: set[str], distances: Sequence[tuple[str, str, int]]) -> bool:
    """Whether some steps of arrays are computed from other steps of them."""
    return any(source in arrays and sink in arrays and distance > 0 for source, sink, distance in distances)


def _together(array: str, small: set[str], readers: Readers) -> set[str]:
    """An array, and those that are computed for it alone and are not small."""
    found = {array}
    while more := {a for a, others in readers.items() if a not in found | small and others and others <= found}:
        found |= more
    return found
