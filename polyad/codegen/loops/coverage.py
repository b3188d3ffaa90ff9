"""Loops that run the instances of a program, each of them and no others: a proof for all sizes.

isl's code generator has been seen to lose instances: of

    { S[j, k] : 0 <= j <= 4 and 0 <= k <= 2 and (2 j + 3 k - 1) mod 6 >= 4 }

it visits one k for each j, where j = 0 has two (it takes the stride 2 of k for all there is). Such sets are written
with quotients; what is written without is not looked at. Where instances of one were lost, isl makes loops over a
larger set without quotients, and each instance is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import islpy as isl

from polyad import islx
from polyad.codegen.loops.isl_words import isl_affine, isl_condition, isl_value
from polyad.codegen.loops.loop_values import Combine, Compare, Condition, substitute_condition
from polyad.codegen.loops.nodes import Block, Contraction, Guard, Instance, Let, Loop, Node, Share
from polyad.codegen.loops.traversal import expand
from polyad.errors import ScheduleError
from polyad.ir.affine import Affine, FloorDiv

__all__ = ["covering", "lost"]

_OPERATIONS = 5_000_000
"""What isl may spend on one proof; beyond, nothing is said."""


def covering(
    root: Block,
    over: Callable[[isl.UnionSet], Block],
    domain: isl.UnionSet,
    context: isl.Set,
    dims: Mapping[str, Sequence[str]],
    orders: isl.UnionMap | None = None,
) -> Block:
    """Loops that lose no instances.

    Args:
        root: the loops as isl makes them.
        over: those that it makes over a larger set.
        domain: { S[dims] } of all statements.
        context: what is assumed of the sizes.
        dims: statement -> its dims.
        orders: { S[dims] -> [time] }, where tiles are written with quotients, too.

    Raises:
        ScheduleError: instances of the larger set are lost, too.
    """
    if missing := lost(root, domain, context, orders):
        sets = {s.get_tuple_name(): s for s in islx.sets(domain)}
        larger = islx.union_set(s.remove_divs() if name in missing else s for name, s in sets.items())
        root = _tested(over(larger), {name: _quotient_test(sets[name], dims[name]) for name in missing}, dims)
        missing = lost(root, domain, context, orders)
    if missing:
        raise ScheduleError(
            f"the code generator of isl loses instances of {missing[0]}, whose domain has quotients; "
            "write its indices in another way, or give a schedule of your own"
        )
    return root


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
    for instance, conditions, names in _places(root, (), ()):
        if instance.statement in wanted:
            dims = [f"at_{d}" for d in range(len(instance.args))]
            values = [f"{d} = {isl_affine(a)}" for d, a in zip(dims, instance.args, strict=True)]
            exists = f"exists {', '.join(names)} : " if names else ""
            text = f"[{', '.join(dims)}] : {exists}{' and '.join([*conditions, *values]) or 'true'}"
            found.setdefault(instance.statement, []).append(text)
    sizes = ", ".join(islx.param_names(context))
    missing = []
    for name, instances in wanted.items():
        texts = "; ".join(f"{name}{text}" for text in found.get(name, []))
        try:
            with islx.bounded_operations(_OPERATIONS):
                ran = isl.Set(f"[{sizes}] -> {{ {texts} }}") if texts else isl.Set.empty(instances.get_space())
                given = instances.intersect_params(context)
                if not ran.intersect_params(context).is_equal(given):
                    missing.append(name)
        except islx.OperationLimitError:
            continue  # nothing is said: the certifier looks at sizes instead
    return missing


def _quotient_test(domain: isl.Set, dims: Sequence[str]) -> Condition:
    """Whether an instance of the larger set belongs to a domain, written out."""
    basics = islx.basic_sets(domain.compute_divs())
    pieces: list[Condition] = []
    for basic in basics:
        tests: list[Condition] = []
        for constraint in basic.get_constraints():
            value = Affine.from_aff(constraint.get_aff(), tuple(dims))
            # Where there is one piece, the larger set has its other constraints.
            if len(basics) > 1 or any(isinstance(atom, FloorDiv) for atom, _ in value.terms):
                tests.append(Compare("==" if constraint.is_equality() else ">=", value, Affine.of(0)))
        pieces.append(tests[0] if len(tests) == 1 else Combine("&&", tuple(tests)))
    return pieces[0] if len(pieces) == 1 else Combine("||", tuple(pieces))


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


def _places(
    node: Node, conditions: tuple[str, ...], names: tuple[str, ...]
) -> Iterator[tuple[Instance, tuple[str, ...], tuple[str, ...]]]:
    """The places of statements: the conditions under which they run, and the names in these."""
    match node:
        case Instance():
            yield node, conditions, names
        case Block(children):
            for child in children:
                if isinstance(child, Let):
                    names = (*names, child.name)
                    conditions = (*conditions, f"{child.name} = {isl_value(child.value)}")
                else:
                    yield from _places(child, conditions, names)
        case Loop(iterator=name, first=first, step=step, body=body):
            low, high = node.limits
            own = [f"{isl_value(low)} <= {name} <= {isl_value(high)}"]
            if abs(step) > 1:
                own.append(f"({name} - {isl_value(first)}) mod {abs(step)} = 0")
            yield from _places(body, (*conditions, *own), (*names, name))
        case Guard(condition, then, otherwise):
            text = isl_condition(condition)
            yield from _places(then, (*conditions, f"({text})"), names)
            if otherwise is not None:
                yield from _places(otherwise, (*conditions, f"(not ({text}))"), names)
        case Share(first=first, last=last, low=low, high=high, body=body):
            whole = (f"{first} = {isl_value(low)}", f"{last} = {isl_value(high)}")  # one part: all of it
            yield from _places(body, (*conditions, *whole), (*names, first, last))
        case Contraction(nest=nest):
            yield from _places(nest, conditions, names)
        case _:
            raise AssertionError("storage is decided later")
