"""A loop nest together with what its function does before and behind it: the pragmas move outwards.

    double dot(int n, ...)                    double dot(int n, ...)
    {                                         {
        double s = 0;                             double returned[1];
    #pragma scop                              #pragma scop
        for (...) s += x[i] * y[i];               double s = 0;
    #pragma endscop                               for (...) s += x[i] * y[i];
        return s;                                 returned[0] = s;
    }                                         #pragma endscop
                                              }

As few statements as possible are taken in: back to the first one that sets what the loop nest reads, and up to the last
one that writes an array or returns a value. `if (n < 1) return;` becomes an `if` around what follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pycparser import c_ast

from polyad.pet.c_text.definitions import CDefinition, CText, ScopRegion, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts, pragma_place
from polyad.pet.c_text.names import names_in, new_name
from polyad.pet.c_text.outside import names_set
from polyad.pet.c_text.parse import parameters_of, parse_definition, walk
from polyad.pet.math_functions import FUNCTIONS

__all__ = ["returned_name", "take_in"]

_RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class _Block:
    """The statements of a function.

    Attributes:
        items: all of them.
        before: the number of those before the loop nest.
        behind: where those behind it begin.
    """

    items: Sequence[c_ast.Node]
    before: int
    behind: int


def returned_name(tree: c_ast.FuncDef) -> str:
    """Return a name for the value that a function returns: `returned`, if nothing else is called that."""
    return new_name(_RETURNED, names_in(tree))


def take_in(source: str, text: CText, definition: CDefinition, region: ScopRegion, kind: str) -> tuple[str, str]:
    """The text with the pragmas around all that matters, and the name of the returned value.

    Args:
        source: the file.
        text: what is in it.
        definition: the function.
        region: its loop nest.
        kind: the type that it returns.

    Returns:
        The text; the array of one element that holds the returned value, "" where none is.
    """
    tree = parse_definition(text, definition)
    block = _block(tree, region)
    if block is None or len(text.regions_of(definition)) != 1:
        return source, ""
    returned = returned_name(tree) if kind != "void" else ""
    first, guards = _first_needed(text, tree, block)
    last, returns = _last_needed(text, tree, block, bool(returned))
    if guards and last < len(block.items) and not all(_is_free(i) or _is_status(i) for i in block.items[last:]):
        first, guards = _first_needed(text, tree, block, guarded=False)
    while 0 < first < block.before and _shares_line(block, first) and _is_movable(text, block.items[first - 1]):
        first -= 1
    if first == block.before and last == block.behind:
        return source, ""
    starts, plain = line_starts(source), without_comments(source)
    edits: list[Edit] = []
    for guard in guards:
        found = _guard_as_condition(guard, plain, starts, returned if returns else "")
        if found is None:
            return source, ""
        edits += found
    if returns:
        place = re.compile(r"\breturn\b").search(plain, starts[block.items[last - 1].coord.line])
        if place is None:
            return source, ""
        edits.append((*place.span(), f"{returned}[0] ="))
    opening = plain.find("{", plain.find(")", starts[definition.first]))
    opening = _body(plain, starts[tree.body.coord.line], opening)
    moved = _moved(source, plain, starts, block, region, definition, (first, last), "}" * len(guards), opening)
    if moved is None:
        return source, ""
    edits += moved
    if returns:
        edits.append((opening + 1, opening + 1, f" {kind} {returned}[1];"))
    return edited(source, edits), returned if returns else ""


def _block(tree: c_ast.FuncDef, region: ScopRegion) -> _Block | None:
    """The statements of the function, if the loop nest is among them."""
    items = [item for item in tree.body.block_items or [] if not isinstance(item, c_ast.Pragma)]
    lines = [item.coord.line if item.coord is not None else 0 for item in items]
    before = sum(line <= region.first for line in lines)
    behind = sum(line < region.last for line in lines)
    if (
        before == behind
        or 0 in lines
        or any(
            line <= region.first and max(at for _, at in walk(item, line)) > region.first
            for item, line in zip(items, lines, strict=True)
        )
    ):
        return None
    return _Block(items, before, behind)


def _first_needed(
    text: CText, tree: c_ast.FuncDef, block: _Block, *, guarded: bool = True
) -> tuple[int, list[c_ast.If]]:
    """The first statement that the loop nest needs, and the conditions from there on under which the function ends."""
    needed = {n.name for item in block.items[block.before :] for n, _ in walk(item) if isinstance(n, c_ast.ID)}
    needed |= _arrays(tree)
    result = block.before
    guards: list[c_ast.If] = []
    met: list[c_ast.If] = []
    for i in range(block.before - 1, -1, -1):
        item = block.items[i]
        if guarded and _is_guard(item):
            met.append(item)
            result, guards = i, list(met)
            needed |= {n.name for n, _ in walk(item) if isinstance(n, c_ast.ID)}
            continue
        if not _is_movable(text, item):
            break
        if names_set(item) & needed:
            result, guards = i, list(met)
            needed |= {n.name for n, _ in walk(item) if isinstance(n, c_ast.ID)}
    return result, guards


def _last_needed(text: CText, tree: c_ast.FuncDef, block: _Block, has_value: bool) -> tuple[int, bool]:
    """Return the end of the statements that write arrays or return a value, and whether the last one returns it."""
    arrays = _arrays(tree)
    result, returns = block.behind, False
    for i, item in enumerate(block.items[block.behind :], block.behind + 1):
        if isinstance(item, c_ast.Return):
            names = item.expr is not None and any(isinstance(n, c_ast.ID) for n, _ in walk(item.expr))
            if has_value and names and _is_movable(text, item.expr):
                result, returns = i, True
            break
        if _is_free(item):
            continue
        if not _is_movable(text, item):
            break
        if names_set(item) & arrays:
            result = i
    inside = block.items[block.behind : result]
    return (block.behind, False) if any(_is_free(i) for i in inside) else (result, returns)


def _arrays(tree: c_ast.FuncDef) -> set[str]:
    """The arrays that a function is given."""
    return {p.name for p in parameters_of(tree) if isinstance(p.type, c_ast.PtrDecl | c_ast.ArrayDecl)}


def _is_movable(text: CText, item: c_ast.Node) -> bool:
    """Whether a statement may be part of a loop nest."""
    for node, _ in walk(item):
        if isinstance(
            node, c_ast.Return | c_ast.While | c_ast.DoWhile | c_ast.Switch | c_ast.Goto | c_ast.Label | c_ast.Pragma
        ):
            return False
        if isinstance(node, c_ast.FuncCall):
            name = node.name.name if isinstance(node.name, c_ast.ID) else ""
            own = name in text.functions and text.functions[name].file == text.path
            if (
                not own
                and name not in FUNCTIONS
                and name.removesuffix("f") not in FUNCTIONS
                and not name.startswith("__builtin_")
            ):
                return False
        if isinstance(node, c_ast.Decl) and (
            "static" in node.storage or isinstance(node.init, c_ast.InitList) or isinstance(node.type, c_ast.PtrDecl)
        ):
            return False
        if isinstance(node, c_ast.Constant) and node.type in ("string", "char"):
            return False
    return True


def _is_guard(item: c_ast.Node) -> bool:
    """Whether a statement is `if (...) return ...;`."""
    if not isinstance(item, c_ast.If) or item.iffalse is not None:
        return False
    return isinstance(_only(item.iftrue), c_ast.Return)


def _only(node: c_ast.Node) -> c_ast.Node:
    if isinstance(node, c_ast.Compound) and len(node.block_items or []) == 1:
        return node.block_items[0]
    return node


def _is_free(item: c_ast.Node) -> bool:
    return isinstance(item, c_ast.FuncCall) and isinstance(item.name, c_ast.ID) and item.name.name == "free"


def _is_status(item: c_ast.Node) -> bool:
    """Whether a statement ends the function without a value that depends on anything."""
    return isinstance(item, c_ast.Return) and not any(isinstance(n, c_ast.ID) for n, _ in walk(item))


def _guard_as_condition(guard: c_ast.If, plain: str, starts: list[int], returned: str) -> list[Edit] | None:
    """`if (c) return v;` -> `if (c) { returned[0] = v; } else {`."""
    statement = _only(guard.iftrue)
    place = re.compile(r"\breturn\b(?P<value>[^;{}]*);").search(plain, starts[guard.coord.line])
    if place is None:
        return None
    value = place["value"].strip()
    instead = f"{returned}[0] = {value};" if value and returned else ";"
    if statement is guard.iftrue:
        return [(*place.span(), f"{{ {instead} }} else {{")]
    closing = plain.find("}", place.end())
    return [(*place.span(), instead), (closing, closing + 1, "} else {")]


def _moved(
    source: str,
    plain: str,
    starts: list[int],
    block: _Block,
    region: ScopRegion,
    definition: CDefinition,
    taken: tuple[int, int],
    closing: str,
    opening: int,
) -> list[Edit] | None:
    """The two pragmas at other places; None where there is no line for them: `opening` is where the body begins."""
    first, last = taken
    edits: list[Edit] = []
    if first < block.before:
        line = block.items[first].coord.line
        place = starts[line]
        if _shares_line(block, first) or (line <= definition.first and place > opening):
            return None
        at = line
        if place <= opening:  # behind the brace; its own line has no number to give where the function begins on it
            place, at = opening + 1, max(line, definition.first + 1)
        edits.append((*pragma_place(source, "scop", region.first), ""))
        edits.append((place, place, f"\n#line {at - 1}\n#pragma scop\n#line {at}\n"))
    if last > block.behind or closing:
        edits.append((*pragma_place(source, "endscop", region.last), ""))
        if last < len(block.items):
            line = block.items[last].coord.line
            place = starts[line]
        else:
            line = definition.last
            behind = starts[min(line + 1, len(starts) - 1)]
            place = plain.rfind("}", starts[line], behind)
            if place >= 0 and line == block.items[last - 1].coord.line:
                edits.append((behind, behind, f"#line {line + 1}\n"))
                line += 1  # of the brace, which is behind the pragma then
        if place < 0 or line <= block.items[last - 1].coord.line:
            return None
        end = f"\n#line {line - 1}\n{closing}" if closing else ""
        edits.append((place, place, f"{end}\n#pragma endscop\n#line {line}\n"))
    return edits


def _shares_line(block: _Block, place: int) -> bool:
    """Whether a statement begins on the line of the one before."""
    return place > 0 and bool(block.items[place - 1].coord.line == block.items[place].coord.line)


def _body(plain: str, start: int, otherwise: int) -> int:
    """Return where the body of a function opens, on a line or behind it."""
    found = plain.find("{", start)
    return found if found >= 0 else otherwise
