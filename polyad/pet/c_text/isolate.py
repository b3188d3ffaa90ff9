"""The text that pet gets to read: one loop nest marked, and calls in declarations written as pet takes them.

    double s = sq(x[i]);        double s; s = sq(x[i]);

pet stops at the first loop nest of a file that it does not understand, and puts the bodies of functions in place of
their calls in assignments only. Lines stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from polyad.pet.c_text.definitions import CText, Region, without_comments

__all__ = ["isolate"]

_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(?:end)?scop\b.*$")
_DECLARATION = re.compile(
    r"(?P<before>[;{}]\s*|^\s*)(?P<type>(?:[A-Za-z_]\w*\s+)+)(?P<name>[A-Za-z_]\w*)\s*=(?!=)(?P<value>[^;{}]*);",
    re.MULTILINE,
)
_NO_TYPE = {"return", "else", "goto", "case", "typedef", "static", "extern"}


def isolate(source: str, text: CText, region: Region, inlined: Collection[str]) -> str:
    """The source with one loop nest.

    Args:
        source: the file.
        text: what is in it.
        region: the loop nest that stays.
        inlined: names of the `inline` functions of the file.
    """
    lines = source.split("\n")
    for other in text.regions:
        for number in (other.first, other.last) if other != region else ():
            if number <= len(lines) and _PRAGMA.match(lines[number - 1]):
                lines[number - 1] = ""
    isolated = "\n".join(lines)
    return _split_declarations(isolated, inlined) if inlined else isolated


def _split_declarations(source: str, inlined: Collection[str]) -> str:
    """The source with declarations apart from the assignment of what an inlined function returns."""
    calls = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(inlined)))})\s*\(")
    plain = without_comments(source)
    result, done = [], 0
    position = 0
    while (match := _DECLARATION.search(plain, position)) is not None:
        # What ends this statement begins the next one.
        position = match.end() - 1
        words = match["type"].split()
        if _NO_TYPE & set(words) or not calls.search(match["value"]) or _has_comma(match["value"]):
            continue
        kind = re.sub(r"\bconst\b", "     ", source[match.start("type") : match.end("type")])
        name = match["name"]
        result += [source[done : match.start("type")], kind, f"{name}; {name}"]
        done = match.end("name")
    return "".join([*result, source[done:]])


def _has_comma(value: str) -> bool:
    """Whether a comma stands outside of parentheses: another variable follows."""
    depth = 0
    for letter in value:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            return True
    return False
