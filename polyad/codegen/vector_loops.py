"""Which loops marked `simd` may say so in C, and what they reduce."""

from __future__ import annotations

from collections.abc import Mapping

from polyad.codegen.loops import Instance, Load, Loop, instances, nodes
from polyad.codegen.statement_accesses import Touch, cell_of

__all__ = ["simd_clause"]

_CLAUSE = {"sum": "+", "prod": "*"}


def simd_clause(loop: Loop, touches: Mapping[str, tuple[Touch, ...]]) -> dict[str, str] | None:
    """Variable -> OpenMP operator for the reductions of a vector loop; None when it must not be marked.

    A contribution to memory whose element does not move with the loop would be lost among the lanes, and so would one
    to a maximum: OpenMP combines lanes with a comparison, which drops nan.
    """
    declared = {i.locals[touches[i.statement][0].array] for i in instances(loop) if i.declares}
    declared |= {n.local for n in nodes(loop) if isinstance(n, Load)}
    reductions: dict[str, str] = {}
    for instance in instances(loop):
        write = touches[instance.statement][0]
        local = instance.locals.get(write.array)
        if local is not None and local in declared:
            continue
        if local is None:
            if not _moves(write, instance, loop.iterator):
                return None
            continue
        operator = _CLAUSE.get(write.statement.reduction or "")
        if operator is None or reductions.setdefault(local, operator) != operator:
            return None
    return reductions


def _moves(write: Touch, instance: Instance, iterator: str) -> bool:
    """Whether each iteration writes elements of its own, as far as affine indices tell."""
    if write.kind == "define":
        return True
    cell = cell_of(write, instance)
    if cell is not None:
        return any(iterator in i.names() for i in cell)
    values = dict(zip(write.statement.dims, instance.args, strict=True))
    return any(iterator in i.substitute(values).names() for i in write.index if i is not None)
