"""Do elements that share a slot live one after the other? The exact test, for any loops around.

Let x touch element e and y touch e', which is to have the slot of e after it. With { e -> [rows] } the iterations of
the loops in which an element is touched, the relation { rows of x -> rows of y } over all such pairs is composed, and x
must run before y in each: earlier in some sequential loop, and in one iteration of all loops around that.

It is what a tiled time loop asks for, where no index says in which tile an element lives: a tile holds several steps.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad.codegen.storage.schedule_rows import Row

__all__ = ["in_turn"]


def in_turn(touched: isl.Map, later: isl.Map, loops: Sequence[Row]) -> bool:
    """Whether each element is done with before the later ones are touched for the first time.

    Args:
        touched: { a[e] -> [rows] }, the iterations in which an element is touched.
        later: { a[e] -> a[e'] }, e' is to have the slot of e after it.
        loops: what the rows are, outermost first.
    """
    apart = touched.reverse().apply_range(later).apply_range(touched).deltas()  # { [rows of y - rows of x] }
    wrong = isl.Set.universe(apart.get_space())
    for position, loop in enumerate(loops):
        if not loop.concurrent:
            wrong = wrong.subtract(_forwards(apart.get_space(), position))
    return bool(apart.is_disjoint(wrong))


def _forwards(space: isl.Space, position: int) -> isl.Set:
    """{ [0, ..., 0, r, ...] : r > 0 }, r at a position."""
    result = isl.Set.universe(space)
    for outer in range(position):
        result = result.fix_val(isl.dim_type.set, outer, isl.Val(0))
    return result.lower_bound_val(isl.dim_type.set, position, isl.Val(1))
