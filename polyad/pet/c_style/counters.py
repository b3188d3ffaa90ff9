"""Integers that count along with loops, as what they are: functions of the loop variables.

    int k = 1;                              int k = 1;
    for (int i = 0; i < n; i++) {           for (int i = 0; i < n; i++) {
        y[i] = x[k];                            y[i] = x[1 + i * m];
        k += m;                                 k += m;
    }                                       }
    y[0] = x[k];                            y[0] = x[1 + n * m];

Only where a subscript, a bound or another such integer asks for them. Statements that set them stay; what nobody reads
is dropped later. An integer whose value is not known, since it depends on data or on how often a loop runs, stays too.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

from pycparser import c_ast

from polyad.pet.c_style.integer_sums import BEFORE, difference, ids, minus, number, plus, times, value_of
from polyad.pet.c_text.outside import INCREMENTS, target_of, variables_set
from polyad.pet.c_text.parse import parameters_of, walk
from polyad.pet.c_text.tree_edits import children_replaced, put

__all__ = ["counters_as_functions"]

_INTEGERS = {"int", "long", "short", "signed", "unsigned", "size_t", "ptrdiff_t", "int64_t", "int32_t", "ssize_t"}
_UNSIGNED = {"unsigned", "size_t"}
_KEPT = _INTEGERS - _UNSIGNED - {"short"}  # what is stored in others is another number then

_Known = dict[str, c_ast.Node | None]


@dataclass(frozen=True, slots=True)
class _Count:
    """How a loop counts: `for (i = first; i < end; i += step)`."""

    variable: str
    first: c_ast.Node
    end: c_ast.Node
    step: int

    @property
    def turn(self) -> c_ast.Node:
        """The number of the turn, from 0."""
        i = c_ast.ID(self.variable)
        distance = minus(i, self.first) if self.step > 0 else minus(self.first, i)
        return distance if abs(self.step) == 1 else c_ast.BinaryOp("/", distance, number(abs(self.step)))

    def turns(self, sizes: set[str]) -> c_ast.Node | None:
        """How many turns there are; None where that is no sum of what is written.

        Args:
            sizes: names of integers that are not negative.
        """
        if abs(self.step) != 1:
            return None
        low, high = (self.first, self.end) if self.step > 0 else (self.end, self.first)
        many = minus(high, low)
        if value_of(low) == 0 and ((value_of(high) or -1) >= 0 or (isinstance(high, c_ast.ID) and high.name in sizes)):
            return many
        return c_ast.TernaryOp(c_ast.BinaryOp(">", high, low), many, number(0))


def counters_as_functions(tree: c_ast.FuncDef) -> bool:
    """Change a function; returns whether it has such integers."""
    counted = _Counters(tree)
    if not counted.names:
        return False
    _spread(tree.body)
    counted.block(tree.body, dict.fromkeys(counted.names))
    return counted.found


class _Counters:
    """The integers of a function that may count.

    Attributes:
        integers: all integers that the function declares or is given.
        unsigned: those that are.
        sizes: those that it is given and leaves as they are; they are not negative.
        names: those that count and that a subscript or a bound asks for.
        found: whether one was replaced.
    """

    def __init__(self, tree: c_ast.FuncDef):
        parameters = parameters_of(tree)
        declared = [n for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl)]
        everything = [*parameters, *declared]
        self.integers = {d.name for d in everything if _is_integer(d, _INTEGERS)}
        signed = {d.name for d in everything if _is_integer(d, _INTEGERS - _UNSIGNED)}
        self.unsigned = self.integers - signed
        self.sizes = {p.name for p in parameters} & self.integers
        self.sizes -= _changed(tree.body)
        twice = {d.name for d in everything if sum(e.name == d.name for e in everything) > 1}
        loops = [n for n, _ in walk(tree.body) if isinstance(n, c_ast.For)]
        in_heads = {_counted(loop) for loop in loops}
        local = {d.name for d in declared if _is_integer(d, _KEPT)}
        updated = {t.name for n, _ in walk(tree.body) if isinstance(t := target_of(n), c_ast.ID) if _is_step(n)}
        set_here = {d.name for d in declared if d.init is not None and not _is_plain(d.init)}
        set_here |= {
            n.lvalue.name
            for n, _ in walk(tree.body)
            if isinstance(n, c_ast.Assignment) and isinstance(n.lvalue, c_ast.ID) and not _is_plain(n.rvalue)
        }
        self.names = (local & (updated | set_here)) - in_heads - twice
        self.names &= _asked_for(tree, self.names)
        self.found = False

    # statements

    def block(self, node: c_ast.Compound, known: _Known) -> None:
        """Change the statements of a block; `known` is what the integers are before, and then what they are behind."""
        for k, item in enumerate(node.block_items or []):
            node.block_items[k] = self.statement(item, known)

    def statement(self, node: c_ast.Node, known: _Known) -> c_ast.Node:
        """The statement with what is known; `known` changes to what holds behind it."""
        match node:
            case c_ast.Compound():
                self.block(node, known)
            case c_ast.For():
                self.loop(node, known)
            case c_ast.If():
                node.cond = self.expression(node.cond, known)
                for slot in ("iftrue", "iffalse"):
                    if (branch := getattr(node, slot)) is not None:
                        setattr(node, slot, self.statement(branch, dict(known)))
                self.forget(known, node)
            case c_ast.While() | c_ast.DoWhile() | c_ast.Switch() | c_ast.Label() | c_ast.Case() | c_ast.Default():
                self.forget(known, node)
                for slot, child in node.children():
                    inside = dict(known)
                    is_statement = isinstance(child, c_ast.Compound | c_ast.For | c_ast.If | c_ast.While)
                    put(node, slot, (self.statement if is_statement else self.expression)(child, inside))
                self.forget(known, node)
            case c_ast.Decl(name=name) | c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name)) if name in self.names:
                slot = "init" if isinstance(node, c_ast.Decl) else "rvalue"
                value = getattr(node, slot)
                if value is not None:
                    value = self.expression(value, known)
                    setattr(node, slot, value)
                self.learn(known, name, value if value is not None and self.is_sum(value) else None)
            case _ if (step := _step(node)) is not None and step[0] in self.names:
                name, op, by = step
                by = self.expression(copy.deepcopy(by), known)
                before = known[name]
                is_known = before is not None and self.is_sum(by)
                self.learn(known, name, (plus if op == "+" else minus)(before, by) if is_known else None)
            case _:
                changed = self.expression(node, known)
                self.forget(known, node)
                return changed
        return node

    def loop(self, node: c_ast.For, known: _Known) -> None:
        """Change a loop."""
        if node.init is not None:
            node.init = self.expression(node.init, known)
        self.forget(known, node.init)
        count = _count(node)
        changed = _changed(node)
        clean = count is not None and not (ids(count.first) | ids(count.end)) & changed and not _jumps(node.stmt)
        by: dict[str, c_ast.Node | None] = {}
        if count is not None and clean:
            trial: _Known = {name: c_ast.ID(BEFORE + name) for name in self.names}
            trial = {name: value if name in changed else known[name] for name, value in trial.items()}
            found = self.found
            self.statement(copy.deepcopy(node.stmt), trial)
            self.found = found
            for name in self.names & changed:
                by[name] = difference(trial[name], name) if trial[name] is not None else None
        inside: _Known = {name: None if name in changed else value for name, value in known.items()}
        behind = dict(inside)
        for name, step in by.items():
            before = known[name]
            if count is None or step is None or before is None or ids(step) & (changed | {count.variable}):
                continue
            if ids(before) & changed:
                continue
            inside[name] = plus(before, times(count.turn, step))
            turns = count.turns(self.sizes)
            behind[name] = None if turns is None else plus(before, times(turns, step))
        for name, value in inside.items():
            if value is not None and name not in by and ids(value) & changed:
                inside[name] = behind[name] = None
        if node.cond is not None:
            node.cond = self.expression(node.cond, inside)
        node.stmt = self.statement(node.stmt, dict(inside))
        known.update(behind)
        if count is not None:
            self.drop(known, {count.variable})

    # expressions

    def expression(self, node: c_ast.Node, known: _Known) -> c_ast.Node:
        """The expression with what is known in place of integers that are read."""
        if isinstance(node, c_ast.ID):
            value = known.get(node.name)
            if value is None:
                return node
            self.found = True
            return copy.deepcopy(value)
        if isinstance(node, c_ast.Assignment) and isinstance(node.lvalue, c_ast.ID):
            node.rvalue = self.expression(node.rvalue, known)
            return node
        if isinstance(node, c_ast.UnaryOp) and node.op in (*INCREMENTS, "&"):
            return (
                node
                if isinstance(node.expr, c_ast.ID)
                else children_replaced(node, lambda c: self.expression(c, known))
            )
        if _changed(node) & known.keys() and not isinstance(node, c_ast.DeclList):
            return node  # assignments inside of an expression: which comes first is not asked here
        return children_replaced(node, lambda child: self.expression(child, known))

    def is_sum(self, node: c_ast.Node) -> bool:
        """Whether a value is computed from integers by arithmetic."""
        exact = not any(n in self.unsigned for n in ids(node))  # else a difference is another number in C
        for n, _ in walk(node):
            match n:
                case c_ast.ID(name=name):
                    if name not in self.integers and not name.startswith(BEFORE):
                        return False
                case c_ast.Constant(type=kind):
                    if "int" not in kind and "long" not in kind:
                        return False
                case c_ast.BinaryOp(op=op):
                    if op not in ("+", "*") and not (exact and op in ("-", "/", "%", "<", ">", "<=", ">=")):
                        return False
                case c_ast.UnaryOp(op="-") | c_ast.TernaryOp():
                    if not exact:
                        return False
                case _:
                    return False
        return True

    # what is known

    def learn(self, known: _Known, name: str, value: c_ast.Node | None) -> None:
        """An integer has a new value."""
        own = value is not None and name in ids(value)
        self.drop(known, {name})
        known[name] = None if own else value

    def forget(self, known: _Known, node: c_ast.Node | None) -> None:
        """Forget what a statement changes."""
        if node is not None:
            changed = _changed(node)
            known.update(dict.fromkeys(self.names & changed))
            self.drop(known, changed)

    def drop(self, known: _Known, changed: set[str]) -> None:
        """Forget what depends on names."""
        for name, value in known.items():
            if value is not None and ids(value) & changed:
                known[name] = None


def _spread(body: c_ast.Node) -> None:
    """Take what is no loop's own out of its head: `for (i = 0, k = 1; i < n; i++, k += m)`."""
    for block, _ in list(walk(body)):
        if not isinstance(block, c_ast.Compound):
            continue
        items: list[c_ast.Node] = []
        for item in block.block_items or []:
            items += _before(item) if isinstance(item, c_ast.For) else []
            items.append(item)
        block.block_items = items


