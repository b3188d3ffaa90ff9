"""The text for pet, in which sizes and loop variables without a sign are numbers without end.

    void f(size_t n, ...)                          void f(__int128 n, ...)
    for (unsigned i = 0; i < n - 1; i++)           for (__int128 i = 0; i < n - 1; i++)

pet would let `n - 1` come back at the other end, and speak of 2^64 in bounds that kernels cannot count to. Where C's
number does so and somebody looks at it, `conversions.py` has refused it, or excluded the size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pycparser import c_ast

from polyad.pet.c_text.definitions import CDefinition, CText, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts
from polyad.pet.c_text.outside import target_of, variables_set
from polyad.pet.c_text.parse import parameters_of, parse_definition, walk
from polyad.pet.integers.kinds import element

__all__ = ["in_mathematics", "mathematical_names", "set_by_statements", "set_once"]

_DECLARATOR = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:=.*)?", re.DOTALL)


def in_mathematics(source: str, text: CText, definition: CDefinition) -> str:
    """The source with other declarations in a function."""
    return edited(source, [edit for _, edit in _edits(source, text, definition)])


def mathematical_names(source: str, text: CText, definition: CDefinition) -> frozenset[str]:
    """The variables that are declared in another way."""
    return frozenset(name for name, _ in _edits(source, text, definition))


def set_by_statements(tree: c_ast.Node) -> frozenset[str]:
    """Variables and arrays that are set, but by the loops that count by them."""
    steps = {id(part) for node, _ in walk(tree) if isinstance(node, c_ast.For) for part in (node.init, node.next)}
    found: set[str] = set()
    stack = [tree]
    while stack:
        node = stack.pop()
        if id(node) in steps:
            continue
        target = target_of(node)
        while isinstance(target, c_ast.ArrayRef):
            target = target.name
        if isinstance(target, c_ast.ID):
            found.add(target.name)
        stack.extend(node)
    return frozenset(found)


def set_once(tree: c_ast.FuncDef) -> frozenset[str]:
    """Variables that are declared once, with their value, and never set again."""
    declared = [n for n, _ in walk(tree) if isinstance(n, c_ast.Decl) and n.name]
    names = [n.name for n in declared]
    targets = variables_set(tree)
    return frozenset(n.name for n in declared if n.init is not None and names.count(n.name) == 1) - targets


def _edits(source: str, text: CText, definition: CDefinition) -> list[tuple[str, Edit]]:
    """Each variable with the edit of its declaration."""
    tree = parse_definition(text, definition)
    kinds = dict(_candidates(text, tree))
    starts, plain = line_starts(source), without_comments(source)
    begin, end = starts[definition.first], starts[min(definition.last + 1, len(starts) - 1)]
    body = plain.find("{", begin)
    found: dict[int, list[tuple[str, Edit]]] = {}
    for name, words in kinds.items():
        pattern = re.compile(rf"\b{words}(?=\s+(?:const\s+)?{re.escape(name)}\b\s*[,;=:)])")
        for match in pattern.finditer(plain, begin, end):
            names = [name] if match.start() < body else _declared(plain[match.end() : plain.find(";", match.end())])
            if set(names) <= kinds.keys():
                found[match.start()] = [(n, (match.start(), match.end(), "__int128")) for n in names[:1]]
                found[match.start()] += [(n, (match.start(), match.start(), "")) for n in names[1:]]
    return [edit for edits in found.values() for edit in edits]


def _declared(declarators: str) -> list[str]:
    """The names of a declaration, `i, j = 0`; an empty one for what is no plain variable."""
    parts, depth = [""], 0
    for letter in declarators:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    matches = [_DECLARATOR.fullmatch(part.replace("const ", "")) for part in parts]
    return [match[1] if match is not None else "" for match in matches]


def _candidates(text: CText, tree: c_ast.FuncDef) -> Iterator[tuple[str, str]]:
    """Sizes, loop variables and what is computed of them once, without a sign, each with a pattern of its type."""
    set_elsewhere, once = set_by_statements(tree.body), set_once(tree)
    given = {id(p) for p in parameters_of(tree)}
    counters = {
        t.name for n, _ in walk(tree) if isinstance(n, c_ast.For) and isinstance(t := target_of(n.next), c_ast.ID)
    }
    for node, line in walk(tree):
        if not isinstance(node, c_ast.Decl) or not isinstance(node.type, c_ast.TypeDecl) or node.name in set_elsewhere:
            continue
        if not isinstance(node.type.type, c_ast.IdentifierType) or element(text, node.type, line) < 32:
            continue
        plain = node.init is not None and not any(
            isinstance(n, c_ast.ArrayRef | c_ast.FuncCall) for n, _ in walk(node.init)
        )
        if id(node) in given or node.name in counters or (node.name in once and plain):
            yield node.name, r"\s+".join(map(re.escape, node.type.type.names))
