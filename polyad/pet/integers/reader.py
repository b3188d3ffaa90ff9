"""Integer expressions of C, read with their types: what C computes, and what is computed of what pet sees.

pet sees sizes and loop variables as numbers without end. So a sum of them may pass 0 where C's comes back at the other
end, and that is right as long as nobody looks: a comparison, a quotient, a wider type, a fraction. There the number has
to lie in the range of its type, for all sizes, or what is computed must come back at the other end, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from pycparser import c_ast, c_generator

from polyad.pet.c_text.definitions import CText
from polyad.pet.integers.kinds import INT, MATHEMATICAL, common, element, literal, promoted, range_of
from polyad.pet.integers.proofs import Atom, Fact, LinearSum

__all__ = ["Reader", "Value", "Variable", "fits"]

_COMPARED = {"<": (-1, 1, -1), "<=": (-1, 1, 0), ">": (1, -1, -1), ">=": (1, -1, 0)}
"""Operator -> factors of both sides, and the constant, of what is at least 0 where it holds."""
_TRUTHS = ("==", "!=", "&&", "||", *_COMPARED)
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_WHOLE = frozenset({"abs", "labs", "llabs", "min", "max", "floord", "ceild"})
"""Functions of integers."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a function.

    Attributes:
        bits: the C type of the number, or of the elements.
        seen: the type in which pet sees it: that of numbers without end, for sizes and loop variables.
        is_scalar: whether it is a number.
        atom: it, where it is a number.
    """

    bits: int
    seen: int
    is_scalar: bool
    atom: Atom


@dataclass(frozen=True, slots=True)
class Value:
    """The type and the value of an expression.

    Attributes:
        bits: its C type; 0 where it is no integer.
        seen: the type in which it is computed of what pet sees.
        number: its value, without end.
        by_data: whether pet leaves it as an expression, whose types are looked at later on.
    """

    bits: int
    seen: int = INT
    number: LinearSum = field(default_factory=lambda: LinearSum(0))
    by_data: bool = False


Demand = Callable[[c_ast.Node, Value, int, "tuple[Fact, ...]"], None]
"""Asks for the value of an expression as a number of a type."""


def fits(bits: int, number: LinearSum) -> tuple[int, int | None]:
    """The range of a type; sums of sizes and loop variables are never too large."""
    least, most = range_of(bits)
    return least, most if number.is_data and abs(bits) < 64 else None


@dataclass(slots=True)
class Reader:
    """Reads expressions of one function.

    Attributes:
        text: the C file.
        demand: what is asked of a value that is looked at.
        within: whether a number is one of a type.
        scope: the variables that are visible.
        in_condition: whether pet makes sets of what is read.
        returned: function of the file -> the type that it returns.
    """

    text: CText
    demand: Demand
    within: Callable[[int, LinearSum, tuple[Fact, ...]], bool]
    scope: Mapping[str, Variable]
    returned: Mapping[str, int]
    in_condition: bool = False
    numbers: Iterator[int] = field(default_factory=count)

    def proved(self, number: LinearSum, facts: tuple[Fact, ...]) -> bool:
        """Whether a number is at least 0."""
        return self.within(64, number, facts)

    def fresh(
        self, node: c_ast.Node, bits: int, *, least: int | None = None, most: int | None = None, data: bool
    ) -> LinearSum:
        """A number of which nothing else is known."""
        low, high = range_of(bits)
        text = shown(node)
        names = names_of(node)
        low, high = low if least is None else least, high if most is None else most
        return LinearSum(0, {Atom(text, low, high, names, is_data=data, number=next(self.numbers) + 1): 1})

    def value(self, node: c_ast.Node, facts: tuple[Fact, ...]) -> Value:
        """An expression, all of whose parts are looked at."""
        match node:
            case c_ast.Constant(type=kind, value=written):
                if kind == "char":
                    return self.unknown(node, INT)
                if "int" not in kind:
                    return Value(0)
                bits, number = literal(written)
                return Value(bits, bits, LinearSum(number))
            case c_ast.ID(name=name) if name in self.scope and self.scope[name].is_scalar:
                known = self.scope[name]
                bits, seen = promoted(known.bits), promoted(known.seen)
                return Value(bits, seen, LinearSum(0, {known.atom: 1}))
            case c_ast.ArrayRef():
                return self.element(node, facts)
            case c_ast.UnaryOp(op=op, expr=inner):
                return self.unary(node, op, inner, facts)
            case c_ast.BinaryOp(op=op, left=left, right=right):
                return self.binary(node, op, left, right, facts)
            case c_ast.TernaryOp(cond=condition, iftrue=then, iffalse=other):
                self.value(condition, facts)
                return self.chosen(
                    node, (then, other), [facts + self.facts(condition, which, facts) for which in (True, False)]
                )
            case c_ast.Cast(to_type=kind, expr=inner):
                pointer = isinstance(kind.type, c_ast.PtrDecl)
                return self.converted(
                    node, self.value(inner, facts), 0 if pointer else element(self.text, kind.type, 0), facts
                )
            case c_ast.FuncCall():
                return self.call(node, facts)
            case _:
                for child in node:
                    self.value(child, facts)
                return Value(0)

    def unknown(self, node: c_ast.Node, bits: int, *, data: bool = False, least: int | None = None) -> Value:
        """Any number of a type."""
        number = self.fresh(node, bits, least=least, data=data)
        return Value(promoted(bits), promoted(bits), number, data)

    def element(self, node: c_ast.ArrayRef, facts: tuple[Fact, ...]) -> Value:
        """x[i], x[i][j]."""
        base = node
        while isinstance(base, c_ast.ArrayRef):
            self.value(base.subscript, facts)
            base = base.name
        bits = self.scope[base.name].bits if isinstance(base, c_ast.ID) and base.name in self.scope else 0
        if bits == 0:
            return Value(0)
        least, most = range_of(bits)
        atom = Atom(shown(node), least, most, names_of(node), is_data=True)
        return Value(promoted(bits), promoted(bits), LinearSum(0, {atom: 1}), by_data=True)

    def unary(self, node: c_ast.Node, op: str, inner: c_ast.Node, facts: tuple[Fact, ...]) -> Value:
        """-a, !a, and others of one operand."""
        read = self.value(inner, facts)
        if op == "!":
            return self.truth(node, read.by_data or read.bits == 0)
        if op in ("sizeof", "&", "*", "~") or read.bits == 0:
            return self.unknown(node, read.bits) if read.bits and op == "~" else Value(0)
        if op == "-":
            negative = replace(read, number=read.number.times(-1))
            return self.result(node, negative, facts) if read.by_data else negative  # pet lets no `-n` come back
        return read

    def truth(self, node: c_ast.Node, by_data: bool) -> Value:
        """0 or 1."""
        return Value(INT, INT, self.fresh(node, INT, least=0, most=1, data=False), by_data)

    def binary(self, node: c_ast.Node, op: str, left: c_ast.Node, right: c_ast.Node, facts: tuple[Fact, ...]) -> Value:
        """a op b."""
        first = self.value(left, facts)
        behind = facts + self.facts(left, op == "&&", facts) if op in ("&&", "||") else facts
        second = self.value(right, behind)
        by_data = first.by_data or second.by_data
        if op in ("&&", "||"):
            return self.truth(node, by_data)
        bits, seen = common(first.bits, second.bits), _seen(first, second)
        if bits == 0:
            for part, read in ((left, first), (right, second)):
                self.demand(part, read, 0, facts)
            return self.truth(node, True) if op in _TRUTHS else Value(0)
        looked_at = op in _TRUTHS or op in ("/", "%", "<<", ">>", "&", "|", "^")
        modelled = by_data and bits == seen == 32 and not self.in_condition
        for part, read in ((left, first), (right, second)):
            if looked_at and not modelled:
                self.demand(part, read, bits, facts)
            elif abs(bits) > abs(read.bits):
                self.demand(part, read, read.bits, facts)  # it is made wider as what it is
        if op in _TRUTHS:
            return self.truth(node, by_data)
        return self.result(node, Value(bits, seen, self.computed(node, op, bits, first, second, facts), by_data), facts)

    def computed(
        self, node: c_ast.Node, op: str, bits: int, first: Value, second: Value, facts: tuple[Fact, ...]
    ) -> LinearSum:
        """The value of an operation without end."""
        a, b = first.number, second.number
        data = a.is_data or b.is_data
        match op:
            case "+" | "-":
                return a.plus(b, 1 if op == "+" else -1)
            case "*" if not a.terms or not b.terms:
                return b.times(a.constant) if not a.terms else a.times(b.constant)
            case "*" | "/" if self.proved(a, facts) and self.proved(b, facts):
                return self.fresh(node, bits, least=0, data=data)
            case "%" if not b.terms and b.constant > 0:
                least = 0 if self.proved(a, facts) else 1 - b.constant
                return self.fresh(node, bits, least=least, most=b.constant - 1, data=False)
            case _:
                return self.fresh(node, bits, data=data)

    def result(self, node: c_ast.Node, value: Value, facts: tuple[Fact, ...]) -> Value:
        """An operation's value: where pet, or what looks at types later on, lets it come back, it is in its range."""
        comes_back = value.number.terms and (value.bits == 32 or (value.bits == 64 and not value.by_data))
        if comes_back and value.seen == value.bits and not self.within(value.bits, value.number, facts):
            return replace(value, number=self.fresh(node, value.bits, data=value.number.is_data))
        return value

    def chosen(self, node: c_ast.Node, parts: tuple[c_ast.Node, ...], known: list[tuple[Fact, ...]]) -> Value:
        """c ? a : b."""
        read = [self.value(part, facts) for part, facts in zip(parts, known, strict=True)]
        bits, seen = common(read[0].bits, read[1].bits), _seen(*read)
        by_data = any(r.by_data for r in read)
        modelled = by_data and bits == seen == 32 and not self.in_condition
        for part, one, facts in zip(parts, read, known, strict=True):
            if bits == 0 or (bits > 0 and not modelled) or abs(bits) > abs(one.bits):
                self.demand(part, one, bits if bits == 0 or bits > 0 else one.bits, facts)
        if bits == 0:
            return Value(0)
        least = 0 if all(self.proved(r.number, f) for r, f in zip(read, known, strict=True)) else None
        data = any(r.number.is_data for r in read)
        return Value(bits, seen, self.fresh(node, bits, least=least, data=data), by_data)

    def converted(self, node: c_ast.Node, read: Value, bits: int, facts: tuple[Fact, ...]) -> Value:
        """A value as one of a type that the text names."""
        if bits == 0 or read.bits == 0:
            self.demand(node.expr if isinstance(node, c_ast.Cast) else node, read, 0, facts)
            return Value(0) if bits == 0 else self.unknown(node, bits, data=True)
        if abs(bits) > abs(read.bits):
            self.demand(node.expr if isinstance(node, c_ast.Cast) else node, read, read.bits, facts)
        if abs(bits) < 32:
            return self.unknown(node, bits, data=True)
        if bits == 64 and read.by_data:
            self.demand(node, read, 64, facts)
        sum_of_sizes = not read.by_data and (bits < 0 or self.proved(read.number, facts))
        seen = read.seen if sum_of_sizes and read.seen < 0 else bits
        value = Value(bits, seen, read.number, read.by_data or not sum_of_sizes)
        if value.by_data and (bits < 0 or not self.proved(read.number, facts)):
            return replace(value, number=self.fresh(node, bits, data=read.number.is_data))
        return value

    def call(self, node: c_ast.FuncCall, facts: tuple[Fact, ...]) -> Value:
        """f(a, b): fractions are handed to functions that the file does not define."""
        arguments = list(node.args.exprs) if node.args is not None else []
        read = [self.value(argument, facts) for argument in arguments]
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        if name in self.returned:
            bits = self.returned[name]
            return self.unknown(node, bits, data=True) if bits else Value(0)
        if name in _WHOLE and all(r.bits for r in read):
            positive = name.endswith("abs") or all(self.proved(r.number, facts) for r in read)
            return self.unknown(
                node, read[0].bits, data=any(r.number.is_data for r in read), least=0 if positive else None
            )
        for argument, value in zip(arguments, read, strict=True):
            self.demand(argument, value, 0, facts)
        return Value(0)

    def facts(self, node: c_ast.Node, holds: bool, known: tuple[Fact, ...]) -> tuple[Fact, ...]:
        """Return the facts about integers that a condition says, where it holds or does not."""
        match node:
            case c_ast.UnaryOp(op="!", expr=inner):
                return self.facts(inner, not holds, known)
            case c_ast.BinaryOp(op="&&" | "||" as op, left=left, right=right) if (op == "&&") == holds:
                return self.facts(left, holds, known) + self.facts(right, holds, known)
            case c_ast.BinaryOp(op=op, left=left, right=right) if op in _OPPOSITE:
                op = op if holds else _OPPOSITE[op]
                quiet = replace_demand(self)
                a, b = quiet.value(left, known), quiet.value(right, known)
                if not a.bits or not b.bits:
                    return ()
                difference = a.number.plus(b.number, -1)
                if op == "==":
                    return ((difference, "= 0"),)
                if op == "!=":
                    apart = [d for d in (difference, difference.times(-1)) if self.proved(d, known)]
                    return tuple((d.plus(LinearSum(-1)), ">= 0") for d in apart)
                first, second, constant = _COMPARED[op]
                return ((a.number.times(first).plus(b.number, second).plus(LinearSum(constant)), ">= 0"),)
            case _:
                return ()


def _seen(first: Value, second: Value) -> int:
    """The type in which two values are computed of what pet sees: beside data, it forgets those of sums of sizes."""
    if first.by_data or second.by_data:
        return common(*(v.seen if v.by_data or v.seen == MATHEMATICAL else INT for v in (first, second)))
    return common(first.seen, second.seen)


def replace_demand(reader: Reader) -> Reader:
    """The reader that asks for nothing."""
    return replace(reader, demand=lambda *_: None)


def shown(node: c_ast.Node) -> str:
    """An expression as C text."""
    return str(c_generator.CGenerator().visit(node))


def names_of(node: c_ast.Node) -> frozenset[str]:
    """The variables of an expression."""
    found = {node.name} if isinstance(node, c_ast.ID) else set()
    return frozenset(found).union(*(names_of(child) for child in node))
