"""`return` on the way, as a value and a flag: what comes behind runs where the function has not ended.

for (...) { if (x[i] > m) return i; }      for (...) { if (x[i] > m) { value = i; ended = 1; break; } }
s += 1;                                    if (!ended) { s += 1; value = s; }
return s;                                  return value;
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

from pycparser import c_ast

from polyad.pet.c_text.names import new_name
from polyad.pet.c_text.parse import walk
from polyad.pet.c_tree.nodes import assign, block, statements

__all__ = ["with_one_return"]

_LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile)


def with_one_return(tree: c_ast.FuncDef, kind: str, names: set[str], last: int, *, anywhere: bool = False) -> bool:
    """Change a function that returns in a loop into one that returns at its end.

    Args:
        tree: the function, which is changed.
        kind: the type that it returns.
        names: all names in it.
        last: the line of its last brace.
        anywhere: whether one is changed, too, that returns under a condition only.

    Returns:
        Whether anything was changed.
    """
    items = tree.body.block_items or []
    begin = next((i for i, s in enumerate(items) if _is_pragma(s, "scop")), None)
    end = next((i for i, s in enumerate(items) if _is_pragma(s, "endscop")), None)
    if (begin is None) != (end is None):
        return False
    start = 0 if begin is None else begin + 1
    taken = [s for s in items[start:] if not isinstance(s, c_ast.Pragma)]
    if not anywhere and not any(isinstance(n, _LOOPS) and _returns(n.stmt) for s in taken for n, _ in walk(s)):
        return False
    ended, value = new_name("ended", names), new_name("value", names)
    change = _Change(ended, "" if kind == "void" else value)
    closing = taken[-1].coord.line if isinstance(taken[-1], c_ast.Return) else last
    before = items[: start - 1] if begin is not None else []
    opened = [items[begin]] if begin is not None else []
    where = taken[0]
    flags = [_declared(ended, "int", where)]
    if kind != "void":
        flags.append(_declared(value, kind, where))
    body = change.block(taken, in_loop=False)
    if end is not None:
        pragma = copy.copy(items[end])
        pragma.coord = copy.copy(pragma.coord)
        pragma.coord.line = closing - 1
        for node in (n for s in body for n, _ in walk(s)):
            if node.coord is not None and node.coord.line >= closing - 1:
                node.coord = copy.copy(node.coord)
                node.coord.line = closing - 2
        body.append(pragma)
    if kind != "void":
        at = copy.copy(where.coord)
        at.line = closing
        body.append(c_ast.Return(c_ast.ID(value), at))
    tree.body.block_items = [*before, *opened, *flags, *body]
    return True


class _Change:
    """Puts flags in place of returns.

    Attributes:
        ended: the flag.
        value: what holds the value that is returned; "" where none is.
    """

    def __init__(self, ended: str, value: str) -> None:
        self.ended, self.value = ended, value

    def block(self, items: Sequence[c_ast.Node], *, in_loop: bool) -> list[c_ast.Node]:
        result: list[c_ast.Node] = []
        for i, item in enumerate(items):
            if isinstance(item, c_ast.Return):
                return [*result, *self.end(item, in_loop=in_loop)]
            if not _returns(item):
                result.append(item)
                continue
            result.append(self.statement(item, in_loop=in_loop))
            rest = items[i + 1 :]
            if in_loop:
                if isinstance(item, _LOOPS):
                    result.append(
                        c_ast.If(c_ast.ID(self.ended), block([c_ast.Break(item.coord)], item), None, item.coord)
                    )
                continue
            if rest:
                behind = self.block(rest, in_loop=False)
                condition = c_ast.UnaryOp("!", c_ast.ID(self.ended))
                result.append(c_ast.If(condition, block(behind, rest[0]), None, rest[0].coord))
            return result
        return result

    def statement(self, item: c_ast.Node, *, in_loop: bool) -> c_ast.Node:
        result = copy.copy(item)
        if isinstance(item, _LOOPS):
            result.stmt = block(self.block(statements(item.stmt), in_loop=True), item.stmt)
        elif isinstance(item, c_ast.If):
            result.iftrue = block(self.block(statements(item.iftrue), in_loop=in_loop), item.iftrue)
            if item.iffalse is not None:
                result.iffalse = block(self.block(statements(item.iffalse), in_loop=in_loop), item.iffalse)
        elif isinstance(item, c_ast.Compound):
            result.block_items = self.block(statements(item), in_loop=in_loop)
        return result

    def end(self, item: c_ast.Return, *, in_loop: bool) -> list[c_ast.Node]:
        """Return the statements in place of a `return`."""
        found: list[c_ast.Node] = []
        if self.value and item.expr is not None:
            found.append(assign(c_ast.ID(self.value), "=", item.expr, item))
        found.append(assign(c_ast.ID(self.ended), "=", c_ast.Constant("int", "1"), item))
        return [*found, c_ast.Break(item.coord)] if in_loop else found


def _returns(item: c_ast.Node) -> bool:
    return any(isinstance(n, c_ast.Return) for n, _ in walk(item))


def _is_pragma(item: c_ast.Node, word: str) -> bool:
    return isinstance(item, c_ast.Pragma) and item.string.split()[:1] == [word]


def _declared(name: str, kind: str, where: c_ast.Node) -> c_ast.Decl:
    words = c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(kind.split()))
    return c_ast.Decl(name, [], [], [], [], words, c_ast.Constant("int", "0"), None, where.coord)
