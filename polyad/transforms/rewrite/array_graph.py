"""The graph of arrays and those they are computed from: the program at its coarsest, without instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyad.ir.program import Program
from polyad.semantics.cycles import strongly_connected

__all__ = ["ArrayComponent", "array_components", "array_sources", "strongly_connected_names"]


@dataclass(frozen=True, slots=True)
class ArrayComponent:
    """Arrays that need each other.

    Attributes:
        arrays: their names, in the order of the program.
        recurrent: True when some element may need another element of the same component.
    """

    arrays: tuple[str, ...]
    recurrent: bool


def array_sources(program: Program) -> dict[str, tuple[str, ...]]:
    """Written array -> the arrays its statements read, each once, in the order of the statements."""
    found: dict[str, dict[str, None]] = {}
    for s in program.statements:
        found.setdefault(s.array, {}).update(dict.fromkeys(r.array for r in s.reads()))
    return {name: tuple(sources) for name, sources in found.items()}


def array_components(program: Program) -> list[ArrayComponent]:
    """The strongly connected components of the written arrays, sources first."""
    sources = array_sources(program)
    order = {name: i for i, name in enumerate(program.arrays)}
    result = []
    for names in strongly_connected_names(sources):
        if any(n in sources for n in names):
            recurrent = len(names) > 1 or names[0] in sources[names[0]]
            result.append(ArrayComponent(tuple(sorted(names, key=order.__getitem__)), recurrent))
    return result


def strongly_connected_names(sources: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The strongly connected components; one comes after those it needs.

    Args:
        sources: node -> the nodes it needs; nodes that are only needed may be missing among the keys.
    """
    return strongly_connected(sources, lambda node: sources.get(node, ()))
