"""Clusters: statements that share the next loop, and the order in which clusters run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad.analysis.graph import components, reachable
from polyad.analysis.statement_cost import statement_cost
from polyad.errors import ScheduleError
from polyad.ir.affine import Affine
from polyad.schedule.order.recurrence import RecurrenceLoop, found_loops, parallel_row, recurrence_loops
from polyad.schedule.state.contraction import ContractionLoops
from polyad.schedule.state.cycles import following, is_cyclic
from polyad.schedule.state.problem import Problem, Rows

__all__ = ["Cluster", "clusters_of", "in_order", "path_around", "tied"]


@dataclass(frozen=True, slots=True, eq=False)
class Cluster:
    """Statements under common loops.

    Attributes:
        names: the statements, in the program's order.
        loops: the common loops; none for a statement without loops left.
        recurrence: whether a cycle of dependences is inside; its loops are fixed.
        contraction: what its one statement is, when it goes to the macro-kernel with all loops it has left.
    """

    names: tuple[str, ...]
    loops: tuple[RecurrenceLoop, ...]
    recurrence: bool = False
    contraction: ContractionLoops | None = None

    @property
    def rows(self) -> Rows:
        """The rows of the outermost common loop."""
        return self.loops[0].rows


def clusters_of(problem: Problem) -> list[Cluster]:
    """One cluster for each strongly connected component of the open dependences, in topological order.

    Recurrences of one array (the interior and the border of a state, say) are one cluster with what lies between them,
    where one order of execution serves them all: only then can the array be forgotten along time. So are those of which
    none needs another: a part of the border that only goes from step to step, and what runs at other sizes only. So
    is a border that is a number, or is given.
    """
    if len(problem.names) == 1:
        return _clusters(problem, [problem.names])
    alone = components(problem.names, following(problem.edges))
    links = _links(problem, alone)
    given = _given_borders(problem, alone)
    for tried in (links + given, links) if given else (links,):
        linked = _together(problem, alone, tried) if tried else None
        if linked is None or not _is_as_parallel(problem, alone, linked):
            continue
        if tried is links or _are_in_step(problem, linked, given):
            return linked
    found = _together(problem, alone)
    return found if found is not None else _clusters(problem, alone)


def _together(
    problem: Problem, alone: Sequence[Sequence[str]], links: Iterable[tuple[str, str]] = ()
) -> list[Cluster] | None:
    """The clusters, recurrences of one array as one; None where no order of execution serves them.

    Args:
        problem: all statements.
        alone: the strongly connected components.
        links: statements of which the second is to be with the first, as if it needed it.
    """
    after = {a: list(b) for a, b in following(problem.edges).items()}
    for first, second in links:
        after.setdefault(first, []).append(second)
    result = []
    for group in components(problem.names, _tied(problem, alone, after)):
        if group in alone:
            result += _clusters(problem, [group])
            continue
        loops = found_loops(problem.only(group), single=True)
        if loops is None:
            return None
        result.append(Cluster(tuple(group), tuple(loops), recurrence=True))
    return result


def _links(problem: Problem, groups: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Pairs of statements of recurrences that write one temporary, and of which none needs another: time is the same.

    It is the first index of what they write, where one of them has a loop along it left.
    """
    after = following(problem.edges)
    cyclic = [[n for n in g if problem.facts[n].temporary] for g in groups if is_cyclic(problem.only(g))]
    found = []
    for i, first in enumerate(cyclic):
        for second in cyclic[i + 1 :]:
            pairs = [(a, b) for a in first for b in second if _array(problem, a) == _array(problem, b)]
            if not pairs or second[0] in reachable(first[:1], after) or first[0] in reachable(second[:1], after):
                continue
            if any(_has_time(problem, n) for n in pairs[0]):
                found.append(pairs[0])
    return found


