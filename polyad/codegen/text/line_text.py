"""Lines of C: indentation, and breaks where people would break.

    Lines ::= list of Code | str | Lines

Lines in a list of their own stand one level deeper.
"""

from __future__ import annotations

from collections.abc import Iterable

from polyad.codegen.text.code import Code

__all__ = ["WIDTH", "Line", "Lines", "function_text", "names_in", "printed"]

WIDTH = 116
_INDENT = "  "

Line = Code | str | list["Line"]
Lines = list[Line]


def printed(lines: Iterable[Line]) -> list[str]:
    """The text of lines; what is longer than about `WIDTH` breaks, and all but its first part is indented."""
    result: list[str] = []
    for line in lines:
        match line:
            case str():
                result.append(line)
            case Code():
                result.append(line.pieces[0])
                for piece in line.pieces[1:]:
                    if len(result[-1]) + 1 + len(piece) <= WIDTH:
                        result[-1] += f" {piece}"
                    else:
                        result.append(2 * _INDENT + piece)
            case list():
                result += [_INDENT + text if text else text for text in printed(line)]
    return result


def names_in(lines: Iterable[Line]) -> frozenset[str]:
    """The sizes and iterators in lines, as C names them."""
    found = frozenset[str]()
    for line in lines:
        if not isinstance(line, str):
            found |= line.names if isinstance(line, Code) else names_in(line)
    return found


def function_text(head: Code | str, body: Lines) -> str:
    """A function definition."""
    return "\n".join(printed([head, "{", body, "}", ""]))
