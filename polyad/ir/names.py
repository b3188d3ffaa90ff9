"""Fresh names."""

from __future__ import annotations

import keyword
from collections.abc import Container, Iterable

from polyad.islx import KEYWORDS

__all__ = ["MOST_LETTERS", "distinct_dims", "unique_name"]

MOST_LETTERS = 150
"""Of a name that a user gives: file systems take 255, and names of files have more in front and behind."""


def unique_name(base: str, taken: Container[str]) -> str:
    """`base` itself, or the first of `base_1`, `base_2`, ... that is not taken.

    A keyword of Python is taken always: `str(program)` is read back with Python's grammar.
    """
    name, count = base, 0
    while name in taken or keyword.iskeyword(name):
        count += 1
        name = f"{base}_{count}"
    return name


def distinct_dims(wanted: Iterable[str], taken: Iterable[str]) -> tuple[str, ...]:
    """Dimension names that differ from each other, from `taken` (the sizes) and from the words of isl."""
    used = set(taken)
    result = []
    for name in wanted:
        name = unique_name(f"{name}_" if name.lower() in KEYWORDS else name, used)
        used.add(name)
        result.append(name)
    return tuple(result)
