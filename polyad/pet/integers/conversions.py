"""Conversions of integers in C that change a value: modelled, proved to be none, or refused.

    for (int i = 0; i < n; i++)  if (i - 3 < k)       unsigned k: C takes i - 3 for 4294967293 where i is 0

A function is read from its beginning on, with what loops and conditions say of its integers. Small sizes for which an
unsigned number would pass 0, `n - 1` of none, are no sizes of the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import islpy as isl
from pycparser import c_ast

from polyad.errors import ExtractionError
from polyad.islx import LOCK
from polyad.pet.c_text.definitions import CText
from polyad.pet.c_text.outside import target_of
from polyad.pet.c_text.parse import parameters_of
from polyad.pet.integers.kinds import LARGEST_SIZE, MATHEMATICAL, element, range_of
from polyad.pet.integers.mathematical import set_by_statements, set_once
from polyad.pet.integers.proofs import Atom, Fact, LinearSum, OutOfRange, counterexample
from polyad.pet.integers.reader import Reader, Value, Variable, fits, shown
from polyad.pet.refusal import refusal

__all__ = ["Conversions", "conversions_of"]

_Facts = tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Conversions:
    """The effects of conversions in a function.

    Attributes:
        problems: (line, error) where one changes a value.
        excluded: (line, [sizes] -> { : ... }): small sizes for which one would.
    """

    problems: tuple[tuple[int, ExtractionError], ...] = ()
    excluded: tuple[tuple[int, isl.Set], ...] = ()


def conversions_of(
    text: CText, tree: c_ast.FuncDef, mathematical: frozenset[str], returned: Mapping[str, int], *, is_called: bool
) -> Conversions:
    """Look at all conversions of a function.

    Args:
        text: the C file.
        tree: the function.
        mathematical: its integers that pet sees as numbers without end.
        returned: functions of the file -> the type that each returns.
        is_called: whether the loop nest calls it, so that its numbers are no sizes.
    """
    with LOCK:
        walker = _Walker(text, mathematical, set_once(tree), set_by_statements(tree.body))
        walker.reader = Reader(text, walker.demand, walker.within, walker.scope, returned)
        facts: _Facts = ()
        for parameter in parameters_of(tree):
            if parameter.name:
                facts += walker.declare(parameter, facts, is_size=not is_called)
        walker.statement(tree.body, facts)
        return Conversions(tuple(walker.problems), tuple(walker.excluded))


@dataclass(slots=True)
class _Walker:
    """Walks over the statements of a function."""

    text: CText
    mathematical: frozenset[str]
    set_once: frozenset[str]
    assigned: frozenset[str]
    scope: dict[str, Variable] = field(default_factory=dict)
    line: int = 0
    count: int = 0
    problems: list[tuple[int, ExtractionError]] = field(default_factory=list)
    excluded: list[tuple[int, isl.Set]] = field(default_factory=list)
    reader: Reader = field(init=False)

    def within(self, bits: int, number: LinearSum, facts: _Facts) -> bool:
        """Whether a number is one of a type."""
        return counterexample(number, *fits(bits, number), facts) is None

    def demand(self, node: c_ast.Node, read: Value, bits: int, facts: _Facts) -> None:
        """Note where a value, as one of a type, is another one than what pet sees; 0 stands for a fraction."""
        kind = read.bits if read.bits > 0 else bits
        if read.bits == 0 or kind <= 0:
            return
        self.note(node, read, counterexample(read.number, *fits(kind, read.number), facts), kind)

    def note(self, node: c_ast.Node, read: Value, found: OutOfRange | None, kind: int) -> None:
        """Note that a value leaves the range of a type."""
        if found is None:
            return
        if found.sizes is not None:
            self.excluded.append((self.line, found.sizes))
            return
        at = ", ".join(f"{text} = {value}" for text, value in found.at.items() if text != shown(node))
        there = f", for one where {at}" if at else ""
        instance = f"is {found.value}" if not found.at else f"can be {found.value}{there}"
        sentence = (
            f"`{shown(node)}` {instance}, which C takes for {_as_type(kind, found.value)} here, where it is "
            f"{'unsigned' if kind > 0 else 'signed'}; compute and compare in `int` or `long`, by a cast of the "
            "unsigned side, make an unsigned variable an `int`, or exclude it by a condition"
        )
        self.problems.append((self.line, refusal(self.text.path, self.line, "unsigned", sentence)))

    def declare(self, node: c_ast.Decl, facts: _Facts, *, is_size: bool = False) -> _Facts:
        """Make a variable visible; returns what its declaration says of it."""
        bits = element(self.text, node.type, self.line)
        is_scalar = isinstance(node.type, c_ast.TypeDecl)
        seen = MATHEMATICAL if is_scalar and bits >= 32 and node.name in self.mathematical else bits
        self.count += 1
        if bits:
            least, most = (0, LARGEST_SIZE) if is_size else range_of(bits)
            if seen != bits and node.name in self.set_once:
                least = -most  # what it is set to, which may pass 0
            atom = Atom(node.name, least, most, frozenset({node.name}), is_size and is_scalar, number=-self.count)
            self.scope[node.name] = Variable(bits, seen, is_scalar, atom)
        else:
            self.scope.pop(node.name, None)
        if node.init is None or isinstance(node.init, c_ast.InitList):
            return ()
        value = self.reader.value(node.init, facts)
        if not is_scalar:
            return ()
        known = node.name in self.set_once and bits and value.bits
        if not known or seen == bits:
            self.stored(node.init, value, bits, bits, True, facts)
        if known and (seen != bits or counterexample(value.number, *range_of(bits), facts) is None):
            return ((LinearSum(0, {self.scope[node.name].atom: 1}).plus(value.number, -1), "= 0"),)
        return ()

    def stored(self, node: c_ast.Node, value: Value, bits: int, seen: int, is_scalar: bool, facts: _Facts) -> None:
        """A value becomes that of a variable or an element."""
        if bits == 32 == seen and (value.by_data or not is_scalar) and abs(value.bits) <= 32:
            return  # modelled: what is stored comes back at the other end
        comes_back = value.seen == value.bits > 0 and not value.by_data
        if bits < 0 and abs(bits) <= value.bits and comes_back:
            self.note(node, value, counterexample(value.number, *range_of(bits), facts), bits)
        if bits >= 0 or abs(bits) > abs(value.bits):
            self.reader.demand(node, value, bits if bits >= 0 else value.bits, facts)

    def kept(self, facts: _Facts) -> _Facts:
        """Facts that statements do not change."""
        return tuple(fact for fact in facts if not fact[0].names & self.assigned)

    def statement(self, node: c_ast.Node | None, facts: _Facts) -> _Facts:
        """Look at a statement; returns what is known behind it."""
        if node is None:
            return facts
        if node.coord is not None:
            self.line = node.coord.line
        match node:
            case c_ast.Compound(block_items=items):
                outer, before = dict(self.scope), facts
                for item in items or []:
                    before = self.statement(item, before)
                self.restore(outer)
                return facts
            case c_ast.DeclList(decls=declared):
                for one in declared:
                    facts += self.kept(self.declare(one, facts))
                return facts
            case c_ast.Decl():
                return facts + self.kept(self.declare(node, facts))
            case c_ast.If(cond=condition, iftrue=then, iffalse=other):
                self.condition(condition, facts)
                where = [facts + self.kept(self.reader.facts(condition, holds, facts)) for holds in (True, False)]
                self.statement(then, where[0])
                self.statement(other, where[1])
                return where[1] if _leaves(then) else facts
            case c_ast.For():
                outer = dict(self.scope)
                self.loop(node, facts)
                self.restore(outer)
                return facts
            case c_ast.While(cond=condition, stmt=body) | c_ast.DoWhile(cond=condition, stmt=body):
                self.condition(condition, facts)
                self.statement(body, facts + self.kept(self.reader.facts(condition, True, facts)))
                return facts
            case c_ast.Assignment() | c_ast.UnaryOp(op="p++" | "p--" | "++" | "--"):
                self.assignment(node, facts)
                return facts
            case c_ast.Label(stmt=inner):
                return self.statement(inner, facts)
            case c_ast.Return(expr=inner) if inner is not None:
                self.reader.value(inner, facts)
                return facts
            case c_ast.ExprList(exprs=parts):
                for part in parts:
                    self.statement(part, facts)
                return facts
            case c_ast.FuncCall():
                self.reader.value(node, facts)
                return facts
            case _:
                for child in node:
                    self.statement(child, facts)
                return facts

    def restore(self, outer: dict[str, Variable]) -> None:
        """Forget the variables of a block."""
        self.scope.clear()
        self.scope.update(outer)

    def condition(self, node: c_ast.Node | None, facts: _Facts) -> None:
        """Look at a condition of a statement: pet makes a set of it."""
        if node is not None:
            self.reader.in_condition = True
            self.reader.value(node, facts)
            self.reader.in_condition = False

    def loop(self, node: c_ast.For, facts: _Facts) -> None:
        """A loop: what its variable begins with, and its condition, hold inside."""
        facts = self.statement(node.init, facts) if isinstance(node.init, c_ast.DeclList) else facts
        counter, upwards = _counted(node.next)
        known = self.scope.get(counter)
        inside = facts
        if known is not None and known.is_scalar and counter not in self.assigned:
            inside = tuple(f for f in facts if known.atom not in f[0].terms)
            start = _start(node.init, counter)
            if start is not None:
                begin = self.reader.value(start, inside)
                if not isinstance(node.init, c_ast.DeclList):
                    self.stored(start, begin, known.bits, known.seen, True, inside)
                difference = LinearSum(0, {known.atom: 1}).plus(begin.number, -1)
                if begin.bits and upwards:
                    inside += ((difference.times(upwards), ">= 0"),)
        self.condition(node.cond, inside)
        body = inside + self.kept(self.reader.facts(node.cond, True, inside)) if node.cond is not None else inside
        self.statement(node.stmt, body)
        if node.next is not None:
            self.line = node.next.coord.line if node.next.coord is not None else self.line
            self.statement(node.next, body)

    def assignment(self, node: c_ast.Node, facts: _Facts) -> None:
        """x = e, x op= e, x++."""
        target, op, right = _parts(node)
        value = self.reader.value(right, facts)
        bits, seen, is_scalar, old = self.target(target, facts)
        if op:
            both = c_ast.BinaryOp(op, target, right, node.coord)
            if not old.bits or not value.bits:
                self.reader.demand(right, value, 0, facts)
                return
            if isinstance(right, c_ast.Constant) and op in "+" and (bits > 0):
                return  # it counts; no loop counts to the end
            value, right = self.reader.binary(both, op, target, right, facts), both
        self.stored(right, value, bits, seen, is_scalar, facts)

    def target(self, node: c_ast.Node, facts: _Facts) -> tuple[int, int, bool, Value]:
        """Return the type of a target, the type that pet sees, whether it is a variable, and its value before."""
        old = self.reader.value(node, facts)
        base = node
        while isinstance(base, c_ast.ArrayRef):
            base = base.name
        known = self.scope.get(base.name) if isinstance(base, c_ast.ID) else None
        if known is None:
            return 0, 0, isinstance(node, c_ast.ID), old
        return known.bits, known.seen, isinstance(node, c_ast.ID), old


def _as_type(bits: int, value: int) -> int:
    """The number of a type that C makes of a number."""
    least, _ = range_of(bits)
    return int((value - least) % 2 ** abs(bits) + least)


def _parts(node: c_ast.Node) -> tuple[c_ast.Node, str, c_ast.Node]:
    """The target, the operation and the value of an assignment."""
    if isinstance(node, c_ast.UnaryOp):
        return node.expr, node.op[-1], c_ast.Constant("int", "1", node.coord)
    return node.lvalue, node.op[:-1], node.rvalue


def _counted(step: c_ast.Node | None) -> tuple[str, int]:
    """The variable of a loop, and whether it grows (1) or falls (-1); 0 if that is not seen."""
    target = target_of(step) if step is not None else None
    if not isinstance(target, c_ast.ID):
        return "", 0
    match step:
        case c_ast.UnaryOp(op=op):
            return target.name, 1 if "+" in op else -1
        case c_ast.Assignment(op="+=" | "-=" as op, rvalue=c_ast.Constant()):
            return target.name, 1 if op == "+=" else -1
        case c_ast.Assignment(
            op="=", rvalue=c_ast.BinaryOp(op="+" | "-" as op, left=c_ast.ID(name=name), right=c_ast.Constant())
        ):
            return target.name, (1 if op == "+" else -1) if name == target.name else 0
        case _:
            return target.name, 0


def _start(init: c_ast.Node | None, counter: str) -> c_ast.Node | None:
    match init:
        case c_ast.DeclList(decls=declared):
            return next((d.init for d in declared if d.name == counter), None)
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=value) if name == counter:
            return value
        case _:
            return None


def _leaves(node: c_ast.Node | None) -> bool:
    """Whether nothing behind a statement runs in the same turn."""
    if isinstance(node, c_ast.Compound):
        return bool(node.block_items) and _leaves(node.block_items[-1])
    return isinstance(node, c_ast.Continue | c_ast.Break | c_ast.Return)
