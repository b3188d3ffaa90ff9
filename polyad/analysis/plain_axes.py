"""Axes of arrays that the dimensions of statements run along, and how."""

from __future__ import annotations

import islpy as isl

from polyad.ir.expr import Access, Index, Indirect, Read
from polyad.ir.statement import Statement

__all__ = ["is_linear", "mentioned_dims", "plain_axes", "separable", "used_dims"]


def used_dims(access: Access) -> set[int]:
    """The dimensions that an affine access depends on."""
    assert isinstance(access, isl.MultiAff)
    return {d for d in range(access.dim(isl.dim_type.in_)) if access.involves_dims(isl.dim_type.in_, d, 1)}


def mentioned_dims(s: Statement) -> set[int]:
    """The dimensions that stand in the write or the body of a statement."""
    found: set[int] = set()
    if not isinstance(s.write, Indirect):
        found |= used_dims(s.write)
    for node in s.expressions():
        match node:
            case Index(value):
                found |= {d for d in range(len(s.dims)) if value.involves_dims(isl.dim_type.in_, d, 1)}
            case Read(_, isl.MultiAff() as access, _):
                found |= used_dims(access)
            case _:
                pass
    return found


def is_linear(access: Access) -> bool:
    """Whether an access is affine without divisions, so that it moves through memory in even steps."""
    if not isinstance(access, isl.MultiAff):
        return False
    return all(access.get_aff(i).dim(isl.dim_type.div) == 0 for i in range(access.dim(isl.dim_type.out)))


def plain_axes(access: Access, dims: int) -> list[int | None]:
    """For each dimension the index that is this dimension alone; -1 where the access leaves it out, else None."""
    assert isinstance(access, isl.MultiAff)
    affs = [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
    found: list[int | None] = []
    for d in range(dims):
        using = [i for i, a in enumerate(affs) if a.involves_dims(isl.dim_type.in_, d, 1)]
        if not using:
            found.append(-1)
        else:
            found.append(using[0] if len(using) == 1 and _is_dimension(affs[using[0]], d) else None)
    return found


def _is_dimension(aff: isl.Aff, d: int) -> bool:
    local = aff.get_domain_local_space()
    return bool((aff - isl.Aff.var_on_domain(local, isl.dim_type.set, d)).plain_is_zero())


def separable(s: Statement) -> set[int]:
    """The dimensions that share no constraint with another one."""
    entangled: set[int] = set()

    def note(constraint: isl.Constraint) -> None:
        used = [d for d in range(len(s.dims)) if constraint.involves_dims(isl.dim_type.set, d, 1)]
        if len(used) > 1 or constraint.dim(isl.dim_type.div):
            entangled.update(used)

    s.domain.foreach_basic_set(lambda piece: piece.foreach_constraint(note))
    return set(range(len(s.dims))) - entangled
