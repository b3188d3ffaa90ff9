"""Integers that are written and never read: `int i;` before a loop nest makes statements of `i = 0` and `i = i + 1`.

pet reads the loop as a set of iterations, so nothing reads these statements' results.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad.pet.scop import Access, Scop, ScopArray, ScopStatement, nodes

__all__ = ["drop_dead_integers"]


def drop_dead_integers(scop: Scop) -> Scop:
    """The scop without integer scalars that nothing reads, and without the statements that write them."""
    while dead := _dead(scop):
        kept = tuple(s for s in scop.statements if not _names(s) or not _names(s) <= dead)
        domain = isl.UnionSet("{ }")
        for statement in kept:
            domain = domain.union(isl.UnionSet.from_set(statement.domain))
        scop = replace(
            scop,
            arrays={name: array for name, array in scop.arrays.items() if name not in dead},
            statements=kept,
            schedule=scop.schedule.intersect_domain(domain),
        )
    return scop


def _dead(scop: Scop) -> set[str]:
    """The integer scalars that are written by statements that read nothing else than them, or affine values."""
    read = {
        node.array
        for s in scop.statements
        if not s.kills
        for root in (s.body, *(condition for condition, _ in s.guards))
        for node in nodes(root)
        if isinstance(node, Access) and node.reads and node.array not in _written(s)
    }
    reading = {name for s in scop.statements if not s.kills for name in _names(s) - _written(s)}
    return {name for name, array in scop.arrays.items() if _is_integer_scalar(array) and name not in read | reading}


def _is_integer_scalar(array: ScopArray) -> bool:
    return array.extent.dim(isl.dim_type.set) == 0 and array.type not in ("double", "float", "_Bool")


def _names(statement: ScopStatement) -> set[str]:
    """All arrays that a statement touches."""
    return {node.array for node in nodes(statement.body) if isinstance(node, Access)}


def _written(statement: ScopStatement) -> set[str]:
    return {node.array for node in nodes(statement.body) if isinstance(node, Access) and node.writes}
