"""A statement without a dimension, of which data say the value: x[k, j] becomes x[ids[i], j]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl

from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Access, Expr, Index, Indirect, Read, map_expr
from polyad.ir.indirect import indirect_access
from polyad.ir.statement import Statement
from polyad.ops.registry import apply, const
from polyad.transforms.rewrite.projection import without_dims

__all__ = ["depends_on", "with_data_dimension"]


def depends_on(access: Access, dim: int) -> bool:
    """Whether the elements of an access change along a dimension, apart from what its data are."""
    affs = (
        [i.value for i in access.index if isinstance(i, Index)]
        if isinstance(access, Indirect)
        else [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
    )
    return any(a.involves_dims(isl.dim_type.in_, dim, 1) for a in affs)


def with_data_dimension(s: Statement, dim: int, value: Expr, arrays: Mapping[str, Array]) -> Statement | None:
    """The statement over its other dimensions, with a value of data for this one.

    Args:
        s: a contribution.
        dim: the dimension.
        value: an int64 over { S[dims] } that does not change along it, and one of its values for all data.
        arrays: those of the program.

    Returns:
        None where an index divides the dimension.
    """
    name, params = s.dims[dim], s.params()
    divided = False

    def index(aff: isl.Aff) -> Expr:
        nonlocal divided
        affine = Affine.from_aff(aff, s.dims)
        factor = next((c for atom, c in affine.terms if atom == name), 0)
        rest = affine - Affine.of(name) * factor
        divided |= name in rest.names()
        scaled = value if factor == 1 else apply("mul", const(factor, "int64"), value)
        if rest == Affine():
            return scaled
        local = isl.Aff.var_on_domain(aff.get_domain_local_space(), isl.dim_type.set, dim)
        return apply("add", scaled, Index(aff.sub(local.scale_val(isl.Val(factor)))))

    def access(array: str, old: Access) -> Access:
        if not depends_on(old, dim):
            if isinstance(old, Indirect):  # data inside may be others now
                return indirect_access(arrays[array], old.index, s.space(), params)
            return old
        columns = old.index if isinstance(old, Indirect) else [Index(old.get_aff(i)) for i in range(len(old))]
        return indirect_access(arrays[array], [leaf(c) for c in columns], s.space(), params)

    def leaf(node: Expr) -> Expr:
        match node:
            case Index(aff) if aff.involves_dims(isl.dim_type.in_, dim, 1):
                return index(aff)
            case Read(array, old, _) if isinstance(old, Indirect) or depends_on(old, dim):
                return replace(node, access=access(array, old))
            case _:
                return node

    write = s.write
    if isinstance(write, Indirect):
        write = replace(write, index=tuple(map_expr(i, leaf) for i in write.index))
    new = replace(s, body=map_expr(s.body, leaf), write=access(s.array, write))
    if divided:
        return None
    kept = [i for i in range(len(s.dims)) if i != dim]
    domain, change = without_dims(new, s.name, kept)
    return new.change_space(s.name, tuple(s.dims[i] for i in kept), domain, change)
