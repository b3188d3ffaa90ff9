"""Derivatives that a condition may cut off: products with them are zero where they are.

    t = sqrt(x);  y = select(x > 0, t, 0)      t_bar = select(x > 0, y_bar, 0);  x_bar = (1/2 / t) * t_bar

At x = 0 nothing of y depends on t, so nothing of it depends on x, but inf * 0 is nan. A derivative array is *masked* if
a condition on data lies on the way to it (select, maximum, the optimum of a max, the tie of an abs); its products with
local derivatives are `masked_mul`, which is zero where the masked factor is zero. In reverse mode that is the adjoint,
in forward mode the tangent.

Property: where no factor is inf or nan, `masked_mul` is the product, its derivatives too (it is bilinear, no select: a
masked factor that is zero by chance has the derivative of a product). Where the masked factor is zero the term is zero.
Anything else, a nan in the branch taken above all, is multiplied as IEEE 754 says.

Products of what is read, summed (contractions), are left as they are: docs/decisions/0019-zero-times-infinity.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyad.ad.partials import times
from polyad.ir.expr import Apply, Const, Expr, Read, Select, walk
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.ops import const
from polyad.transforms.rewrite.fold import rebuild

__all__ = ["is_polynomial", "masked_inputs", "masks", "product"]


def product(slope: Expr, value: Expr, masked: bool) -> Expr:
    """slope * value; with `masked` zero where the value is zero, whatever the slope is."""
    if masked and not isinstance(value, Const):
        value = Apply("masked_mul", (const(1, value.dtype), value), value.dtype)
    found = times(slope, value)
    # What the next factor had to see is folded now.
    return rebuild(found) if any(isinstance(e, Apply) and e.op == "masked_mul" for e in walk(found)) else found


def masks(slope: Expr) -> bool:
    """Whether a condition on data can make a local derivative zero."""
    return any(
        (isinstance(e, Select) and any(isinstance(b, Const) and b.value == 0 for b in (e.a, e.b)))
        or (isinstance(e, Apply) and e.op == "masked_mul")
        for e in walk(slope)
    )


def is_polynomial(expr: Expr) -> bool:
    """Whether a value is made of elements and numbers by sums and products: not finite only where an element is not."""
    match expr:
        case Read() | Const():
            return True
        case Apply("add" | "sub" | "mul" | "neg" | "cast", args, _):
            return all(map(is_polynomial, args))
    return False


def masked_inputs(program: Program, seeds: Sequence[str]) -> frozenset[str]:
    """The seeds (arrays of the program) that are masked themselves: made by a select, or copies of such."""
    writers = program.writers()

    def masked(array: str, below: frozenset[str]) -> bool:
        return any(masks(s.body) or _copies_masked(s, below | {array}) for s in writers.get(array, ()))

    def _copies_masked(s: Statement, below: frozenset[str]) -> bool:
        return isinstance(s.body, Read) and s.body.array not in below and masked(s.body.array, below)

    return frozenset(a for a in dict.fromkeys(seeds) if masked(a, frozenset()))
