"""Tables of numbers: arrays that a C file gives values in braces, and that nobody writes.

    static const double taps[3] = { 0.25, 0.5, 0.25 };

Their values are part of the program, as numbers in its text are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from polyad.pet.c_text.definitions import CText
from polyad.pet.c_text.outside import target_of
from polyad.pet.c_text.parse import SyntaxProblem, parse_declarations, walk
from polyad.pet.refusal import refusal

__all__ = ["Table", "array_extents", "find_tables", "listed_elements"]

_MOST = 1024
"""Elements of a table: each of them is an equation."""


_LISTED = re.compile(r"\bconst\b.*=.*\{", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        name: in C.
        type: of the elements, as in the declaration.
        shape: extents.
        values: row by row.
    """

    name: str
    type: c_ast.Node
    shape: tuple[int, ...]
    values: tuple[float | int, ...]


def find_tables(text: CText, trees: Sequence[c_ast.FuncDef]) -> dict[str, Table]:
    """The tables that functions read, by name.

    Args:
        text: the file.
        trees: a function, and those whose bodies take the place of calls in it.

    Raises:
        ExtractionError: a table has too many elements, or values that are no numbers.
    """
    used = {n.name for tree in trees for n, _ in walk(tree) if isinstance(n, c_ast.ID)}
    own = {n.name for tree in trees for n, _ in walk(tree) if isinstance(n, c_ast.Decl)}
    found: dict[str, Table] = {}
    for definition in text.declarations:
        if definition.kind != "variable" or not _LISTED.search(definition.text):
            continue
        try:
            declared = parse_declarations(text, definition)
        except SyntaxProblem:
            continue
        for node in declared:
            if isinstance(node, c_ast.Decl) and node.name in used - own and _is_const(node) and _has_list(node):
                found[node.name] = _table(text, node)
    written = {n for tree in trees for n in _written(tree)}
    for tree in trees:
        for node, _ in walk(tree.body):
            if (
                isinstance(node, c_ast.Decl)
                and _has_list(node)
                and node.name not in written
                and _values(node) is not None
            ):
                found[node.name] = _table(text, node)
    return found


def array_extents(node: c_ast.Decl) -> tuple[int, ...] | None:
    """The extents of an array that is declared with a list of values; None where they are no numbers."""
    extents: list[int] = []
    kind = node.type
    while isinstance(kind, c_ast.ArrayDecl):
        extent = len(node.init.exprs) if kind.dim is None and not extents else number_of(kind.dim)
        if not isinstance(extent, int):
            return None
        extents.append(extent)
        kind = kind.type
    return tuple(extents)


def listed_elements(values: c_ast.InitList, shape: Sequence[int]) -> list[tuple[tuple[int, ...], c_ast.Node]] | None:
    """The elements that a list in braces gives values, each with its subscripts; None where it names places."""
    if any(isinstance(e, c_ast.NamedInitializer) for e in values.exprs):
        return None
    found: list[tuple[tuple[int, ...], c_ast.Node]] = []
    if any(isinstance(e, c_ast.InitList) for e in values.exprs):
        for i, inner in enumerate(values.exprs):
            below = listed_elements(inner, shape[1:]) if isinstance(inner, c_ast.InitList) and shape[1:] else None
            if below is None:
                return None
            found += [((i, *place), value) for place, value in below]
        return found
    for position, value in enumerate(values.exprs):
        place: tuple[int, ...] = ()
        for extent in reversed(shape):
            position, rest = divmod(position, extent)
            place = (rest, *place)
        found.append((place, value))
    return found


def number_of(node: c_ast.Node | None) -> float | int | None:
    """The value of an expression of numbers, by C's rules; None where it is none."""
    match node:
        case c_ast.Constant(type=kind, value=text) if kind in ("string", "char"):
            del text
            return None
        case c_ast.Constant(type=kind, value=text):
            return _literal(kind, text)
        case c_ast.UnaryOp(op="-" | "+" as sign, expr=inner):
            value = number_of(inner)
            return None if value is None else -value if sign == "-" else value
        case c_ast.Cast(
            to_type=c_ast.Typename(type=c_ast.TypeDecl(type=c_ast.IdentifierType(names=names))), expr=inner
        ):
            value = number_of(inner)
            if value is None:
                return None
            return float(value) if names[-1:] in (["float"], ["double"]) else int(value)
        case c_ast.BinaryOp(op=op, left=left, right=right):
            a, b = number_of(left), number_of(right)
            return None if a is None or b is None else _combined(op, a, b)
        case _:
            return None


def _literal(kind: str, text: str) -> float | int | None:
    try:
        if "int" in kind:
            return (
                int(text.rstrip("uUlL"), 0)
                if not text.startswith("0") or text[1:2] in "xX"
                else int(text.rstrip("uUlL"), 8)
            )
        if text.lower().startswith("0x"):
            return float.fromhex(text.rstrip("lL"))
        return float(text.rstrip("fFlL"))
    except ValueError:
        return None


def _combined(op: str, a: float | int, b: float | int) -> float | int | None:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" if b != 0:
            return a / b if isinstance(a, float) or isinstance(b, float) else math.trunc(a / b)
        case _:
            return None


def _table(text: CText, node: c_ast.Decl) -> Table:
    line = node.coord.line if node.coord is not None else 1
    found = _values(node)
    if found is None:
        sentence = f"the values of `{node.name}` are no list of numbers; make it a parameter"
        raise refusal(text.path, line, node.name, sentence)
    shape, values = found
    kind = node.type
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    if len(values) > _MOST:
        sentence = f"`{node.name}` has {len(values)} elements, and each is an equation; make it a parameter"
        raise refusal(text.path, line, node.name, sentence)
    return Table(node.name, kind, shape, values)


def _values(node: c_ast.Decl) -> tuple[tuple[int, ...], tuple[float | int, ...]] | None:
    shape = array_extents(node)
    listed = listed_elements(node.init, shape) if shape else None
    if shape is None or listed is None:
        return None
    known = {place: number_of(value) for place, value in listed}
    if any(value is None for value in known.values()):
        return None
    return shape, tuple(known.get(place) or 0 for place in _places(shape))


def _places(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if not shape:
        yield ()
        return
    for i in range(shape[0]):
        for rest in _places(shape[1:]):
            yield (i, *rest)


def _has_list(node: c_ast.Decl) -> bool:
    return isinstance(node.type, c_ast.ArrayDecl) and isinstance(node.init, c_ast.InitList)


def _is_const(node: c_ast.Decl) -> bool:
    kind = node.type
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    return "const" in (*(node.quals or ()), *(getattr(kind, "quals", None) or ()))


def _written(tree: c_ast.FuncDef) -> Iterator[str]:
    """The names that a function assigns to."""
    for node, _ in walk(tree.body):
        target = target_of(node)
        while isinstance(target, c_ast.ArrayRef):
            target = target.name
        if isinstance(target, c_ast.ID):
            yield target.name
        if isinstance(node, c_ast.FuncCall) and node.args is not None:
            yield from (a.name for a in node.args.exprs if isinstance(a, c_ast.ID))
