"""Do threads of a GPU meet wherever one needs what another one did? A proof on the tree, for all sizes.

    launch teams: team for i
    └─ for t
       ├─ threads for j, then meet       z[t, i, j] needs h[t, i, j'] of all threads j': they met at the end of t - 1
       │  └─ z[t, i, j]
       └─ threads for j, then meet       h[t + 1, i, j] needs z[t, i, j + 1]: they meet in between
          └─ h[t, i, j]

The order of the tree says which instance comes first (legality.py). Of two instances in one launch that is enough where
a meeting lies between them in that order, or where one thread runs both: then they are in the same iteration of all
loops of threads, or in none of these. What each thread runs for itself, every thread has.

Three things are computed for a node, of the instances in it: those behind which threads meet before the node ends,
those before which they have met since it began, and the iterations around it in which they meet in it at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

import islpy as isl

from polyad.analysis.dependences import flow_edges, same_element
from polyad.ir.program import Program
from polyad.schedule.tree.marks import BlockMark, Concurrent, EachMark, LaunchMark, Meeting, SumMark, ThreadsMark
from polyad.schedule.tree.nodes import Band, Mark, Node, Order, walk
from polyad.schedule.violations import Pairs, refuse

__all__ = ["check_meetings"]


def check_meetings(program: Program, domain: isl.UnionSet, tree: Node) -> None:
    """Check the meetings of a tree whose order is right.

    Raises:
        IllegalScheduleError: threads do not meet between two instances, of which one needs the other.
    """
    if not any(isinstance(n, Mark) and isinstance(n.kind, ThreadsMark | SumMark) for n in walk(tree)):
        return
    statements = {s.name: s for s in program.statements}
    tied = [Pairs(d.source, d.sink, d.relation, d) for d in flow_edges(program)]
    for c in same_element(program):
        tied.append(Pairs(c.first, c.second, c.relation, c))
        if c.first.name != c.second.name:
            tied.append(Pairs(c.second, c.first, c.relation.reverse(), c))
    inside = domain.intersect_params(program.context)
    known = {n: s for n in statements if not (s := inside.extract_set(statements[n].space())).is_empty()}
    _Launches(tied).visit(tree, _Here(known, {n: _nowhere(s) for n, s in known.items()}))


@dataclass(frozen=True, slots=True, eq=False)
class _Here:
    """A node of the tree, from outside.

    Attributes:
        runs: statement -> { S[i] }, its instances that reach the node.
        rows: statement -> { S[i] -> [rows] }, the iterations of the loops around.
    """

    runs: Mapping[str, isl.Set]
    rows: Mapping[str, isl.Map]

    def part(self, filters: isl.UnionSet) -> _Here:
        """The child of a sequence."""
        found = {n: s.intersect(filters.extract_set(s.get_space())) for n, s in self.runs.items()}
        return _Here({n: s for n, s in found.items() if not s.is_empty()}, self.rows)

    def row(self, functions: Mapping[str, isl.PwAff]) -> _Here:
        """The inside of a loop."""
        rows = {n: self.rows[n].flat_range_product(functions[n].as_map()) for n in self.runs}
        return _Here(self.runs, rows)

    def iterations(self) -> isl.Set | None:
        """{ [rows] }: those of the loops around in which something runs; None for none."""
        return _union([self.rows[n].intersect_domain(s).range() for n, s in self.runs.items()])


@dataclass(frozen=True, slots=True, eq=False)
class _Met:
    """The meetings of threads in a node.

    Attributes:
        behind: statement -> { S[i] }, instances behind which they meet in it.
        before: statement -> { S[i] }, instances before which they have met in it.
        at: { [rows] }, iterations of the loops around it in which they meet; None for none.
    """

    behind: Mapping[str, isl.Set] = field(default_factory=dict)
    before: Mapping[str, isl.Set] = field(default_factory=dict)
    at: isl.Set | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """The thread that runs instances of a statement.

    Attributes:
        statement: its name.
        threads: { S[i] -> [number, rows of loops of threads] }.
        each: every thread does.
        block: the number of the mark of which a block of a team runs all; 0 where threads are the team's.
    """

    statement: str
    threads: isl.Map
    each: bool
    block: int


@dataclass(frozen=True, slots=True, eq=False)
class _Launches:
    """Looks for launches."""

    tied: Sequence[Pairs]

    def visit(self, node: Node, here: _Here) -> None:
        """Look at the launches in a node."""
        match node:
            case Mark(kind=LaunchMark(), child=child):
                names = here.runs.keys()
                inside = [t for t in self.tied if {t.source.name, t.sink.name} <= names]
                empty = {n: isl.Map.from_domain_and_range(s, isl.Set("{ [0] }")) for n, s in here.runs.items()}
                places = tuple(_places(child, here, empty, False, 0, count(1)))
                _Meetings(inside, places).met(child, here)
            case Mark(child=child):
                self.visit(child, here)
            case Band(child=child):
                for member in range(node.size):
                    here = here.row(node.functions(member))
                self.visit(child, here)
            case Order(children):
                for filters, child in children:
                    self.visit(child, here.part(filters))
            case _:
                pass


def _places(
    node: Node, here: _Here, threads: Mapping[str, isl.Map], each: bool, block: int, number: Iterator[int]
) -> Iterator[_Place]:
    """The threads of all statements in a node."""
    match node:
        case Mark(kind=(ThreadsMark() | SumMark()) as kind, child=Band() as child):
            for member in range(child.size):
                functions = child.functions(member)
                threads = {n: threads[n].flat_range_product(functions[n].as_map()) for n in here.runs}
            if kind == SumMark() or kind == ThreadsMark(product=True):
                # Lanes and parts of sums are other threads than those of any other loop.
                threads = _apart(threads, next(number))
            yield from _places(child.child, here, threads, each, block, number)
        case Mark(kind=BlockMark(), child=child):
            own = next(number)
            yield from _places(child, here, _apart(threads, own), each, own, number)
        case Mark(kind, child):
            yield from _places(child, here, threads, each or kind == EachMark(), block, number)
        case Band(child=child):
            yield from _places(child, here, threads, each, block, number)
        case Order(children):
            for filters, child in children:
                part = here.part(filters)
                inside = {n: threads[n].intersect_domain(s) for n, s in part.runs.items()}
                yield from _places(child, part, inside, each, block, number)
        case _:
            yield from (_Place(n, threads[n].intersect_domain(s), each, block) for n, s in here.runs.items())


def _apart(threads: Mapping[str, isl.Map], number: int) -> dict[str, isl.Map]:
    """Threads that are none of those without that number."""
    own = isl.Set(f"{{ [{number}] }}")
    apart = {n: isl.Map.from_domain_and_range(t.domain(), own) for n, t in threads.items()}
    return {n: apart[n].flat_range_product(t) for n, t in threads.items()}


@dataclass(frozen=True, slots=True, eq=False)
class _Meetings:
    """The inside of one launch.

    Attributes:
        tied: pairs of which one instance needs the other.
        places: the threads that run them.
    """

    tied: Sequence[Pairs]
    places: Sequence[_Place]

    def met(self, node: Node, here: _Here, concurrent: bool = False) -> _Met:
        """Return where the threads meet in a node, when all pairs in it are in order."""
        match node:
            case Mark(kind, child):
                inside = self.met(child, here, isinstance(kind, Concurrent))
                if isinstance(kind, BlockMark):
                    return _Met()  # those of a block are nothing to other blocks
                if not isinstance(kind, Meeting | SumMark):
                    return inside
                return _Met(here.runs, inside.before, here.iterations())
            case Band():
                return self.loops(node, 0, here, concurrent)
            case Order(children):
                return self.children([(here.part(filters), child) for filters, child in children], here)
            case _:
                return _Met()

    def loops(self, band: Band, member: int, here: _Here, concurrent: bool) -> _Met:
        """The same for the loops of a band from one on."""
        if member == band.size:
            return self.met(band.child, here)
        within = here.row(band.functions(member))
        inside = self.loops(band, member + 1, within, concurrent)
        at = None if inside.at is None else _without_last(inside.at)
        if concurrent:
            return _Met(inside.behind, inside.before, at)
        # In later iterations of the loop, and in earlier ones.
        later: dict[str, isl.Set] = {}
        earlier: dict[str, isl.Set] = {}
        for n, runs in here.runs.items():
            rows = within.rows[n].intersect_domain(runs)
            step = _next(rows)
            after = None if inside.at is None else rows.apply_range(step.intersect_range(inside.at)).domain()
            before = None if inside.at is None else rows.apply_range(step.reverse().intersect_range(inside.at)).domain()
            later |= _set(n, _union([inside.behind.get(n), after]))
            earlier |= _set(n, _union([inside.before.get(n), before]))
        for pair in self.tied:
            if not {pair.source.name, pair.sink.name} <= here.runs.keys():
                continue
            first, then = (within.rows[s.name].intersect_domain(here.runs[s.name]) for s in (pair.source, pair.sink))
            step = _next(first)
            left = pair.pairs.intersect(first.apply_range(step).apply_range(then.reverse()))
            left = _without(left, inside.behind.get(pair.source.name), inside.before.get(pair.sink.name))
            if inside.at is not None and not left.is_empty():
                between = step.intersect_range(inside.at).apply_range(step)
                left = left.subtract(first.apply_range(between).apply_range(then.reverse()))
            self.refuse(pair, left)
        return _Met(later, earlier, at)

    def children(self, parts: Sequence[tuple[_Here, Node]], here: _Here) -> _Met:
        """The same for children that run one after the other."""
        inside = [self.met(child, part) for part, child in parts]
        behind: dict[str, isl.Set] = {}
        before: dict[str, isl.Set] = {}
        for i, (part, _) in enumerate(parts):
            for n, runs in part.runs.items():
                rows = here.rows[n].intersect_domain(runs)
                after = _at(rows, _union([met.at for met in inside[i + 1 :]]))
                earlier = _at(rows, _union([met.at for met in inside[:i]]))
                behind |= _set(n, _union([behind.get(n), inside[i].behind.get(n), after]))
                before |= _set(n, _union([before.get(n), inside[i].before.get(n), earlier]))
        for pair in self.tied:
            source, sink = pair.source.name, pair.sink.name
            for i, (one, _) in enumerate(parts):
                for j in range(i + 1, len(parts)):
                    other = parts[j][0]
                    if source not in one.runs or sink not in other.runs:
                        continue
                    rows = here.rows[source].intersect_domain(one.runs[source])
                    same = rows.apply_range(here.rows[sink].intersect_domain(other.runs[sink]).reverse())
                    left = _without(
                        pair.pairs.intersect(same), inside[i].behind.get(source), inside[j].before.get(sink)
                    )
                    between = _at(rows, _union([met.at for met in inside[i + 1 : j]]))
                    self.refuse(pair, _without(left, between, None))
        return _Met(behind, before, _union([met.at for met in inside]))

    def refuse(self, pair: Pairs, pairs: isl.Map) -> None:
        """Refuse pairs that no meeting lies between, where not one thread runs both instances."""
        if pairs.is_empty():
            return
        sources, sinks = ([p for p in self.places if p.statement == s.name] for s in (pair.source, pair.sink))
        for place in sources:
            for other in sinks:
                if place.each and place.block == other.block:
                    both = pairs.intersect_domain(place.threads.domain()).intersect_range(other.threads.domain())
                    pairs = pairs.subtract(both)
                alike = place.threads.range().get_space().is_equal(other.threads.range().get_space())
                if alike and place.each == other.each:
                    pairs = pairs.subtract(place.threads.apply_range(other.threads.reverse()))
        if not pairs.is_empty():
            how = "{0} and {1} are run by different threads, which do not meet in between"
            refuse(pair, pairs, how, "put the mark 'meet' or 'sync' behind what runs {0}")


def _nowhere(instances: isl.Set) -> isl.Map:
    """{ S[i] -> [] }."""
    return isl.Map.from_domain_and_range(instances, isl.Set("{ [] }"))


def _next(rows: isl.Map) -> isl.Map:
    """{ [rows, t] -> [rows, t'] : t < t' }."""
    space = rows.get_space().range().map_from_set()
    last = space.dim(isl.dim_type.in_) - 1
    result = isl.Map.universe(space)
    for k in range(last):
        result = result.equate(isl.dim_type.in_, k, isl.dim_type.out, k)
    return result.order_lt(isl.dim_type.in_, last, isl.dim_type.out, last)


def _without_last(rows: isl.Set) -> isl.Set:
    return rows.project_out(isl.dim_type.set, rows.dim(isl.dim_type.set) - 1, 1)


def _at(rows: isl.Map, iterations: isl.Set | None) -> isl.Set | None:
    """{ S[i] }: the instances in some iterations."""
    return None if iterations is None else rows.intersect_range(iterations).domain()


def _union(sets: Sequence[isl.Set | None]) -> isl.Set | None:
    found: isl.Set | None = None
    for part in sets:
        if part is not None:
            found = part if found is None else found.union(part)
    return found


def _set(name: str, instances: isl.Set | None) -> dict[str, isl.Set]:
    return {} if instances is None else {name: instances}


def _without(pairs: isl.Map, sources: isl.Set | None, sinks: isl.Set | None) -> isl.Map:
    """Pairs without those of some sources, and of some sinks."""
    if sources is not None:
        pairs = pairs.subtract(pairs.intersect_domain(sources))
    return pairs if sinks is None else pairs.subtract(pairs.intersect_range(sinks))
