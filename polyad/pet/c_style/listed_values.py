"""Local arrays with values in braces, as assignments: `double v[2] = { a, b };` is `double v[2]; v[0] = a; v[1] = b;`.

Those that nobody writes and that hold numbers only are tables (c_text/tables.py), outside of the loop nest.
"""

from __future__ import annotations

import re

from pycparser import c_ast, c_generator

from polyad.pet.c_text.definitions import CDefinition, CText, ScopRegion, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts, matching
from polyad.pet.c_text.parse import parse_definition, walk
from polyad.pet.c_text.tables import array_extents, find_tables, listed_elements

__all__ = ["lists_as_assignments"]

_MOST = 64


def lists_as_assignments(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    """The text with an assignment for each element of an array that a function declares with a list of values."""
    tree = parse_definition(text, definition)
    tables = find_tables(text, [tree])
    starts, plain = line_starts(source), without_comments(source)
    edits: list[Edit] = []
    for node, line in walk(tree.body):
        if not isinstance(node, c_ast.Decl) or not isinstance(node.init, c_ast.InitList) or "static" in node.storage:
            continue
        if line >= region.last or (line <= region.first and node.name in tables):
            continue
        edits += _assignments(node, plain, starts[line])
    return edited(source, edits)


def _assignments(node: c_ast.Decl, plain: str, start: int) -> list[Edit]:
    head = re.compile(rf"\b{node.name}\s*(?:\[[^]]*\]\s*)+(?P<open>=\s*{{)").search(plain, start)
    shape = array_extents(node)
    listed = listed_elements(node.init, shape) if shape else None
    if head is None or shape is None or listed is None:
        return []
    closing = matching(plain, head.end() - 1)
    begin = max(plain.rfind(c, 0, head.start()) for c in ";{}") + 1
    count = 1
    for extent in shape:
        count *= extent
    if closing < 0 or not plain[closing + 1 :].lstrip().startswith(";") or count > _MOST:
        return []  # several names in one declaration
    given = dict(listed)
    written = c_generator.CGenerator()
    dims = "".join(f"[{extent}]" for extent in shape)
    parts = [f"{node.name}{dims};"]
    for position in range(count):
        place: tuple[int, ...] = ()
        for extent in reversed(shape):
            position, rest = divmod(position, extent)
            place = (rest, *place)
        value = " ".join(written.visit(given[place]).split()) if place in given else "0"
        parts.append(f"{node.name}{''.join(f'[{i}]' for i in place)} = {value};")
    edits = [(head.start(), closing + 1, " ".join(parts)[:-1])]
    constant = re.compile(r"\bconst\b").search(plain, begin, head.start())
    if constant is not None:
        edits.append((*constant.span(), ""))
    return edits
