"""Loops that count in other words than `for (i = 0; i < n; i++)`.

i = 1; while (i < n) { ...; i++; }         i = 1; for (i = 1; i < n; i++) { ...; ; }
for (int i = n; i-- > 0;)                  for (int i = (n) - 1; i >= 0; i--)
for (size_t i = n; i-- > 0;) { ...; }      for (size_t i_up = 0; i_up < (n); i_up++)
                                               { size_t i = (n) - 1 - i_up; ...; }
"""

from __future__ import annotations

import re

from pycparser import c_ast, c_generator

from polyad.pet.c_text.definitions import CText, Definition, Region, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts, matching
from polyad.pet.c_text.outside import names_set, target_of
from polyad.pet.c_text.parse import parse_definition, walk

__all__ = ["loops_that_count"]

_DOWN = re.compile(
    r"\bfor\s*\(\s*(?P<type>(?:[A-Za-z_]\w*\s+)*)(?P<name>[A-Za-z_]\w*)\s*=(?P<start>[^;=]*);"
    r"\s*(?P=name)\s*--\s*(?:>\s*0\s*)?;\s*\)"
)


def loops_that_count(source: str, text: CText, definition: Definition, region: Region) -> str:
    """The text with `for` loops that pet reads in place of others that count."""
    tree = parse_definition(text, definition)
    starts, plain = line_starts(source), without_comments(source)
    begin, end = starts[definition.first], starts[min(definition.last + 1, len(starts) - 1)]
    edits: list[Edit] = []
    for match in _DOWN.finditer(plain, begin, end):
        kind, name = match["type"].strip(), match["name"]
        if not kind:
            continue  # behind the loop it is -1
        bound = f"({match['start'].strip()})"
        if not re.search(r"\bunsigned\b|\bsize_t\b|\buint", kind):
            edits.append((*match.span(), f"for ({kind} {name} = {bound} - 1; {name} >= 0; {name}--)"))
            continue
        up = f"{name}_up"  # what is never below 0 cannot be counted down past it
        value = f"{{ {kind} {name} = {bound} - 1 - {up};"
        body = re.compile(r"\s*(?=\S)(?:(?P<block>{)|(?!(?:for|if|while)\b)[^;{}]*;)").match(plain, match.end())
        if body is None:
            continue
        edits.append((*match.span(), f"for ({kind} {up} = 0; {up} < {bound}; {up}++)"))
        if body["block"]:
            edits.append((body.start("block"), body.end("block"), value))
        else:
            edits += [(body.start(), body.start(), f" {value}"), (body.end(), body.end(), " }")]
    for block, _ in walk(tree.body):
        items = (block.block_items or []) if isinstance(block, c_ast.Compound) else []
        for i, loop in enumerate(items):
            if isinstance(loop, c_ast.While):
                edits += _counted(items[:i], loop, plain, starts)
    return edited(source, edits)


def _counted(before: list[c_ast.Node], loop: c_ast.While, plain: str, starts: list[int]) -> list[Edit]:
    """A `while` whose last statement counts a variable that a statement before sets; [] where it does not."""
    body = loop.stmt.block_items or [] if isinstance(loop.stmt, c_ast.Compound) else []
    target = target_of(body[-1]) if body else None
    name = str(target.name) if isinstance(target, c_ast.ID) else ""
    start = _start(before, name) if name else None
    if start is None or any(isinstance(n, c_ast.Continue) for n, _ in walk(loop.stmt)):
        return []
    if not _bounds(loop.cond, name):
        return []
    head = re.compile(r"\bwhile\s*\(").search(plain, starts[loop.coord.line])
    closing = matching(plain, head.end() - 1) if head is not None else -1
    step = _last_statement(name, plain, max(closing, starts[body[-1].coord.line]))
    if head is None or step is None or closing < 0:
        return []
    written = " ".join(c_generator.CGenerator().visit(body[-1]).split())
    return [
        (*head.span(), f"for ({name} = {start}; "),
        (closing, closing + 1, f"; {written})"),
        (*step, ";"),
    ]


def _bounds(condition: c_ast.Node, name: str) -> bool:
    """Whether a condition compares a variable with what is no data."""
    parts = [n for n, _ in walk(condition)]
    compares = isinstance(condition, c_ast.BinaryOp) and condition.op in ("<", "<=", ">", ">=", "!=")
    is_counted = any(isinstance(n, c_ast.ID) and n.name == name for n in parts)
    return compares and is_counted and not any(isinstance(n, c_ast.ArrayRef | c_ast.FuncCall) for n in parts)


def _last_statement(name: str, plain: str, start: int) -> tuple[int, int] | None:
    """Where the statement stands that counts a variable at the end of a block."""
    for match in re.compile(rf"(?:\+\+|--)?\s*\b{name}\b[^;{{}}]*;").finditer(plain, start):
        before, behind = plain[: match.start()].rstrip()[-1:], plain[match.end() :].lstrip()[:1]
        if before in (";", "{", "}", ")") and behind == "}":
            return match.span()
        if behind == "}":
            return None
    return None


def _start(before: list[c_ast.Node], name: str) -> str | None:
    """The value that statements leave in a variable; None where what it depends on changes behind."""
    changed: set[str] = set()
    for item in reversed(before):
        value = _value(item, name)
        if value is not None:
            clean = not any(isinstance(n, c_ast.ID) and n.name in changed for n, _ in walk(value))
            return " ".join(c_generator.CGenerator().visit(value).split()) if clean else None
        changed |= names_set(item)
        if name in changed:
            return None
    return None


def _value(item: c_ast.Node, name: str) -> c_ast.Node | None:
    """What a statement sets a variable to."""
    match item:
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=found), rvalue=value) if found == name:
            return value
        case c_ast.Decl(name=found, init=value) if found == name:
            return value
        case _:
            return None
