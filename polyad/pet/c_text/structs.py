"""Structs of a C file: their members, by name, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from polyad.pet.c_text.definitions import CDefinition, CText
from polyad.pet.c_text.parse import SyntaxProblem, parse_declarations, parse_definition, walk

__all__ = ["Structs"]

_MARKER = re.compile(r"^[ \t]*#[^\n]*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Structs:
    """The structs that a file defines.

    Attributes:
        text: the file.
    """

    text: CText

    def of(self, kind: c_ast.Node) -> c_ast.Struct | None:
        """The struct that a type is, with its members; None for another type."""
        while isinstance(kind, c_ast.TypeDecl):
            kind = kind.type
        if isinstance(kind, c_ast.Struct):
            return kind if kind.decls else self._tagged(kind.name)
        if isinstance(kind, c_ast.IdentifierType) and len(kind.names) == 1 and kind.names[0] in self.text.types:
            alias = parse_definition(self.text, self.text.types[kind.names[0]]).type
            return self.of(alias) if isinstance(alias, c_ast.TypeDecl) else None
        return None

    def pointed(self, kind: c_ast.Node) -> c_ast.Struct | None:
        """The struct that a type points to."""
        return self.of(kind.type) if isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl) else None

    def members(self, struct: c_ast.Struct) -> dict[str, c_ast.Node]:
        """The types of a struct's members, by name, in order."""
        return {d.name: d.type for d in struct.decls if isinstance(d, c_ast.Decl) and d.name}

    def numbers(self, struct: c_ast.Struct) -> list[tuple[tuple[str, ...], c_ast.Node]] | None:
        """The paths to the numbers that a struct consists of, with their types; None where it holds something else."""
        found: list[tuple[tuple[str, ...], c_ast.Node]] = []
        for name, kind in self.members(struct).items():
            if not isinstance(kind, c_ast.TypeDecl):
                return None
            inner = self.of(kind)
            below = [((), kind)] if inner is None else self.numbers(inner)
            if below is None:
                return None
            found += [((name, *path), leaf) for path, leaf in below]
        return found

    def definitions(self, kinds: Sequence[c_ast.Node]) -> str:
        """The declarations of types and of those that they use, as C text."""
        nodes = [n for kind in kinds for n, _ in walk(kind)]
        words = {n.name for n in nodes if isinstance(n, c_ast.Struct) and n.name}
        words |= {w for n in nodes if isinstance(n, c_ast.IdentifierType) for w in n.names}
        needed: dict[int, CDefinition] = {}
        waiting = sorted(words)
        seen: set[str] = set()
        while waiting:
            word = waiting.pop()
            if word in seen:
                continue
            seen.add(word)
            for place, definition in enumerate(self.text.declarations):
                tagged = re.search(rf"\bstruct\s+{re.escape(word)}\s*\{{", definition.text)
                if (definition.kind == "type" and definition.name == word) or tagged:
                    if definition.file.startswith(("/usr/", "<")):
                        continue  # of the C library, which has a header
                    needed[place] = definition
                    waiting += re.findall(r"[A-Za-z_]\w*", definition.text)
        return "\n".join(_MARKER.sub("", needed[place].text).strip() for place in sorted(needed))

    def _tagged(self, tag: str | None) -> c_ast.Struct | None:
        return next(self._of_tag(tag), None) if tag else None

    def _of_tag(self, tag: str) -> Iterator[c_ast.Struct]:
        pattern = re.compile(rf"\bstruct\s+{re.escape(tag)}\s*\{{")
        for definition in self.text.declarations:
            if pattern.search(definition.text):
                try:
                    trees = parse_declarations(self.text, definition)
                except SyntaxProblem:
                    continue
                for tree in trees:
                    yield from (n for n, _ in walk(tree) if isinstance(n, c_ast.Struct) and n.name == tag and n.decls)
