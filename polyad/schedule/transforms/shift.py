"""Shifting: for t {S[t]; R[t]}  ->  for t {S[t - by]; R[t]}."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import islpy as isl

from polyad.errors import ScheduleError
from polyad.ir.affine import Affine
from polyad.schedule.transforms.nest import Dims, LoopName, NestLoop, at_loop
from polyad.schedule.tree.nodes import Node, row_functions

__all__ = ["Offset", "shift"]


class _OfSizes(Protocol):
    """An expression of sizes as users write it, `T - 1` with `T = pa.sizes("T")`."""

    @property
    def affine(self) -> Affine: ...


Offset = int | Affine | _OfSizes


def shift(tree: Node, dims: Dims, band: LoopName, by: Offset) -> Node:
    """Run the instances of the band's statement `by` iterations later than before; other statements stay.

    Dependences between statements get other distances: where others run in the loop, its mark goes.

    Raises:
        ScheduleError: `by` is neither an integer nor an expression of sizes.
    """
    offset = by if type(by) is int else getattr(by, "affine", by)
    if type(offset) is not int and not isinstance(offset, Affine):
        raise ScheduleError(f"a loop is shifted by an integer or an expression of sizes, such as T - 1, not {by!r:.60}")
    return at_loop(tree, dims, band, lambda loop: _moved(loop, band.statement, Affine.of(offset)))


def _moved(loop: NestLoop, statement: str, amount: Affine) -> NestLoop:
    rows = row_functions(loop.function)
    moved = rows[statement].add(_offset(rows[statement], amount))
    function = isl.UnionPwAff.from_pw_aff(moved)
    for name, row in rows.items():
        if name != statement:
            function = function.union_add(isl.UnionPwAff.from_pw_aff(row))
    alone = len(rows) == 1
    return replace(
        loop,
        function=function,
        coincident=loop.coincident and alone,
        permutable=loop.permutable and alone,
        mark=loop.mark if alone else None,
    )


def _offset(row: isl.PwAff, amount: Affine) -> isl.PwAff:
    """{ S[i] -> [amount] }.

    Raises:
        ScheduleError: a name in it is no size of the schedule.
    """
    space = row.get_domain_space()
    sizes = {str(space.get_dim_name(isl.dim_type.param, i)): i for i in range(space.dim(isl.dim_type.param))}
    unknown = sorted(amount.names() - sizes.keys())
    if unknown:
        raise ScheduleError(f"the schedule has no size {unknown[0]!r}; it has {', '.join(sizes) or 'none'}")
    return isl.PwAff.from_aff(amount.to_aff(space, {size: (isl.dim_type.param, i) for size, i in sizes.items()}))
