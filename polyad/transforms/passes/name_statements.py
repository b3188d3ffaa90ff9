"""Statements are called after the array they define, when the array they were made for is gone.

What must hold: names are new or those of statements that are gone.
"""

from __future__ import annotations

import re

from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.transforms.rewrite.rename import rename

__all__ = ["name_statements"]

_NUMBER = re.compile(r"_\d+$")


def name_statements(program: Program) -> Program:
    """Name statements after the arrays they define now: `add` that defines array c is called `c`.

    Statements of an array that still exists keep their names, so that users find what they named.
    """
    kept = {s.name for s in program.statements if s.name in program.arrays or s.reduction is not None}
    taken, changed = set(kept), {}
    for s in program.statements:
        if s.name in kept:
            continue
        base = _NUMBER.sub("", s.array)
        from_its_array = s.name.startswith(f"{base}_") or s.name == s.array
        name = unique_name(s.name if from_its_array else s.array, taken)
        taken.add(name)
        if name != s.name:
            changed[s.name] = name
    return rename(program, changed, {}) if changed else program