def _before(loop: c_ast.For) -> list[c_ast.Node]:
    """The statements of a loop's head that may stand before it; those that may stand at its end are put there."""
    compared = {n.name for n, _ in walk(loop.cond) if isinstance(n, c_ast.ID)} if loop.cond is not None else set()
    if isinstance(loop.next, c_ast.ExprList) and not any(isinstance(n, c_ast.Continue) for n, _ in walk(loop.stmt)):
        own = [e for e in loop.next.exprs if isinstance(t := target_of(e), c_ast.ID) and t.name in compared]
        others = [e for e in loop.next.exprs if e not in own]
        if len(own) == 1:
            loop.next = own[0]
            if not isinstance(loop.stmt, c_ast.Compound):
                loop.stmt = c_ast.Compound([loop.stmt], loop.stmt.coord)
            loop.stmt.block_items = [*(loop.stmt.block_items or []), *others]
    counted = target_of(loop.next)
    if isinstance(loop.init, c_ast.ExprList) and isinstance(counted, c_ast.ID):
        own = [e for e in loop.init.exprs if isinstance(t := target_of(e), c_ast.ID) and t.name == counted.name]
        others = [e for e in loop.init.exprs if e not in own]
        if len(own) == 1:
            loop.init = own[0]
            return others
    return []


