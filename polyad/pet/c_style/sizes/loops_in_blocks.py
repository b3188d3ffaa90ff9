"""Loops over a multiple whose bodies speak of its blocks, as loops over blocks.

    for (h = 0; h < H; h++)                      for (long g = 0; g < KV; g++)
        k[h / rep] + q[h] ...                        for (long r = 0; r < rep; r++)
                                                         k[g] + q[g * rep + r] ...

    for (j = 0; j <= n - S; j += S)              for (long b = 0; b < n_over_S; b++)
        w[(row * n + j) / S] ...                     w[row * n_over_S + b] ...

H = KV rep and n = S n_over_S are what the caller promises (exact_quotients.py). Quotients by a size are no functions of
integer sets; numbers of blocks are.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pycparser import c_ast

from polyad.pet.c_text.names import names_in, new_name
from polyad.pet.c_text.outside import target_of
from polyad.pet.c_text.parse import walk
from polyad.pet.c_text.tree_edits import children_replaced
from polyad.pet.c_tree.loop_parts import names_assigned
from polyad.pet.c_tree.nodes import counted_loop, factors, own_jumps, product_of, statements

__all__ = ["is_signed", "loops_in_blocks"]

_SIGNED = frozenset("signed short int long int8_t int16_t int32_t int64_t ptrdiff_t ssize_t intptr_t".split())

Other = Callable[[str, str], c_ast.Node | None]
"""(size, divisor) -> the other factor of the size, None where the divisor is no factor that is known."""


def loops_in_blocks(tree: c_ast.FuncDef, other: Other, names: set[str]) -> None:
    """Change a function.

    Args:
        tree: the function.
        other: finds factors of sizes.
        names: all that are taken; new ones are added.
    """
    _Blocks(other, names, _definitions(tree)).at(tree.body)


def is_signed(kind: c_ast.Node) -> bool:
    """Whether numbers of a type are below 0 where they should be: `j - 1 < 0` of others is another condition."""
    return isinstance(kind, c_ast.IdentifierType) and {*kind.names} <= _SIGNED


def _definitions(tree: c_ast.FuncDef) -> dict[str, c_ast.Node]:
    """Local integers that hold one expression of what does not change where it is known."""
    nodes = [n for n, _ in walk(tree.body)]
    counted = [n for n in nodes if isinstance(n, c_ast.For) and isinstance(n.init, c_ast.DeclList)]
    steps = {id(n.next) for n in counted if getattr(target_of(n.next), "name", None) in {d.name for d in n.init.decls}}
    set_ = {t.name for n in nodes if id(n) not in steps and isinstance(t := target_of(n), c_ast.ID)}
    declared = [n for n in nodes if isinstance(n, c_ast.Decl)]
    several = {d.name for d in declared if sum(o.name == d.name for o in declared) > 1}
    indices = {id(d) for n in counted for d in n.init.decls}
    found = {}
    for item in declared:
        if item.init is None or id(item) in indices:
            continue
        if not {item.name, *names_in(item.init)} & (set_ | several):
            found[item.name] = item.init
    return found


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop from 0 up to a size.

    Attributes:
        index: its variable.
        size: the name of the size.
        step: the name of the size that it goes on by; "" for 1.
    """

    index: str
    size: str
    step: str


def _counted(node: c_ast.For) -> _Loop | None:
    """`for (int j = 0; j < n; j += S)`, or with `j <= n - S`, or `j++`."""
    match node.init:
        case c_ast.DeclList(
            decls=[c_ast.Decl(name=index, type=c_ast.TypeDecl(type=kind), init=c_ast.Constant(value="0"))]
        ) if is_signed(kind):
            pass
        case _:
            return None
    match node.next:
        case c_ast.UnaryOp(op="p++" | "++", expr=c_ast.ID(name=name)) if name == index:
            step = ""
        case c_ast.Assignment(op="+=", lvalue=c_ast.ID(name=name), rvalue=c_ast.ID(name=by)) if name == index:
            step = by
        case _:
            return None
    match node.cond:
        case c_ast.BinaryOp(op="<", left=c_ast.ID(name=name), right=c_ast.ID(name=size)) if name == index:
            return _Loop(index, size, step)
        case c_ast.BinaryOp(
            op="<=",
            left=c_ast.ID(name=name),
            right=c_ast.BinaryOp(op="-", left=c_ast.ID(name=size), right=c_ast.ID(name=by)),
        ) if name == index and by == step != "":
            return _Loop(index, size, step)
    return None


