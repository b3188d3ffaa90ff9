"""The iterations in which a place of a loop nest is reached, as an integer set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.codegen.loops.loop_values import Combine, Compare, Condition, Value, bounds
from polyad.codegen.loops.nodes import Guard, Loop, Share
from polyad.ir.affine import Affine

__all__ = ["Around", "Iterations", "declared_by", "iterations", "otherwise"]

Around = Sequence[Loop | Guard | Share]
"""The nodes around a place, outermost first; of a guard, its condition holds."""


@dataclass(frozen=True, slots=True, eq=False)
class Iterations:
    """The values of the names that are declared around a place.

    Attributes:
        points: [sizes] -> { [names] }, at least those that are reached.
        exact: no others are.
    """

    points: isl.Set
    exact: bool


def declared_by(around: Around) -> tuple[str, ...]:
    """The names that nodes declare: iterators, and the bounds of a part."""
    found: list[str] = []
    for node in around:
        match node:
            case Loop(iterator=name):
                found.append(name)
            case Share(first=first, last=last):
                found += [first, last]
    return tuple(found)


def iterations(around: Around, context: isl.Set, params: tuple[str, ...]) -> Iterations:
    """The iterations that reach a place.

    Args:
        around: what is around it.
        context: what is assumed of the sizes.
        params: the sizes.
    """
    dims = declared_by(around)
    known = {*dims, *params}
    space, where = islx.space(params, "", dims), islx.positions(params, dims)
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    points = isl.Set.universe(space).intersect_params(context)
    exact = True
    for node in around:
        for difference in _limits(node):
            if difference is not None and difference.names() <= known:
                points = points.intersect(difference.to_aff(space, where).ge_set(zero))
            else:
                exact = False
        if isinstance(node, Loop) and abs(node.step) > 1:
            if isinstance(node.first, Affine) and node.first.names() <= known:
                past = (Affine.of(node.iterator) - node.first) % abs(node.step)
                points = points.intersect(past.to_aff(space, where).eq_set(zero))
            else:
                exact = False
    return Iterations(points, exact)


def otherwise(guard: Guard, dims: tuple[str, ...], params: tuple[str, ...]) -> isl.Set:
    """[params] -> { [dims] }: at least where the other branch of a guard is taken."""
    space, where = islx.space(params, "", dims), islx.positions(params, dims)
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    everywhere = isl.Set.universe(space)
    taken = everywhere
    for difference in _not_negative(guard.condition):
        if difference is None or not difference.names() <= {*dims, *params}:
            return everywhere
        taken = taken.intersect(difference.to_aff(space, where).ge_set(zero))
    return everywhere.subtract(taken)


def _limits(node: Loop | Guard | Share) -> list[Affine | None]:
    """Return the expressions that are not negative inside of a node; None for one that is not affine."""
    match node:
        case Loop():
            low, high = node.limits
            return _between(low, Affine.of(node.iterator), Affine.of(node.iterator), high)
        case Share():
            first, last = Affine.of(node.first), Affine.of(node.last)
            return [*_between(node.low, first, last, node.high), last - first]
        case Guard():
            return _not_negative(node.condition)


def _between(low: Value, first: Affine, last: Affine, high: Value) -> list[Affine | None]:
    """low <= first, last <= high."""
    above = [None if bound is None else first - bound for bound in bounds(low, "max")]
    below = [None if bound is None else bound - last for bound in bounds(high, "min")]
    return [*above, *below]


def _not_negative(condition: Condition) -> list[Affine | None]:
    match condition:
        case Combine("&&", args):
            return [a for c in args for a in _not_negative(c)]
        case Compare(op, Affine() as a, Affine() as b):
            found: dict[str, list[Affine | None]] = {
                "<=": [b - a],
                "<": [b - a - 1],
                ">=": [a - b],
                ">": [a - b - 1],
                "==": [a - b, b - a],
            }
            return found.get(op, [None])
        case _:
            return [None]
