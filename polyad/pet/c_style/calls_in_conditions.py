"""Calls in conditions, which pet does not put bodies in place of: `if (f(x) > 0)` asks a macro for the same value.

static double f(double v) { return v * v; }        #define f_value(v) ((double)(((double)(v)) * ((double)(v))))
if (f(x) > 0)                                      if (f_value(x) > 0)
"""

from __future__ import annotations

import re

from pycparser import c_ast, c_generator

from polyad.pet.c_text.definitions import CDefinition, CText, ScopRegion, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts, matching
from polyad.pet.c_text.parse import SyntaxProblem, parameters_of, parse_definition, walk

__all__ = ["values_in_conditions"]


def values_in_conditions(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    """The text with macros in place of calls in the conditions of a loop nest, of functions that are one expression."""
    tree = parse_definition(text, definition)
    starts, plain = line_starts(source), without_comments(source)
    edits: list[Edit] = []
    macros: dict[str, str] = {}
    for node, line in walk(tree.body):
        if not isinstance(node, c_ast.If) or not region.first < line < region.last:
            continue
        called = [
            n.name.name for n, _ in walk(node.cond) if isinstance(n, c_ast.FuncCall) and isinstance(n.name, c_ast.ID)
        ]
        own = [
            name for name in dict.fromkeys(called) if name in text.functions and text.functions[name].file == text.path
        ]
        found = re.compile(r"\bif\s*\(").finditer(plain, starts[line], starts[line + 1])
        for place in found if own else ():
            closing = matching(plain, place.end() - 1)
            for call in re.compile(rf"\b(?:{'|'.join(own)})(?=\s*\()").finditer(plain, place.end(), max(closing, 0)):
                name = _macro(text, call[0], macros, ())
                if name and (*call.span(), name) not in edits:
                    edits.append((*call.span(), name))
    edits += [
        (starts[last], starts[last], f"{text_}#line {last}\n")
        for name, text_ in macros.items()
        for last in [text.functions[name].last + 1]
        if text_
    ]
    return edited(source, edits)


def _macro(text: CText, name: str, macros: dict[str, str], path: tuple[str, ...]) -> str:
    """The name of the macro for a function, which is defined behind it; "" where the function is no expression."""
    if name not in macros:
        macros[name] = "" if name in path else _definition(text, name, macros, (*path, name))
    return f"{name}_value" if macros[name] else ""


def _definition(text: CText, name: str, macros: dict[str, str], path: tuple[str, ...]) -> str:
    try:
        tree = parse_definition(text, text.functions[name])
    except SyntaxProblem:
        return ""
    items = tree.body.block_items or []
    types = {p.name: _type(p.type) for p in parameters_of(tree)}
    if len(items) != 1 or not isinstance(items[0], c_ast.Return) or items[0].expr is None or not all(types.values()):
        return ""
    for node, _ in walk(items[0].expr):
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name in text.functions:
            inner = text.functions[node.name.name]
            if inner.file == text.path:
                node.name.name = _macro(text, node.name.name, macros, path)
                if not node.name.name:
                    return ""
    value = " ".join(c_generator.CGenerator().visit(items[0].expr).split())
    names = re.compile(rf"\b(?:{'|'.join(types)})\b" if types else r"(?!)")
    value = names.sub(lambda m: f"(({types[m[0]]})({m[0]}))", value)
    kind = _type(tree.decl.type.type)
    return f"#define {name}_value({', '.join(types)}) (({kind})({value}))\n" if kind else ""


def _type(kind: c_ast.Node) -> str:
    """A number's type as C text; "" for anything else."""
    is_number = isinstance(kind, c_ast.TypeDecl) and isinstance(kind.type, c_ast.IdentifierType)
    return " ".join(kind.type.names) if is_number else ""
