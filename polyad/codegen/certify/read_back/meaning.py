"""The meaning of C: its expressions as typed values, its statements with nothing left of how they are spelled.

Integers are polynomials (terms.py), all other values trees of operators, elements, calls and conversions. A conversion
that nobody wrote is in the tree as `convert`: a float that becomes a double on the way, say, is no longer the value
that a plan asks for. Arithmetic on `int` stays as it is written, since it may overflow; numbers must not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polyad.codegen.certify.read_back.c_names import (
    INTEGERS,
    LIMITS,
    OWN,
    RANKS,
    RETURNED,
    SHORT,
    SUFFIXED,
    Typed,
    plain,
    typed,
)
from polyad.codegen.certify.read_back.c_tokens import NotReadError
from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Braces,
    Call,
    Cast,
    Compound,
    Declare,
    Do,
    Element,
    Expr,
    For,
    If,
    Known,
    Macro,
    Member,
    Name,
    Number,
    Return,
    SizeOf,
    Statement,
    Ternary,
    Text,
    Unary,
)
from polyad.codegen.certify.read_back.terms import (
    Integer,
    Term,
    atom,
    chosen_by_data,
    compared,
    constant,
    divided,
    extreme,
    is_nonnegative,
    joined,
    limits,
    minus,
    number,
    plus,
    read_always,
    remainder,
    times,
    unchecked,
)
from polyad.codegen.names import NARROW

__all__ = ["Meaning", "Said"]


class Said(NamedTuple):
    """A statement.

    Attributes:
        line: where it begins.
        head: what it does.
        bodies: what stands inside of it.
    """

    line: int
    head: tuple[Term, ...]
    bodies: tuple[tuple[Said, ...], ...] = ()


@dataclass(slots=True)
class Meaning:
    """Reads trees in a scope.

    Attributes:
        names: what is visible.
        nonnegative: the variables that are 0 or more.
        line: of the statement that is read.
    """

    names: dict[str, Typed]
    nonnegative: frozenset[str] = frozenset()
    line: int = 0

    def wrong(self, message: str) -> NotReadError:
        """An error here."""
        return NotReadError(message, self.line)

    # Expressions

    def value(self, expr: Expr) -> Typed:
        """A value."""
        match expr:
            case Known(term, kind):
                return Typed(term, kind)
            case Name(name):
                if name not in self.names:
                    raise self.wrong(f"{name} is not declared here")
                return self.names[name]
            case Number(text):
                return self.number(text)
            case Unary(op, operand):
                return self.unary(op, operand)
            case Binary(op, left, right):
                return self.binary(op, self.value(left), self.value(right))
            case Ternary(condition, yes, no):
                return self.chosen(self.value(condition).term, self.value(yes), self.value(no))
            case Call(function, arguments):
                return self.call(function, arguments)
            case Element(base, index):
                array = self.value(base)
                if not array.type.endswith("*"):
                    raise self.wrong(f"{array.term} is no array")
                at = self.converted(self.value(index), "int64_t")
                return typed(("element", array.term, at), array.type[:-1].strip())
            case Cast(words, operand):
                found = self.cast(plain(words), self.value(operand))  # one of 32 bits is a subscript, and no more
                return typed(("cast", words, found.term), found.type) if words == NARROW else found
            case Member(base, name):
                return Typed(atom(("member", self.value(base).term, name)), "int64_t")
            case SizeOf(words):
                return Typed(atom(("sizeof", plain(words))), "size_t")
            case Braces(items):
                return Typed(("braces", tuple(self.value(i).term for i in items)), "braces")
            case Text(words):
                return Typed(("text", words), "text")

    def number(self, text: str) -> Typed:
        """A number as it is written."""
        unsigned = text.endswith("u")
        digits = text[:-1] if unsigned else text
        if digits.isdecimal() and (digits == "0" or digits[0] != "0"):
            value = int(digits)
            if unsigned and value >= 2**32:
                raise self.wrong(f"{text} does not fit into uint32_t")
            return Typed(number(value), "uint32_t" if unsigned else "int" if value < 2**31 else "int64_t")
        single = text.endswith("f")
        try:
            value_ = np.float32(text[:-1]) if single else np.float64(text)
        except ValueError:
            raise self.wrong(f"{text} is no number that kernels have") from None
        kind = "float" if single else "double"
        return Typed(("number", kind, float(value_).hex()), kind)

    def unary(self, op: str, operand: Expr) -> Typed:
        """-a, !a, &a, *a."""
        inner = self.value(operand)
        match op:
            case "-" if inner.type in ("int64_t", "size_t") or (inner.type == "int" and self.is_number(inner)):
                return Typed(minus(number(0), self.integer(inner)), inner.type)
            case "-":
                match inner.term:
                    case ("number", kind, digits):
                        return Typed(("number", kind, (-float.fromhex(str(digits))).hex()), inner.type)
                return Typed(("-", inner.term), inner.type)
            case "!":
                return Typed(("!", inner.term), "int")
            case "~" if inner.type in INTEGERS:
                return typed(("~", inner.term), inner.type)
            case "&" if isinstance(inner.term, tuple) and inner.term[0] == "element" and inner.term[2] == number(0):
                return Typed(inner.term[1], f"{inner.type} *")
            case "&":
                return Typed(("&", inner.term), f"{inner.type} *")
            case "*" if inner.type.endswith("*"):
                return Typed(("*", inner.term), inner.type[:-1].strip())
            case _:
                raise self.wrong(f"{op} in front of {inner.type}")

    def is_number(self, value: Typed) -> bool:
        """Whether it is an integer that is written as a number."""
        return value.type in INTEGERS and constant(self.integer(value)) is not None

    def is_small(self, op: str, a: Typed, b: Typed) -> bool:
        """Whether A op b is one of numbers, or of choices of numbers that an int holds the result of."""
        if op not in ("+", "-", "*") or limits(self.integer(a)) is None or limits(self.integer(b)) is None:
            return self.is_number(a) and self.is_number(b)
        low, high = limits(self.integers(op, self.integer(a), self.integer(b), "int64_t").term) or (0, 0)
        return low >= -(2**31) and high < 2**31

    def integer(self, value: Typed) -> Integer:
        """A value as a polynomial."""
        match value.term:
            case ("poly", terms):
                return "poly", terms
            case term:
                return atom(term)

    def converted(self, value: Typed, kind: str) -> Term:
        """A value as another type has it, by a conversion that nobody wrote."""
        if value.type == kind:
            return value.term
        if kind in INTEGERS and self.is_number(value):
            found = self.integer(value)
            return number((constant(found) or 0) % 2**32) if kind == "uint32_t" else found
        if kind in INTEGERS and kind != "uint32_t" and value.type in INTEGERS and limits(self.integer(value)):
            return value.term
        if {kind, value.type} <= {"int64_t", "size_t"}:
            return value.term  # sizes in bytes, which are below 2 to the power 63 (pa_is_size)
        if kind.endswith("*") or value.type.endswith("*"):
            return value.term
        term: Term = ("convert", kind, value.term)
        return atom(term) if kind in INTEGERS else term

    def promoted(self, value: Typed) -> Typed:
        """A value as C computes with it: integers of 8 and 16 bits become an int."""
        return Typed(self.converted(value, "int"), "int") if value.type in SHORT else value

    def binary(self, op: str, a: Typed, b: Typed) -> Typed:
        """A op b."""
        if op in ("&&", "||"):
            return Typed(joined(op, (a.term, b.term)), "int")
        if a.type.endswith("*"):
            if op == "+":
                return Typed(("+", a.term, self.converted(b, "int64_t")), a.type)
            return Typed(("compare", op, a.term, b.term), "int")
        a, b = self.promoted(a), self.promoted(b)
        if a.type not in RANKS or b.type not in RANKS:
            raise self.wrong(f"{a.type} {op} {b.type}")
        kind = max(a.type, b.type, key=RANKS.__getitem__)
        x, y = Typed(self.converted(a, kind), kind), Typed(self.converted(b, kind), kind)
        if op in ("<", "<=", ">", ">=", "==", "!="):
            if kind in INTEGERS:
                return Typed(compared(op, self.integer(x), self.integer(y)), "int")
            turned = {">": "<", ">=": "<="}
            sides = (turned[op], y.term, x.term) if op in turned else (op, x.term, y.term)
            return Typed(("compare", *sides), "int")
        if kind in INTEGERS and (kind not in OWN or (kind == "int" and self.is_small(op, x, y))):
            return self.integers(op, self.integer(x), self.integer(y), kind)
        return Typed((op, x.term, y.term), kind)

    def integers(self, op: str, a: Integer, b: Integer, kind: str) -> Typed:
        """Arithmetic on integers of 64 bits, and on numbers."""
        match op:
            case "+":
                result = plus(a, b)
            case "-":
                result = minus(a, b)
            case "*":
                result = times(a, b)
            case "%":
                result = remainder(a, b, self.nonnegative)
            case "/" if (d := constant(b)) is not None and d > 0 and is_nonnegative(a, self.nonnegative):
                result = divided(a, d)
            case _:
                result = atom((op, a, b))
        found = constant(result)
        if found is not None and not -(2 ** LIMITS[kind]) <= found < 2 ** LIMITS[kind]:
            raise self.wrong(f"{found} does not fit into {kind}")
        return Typed(result, kind)

    def chosen(self, condition: Term, yes: Typed, no: Typed) -> Typed:
        """Condition ? yes : no."""
        yes, no = self.promoted(yes), self.promoted(no)
        if yes.type == no.type:
            kind = yes.type
        elif yes.type in RANKS and no.type in RANKS:
            kind = max(yes.type, no.type, key=RANKS.__getitem__)
        else:
            raise self.wrong(f"one of {yes.type} and {no.type}")
        a, b = self.converted(yes, kind), self.converted(no, kind)
        term: Term = ("if", condition, a, b)
        return Typed(atom(term), kind) if self.is_number(yes) and self.is_number(no) else typed(term, kind)

    def cast(self, kind: str, inner: Typed) -> Typed:
        """(kind)a."""
        match inner.term:
            case ("number", "float", ("nan" | "inf") as which) if kind == "double":
                return Typed(("number", "double", which), kind)
        term: Term = ("cast", kind, inner.term)
        return typed(term, kind)

    def call(self, function: str, arguments: Sequence[Expr]) -> Typed:
        """f(a, b)."""
        given = [self.value(a) for a in arguments]
        match function, given:
            case ("INT64_C", [found]):
                return Typed(found.term, "int64_t")
            case ("pa_min_i64" | "pa_max_i64", [a, b]):
                both = (self.integer(Typed(self.converted(v, "int64_t"), "int64_t")) for v in (a, b))
                return Typed(extreme(function[3:6], both), "int64_t")
            case ("pa_floordiv_i64", [a, b]) if (d := constant(self.integer(b))) is not None and d > 0:
                return Typed(divided(self.integer(Typed(self.converted(a, "int64_t"), "")), d), "int64_t")
            case ("pa_mod_i64", [a, b]) if (d := constant(self.integer(b))) is not None and d > 0:
                whole = self.integer(Typed(self.converted(a, "int64_t"), ""))
                return Typed(minus(whole, times(number(d), divided(whole, d))), "int64_t")
            case (
                "pa_select_f32" | "pa_select_f64" | "pa_select_i32" | "pa_select_i64" | "pa_select_u32",
                [condition, yes, no],
            ):
                kind = SUFFIXED[function[-3:]]
                self.early(function, condition, yes, no)
                return self.chosen(
                    condition.term, Typed(self.converted(yes, kind), kind), Typed(self.converted(no, kind), kind)
                )
            case ("pa_and" | "pa_or", [a, b]):
                self.early(function, a, b)
                return self.binary("&&" if function == "pa_and" else "||", a, b)
            case ("pa_times", [a, b]):
                return Typed(times(self.integer(a), self.integer(b)), "size_t")
        kind = "size_t" if function.endswith("_workspace") else SUFFIXED.get(function[-3:], "int")
        kind = "int" if function.startswith("pa_isnan_") else RETURNED.get(function, kind)
        term: Term = ("call", function, tuple((v.term, "" if self.is_number(v) else v.type) for v in given))
        return typed(term, kind)

    def early(self, function: str, condition: Typed, *sides: Typed) -> None:
        """Refuse elements that data choose, but for those that the condition reads, too: others may not exist."""
        known = {*read_always(condition.term)}
        for side in sides:
            if any(chosen_by_data(inner) and inner not in known for inner in unchecked(side.term)):
                raise self.wrong(f"{function} reads an element that data choose before it is known to exist")

    # Statements

    def statements(self, statements: Sequence[Statement], depth: int = 1) -> tuple[Said, ...]:
        """Statements in a scope of their own; braces around all of them say nothing."""
        while len(statements) == 1 and isinstance(statements[0], Compound):
            statements = statements[0].body
        outer = self.names
        self.names = dict(outer)
        try:
            return tuple(self.statement(s, depth) for s in statements)
        finally:
            self.names = outer

    def statement(self, statement: Statement, depth: int) -> Said:
        """One statement; at depth 0 nothing is known of sizes where they are tested."""
        self.line = line = statement.line
        match statement:
            case Declare():
                return self.declared(statement)
            case Assign(op, target, value):
                to = self.value(target)
                return Said(line, ("assign", op, to.term, self.converted(self.value(value), to.type)))
            case Do(value):
                return Said(line, ("do", self.value(value).term))
            case Return(value):
                return Said(line, ("return", self.value(value).term))
            case Macro(name, arguments):
                return Said(line, ("macro", name, tuple(self.value(a).term for a in arguments)))
            case Compound(body):
                return Said(line, ("block",), (self.statements(body),))
            case If(condition, then, otherwise):
                kept = self.nonnegative
                if depth == 0 and all(isinstance(s, Return) for s in then):
                    self.nonnegative = frozenset()
                head = ("if", self.value(condition).term)
                self.nonnegative = kept
                return Said(line, head, (self.statements(then), self.statements(otherwise)))
            case For():
                return self.loop(statement)

    def declared(self, statement: Declare) -> Said:
        """A declaration, which is visible from there on."""
        words, name = statement.type, statement.name
        dims = tuple(self.value(d).term for d in statement.dims)
        kind = plain(words)
        value = None if statement.value is None else self.converted(self.value(statement.value), kind)
        own: Term = ("v", name)
        self.names[name] = typed(own, f"{kind} *" if dims else kind)
        return Said(statement.line, ("declare", words, name, dims, value))

    def loop(self, loop: For) -> Said:
        """A loop, by its first and its last iteration."""
        first = self.converted(self.value(loop.first), "int64_t")
        step = self.converted(self.value(loop.step), "int64_t")
        outer = self.names
        self.names = {**outer, loop.iterator: Typed(atom(("v", loop.iterator)), "int64_t")}
        try:
            match loop.condition:
                case Binary(("<" | "<=" | ">=" | ">") as op, Name(name), bound) if name == loop.iterator:
                    last = self.integer(Typed(self.converted(self.value(bound), "int64_t"), ""))
                case _:
                    raise self.wrong(f"the loop over {loop.iterator} ends by another condition than its iterator")
            one = {"<": -1, ">": 1}.get(op, 0)
            head = ("for", loop.type, loop.iterator, first, op[0], plus(last, number(one)), step)
            return Said(loop.line, head, (self.statements(loop.body),))
        finally:
            self.names = outer
