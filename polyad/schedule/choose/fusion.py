"""The choice of statements that share loops: the cost model of fusion, one loop level at a time.

Two clusters of statements A -> B that are joined by a dependence get one common loop when

1. nothing has to run between them (no path A -> X -> B);
2. neither is a recurrence (what moves into those is decided in sinking.py);
3. each dependence between them stays within one iteration: the rows are carried along its equalities, so that
   transposed and shifted accesses match by themselves;
4. both run over the same iterations (no guard, no peeled iteration);
5. no parallel loop is lost: outside of parallel loops, a loop that reductions cross is not joined to one that is free;
6. a statement in stream order, or with lanes around its reduction (loop_order.py), stays alone: tiles of its loops are
   worth more than a pass over memory; but inside of a recurrence, where they are not tiled, what sums in lanes begin
   with is joined to them, and so is what a sum in stream order without tiles reads, where that is more than it writes;
7. a contraction (every operand is used many times) is joined only by statements that share *all* loops of its result:
   its identity definition and its epilogue; a shallower fusion would turn a matrix product into matrix-vector products.
8. a function is not computed where rows of sums are jammed, nor where elements are read that data choose: one by one
   there, in vectors in a loop of its own;
9. a loop that vectors run along stays the innermost of its statement: no other order of its loops for the sake of one
   that has fewer;
10. what is dear, and left out where a truth value of data is zero (analysis/switches.py), stays out of loops inside
    of that one's with what is not left out.

The gain is one pass over the array that carries the dependence, always positive, so all allowed fusions are made:
identity definitions into their contributions first, then along the other dependences in the order of the program.
Siblings, which no dependence joins, are joined by the same rules where it pays (siblings.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from polyad.ir.affine import Affine
from polyad.schedule.choose.siblings import siblings
from polyad.schedule.order.groups import Cluster, keeps_contributions, path_around
from polyad.schedule.order.recurrence import RecurrenceLoop
from polyad.schedule.state.contraction import ContractionLoops
from polyad.schedule.state.cycles import preceding
from polyad.schedule.state.equalities import single_dim
from polyad.schedule.state.loop_order import LoopOrder
from polyad.schedule.state.problem import Edge, Problem, Rows
from polyad.transforms.rewrite.cost import cost

__all__ = ["fuse"]

Orders = Mapping[str, LoopOrder]  # statement -> the loops it still needs


def fuse(problem: Problem, clusters: Sequence[Cluster]) -> list[Cluster]:
    """Join clusters by the cost model above until nothing more can be joined."""
    if len(clusters) < 2:
        return [*clusters]
    current = list(clusters)
    orders = {n: problem.order(n) for n in problem.names}
    contractions = {n: c for n in problem.names if (c := problem.contraction(n)) is not None}
    refused: set[tuple[tuple[str, ...], tuple[str, ...], str]] = set()
    edges = [*sorted(problem.edges, key=lambda e: e.kind != "define->contribute"), *siblings(problem)]
    needs = preceding(problem.edges)
    home = {n: c for c in current for n in c.names}
    changed = True
    while changed:
        changed = False
        for edge in edges:
            first, second = home[edge.source], home[edge.sink]
            # Siblings by one array may go together where those by another do not.
            pair = first.names, second.names, edge.array if edge.kind == "shared" else ""
            if first is second or pair in refused:
                continue
            between = _edges_between(problem, first, second) or [edge]
            joined = _join(problem, orders, contractions, between, first, second, edge)
            if joined is None or _is_between(needs, home, first, second, edge):
                refused.add(pair)
                continue
            current = [joined if c is first else c for c in current if c is not second]
            home.update(dict.fromkeys(joined.names, joined))
            changed = True
    return current


def _edges_between(problem: Problem, first: Cluster, second: Cluster) -> list[Edge]:
    """The dependences from one cluster to another, by the statements of the smaller one."""
    ends = {*first.names}, {*second.names}
    few = min(first.names, second.names, key=len)
    return [e for n in few for e in problem.edges_at(n) if e.source in ends[0] and e.sink in ends[1]]


def _join(
    problem: Problem,
    orders: Orders,
    contractions: Mapping[str, ContractionLoops],
    between: Sequence[Edge],
    first: Cluster,
    second: Cluster,
    edge: Edge,
) -> Cluster | None:
    """The two clusters under one loop, or None where the cost model keeps them apart.

    Args:
        problem: the statements.
        orders: the loops that each needs.
        contractions: what goes to the macro-kernel.
        between: the dependences from the first to the second, or the pair of siblings where there are none.
        first: a cluster.
        second: another one.
        edge: what asks for them to be joined.
    """
    if first.recurrence or second.recurrence or not first.loops or not second.loops:
        return None
    if first.contraction or second.contraction:
        return None
    taken = {n: contractions[n] for n in (*first.names, *second.names) if n in contractions}
    alone = [n for n in (*first.names, *second.names) if n not in taken and (orders[n].stream or orders[n].lanes)]
    if alone and not _starts_sums(problem, orders, first, second, edge) and not _is_fed(problem, orders, edge, alone):
        return None
    if any(orders[n].contraction for n in (*first.names, *second.names) if n not in taken) and not all(
        _shares_result(problem, orders, e) for e in between
    ):
        return None
    rows = _common_rows(problem, orders, between, first, second)
    if rows is None or not _same_iterations(problem, between, rows):
        return None
    if _leaves_vectors(problem, orders, rows) or _loses_switch(problem, first.names, second.names):
        return None
    if any(rows[n] not in map(Affine.of, c.batch) for n, c in taken.items()):
        return None  # the other loops of a contraction are the macro-kernel's
    names = tuple(problem.listed((*first.names, *second.names)))
    if edge.kind == "shared" and sum(orders[n].is_total for n in names) > problem.machine.sums:
        return None  # more sums gain nothing, and do not all stay in registers
    free = keeps_contributions(problem, names, rows)
    before = [keeps_contributions(problem, c.names, c.rows) for c in (first, second)]
    if not problem.in_parallel and (before[0] != before[1] or free != before[0]):
        return None
    return replace(first, names=names, loops=(RecurrenceLoop(rows, free, True),))


def _leaves_vectors(problem: Problem, orders: Orders, rows: Rows) -> bool:
    """Whether functions would run in vectors but for a common loop, which jams sums or reads what data choose."""

    def is_jammed(name: str) -> bool:
        order = orders[name]
        dim = single_dim(rows[name], problem.dims(name)) if order.jammed and not order.contraction else None
        return dim is not None and dim[0] in order.jammed

    def is_alone(name: str) -> bool:
        dim = single_dim(rows[name], problem.dims(name))
        return dim is not None and orders[name].dims == (dim[0],)

    def runs_in_vectors(name: str) -> bool:
        facts = problem.facts[name]
        return facts.statement.reduction is None and is_alone(name) and facts.profile.smooth(orders[name].dims[0])

    chosen = [n for n in rows if problem.facts[n].chosen]
    if not any(map(is_alone, chosen)) and not any(map(is_jammed, rows)):
        return False
    return any(runs_in_vectors(n) and _is_dear(problem, n) for n in rows if n not in chosen)


def _loses_switch(problem: Problem, first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether dear statements that loops around leave out by an element would have to run with others."""
    if not problem.has_switches:
        return False
    one, other = (_tested_around(problem, names) for names in (first, second))
    lost = [(first, one - other), (second, other - one)]
    return any(gone and any(_is_dear(problem, n) for n in names) for names, gone in lost)


