"""The graph of arrays and those they are computed from: the program at its coarsest, without instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad.ir.expr import Access
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.semantics.cycles import strongly_connected

__all__ = [
    "ArrayComponent",
    "array_components",
    "array_sources",
    "is_outer_state",
    "step_axes",
    "strongly_connected_names",
]


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


def is_outer_state(program: Program, outer: str, inner: str) -> bool:
    """Whether an array is the state of a recurrence in whose steps another array, of more dimensions, recurs.

    The two stay apart: as an element among the states of the inner recurrence, that of the outer one would keep all of
    them for longer than its step. So it is where the other one is of use for one segment at a time, and the array for a
    longer time.
    """
    around, within = program.arrays[outer], program.arrays[inner]
    if len(around.shape) >= len(within.shape):
        return False
    if within.segment is not None and around.segment != within.segment:
        return True
    others = program.with_statements(s for s in program.statements if s.array != outer)
    return _recurs(program, outer) and _recurs(others, inner)


def _recurs(program: Program, array: str) -> bool:
    return any(c.recurrent and array in c.arrays for c in array_components(program))


def step_axes(program: Program, component: ArrayComponent) -> int:
    """How many of the first indices of arrays count the steps of a recurrence: 1 for time, 2 for segments and time.

    So many that no array needs itself by way of elements of the same step.
    """
    most = max(len(program.arrays[a].shape) for a in component.arrays)
    for axes in range(1, most):
        needs: dict[str, list[str]] = {a: [] for a in component.arrays}
        for s in program.statements:
            if s.array in needs:
                needs[s.array] += [r.array for r in s.reads() if r.array in needs and _in_one_step(s, r.access, axes)]
        alone = all(len(c) == 1 for c in strongly_connected_names(needs))
        if alone and not any(a in needed for a, needed in needs.items()):
            return axes
    return most


def _in_one_step(s: Statement, read: Access, axes: int) -> bool:
    """Whether an instance may read and write elements whose first indices are the same."""
    if not isinstance(read, isl.MultiAff) or not isinstance(s.write, isl.MultiAff):
        return True
    domain = s.domain
    for d in range(min(axes, read.dim(isl.dim_type.out), s.write.dim(isl.dim_type.out))):
        domain = domain.intersect(s.write.get_aff(d).eq_set(read.get_aff(d)))
    return not domain.is_empty()
