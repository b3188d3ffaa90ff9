"""Functions with statements and loops as pet reads them: what changes them, in order."""

from __future__ import annotations

import contextlib
import copy
import re
from dataclasses import dataclass, replace

from pycparser import c_ast

from polyad.errors import ExtractionError
from polyad.pet.c_text.definitions import CDefinition, CText, without_comments
from polyad.pet.c_text.edits import edited, line_starts, matching
from polyad.pet.c_text.names import names_in, new_name
from polyad.pet.c_text.outside import variables_set
from polyad.pet.c_text.parse import SyntaxProblem, parameters_of, parse_definition, walk
from polyad.pet.c_tree.bits import count_of_bits, without_bits
from polyad.pet.c_tree.counted import followed
from polyad.pet.c_tree.early_returns import with_one_return
from polyad.pet.c_tree.known_values import Counters, NotFollowed
from polyad.pet.c_tree.printed import printed
from polyad.pet.prototype import BITS, canonical_type

__all__ = ["PlainFunction", "plain_function"]


@dataclass(frozen=True, slots=True)
class PlainFunction:
    """A file with one function that was printed from its tree.

    Attributes:
        source: the text.
        name: of the function.
        expected: its text; where the preprocessor makes another function of it, the file stays as it was.
    """

    source: str
    name: str
    expected: str

    def holds(self, text: CText) -> bool:
        """Whether the new file has the function that was meant."""
        definition = text.functions.get(self.name)
        try:
            return definition is not None and _plainly(parse_definition(text, definition)) == self.expected
        except SyntaxProblem:
            return False


def plain_function(source: str, text: CText, definition: CDefinition) -> PlainFunction | None:
    """The file with a function whose statements and loops pet reads; None where they are such already.

    Raises:
        SyntaxProblem: the function is no C99.
    """
    tree = parse_definition(text, definition)
    place = _place(source, definition)
    if place is None or not isinstance(tree, c_ast.FuncDef):
        return None
    names = names_in(tree)
    try:
        kind = canonical_type(text, tree.decl.type.type, definition.first)
        changed = with_one_return(tree, kind, names, definition.last)
        plain = without_bits(tree.body, _types(text, tree))
        changed, tree.body = changed or count_of_bits(plain) < count_of_bits(tree.body), plain
        counters = _counters(text, tree, names)
        items, more = followed(tree.body.block_items or [], counters)
    except (NotFollowed, ExtractionError):
        return None
    if not (changed or more):
        return None
    tree.body.block_items = items
    written = printed(tree, definition.first, definition.last)
    begin, end = place
    result = edited(source, [(begin, end, written)])
    meant = parse_definition(text, replace(definition, text=written))
    return PlainFunction(result, definition.name, _plainly(meant))


def _plainly(tree: c_ast.FuncDef) -> str:
    """The text of a function without its lines."""
    return " ".join(re.sub(r"(?m)^#line.*$", "", printed(tree, 0, 0)).split())


def _place(source: str, definition: CDefinition) -> tuple[int, int] | None:
    """Return the place of a function in its file."""
    plain, start = without_comments(source), line_starts(source)[definition.first]
    opening = plain.find("{", start)
    closing = matching(plain, opening) if opening >= 0 else -1
    start += len(plain[start:]) - len(plain[start:].lstrip())
    if closing < 0 or not re.match(r"[A-Za-z_]", plain[start:]) or re.search(r"[;}]", plain[start:opening]):
        return None
    return start, closing + 1


def _counters(text: CText, tree: c_ast.FuncDef, names: set[str]) -> Counters:
    """The integers of a function. One that it is given and changes gets a variable of its own."""
    parameters = parameters_of(tree)
    pointed = {
        n.expr.name
        for n, _ in walk(tree.body)
        if isinstance(n, c_ast.UnaryOp) and n.op == "&" and isinstance(n.expr, c_ast.ID)
    }
    changed = variables_set(tree.body)
    inside = {n.name for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl)}
    types: dict[str, str] = {}
    given: set[str] = set()
    own: list[c_ast.Node] = []
    for p in parameters:
        kind = _integer(text, p)
        if kind and p.name not in inside | pointed:
            name = p.name
            if name in changed:
                name = new_name(f"{name}_left", names)
                _rename(tree.body, p.name, name)
                own.append(_copy(name, p))
                types[name] = kind
            types[p.name] = kind
            given.add(p.name)
    kinds: dict[str, set[str]] = {}
    for node, _ in walk(tree.body):
        if isinstance(node, c_ast.Decl) and node.name and node.name not in types:
            kinds.setdefault(node.name, set()).add(_integer(text, node))
    for name, found in kinds.items():
        if len(found) == 1 and "" not in found and name not in pointed and name not in {p.name for p in parameters}:
            types[name] = found.pop()
    items = list(tree.body.block_items or [])
    place = 1 if items and isinstance(items[0], c_ast.Pragma) else 0
    for declaration in own if items[place:] else ():
        declaration.coord = items[place].coord
        items.insert(place, declaration)
    tree.body.block_items = items
    return Counters(types, frozenset(given))


def _types(text: CText, tree: c_ast.FuncDef) -> dict[str, str]:
    """The types of variables and of elements of arrays, where a name has one."""
    found: dict[str, set[str]] = {}
    for node, _ in walk(tree):
        if isinstance(node, c_ast.Decl) and node.name:
            kind = node.type
            while isinstance(kind, c_ast.ArrayDecl | c_ast.PtrDecl):
                kind = kind.type
            with contextlib.suppress(ExtractionError):
                found.setdefault(node.name, set()).add(canonical_type(text, kind, 0))
    return {name: kinds.pop() for name, kinds in found.items() if len(kinds) == 1}


def _integer(text: CText, declaration: c_ast.Node) -> str:
    """The type of an integer of at least 32 bits; "" for anything else."""
    kind = getattr(declaration, "type", None)
    if not isinstance(kind, c_ast.TypeDecl) or "static" in (getattr(declaration, "storage", None) or ()):
        return ""
    try:
        found = canonical_type(text, kind, 0)
    except ExtractionError:
        return ""
    return found if abs(BITS.get(found, 0)) >= 32 else ""


def _rename(tree: c_ast.Node, name: str, other: str) -> None:
    for node, _ in walk(tree):
        if isinstance(node, c_ast.ID) and node.name == name:
            node.name = other


def _copy(name: str, parameter: c_ast.Decl) -> c_ast.Decl:
    """`int n_left = n;`."""
    kind = copy.deepcopy(parameter.type)
    kind.declname = name
    kind.quals = []
    return c_ast.Decl(name, [], [], [], [], kind, c_ast.ID(parameter.name), None, parameter.coord)