def _given_borders(problem: Problem, groups: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Pairs, in both orders, of a recurrence and a cheap statement that writes elements of its temporary in each step.

    Time is the one sequential loop of the recurrence. Sums stay outside, and so does all that writes the arrays they
    are added up in.
    """
    cyclic = [g for g in groups if is_cyclic(problem.only(g))]
    states = {_array(problem, n): (n, g) for g in cyclic for n in g if problem.facts[n].temporary}
    found = []
    for (name,) in (g for g in groups if len(g) == 1 and g not in cyclic):
        array, cost = _array(problem, name), statement_cost(problem.facts[name].statement, problem.machine)
        if array not in states or cost > problem.machine.light or not _has_time(problem, name):
            continue
        state, group = states[array]
        if _adds_up(problem, array) or not _runs_in_time(problem, state, group):
            continue
        if _times(problem, name).is_subset(_times(problem, state)):
            found += [(state, name), (name, state)]
    return found


def _are_in_step(problem: Problem, clusters: Sequence[Cluster], pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether statements write elements of one time in one iteration of the loops that they share."""
    rows = {n: [loop.rows[n] for loop in c.loops if not loop.coincident] for c in clusters for n in c.names}
    late = {n: rows[n][0] - problem.facts[n].written[0] for pair in pairs for n in pair if rows[n]}
    return all(a in late and b in late and late[a] == late[b] for a, b in pairs)


def _times(problem: Problem, name: str) -> isl.Set:
    """The first indices of what a statement writes."""
    written = problem.facts[name].statement.write_relation().intersect_domain(problem.facts[name].domain).range()
    return written.project_out(isl.dim_type.set, 1, written.dim(isl.dim_type.set) - 1)


def _runs_in_time(problem: Problem, name: str, group: Sequence[str]) -> bool:
    """Whether the only sequential loop of a recurrence is the first index of what a statement of it writes."""
    loops = found_loops(problem.only(group), single=True) or ()
    rows = [loop.rows[name] for loop in loops if not loop.coincident]
    time = problem.facts[name].written[:1]
    return len(rows) == 1 and bool(time) and rows[0].names() == time[0].names() and len(rows[0].names()) == 1


def _adds_up(problem: Problem, array: str) -> bool:
    return any(f.statement.array == array and f.statement.reduction is not None for f in problem.facts.values())


def _has_time(problem: Problem, name: str) -> bool:
    written = problem.facts[name].written
    return bool(written) and not written[0].names().isdisjoint(problem.order(name).dims)


def _array(problem: Problem, name: str) -> str:
    return problem.facts[name].statement.array


def _is_as_parallel(problem: Problem, alone: Sequence[Sequence[str]], clusters: Sequence[Cluster]) -> bool:
    """Whether no cluster lost the parallel loop that all its recurrences have."""
    for cluster in clusters:
        inside = [g for g in alone if {*g} <= {*cluster.names}]
        if len(inside) < 2 or cluster.loops[0].coincident or problem.in_parallel:
            continue
        if all(parallel_row(part) is not None for g in inside if is_cyclic(part := problem.only(g))):
            return False
    return True


def _clusters(problem: Problem, groups: Sequence[Sequence[str]]) -> list[Cluster]:
    """One cluster for each group, a strongly connected component."""
    result = []
    for group in groups:
        part = problem.only(group)
        if is_cyclic(part):
            result.append(Cluster(tuple(group), tuple(recurrence_loops(part)), recurrence=True))
        else:
            result.append(_single(problem, group[0]))
    return result


def _tied(
    problem: Problem, groups: Sequence[Sequence[str]], after: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """The dependences, with edges both ways between recurrences that write one array and of which one needs another."""
    cyclic = [g for g in groups if is_cyclic(problem.only(g))]
    result = {a: list(b) for a, b in after.items()}
    for i, first in enumerate(cyclic):
        for second in cyclic[i + 1 :]:
            arrays = [{problem.facts[n].statement.array for n in g} for g in (first, second)]
            if arrays[0] & arrays[1] and second[0] in reachable(first[:1], after):
                result.setdefault(first[0], []).append(second[0])
                result.setdefault(second[0], []).append(first[0])
    return result


def _single(problem: Problem, name: str) -> Cluster:
    dims = problem.order(name).dims
    if not dims:
        return Cluster((name,), ())
    shape = problem.contraction(name)
    if shape is not None:
        if shape.batch:
            return Cluster((name,), (RecurrenceLoop({name: Affine.of(shape.batch[0])}, True, True),))
        free = {*shape.rows, *shape.columns}
        loops = [RecurrenceLoop({name: Affine.of(d)}, d in free, True) for d in (*shape.peeled, *shape.inner)]
        return Cluster((name,), tuple(loops), contraction=shape)
    rows = {name: Affine.of(dims[0])}
    return Cluster((name,), (RecurrenceLoop(rows, keeps_contributions(problem, (name,), rows), True),))


def keeps_contributions(problem: Problem, names: Iterable[str], rows: Rows) -> bool:
    """Whether no two iterations of a loop contribute to one element."""
    return all(e.equalities.distance(rows[e.source], rows[e.sink]) == 0 for e in problem.conflicts_among(names))


def _cluster_graph(problem: Problem, clusters: Sequence[Cluster]) -> dict[str, list[str]]:
    """The dependences between clusters, each named by its first statement."""
    home = {n: c.names[0] for c in clusters for n in c.names}
    result: dict[str, dict[str, None]] = {}
    for e in problem.edges:
        a, b = home[e.source], home[e.sink]
        if a != b:
            result.setdefault(a, {})[b] = None
    return {a: list(b) for a, b in result.items()}


def path_around(
    needs: Mapping[str, Sequence[str]], home: Mapping[str, Cluster], first: Cluster, second: Cluster
) -> bool:
    """Whether `second` also needs `first` through a third cluster, which then has to run between them.

    The search goes backwards: most of what `second` needs is in `first` where clusters grow in the program's order.

    Args:
        needs: statement -> the statements that it needs.
        home: statement -> its cluster.
        first: what is to be needed.
        second: what needs it.
    """
    seen: set[Cluster] = set()
    todo = [second]
    while todo:
        cluster = todo.pop()
        for before in (home[b] for n in cluster.names for b in needs[n]):
            if before is first:
                if cluster is not second:
                    return True
            elif before is not second and before not in seen:
                seen.add(before)
                todo.append(before)
    return False


def in_order(problem: Problem, clusters: Sequence[Cluster]) -> list[Cluster]:
    """Topological order of clusters: each right after what it needs, in the program's order where that leaves a choice.

    Identity definitions come just before the first cluster that needs them, so that an element is in cache when its
    contributions arrive.
    """
    by_name = {c.names[0]: c for c in clusters}
    needs: dict[str, list[str]] = {n: [] for n in by_name}
    for a, later in _cluster_graph(problem, clusters).items():
        for b in later:
            needs[b].append(a)
    late = {n for n, c in by_name.items() if all(problem.facts[s].identity for s in c.names)}
    position = {n: min(problem.facts[s].position for s in c.names) for n, c in by_name.items()}
    first = {n: sorted(needed, key=lambda b: (b in late, position[b])) for n, needed in needs.items()}
    groups = components(sorted(by_name, key=position.__getitem__), _cluster_graph(problem, clusters))
    if len(groups) < len(by_name):
        around = next(g for g in groups if len(g) > 1)
        raise ScheduleError(
            f"the loops around {', '.join(around)} need each other, which they should not: please report this program; "
            "until then, a schedule of your own or Target(optimize=0) may do"
        )
    roots = [g[0] for g in groups]
    done: dict[str, None] = {}
    todo = [n for n in roots if n in late][::-1] + [n for n in roots if n not in late][::-1]
    while todo:
        waiting = [b for b in first[todo[-1]] if b not in done]
        if waiting:
            todo.append(waiting[0])
        else:
            done[todo.pop()] = None
    return [by_name[n] for n in done]


def tied(edges: Mapping[str, Sequence[str]], clusters: Iterable[Cluster]) -> dict[str, list[str]]:
    """A graph in which what reaches a statement, by the edges given, reaches all of its cluster."""
    result = {a: list(b) for a, b in edges.items()}
    for c in clusters:
        for a, b in zip(c.names, (*c.names[1:], c.names[0]), strict=True):
            if a != b:
                result.setdefault(a, []).append(b)
    return result
