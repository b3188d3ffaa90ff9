"""The range of an integer expression, whatever the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import islpy as isl

from polyad.ir.affine import Affine
from polyad.ir.element_types import is_integer, limits
from polyad.ir.expr import Apply, Const, Expr, Index, Select

__all__ = ["Ranges", "least_sizes"]

Range = tuple[int | None, tuple[Affine, ...]]  # a lower bound, or None; all known upper bounds


def least_sizes(context: isl.Set) -> dict[str, int]:
    """The least value of each size that has one."""
    result = {}
    for i in range(context.dim(isl.dim_type.param)):
        values = context.params().move_dims(isl.dim_type.set, 0, isl.dim_type.param, i, 1)
        low = values.project_out(isl.dim_type.param, 0, values.dim(isl.dim_type.param)).dim_min_val(0)
        if low.is_int():
            name = context.get_dim_name(isl.dim_type.param, i)
            assert name is not None, "sizes have names"
            result[name] = int(low.to_python())
    return result


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges of the index expressions of one statement.

    Attributes:
        least: lower bounds of sizes.
        dims: the statement's dims.
    """

    least: Mapping[str, int]
    dims: tuple[str, ...]

    def inside(self, index: Expr, extent: Affine) -> bool:
        """True when 0 <= index < extent for all data: a clipped index, or one modulo the extent."""
        low, highs = self.range(index)
        return low is not None and low >= 0 and any(self.nonnegative(extent - 1 - h) for h in highs)

    def low(self, value: Affine) -> int | None:
        """A lower bound."""
        total = value.constant
        for atom, c in value.terms:
            if not isinstance(atom, str) or c < 0 or atom not in self.least:
                return None
            total += c * self.least[atom]
        return total

    def nonnegative(self, value: Affine) -> bool:
        """Whether the value is at least 0 for all sizes."""
        low = self.low(value)
        return low is not None and low >= 0

    def range(self, expr: Expr) -> Range:
        """The range of an integer expression."""
        match expr:
            case Const(value, _):
                return int(value), (Affine.of(int(value)),)
            case Index(value):
                affine = Affine.from_aff(value, self.dims)
                return self.low(affine), (affine,)
            case Apply("cast", (inner,), dtype) if is_integer(inner.dtype) and "uint32" in (inner.dtype, dtype):
                low, highs = self.range(inner)
                least, most = limits(dtype)
                kept = low is not None and low >= least and any(h.is_constant and h.constant <= most for h in highs)
                return (low, highs) if kept else self.any(dtype)
            case Apply("cast", (inner,), _) if "float" not in inner.dtype:
                return self.range(inner)
            case Apply("maximum", (a, b), _):
                return self.greater(self.range(a), self.range(b))
            case Apply("minimum", (a, b), _) | Select(_, a, b, _):
                (low_a, highs_a), (low_b, highs_b) = self.range(a), self.range(b)
                low = min(low_a, low_b) if low_a is not None and low_b is not None else None
                return low, self.common(highs_a, highs_b) if isinstance(expr, Select) else highs_a + highs_b
            case Apply("mod", (_, divisor), _):
                low, highs = self.range(divisor)
                return (0, tuple(h - 1 for h in highs)) if low is not None and low >= 1 else (None, ())
            case Apply("bitwise_and", (_, mask), _) if isinstance(mask, Const) and mask.value >= 0:
                return 0, (Affine.of(int(mask.value)),)
            case _:
                return self.any(expr.dtype)

    def any(self, dtype: str) -> Range:
        """All that a type holds, as far as it says something of an index: what a sum is made of may wrap around."""
        return (0, (Affine.of(limits(dtype)[1]),)) if dtype == "uint32" else (None, ())

    def greater(self, a: Range, b: Range) -> Range:
        """The range of the greater of two."""
        lows = [low for low in (a[0], b[0]) if low is not None]
        return (max(lows) if lows else None), self.common(a[1], b[1])

    def common(self, a: tuple[Affine, ...], b: tuple[Affine, ...]) -> tuple[Affine, ...]:
        """Bounds of one side that the other side keeps too."""
        mine = [h for h in a if any(self.nonnegative(h - g) for g in b)]
        return (*mine, *(g for g in b if any(self.nonnegative(g - h) for h in a)))
