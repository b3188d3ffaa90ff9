"""Computing forward values again for the backward pass, instead of keeping them.

A checkpointed scan keeps the states at the starts of its segments. What its body computes within a segment is marked;
here the adjoint's reads of marked arrays a are redirected to copies a_again, which are defined by the same equations
from the kept states. The scheduler then runs a segment again just before its adjoint, and storage folds the copies to
one segment.

Segments of segments are run again level by level. The outer segment is run once more for the states at the starts of
its parts, and then each part for its own adjoint: what lies d levels deep has d copies. Copy c is of use for one
segment of level c, and reads at most copy c of everything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from polyad.ad.derivative import Derivative
from polyad.ad.ended_segments import ended_segments
from polyad.ad.names import Names
from polyad.ir.array import Segment
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.rename import rename_arrays, rename_statement

__all__ = ["Levels", "rematerialise"]

Levels = Mapping[str, Sequence[Segment]]
"""Array -> the segments that it lies in, those of the outermost level first."""

Copy = tuple[str, int]  # an array, and the level of the segments in which it is computed again


def rematerialise(primal: Program, derivative: Derivative, levels: Levels) -> Derivative:
    """Let the statements that the derivative added read recomputed copies of the arrays in segments.

    Args:
        primal: the program that was differentiated.
        derivative: its derivative; the primal's statements are not touched.
        levels: the arrays that are to be computed again.
    """
    program = derivative.program
    before = {s.name for s in primal.statements}
    added = [s for s in program.statements if s.name not in before]
    kept = [s for s in program.statements if s.name in before]
    again = _needed(kept, added, levels)
    if not again:
        return derivative
    names = Names(program)
    copies = {
        (a, level): names.array(f"{a}_again")
        for level in range(1, 1 + max(level for _, level in again))
        for a in program.arrays
        if (a, level) in again
    }

    def of_level(s: Statement, level: int) -> Statement:
        """The statement as it reads, and writes, what segments of a level compute again."""
        return rename_arrays(s, {a: name for a in levels for name in [copies.get(_copy(a, level, levels))] if name})

    repeated = [
        rename_statement(of_level(s, level), names.statement(f"{s.name}_again"))
        for level in dict.fromkeys(level for _, level in copies)
        for s in kept
        if (s.array, level) in copies
    ]
    parts = {name: levels[a][level].axes for (a, level), name in copies.items() if level < len(levels[a])}
    repeated = ended_segments(repeated, parts) if parts else repeated
    arrays = dict(program.arrays)
    for (a, level), name in copies.items():
        arrays[name] = replace(program.arrays[a].with_role("temporary"), name=name, segment=levels[a][level - 1])
    deepest = max(map(len, levels.values()))
    statements = (*kept, *repeated, *(of_level(s, deepest) for s in added))
    again_of = {name: a for (a, _), name in copies.items()}
    return replace(derivative, program=replace(program, arrays=arrays, statements=statements), again=again_of)


def _copy(array: str, level: int, levels: Levels) -> Copy:
    """The copy of an array that a statement in segments of a level reads: copy 0 is the array itself."""
    return array, min(level, len(levels.get(array, ())))


def _needed(kept: Sequence[Statement], added: Sequence[Statement], levels: Levels) -> set[Copy]:
    """The copies that the added statements read, and those that their equations need in turn."""
    writers: dict[str, list[Statement]] = {}
    for s in kept:
        writers.setdefault(s.array, []).append(s)
    found: set[Copy] = set()
    deepest = max(map(len, levels.values()), default=0)
    stack = [_copy(r.array, deepest, levels) for s in added for r in s.reads()]
    while stack:
        array, level = stack.pop()
        if not level or (array, level) in found:
            continue
        found.add((array, level))
        stack.extend(_copy(r.array, level, levels) for s in writers.get(array, ()) for r in s.reads())
    return found
