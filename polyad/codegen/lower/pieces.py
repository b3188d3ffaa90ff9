"""Parallel loops that threads share in pieces.

    y[i] = a[i] * b[i] + c[i]                   a vector of them, a vector of them, ..., one, one, one

A compiler computes as many iterations as fill vectors together, and what is left over one by one. It fuses a product
and a sum into one operation, rounded once, in the one place and maybe not in the other, where a comparison is a mask
here and a branch there. What has to hold: a number of threads changes no bit of a result. So pieces are the same for
any number of threads (`pa_piece` of polyad_runtime.h); a thread has some of them, and what is left over is so in each
run.

That holds for loops that compilers make vector loops of without being asked, too. Those around long loops are none, and
neither are those that run in one part per thread (`Share`): along these, elements do not lie next to each other.
"""

from __future__ import annotations

from polyad.codegen.loops.contractions import trip_count
from polyad.codegen.loops.how import OneVector
from polyad.codegen.loops.loop_values import Value
from polyad.codegen.loops.nodes import Contraction, Loop, Pack
from polyad.codegen.loops.traversal import nodes
from polyad.ir.affine import Affine

__all__ = ["piece_count"]

_PEELED = 16
"""Iterations up to which compilers may write a loop out, so that the loop around it is an innermost one."""


def piece_count(loop: Loop) -> Value | None:
    """The number of iterations of a loop that has to be shared in pieces; None for another.

    Args:
        loop: parallel.
    """
    if any(isinstance(n, Contraction | Pack) or (isinstance(n, Loop) and not _is_short(n)) for n in nodes(loop.body)):
        return None
    return trip_count(loop)


def _is_short(loop: Loop) -> bool:
    """Whether a loop may be written out; that over the lanes of a vector is one already."""
    count = trip_count(loop)
    return (
        not isinstance(loop.how, OneVector)
        and isinstance(count, Affine)
        and count.is_constant
        and count.constant <= _PEELED
    )
