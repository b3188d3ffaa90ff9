"""Computing forward values again for the backward pass, instead of keeping them.

A checkpointed scan keeps the states at the starts of its segments. What its body computes within a segment is marked;
here the adjoint's reads of marked arrays a are redirected to copies a_again, which are defined by the same equations
from the kept states. The scheduler then runs a segment again just before its adjoint, and storage folds the copies to
one segment.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from polyad.ad.derivative import Derivative
from polyad.ad.names import Names
from polyad.ir.array import RECOMPUTED
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.rename import rename_arrays, rename_statement

__all__ = ["rematerialise"]


def rematerialise(primal: Program, derivative: Derivative, marked: Collection[str]) -> Derivative:
    """Let the statements that the derivative added read recomputed copies of the marked arrays.

    Args:
        primal: the program that was differentiated.
        derivative: its derivative; the primal's statements are not touched.
        marked: arrays that are to be computed again.
    """
    program = derivative.program
    before = {s.name for s in primal.statements}
    added = [s for s in program.statements if s.name not in before]
    kept = [s for s in program.statements if s.name in before]
    again = _needed(kept, added, set(marked))
    if not again:
        return derivative
    names = Names(program)
    renamed = {a: names.array(f"{a}_again") for a in program.arrays if a in again}
    copies = [
        rename_statement(rename_arrays(s, renamed), names.statement(f"{s.name}_again"))
        for s in kept
        if s.array in again
    ]
    arrays = dict(program.arrays)
    arrays.update(
        {new: replace(arrays[old].with_role("temporary"), name=new, segment=RECOMPUTED) for old, new in renamed.items()}
    )
    statements = (*kept, *copies, *(rename_arrays(s, renamed) for s in added))
    return replace(derivative, program=replace(program, arrays=arrays, statements=statements), again=renamed)


def _needed(kept: list[Statement], added: list[Statement], marked: set[str]) -> set[str]:
    """The marked arrays that the added statements read, and those their equations need in turn."""
    writers: dict[str, list[Statement]] = {}
    for s in kept:
        writers.setdefault(s.array, []).append(s)
    found: set[str] = set()
    stack = [r.array for s in added for r in s.reads()]
    while stack:
        array = stack.pop()
        if array in found or array not in marked:
            continue
        found.add(array)
        stack.extend(r.array for s in writers.get(array, ()) for r in s.reads())
    return found
