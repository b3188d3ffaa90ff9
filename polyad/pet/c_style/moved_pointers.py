"""Pointers that are moved, as integers: where in its array a pointer stands.

    const double *p = x + 1;                long p_at = 1;
    for (i = 0; i < n; i++) {               for (i = 0; i < n; i++) {
        s += p[2] * *p;                         s += x[p_at + 2] * x[p_at];
        p += m;                                 p_at += m;
    }                                       }

A pointer may be set anew, as long as it stays in one array. In a row of a matrix, `p = a[i] + j` or `&a[i][j]`, there
is an integer for each subscript. What the integers are is found out in counters.py.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass

from pycparser import c_ast

from polyad.pet.c_text.outside import INCREMENTS, is_new_memory, variables_set
from polyad.pet.c_text.parse import parameters_of, walk
from polyad.pet.c_text.tree_edits import children_replaced, put

__all__ = ["integers_for_pointers"]

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_ZERO = "0"


@dataclass(frozen=True, slots=True)
class _Spot:
    """An element: the array's name, and one subscript for each dimension."""

    array: str
    subscripts: tuple[c_ast.Node, ...]

    def plus(self, offset: c_ast.Node, op: str = "+") -> _Spot:
        """The element so far behind it in its row."""
        *outer, last = self.subscripts
        return _Spot(self.array, (*outer, _sum(last, offset, op)))

    @property
    def element(self) -> c_ast.Node:
        """The element as an expression."""
        node: c_ast.Node = c_ast.ID(self.array)
        for subscript in self.subscripts:
            node = c_ast.ArrayRef(node, subscript)
        return node


def integers_for_pointers(tree: c_ast.FuncDef) -> bool:
    """Change a function; returns whether it has such pointers."""
    changed = False
    while (pointers := _Pointers(tree)).homes and pointers.rewrite():
        changed = True
    return changed


class _Unknown(Exception):
    """A pointer is used in a way that no integer stands for."""

    def __init__(self, name: str):
        super().__init__(name)
        self.name = name


