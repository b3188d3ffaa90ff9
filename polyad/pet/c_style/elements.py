"""Elements behind pointers, as elements of arrays: `*p` is p[0], `*(p + i)` is p[i], for parameters p."""

from __future__ import annotations

import re

from pycparser import c_ast

from polyad.pet.c_text.definitions import CDefinition, CText, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts, matching
from polyad.pet.c_text.parse import parameters_of, parse_definition, walk

__all__ = ["elements_of_arrays"]


def elements_of_arrays(source: str, text: CText, definition: CDefinition) -> str:
    """The text with elements of arrays in place of `*p` in a function."""
    pointers = _pointers(parse_definition(text, definition))
    if not pointers:
        return source
    starts, plain = line_starts(source), without_comments(source)
    begin, end = starts[definition.first], starts[min(definition.last + 1, len(starts) - 1)]
    body = plain.find("{", begin, end)
    if body < 0:
        return source
    names = "|".join(map(re.escape, sorted(pointers)))
    star = re.compile(rf"\*\s*(?:(?P<name>{names})\b(?!\s*(?:\[|\(|->|\+\+|--))|(?P<open>\()\s*(?P<base>{names})\s*\+)")
    edits: list[Edit] = []
    done = body
    while (match := star.search(plain, done, end)) is not None:
        done = match.end()
        if match["name"]:
            edits.append((*match.span(), f"{match['name']}[0]"))
            continue
        close = matching(plain, match.start("open"))
        inside = plain[match.end() : close]
        # What binds less than `+` would be read another way; what is nested would be edited twice.
        if (
            close < 0
            or plain[close + 1 :].lstrip()[:1] == "["
            or re.search(r"[<>=&|^?,]", inside)
            or star.search(plain, match.end(), close)
        ):
            continue
        edits.append((match.start(), match.end(), f"{match['base']}["))
        edits.append((close, close + 1, "]"))
        done = close + 1
    return edited(source, edits)


def _pointers(tree: c_ast.FuncDef) -> set[str]:
    """The parameters that point to numbers, and are no name of something else in the function."""
    found = {
        p.name
        for p in parameters_of(tree)
        if isinstance(p.type, c_ast.PtrDecl | c_ast.ArrayDecl) and isinstance(p.type.type, c_ast.TypeDecl)
    }
    return found - {n.name for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl)}
