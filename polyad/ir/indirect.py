"""Building data-dependent accesses."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.ir.array import Array
from polyad.ir.expr import Expr, Index, Indirect

__all__ = ["indirect_access"]


def indirect_access(array: Array, index: Sequence[Expr], space: isl.Space, params: Sequence[str]) -> Indirect:
    """The access array[index...] where at least one index depends on data.

    Args:
        array: what is accessed.
        index: one integer expression per dimension; affine ones are `Index`.
        space: { S[i] } the instances.
        params: the parameters of `space`.
    """
    may = isl.Map.from_domain_and_range(isl.Set.universe(space), array.domain(params))
    target = may.range().get_space()
    for d, expression in enumerate(index):
        if isinstance(expression, Index):
            exact = islx.multi_aff(space, "", [expression.value]).as_map()  # { S[i] -> [v] }
            column = islx.projection(target, exact.range().get_space(), [d]).as_map()  # { a[...] -> [v] }
            may = may.intersect(exact.apply_range(column.reverse()))
    return Indirect(tuple(index), may)
