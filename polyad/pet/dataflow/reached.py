"""Instances in which a statement reads: `i > 0 ? x[i - 1] : 0` reads x[i - 1] where i > 0."""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from polyad.pet.scop import Access, Affine, Call, Cast, Node, Operation

__all__ = ["reached"]


def reached(node: Node, domain: isl.Set) -> Iterator[tuple[Access, isl.Set]]:
    """The accesses of an expression, each with the instances that may get to it.

    Args:
        node: the expression.
        domain: { S[i] } the instances that compute it.
    """
    match node:
        case Operation("cond", (condition, then, other)):
            yield from reached(condition, domain)
            yield from reached(then, domain.intersect(_may_be(condition, domain, truth=True)))
            yield from reached(other, domain.intersect(_may_be(condition, domain, truth=False)))
        case Operation("land" | "lor" as op, (left, right)):
            yield from reached(left, domain)
            yield from reached(right, domain.intersect(_may_be(left, domain, truth=op == "land")))
        case Access(arguments=below):
            yield node, domain
            for argument in below:
                yield from reached(argument, domain)
        case Call(arguments=below) | Operation(arguments=below):
            for argument in below:
                yield from reached(argument, domain)
        case Cast(argument=argument):
            yield from reached(argument, domain)
        case _:
            pass


def _may_be(condition: Node, domain: isl.Set, *, truth: bool) -> isl.Set:
    """The instances in which a condition may be true, or false: all those in which data decide."""
    match condition:
        case Affine(value):
            zero = isl.PwAff.zero_on_domain(isl.LocalSpace.from_space(value.get_space().domain()))
            return value.ne_set(zero) if truth else value.eq_set(zero)
        case Operation("lnot", (inner,)):
            return _may_be(inner, domain, truth=not truth)
        case Operation("land" | "lor" as op, (left, right)):
            a, b = (_may_be(part, domain, truth=truth) for part in (left, right))
            return a.intersect(b) if truth == (op == "land") else a.union(b)
        case _:
            return domain
