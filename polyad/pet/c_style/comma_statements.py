"""Assignments with commas between them, as statements: `a = b, c = d;` is `{ a = b; c = d; }`."""

from __future__ import annotations

import re

from pycparser import c_ast

from polyad.pet.c_text.definitions import CText, Definition, Region, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts, matching
from polyad.pet.c_text.parse import parse_definition, walk

__all__ = ["without_commas"]

_HEAD = re.compile(r"\s*(?:(?:for|if|while)\s*(?P<open>\()|else\b|[{}]|#[^\n]*\n)")


def without_commas(source: str, text: CText, definition: Definition, region: Region) -> str:
    """The text with one assignment a statement in a function."""
    tree = parse_definition(text, definition)
    lines = {
        child.coord.line
        for node, _ in walk(tree.body)
        if isinstance(node, c_ast.Compound | c_ast.If | c_ast.For | c_ast.While)
        for child in _statements(node)
        if isinstance(child, c_ast.ExprList) and child.coord is not None
    }
    starts, plain = line_starts(source), without_comments(source)
    edits: list[Edit] = []
    for line in sorted(lines):
        begin = starts[line]
        while begin < starts[line + 1]:
            while (head := _HEAD.match(plain, begin)) is not None and head.end() < starts[line + 1]:
                begin = matching(plain, head.start("open")) + 1 if head["open"] else head.end()
            end = plain.find(";", begin)
            commas = [i for i in range(begin, end) if plain[i] == "," and _is_outside(plain[begin:i])]
            if end < 0 or re.search(r"[{}]", plain[begin:end]):
                break
            if commas and re.match(r"\s*(?:[*(]|\+\+|--|\w+\s*(?:[-+*/]?=|\[|\+\+|--))", plain[begin:end]):
                first = begin + len(plain[begin:end]) - len(plain[begin:end].lstrip())
                edits += [(first, first, "{ "), *((i, i + 1, ";") for i in commas), (end + 1, end + 1, " }")]
            begin = end + 1
    return edited(source, edits)


def _statements(node: c_ast.Node) -> list[c_ast.Node]:
    match node:
        case c_ast.Compound():
            return list(node.block_items or [])
        case c_ast.If():
            return [n for n in (node.iftrue, node.iffalse) if n is not None]
        case _:
            return [node.stmt]


def _is_outside(before: str) -> bool:
    """Whether what stands behind a text is in none of its parentheses or brackets."""
    return before.count("(") == before.count(")") and before.count("[") == before.count("]")
