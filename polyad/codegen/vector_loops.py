"""Which loops marked `simd` may say so in C, and what they reduce."""

from __future__ import annotations

from collections.abc import Mapping

from polyad.codegen.loops import Instance, Load, Loop, instances, nodes
from polyad.codegen.statement_accesses import Touch, cell_of
from polyad.ir.affine import Affine

__all__ = ["is_smooth", "is_smooth_along", "simd_clause"]

_CLAUSE = {"sum": "+", "prod": "*", "max": "pa_maximum", "min": "pa_minimum"}
_FLOATING = ("float32", "float64")


def simd_clause(loop: Loop, touches: Mapping[str, tuple[Touch, ...]]) -> dict[str, str] | None:
    """Variable -> OpenMP operator for the reductions of a vector loop; None when it must not be marked.

    A contribution to memory whose element does not move with the loop would be lost among the lanes. Maxima
    are combined by operators of the runtime header, since OpenMP's own drop nan.
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
        if write.statement.body.dtype not in _FLOATING and write.statement.reduction not in ("sum", "prod"):
            return None
        if operator is None or reductions.setdefault(local, operator) != operator:
            return None
    return reductions


def is_smooth(loop: Loop, touches: Mapping[str, tuple[Touch, ...]]) -> bool:
    """Whether nothing but instances is in a loop, each access of them contiguous along it or invariant."""
    return all(
        isinstance(child, Instance) and all(is_smooth_along(t, child, loop.iterator) for t in touches[child.statement])
        for child in loop.body.children
    )


def is_smooth_along(touch: Touch, instance: Instance, iterator: str) -> bool:
    """Whether an access is a C variable, or contiguous or invariant along a loop."""
    if touch.array in instance.locals:
        return True
    cell = cell_of(touch, instance)
    if cell is None or any(iterator in i.names() for i in cell[:-1]):
        return False
    return not cell or iterator not in cell[-1].names() or iterator not in (cell[-1] - Affine.of(iterator)).names()


def _moves(write: Touch, instance: Instance, iterator: str) -> bool:
    """Whether each iteration writes elements of its own, as far as affine indices tell."""
    if write.kind == "define":
        return True
    cell = cell_of(write, instance)
    if cell is not None:
        return any(iterator in i.names() for i in cell)
    values = dict(zip(write.statement.dims, instance.args, strict=True))
    return any(iterator in i.substitute(values).names() for i in write.index if i is not None)