def _count(loop: c_ast.For) -> _Count | None:
    """How a loop counts, if it does."""
    match loop.init:
        case c_ast.DeclList(decls=[c_ast.Decl(name=name, init=first)]) if first is not None:
            pass
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=first):
            pass
        case _:
            return None
    step = _step(loop.next) if loop.next is not None else None
    match loop.cond:
        case c_ast.BinaryOp(op="<" | "<=" | ">" | ">=" as op, left=c_ast.ID(name=compared), right=end):
            pass
        case _:
            return None
    by = value_of(step[2]) if step is not None and step[0] == name else None
    if by is None or by == 0 or compared != name or step is None:
        return None
    by = by if step[1] == "+" else -by
    if (by > 0) != (op in ("<", "<=")):
        return None
    if op == "<=":
        end = plus(end, number(1))
    elif op == ">":
        first, end = plus(first, number(0)), end
    if op == ">=":
        end = minus(end, number(1))
    return _Count(name, first, end, by)


def _step(node: c_ast.Node) -> tuple[str, str, c_ast.Node] | None:
    """(k, "+", e) of `k += e`, `k++` and `k = k + e`."""
    match node:
        case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=name)) if op in INCREMENTS:
            return name, "+" if "+" in op else "-", number(1)
        case c_ast.Assignment(op="+=" | "-=" as op, lvalue=c_ast.ID(name=name), rvalue=value):
            return name, op[0], value
        case c_ast.Assignment(
            op="=",
            lvalue=c_ast.ID(name=name),
            rvalue=c_ast.BinaryOp(op="+" | "-" as op, left=c_ast.ID(name=same), right=value),
        ) if name == same:
            return name, op, value
        case _:
            return None


