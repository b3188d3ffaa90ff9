"""The state of scheduling: which statements are left, which loops stand around them, which dependences are open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any, TypeVar, TypeVarTuple

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import Contractions, SumOfProducts, contractions_of
from polyad.analysis.dependences import Kind, flow_edges, same_element
from polyad.analysis.statement_cost import statement_cost
from polyad.analysis.switches import switches
from polyad.ir.affine import Affine
from polyad.ir.expr import Indirect
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.schedule.state.contraction import ContractionLoops, contraction_loops
from polyad.schedule.state.equalities import Equalities
from polyad.schedule.state.loop_order import LoopOrder, Profile, loop_order, profile
from polyad.schedule.state.segments import segment_order
from polyad.schedule.strategies import ALL, Strategies

__all__ = ["Edge", "Facts", "Problem", "Rows", "problem_of", "row_relation"]

Rows = Mapping[str, Affine]  # statement name -> its row of one loop

_Args = TypeVarTuple("_Args")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """The facts about one statement.

    Attributes:
        statement: the statement.
        profile: how it touches memory.
        contraction: it as a contraction, if it is one.
        written: what it writes, index by index; nothing where data picks it.
        domain: { S[dims] } restricted to the program's context.
        equalities: of the domain.
        temporary: whether the array it writes is a temporary.
        identity: whether it fills an array that others contribute to with a constant.
        position: its place in the program.
        switches: the truth values of data without which it may be left out.
        chosen: whether data choose an element that it reads or writes.
    """

    statement: Statement
    profile: Profile
    contraction: SumOfProducts | None
    written: tuple[Affine, ...]
    domain: isl.Set
    equalities: Equalities
    temporary: bool
    identity: bool
    position: int
    switches: Mapping[str, tuple[Affine, ...]]
    chosen: bool

    def work(self, machine: Machine) -> int | None:
        """The scalar operations of all instances, or more: as if they filled a box; None where extents are sizes."""
        extents = [islx.extent(self.domain, d) for d in range(len(self.statement.dims))]
        known = [e for e in extents if e is not None]
        return statement_cost(self.statement, machine) * prod(known) if len(known) == len(extents) else None


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """An open dependence, or a pair of statements that contribute to one element (`kind` "conflict").

    Attributes:
        source: statement name.
        sink: statement name.
        relation: { source[i] -> sink[j] }: pairs of the same iteration of all loops around. Of a conflict it is not
            kept up to date; its `equalities` are.
        equalities: of the relation.
        array: what carries it.
        kind: as in `Dependence`, "conflict", or "memory" (see segments.py).
    """

    source: str
    sink: str
    relation: isl.Map
    equalities: Equalities
    array: str
    kind: Kind | str


_UNKNOWN = object()
"""In the place of what was not asked for yet."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Statements to be scheduled inside of common loops.

    Attributes:
        facts: statement name -> what is known of it, for the statements of this problem, in the program's order.
        around: statement name -> rows of the loops around it, outermost first.
        edges: open dependences between the statements.
        conflicts: pairs of contributions.
        in_parallel: a loop around them runs in parallel.
        in_sequence: a loop around them is sequential.
        frugal: the program trades time for memory: it computes values again rather than keep them.
        strategies: the optimisations to make.
        machine: what pays.
        fixed: how many of the loops around belong to recurrences; those inside were chosen statement by statement.
        computed: the arrays that these recurrences compute.
        temporaries: the arrays of the program whose memory is free to be laid out.
        known: what `once` found, for all problems that were made of the same program.
    """

    facts: Mapping[str, Facts]
    around: Mapping[str, tuple[Affine, ...]]
    edges: tuple[Edge, ...]
    conflicts: tuple[Edge, ...]
    in_parallel: bool = False
    in_sequence: bool = False
    frugal: bool = False
    strategies: Strategies = ALL
    machine: Machine = MACHINE
    fixed: int = 0
    computed: frozenset[str] = frozenset()
    temporaries: frozenset[str] = frozenset()
    known: dict[Any, Any] = field(default_factory=dict, repr=False)

    def once(self, function: Callable[[*_Args], _Result], *args: *_Args) -> _Result:
        """Call a function of facts, edges and rows, once for each of its arguments."""
        key = (function, args)  # hashed once: half of the time of a search for rows went into hashing it again
        found = self.known.get(key, _UNKNOWN)
        if found is _UNKNOWN:
            found = self.known[key] = function(*args)
        result: _Result = found
        return result

    @property
    def names(self) -> tuple[str, ...]:
        """The statements, in the program's order."""
        return tuple(self.facts)

    def dims(self, name: str) -> tuple[str, ...]:
        """The dimension names of a statement."""
        return self.facts[name].statement.dims

    def order(self, name: str, further: Sequence[Affine] = ()) -> LoopOrder:
        """The loops that a statement still needs inside of those around it and of `further` ones."""
        facts = self.facts[name]
        every = facts.profile.outputs + facts.profile.reductions
        rows = (*self.around[name], *further)
        if any(_is_skewed(r, self.dims(name)) for r in rows):
            # Along a wavefront the loop is over the later dimension of the result: memory is contiguous there.
            every = facts.profile.outputs[::-1] + facts.profile.reductions
        determined = self.once(facts.equalities.determined, rows, every)
        # What runs in blocks keeps the order of its loops when the outer ones of them are made.
        outside = self._order(facts, self.once(facts.equalities.determined, rows[: self.fixed], every))
        kept = outside.contraction or outside.jammed or outside.lanes
        return outside.inside(determined) if kept else self._order(facts, determined)

    def _order(self, facts: Facts, determined: frozenset[str]) -> LoopOrder:
        return self.once(_loop_order, facts, determined, self.strategies.order, self.strategies.jam)

    def contraction(self, name: str) -> ContractionLoops | None:
        """The contraction that a statement is inside of the loops around it, if the macro-kernel is to have it."""
        if not self.strategies.contraction:
            return None
        computed = self.computed if self.fixed > 0 else None
        left = self.order(name).dims
        return self.once(_contraction, self.facts[name], left, self.around[name], computed, self.machine)

    def listed(self, names: Iterable[str]) -> list[str]:
        """Some statements, each once, in the program's order."""
        return sorted(set(names), key=lambda n: self.facts[n].position)

    def only(self, names: Iterable[str]) -> Problem:
        """The same problem for some of the statements."""
        kept = self.listed(names)
        return replace(
            self,
            facts={n: self.facts[n] for n in kept},
            edges=_among(kept, self._edges_of),
            conflicts=_among(kept, self._conflicts_of),
        )

    @cached_property
    def has_switches(self) -> bool:
        """Whether some statement may be left out."""
        return any(f.switches for f in self.facts.values())

    @cached_property
    def _edges_of(self) -> _BySource:
        return _by_source(self.edges)

    @cached_property
    def _conflicts_of(self) -> _BySource:
        return _by_source(self.conflicts)

    @cached_property
    def _edges_at(self) -> Mapping[str, Sequence[Edge]]:
        found: dict[str, list[Edge]] = {}
        for edge in self.edges:
            for name in {edge.source, edge.sink}:
                found.setdefault(name, []).append(edge)
        return found

    def edges_at(self, name: str) -> Sequence[Edge]:
        """The dependences that begin or end at a statement, in their order."""
        return self._edges_at.get(name, ())

    def conflicts_among(self, names: Iterable[str]) -> Iterator[Edge]:
        """The conflicts between some of the statements."""
        kept, found = dict.fromkeys(names), self._conflicts_of
        return (e for n in kept for _, e in found.get(n, ()) if e.sink in kept)

    def inside(self, rows: Rows, coincident: bool) -> Problem:
        """Return the problem inside of a new loop around all statements: pairs of one of its iterations.

        Args:
            rows: the loop, for each statement.
            coincident: whether it carries nothing.
        """
        edges = [self.within(e, rows) for e in self.edges]
        conflicts = [self.once(_in_one_iteration, e, rows[e.source], rows[e.sink]) for e in self.conflicts]
        return replace(
            self,
            around={n: (*self.around[n], rows[n]) for n in self.facts},
            edges=tuple(e for e in edges if e is not None),
            conflicts=tuple(conflicts),
            in_sequence=self.in_sequence or not coincident,
        )

    def shared(self, rows: Rows) -> Problem:
        """Return the problem inside of a parallel loop run in one part per thread: its iterations are still loops.

        Nothing ties two of its iterations, so in a part they may run in any order: only pairs of one iteration stay.
        """
        inside = self.inside(rows, True)
        return replace(inside, around=self.around, in_parallel=True)

    def within(self, edge: Edge, rows: Rows) -> Edge | None:
        """The pairs of a dependence that run in one iteration of a loop; None when there are none."""
        source, sink = self.facts[edge.source].statement, self.facts[edge.sink].statement
        return self.once(_within, edge, source, sink, rows[edge.source], rows[edge.sink])

    def size(self, name: str) -> tuple[int, int]:
        """How much a statement writes: long dimensions, those of sizes among them, and elements along the others."""
        return self.once(_size, self.facts[name], self.machine.long)

    def image(self, name: str, further: Sequence[Affine]) -> isl.Set:
        """{ [rows] }: the iterations of the loops around a statement, `further` ones inside of them included."""
        return self.once(_image, self.facts[name], (*self.around[name], *further))

    def same_extent(self, a: str, rows_a: Sequence[Affine], b: str, rows_b: Sequence[Affine]) -> bool:
        """Whether two statements run in the same iterations wherever both run at all."""
        first, second = self.image(a, rows_a), self.image(b, rows_b)
        if first.plain_is_equal(second):
            return True
        first, second = first.intersect_params(second.params()), second.intersect_params(first.params())
        return bool(first.is_equal(second))


