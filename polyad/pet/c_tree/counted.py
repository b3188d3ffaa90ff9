"""Loops that count in any way, and integers that are counted on the way, as loops and subscripts that pet reads.

    while (i < n && e > tol) { ...; i++; }     for (int turn = 0; turn < n; turn++) { if (!(e > tol)) break; ...; i++; }
    do { ... } while (++t < n);                for (int turn = 0; turn < (n > 0 ? n : 0) + 1; turn++) { ...; t = t + 1; }
    for (...) for (...) y[k++] = 2;            for (...) for (...) { y[i * m + j] = 2; k = k + 1; }

The statements are followed with what is known of integers. A loop is followed twice: once from symbols, `k@`, which shows
by how much each integer grows in one turn, and once from what it holds at the beginning of a turn. A condition that ends
the loop and grows by a number in each turn says how many turns there are. Assignments stay: where nobody reads an integer
any more, they are dropped later.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pycparser import c_ast

from polyad.pet.c_text.parse import walk
from polyad.pet.c_tree.closed_forms import Closed, Known, atom, closed_form, number
from polyad.pet.c_tree.effects import as_statements
from polyad.pet.c_tree.nodes import assign, block, has_effects, inverse, is_break, map_children, own_jumps, statements
from polyad.pet.c_tree.printed import expression_text

__all__ = ["Counters", "NotFollowed", "followed"]

_LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile)
_STEPS = {"p++": 1, "++": 1, "p--": -1, "--": -1}
_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!=", "==": "=="}


class NotFollowed(Exception):
    """The order of statements is not that of the text, or one name stands for two things at once."""


@dataclass(frozen=True, slots=True)
class Counters:
    """The integers of a function.

    Attributes:
        types: of at least 32 bits: name -> type.
        given: parameters that nothing changes.
    """

    types: Mapping[str, str]
    given: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Exit:
    """Where a loop ends.

    Attributes:
        place: of the statement among those of the body.
        whole: whether nothing else ends the loop there.
        start: what is above 0 while the loop goes on, in its first turn.
        rate: by how much that gets less in each turn.
        known: what integers hold there, in what they hold when a turn begins.
    """

    place: int
    whole: bool
    start: Closed
    rate: int
    known: Known


def followed(items: Sequence[c_ast.Node], counters: Counters) -> tuple[list[c_ast.Node], bool]:
    """The statements of a function as pet reads them, and whether they are others than before.

    Raises:
        NotFollowed: they stay as they are.
    """
    walker = _Walker(counters, items)
    known = {name: walker.name(name) for name in counters.given}
    result = walker.run(items, known)
    return result, walker.changed


class _Walker:
    def __init__(self, counters: Counters, items: Sequence[c_ast.Node]) -> None:
        self.counters, self.types = counters, counters.types
        self.changed = False
        self.positive = {str(a) for name in counters.given for a in self.name(name).atoms}
        self.names = {n.name for item in items for n, _ in walk(item) if isinstance(n, c_ast.ID | c_ast.Decl)}
        self.stepped = {name for item in items for name in _stepped(item)}

    def name(self, name: str) -> Closed:
        """A variable whose value is its own name; a signed number, as sums of what is counted are."""
        return atom(f"((long) {name})" if _unsigned(self.types[name]) else name)

    def run(self, items: Sequence[c_ast.Node], known: Known) -> list[c_ast.Node]:
        """The statements of a block, after which `known` is what is known behind it."""
        result: list[c_ast.Node] = []
        for item in items:
            for part in as_statements(item, self.types):
                self.changed |= part is not item
                result += self.statement(part, known)
        declared = {i.name for i in items if isinstance(i, c_ast.Decl)}
        for name in declared & known.keys():
            del known[name]
        return result

    def statement(self, item: c_ast.Node, known: Known) -> list[c_ast.Node]:
        match item:
            case c_ast.Compound(block_items=items):
                return [block(self.run(items or [], known), item)]
            case c_ast.If():
                return [self.condition(item, known)]
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                return self.loop(item, known)
            case c_ast.Decl(name=name, init=value):
                result = copy.copy(item)
                if value is not None and not isinstance(value, c_ast.InitList):
                    result.init = self.reads(value, known)
                self.set(name, value, known)
                return [result]
            case c_ast.Assignment(op=op, lvalue=target, rvalue=value):
                result = c_ast.Assignment(op, self.place(target, known), self.reads(value, known), item.coord)
                if isinstance(target, c_ast.ID):
                    if op in ("+=", "-="):
                        value = c_ast.BinaryOp(op[0], target, value)
                    self.set(target.name, value if op in ("=", "+=", "-=") else None, known)
                return [result]
            case c_ast.UnaryOp(op=op, expr=target) if op in _STEPS:
                if isinstance(target, c_ast.ID):
                    before = known.pop(target.name, None)
                    if before is not None:
                        known[target.name] = before + number(_STEPS[op])
                    return [item]
                return [c_ast.UnaryOp(op, self.place(target, known), item.coord)]
            case c_ast.Goto() | c_ast.Label() | c_ast.Switch():
                raise NotFollowed
            case c_ast.Pragma() | c_ast.EmptyStatement() | c_ast.Break() | c_ast.Continue():
                return [item]
            case _:
                return [self.reads(item, known)]

    def set(self, name: str, value: c_ast.Node | None, known: Known) -> None:
        """Note what an integer holds from here on."""
        found = closed_form(value, known) if name in self.types and value is not None else None
        known.pop(name, None)
        if found is not None:
            known[name] = found

    def condition(self, item: c_ast.If, known: Known) -> c_ast.If:
        before = dict(known)
        condition = self.reads(item.cond, known)
        then = self.run(statements(item.iftrue), known)
        others = dict(before)
        other = None if item.iffalse is None else self.run(statements(item.iffalse), others)
        if _leaves(statements(item.iftrue)):
            known.clear()
            known.update(others)
        elif item.iffalse is None or not _leaves(statements(item.iffalse)):
            for name in [n for n, v in known.items() if others.get(n) != v]:
                del known[name]
        return c_ast.If(
            condition, block(then, item), None if other is None else block(other, item.iffalse), item.coord
        )

    def reads(self, node: c_ast.Node, known: Known, *, subscript: bool = False) -> c_ast.Node:
        """An expression with what counted integers hold in place of their names.

        Unsigned ones stay outside of subscripts: what C does there depends on the type.
        """
        match node:
            case c_ast.ID(name=name) if name in self.stepped and name in known and name in self.types:
                if not subscript and _unsigned(self.types[name]):
                    return node
                self.changed = True
                return known[name].node()
            case c_ast.ArrayRef(name=array, subscript=index):
                whole = not any(isinstance(n, c_ast.BinaryOp) and n.op not in ("+", "-", "*") for n, _ in walk(index))
                return c_ast.ArrayRef(
                    self.reads(array, known), self.reads(index, known, subscript=whole), node.coord
                )
            case c_ast.UnaryOp(op="&" | "sizeof"):
                return node
            case c_ast.StructRef(name=inner):
                return c_ast.StructRef(self.reads(inner, known), node.type, node.field, node.coord)
            case _:
                return map_children(node, lambda child: self.reads(child, known, subscript=subscript))

    def place(self, target: c_ast.Node, known: Known) -> c_ast.Node:
        """What is assigned to, with subscripts that are known."""
        return target if isinstance(target, c_ast.ID) else self.reads(target, known)

    # loops

    def loop(self, item: c_ast.Node, known: Known) -> list[c_ast.Node]:
        """A loop, as one that counts where that can be."""
        header = self.header(item)
        if header is not None:
            return [self.counting(item, *header, known)]
        before: list[c_ast.Node] = []
        if isinstance(item, c_ast.For):
            init = item.init
            before = [] if init is None else list(init.decls) if isinstance(init, c_ast.DeclList) else [init]
        body = _turn(item)
        start = dict(known)
        first = self.run_open(before, start)
        found = None if body is None else self.counted(item, body, start)
        if found is None:
            for name in _assigned([item]):
                known.pop(name, None)
            return [item]
        self.changed = True
        known.clear()
        known.update(start)
        declared = {i.name for i in before if isinstance(i, c_ast.Decl)}
        for name in declared & known.keys():
            del known[name]
        result = [*first, *found]
        return [block(result, item)] if declared else result

    def run_open(self, items: Sequence[c_ast.Node], known: Known) -> list[c_ast.Node]:
        """Statements whose declarations go on behind them."""
        result = []
        for item in items:
            for part in as_statements(item, self.types):
                result += self.statement(part, known)
        return result

    def header(self, item: c_ast.Node) -> tuple[str, int] | None:
        """The variable and the step of a loop that counts as pet wants it."""
        if not isinstance(item, c_ast.For) or item.cond is None or has_effects(item.cond):
            return None
        match item.next:
            case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=name)) if op in _STEPS:
                step = _STEPS[op]
            case c_ast.Assignment(op="+=" | "-=" as op, lvalue=c_ast.ID(name=name), rvalue=value):
                by = closed_form(value, {})
                if by is None or not by.constant:
                    return None
                step = by.constant if op == "+=" else -by.constant
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=value):
                by = closed_form(value, {name: atom(name)})
                by = None if by is None else by - atom(name)
                if by is None or not by.constant:
                    return None
                step = by.constant
            case _:
                return None
        single = not isinstance(item.init, c_ast.ExprList) and not (
            isinstance(item.init, c_ast.DeclList) and len(item.init.decls) > 1
        )
        if item.init is None or not single or name in _assigned([item.stmt]) or name not in self.types:
            return None
        return (name, step) if any(self.bounds(c, name) for c in _conjuncts(item.cond)) else None

    def bounds(self, condition: c_ast.Node, name: str) -> bool:
        """Whether a condition compares a variable with what is no data."""
        parts = [n for n, _ in walk(condition)]
        compares = isinstance(condition, c_ast.BinaryOp) and condition.op in _MIRRORED
        names = {n.name for n in parts if isinstance(n, c_ast.ID)}
        return compares and name in names and not any(isinstance(n, c_ast.ArrayRef | c_ast.FuncCall) for n in parts)

    def counting(self, item: c_ast.For, name: str, step: int, known: Known) -> c_ast.For:
        """A loop that counts already, with what is known in it; what else ends it, by `break`."""
        for other in [n for n, v in known.items() if n != name and name in _words(" ".join(v.atoms))]:
            del known[other]
        init = copy.copy(item.init)
        declared = isinstance(init, c_ast.DeclList)
        if declared:
            value = init.decls[0].init
            init = c_ast.DeclList(self.statement(init.decls[0], known), init.coord)
        else:
            value = item.init.rvalue if isinstance(item.init, c_ast.Assignment) else None
            [init] = self.statement(item.init, known)
        first = known.pop(name, None)
        body = statements(item.stmt)
        assigned = _assigned(body)
        parts = _conjuncts(item.cond)
        kept = [c for c in parts if self.bounds(c, name) and not _named(c) & assigned]
        rest = [c for c in parts if c not in kept]
        if rest and kept and any(_named(c) & assigned or _data(c) for c in rest):
            self.changed = True
            body = [*(c_ast.If(inverse(c), block([c_ast.Break(item.coord)], item), None, item.coord) for c in rest), *body]
        else:
            kept = parts
        itself = self.name(name)
        growth = self.growth(body, {**known, name: itself}, assigned, item)
        self.positive -= itself.atoms
        if first is not None and step > 0 and self.is_positive(first):
            self.positive |= itself.atoms
        turns = None
        if first is not None:
            turns = (itself - first).times(1 if step > 0 else -1)
            if abs(step) != 1:
                turns = atom(f"(({expression_text(turns.node())}) / {abs(step)})")
        inside = {n: v for n, v in known.items() if n not in assigned}
        for other, by in growth.items():
            if not by.terms or turns is not None:
                inside[other] = known[other] + (by * turns if by.terms and turns is not None else number(0))
        inside[name] = itself
        written = self.run([block(body, item.stmt)], inside)
        outside = {n: v for n, v in known.items() if n not in assigned}
        condition = _all([self.reads(c, outside) for c in kept])
        count = self.turns(kept, name, step, first, outside)
        ended = any(own_jumps(body, c_ast.Break)) or any(isinstance(n, c_ast.Return) for b in body for n, _ in walk(b))
        for other in assigned & known.keys():
            start = known.pop(other)
            if other in growth and count is not None and not ended:
                known[other] = start + growth[other] * count
        if not declared and first is not None and count is not None and not ended:
            known[name] = first + count.times(step)
        return c_ast.For(init, condition, item.next, written[0], item.coord)

    def turns(
        self, conditions: Sequence[c_ast.Node], name: str, step: int, first: Closed | None, known: Known
    ) -> Closed | None:
        """How often a loop that counts turns."""
        if len(conditions) != 1 or first is None or not isinstance(conditions[0], c_ast.BinaryOp):
            return None
        condition = conditions[0]
        outer = {n: v for n, v in known.items() if n != name}
        left, right = (closed_form(side, {**outer, name: atom("@")}) for side in (condition.left, condition.right))
        if left is None or right is None:
            return None
        left, op = left - right, condition.op
        by = left.terms.get(("@",), 0)
        rest = left - atom("@").times(by)
        if abs(by) != 1 or any("@" in str(a) for a in rest.atoms):
            return None
        start = _positive(rest + first.times(by), op, by * step)
        return None if start is None else self.count(start, abs(by * step))

    def count(self, start: Closed, rate: int) -> Closed:
        """How often a number that gets less by `rate` is above 0."""
        if rate == 1 and self.is_positive(start):
            return start
        text = expression_text(start.node())
        if start.constant is not None:
            return number(max(0, -(-start.constant // rate)))
        if rate == 1:
            return atom(f"(({text}) > 0 ? ({text}) : 0)")
        return atom(f"(({text}) > 0 ? (({text}) + {rate - 1}) / {rate} : 0)")

    def is_positive(self, value: Closed) -> bool:
        """Whether a number is 0 or more, as sizes are."""
        return all(count >= 0 for count in value.terms.values()) and value.atoms <= self.positive

    def growth(
        self, body: Sequence[c_ast.Node], known: Known, assigned: set[str], item: c_ast.Node
    ) -> dict[str, Closed]:
        """By how much integers grow in one turn, where that is the same in each, of those that are known before."""
        changed, self.changed = self.changed, False
        symbols = {n: atom(f"{n}@") for n in assigned if n in self.types and n in known}
        inside = {**{n: v for n, v in known.items() if n not in assigned}, **symbols}
        self.run([block(list(body), item)], inside)
        self.changed = changed
        skipped = any(own_jumps(list(body), c_ast.Continue))
        found = {n: inside[n] - s for n, s in symbols.items() if n in inside}
        here = {name for name in (self.header(item) or ())[:1]}
        return {
            n: by
            for n, by in found.items()
            if not skipped and not any("@" in str(a) or _words(str(a)) & here for a in by.atoms)
        }

    def counted(self, item: c_ast.Node, body: list[c_ast.Node], known: Known) -> list[c_ast.Node] | None:
        """A loop without an end, with one; None where nothing says how often it turns."""
        body = [p for s in body for one in _apart(s) for p in as_statements(one, self.types)]
        assigned = _assigned(body)
        growth = self.growth(body, known, assigned, item)
        end = self.exit(body, known, growth)
        if end is None:
            return None
        turn = "turn"
        while turn in self.names:
            turn += "_"
        self.names.add(turn)
        wide = any(t != "int" for n, t in self.types.items() if n in assigned)
        self.positive.add(turn)
        inside = {n: v for n, v in known.items() if n not in assigned}
        inside |= {n: known[n] + by * atom(turn) for n, by in growth.items()}
        place, jumps = end.place, [b for i, b in enumerate(body) if i != end.place]
        ended = any(own_jumps(jumps, c_ast.Break)) or any(isinstance(n, c_ast.Return) for b in body for n, _ in walk(b))
        ahead = body[:place]
        counting = [a for a in ahead if not is_break(a)]
        moved = all(self.only_counts(a) for a in counting) and not (counting and ended)
        exact = end.whole and moved and not any(has_effects(a.cond) for a in ahead if is_break(a))
        last = end.whole and place == len(body) - 1
        kept = [*body[:place], *body[place + 1 :]] if exact or last else body
        bound = end.start
        if not exact:
            bound = self.count(end.start, 1) + number(end.rate)
        left: c_ast.Node = c_ast.ID(turn)
        if end.rate != 1:
            left = c_ast.BinaryOp("*", c_ast.Constant("int", str(end.rate)), left)
        written = self.run([block(kept, item)], inside)
        for name in assigned & known.keys():
            del known[name]
        behind: list[c_ast.Node] = []
        if not ended and (end.whole or place == len(body) - 1):
            for name, value in end.known.items():
                if name in assigned and name in growth:
                    known[name] = value
                    if exact and any(name in _assigned([a]) for a in counting):
                        behind.append(assign(c_ast.ID(name), "=", value.node(), item))
        declaration = c_ast.Decl(
            turn, [], [], [], [], c_ast.TypeDecl(turn, [], None, c_ast.IdentifierType(["long" if wide else "int"])),
            c_ast.Constant("int", "0"), None, item.coord,
        )
        loop = c_ast.For(
            c_ast.DeclList([declaration], item.coord),
            c_ast.BinaryOp("<", left, bound.node()),
            c_ast.UnaryOp("p++", c_ast.ID(turn)),
            written[0],
            item.coord,
        )
        return [loop, *behind]

    def only_counts(self, item: c_ast.Node) -> bool:
        """Whether a statement does nothing but count an integer."""
        target = item.lvalue if isinstance(item, c_ast.Assignment) else getattr(item, "expr", None)
        kinds = isinstance(item, c_ast.Assignment) or (isinstance(item, c_ast.UnaryOp) and item.op in _STEPS)
        return kinds and isinstance(target, c_ast.ID) and target.name in self.types

    def exit(self, body: Sequence[c_ast.Node], known: Known, growth: Mapping[str, Closed]) -> _Exit | None:
        """The first condition at the top of a body that ends the loop after a number of turns that is known."""
        assigned = _assigned(body)
        symbols = {n: atom(f"{n}@") for n in growth}
        inside = {**{n: v for n, v in known.items() if n not in assigned}, **symbols}
        changed = self.changed
        try:
            for place, item in enumerate(body):
                if is_break(item):
                    for condition in _disjuncts(item.cond):
                        found = self.ends(condition, inside, known, growth)
                        if found is not None:
                            start, rate = found
                            total = self.count(start, rate)
                            whole = len(_disjuncts(item.cond)) == 1
                            there = {
                                n: self.at(v, known, growth, total) for n, v in inside.items() if n in assigned
                            }
                            return _Exit(place, whole, start, rate, there)
                for part in as_statements(item, self.types):
                    self.statement(part, inside)
        finally:
            self.changed = changed
        return None

    def at(self, value: Closed, known: Known, growth: Mapping[str, Closed], turn: Closed) -> Closed:
        """A value in what integers hold when a turn begins, at a turn."""
        result = Closed({})
        for product, count in value.terms.items():
            term = number(count)
            for factor in product:
                name = str(factor).removesuffix("@")
                term *= known[name] + growth[name] * turn if str(factor) == f"{name}@" else atom(str(factor))
            result += term
        return result

    def ends(
        self, condition: c_ast.Node, inside: Known, known: Known, growth: Mapping[str, Closed]
    ) -> tuple[Closed, int] | None:
        """What is above 0 until a condition holds, and by how much it gets less in each turn."""
        goes_on = False
        if isinstance(condition, c_ast.UnaryOp) and condition.op == "!":
            condition, goes_on = condition.expr, True
        if not isinstance(condition, c_ast.BinaryOp) or condition.op not in _MIRRORED:
            if not goes_on or closed_form(condition, inside) is None:
                return None
            condition = c_ast.BinaryOp("!=", condition, c_ast.Constant("int", "0"))
        left, right = closed_form(condition.left, inside), closed_form(condition.right, inside)
        if left is None or right is None:
            return None
        op = condition.op if goes_on else _OPPOSITE[condition.op]
        difference = left - right
        if any("@" in str(a) and not str(a).endswith("@") for a in difference.atoms):
            return None
        if any(len(p) > 1 and any("@" in str(a) for a in p) for p in difference.terms):
            return None
        first = self.at(difference, known, growth, number(0))
        rate = (self.at(difference, known, growth, number(1)) - first).constant
        if not rate:
            return None
        start = _positive(first, op, rate)
        return None if start is None else (start, abs(rate))


def _positive(first: Closed, op: str, rate: int) -> Closed | None:
    """What is above 0 while `first + turn * rate` compares so with 0."""
    if op == "!=" and abs(rate) == 1:
        op = "<" if rate > 0 else ">"
    match op, rate > 0:
        case "<", True:
            return first.times(-1)
        case "<=", True:
            return number(1) - first
        case ">", False:
            return first
        case ">=", False:
            return first + number(1)
        case _:
            return None


def _turn(item: c_ast.Node) -> list[c_ast.Node] | None:
    """One turn of a loop, with the conditions that end it; None where `continue` leaves a part of it out."""
    body = statements(item.stmt)
    skips = any(own_jumps(body, c_ast.Continue))
    ends = [] if item.cond is None else [
        c_ast.If(inverse(c), block([c_ast.Break(item.coord)], item), None, item.coord) for c in _conjuncts(item.cond)
    ]
    ends = [e for e in ends if not _is_false(e.cond)]
    if isinstance(item, c_ast.DoWhile):
        return None if skips else [*body, *ends]
    if isinstance(item, c_ast.For) and item.next is not None:
        return None if skips else [*ends, *body, item.next]
    return [*ends, *body]


def _apart(item: c_ast.Node) -> list[c_ast.Node]:
    """`if (a || b) break;` as two statements."""
    if not is_break(item):
        return [item]
    return [c_ast.If(c, item.iftrue, None, item.coord) for c in _disjuncts(item.cond)]


def _is_false(condition: c_ast.Node) -> bool:
    """Whether a condition is `!(1)`."""
    inner = condition.expr if isinstance(condition, c_ast.UnaryOp) and condition.op == "!" else None
    return isinstance(inner, c_ast.Constant) and inner.value not in ("0",)


def _conjuncts(condition: c_ast.Node) -> list[c_ast.Node]:
    if isinstance(condition, c_ast.BinaryOp) and condition.op == "&&":
        return [*_conjuncts(condition.left), *_conjuncts(condition.right)]
    return [condition]


def _disjuncts(condition: c_ast.Node) -> list[c_ast.Node]:
    if isinstance(condition, c_ast.BinaryOp) and condition.op == "||":
        return [*_disjuncts(condition.left), *_disjuncts(condition.right)]
    return [condition]


def _all(conditions: Sequence[c_ast.Node]) -> c_ast.Node:
    result = conditions[0]
    for condition in conditions[1:]:
        result = c_ast.BinaryOp("&&", result, condition)
    return result


def _assigned(items: Sequence[c_ast.Node]) -> set[str]:
    """The variables that statements set or declare."""
    found = set()
    for item in items:
        for node, _ in walk(item):
            if isinstance(node, c_ast.Assignment) and isinstance(node.lvalue, c_ast.ID):
                found.add(str(node.lvalue.name))
            elif isinstance(node, c_ast.UnaryOp) and node.op in _STEPS and isinstance(node.expr, c_ast.ID):
                found.add(str(node.expr.name))
            elif isinstance(node, c_ast.Decl):
                found.add(str(node.name))
    return found


def _stepped(item: c_ast.Node) -> Iterator[str]:
    """The variables that are set in loops, but by more than the head of a loop."""
    for node, _ in walk(item):
        match node:
            case c_ast.For(next=step, cond=condition, stmt=body):
                yield from _assigned([body, *([condition] if condition is not None else [])])
                if isinstance(step, c_ast.ExprList):
                    yield from _assigned([step])
            case c_ast.While() | c_ast.DoWhile():
                yield from _assigned([node.cond, node.stmt])


def _named(node: c_ast.Node) -> set[str]:
    return {n.name for n, _ in walk(node) if isinstance(n, c_ast.ID)}


def _data(node: c_ast.Node) -> bool:
    return any(isinstance(n, c_ast.ArrayRef | c_ast.FuncCall) for n, _ in walk(node))


def _leaves(items: Sequence[c_ast.Node]) -> bool:
    return bool(items) and isinstance(items[-1], c_ast.Break | c_ast.Continue | c_ast.Return)


def _unsigned(kind: str) -> bool:
    return kind.startswith("unsigned")


def _words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))
