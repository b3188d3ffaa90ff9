"""How far the dimensions of a statement reach, as expressions of the sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Access
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.inverse_access import unit_dimension

__all__ = ["affine_bounds", "dimension_range"]

Range = tuple[Affine, Affine]


def dimension_range(statement: Statement, column: int, arrays: Mapping[str, Array], context: isl.Set) -> Range | None:
    """(low, extent): the dimension lies in low, ..., low + extent - 1 for all instances, and extent >= 0.

    The range is exact where one expression of the sizes says it, and otherwise that of an array index in which the
    dimension stands alone, or one that is large enough for all sizes; None where there is none of these.

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
    return _indexed_range(statement, column, arrays) or affine_bounds(domain, column, context)


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


def affine_bounds(indices: isl.Set, position: int, context: isl.Set) -> tuple[Affine, Affine] | None:
    """(origin, extent) of one dimension, or None where no affine bound was found.

    Of several extents it is one that no other one is below for all sizes: a size is 2147483647 at most, but nobody has
    an array of that length because of it.

    Args:
        indices: [params] -> { [k0, k1, ...] : ... }.
        position: of the dimension.
        context: [params] -> { : ... } what is assumed of sizes.
    """
    params = islx.param_names(context)
    indices = indices.align_params(context.get_space()).intersect_params(context)
    if indices.is_empty():
        return Affine.of(0), Affine.of(0)
    line = indices.project_out(isl.dim_type.set, position + 1, indices.dim(isl.dim_type.set) - position - 1)
    line = line.project_out(isl.dim_type.set, 0, position).reset_tuple_id()
    origin = Affine.of(0)
    if not _inside(line, origin, None, context, params):
        least = line.dim_min_val(0)
        lows = [*_bounds(line, params, least=True), *([Affine.of(int(least.to_python()))] if least.is_int() else ())]
        lows = [low for low in lows if _inside(line, low, None, context, params)]
        if not lows:
            return None
        origin = lows[0]
    # An extent is never negative: where there are no indices, the origin alone counts as one.
    tops = [p + 1 - origin for p in _bounds(line, params, least=False)]
    found: Affine | None = None
    for extent in [*tops, *(_rounded_up(e, context, params) for e in tops), _sum_of(tops, context, params)]:
        if (
            extent is not None
            and _inside(line, origin, extent, context, params)
            and _never_negative(extent, tuple(params), context)
            and (found is None or _never_negative(found - extent, tuple(params), context))
        ):
            found = extent
    return None if found is None else (origin, found)


def _bounds(line: isl.Set, params: Sequence[str], *, least: bool) -> list[Affine]:
    """Least or greatest values, one for each part of the sizes."""
    bound = line.dim_min(0) if least else line.dim_max(0)
    found = [Affine.from_aff(aff, ()) for _, aff in bound.get_pieces()]
    return list(dict.fromkeys(found))


def _aff(value: Affine, space: isl.Space, params: Sequence[str]) -> isl.Aff:
    return value.to_aff(space, islx.positions(params, ()))


def _inside(line: isl.Set, origin: Affine, extent: Affine | None, context: isl.Set, params: Sequence[str]) -> bool:
    """Whether origin <= k (< origin + extent) for all k of a set { [k] }."""
    space = line.get_space()
    index = isl.Aff.var_on_domain(isl.LocalSpace.from_space(space), isl.dim_type.set, 0)
    low = _aff(origin, space, params)
    box = low.le_set(index)
    if extent is not None:
        box = box.intersect(index.lt_set(_aff(origin + extent, space, params)))
    return bool(line.is_subset(box))


def _rounded_up(extent: Affine, context: isl.Set, params: Sequence[str]) -> Affine | None:
    """The extent plus as little as makes it at least 0 for all sizes."""
    space = islx.space(params, "", ())
    least = isl.PwAff.from_aff(_aff(extent, space, params)).intersect_params(context).min_val()
    return extent - int(least.to_python()) if least.is_int() and least.is_neg() else None


def _sum_of(extents: Sequence[Affine], context: isl.Set, params: Sequence[str]) -> Affine | None:
    """max(a, b) is a + b at most, if neither is negative."""
    parts = [e if _never_negative(e, tuple(params), context) else _rounded_up(e, context, params) for e in extents]
    total = Affine.of(0)
    for part in parts:
        if part is None:
            return None
        total = total + part
    return total
