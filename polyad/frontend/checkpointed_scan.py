"""Checkpointed scans: segments of n steps, of which only the first state is kept for the backward pass.

Step u = s n + i (in the order of running) is step i of segment s. The kept states are H[s], the state before segment s;
the states within are h[s, i]. What the body computes depends on s and i, and is marked to be computed again, from H[s],
when the backward pass reaches segment s. The last segment may be shorter: all its steps have s n + i < N.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from polyad.frontend.definition import Definition, plain
from polyad.frontend.scalar import Applied, Element, IndexExpr, Scalar, Selected
from polyad.frontend.scan_frame import Equation, ScanFrame, state_view
from polyad.frontend.symbols import Axis, fresh
from polyad.frontend.tensor import Tensor
from polyad.ir.affine import Affine
from polyad.ir.array import Array

__all__ = ["checkpointed_frame", "mark_recomputed"]


def checkpointed_frame(
    names: Sequence[str],
    first: Sequence[Tensor],
    dtypes: Sequence[str],
    length: IndexExpr,
    direction: Literal[1, -1],
    ambient: tuple[Axis, ...],
    where: str,
    steps: int,
) -> ScanFrame:
    """A scan in segments of `steps` steps."""
    level = len(ambient)
    segments = (length.affine + (steps - 1)) // steps
    segment = Axis(fresh("s"), Affine.of(0), segments, "scan", length.symbols, level)
    s = Affine.of(segment.name)
    inside = fresh("t")
    step_number = s * steps + Affine.of(inside)
    here = {segment.name: segment, **length.symbols}
    inner = Axis(
        inside, Affine.of(0), Affine.of(steps), "scan", here, level + 1, guards=(length.affine - 1 - step_number,)
    )
    outer = tuple(a.upper for a in ambient)
    kept = tuple(fresh(n) for n in names)
    states = tuple(fresh(f"{n}_segment") for n in names)
    arrays = {
        k: Array(k, (*outer, segments + 1, *c.shape_affine), d) for k, c, d in zip(kept, first, dtypes, strict=True)
    }
    arrays |= {
        k: Array(k, (*outer, segments, Affine.of(steps + 1), *c.shape_affine), d)
        for k, c, d in zip(states, first, dtypes, strict=True)
    }

    def equations(frame: ScanFrame, new: Sequence[Tensor]) -> list[Equation]:
        found: list[Equation] = []
        for n, (h, big, initial) in enumerate(zip(states, kept, first, strict=True)):
            at_end = state_view(frame, h, n, (s, Affine.of(steps)))
            at_last = state_view(frame, h, n, (s, length.affine - s * steps))
            whole = Applied(
                "le", (IndexExpr((s + 1) * steps, {segment.name: segment}), IndexExpr(length.affine, length.symbols))
            )
            found += [
                Equation(h, h, (segment, inner), (s, Affine.of(inside) + 1), _elements(new[n]), initial),
                Equation(
                    h,
                    fresh(f"{plain(h)}_start"),
                    (segment,),
                    (s, Affine.of(0)),
                    _elements(state_view(frame, big, n, (s,))),
                    initial,
                ),
                Equation(big, big, (segment,), (s + 1,), _either(whole, at_end, at_last), initial),
                Equation(big, fresh(f"{plain(big)}_start"), (), (Affine.of(0),), _elements(initial), initial),
            ]
        return found

    def inverse(t: Affine) -> tuple[Affine, Affine]:
        u = t if direction > 0 else length.affine - 1 - t
        return u // steps, u % steps

    return ScanFrame(
        (segment, inner),
        ambient,
        length,
        direction,
        states,
        tuple(first),
        tuple(dtypes),
        Definition(arrays, (), (), {}, where, recomputed=frozenset(states), steps=_steps(kept, states, len(outer))),
        (s, Affine.of(inside)),
        tuple((k, (segments,)) for k in kept),
        step_number if direction > 0 else length.affine - 1 - step_number,
        equations,
        inverse,
    )


def _steps(kept: Sequence[str], states: Sequence[str], around: int) -> dict[str, int]:
    return dict.fromkeys(kept, around + 1) | dict.fromkeys(states, around + 2)


def _elements(t: Tensor) -> Callable[[tuple[IndexExpr, ...]], Scalar]:
    return lambda i: Element(t, i)


def _either(cond: Scalar, a: Tensor, b: Tensor) -> Callable[[tuple[IndexExpr, ...]], Scalar]:
    return lambda i: Selected(cond, Element(a, i), Element(b, i))


def mark_recomputed(frame: ScanFrame) -> None:
    """Mark the arrays that the body made: the backward pass computes them again."""
    for axis in frame.times:
        for definition in axis.made:
            if definition is not frame.definition:
                definition.recomputed = frozenset(definition.arrays)
