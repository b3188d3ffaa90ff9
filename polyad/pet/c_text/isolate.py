"""The text that pet gets to read: one loop nest marked, and calls where pet puts bodies in their place.

    double s = sq(x[i]), t = 2;      double s; s = sq(x[i]); double t = 2;
    return sq(v) + 1;                double g_result; g_result = sq(v) + 1; return g_result;

pet stops at the first loop nest of a file that it does not understand, and puts the bodies of functions in place of
their calls in assignments only. Lines stay where they are.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping

from polyad.pet.c_text.definitions import CText, ScopRegion, without_comments
from polyad.pet.c_text.edits import line_starts, presumed_lines
from polyad.pet.c_text.parse import SyntaxProblem
from polyad.pet.integers.mathematical import in_mathematics

__all__ = ["isolate"]

_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(?:end)?scop\b.*$")
_DECLARATION = re.compile(
    r"(?:[;{}]|^)\s*(?P<type>(?:[A-Za-z_]\w*\s+)+)(?P<declarators>[A-Za-z_]\w*\s*=(?!=)[^;{}]*);", re.MULTILINE
)
_DECLARATOR = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)\s*(?:=(?!=)\s*(?P<value>.*))?", re.DOTALL)
_RETURN = re.compile(r"\breturn\b(?P<value>[^;{}]*);")
_NO_TYPE = {"return", "else", "goto", "case", "typedef", "static", "extern"}


def isolate(source: str, text: CText, region: ScopRegion, inlined: Mapping[str, str]) -> str:
    """The source with one loop nest.

    Args:
        source: the file.
        text: what is in it.
        region: the loop nest that stays.
        inlined: the `inline` functions of the file that it calls: name -> the type that each returns.
    """
    lines, numbers = source.split("\n"), presumed_lines(source)
    others = {number for other in text.regions if other != region for number in (other.first, other.last)}
    for i, number in enumerate(numbers[1:]):
        if number in others and _PRAGMA.match(lines[i]):
            lines[i] = ""
    isolated = "\n".join(lines)
    definition = text.function_at(region)
    if definition is not None:
        with contextlib.suppress(SyntaxProblem):
            isolated = in_mathematics(isolated, text, definition)
    if not inlined:
        return isolated
    calls = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(inlined)))})\s*\(")
    return _split_returns(_split_declarations(isolated, calls), text, calls, inlined)


def _split_declarations(source: str, calls: re.Pattern[str]) -> str:
    """The source with declarations apart from the assignment of what an inlined function returns."""
    plain = without_comments(source)
    result: list[str] = []
    done = position = 0
    while (match := _DECLARATION.search(plain, position)) is not None:
        position = match.end() - 1  # what ends this statement begins the next one
        declarators = [_DECLARATOR.fullmatch(part) for part in _parts(match["declarators"])]
        words = match["type"].split()
        if _NO_TYPE & set(words) or not calls.search(match["declarators"]) or None in declarators:
            continue
        kind = re.sub(r"\bconst\b", "", match["type"]).strip()
        texts = [_declaration(match["type"].strip(), kind, d, calls) for d in declarators if d is not None]
        lost = match["declarators"].count("\n") - sum(t.count("\n") for t in texts)
        result += [source[done : match.start("type")], " ".join(texts)[:-1] + "\n" * lost]
        done = match.end("declarators")
    return "".join([*result, source[done:]])


def _declaration(written: str, kind: str, declarator: re.Match[str], calls: re.Pattern[str]) -> str:
    """One variable's declaration; the value that a call gives follows it."""
    name, value = declarator["name"], declarator["value"]
    if value is None:
        return f"{written} {name};"
    return f"{kind} {name}; {name} = {value};" if calls.search(value) else f"{written} {name} = {value};"


def _split_returns(source: str, text: CText, calls: re.Pattern[str], inlined: Mapping[str, str]) -> str:
    """The source with calls in `return` in a statement before."""
    starts = line_starts(source)
    plain = without_comments(source)
    edits: list[tuple[int, int, str]] = []
    for name, kind in inlined.items():
        function = text.functions[name]
        end = starts[min(function.last + 1, len(starts) - 1)]
        for match in _RETURN.finditer(plain, starts[function.first], end):
            if calls.search(match["value"]):
                result = f"{name}_result"
                while re.search(rf"\b{result}\b", plain):
                    result += "_"
                edits.append((*match.span(), f"{kind} {result}; {result} = {match['value'].strip()}; return {result};"))
    for first, last, instead in sorted(edits, reverse=True):
        source = source[:first] + instead + source[last:]
    return source


def _parts(declarators: str) -> Iterator[str]:
    """Yield the texts between the commas that are outside of parentheses."""
    depth = start = 0
    for i, letter in enumerate(declarators):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            yield declarators[start:i]
            start = i + 1
    yield declarators[start:]