def _tested_around(problem: Problem, names: Sequence[str]) -> set[str]:
    """The arrays of truth values by which all of some statements are left out, and of which loops around say which."""
    found: list[set[str]] = []
    for n in names:
        counted = set().union(*(row.names() for row in problem.around[n]))
        off = problem.facts[n].switches.items()
        found.append({g for g, index in off if index and all(i.names() <= counted for i in index)})
    return set.intersection(*found)


def _is_dear(problem: Problem, name: str) -> bool:
    return cost(problem.facts[name].statement.body, problem.machine) >= problem.machine.kept


def _is_between(
    needs: Mapping[str, Sequence[str]], home: Mapping[str, Cluster], first: Cluster, second: Cluster, edge: Edge
) -> bool:
    """Whether something has to run between two clusters, or siblings in the other order."""
    if edge.kind == "shared":
        direct = any(b in second.names for n in first.names for b in needs.get(n, ()))
        if direct or path_around(needs, home, second, first):
            return True
    return path_around(needs, home, first, second)


def _starts_sums(problem: Problem, orders: Orders, first: Cluster, second: Cluster, edge: Edge) -> bool:
    """Whether one statement says what the sums of another begin with, which runs in lanes around them, untiled."""
    alone = first.names == (edge.source,) and second.names == (edge.sink,)
    return alone and edge.kind == "define->contribute" and bool(orders[edge.sink].lanes) and problem.fixed > 0


