"""Loops that run the instances of a program, each of them and no others, in their order: a proof for all sizes.

isl's code generator has been seen to lose instances: of

    { S[j, k] : 0 <= j <= 4 and 0 <= k <= 2 and (2 j + 3 k - 1) mod 6 >= 4 }

it visits one k for each j, where j = 0 has two (it takes the stride 2 of k for all there is). Such sets are written
with quotients; what is written without is not looked at. It has run instances out of order, too (order.py). Where
either is so, isl makes loops over larger sets without quotients, and each instance is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

import islpy as isl

from polyad import islx
from polyad.codegen.loops.ast.order import out_of_order
from polyad.codegen.loops.ast.places import Around, places
from polyad.codegen.loops.ast.questions import Questions
from polyad.codegen.loops.loop_values import Combine, Compare, Condition, substitute_condition
from polyad.codegen.loops.nodes import Block, Guard, Instance, Node
from polyad.codegen.loops.traversal import expand
from polyad.errors import ScheduleError
from polyad.ir.affine import Affine

__all__ = ["lost", "proved"]


def proved(
    loops: Callable[[isl.UnionSet | None], Block],
    domain: isl.UnionSet,
    context: isl.Set,
    dims: Mapping[str, Sequence[str]],
    orders: isl.UnionMap | None = None,
) -> Block:
    """Loops that lose no instances, and run them in the order of their times.

    Args:
        loops: as isl makes them, over the domain or over a larger one.
        domain: { S[dims] } of all statements.
        context: what is assumed of the sizes.
        dims: statement -> its dims.
        orders: { S[dims] -> [time] }, where tiles are written with quotients, too.

    Raises:
        ScheduleError: the loops over larger sets are wrong, too.
    """

    def wrong(root: Block) -> tuple[list[str], list[str]]:
        return lost(root, domain, context, orders), [] if orders is None else out_of_order(root, orders, context)

    root = loops(None)
    missing, moved = wrong(root)
    if not missing and not moved:
        return root
    sets = {s.get_tuple_name(): s for s in islx.sets(domain)}
    quotients = [name for name, s in sets.items() if _has_quotients(s)]
    for names in ([n for n in quotients if n in (*missing, *moved)], quotients):
        larger = {name: s.remove_divs() if name in names else s for name, s in sets.items()}
        grown = [name for name in names if not larger[name].is_subset(sets[name])]
        tests = {name: _quotient_test(sets[name], larger[name], dims[name]) for name in grown}
        root = _tested(loops(islx.union_set(larger.values())), tests, dims)
        missing, moved = wrong(root)
        if not missing and not moved:
            return root
    defect = f"loses instances of {missing[0]}" if missing else f"changes the order of {moved[0]}"
    raise ScheduleError(
        f"the code generator of isl {defect}, which has quotients in its domain or in its times; "
        "write its indices in another way, or give a schedule of your own"
    )


def lost(root: Block, domain: isl.UnionSet, context: isl.Set, orders: isl.UnionMap | None = None) -> list[str]:
    """The statements whose instances are not those that the loops run, as far as that can be told.

    Args:
        root: the loops as they come from the schedule.
        domain: { S[dims] } of all statements.
        context: what is assumed of the sizes.
        orders: { S[dims] -> [time] }, where tiles are written with quotients, too.
    """
    tiled = _with_quotients(orders) if orders is not None else frozenset()
    wanted = {s.get_tuple_name(): s for s in islx.sets(domain) if _has_quotients(s) or s.get_tuple_name() in tiled}
    if not wanted:
        return []
    found: dict[str, list[str]] = {}
    for instance, around in places(root, Around()):
        if instance.statement in wanted:
            found.setdefault(instance.statement, []).append(around.instances(instance))
    sizes = ", ".join(islx.param_names(context))
    questions = Questions()

    def all_run(name: str) -> bool:
        texts = "; ".join(found.get(name, []))
        ran = isl.Set(f"[{sizes}] -> {{ {texts} }}") if texts else isl.Set.empty(wanted[name].get_space())
        return bool(ran.intersect_params(context).is_equal(wanted[name].intersect_params(context)))

    return [name for name in wanted if questions.ask(partial(all_run, name)) is False]


def _quotient_test(domain: isl.Set, larger: isl.Set, dims: Sequence[str]) -> Condition:
    """Whether an instance of a larger set belongs to a domain, written out."""
    pieces: list[Condition] = []
    for basic in islx.basic_sets(domain.compute_divs()):
        tests: list[Condition] = []
        for constraint in basic.get_constraints():
            if not larger.is_subset(isl.Set.from_basic_set(isl.BasicSet.from_constraint(constraint))):
                value = Affine.from_aff(constraint.get_aff(), tuple(dims))
                tests.append(Compare("==" if constraint.is_equality() else ">=", value, Affine.of(0)))
        pieces.append(_one("&&", tests))
    return _one("||", pieces)


def _one(op: Literal["&&", "||"], conditions: Sequence[Condition]) -> Condition:
    return conditions[0] if len(conditions) == 1 else Combine(op, tuple(conditions))


def _tested(root: Block, tests: Mapping[str, Condition], dims: Mapping[str, Sequence[str]]) -> Block:
    """The loops with tests around the instances of some statements."""

    def one(node: Node) -> Sequence[Node] | None:
        if not isinstance(node, Instance) or node.statement not in tests:
            return None
        values = dict(zip(dims[node.statement], node.args, strict=True))
        return [Guard(substitute_condition(tests[node.statement], values), Block((node,)))]

    return expand(one, root)


def _has_quotients(domain: isl.Set) -> bool:
    """Whether a set is written with quotients that equations do not give."""
    return any(basic.dim(isl.dim_type.div) > 0 for basic in islx.basic_sets(domain))


def _with_quotients(orders: isl.UnionMap) -> frozenset[str]:
    """The statements whose times are written with quotients."""
    found = (m for m in islx.maps(orders) if any(b.dim(isl.dim_type.div) > 0 for b in m.get_basic_maps()))
    return frozenset(m.get_tuple_name(isl.dim_type.in_) for m in found)
