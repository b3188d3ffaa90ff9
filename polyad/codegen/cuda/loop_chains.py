"""Loops that are directly inside of each other, and how many iterations they have together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from polyad.codegen.loops.contractions import trip_count
from polyad.codegen.loops.how import Merged
from polyad.codegen.loops.loop_values import mentioned
from polyad.codegen.loops.nodes import Block, Loop
from polyad.ir.affine import Affine

__all__ = ["around", "iterations", "loop_chain", "merged_loops"]


def loop_chain(nest: Loop, joins: Callable[[Loop], bool]) -> tuple[Loop, ...]:
    """A loop and those inside of it that could be merged with it, outermost first.

    Args:
        nest: the loop.
        joins: whether a loop is of the kind that is merged.
    """
    found = [nest]
    while True:
        match found[-1].body.children:
            case (Loop() as inside,) if joins(inside) and not {o.iterator for o in found} & (
                mentioned(inside.first) | mentioned(inside.last)
            ):
                found.append(inside)
            case _:
                return tuple(found)


def merged_loops(loop: Loop) -> tuple[Loop, ...]:
    """A loop and those that are merged with it, outermost first."""
    match loop.body.children:
        case (Loop(how=Merged()) as inside,):
            return (loop, *merged_loops(inside))
        case _:
            return (loop,)


def around(loops: Sequence[Loop], body: Block) -> Loop:
    """Loops inside of each other around a body."""
    *outer, last = loops
    nest = replace(last, body=body)
    for loop in reversed(outer):
        nest = replace(loop, body=Block((nest,)))
    return nest


def iterations(loops: Sequence[Loop]) -> int | None:
    """The iterations of loops, where they are known."""
    total = 1
    for loop in loops:
        count = trip_count(loop)
        if not isinstance(count, Affine) or not count.is_constant:
            return None
        total *= max(count.constant, 0)
    return total