def _is_fed(problem: Problem, orders: Orders, edge: Edge, alone: Sequence[str]) -> bool:
    """Whether the one statement in stream order, untiled, reads more than it writes: forces of pairs."""
    order = orders[edge.sink]
    untiled = alone == [edge.sink] and edge.kind == "value" and order.stream and not order.jammed and not order.lanes
    return untiled and problem.size(edge.source) > problem.size(edge.sink)


def _common_rows(
    problem: Problem, orders: Orders, between: Sequence[Edge], first: Cluster, second: Cluster
) -> Rows | None:
    """Rows of one loop for both: those of one side stand, a single statement on the other may take another loop."""
    for fixed, free in ((first, second), (second, first)):
        rows = dict(fixed.rows)
        if len(free.names) > 1:
            rows.update(free.rows)
        else:
            edge, name = between[0], free.names[0]
            towards = edge.equalities.to_sink if free is second else edge.equalities.to_source
            row = towards(rows[edge.source if free is second else edge.sink])
            # Reduction loops stay innermost: only loops over the result are shared, or the only one there is.
            order = orders[name]
            shared = order.dims if edge.kind == "shared" and order.is_total else order.outputs
            if row is None or not _is_loop(row, shared, problem.dims(name)):
                continue
            if _is_vector_loop(problem, orders, name, row):
                continue
            rows[name] = row
        if all(problem.once(e.equalities.distance, rows[e.source], rows[e.sink]) == 0 for e in between):
            return rows
    return None


def _is_loop(row: Affine, loops: Sequence[str], dims: Sequence[str]) -> bool:
    # A reversed loop would run against the order of memory.
    found = single_dim(row, dims)
    return found is not None and found[0] in loops and found[1] == 1


def _is_vector_loop(problem: Problem, orders: Orders, name: str, row: Affine) -> bool:
    """Whether a statement of several loops has this one inside, walking memory one by one."""
    found = single_dim(row, problem.dims(name))
    order, profile = orders[name].dims, problem.facts[name].profile
    return found is not None and found[0] in order[1:] and profile.write[found[0]] == 1 and profile.smooth(found[0])


def _same_iterations(problem: Problem, between: Sequence[Edge], rows: Rows) -> bool:
    return all(problem.same_extent(e.source, [rows[e.source]], e.sink, [rows[e.sink]]) for e in between)


def _shares_result(problem: Problem, orders: Orders, edge: Edge) -> bool:
    """Whether the two ends run over the same result loops, all of them."""
    source, sink = orders[edge.source].outputs, orders[edge.sink].outputs
    if len(source) != len(sink):
        return False
    carried = [edge.equalities.to_sink(Affine.of(d)) for d in source]
    rows = [r for r in carried if r is not None and _is_loop(r, sink, problem.dims(edge.sink))]
    if len(rows) != len(source) or len({str(r) for r in rows}) != len(rows):
        return False
    return problem.same_extent(edge.source, [Affine.of(d) for d in source], edge.sink, rows)
