"""Lines of C: indentation, and breaks where people would break."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["INDENT", "WIDTH", "broken", "function_lines", "indented"]

INDENT = "  "
WIDTH = 116

# Before an operator and after a comma, but not inside of a subscript.
_BREAKS = re.compile(r"\[[^\[\]]*\]|( )(?=[-+*/?:] |\|\| |&& )|(?<=,)( )")


def broken(line: str, width: int = WIDTH) -> list[str]:
    """A line of C in pieces of at most about `width` characters; all but the first are indented."""
    if len(line) <= width:
        return [line]
    lines, start, last = [], 0, 0
    for match in _BREAKS.finditer(line):
        if match[0] != " ":
            continue
        if match.start() - start > width and last > start:
            lines.append(line[start:last])
            start, width = last + 1, WIDTH - 2 * len(INDENT)
        last = match.start()
    if len(line) - start > width and last > start:
        lines.append(line[start:last])
        start = last + 1
    return [lines[0], *(2 * INDENT + piece for piece in [*lines[1:], line[start:]])] if lines else [line]


def indented(lines: Iterable[str]) -> list[str]:
    """One level deeper."""
    return [INDENT + line if line else line for line in lines]


def function_lines(head: str, body: Iterable[str]) -> str:
    """A function definition."""
    return "\n".join([head, "{", *indented(body), "}", ""])
