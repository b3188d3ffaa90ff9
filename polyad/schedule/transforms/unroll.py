"""Unrolling: for i {S}  ->  for blocks of i {S[i]; S[i + 1]; ...}."""

from __future__ import annotations

import islpy as isl

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, LoopName, Nest, NestLoop, at_band, blocks, rebuild
from polyad.schedule.tree.nodes import Node, Order

__all__ = ["MOST_COPIES", "check_copies", "unroll"]

MOST_COPIES = 64
"""Of one body: the C has a text for each."""


def check_copies(factor: object, what: str) -> int:
    """How often a loop is unrolled.

    Raises:
        ScheduleError: it is not an integer from 2 on, or makes too much text.
    """
    if type(factor) is not int or not 2 <= factor <= MOST_COPIES:
        raise ScheduleError(f"a loop is {what} by an integer from 2 to {MOST_COPIES}, not {factor!r:.60}")
    return factor


def unroll(tree: Node, dims: Dims, band: LoopName, factor: int) -> Node:
    """Make a loop one over blocks of `factor` iterations, whose body is a sequence of `factor` copies.

    Copy k has the instances of the iterations i with i mod factor = k, and what was inside of the loop. The order stays
    what it was. A loop that runs on threads keeps doing so; other marks of the loop go.

    Raises:
        ScheduleError: the factor is not an integer from 2 to 64.
    """
    check_copies(factor, "unrolled")

    def change(nest: Nest, index: int) -> Node:
        loop = nest.loops[index]
        body = rebuild(Nest(nest.loops[index + 1 :], nest.child))
        copies = tuple((_instances(loop, factor, k), body) for k in range(factor))
        return rebuild(Nest((*nest.loops[:index], blocks(loop, factor)), Order(copies)))

    return at_band(tree, dims, band, change)


def _instances(loop: NestLoop, factor: int, k: int) -> isl.UnionSet:
    """{ S[i] : row(S[i]) mod factor = k }."""
    rest = loop.function.mod_val(isl.Val(factor))
    minus = isl.UnionPwAff.val_on_domain(rest.domain(), isl.Val(-k))
    return rest.add(minus).zero_union_set().coalesce()