_BySource = Mapping[str, Sequence[tuple[int, Edge]]]  # source -> (position, edge)


def _by_source(edges: Sequence[Edge]) -> _BySource:
    result: dict[str, list[tuple[int, Edge]]] = {}
    for position, edge in enumerate(edges):
        result.setdefault(edge.source, []).append((position, edge))
    return result


def _among(names: Sequence[str], edges: _BySource) -> tuple[Edge, ...]:
    """The edges between some statements, in their order."""
    kept = set(names)
    found = [pair for n in names for pair in edges.get(n, ()) if pair[1].sink in kept]
    return tuple(edge for _, edge in sorted(found, key=lambda pair: pair[0]))


def _within(edge: Edge, source: Statement, sink: Statement, own: Affine, other: Affine) -> Edge | None:
    distance = edge.equalities.distance(own, other)
    if distance is not None:
        return edge if distance == 0 else None
    relation = edge.relation.intersect(row_relation(source, [own]).apply_range(row_relation(sink, [other]).reverse()))
    if relation.is_empty():
        return None
    return replace(edge, relation=relation, equalities=Equalities.of_map(relation, source.dims, sink.dims))


def _in_one_iteration(conflict: Edge, own: Affine, other: Affine) -> Edge:
    return replace(conflict, equalities=conflict.equalities.and_equal(own, other))


