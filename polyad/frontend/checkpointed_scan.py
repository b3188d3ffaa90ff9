"""Checkpointed scans: segments of steps, of which only the first state is kept for the backward pass.

With one level, step u = s n + t (in the order of running) is step t of segment s. The kept states are H[s], the state
before segment s; the states within are h[s, t]. What the body computes depends on s and t, and is marked to be computed
again, from H[s], when the backward pass reaches segment s. The last segment may be shorter: all its steps have
s n + t < N.

With more levels, a segment of n steps is made of segments of m steps, and so on: u = s n + r m + t. The states before
those, H'[s, r], are computed again from H[s] when the backward pass reaches segment s, and h[s, r, t] from H'[s, r]
when it reaches segment r of that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from polyad.frontend.definition import Definition, made_in_all, plain
from polyad.frontend.scalar import Applied, Element, IndexExpr, Scalar, Selected
from polyad.frontend.scan_frame import Equation, ScanFrame, state_view
from polyad.frontend.symbols import Axis, fresh
from polyad.frontend.tensor import Tensor
from polyad.ir.affine import Affine
from polyad.ir.array import Array, Direction, Segment

__all__ = ["checkpointed_frame", "mark_recomputed"]


def checkpointed_frame(
    names: Sequence[str],
    first: Sequence[Tensor],
    dtypes: Sequence[str],
    length: IndexExpr,
    direction: Literal[1, -1],
    ambient: tuple[Axis, ...],
    where: str,
    segments: Sequence[int],
) -> ScanFrame:
    """A scan in segments of segments[0] steps, made of segments of segments[1] steps, and so on.

    Args:
        names: what the states are called.
        first: the initial carry.
        dtypes: element types of the states.
        length: number of steps.
        direction: +1 forward, -1 reverse.
        ambient: the time axes around the scan.
        where: the user's line.
        segments: numbers of steps, each a multiple of the next.
    """
    times = _times(length, len(ambient), segments)
    starts = _starts(times, segments)
    indices = tuple(Affine.of(a.name) for a in times)
    step_number = starts[-1]
    room = (times[0].upper, *(a.upper for a in times[1:]))
    outer = tuple(a.upper for a in ambient)
    depth = len(segments)
    whole = Applied(
        "le", (IndexExpr(starts[0] + segments[0], {times[0].name: times[0]}), IndexExpr(length.affine, length.symbols))
    )
    *place, final_step = _place(length.affine - starts[0] - 1, segments[1:])
    last = (indices[0], *place, final_step + 1)  # the slot of h after the last step of all, in the last segment
    kept = tuple(fresh(n) for n in names)
    # By level: the states before each segment, down to those before each step.
    levels = (
        kept,
        *(tuple(fresh(f"{n}_segments") for n in names) for _ in segments[1:]),
        tuple(fresh(f"{n}_segment") for n in names),
    )
    arrays = {
        k: Array(k, (*outer, *room[:level], room[level] + int(level in (0, depth)), *c.shape_affine), d)
        for level, keys in enumerate(levels)
        for k, c, d in zip(keys, first, dtypes, strict=True)
    }

    def end(level: int) -> tuple[Affine, ...]:
        """The slot of h after all steps of a segment."""
        return (*indices[:level], *(extent - 1 for extent in room[level:-1]), room[-1])

    def equations(frame: ScanFrame, new: Sequence[Tensor]) -> list[Equation]:
        found: list[Equation] = []
        for n, initial in enumerate(first):
            state = [keys[n] for keys in levels]
            h, big = state[-1], state[0]
            found.append(Equation(h, h, times, (*indices[:-1], indices[-1] + 1), _elements(new[n]), initial))
            for level in range(depth, 0, -1):
                here, above, at = state[level], state[level - 1], indices[:level]
                start, axes = _elements(state_view(frame, above, n, at)), times[:level]
                found.append(Equation(here, fresh(f"{plain(here)}_start"), axes, (*at, Affine.of(0)), start, initial))
                after = state_view(frame, h, n, end(level))
                if level > 1:  # the state after the last segment is of no use but for that after the one around it
                    axes = (*axes[:-1], _but_the_last(axes[-1], segments[level - 1]))
                    value = _elements(after)
                else:
                    value = _either(whole, after, state_view(frame, h, n, last))
                found.append(Equation(above, above, axes, (*at[:-1], at[-1] + 1), value, initial))
            found.append(Equation(big, fresh(f"{plain(big)}_start"), (), (Affine.of(0),), _elements(initial), initial))
        return found

    def inverse(t: Affine) -> tuple[Affine, ...]:
        return _place(t if direction > 0 else length.affine - 1 - t, segments)

    around: tuple[Direction, ...] = tuple(-a.direction for a in ambient)
    back: list[Direction] = [-1 for _ in segments]
    orders = tuple(Segment((*around, *back[:level])) for level in range(1, depth + 1))
    return ScanFrame(
        times,
        ambient,
        length,
        direction,
        levels[-1],
        tuple(first),
        tuple(dtypes),
        Definition(
            arrays,
            (),
            (),
            {},
            where,
            recomputed={k: orders[:level] for level, keys in enumerate(levels) if level for k in keys},
            steps={k: len(outer) + level + 1 for level, keys in enumerate(levels) for k in keys},
        ),
        indices,
        tuple((k, (times[0].upper,)) for k in kept),
        step_number if direction > 0 else length.affine - 1 - step_number,
        equations,
        inverse,
        orders,
    )


def _times(length: IndexExpr, level: int, segments: Sequence[int]) -> tuple[Axis, ...]:
    """The axes that count segments, those in each of them and so on, and at last steps."""
    room = [(length.affine + (segments[0] - 1)) // segments[0]]
    room += [Affine.of(n // m) for n, m in pairwise((*segments, 1))]
    found: list[Axis] = []
    start = Affine.of(0)
    for depth, (extent, steps) in enumerate(zip(room, (*segments, 1), strict=True)):
        name = fresh("t" if depth == len(segments) else "s")
        start = start + Affine.of(name) * steps
        here = {a.name: a for a in found} | dict(length.symbols)
        guards = (length.affine - 1 - start,) if depth else ()  # the last segment may be shorter
        found.append(Axis(name, Affine.of(0), extent, "scan", here, level + depth, guards=guards))
    return tuple(found)


def _starts(times: Sequence[Axis], segments: Sequence[int]) -> list[Affine]:
    """By level, how many steps come before a segment, and at last before a step."""
    found = [Affine.of(0)]
    for axis, steps in zip(times, (*segments, 1), strict=True):
        found.append(found[-1] + Affine.of(axis.name) * steps)
    return found[1:]


def _place(step: Affine, segments: Sequence[int]) -> tuple[Affine, ...]:
    """Step u = s n + r m + t as (s, r, t)."""
    if not segments:
        return (step,)
    counts = [step // n for n in segments]
    inside = [b - a * (n // m) for (a, n), (b, m) in pairwise(zip(counts, segments, strict=True))]
    return counts[0], *inside, step % segments[-1]


def _but_the_last(axis: Axis, steps: int) -> Axis:
    """The axis of segments of so many steps, without the last one in the segment around it."""
    return replace(axis, upper=axis.upper - 1, guards=tuple(g - steps for g in axis.guards))


def _elements(t: Tensor) -> Callable[[tuple[IndexExpr, ...]], Scalar]:
    return lambda i: Element(t, i)


def _either(cond: Scalar, a: Tensor, b: Tensor) -> Callable[[tuple[IndexExpr, ...]], Scalar]:
    return lambda i: Selected(cond, Element(a, i), Element(b, i))


def mark_recomputed(frame: ScanFrame) -> None:
    """Mark the arrays that the body of a checkpointed scan made: the backward pass computes them again.

    What has no element of its own for every step of all scans around is kept.
    """
    if frame.segments:
        for definition in made_in_all([a.made for a in (*frame.ambient, *frame.times)]):
            definition.recomputed = {a: (*frame.segments, *definition.recomputed.get(a, ())) for a in definition.arrays}
