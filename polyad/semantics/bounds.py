"""Proof 1: every read and write stays inside its array, for all sizes in the context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import islpy as isl

from polyad import islx
from polyad.errors import BoundsError, ShapeError
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Access, Index, Indirect, render_access
from polyad.ir.statement import Statement
from polyad.semantics.wording import element_text, sizes_text, statement_text, where_text

__all__ = ["check_bounds"]


def check_bounds(statement: Statement, arrays: Mapping[str, Array], context: isl.Set) -> None:
    """Prove that the accesses of a statement stay inside.

    A position that depends on data is not proved here: the call checks it.

    Args:
        statement: its domain is { S[dims] }.
        arrays: array name -> Array, at least those that the statement mentions.
        context: [params] -> { : ... }, what is assumed of the sizes.

    Raises:
        BoundsError: an instance accesses an element that does not exist; carries the instance and the sizes.
        ShapeError: an access has another number of positions than its array has dimensions.
    """
    domain = statement.domain.intersect_params(context)
    for verb, name, access in _accesses(statement):
        array = arrays[name]
        positions = len(access.index) if isinstance(access, Indirect) else access.dim(isl.dim_type.out)
        if positions != len(array.shape):
            raise ShapeError(
                f"{render_access(name, access, statement.dims)} in {statement_text(statement)} has {positions} "
                f"indices, but {array} has {len(array.shape)} dimensions"
            )
        inside = _inside(statement, array, access)
        if not domain.is_subset(inside):
            raise _error(statement, verb, array, access, domain.subtract(inside))


def _accesses(statement: Statement) -> Iterator[tuple[str, str, Access]]:
    yield "writes", statement.array, statement.write
    for read in statement.reads():
        yield "reads", read.array, read.access


def _inside(statement: Statement, array: Array, access: Access) -> isl.Set:
    """{ S[dims] : the affine positions of the access are inside the array }."""
    params = statement.params()
    if not isinstance(access, Indirect):
        return array.domain(params).preimage_multi_aff(access)
    space = statement.space()
    where = islx.positions(params, statement.dims)
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    result = isl.Set.universe(space)
    for position, extent in zip(access.index, array.shape, strict=True):
        if isinstance(position, Index):
            result = result.intersect(position.value.ge_set(zero))
            result = result.intersect(position.value.lt_set(extent.to_aff(space, where)))
    return result


def _error(statement: Statement, verb: str, array: Array, access: Access, outside: isl.Set) -> BoundsError:
    found = islx.witness(outside, statement.dims)
    assert found is not None
    instance, sizes = found
    text = render_access(array.name, access, statement.dims)
    at = f"{islx.instance_text(statement.name, instance)}{sizes_text(sizes)}"
    message = f"bounds: {text} {verb} outside of {array} at {at}"
    if not isinstance(access, Indirect):
        values = {**sizes, **instance}
        affs = [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
        element = [Affine.from_aff(a, statement.dims).evaluate(values) for a in affs]
        extents = ", ".join(str(e.evaluate(sizes)) for e in array.shape)
        message += f", where it is {element_text(array.name, element)} of shape [{extents}]"
    cure = (
        "restrict the axes, cut the domain with select(condition on the axes, ..., 0), or make the array larger"
        if verb == "reads"
        else "restrict the axes, or make the array larger"
    )
    return BoundsError(f"{message}{where_text(statement)}; {cure}", instance, sizes)
