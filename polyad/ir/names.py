"""Fresh names."""

from __future__ import annotations

from collections.abc import Container

__all__ = ["MOST_LETTERS", "unique_name"]

MOST_LETTERS = 150
"""Of a name that a user gives: file systems take 255, and names of files have more in front and behind."""


def unique_name(base: str, taken: Container[str]) -> str:
    """`base` itself, or the first of `base_1`, `base_2`, ... that is not taken."""
    name, count = base, 0
    while name in taken:
        count += 1
        name = f"{base}_{count}"
    return name
