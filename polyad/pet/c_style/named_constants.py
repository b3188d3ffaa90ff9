"""Numbers that a file names, `static const double gain = 2.5;` or `enum { T = 4 };`, as macros from there on.

pet would take them for variables outside of the function, whose values nobody knows.
"""

from __future__ import annotations

import re

from pycparser import c_ast, c_generator

from polyad.pet.c_text.definitions import CDefinition, CText, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts
from polyad.pet.c_text.parse import SyntaxProblem, parse_declarations, walk

__all__ = ["constants_as_macros", "without_static"]


_SHIFT = re.compile(r"\b(\d{1,10})[uUlL]*[ \t]*<<[ \t]*([1-5]?\d)\b")
"""`1 << 10`, which pet does not count with."""


_STATIC = re.compile(r"\bstatic(?=\s+(?:const\s+\w+|\w+\s+const)\s+\w+\s*=)")


def constants_as_macros(source: str, text: CText) -> str:
    """The text with `#define gain ((double)(2.5))` behind the definition of a constant that functions name."""
    source = _SHIFT.sub(lambda m: _shifted(m).ljust(len(m[0])), source)
    functions = [f for f in text.functions.values() if f.file == text.path]
    body = "\n".join(f.text for f in functions)
    starts = line_starts(source)
    edits: list[Edit] = []
    for definition in text.declarations:
        if definition.file != text.path or not re.search(r"\b(?:const|enum)\b", definition.text):
            continue
        macros = [
            f"#define {name} {_SHIFT.sub(_shifted, value)}"
            for name, value in _constants(text, definition)
            if re.search(rf"\b{name}\b", body) and not _is_declared(name, body)
        ]
        if macros and definition.last + 1 < len(starts):
            place = starts[definition.last + 1]
            edits.append((place, place, "".join(f"{m}\n" for m in macros) + f"#line {definition.last + 1}\n"))
    return edited(source, edits)


def without_static(source: str, text: CText, definition: CDefinition) -> str:
    """The text without `static` before the constants of a function, to which it makes no difference."""
    starts, plain = line_starts(source), without_comments(source)
    end = starts[min(definition.last + 1, len(starts) - 1)]
    body = plain.find("{", starts[definition.first], end)
    found = _STATIC.finditer(plain, body, end) if body >= 0 else ()
    return edited(source, [(*match.span(), " " * len(match[0])) for match in found])


def _shifted(match: re.Match[str]) -> str:
    return str(int(match[1]) << int(match[2]))


def _constants(text: CText, definition: CDefinition) -> list[tuple[str, str]]:
    """The names and values of the constants that a declaration outside of functions has."""
    try:
        trees = parse_declarations(text, definition)
    except SyntaxProblem:
        return []
    found: list[tuple[str, str]] = []
    for tree in trees:
        found += _enumerators(tree)
        is_number = isinstance(tree, c_ast.Decl) and isinstance(tree.type, c_ast.TypeDecl)
        if not is_number or "const" not in (tree.quals or []) or tree.init is None or "extern" in tree.storage:
            continue
        if isinstance(tree.init, c_ast.InitList) or not isinstance(tree.type.type, c_ast.IdentifierType):
            continue
        kind = " ".join(tree.type.type.names)
        value = " ".join(c_generator.CGenerator().visit(tree.init).split())
        found.append((tree.name, f"({value})" if _is_plain(tree.init, kind) else f"(({kind})({value}))"))
    return found


def _is_plain(value: c_ast.Node, kind: str) -> bool:
    """Whether a number is of its type as it is written: a subscript may be an int, but no cast of one."""
    types = {n.type for n, _ in walk(value) if isinstance(n, c_ast.Constant)}
    names = any(isinstance(n, c_ast.ID) for n, _ in walk(value))
    whole = kind not in ("float", "double") and types <= {"int"}
    return whole or (types == {kind} and not names)


def _enumerators(tree: c_ast.Node) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for node, _ in walk(tree):
        if isinstance(node, c_ast.EnumeratorList):
            before = "-1"
            for item in node.enumerators:
                given = item.value is not None
                before = f"({c_generator.CGenerator().visit(item.value)})" if given else f"({before} + 1)"
                found.append((item.name, before))
    return found


def _is_declared(name: str, body: str) -> bool:
    """Whether a function gives the name to something of its own: a type, or a comma, stands before it."""
    types = r"(?:int|long|short|char|float|double|unsigned|signed|size_t|\w+_t|\*)"
    return re.search(rf"\b{types}\s+{name}\b|\*\s*{name}\s*[,)\[]", body) is not None