@dataclass(frozen=True, slots=True)
class _Blocks:
    other: Other
    names: set[str]
    known: Mapping[str, c_ast.Node]

    def at(self, node: c_ast.Node) -> c_ast.Node:
        """A node with blocks in all loops inside of it."""
        children_replaced(node, self.at)
        loop = _counted(node) if isinstance(node, c_ast.For) else None
        if loop is None or loop.index in names_assigned([node.stmt]):
            return node
        if loop.step:
            count = self.other(loop.size, loop.step)
            return node if count is None else self.stepping(node, loop, count)
        for divisor in self.divisors(node.stmt, loop.index):
            count = self.other(loop.size, divisor)
            if count is not None and not any(own_jumps(statements(node.stmt), c_ast.Break)):
                return self.divided(node, loop, divisor, count)
        return node

    def divisors(self, body: c_ast.Node, index: str) -> Iterator[str]:
        """The sizes by which an index is divided."""
        for inner, _ in walk(body):
            match inner:
                case c_ast.BinaryOp(op="/" | "%", left=c_ast.ID(name=name), right=c_ast.ID(name=size)) if name == index:
                    yield size

    def stepping(self, node: c_ast.For, loop: _Loop, count: c_ast.Node) -> c_ast.Node:
        """A loop that goes on by whole blocks."""
        block = new_name(f"{loop.index}_block", self.names)
        start = c_ast.BinaryOp("*", c_ast.ID(block), c_ast.ID(loop.step))

        def change(inner: c_ast.Node) -> c_ast.Node:
            match inner:
                case c_ast.ID(name=name) if name == loop.index:
                    return copy.deepcopy(start)
                case c_ast.BinaryOp(op="/", left=whole, right=c_ast.ID(name=name)) if name == loop.step:
                    exact = self.quotient(whole, loop, block, count)
                    if exact is not None:
                        return exact
            return children_replaced(inner, change)

        return counted_loop(block, count, change(node.stmt))

    def divided(self, node: c_ast.For, loop: _Loop, divisor: str, count: c_ast.Node) -> c_ast.Node:
        """A loop whose index is divided, as two."""
        block, inside = new_name(f"{loop.index}_block", self.names), new_name(f"{loop.index}_inside", self.names)
        start = c_ast.BinaryOp("*", c_ast.ID(block), c_ast.ID(divisor))
        index = c_ast.BinaryOp("+", start, c_ast.ID(inside))

        def change(inner: c_ast.Node) -> c_ast.Node:
            match inner:
                case c_ast.ID(name=name) if name == loop.index:
                    return copy.deepcopy(index)
                case c_ast.BinaryOp(op="/" | "%" as op, left=c_ast.ID(name=name), right=c_ast.ID(name=by)):
                    if (name, by) == (loop.index, divisor):
                        return c_ast.ID(block if op == "/" else inside)
            return children_replaced(inner, change)

        return counted_loop(block, count, counted_loop(inside, c_ast.ID(divisor), change(node.stmt)))

    def quotient(self, whole: c_ast.Node, loop: _Loop, block: str, count: c_ast.Node) -> c_ast.Node | None:
        """A sum divided by the step, where each of its terms is a multiple of that."""
        match whole:
            case c_ast.BinaryOp(op="+" | "-" as op, left=left, right=right):
                sides = [self.quotient(side, loop, block, count) for side in (left, right)]
                return None if None in sides else c_ast.BinaryOp(op, *sides, whole.coord)
            case c_ast.ID(name=name) if name in self.known:
                return self.quotient(self.known[name], loop, block, count)
        values = {loop.index: c_ast.ID(block), loop.step: c_ast.Constant("int", "1"), loop.size: count}
        parts = factors(copy.deepcopy(whole))
        for place, part in enumerate(parts):
            if isinstance(part, c_ast.ID) and part.name in values:
                parts[place] = copy.deepcopy(values[part.name])
                return product_of(parts, whole)
        return None
