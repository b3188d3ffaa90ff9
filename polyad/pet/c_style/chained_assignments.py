"""`a = b = e;` as two statements: `{ b = e; a = b; }`."""

from __future__ import annotations

import re

from pycparser import c_ast

from polyad.pet.c_text.definitions import CText, Definition, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts
from polyad.pet.c_text.parse import parse_definition, walk

__all__ = ["single_assignments"]

_DIRECTIVE = re.compile(r"(?:^[ \t]*#[^\n]*\s*)+\Z", re.MULTILINE)
_TARGET = r"[A-Za-z_]\w*(?:\s*\[[^][;=]*\])*"
_CHAIN = re.compile(rf"(?<![\w\])=+*/<>!&|^%-])\s*(?P<targets>(?:{_TARGET}\s*=(?!=)\s*){{2,}})(?P<value>[^;{{}}=]*);")


def single_assignments(source: str, text: CText, definition: Definition) -> str:
    """The text with one assignment a statement in a function."""
    tree = parse_definition(text, definition)
    lines = {
        line
        for node, line in walk(tree.body)
        if isinstance(node, c_ast.Assignment) and isinstance(node.rvalue, c_ast.Assignment) and node.op == "="
    }
    if not lines:
        return source
    starts, plain = line_starts(source), without_comments(source)
    edits: list[Edit] = []
    for line in sorted(lines):
        done = starts[line]
        while (match := _CHAIN.search(plain, done, starts[line + 1])) is not None:
            done = match.end() - 1
            before = _DIRECTIVE.sub("", plain[: match.start("targets")].rstrip()).rstrip()
            if before[-1:] not in (";", "{", "}", ")", ":") and not before.endswith("else"):
                continue  # within a declaration, or an expression
            targets = [t.strip() for t in match["targets"].split("=")[:-1]]
            values = [*targets[1:], match["value"].strip()]
            parts = [f"{t} = {v};" for t, v in reversed(list(zip(targets, values, strict=True)))]
            edits.append((match.start("targets"), match.end(), f"{{ {' '.join(parts)} }}"))
    return edited(source, edits)
