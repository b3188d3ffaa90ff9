"""What marks mean: words above a loop that say how its iterations run.

- `parallel`: on several threads.
- `share`: on several threads, each with one part of them, inside of the loops below (shares.py).
- `simd`: in vector lanes; sums, maxima and minima have an accumulator for each lane.
- `jam 4`: so many iterations at a time run statement by statement (unroll and jam). What is left over when the number
  of iterations is no multiple of 4 runs one by one.
- `lanes`: the same with vectors in place of single iterations.
- `contraction`: with the loops of the band below as one product in the macro-kernel.
- `parts`, `parts simd`: an outermost loop that does nothing but reduce, in parts that threads share; each part is a
  plain loop, or runs in vector lanes.
- `prefix 256`: a loop that carries one number by s = a * s + b, as prefix scans between vector loops, in blocks of so
  many steps at most.

concurrent_loops.py says which loops are `parallel` and `simd`, register_blocks.py which are `jam` and `lanes`,
reassociation.py which are `parts` and `prefix`, contraction.py which are a `contraction`.
"""

from __future__ import annotations

import difflib

__all__ = [
    "CONCURRENT",
    "LANES",
    "MARKS",
    "THREADS",
    "in_memory_at_once",
    "in_threads",
    "refused_mark",
    "words",
]

LANES = ("sum", "max", "min")
"""Reductions that vector lanes do a part of each."""

THREADS = ("parallel", "share", "parts")
"""Marks of loops that run on several threads. Where a loop becomes two, they go to the outer one."""

CONCURRENT = (*THREADS, "simd", "jam", "lanes")
"""Marks that forbid dependences between the iterations of the loop below: they overlap in time."""

MARKS = (*CONCURRENT, "prefix", "contraction")
"""All words that mean something to code generation."""

_COUNTED = {"jam": "jam 4", "prefix": "prefix 256"}
"""Those that say how many, and an example."""

_TOGETHER = "parts simd"
"""The only two that one loop may have."""


def refused_mark(mark: str) -> str | None:
    """Why a mark is none: a misspelt one would mean nothing, and the loop would silently run as if it had none."""
    if (mark in MARKS and mark not in _COUNTED) or mark == _TOGETHER:
        return None
    first, _, count = mark.partition(" ")
    if first in _COUNTED:
        is_count = count.isascii() and count.isdigit() and int(count)
        return None if is_count else f"{mark!r} says no count: write {_COUNTED[first]!r}"
    near = difflib.get_close_matches(mark.lower(), (*MARKS, _TOGETHER), 1, 0.5)
    meant = f"; {near[0]!r} is one" if near else ""
    counts = " and ".join(map(repr, _COUNTED.values()))
    return f"{mark!r} is no mark{meant}. The marks are {', '.join((*MARKS, _TOGETHER))} (with a count: {counts})"


def words(mark: str) -> tuple[str, ...]:
    """What a mark says without its number: (`jam`,) of `jam 4`, (`parts`, `simd`) of `parts simd`."""
    return tuple(w for w in mark.split(" ") if w and not w.isdigit())


def in_memory_at_once(mark: str) -> bool:
    """Whether iterations overlap in time that may write to memory; those of parts write to C variables only."""
    return any(w in CONCURRENT for w in words(mark) if w != "parts")


def in_threads(mark: str) -> tuple[str, str]:
    """The parts of a mark that speak of threads, and of what one thread does: (`parts`, `simd`) of `parts simd`."""
    first, _, rest = mark.partition(" ")
    return (first, rest) if first in THREADS else ("", mark)
