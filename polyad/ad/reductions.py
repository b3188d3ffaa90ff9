"""Reductions: the derivative of an element with respect to one of the values combined in it.

    sum         1
    max, min    1 for the first optimum, 0 for the others        (optimum.py)
    prod        the product of the others                        (products.py)

Sums need nothing. The others get statements of their own, which compute that factor for every instance, once, before
differentiation; reverse and forward mode then treat all reductions as sums of factor * derivative of the body.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import islpy as isl

from polyad import islx
from polyad.ad.optimum import resolve_optimum
from polyad.ad.products import resolve_product
from polyad.errors import DifferentiationError
from polyad.ir.expr import Expr, pullback
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["Factors", "resolve_reductions"]


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    """d a[w(s)] / d body(s) for statements where it is not 1.

    Attributes:
        values: statement name -> the factor over { S[s] }.
        spaces: statement name -> { S[s] }.
    """

    values: Mapping[str, Expr] = field(default_factory=dict)
    spaces: Mapping[str, isl.Space] = field(default_factory=dict)

    def of(self, lifted: Statement) -> Expr | None:
        """The factor of a statement, over its instances { S[d..., s] } for all directions; None for 1."""
        factor = self.values.get(lifted.name)
        if factor is None:
            return None
        space = self.spaces[lifted.name]
        leading = len(lifted.dims) - space.dim(isl.dim_type.set)
        if not leading:
            return factor
        return pullback(factor, islx.projection(lifted.space(), space, range(leading, len(lifted.dims))))


def resolve_reductions(program: Program, active: Collection[str]) -> tuple[Program, Factors]:
    """Give every max, min and prod on an active array its factor.

    Returns:
        The program with the statements that compute the factors, and the factors.

    Raises:
        DifferentiationError: a data-dependent write under max, min or prod, or a product over a domain with gaps.
    """
    values: dict[str, Expr] = {}
    for array, writers in program.writers().items():
        kinds = {s.reduction for s in writers} - {None, "sum"}
        if array not in active or not kinds:
            continue
        for s in writers:
            if not isinstance(s.write, isl.MultiAff):
                raise DifferentiationError(
                    f"{s.where or s.name}: {s.name} combines elements of {array!r} chosen by data with {s.reduction}; "
                    "only sums over data-dependent elements have a derivative here"
                )
        resolve = resolve_product if "prod" in kinds else resolve_optimum
        program, found = resolve(program, array)
        values |= found
    spaces = {s.name: s.space() for s in program.statements if s.name in values}
    return program, Factors(values, spaces)
