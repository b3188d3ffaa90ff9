"""How an access moves through memory along the dimensions of its statement: not at all, one by one, or otherwise."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine, position_in_rows
from polyad.ir.expr import Access, Expr, Index, Indirect, Read, walk
from polyad.ir.statement import Statement

__all__ = ["Stride", "affine_indices", "goes_one_by_one", "involves", "strides"]

Stride = int | None  # 0 invariant, 1 contiguous, None anything else


def involves(aff: isl.Aff, dim: int) -> bool:
    """Whether a function depends on one of its dimensions."""
    return bool(aff.involves_dims(isl.dim_type.in_, dim, 1))


def _affine_step(affs: Sequence[isl.Aff | None], dim: int, depends: Sequence[bool], pairs: bool) -> int | None:
    """The step along one dimension; None in `affs` marks a data-dependent index, `depends` whether it uses it."""
    touched = [i for i, uses in enumerate(depends) if uses]
    if not touched:
        return 0
    last = affs[-1]
    if pairs and touched == [len(affs) - 2] and last is not None and last.is_cst():
        last, touched = affs[-2], [len(affs) - 1]
    if touched != [len(affs) - 1] or last is None:
        return None
    coefficient = last.get_coefficient_val(isl.dim_type.in_, dim)
    # A floor of the dimension is not a stride; its coefficient stands in the division.
    plain = last.dim(isl.dim_type.div) == 0
    return int(coefficient.to_python()) if plain and coefficient.abs().is_one() else None


def strides(access: Access, dims: Sequence[str], pairs: bool = False) -> dict[str, Stride]:
    """Dimension -> 0 when the address does not depend on it, 1 when it is contiguous along it, None otherwise.

    Args:
        access: of an array.
        dims: of the statement.
        pairs: the array is one of pairs, as complex numbers are: one number of each is as good as contiguous, since
            vector instructions take both and part them.
    """
    return {name: step if step != -1 else None for name, step in _steps(access, dims, pairs).items()}


def goes_one_by_one(statement: Statement, name: str) -> bool:
    """Whether each access of a statement stays along a dimension, or goes on by one element, forwards or backwards."""
    accesses = (statement.write, *(r.access for r in statement.reads()))
    return not any(isinstance(a, Indirect) or _steps(a, statement.dims)[name] is None for a in accesses)


def _steps(access: Access, dims: Sequence[str], pairs: bool = False) -> dict[str, int | None]:
    """The strides, and -1 where an access is contiguous backwards."""
    affs = affine_indices(access)
    if len(affs) > 1 and not isinstance(access, Indirect):
        affs = _in_rows(affs, dims)
    if isinstance(access, Indirect):
        uses = [[_expression_uses(i, d) for i in access.index] for d in range(len(dims))]
    else:
        uses = [[involves(a, d) for a in affs if a is not None] for d in range(len(dims))]
    return {name: _affine_step(affs, d, uses[d], pairs) for d, name in enumerate(dims)}


def _in_rows(affs: Sequence[isl.Aff | None], dims: Sequence[str]) -> list[isl.Aff | None]:
    """The indices with one in place of a row and a column that are the quotient and the remainder of it."""
    *outer, row, column = affs
    assert row is not None and column is not None
    if not column.dim(isl.dim_type.div):
        return [*affs]
    position = position_in_rows(Affine.from_aff(row, tuple(dims)), Affine.from_aff(column, tuple(dims)))
    if position is None:
        return [*affs]
    space = row.get_domain_space()
    return [*outer, position.to_aff(space, islx.positions(islx.param_names(isl.Set.universe(space)), tuple(dims)))]


def affine_indices(access: Access) -> list[isl.Aff | None]:
    """The index of an access, None where it depends on data."""
    if isinstance(access, Indirect):
        return [i.value if isinstance(i, Index) else None for i in access.index]
    return [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]


def _expression_uses(expr: Expr, dim: int) -> bool:
    for node in walk(expr):
        match node:
            case Index(value) if involves(value, dim):
                return True
            case Read(_, isl.MultiAff() as access, _) if access.involves_dims(isl.dim_type.in_, dim, 1):
                return True
            case _:
                pass
    return False
