"""Before reverse mode: factors that all terms of a sum share are taken out of it.

    C[i, j] += alpha * A[i, k] * B[k, j]    ->    P[i, j] += A[i, k] * B[k, j]
                                                  C[i, j] += alpha * P[i, j]

By the distributive law. The derivative by alpha is then the sum of P[i, j] * C_bar[i, j], and not one over k, too; and
alpha * C_bar[i, j], which the derivatives by A and B share, is computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from math import prod

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import factors
from polyad.analysis.plain_axes import used_dims
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Const, Expr, Read, pullback, pullback_access
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.ops.registry import apply, const
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.projection import without_dims

__all__ = ["factor_out"]


def factor_out(program: Program) -> Program:
    """Take factors that do not change along a sum out of it; the very program where there are none.

    An array for the sum has an element for each that is summed into. Sums of which no such array has a shape in terms
    of the sizes stay as they are.
    """
    arrays = dict(program.arrays)
    names = {s.name for s in program.statements}
    statements: list[Statement] = []
    for s in program.statements:
        statements += _taken_out(s, arrays, names, program.context) or [s]
    return (
        program
        if len(statements) == len(program.statements)
        else replace(program, arrays=arrays).with_statements(statements)
    )


def _taken_out(s: Statement, arrays: dict[str, Array], names: set[str], context: isl.Set) -> list[Statement] | None:
    """The sum, and what it is multiplied with; None for another statement."""
    if s.reduction != "sum" or not isinstance(s.write, isl.MultiAff) or "float" not in s.body.dtype:
        return None  # sums of integers have no derivatives
    kept = sorted(used_dims(s.write))
    if len(kept) == len(s.dims):
        return None
    found = [*factors(s.body)]
    numbers = prod((float(f.value) for f in found if isinstance(f, Const)), start=1.0)
    shared = [f for f in found if _is_read_along(f, kept)]
    rest = [f for f in found if not isinstance(f, Const) and not any(f is x for x in shared)]
    ranges = [dimension_range(s, c, arrays, context) for c in kept]
    known = [r for r in ranges if r is not None]
    if not shared or not rest or len(known) < len(ranges):
        return None
    whole = Array(unique_name(f"{s.array}_sum", arrays), tuple(r[1] for r in known), s.body.dtype, "temporary")
    arrays[whole.name] = whole
    name = unique_name(f"{s.name}_sum", names)
    names.add(name)

    def element(space: isl.Space, dims: tuple[str, ...]) -> isl.MultiAff:
        """P[i, j], where there is an i and a j."""
        where = islx.positions(s.params(), dims)
        index = [Affine.of(s.dims[c]) - r[0] for c, r in zip(kept, known, strict=True)]
        return islx.multi_aff(space, whole.name, [i.to_aff(space, where) for i in index])

    same = islx.identity(islx.space(s.params(), name, s.dims)).set_tuple_name(isl.dim_type.out, s.name)
    summed = s.change_space(name, s.dims, s.domain.set_tuple_name(name), same)
    summed = replace(
        summed, array=whole.name, write=element(summed.space(), s.dims), body=pullback(_product(rest), same)
    )
    domain, change = without_dims(s, s.name, kept)
    dims = tuple(s.dims[c] for c in kept)
    total = Read(whole.name, element(domain.get_space(), dims), whole.dtype)
    scale = [] if numbers == 1 else [const(numbers, s.body.dtype)]
    body = _product([*scale, *(pullback(f, change) for f in shared), total])
    return [summed, replace(s, dims=dims, domain=domain, write=pullback_access(s.write, change), body=body)]


def _is_read_along(factor: Expr, kept: Sequence[int]) -> bool:
    """Whether a factor is an element that is the same wherever the kept dimensions are."""
    return isinstance(factor, Read) and isinstance(factor.access, isl.MultiAff) and used_dims(factor.access) <= {*kept}


def _product(found: Sequence[Expr]) -> Expr:
    return reduce(lambda a, b: apply("mul", a, b), found)
