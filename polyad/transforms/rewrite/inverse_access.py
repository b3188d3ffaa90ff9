"""The instance that touches a given element: inverting accesses that are translations of dimensions."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.ir.array import element_dims
from polyad.ir.expr import Access

__all__ = ["index_names", "inverse_access", "is_injective", "unit_dimension"]


def unit_dimension(aff: isl.Aff) -> tuple[int, int] | None:
    """(dimension, sign) when the function is +-dimension + sizes + constant, else None."""
    if aff.dim(isl.dim_type.div) or not aff.get_denominator_val().is_one():
        return None
    found: tuple[int, int] | None = None
    for i in range(aff.dim(isl.dim_type.in_)):
        coefficient = aff.get_coefficient_val(isl.dim_type.in_, i)
        if coefficient.is_zero():
            continue
        if found is not None or not (coefficient.is_one() or coefficient.is_negone()):
            return None
        found = i, 1 if coefficient.is_one() else -1
    return found


def _solved(access: isl.MultiAff) -> dict[int, tuple[int, int]]:
    """Instance dimension -> (array dimension that determines it, sign)."""
    result: dict[int, tuple[int, int]] = {}
    for column in range(access.dim(isl.dim_type.out)):
        unit = unit_dimension(access.get_aff(column))
        if unit is not None and unit[0] not in result:
            result[unit[0]] = column, unit[1]
    return result


def is_injective(access: Access, domain: isl.Set) -> bool:
    """Whether different instances touch different elements; a data-dependent access may not be.

    Args:
        access: { S[i] -> a[index] }.
        domain: { S[i] }.
    """
    if not isinstance(access, isl.MultiAff):
        return False
    if len(_solved(access)) == access.dim(isl.dim_type.in_):
        return True
    return bool(access.as_map().intersect_domain(domain).is_injective())


def inverse_access(access: Access) -> isl.MultiAff | None:
    """{ a[index] -> S[i] } with i the only instance that can touch the element, or None where no such form is seen.

    Each instance dimension has to stand alone in some array dimension, as t in h[t + 1, b]. The inverse is meaningful
    on elements that are touched; it does not check that an element is (h[0, k] against { S[k] -> h[1, k] }).
    """
    if not isinstance(access, isl.MultiAff):
        return None
    solved = _solved(access)
    if len(solved) != access.dim(isl.dim_type.in_):
        return None
    domain, elements = access.get_space().domain(), access.get_space().range()
    local = isl.LocalSpace.from_space(elements)
    affs = []
    for i in range(len(solved)):
        column, sign = solved[i]
        # a = sign * i + rest, so i = sign * (a - rest) with rest in the sizes alone.
        aff = access.get_aff(column)
        rest = isl.Aff.zero_on_domain(local).set_constant_val(aff.get_constant_val())
        for p in range(aff.dim(isl.dim_type.param)):
            rest = rest.set_coefficient_val(isl.dim_type.param, p, aff.get_coefficient_val(isl.dim_type.param, p))
        difference = isl.Aff.var_on_domain(local, isl.dim_type.set, column).sub(rest)
        affs.append(difference if sign > 0 else difference.neg())
    return islx.multi_aff(elements, domain.get_tuple_name(isl.dim_type.set) or "", affs)


def index_names(access: Access, dims: tuple[str, ...], rank: int, params: Sequence[str]) -> tuple[str, ...]:
    """Names for the dimensions of the accessed array: h[t + 1, b] calls them t and b, what has no name a0, a1, ...

    Args:
        access: { S[dims] -> a[index] }.
        dims: names of the instance dimensions.
        rank: the number of array dimensions.
        params: names that are taken, by sizes.
    """
    names = list(element_dims(rank, params))
    if isinstance(access, isl.MultiAff):
        for i, (column, _) in _solved(access).items():
            if dims[i] not in names:
                names[column] = dims[i]
    return tuple(names)
