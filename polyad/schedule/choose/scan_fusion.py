"""Statements around a prefix scan move into its loop: it works on blocks of the scan that are still in cache.

    for t: q[t] = x[t] * x[t]                       for t: q[t] = x[t] * x[t]
    for t: h[t + 1] = a * h[t] + q[t]       ->             h[t + 1] = a * h[t] + q[t]
    for t: y[t] = log(h[t])                                y[t] = log(h[t])
    for t: loss += y[t]                                    loss += y[t]

A recurrence that is linear in one number becomes a prefix scan between vector loops (codegen/loops), so, unlike in
other recurrences, what joins it still runs in vector lanes, and one pass over memory takes the place of many.

A single statement joins when

1. it has one loop at most, walks memory one by one along it, and reduces into fixed elements if at all;
2. its dependences with what is in the loop stay within one iteration; the state may be read one step later;
3. it runs in the same iterations, but for one before or after them, which is split off; and nothing has to run between
   it and the scan, but for a statement that runs once, the first state, which goes into the iteration before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyad.analysis.linear import ITSELF, is_linear
from polyad.ir.affine import Affine
from polyad.schedule.choose.reassociation import is_short
from polyad.schedule.order.groups import Cluster, path_around
from polyad.schedule.order.sequential_row import carry
from polyad.schedule.state.cycles import cycles, preceding
from polyad.schedule.state.equalities import single_dim
from polyad.schedule.state.problem import Edge, Problem, Rows
from polyad.schedule.tree.marks import LANES

__all__ = ["join_scans"]


def join_scans(problem: Problem, clusters: Sequence[Cluster]) -> list[Cluster]:
    """Move single statements into the prefix scans among the clusters until nothing more can be moved."""
    home = {n: c for c in clusters for n in c.names}
    for state in [s for c in clusters if (s := _state(problem, c)) is not None]:
        # Readers of h[t] may come in the loop that computes h[t] or in the next one: whichever lets more of them join.
        tried = [_joined(problem, home, state, late) for late in (False, True)]
        home = max(tried, key=lambda found: len(found[state].names))
    return list(dict.fromkeys(home.values()))


def _joined(problem: Problem, home: dict[str, Cluster], state: str, late: bool) -> dict[str, Cluster]:
    """Statement -> its cluster, with all that can join the scan that computes a state."""
    needs = preceding(problem.edges)
    changed = True
    while changed:
        changed = False
        for edge in problem.edges:
            scan, ends = home[state], (home[edge.source], home[edge.sink])
            if scan not in ends or ends[0] is ends[1]:
                continue
            joined = _with(problem, scan, state, ends[ends[0] is scan], edge, late)
            for new in (joined, _with_first_states(problem, joined, state)) if joined else ():
                after = {**home, **dict.fromkeys(new.names, new)}
                if not path_around(needs, after, new, new):
                    home, changed = after, True
                    break
    return home


def _state(problem: Problem, cluster: Cluster) -> str | None:
    """The statement that computes the next state, if a cluster is a prefix scan."""
    if not cluster.recurrence or len(cluster.loops) != 1 or cluster.loops[0].coincident:
        return None
    found = cycles(problem.only(cluster.names))
    if len(found) != 1 or len(found[0].names) != 1:
        return None
    if not all(_is_smooth(problem, n, cluster.rows[n]) for n in cluster.names):
        return None
    (state,) = found[0].names
    statement, row = problem.facts[state].statement, cluster.rows[state]
    linear = statement.reduction is None and "float" in statement.body.dtype
    if not linear or {e.equalities.distance(row, row) for e in found[0].edges} != {1}:
        return None
    return state if is_linear(statement.body, {statement.array: ITSELF}) and not is_short(problem, state, row) else None


def _with(problem: Problem, scan: Cluster, state: str, other: Cluster, edge: Edge, late: bool) -> Cluster | None:
    """A scan with a single statement in step with it; None where the rules above keep it apart.

    Args:
        problem: all statements.
        scan: the loop.
        state: the statement of it that computes the next state.
        other: what may join.
        edge: a dependence between the two.
        late: whether readers of a state rather come in the next step.
    """
    if len(other.names) > 1 or other.recurrence or other.contraction or problem.facts[other.names[0]].identity:
        return None
    (name,), array = other.names, problem.facts[state].statement.array
    found = carry(edge, scan.rows, name)
    if found is None or len(scan.names) >= problem.machine.scan_statements:
        return None
    main = problem.image(state, [scan.rows[state]])
    near = [
        row
        for row in ((found + late, found + (not late)) if edge.array == array else (found,))
        if _is_smooth(problem, name, row)
        and _fits(problem, name, {**scan.rows, name: row}, array)
        and _is_near(problem.image(name, [row]), main)
    ]
    exact = [row for row in near if problem.image(name, [row]).is_equal(main)]
    return _grown(problem, scan, {name: (exact or near)[0]}) if near else None


def _with_first_states(problem: Problem, scan: Cluster, state: str) -> Cluster:
    """A scan with the statements that run once, in the iteration before it, to write a state."""
    statement, main = problem.facts[state].statement, problem.image(state, [scan.rows[state]])
    rows: dict[str, Affine] = {}
    for edge in problem.edges:
        name = edge.source
        if edge.sink != state or name in scan.names or problem.order(name).dims:
            continue
        first, found = problem.facts[name].statement, carry(edge, scan.rows, name)
        if first.array != statement.array or first.reduction or found is None:
            continue
        if _fits(problem, name, {**scan.rows, name: found - 1}, first.array):
            rows |= {name: found - 1} if problem.image(name, [found - 1]).is_disjoint(main) else {}
    return _grown(problem, scan, rows)


def _grown(problem: Problem, scan: Cluster, rows: Rows) -> Cluster:
    names = tuple(problem.listed((*scan.names, *rows)))
    return replace(scan, names=names, loops=(replace(scan.loops[0], rows={**scan.rows, **rows}, peeled=True),))


def _is_smooth(problem: Problem, name: str, row: Affine) -> bool:
    """Whether a statement runs along a row by its one loop, in vector lanes if only the state is in the way."""
    facts = problem.facts[name]
    statement = facts.statement
    dim = single_dim(row, problem.dims(name))
    if dim is None or problem.order(name).dims != (dim[0],) or facts.chosen:
        return False
    kept = facts.profile.write[dim[0]] == 0 and statement.reduction in LANES and "float" in statement.body.dtype
    lanes = facts.profile.smooth(dim[0]) and (statement.reduction is None or kept)
    return lanes and facts.domain.coalesce().n_basic_set() == 1


def _fits(problem: Problem, name: str, rows: Mapping[str, Affine], array: str) -> bool:
    """Whether the dependences between a statement and the others with a row let it run in their loop."""
    for e in problem.edges_at(name):
        if e.source in rows and e.sink in rows:
            distance = e.equalities.distance(rows[e.source], rows[e.sink])
            if distance != 0 and not (distance == 1 and e.array == array):
                return False
    return True


def _is_near(own: isl.Set, main: isl.Set) -> bool:
    """Whether iterations are those of a scan, but for one more, or one less, inside of each of the loops around."""
    own, main = own.intersect_params(main.params()), main.intersect_params(own.params())
    last = main.dim(isl.dim_type.set) - 1
    apart = (own.subtract(main), main.subtract(own))
    return all(a.identity().project_out(isl.dim_type.in_, last, 1).is_single_valued() for a in apart)