class _Pointers:
    """The pointers of a function that integers can stand for.

    Attributes:
        ranks: array or pointer -> how many subscripts it takes.
        homes: pointer -> the array that it stays in.
        names: pointer -> its integers.
    """

    def __init__(self, tree: c_ast.FuncDef):
        self.tree = tree
        parameters = parameters_of(tree)
        declared = [n for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl)]
        self.ranks = {d.name: _rank(d.type) for d in [*parameters, *declared] if d.name}
        self.taken = set(self.ranks) | {n.name for n, _ in walk(tree) if isinstance(n, c_ast.ID)}
        twice = {n for n in self.ranks if sum(d.name == n for d in [*parameters, *declared]) > 1}
        moved = variables_set(tree.body)
        self.own = {p.name for p in parameters if p.name in moved}
        candidates = {d.name for d in declared if isinstance(d.type, c_ast.PtrDecl) and not is_new_memory(d)} | self.own
        candidates = {n for n in candidates if self.ranks[n] == 1} - twice
        self.homes: dict[str, str] = {}
        self.names: dict[str, tuple[str, ...]] = {}
        while True:
            self.homes, self.names = self._homes(candidates)
            try:
                self._check(self.homes)
            except _Unknown as problem:
                candidates -= {problem.name}
                continue
            return

    def _homes(self, candidates: set[str]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
        """The arrays in which pointers stay, found from where they are set."""
        sets: dict[str, list[c_ast.Node]] = {name: [] for name in self.ranks if name in candidates}
        for node, _ in walk(self.tree.body):
            if isinstance(node, c_ast.Decl) and node.name in candidates and node.init is not None:
                sets[node.name].append(node.init)
            elif isinstance(node, c_ast.Assignment) and node.op == "=" and _named(node.lvalue) in candidates:
                sets[_named(node.lvalue)].append(node.rvalue)
        homes: dict[str, str] = {name: name for name in sets if name in self.own}
        growing = True
        while growing:
            growing = False
            for name, values in sets.items():
                if name in homes:
                    continue
                bases = {_base(value) for value in values}
                known = {homes.get(b, b if b not in candidates else "") for b in bases - {name}}
                if len(known) == 1 and (home := known.pop()) and self.ranks.get(home, 0) > 0:
                    homes[name] = home
                    growing = True
        return homes, {
            name: tuple(self._fresh(f"{name}_at{k or ''}") for k in range(self.ranks[home]))
            for name, home in homes.items()
        }

    def _fresh(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        return name

    def spot(self, node: c_ast.Node) -> _Spot | None:
        """The element that a pointer expression points to; None where it is another expression."""
        match node:
            case c_ast.ID(name=name):
                if name in self.homes:
                    return _Spot(self.homes[name], tuple(c_ast.ID(n) for n in self.names[name]))
                return _Spot(name, (_number(_ZERO),)) if self.ranks.get(name) == 1 else None
            case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=name)) if op in INCREMENTS and name in self.homes:
                *outer, last = (c_ast.ID(n) for n in self.names[name])
                return _Spot(self.homes[name], (*outer, c_ast.UnaryOp(op, last)))
            case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef() as element):
                return self.element(element)
            case c_ast.ArrayRef():
                outer_subscripts, base = _subscripts(node)
                name = _named(base)
                if name not in self.homes and self.ranks.get(name, 0) == len(outer_subscripts) + 1 > 1:
                    return _Spot(name, (*(self.rewritten(s) for s in outer_subscripts), _number(_ZERO)))
                return None
            case c_ast.BinaryOp(op="+" | "-" as op, left=left, right=right):
                at = self.spot(left)
                if at is not None:
                    return at.plus(self.rewritten(right), op) if self.spot(right) is None else None
                at = self.spot(right) if op == "+" else None
                return None if at is None else at.plus(self.rewritten(left))
            case _:
                return None

    def element(self, node: c_ast.Node) -> _Spot | None:
        """The element that `p[k]`, `*p` or `a[i][j]` is; None for something else."""
        match node:
            case c_ast.UnaryOp(op="*", expr=pointer):
                return self.spot(pointer)
            case c_ast.ArrayRef(name=c_ast.ArrayRef() | c_ast.ID() as array, subscript=subscript):
                at = self.spot(array)
                return None if at is None else at.plus(self.rewritten(subscript))
            case c_ast.ArrayRef(name=pointer, subscript=subscript):
                at = self.spot(pointer)
                return None if at is None else at.plus(self.rewritten(subscript))
            case _:
                return None

    def rewritten(self, node: c_ast.Node) -> c_ast.Node:
        """An expression with elements of arrays in place of those of pointers.

        Raises:
            _Unknown: a pointer is used in another way.
        """
        if not self.asks(node):
            return node
        at = self.element(node)
        if at is not None:
            return at.element
        match node:
            case c_ast.BinaryOp(op=op, left=left, right=right) if op in (*_COMPARISONS, "-"):
                a, b = self.spot(left), self.spot(right)
                if a is not None and b is not None:
                    if a.array != b.array or len(a.subscripts) > 1:
                        raise _Unknown(self.asks(node))
                    return c_ast.BinaryOp(op, a.subscripts[-1], b.subscripts[-1])
            case c_ast.ID(name=name):
                raise _Unknown(name)
            case c_ast.FuncCall(args=c_ast.ExprList(exprs=arguments)):
                for k, argument in enumerate(arguments):
                    at = self.spot(argument) if self.asks(argument) else None
                    arguments[k] = self.rewritten(argument) if at is None else c_ast.UnaryOp("&", at.element)
                return node
        return children_replaced(node, self.rewritten)

    def asks(self, node: c_ast.Node) -> str:
        """A pointer that is named in a node, "" for none."""
        return next((n.name for n, _ in walk(node) if isinstance(n, c_ast.ID) and n.name in self.homes), "")

    def set_to(self, name: str, value: c_ast.Node) -> list[tuple[str, c_ast.Node]]:
        """Return the integers of a pointer with the values they are set to.

        Raises:
            _Unknown: the value is no place in its array.
        """
        at = self.spot(value)
        if at is None or at.array != self.homes[name]:
            raise _Unknown(name)
        return list(zip(self.names[name], at.subscripts, strict=True))

    def statement(self, node: c_ast.Node) -> list[c_ast.Node] | None:
        """Return the statements in place of one that sets or moves a pointer; None for another statement."""
        match node:
            case c_ast.Decl(name=name, init=value) if name in self.homes:
                given = self.set_to(name, value) if value is not None else [(n, None) for n in self.names[name]]
                return [_long(n, v, node) for n, v in given]
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=value) if name in self.homes:
                pairs = self.set_to(name, value)
                return [c_ast.Assignment("=", c_ast.ID(n), v, node.coord) for n, v in pairs if _named(v) != n]
            case c_ast.Assignment(op="+=" | "-=" as op, lvalue=c_ast.ID(name=name), rvalue=value) if name in self.homes:
                last = c_ast.ID(self.names[name][-1])
                return [c_ast.Assignment(op, last, self.rewritten(value), node.coord)]
            case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=name)) if op in INCREMENTS and name in self.homes:
                return [c_ast.UnaryOp(op, c_ast.ID(self.names[name][-1]), node.coord)]
            case _:
                return None

    def _check(self, homes: Mapping[str, str]) -> None:
        """Find pointers that no integer can stand for, by rewriting a copy.

        Raises:
            _Unknown: there is one.
        """
        if homes:
            _Rewriter(self).block(copy.deepcopy(self.tree.body))

    def rewrite(self) -> bool:
        """Change the function."""
        _Rewriter(self).block(self.tree.body)
        first = [_long(self.names[name][0], _number(_ZERO), self.tree.body) for name in self.homes if name in self.own]
        self.tree.body.block_items = [*first, *(self.tree.body.block_items or [])]
        return True


