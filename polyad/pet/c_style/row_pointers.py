"""Local pointers to a place in an array, as that place: what they point to is written out.

    const double *row = A + i * m;             ;
    s += row[j] * *row;                        s += A[(i * m) + (j)] * A[i * m];

Only pointers that are set once, where they are declared, to what does not change while they are in use. What they are
set to may ask for other such pointers, which take another turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pycparser import c_ast, c_generator

from polyad.pet.c_text.definitions import CDefinition, CText, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts, matching
from polyad.pet.c_text.outside import target_of, variables_set
from polyad.pet.c_text.parse import parse_definition, walk

__all__ = ["without_row_pointers"]


@dataclass(frozen=True, slots=True)
class _Place:
    """The target of a pointer: the element `array[offset]`, or the first one of `array` where the offset is "".

    Attributes:
        array: C text, which may have subscripts: `A[i]` of a matrix.
        offset: C text.
        line: where the pointer is declared.
    """

    array: str
    offset: str
    line: int


def without_row_pointers(source: str, text: CText, definition: CDefinition) -> str:
    """The text with elements of arrays in place of those of local pointers in a function."""
    tree = parse_definition(text, definition)
    places = _places(tree)
    starts, plain = line_starts(source), without_comments(source)
    end = starts[min(definition.last + 1, len(starts) - 1)]
    edits: list[Edit] = []
    for statement in _declarations(places, plain, starts, end):
        begin, behind, names = statement
        uses = [_uses(name, places[name], tree, plain, behind, end) for name in names]
        if all(found is not None for found in uses):
            edits.append((begin, behind, ";"))
            edits += [edit for found in uses for edit in found or ()]
    return edited(source, edits)


def _places(tree: c_ast.FuncDef) -> dict[str, _Place]:
    """The pointers that are set once, to a place that stays: name -> place."""
    declared = [n for n, _ in walk(tree) if isinstance(n, c_ast.Decl)]
    names = [d.name for d in declared]
    pointers = [d for d in declared if isinstance(d.type, c_ast.PtrDecl) and d.init is not None]
    moved = variables_set(tree.body)
    found: dict[str, _Place] = {}
    bases: set[str] = set()
    for block, _ in walk(tree.body):
        items = (block.block_items or []) if isinstance(block, c_ast.Compound) else []
        for i, item in enumerate(items):
            if item not in pointers or names.count(item.name) > 1 or not isinstance(item.type.type, c_ast.TypeDecl):
                continue
            place = _place(item)
            if place is None or _calls(item.init):
                continue
            array, asked = _base(_array(item.init)), _names(item.init)
            asked.remove(array)
            below = [n for later in items[i + 1 :] for n, _ in walk(later)]
            changed = {_base(target_of(n)) for n in below} | {n.name for n in below if isinstance(n, c_ast.Decl)}
            stays = not {*asked} & (changed | {p.name for p in pointers}) and array not in asked
            if stays and not {item.name, array} & moved:
                found[item.name] = place
                bases.add(array)
    return {name: place for name, place in found.items() if name not in bases}


def _names(value: c_ast.Node) -> list[str]:
    return [n.name for n, _ in walk(value) if isinstance(n, c_ast.ID)]


def _calls(value: c_ast.Node) -> bool:
    return any(isinstance(n, c_ast.FuncCall) for n, _ in walk(value))


def _array(value: c_ast.Node) -> c_ast.Node:
    """The array in what a pointer is set to."""
    match value:
        case c_ast.BinaryOp(op="+", left=left):
            return _array(left)
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=array)):
            return array
        case c_ast.Cast(expr=inner):
            return _array(inner)
        case _:
            return value


def _base(node: c_ast.Node | None) -> str:
    """The name of an array in an element of it."""
    while isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*"):
        node = node.name if isinstance(node, c_ast.ArrayRef) else node.expr
    return str(node.name) if isinstance(node, c_ast.ID) else ""


def _place(declaration: c_ast.Decl) -> _Place | None:
    """`A + i * m`, `&A[i * m]`, `A[i]` or `A`."""
    text = c_generator.CGenerator()
    offsets: list[str] = []
    value = declaration.init
    while isinstance(value, c_ast.BinaryOp) and value.op == "+":
        offsets.insert(0, f"{text.visit(value.right)}")
        value = value.left
    if isinstance(value, c_ast.UnaryOp) and value.op == "&" and isinstance(value.expr, c_ast.ArrayRef):
        offsets.insert(0, f"{text.visit(value.expr.subscript)}")
        value = value.expr.name
    if not isinstance(value, c_ast.ID | c_ast.ArrayRef) or not _base(value):
        return None
    offset = " ".join((offsets[0] if len(offsets) == 1 else " + ".join(f"({o})" for o in offsets)).split())
    return _Place(" ".join(text.visit(value).split()), offset, declaration.coord.line)


def _declarations(
    places: Mapping[str, _Place], plain: str, starts: list[int], end: int
) -> list[tuple[int, int, list[str]]]:
    """The statements that declare nothing but such pointers: where each begins and ends, and their names."""
    found: dict[tuple[int, int], list[str]] = {}
    for name, place in places.items():
        match = re.compile(rf"\*[^;=]*?\b{name}\s*=(?!=)").search(plain, starts[place.line], end)
        if match is None:
            continue
        begin = max(plain.rfind(c, 0, match.start()) for c in ";{})\n") + 1
        behind = plain.find(";", match.end()) + 1
        found.setdefault((begin, behind), []).append(name)
    return [(*span, names) for span, names in found.items() if _declarators(plain[slice(*span)]) == len(names)]


def _declarators(statement: str) -> int:
    """How many names a declaration declares: one more than commas that are not in parentheses or brackets."""
    depth, count = 0, 1
    for character in statement:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        count += character == "," and depth == 0
    return count


def _uses(name: str, place: _Place, tree: c_ast.FuncDef, plain: str, begin: int, end: int) -> list[Edit] | None:
    """An element of the array for each use of a pointer; None where one is no element."""
    count = sum(isinstance(n, c_ast.ID) and n.name == name for n, _ in walk(tree.body))
    edits: list[Edit] = []
    first = f"{place.array}[{place.offset or '0'}]"
    opening = f"{place.array}[({place.offset}) + (" if place.offset else f"{place.array}["
    closing = ")]" if place.offset else "]"
    pattern = re.compile(
        rf"\*\s*(?P<open>\()\s*{name}\s*\+|(?P<star>\*\s*{name}\b(?!\s*[\[(]))|(?<![\w.>])(?P<plain>{name})\s*(?P<bracket>\[)"
    )
    for match in pattern.finditer(plain, begin, end):
        if match["star"]:
            edits.append((*match.span(), first))
            continue
        place_of = match.start("open") if match["open"] else match.start("bracket")
        close = matching(plain, place_of)
        if close < 0 or (match["open"] and (re.search(r"[<>=&|^?,]", plain[match.end() : close]))):
            return None
        edits += [(match.start(), match.end(), opening), (close, close + 1, closing)]
    return edits if sum(edit[2] != closing for edit in edits) == count else None
