"""Clusters: statements that share the next loop, and the order in which clusters run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from polyad.analysis.graph import components
from polyad.errors import ScheduleError
from polyad.ir.affine import Affine
from polyad.schedule.order.recurrence import RecurrenceLoop, recurrence_loops
from polyad.schedule.state.contraction import ContractionLoops
from polyad.schedule.state.cycles import following, is_cyclic
from polyad.schedule.state.problem import Problem, Rows

__all__ = ["Cluster", "alone", "in_order", "path_around", "tied"]


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


def alone(problem: Problem) -> list[Cluster]:
    """One cluster for each strongly connected component of the open dependences, in topological order."""
    result = []
    for group in components(problem.names, following(problem.edges)):
        part = problem.only(group)
        if is_cyclic(part):
            result.append(Cluster(tuple(group), tuple(recurrence_loops(part)), recurrence=True))
        else:
            result.append(_single(problem, group[0]))
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
        for before in (home[b] for n in cluster.names for b in needs.get(n, ())):
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
    home = {n: c.names[0] for c in clusters for n in c.names}
    between = [(home[e.source], home[e.sink]) for e in problem.edges if home[e.source] != home[e.sink]]
    graph: dict[str, list[str]] = {}
    needs: dict[str, list[str]] = {n: [] for n in by_name}
    for a, b in dict.fromkeys(between):
        graph.setdefault(a, []).append(b)
        needs[b].append(a)
    late = {n for n, c in by_name.items() if all(problem.facts[s].identity for s in c.names)}
    position = {n: min(problem.facts[s].position for s in c.names) for n, c in by_name.items()}
    first = {n: sorted(needed, key=lambda b: (b in late, position[b])) for n, needed in needs.items()}
    groups = components(sorted(by_name, key=position.__getitem__), graph)
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