class _Rewriter:
    """Goes through the statements of a function."""

    def __init__(self, pointers: _Pointers):
        self.pointers = pointers

    def block(self, node: c_ast.Compound) -> None:
        """Change the statements of a block."""
        items: list[c_ast.Node] = []
        for item in node.block_items or []:
            items += self.pointers.statement(item) or self.in_order(self.changed(item))
        node.block_items = items

    def in_order(self, node: c_ast.Node) -> list[c_ast.Node]:
        """A statement, and what moves pointers in it as statements of their own: `*p++ = e;` is `*p = e; p++;`."""
        if not isinstance(node, c_ast.Assignment | c_ast.Decl | c_ast.FuncCall):
            return [node]
        integers = {names[-1] for names in self.pointers.names.values()}
        moves = [n for n, _ in walk(node) if isinstance(n, c_ast.UnaryOp) and _is_move(n, integers)]
        named = [n.name for n, _ in walk(node) if isinstance(n, c_ast.ID)]
        chosen = any(isinstance(n, c_ast.TernaryOp) or getattr(n, "op", "") in ("&&", "||") for n, _ in walk(node))
        if not moves or chosen or any(named.count(n.expr.name) > 1 for n in moves):
            return [node]
        at = {id(n) for n in moves}

        def still(part: c_ast.Node) -> c_ast.Node:
            return part.expr if id(part) in at else children_replaced(part, still)

        before = [c_ast.UnaryOp(n.op, n.expr, node.coord) for n in moves if not n.op.startswith("p")]
        behind = [c_ast.UnaryOp(n.op, n.expr, node.coord) for n in moves if n.op.startswith("p")]
        return [*before, still(node), *behind]

    def compared(self, loop: c_ast.For) -> None:
        """A pointer that goes up to another one, `p != end; p++`, is below it: past it there is no array."""
        moved = loop.next.expr if isinstance(loop.next, c_ast.UnaryOp) else None
        differs = isinstance(loop.cond, c_ast.BinaryOp) and loop.cond.op == "!="
        if differs and _named(moved) in self.pointers.homes and _named(loop.cond.left) == _named(moved):
            loop.cond.op = "<" if "+" in loop.next.op else ">"

    def changed(self, node: c_ast.Node) -> c_ast.Node:
        """A statement that stands alone, or a part of one."""
        if not self.pointers.asks(node) and not any(
            isinstance(n, c_ast.Decl) and n.name in self.pointers.homes for n, _ in walk(node)
        ):
            return node
        match node:
            case c_ast.Compound():
                self.block(node)
                return node
            case c_ast.For() | c_ast.While() | c_ast.DoWhile() | c_ast.If():
                if isinstance(node, c_ast.For):
                    self.compared(node)
                for slot, child in node.children():
                    parts = [self.changed(child)]
                    if slot in ("stmt", "iftrue", "iffalse"):
                        parts = self.in_order(parts[0])
                    put(node, slot, parts[0] if len(parts) == 1 else c_ast.Compound(parts, child.coord))
                return node
            case c_ast.DeclList(decls=declarations):
                node.decls = [d for old in declarations for d in (self.pointers.statement(old) or [self.changed(old)])]
                return node
            case c_ast.ExprList(exprs=expressions):
                node.exprs = [e for old in expressions for e in (self.pointers.statement(old) or [self.changed(old)])]
                return node
        found = self.pointers.statement(node)
        if found is None:
            return self.pointers.rewritten(node)
        return found[0] if len(found) == 1 else c_ast.ExprList(found, node.coord)


def _is_move(node: c_ast.UnaryOp, integers: set[str]) -> bool:
    return node.op in INCREMENTS and _named(node.expr) in integers


def _rank(kind: c_ast.Node) -> int:
    rank = 0
    while isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl):
        kind, rank = kind.type, rank + 1
    return rank


def _named(node: c_ast.Node | None) -> str:
    return str(node.name) if isinstance(node, c_ast.ID) else ""


def _base(node: c_ast.Node) -> str:
    """The name of the array or pointer in a pointer expression."""
    match node:
        case c_ast.ID(name=name):
            return str(name)
        case c_ast.ArrayRef(name=inner) | c_ast.UnaryOp(op="&", expr=inner):
            return _base(inner)
        case c_ast.BinaryOp(op="+" | "-", left=left, right=right):
            return _base(left) or _base(right)
        case _:
            return ""


def _subscripts(node: c_ast.Node) -> tuple[list[c_ast.Node], c_ast.Node]:
    found: list[c_ast.Node] = []
    while isinstance(node, c_ast.ArrayRef):
        found.insert(0, node.subscript)
        node = node.name
    return found, node


def _sum(left: c_ast.Node, right: c_ast.Node, op: str) -> c_ast.Node:
    if _is_zero(right):
        return left
    return right if _is_zero(left) and op == "+" else c_ast.BinaryOp(op, left, right)


def _is_zero(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Constant) and node.value == _ZERO


def _number(value: str) -> c_ast.Node:
    return c_ast.Constant("int", value)


def _long(name: str, value: c_ast.Node | None, where: c_ast.Node) -> c_ast.Decl:
    kind = c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(["long"]))
    return c_ast.Decl(name, [], [], [], [], kind, value, None, where.coord)
