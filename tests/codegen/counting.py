"""Runs the C of a kernel with numbers in place of its sizes and nothing for data, and checks what it counts.

Of each loop the first and the last iteration are run, and some between. Whatever C computes of variables and numbers of
32 bits has to fit; data may be anything, so both sides of a condition on data are run.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from polyad.codegen.certify.read_back.c_parser import parse_unit
from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Compound,
    Declare,
    Do,
    Element,
    Expr,
    For,
    Function,
    If,
    Member,
    Name,
    Number,
    Return,
    Statement,
    Ternary,
    Unary,
)

__all__ = ["TooLargeError", "count"]

_BITS = {"pa_index32": 32, "int64_t": 64, "size_t": 64}
Known = tuple[int, int] | None  # a number and the bits that it is computed with; None for data


class TooLargeError(AssertionError):
    """Something does not fit."""


def count(c: str, function: str, sizes: Mapping[str, int]) -> int:
    """Run a function of a file; the number of subscripts that were computed.

    Raises:
        TooLargeError: C would compute a number of 32 bits that does not fit.
    """
    unit = parse_unit(c)
    (kernel,) = [f for f in unit.functions if f.name == function and f.body is not None]
    run = _Run(sizes, {f.name: f for f in unit.functions}, random.Random(0))
    run.all(kernel.body or (), {})
    return run.subscripts


class _Run:
    def __init__(self, sizes: Mapping[str, int], functions: Mapping[str, Function], rng: random.Random):
        self.sizes, self.functions, self.rng, self.subscripts = sizes, functions, rng, 0

    def all(self, statements: Sequence[Statement], names: dict[str, Known]) -> None:
        for statement in statements:
            self.one(statement, names)

    def one(self, statement: Statement, names: dict[str, Known]) -> None:
        match statement:
            case Declare(kind, name, _, value):
                bits = _BITS.get(kind.removeprefix("const "))
                found = None if value is None else self.value(value, names)
                names[name] = None if found is None or bits is None else self.fit(found[0], bits, statement)
            case Assign(_, target, value):
                self.value(target, names)
                self.value(value, names)
            case Do(Call(name, arguments)) if name in self.functions and self.functions[name].body is not None:
                given = [self.value(a, names) for a in arguments]
                parameters = [own for _, own in self.functions[name].parameters]
                self.all(self.functions[name].body or (), dict(zip(parameters, given, strict=True)))
            case Do(value):
                self.value(value, names)
            case Compound(body):
                self.all(body, dict(names))
            case If(condition, then, otherwise):
                found = self.value(condition, names)
                returns = all(isinstance(s, Return) for s in then)
                for taken, body in ((True, then), (False, otherwise)):
                    if (found is None or bool(found[0]) == taken) and not returns:
                        self.all(body, dict(names))
            case For():
                self.loop(statement, names)

    def loop(self, loop: For, names: dict[str, Known]) -> None:
        bits = _BITS[loop.type]
        start, step = self.value(loop.first, names), self.value(loop.step, names)
        assert start is not None and step is not None
        assert isinstance(loop.condition, Binary)
        end = self.value(loop.condition.right, names)
        assert end is not None
        op = loop.condition.op
        last = end[0] + {"<": -1, ">": 1}.get(op, 0)
        trips = (last - start[0]) // step[0] + 1 if step[0] > 0 else (start[0] - last) // -step[0] + 1
        self.fit(start[0], bits, loop)
        if trips <= 0:
            return
        self.fit(start[0] + trips * step[0], bits, loop)  # where it ends
        chosen = {0, trips - 1, *(self.rng.randrange(trips) for _ in range(2))}
        for n in sorted(chosen):
            self.all(loop.body, {**names, loop.iterator: (start[0] + n * step[0], bits)})

    def fit(self, number: int, bits: int, what: object) -> tuple[int, int]:
        if bits == 32 and not -(2**31) <= number < 2**31:
            raise TooLargeError(f"{number}: {what}")
        return number, bits

    def value(self, expr: Expr, names: Mapping[str, Known]) -> Known:
        match expr:
            case Name("PA_PARTS"):
                return 32, 32
            case Name("PA_SCAN_STEPS"):
                return 256, 32
            case Name(name):
                return names.get(name)
            case Number(text):
                return (int(text), 32 if int(text) < 2**31 else 64) if text.isdecimal() else None
            case Member(Name("sizes"), name):
                return self.sizes[name], 64
            case Element(base, index):
                self.subscripts += 1
                self.value(base, names)
                self.value(index, names)
                return None
            case Unary(op, inner):
                found = self.value(inner, names)
                return None if found is None or op != "-" else self.fit(-found[0], found[1], expr)
            case Cast(kind, inner):
                found = self.value(inner, names)
                return None if found is None or kind not in _BITS else self.fit(found[0], _BITS[kind], expr)
            case Binary(op, left, right):
                return self.binary(op, self.value(left, names), self.value(right, names), expr)
            case Ternary(condition, yes, no):
                found = self.value(condition, names)
                sides = [
                    self.value(side, names)
                    for side, other in ((yes, 0), (no, 1))
                    if found is None or bool(found[0]) != other
                ]
                return None if None in sides else max(s for s in sides if s is not None)
            case Call(("pa_min_i64" | "pa_max_i64") as name, (a, b)):
                one, other = self.value(a, names), self.value(b, names)
                assert one is not None and other is not None
                return (min if name == "pa_min_i64" else max)(one[0], other[0]), 64
            case Call("pa_floordiv_i64", (a, b)):
                one, other = self.value(a, names), self.value(b, names)
                return None if one is None or other is None else (one[0] // other[0], 64)
            case Call(_, arguments):
                for argument in arguments:
                    self.value(argument, names)
                return None
            case _:
                for inner in getattr(expr, "items", ()):
                    self.value(inner, names)
                return None

    def binary(self, op: str, a: Known, b: Known, expr: Expr) -> Known:
        if a is None or b is None:
            return None
        bits = max(a[1], b[1])
        x, y = a[0], b[0]
        match op:
            case "+" | "-" | "*":
                return self.fit(x + y if op == "+" else x - y if op == "-" else x * y, bits, expr)
            case "/" | "%" if y:
                quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
                return (quotient if op == "/" else x - quotient * y), bits
            case "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||":
                return int({"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y,
                            "&&": bool(x and y), "||": bool(x or y)}[op]), 32  # fmt: skip
            case _:
                return None
