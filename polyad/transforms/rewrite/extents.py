"""How far the dimensions of a statement reach, as expressions of the sizes."""

from __future__ import annotations

from collections.abc import Mapping

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Access
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.inverse_access import unit_dimension

__all__ = ["dimension_range"]

Range = tuple[Affine, Affine]


def dimension_range(statement: Statement, column: int, arrays: Mapping[str, Array], context: isl.Set) -> Range | None:
    """(low, extent): the dimension lies in low, ..., low + extent - 1 for all instances, and extent >= 0.

    The range is exact where one expression of the sizes says it, and otherwise that of an array index in which the
    dimension stands alone; None where there is neither.

    Args:
        statement: any statement.
        column: which of its dimensions.
        arrays: the arrays of its program.
        context: [params] -> { : ... }, what is assumed of the sizes.
    """
    domain = statement.domain.intersect_params(context)
    low, high = _single(domain.dim_min(column)), _single(domain.dim_max(column))
    if low is not None and high is not None:
        extent = high - low + 1
        if _never_negative(extent, statement.params(), context):
            return low, extent
    return _indexed_range(statement, column, arrays)


def _single(bound: isl.PwAff) -> Affine | None:
    """The expression of the sizes, when it is the same for all sizes."""
    pieces = bound.coalesce().get_pieces()
    return Affine.from_aff(pieces[0][1], ()) if len(pieces) == 1 else None


def _never_negative(extent: Affine, params: tuple[str, ...], context: isl.Set) -> bool:
    """Whether the domain is large enough for every size of the context: i < N - 3 has no extent where N < 3."""
    if extent.is_constant:
        return extent.constant >= 0
    space = islx.space(params, "", ())
    aff = extent.to_aff(space, islx.positions(params, ()))
    enough = aff.ge_set(isl.Aff.zero_on_domain_space(space)).params()
    return bool(context.is_subset(enough))


def _indexed_range(statement: Statement, column: int, arrays: Mapping[str, Array]) -> Range | None:
    """The range that an array index +-dimension + sizes + constant allows."""
    accesses: list[tuple[str, Access]] = [(statement.array, statement.write)]
    accesses += [(r.array, r.access) for r in statement.reads()]
    for array, access in accesses:
        if not isinstance(access, isl.MultiAff):
            continue
        for i, extent in enumerate(arrays[array].shape):
            unit = unit_dimension(access.get_aff(i))
            if unit is None or unit[0] != column:
                continue
            rest = Affine.from_aff(access.get_aff(i), statement.dims) - Affine.of(statement.dims[column]) * unit[1]
            # index = dimension + rest >= 0, or index = rest - dimension < extent.
            return (-rest if unit[1] > 0 else rest - extent + 1), extent
    return None