def _loop_order(facts: Facts, determined: frozenset[str], by_memory: bool, blocks: bool) -> LoopOrder:
    return loop_order(facts.profile, determined, by_memory=by_memory, blocks=blocks)


def _contraction(
    facts: Facts, left: tuple[str, ...], around: tuple[Affine, ...], computed: frozenset[str] | None, machine: Machine
) -> ContractionLoops | None:
    if facts.contraction is None:
        return None
    relation = row_relation(facts.statement, around)
    return contraction_loops(facts.contraction, facts.domain, left, relation, computed, machine)


def _size(facts: Facts, long: int) -> tuple[int, int]:
    own = {name for index in facts.written for name in index.names()}
    extents = [islx.extent(facts.domain, d) for d, n in enumerate(facts.statement.dims) if n in own]
    short = [e for e in extents if e is not None and e < long]
    return len(extents) - len(short), prod(short)


def _image(facts: Facts, rows: tuple[Affine, ...]) -> isl.Set:
    return facts.domain.apply(row_relation(facts.statement, rows))


def _is_skewed(row: Affine, dims: Sequence[str]) -> bool:
    """Whether a row is i + j or i - j, so that either dimension follows from the other."""
    inside = [abs(c) for atom, c in row.terms if atom in dims]
    return len(inside) > 1 and all(c == 1 for c in inside)