def _is_step(node: c_ast.Node) -> bool:
    return _step(node) is not None


def _is_plain(value: c_ast.Node) -> bool:
    """Whether pet reads a value itself: it is a sum without products of names."""
    return not any(
        isinstance(n, c_ast.BinaryOp)
        and n.op in ("*", "/", "%")
        and not any(value_of(s) is not None for s in (n.left, n.right))
        for n, _ in walk(value)
    )


def _counted(loop: c_ast.For) -> str:
    """The variable that a loop counts."""
    target = target_of(loop.next) if loop.next is not None else None
    if isinstance(loop.next, c_ast.ExprList) and loop.cond is not None:
        compared = ids(loop.cond)
        names = [t.name for e in loop.next.exprs if isinstance(t := target_of(e), c_ast.ID) and t.name in compared]
        return names[0] if len(names) == 1 else ""
    return str(target.name) if isinstance(target, c_ast.ID) else ""


def _asked_for(tree: c_ast.FuncDef, names: set[str]) -> set[str]:
    """Those that subscripts and bounds read, and what others of them are computed from."""
    asked: set[str] = set()
    for node, _ in walk(tree.body):
        if isinstance(node, c_ast.ArrayRef):
            asked |= ids(node.subscript)
        elif isinstance(node, c_ast.For) and node.cond is not None:
            asked |= ids(node.cond)
            asked |= ids(node.init) if node.init is not None else set()
    size = -1
    while size != len(asked & names):
        size = len(asked & names)
        for node, _ in walk(tree.body):
            name = node.name if isinstance(node, c_ast.Decl) else getattr(target_of(node), "name", None)
            if name in asked & names:
                asked |= ids(node)
    return asked


def _changed(node: c_ast.Node) -> set[str]:
    """The names that are declared or set in a statement."""
    declared = {n.name for n, _ in walk(node) if isinstance(n, c_ast.Decl) and n.name}
    return declared | variables_set(node)


def _jumps(node: c_ast.Node) -> bool:
    return any(isinstance(n, c_ast.Continue | c_ast.Break | c_ast.Goto | c_ast.Return) for n, _ in walk(node))


def _is_integer(declaration: c_ast.Decl, words: set[str]) -> bool:
    kind = declaration.type
    return (
        isinstance(kind, c_ast.TypeDecl)
        and isinstance(kind.type, c_ast.IdentifierType)
        and all(w in words for w in kind.type.names)
    )
