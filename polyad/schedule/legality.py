"""Is a schedule legal? Walk the tree with the dependences that are still open, and name one pair that is violated.

At a loop, pairs of an earlier and a later iteration are settled, pairs of a later and an earlier one are violations,
pairs of one iteration stay open. At a sequence the order of the children settles. What is open at a leaf runs at the
same time. A loop marked `parallel`, `parts`, `simd`, `jam` or `lanes` settles nothing: pairs of different iterations
are violations, and so are contributions to one element from different iterations, save sums under `simd`, which are
kept in vector accumulators, all under `parts` and `sum`, which have a variable for each, and all under `jam`, whose
iterations run in turns, one statement after another. Whether threads of a GPU meet in between is looked at when the
order is right (meetings.py).
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.analysis.dependences import Conflict, Dependence, flow_edges, same_element
from polyad.errors import ScheduleError
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.schedule.meetings import check_meetings
from polyad.schedule.tree.marks import LANES, Concurrent, JamMark, PartsMark, PrefixMark, SimdMark, SumMark
from polyad.schedule.tree.nodes import Band, Mark, Node, Order
from polyad.schedule.violations import Pairs, refuse, sizes_text

__all__ = ["check_instances", "check_legal"]


def check_legal(program: Program, domain: isl.UnionSet, tree: Node) -> None:
    """Check a schedule tree against a program.

    Raises:
        ScheduleError: the schedule runs other instances than the program has.
        IllegalScheduleError: a dependence is violated; the error holds the two instances and the sizes.
    """
    check_instances(program, domain)
    _check_filters(program, domain, tree)
    _check_once(program, tree)
    edges = [Pairs(d.source, d.sink, d.relation, d) for d in flow_edges(program)]
    clashes = [Pairs(c.first, c.second, c.relation, c) for c in same_element(program)]
    _visit(tree, edges, clashes, None)
    check_meetings(program, domain, tree)


def check_instances(program: Program, domain: isl.UnionSet) -> None:
    """Check that a schedule with a domain runs the instances of a program.

    Raises:
        ScheduleError: there are more of them, or fewer; one is named.
    """
    given = domain.intersect_params(program.context)
    needed = program.domain().intersect_params(program.context)
    _refuse_instance(
        program, needed.subtract(given), "the schedule does not run {0}, which the program has; add it to its domain"
    )
    _refuse_instance(
        program,
        given.subtract(needed),
        "the schedule runs {0}, which the program does not have; remove it from its domain",
    )


def _check_filters(program: Program, domain: isl.UnionSet, node: Node) -> None:
    """Every instance has its iteration of each loop around it, and goes into one child of each sequence."""
    match node:
        case Mark(child=child):
            _check_filters(program, domain, child)
        case Band(partial=partial, child=child):
            _refuse_instance(
                program, domain.subtract(partial.domain()), "a loop of the schedule gives {0} no iteration to run in"
            )
            _check_filters(program, domain, child)
        case Order(children):
            left = domain
            for part, child in children:
                inside = domain.intersect(part)
                _refuse_instance(
                    program, inside.subtract(left), "the schedule runs {0} in two children of one sequence"
                )
                left = left.subtract(part)
                _check_filters(program, inside, child)
            _refuse_instance(program, left, "no child of a sequence in the schedule runs {0}; add it to a filter")
        case _:
            pass


def _check_once(program: Program, tree: Node) -> None:
    """No two instances of a statement run in one iteration of all loops around it: a loop would be missing."""
    for statement in program.statements:
        same = statement.domain.intersect_params(program.context)
        pairs = isl.Map.from_domain_and_range(same, same)
        twice = _same_leaf(tree, statement, pairs).subtract(isl.Map.identity(pairs.get_space()))
        found = islx.map_witness(twice, statement.dims, statement.dims)
        if found is not None:
            first, second = (islx.instance_text(statement.name, point) for point in found[:2])
            raise ScheduleError(
                f"the schedule runs {first} and {second} in one iteration of all loops{sizes_text(found[2])}; "
                f"a loop around {statement.name} is missing"
            )


def _same_leaf(node: Node, statement: Statement, pairs: isl.Map) -> isl.Map:
    """Of pairs of instances of a statement, those that no loop and no sequence tells apart."""
    match node:
        case Mark(child=child):
            return _same_leaf(child, statement, pairs)
        case Band():
            for member in range(node.size):
                row = _row(node.functions(member), statement)
                pairs = pairs.intersect(row.apply_range(row.reverse()))
            return _same_leaf(node.child, statement, pairs)
        case Order(children):
            result = isl.Map.empty(pairs.get_space())
            for filters, child in children:
                part = _part(filters, statement)
                if part is not None:
                    inside = pairs.intersect_domain(part).intersect_range(part)
                    result = result.union(_same_leaf(child, statement, inside))
            return result
        case _:
            return pairs


def _refuse_instance(program: Program, wrong: isl.UnionSet, text: str) -> None:
    """Raise a ScheduleError about one instance of a set, if there is one."""
    parts = islx.sets(wrong.intersect_params(program.context))
    dims = {s.name: s.dims for s in program.statements}
    for part in sorted(parts, key=lambda p: str(p.get_tuple_name())):
        name, n = part.get_tuple_name(), part.dim(isl.dim_type.set)
        names = dims.get(name, ())
        found = islx.witness(part, names if len(names) == n else [f"i{i}" for i in range(n)])
        if found is not None:
            raise ScheduleError(f"{text.format(islx.instance_text(name, found[0]))}{sizes_text(found[1])}")


def _visit(node: Node, edges: Sequence[Pairs], clashes: Sequence[Pairs], mark: Concurrent | None) -> None:
    """Check a subtree; `edges` must be settled in it, `clashes` must not be separated by marked loops."""
    match node:
        case Mark(kind, child):
            concurrent = kind if isinstance(kind, Concurrent) else None
            if (concurrent or isinstance(kind, PrefixMark)) and not (
                isinstance(child, Band) and (child.size == 1 or kind == SumMark())
            ):
                raise ScheduleError(f"the mark '{kind}' must stand directly above a band of one loop")
            _visit(child, edges, clashes, concurrent)
        case Band():
            for member in range(node.size):
                functions = node.functions(member)
                edges = [o for e in edges if (o := _through_loop(e, functions, mark)) is not None]
                clashes = [o for c in clashes if (o := _through_loop(c, functions, mark)) is not None]
            _visit(node.child, edges, clashes, None)
        case Order(children, ordered):
            _visit_children(children, ordered, edges, clashes)
        case _:
            for e in edges:
                refuse(e, e.pairs, "nothing puts {0} before {1}")


def _visit_children(
    children: Sequence[tuple[isl.UnionSet, Node]], ordered: bool, edges: Sequence[Pairs], clashes: Sequence[Pairs]
) -> None:
    within: list[list[Pairs]] = [[] for _ in children]
    for e in edges:
        sinks = [_part(filters, e.sink) for filters, _ in children]
        for i, (filters, _) in enumerate(children):
            source = _part(filters, e.source)
            if source is None:
                continue
            for j, sink in enumerate(sinks):
                if sink is None or (i < j and ordered):
                    continue
                pairs = e.pairs.intersect_domain(source).intersect_range(sink)
                if pairs.is_empty():
                    continue
                if i == j:
                    within[i].append(Pairs(e.source, e.sink, pairs, e.what))
                else:
                    refuse(e, pairs, "{1} runs before {0}" if ordered else "nothing puts {0} before {1}")
    for i, (filters, child) in enumerate(children):
        apart = []
        for c in clashes:
            first, second = _part(filters, c.source), _part(filters, c.sink)
            if first is not None and second is not None:
                pairs = c.pairs.intersect_domain(first).intersect_range(second)
                if not pairs.is_empty():
                    apart.append(Pairs(c.source, c.sink, pairs, c.what))
        _visit(child, within[i], apart, None)


def _part(filters: isl.UnionSet, statement: Statement) -> isl.Set | None:
    """{ S[i] }: the instances of a statement that a filter lets through."""
    part = filters.extract_set(statement.space())
    return None if part.is_empty() else part


def _through_loop(pair: Pairs, functions: dict[str, isl.PwAff], mark: Concurrent | None) -> Pairs | None:
    """Return the pairs that are still open inside of a loop; None when everything is settled.

    Raises:
        IllegalScheduleError: a pair is run backwards, or apart in a marked loop.
    """
    source, sink = _row(functions, pair.source), _row(functions, pair.sink)
    distances = pair.pairs.apply_domain(source).apply_range(sink).deltas()  # { [sink - source] }
    zero = distances.fix_val(isl.dim_type.set, 0, isl.Val(0))
    if distances.is_subset(zero):
        return pair
    if mark and not _may_overlap(pair, mark):
        apart = pair.pairs.subtract(source.apply_range(sink.reverse()))
        refuse(pair, apart, f"a loop marked {mark} runs {{0}} and {{1}} at the same time")
    if isinstance(pair.what, Dependence):
        backwards = distances.upper_bound_val(isl.dim_type.set, 0, isl.Val(-1))
        if not backwards.is_empty():
            refuse(pair, pair.pairs.intersect(source.lex_gt_map(sink)), "{1} runs before {0}")
    if zero.is_empty():
        return None
    return Pairs(pair.source, pair.sink, pair.pairs.intersect(source.apply_range(sink.reverse())), pair.what)


def _may_overlap(pair: Pairs, mark: Concurrent) -> bool:
    """Whether two contributions to one element may come from different iterations of a marked loop."""
    alike = pair.sink.reduction == pair.source.reduction
    if not isinstance(pair.what, Conflict):
        return False
    match mark:
        case JamMark():
            return True
        case SimdMark() | PartsMark(simd=True):
            return alike and pair.source.reduction in LANES
        case PartsMark() | SumMark():
            return alike
        case _:
            return False


def _row(functions: dict[str, isl.PwAff], statement: Statement) -> isl.Map:
    """{ S[i] -> [row] } of one loop."""
    if statement.name not in functions:
        raise ScheduleError(
            f"a loop around statement {statement.name} does not say in which of its iterations {statement.name} runs; "
            "give the band a schedule for that statement"
        )
    return functions[statement.name].as_map()
