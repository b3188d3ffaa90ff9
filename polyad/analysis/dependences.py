"""Exact dependences of a program; no order of execution enters them.

The value of an element is its definition combined with all contributions to it, so

    definition of e  ->  contribution to e  ->  reader of e,        definition of e  ->  reader of e.

Contributions to one element have no order among themselves, but two of them cannot run at the same time: these pairs
are `same_element`. Data-dependent accesses enter with all elements that they may touch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import islpy as isl

from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["Conflict", "Dependence", "flow_edges", "same_element"]

Kind = Literal["define->contribute", "value"]


@dataclass(frozen=True, slots=True, eq=False)
class Dependence:
    """Instances of `source` that must run before instances of `sink`.

    Attributes:
        source: the statement that defines or contributes to elements of `array`.
        sink: the statement that contributes to them after their definition, or reads them.
        relation: { source[i] -> sink[j] }, not empty, restricted to the program's context.
        array: the array whose elements carry it.
        kind: "define->contribute", or "value" when the sink reads.
    """

    source: Statement
    sink: Statement
    relation: isl.Map
    array: str
    kind: Kind


@dataclass(frozen=True, slots=True, eq=False)
class Conflict:
    """Pairs of contributions to the same element, which must not run at the same time.

    Attributes:
        first: a contributing statement.
        second: a contributing statement to the same array, not before `first` in the program.
        relation: { first[i] -> second[j] }, symmetric when the two are one statement.
        array: the array.
    """

    first: Statement
    second: Statement
    relation: isl.Map
    array: str


def flow_edges(program: Program) -> list[Dependence]:
    """All dependences, one for each (source, sink, array), in the order of the statements."""
    position = {s.name: i for i, s in enumerate(program.statements)}
    writes = {s.name: s.write_relation().intersect_params(program.context) for s in program.statements}
    readers = program.readers()
    found: list[Dependence] = []
    for array, writers in program.writers().items():
        reading = [(r, _reads(r, array).reverse()) for r in readers.get(array, ())]
        adding = [(s, writes[s.name].reverse()) for s in writers if s.reduction is not None]
        for source in writers:
            sinks: list[tuple[Statement, isl.Map, Kind]] = [(s, m, "value") for s, m in reading]
            if source.reduction is None:
                sinks += [(s, m, "define->contribute") for s, m in adding]
            for sink, touched, kind in sinks:
                relation = writes[source.name].apply_range(touched)
                if not relation.is_empty():
                    found.append(Dependence(source, sink, relation, array, kind))
    return sorted(found, key=lambda d: (position[d.source.name], position[d.sink.name], d.array, d.kind))


def _reads(statement: Statement, array: str) -> isl.Map:
    """{ S[i] -> array[e] } over all reads of one array."""
    parts = [statement.read_relation(r) for r in statement.reads() if r.array == array]
    result = parts[0]
    for part in parts[1:]:
        result = result.union(part)
    return result


def same_element(program: Program) -> list[Conflict]:
    """Pairs of contributions to one element, an instance with itself included; what cannot clash is left out.

    A statement stands in the list when two of its instances may contribute to one element.
    """
    found = []
    for array, writers in program.writers().items():
        adding = [s for s in writers if s.reduction is not None]
        writes = [s.write_relation().intersect_params(program.context) for s in adding]
        for i, first in enumerate(adding):
            for j in range(i, len(adding)):
                relation = writes[i].apply_range(writes[j].reverse())
                if relation.is_empty() or (i == j and relation.is_injective()):
                    continue
                found.append(Conflict(first, adding[j], relation, array))
    return found
