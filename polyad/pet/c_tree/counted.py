"""Loops that count in any way, and integers that are counted on the way, as loops and subscripts that pet reads.

    while (i < n && e > t) { ...; i++; }     for (int turn = 0; turn < n; turn++) { if (!(e > t)) break; ...; i++; }
    do { ... } while (++t < n);              for (int turn = 0; turn < (n > 0 ? n : 0) + 1; turn++) { ...; t = t + 1; }
    for (...) for (...) y[k++] = 2;          for (...) for (...) { y[i * m + j] = 2; k = k + 1; }

A loop is followed twice: once from symbols, `k@`, which shows by how much each integer grows in one turn, and once from
what it holds at the beginning of a turn. A condition that ends the loop, and grows by a number in each turn, says how
many turns there are.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from polyad.pet.c_text.names import new_name
from polyad.pet.c_text.parse import walk
from polyad.pet.c_tree.closed_forms import Closed, Known, atom, closed_form, number
from polyad.pet.c_tree.known_values import Counters, Follower
from polyad.pet.c_tree.loop_parts import (
    apart,
    before_counter,
    conjunction,
    conjuncts,
    disjuncts,
    is_data,
    names_assigned,
    names_in,
    one_turn,
    words_of,
)
from polyad.pet.c_tree.nodes import STEPS, assign, block, has_effects, inverse, is_break, own_jumps, statements
from polyad.pet.c_tree.printed import expression_text

__all__ = ["followed"]

_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!=", "==": "=="}


@dataclass(frozen=True, slots=True)
class _Exit:
    """The end of a loop.

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
    walker = _Loops(counters, items)
    known = {name: walker.name(name) for name in counters.given}
    result = walker.run(items, known)
    return result, walker.changed