def row_relation(statement: Statement, rows: Sequence[Affine]) -> isl.Map:
    """{ S[dims] -> [rows] }."""
    where = islx.positions(statement.params(), statement.dims)
    space = statement.space()
    return islx.multi_aff(space, "", [r.to_aff(space, where) for r in rows]).as_map()


def _written(statement: Statement) -> tuple[Affine, ...]:
    write = statement.write
    if not isinstance(write, isl.MultiAff):
        return ()
    return tuple(Affine.from_aff(write.get_aff(i), statement.dims) for i in range(write.dim(isl.dim_type.out)))


def _is_identity(statement: Statement, writers: Sequence[Statement]) -> bool:
    constant = statement.reduction is None and next(statement.reads(), None) is None
    return constant and any(w.reduction is not None for w in writers)


def _edge(source: Statement, sink: Statement, relation: isl.Map, array: str, kind: Kind | str) -> Edge:
    return Edge(source.name, sink.name, relation, Equalities.of_map(relation, source.dims, sink.dims), array, kind)


def problem_of(
    program: Program,
    strategies: Strategies = ALL,
    machine: Machine = MACHINE,
    by_segments: bool = True,
    contractions: Contractions | None = None,
) -> Problem:
    """All statements of a program, no loop around them yet.

    Args:
        program: whose statements they are.
        strategies: the optimisations to make.
        machine: what pays.
        by_segments: adds the edges of segments.py.
        contractions: of the program; found here when not given.
    """
    contractions = contractions_of(program) if contractions is None else contractions
    facts = {}
    writers, switched = program.writers(), switches(program)
    pairs = {a.name for a in program.arrays.values() if a.shape and a.shape[-1] == Affine.of(2)}
    for position, s in enumerate(program.statements):
        domain = s.domain.intersect_params(program.context)
        temporary = program.arrays[s.array].is_temporary
        equalities = Equalities.of_set(domain, s.dims)
        identity = _is_identity(s, writers[s.array])
        found = contractions.get(s.name)
        memory, off = profile(s, machine, pairs), switched.get(s.name, {})
        chosen = any(isinstance(a, Indirect) for _, a in s.accesses())
        written = _written(s)
        facts[s.name] = Facts(s, memory, found, written, domain, equalities, temporary, identity, position, off, chosen)
    edges = [_edge(d.source, d.sink, d.relation, d.array, d.kind) for d in flow_edges(program)]
    if by_segments and strategies.circular:
        edges += [_edge(reader, writer, r, array, "memory") for reader, writer, array, r in segment_order(program)]
    conflicts = [_edge(c.first, c.second, c.relation, c.array, "conflict") for c in same_element(program)]
    frugal = any(a.is_recomputed for a in program.arrays.values())
    around: dict[str, tuple[Affine, ...]] = dict.fromkeys(facts, ())
    temporaries = frozenset(a.name for a in program.arrays.values() if a.is_temporary)
    return Problem(
        facts,
        around,
        tuple(edges),
        tuple(conflicts),
        frugal=frugal,
        strategies=strategies,
        machine=machine,
        temporaries=temporaries,
    )
