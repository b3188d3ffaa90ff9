"""How many rows, columns, terms and batches a product of matrices has."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import inf, prod

from polyad.analysis.contraction import matrix_product_of
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine.device import DEVICE
from polyad.transforms.rewrite.extents import dimension_range

__all__ = ["ProductExtents", "product_extents"]


@dataclass(frozen=True, slots=True)
class ProductExtents:
    """The extents of a product; those that nobody knows are infinite.

    Attributes:
        rows: of results.
        columns: of results.
        terms: of each.
        batches: how many products there are.
    """

    rows: float
    columns: float
    terms: float
    batches: float

    @property
    def in_tiles(self) -> bool:
        """Whether a GPU computes it in tiles, if nothing around it recurs."""
        return DEVICE.takes_tiles(self.rows, self.columns, self.terms, self.batches)


def product_extents(program: Program, s: Statement) -> ProductExtents | None:
    """Those of a statement, None where it is no product of matrices."""
    found = matrix_product_of(s)
    if found is None or not found.fits_kernel:
        return None

    def extent(names: Collection[str]) -> float:
        ranges = (dimension_range(s, d, program.arrays, program.context) for d, n in enumerate(s.dims) if n in names)
        return prod(max(r[1].constant, 0) if r is not None and r[1].is_constant else inf for r in ranges)

    return ProductExtents(*map(extent, (found.rows, found.columns, found.sums, found.batch)))
