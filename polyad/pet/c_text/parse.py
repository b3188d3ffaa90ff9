"""A function as a tree, by pycparser: from its text, and the typedefs that it uses."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from functools import lru_cache

from pycparser import c_ast, c_parser

from polyad.errors import ExtractionError
from polyad.pet.c_text.definitions import CDefinition, CText

__all__ = [
    "SyntaxProblem",
    "children_with_lines",
    "declared_type",
    "parameters_of",
    "parse_declarations",
    "parse_definition",
    "walk",
]

# What compilers add to C, and pycparser does not know: dropped, or spelled as in C.
_GNU_WITH_ARGUMENTS = re.compile(r"\b(?:__attribute__|__attribute|__asm__|__asm|asm|__declspec)\s*(?=\()")
_GNU_WORDS = {
    "__extension__": "",
    "__restrict": "restrict",
    "__restrict__": "restrict",
    "__inline": "inline",
    "__inline__": "inline",
    "__const": "const",
    "__volatile__": "volatile",
    "__signed__": "signed",
    "_Float64": "double",
    "_Float32": "float",
}
_MARKER = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")


class SyntaxProblem(ExtractionError):
    """A text that pycparser cannot read."""


def parse_definition(text: CText, definition: CDefinition) -> c_ast.Node:
    """The tree of a function, a typedef or a declaration.

    Raises:
        SyntaxProblem: it is no C99.
    """
    return parse_declarations(text, definition)[-1]


def parse_declarations(text: CText, definition: CDefinition) -> list[c_ast.Node]:
    """The trees of a declaration, which may declare several names; those of typedefs that it uses come before.

    Raises:
        SyntaxProblem: it is no C99.
    """
    source = _plain_c(definition.text)
    types = _types_used(text, source, {definition.name})
    everything = "".join(_MARKER.sub("", _plain_c(t.text)).replace("\n", " ") + "\n" for t in types) + source
    try:
        kept = _parsed(everything, definition.file)
        return _trees(everything, definition.file) if kept is None else list(pickle.loads(kept))
    except (c_parser.ParseError, RecursionError) as problem:
        said = str(problem) or "it nests too deeply"
        place = re.match(r"[^:]*:(?:(\d+):)?(?:\d+:)?\s+", said)
        line = int(place[1]) if place and place[1] else definition.first
        raise SyntaxProblem(
            f"{definition.file}:{line}: `{definition.name}` cannot be read as C99 "
            f"({said[place.end() :] if place else said}); leave out what only some compilers know",
            definition.file,
            line,
            "syntax",
        ) from None


@lru_cache(maxsize=64)
def _parsed(source: str, file: str) -> bytes | None:
    """The trees of a text as bytes, of which each caller makes trees of its own to change: a tenth of the time.

    Every step of reading a function asks for its tree, most of them of a text that none has changed.

    Returns:
        None for trees too deep to be written so, such as that of a sum of a thousand terms.
    """
    trees = _trees(source, file)
    try:
        return pickle.dumps(trees, pickle.HIGHEST_PROTOCOL)
    except RecursionError:
        return None


def _trees(source: str, file: str) -> list[c_ast.Node]:
    return list(c_parser.CParser().parse(source, file).ext)


def declared_type(text: CText, name: str) -> c_ast.Node | None:
    """Return the type in the declaration of a typedef; None where there is no such typedef."""
    definition = text.types.get(name)
    return None if definition is None else parse_definition(text, definition).type


def parameters_of(tree: c_ast.FuncDef) -> list[c_ast.Decl]:
    """The declarations of a function's parameters; `...` and `void` are none."""
    given = tree.decl.type.args
    return [p for p in given.params if isinstance(p, c_ast.Decl)] if given is not None else []


def walk(node: c_ast.Node, line: int = 0) -> Iterator[tuple[c_ast.Node, int]]:
    """The node and all below it, each with its line."""
    line = node.coord.line if node.coord is not None else line
    yield node, line
    for child in node:
        yield from walk(child, line)


def children_with_lines(node: c_ast.Node, line: int) -> Iterator[tuple[c_ast.Node, int]]:
    """Yield the nodes directly below a node, each with its line."""
    for child in node:
        yield child, child.coord.line if child.coord is not None else line


def _types_used(text: CText, source: str, seen: set[str]) -> list[CDefinition]:
    """The typedefs that a text needs, in an order in which each comes before those that use it."""
    found: list[CDefinition] = []
    for name in dict.fromkeys(_WORD.findall(source)):
        if name in text.types and name not in seen:
            seen.add(name)
            definition = text.types[name]
            found += [*_types_used(text, _plain_c(definition.text), seen), definition]
    return found


def _plain_c(text: str) -> str:
    """The text without what only some compilers know."""
    while (match := _GNU_WITH_ARGUMENTS.search(text)) is not None:
        end, depth = match.end(), 0
        while end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        blanks = "".join(c if c == "\n" else " " for c in text[match.start() : end])
        text = text[: match.start()] + blanks + text[end:]
    return _WORD.sub(lambda m: _GNU_WORDS.get(m[0], m[0]), text)
