"""The table of reductions: what one starts from and how it takes in one more value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from polyad.ir.element_types import limits, wrapped
from polyad.ir.statement import Reduction

__all__ = ["REDUCTION_OPS", "ReductionOp", "identity"]


@dataclass(frozen=True, slots=True)
class ReductionOp:
    """acc = acc op x, associative and commutative.

    Attributes:
        name: its name in statements.
        value: NumPy's binary function.
        op: the scalar operator of the table `OPS` that does the same.
        c: the C statement that takes in one value: `{acc}`, `{x}`, and `{f}` the suffix f32 / f64 / i32 / i64 / u32.
        start: the identity of floats; an integer type takes the nearest value it has.
        doc: one line for the reference page.
    """

    name: Reduction
    value: Callable[..., Any]
    op: str
    c: str
    start: float
    doc: str

    def taking_in(self, total: Any, x: Any, dtype: str) -> Any:
        """The value with one more in it, as an element of this type holds it."""
        return wrapped(self.value(total, x), dtype)

    def identity(self, dtype: str) -> float | int:
        """The value that changes nothing: what an element has that nothing contributes to."""
        if "float" in dtype:
            return self.start
        if np.isinf(self.start):
            return limits(dtype)[self.start > 0]
        return int(self.start)


REDUCTION_OPS: dict[str, ReductionOp] = {
    op.name: op
    for op in (
        ReductionOp("sum", np.add, "add", "{acc} += {x}", 0.0, "the sum; 0 of nothing"),
        ReductionOp("prod", np.multiply, "mul", "{acc} *= {x}", 1.0, "the product; 1 of nothing"),
        ReductionOp(
            "max",
            np.maximum,
            "maximum",
            "{acc} = pa_maximum_{f}({acc}, {x})",
            -np.inf,
            "the largest; -inf or the lowest integer of nothing; nan when one is",
        ),
        ReductionOp(
            "min",
            np.minimum,
            "minimum",
            "{acc} = pa_minimum_{f}({acc}, {x})",
            np.inf,
            "the smallest; inf or the highest integer of nothing; nan when one is",
        ),
    )
}
"""Name -> reduction."""


def identity(reduction: Reduction, dtype: str) -> float | int:
    """The identity of a reduction over an element type."""
    return REDUCTION_OPS[reduction].identity(dtype)
