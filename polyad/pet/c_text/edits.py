"""Edits of a text of C: pieces that others take the place of. Lines keep their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["Edit", "edited", "line_starts", "matching", "pragma_place", "presumed_lines"]

Edit = tuple[int, int, str]
"""What stands from a position up to another one becomes a text."""

_LINE = re.compile(r"[ \t]*#[ \t]*line[ \t]+(\d+)")
_ASIDE = re.compile(r"[ \t]*#[ \t]*(?:line\b|pragma[ \t]+(?:end)?scop\b)")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def edited(source: str, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap. Where an edit loses ends of lines, they follow it."""
    for start, end, instead in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        lost = source.count("\n", start, end) - instead.count("\n")
        source = source[:start] + instead + "\n" * max(0, lost) + source[end:]
    return source


def line_starts(source: str) -> list[int]:
    """Return the offset of each line, by the number that `#line` gives it; the line behind the last begins at the end.

    Directives and pragmas take no number away from a line that has it already.
    """
    numbers = presumed_lines(source)
    result = [0] * (max(numbers) + 1) + [len(source)]
    known: set[int] = set()
    position = 0
    for number, line in zip(numbers[1:], source.split("\n"), strict=True):
        if not (_ASIDE.match(line) and number in known):
            result[number] = position
            known.add(number)
        position += len(line) + 1
    return result


def pragma_place(source: str, word: str, number: int) -> tuple[int, int]:
    """Return the place of `#pragma scop` or `#pragma endscop` in a line.

    Raises:
        LookupError: nowhere.
    """
    position = 0
    for presumed, line in zip(presumed_lines(source)[1:], source.split("\n"), strict=True):
        if presumed == number and re.match(rf"[ \t]*#[ \t]*pragma[ \t]+{word}\b", line):
            return position, position + len(line)
        position += len(line) + 1
    raise LookupError(word)


def matching(text: str, opening: int) -> int:
    """The position of the parenthesis, bracket or brace that closes the one at a position; -1 where none does."""
    depth = 0
    for i in range(opening, len(text)):
        if text[i] == text[opening]:
            depth += 1
        elif text[i] == _CLOSING[text[opening]]:
            depth -= 1
            if depth == 0:
                return i
    return -1


def presumed_lines(source: str) -> list[int]:
    """For each line of a text, counted from 1, the number that `#line` gives it."""
    result, number = [0], 1
    for line in source.split("\n"):
        result.append(number)
        match = _LINE.match(line)
        number = int(match[1]) if match is not None else number + 1
    return result