class _Loops(Follower):
    """Follows loops."""

    def loop(self, item: c_ast.Node, known: Known) -> list[c_ast.Node]:
        """A loop, as one that counts where that can be."""
        early, alone = before_counter(item)
        header = self.header(alone)
        if header is not None:
            self.changed |= bool(early)
            return [*self.run_open(early, known), self.counting(alone, *header, known)]
        before: list[c_ast.Node] = []
        if isinstance(item, c_ast.For) and item.init is not None:
            before = list(item.init.decls) if isinstance(item.init, c_ast.DeclList) else [item.init]
        body = one_turn(item)
        start = dict(known)
        first = self.run_open(before, start)
        found = None if body is None else self.counted(item, body, start)
        if found is None:
            for name in names_assigned([item]):
                known.pop(name, None)
            return [item]
        self.changed = True
        known.clear()
        known.update(start)
        declared = {i.name for i in before if isinstance(i, c_ast.Decl)}
        for name in declared & known.keys():
            del known[name]
        items = [*first, *(s for s in found if not names_assigned([s]) <= declared or s is found[0])]
        return [block(items, item)] if declared else items

    def run_open(self, items: Sequence[c_ast.Node], known: Known) -> list[c_ast.Node]:
        """Statements whose declarations go on behind them."""
        result = []
        for item in items:
            result += [s for part in self.parts(item) for s in self.statement(part, known)]
        return result

    def header(self, item: c_ast.Node) -> tuple[str, int] | None:
        """The variable and the step of a loop that counts as pet wants it."""
        if not isinstance(item, c_ast.For) or item.cond is None or has_effects(item.cond):
            return None
        match item.next:
            case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=name)) if op in STEPS:
                step = STEPS[op]
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
        if item.init is None or not single or name in names_assigned([item.stmt]) or name not in self.types:
            return None
        return (name, step) if any(self.bounds(c, name) for c in conjuncts(item.cond)) else None

    def bounds(self, condition: c_ast.Node, name: str) -> bool:
        """Whether a condition compares a variable with what is no data."""
        parts = [n for n, _ in walk(condition)]
        compares = isinstance(condition, c_ast.BinaryOp) and condition.op in _MIRRORED
        names = {n.name for n in parts if isinstance(n, c_ast.ID)}
        return compares and name in names and not any(isinstance(n, c_ast.ArrayRef | c_ast.FuncCall) for n in parts)

    def counting(self, item: c_ast.For, name: str, step: int, known: Known) -> c_ast.For:
        """A loop that counts already, with what is known in it; what else ends it, by `break`."""
        for other in [n for n, v in known.items() if n != name and name in words_of(" ".join(v.atoms))]:
            del known[other]
        init = copy.copy(item.init)
        declared = isinstance(init, c_ast.DeclList)
        if declared:
            init = c_ast.DeclList(self.statement(init.decls[0], known), init.coord)
        else:
            [init] = self.statement(item.init, known)
        first = known.pop(name, None)
        body = statements(item.stmt)
        assigned = names_assigned(body)
        parts = conjuncts(item.cond)
        kept = [c for c in parts if self.bounds(c, name) and not names_in(c) & assigned]
        rest = [c for c in parts if c not in kept]
        if rest and kept and any(names_in(c) & assigned or is_data(c) for c in rest):
            self.changed = True
            body = [
                *(c_ast.If(inverse(c), block([c_ast.Break(item.coord)], item), None, item.coord) for c in rest),
                *body,
            ]
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
        condition = conjunction([self.reads(c, outside) for c in kept])
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
        tag = self.tag()
        symbols = {n: atom(f"{n}{tag}") for n in assigned if n in self.types and n in known}
        inside = {**{n: v for n, v in known.items() if n not in assigned}, **symbols}
        self.run([block(list(body), item)], inside)
        self.changed = changed
        skip = next((i for i, b in enumerate(body) if any(own_jumps([b], c_ast.Continue))), len(body))
        skipped = names_assigned(body[skip:])  # not in all turns
        found = {n: inside[n] - s for n, s in symbols.items() if n in inside}
        here = set((self.header(item) or ())[:1])
        return {
            n: by
            for n, by in found.items()
            if n not in skipped and not any(tag in str(a) or words_of(str(a)) & here for a in by.atoms)
        }

    def counted(self, item: c_ast.Node, body: list[c_ast.Node], known: Known) -> list[c_ast.Node] | None:
        """A loop without an end, with one; None where nothing says how often it turns."""
        body = [p for s in body for one in apart(s) for p in self.parts(one)]
        assigned = names_assigned(body)
        growth = self.growth(body, known, assigned, item)
        end = self.exit(body, known, growth)
        if end is None:
            return None
        turn = new_name("turn", self.names)
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
                    if exact and any(name in names_assigned([a]) for a in counting):
                        behind.append(assign(c_ast.ID(name), "=", value.node(), item))
        declaration = c_ast.Decl(
            turn,
            [],
            [],
            [],
            [],
            c_ast.TypeDecl(turn, [], None, c_ast.IdentifierType(["long" if wide else "int"])),
            c_ast.Constant("int", "0"),
            None,
            item.coord,
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
        kinds = isinstance(item, c_ast.Assignment) or (isinstance(item, c_ast.UnaryOp) and item.op in STEPS)
        return kinds and isinstance(target, c_ast.ID) and target.name in self.types

    def tag(self) -> str:
        """Return the ending of the symbols of one pass: those of the loops around it are others."""
        self.passes += 1
        return f"@{self.passes}@"

    def exit(self, body: Sequence[c_ast.Node], known: Known, growth: Mapping[str, Closed]) -> _Exit | None:
        """The first condition at the top of a body that ends the loop after a number of turns that is known."""
        assigned = names_assigned(body)
        tag = self.tag()
        symbols = {n: atom(f"{n}{tag}") for n in growth}
        inside = {**{n: v for n, v in known.items() if n not in assigned}, **symbols}
        changed = self.changed
        try:
            for place, item in enumerate(body):
                if is_break(item):
                    for condition in disjuncts(item.cond):
                        found = self.ends(condition, inside, known, growth, tag)
                        if found is not None:
                            start, rate = found
                            total = self.count(start, rate)
                            whole = len(disjuncts(item.cond)) == 1
                            there = {
                                n: self.at(v, known, growth, total, tag) for n, v in inside.items() if n in assigned
                            }
                            return _Exit(place, whole, start, rate, there)
                for part in self.parts(item):
                    self.statement(part, inside)
        finally:
            self.changed = changed
        return None

    def at(self, value: Closed, known: Known, growth: Mapping[str, Closed], turn: Closed, tag: str) -> Closed:
        """A value in what integers hold when a turn begins, at a turn."""
        result = Closed({})
        for product, count in value.terms.items():
            term = number(count)
            for factor in product:
                name = str(factor).removesuffix(tag)
                term *= known[name] + growth[name] * turn if str(factor) == f"{name}{tag}" else atom(str(factor))
            result += term
        return result

    def ends(
        self, condition: c_ast.Node, inside: Known, known: Known, growth: Mapping[str, Closed], tag: str
    ) -> tuple[Closed, int] | None:
        """Return a number that is above 0 until a condition holds, and by how much it gets less in each turn."""
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
        if any(tag in str(a) and not str(a).endswith(tag) for a in difference.atoms):
            return None
        if any(len(p) > 1 and any(tag in str(a) for a in p) for p in difference.terms):
            return None
        first = self.at(difference, known, growth, number(0), tag)
        rate = (self.at(difference, known, growth, number(1), tag) - first).constant
        if not rate:
            return None
        start = _positive(first, op, rate)
        return None if start is None else (start, abs(rate))


def _positive(first: Closed, op: str, rate: int) -> Closed | None:
    """Return a number that is above 0 while `first + turn * rate` compares so with 0."""
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
