"""Unsigned numbers as C computes with them: what leaves 0 .. 2^32 - 1 comes back at the other end.

    unsigned a, b;  x = a - b;      x = wrap(a - b)
    int c;          c < a           wrap(c) < a
                    a += c          a = wrap(a + wrap(c))

`wrap` is an operation of our own: the remainder by 2^32. Of 64 bits, there is nothing wider to compute it in, so what
may leave them is refused.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.pet.prototype import BITS
from polyad.pet.refusal import refusal
from polyad.pet.rewrite import rewrite_statements
from polyad.pet.scop import Access, Affine, Call, Cast, Node, Number, Operation, Scop, ScopStatement, nodes

__all__ = ["with_unsigned_values"]

_INT = -32
_TRUTHS = frozenset({"eq", "ne", "le", "ge", "lt", "gt", "land", "lor", "lnot"})
_PAIRS = frozenset({"add", "sub", "mul", "div", "mod", "eq", "ne", "le", "ge", "lt", "gt"})
_UPDATES = {"add_assign": "add", "sub_assign": "sub", "mul_assign": "mul", "div_assign": "div"}


def with_unsigned_values(scop: Scop) -> Scop:
    """The scop with `wrap` where an unsigned number may leave its range.

    Raises:
        ExtractionError: a number of 64 bits may.
    """
    return rewrite_statements(scop, lambda node, place: _Place(scop, place).changed(node))


class _Place:
    """Looks at expressions of one statement."""

    def __init__(self, scop: Scop, statement: ScopStatement):
        self.scop, self.statement = scop, statement

    def changed(self, node: Node) -> Node:
        """The node, below which everything is changed already."""
        match node:
            case Cast(argument=argument, bits=bits) if bits >= 32 and not self.is_within(argument, bits):
                return self.wrapped(node, bits, argument)
            case Operation("minus", (argument,)) if self.promoted(argument) > 0:
                return self.wrapped(node, self.promoted(argument), node)
            case Operation("cond", (condition, then, other)) if (common := self.common(then, other)) > 0:
                return replace(node, arguments=(condition, self.converted(then, common), self.converted(other, common)))
            case Operation(op, (left, right)) if op in _PAIRS and (common := self.common(left, right)) > 0:
                if op not in _TRUTHS and node.bits <= 0:
                    return self.linear(node) if node.bits == _INT else node
                values = self.converted(left, common), self.converted(right, common)
                return self.computed(op, values, common)
            case Operation("assign", (Access() as target, value)) if self.bits(target) == 32:
                return replace(node, arguments=(target, self.converted(value, 32)))
            case Operation(op, (Access() as target, value)) if op in _UPDATES:
                return self.updated(node, target, value)
            case _:
                return node

    def linear(self, node: Operation) -> Node:
        """A part of a condition that pet took for one of integers without end: right for numbers of one sign.

        Raises:
            ExtractionError: signed data stand beside unsigned ones, where C would convert them.
        """
        signed = [n for n in nodes(node) if isinstance(n, Access) and self.bits(n) < 0]
        if signed:
            sentence = (
                f"`{signed[0].array}` is signed and is compared with an unsigned number, for which C takes it as one, "
                "too; cast the unsigned one to `int` or `long`"
            )
            raise refusal(self.scop.path, self.statement.line or self.scop.lines[0], "unsigned", sentence)
        return node

    def computed(self, op: str, values: tuple[Node, Node], bits: int) -> Node:
        """An operation on two values of one unsigned type."""
        result = Operation(op, values, _INT if op in _TRUTHS else bits)
        return self.wrapped(result, bits, result) if op in ("add", "sub", "mul") else result

    def updated(self, node: Operation, target: Access, value: Node) -> Node:
        """`target op= value`: as it is where nothing wraps, so that sums are still seen."""
        common = self.common(target, value)
        if target.arguments and node.op == "add_assign" and isinstance(value, Number) and self.is_within(value, 16):
            return node  # h[p[i]] += 1 counts, and is seen as an update; no loop counts to 2^32
        if common != 32 and self.bits(target) != 32:
            if common == 64 and node.op in ("sub_assign", "mul_assign"):
                raise self.refusal()
            return node
        old = replace(target, reads=True, writes=False)
        values = self.converted(old, common), self.converted(value, common)
        op = _UPDATES[node.op]
        result = self.computed(op, values, common) if common > 0 else Operation(op, values, common)
        if self.bits(target) == 32:
            result = self.converted(result, 32)
        return Operation("assign", (replace(target, reads=False), result), node.bits)

    def converted(self, value: Node, bits: int) -> Node:
        """A value as one of an unsigned type; as it is where the type is none."""
        if bits <= 0 or self.is_within(value, bits):
            return value
        # Data that are counted or indexed with: -1 among them would be out of all bounds in C.
        return value if bits == 64 and not isinstance(value, Affine) else self.wrapped(value, bits, value)

    def wrapped(self, value: Node, bits: int, of: Node) -> Node:
        """wrap(value)."""
        if bits == 32:
            return Operation("wrap", (value,), 32)
        if isinstance(of, Affine) or (isinstance(of, Operation) and of.op in ("sub", "mul", "minus")):
            raise self.refusal()
        return value

    def is_within(self, value: Node, bits: int) -> bool:
        """Whether a value is known to be one of an unsigned type."""
        match value:
            case Number(text, width):
                return width != 0 and 0 <= int(text) < 2**bits
            case Affine(value=function):
                domain = function.domain().intersect(self.statement.domain).intersect_params(self.scop.context)
                zero = isl.PwAff.zero_on_domain(isl.LocalSpace.from_space(function.get_domain_space()))
                least = function.intersect_domain(self.sized(domain)).lt_set(zero)
                return bool(least.is_empty())
            case Operation(op=op) if op in ("div", "mod") and self.bits(value) > 0:
                return True
            case Operation("cond", (_, then, other)):
                return self.is_within(then, bits) and self.is_within(other, bits)
            case _:
                return 0 < self.bits(value) <= bits or self.is_truth(value)

    def sized(self, domain: isl.Set) -> isl.Set:
        """The domain without negative sizes."""
        for position in range(len(islx.param_names(domain))):
            domain = domain.lower_bound_val(isl.dim_type.param, position, isl.Val(0))
        return domain

    def is_truth(self, value: Node) -> bool:
        return isinstance(value, Operation) and value.op in _TRUTHS

    def common(self, left: Node, right: Node) -> int:
        """The type in which C computes with two integers; 0 where one is none."""
        a, b = self.promoted(left), self.promoted(right)
        if 0 in (a, b):
            return 0
        return max(a, b, key=lambda bits: (abs(bits), bits > 0))

    def promoted(self, node: Node) -> int:
        bits = self.bits(node)
        return _INT if 0 < abs(bits) < 32 else bits

    def bits(self, node: Node) -> int:
        """The width of a value's integer type, negative where it is signed; 0 if it is no integer."""
        match node:
            case Access(array=name):
                return BITS.get(self.scop.arrays[name].type, 0) if name in self.scop.arrays else 0
            case Operation(op=op) if op in _TRUTHS:
                return _INT
            case Operation("cond", (_, then, other)):
                return self.common(then, other)
            case Affine(bits=bits) | Number(bits=bits) | Call(bits=bits) | Cast(bits=bits) | Operation(bits=bits):
                return bits

    def refusal(self) -> Exception:
        return refusal(
            self.scop.path,
            self.statement.line or self.scop.lines[0],
            "unsigned",
            "an unsigned number of 64 bits may leave its range here, and come back at the other end; compute in "
            "`long`, by a cast of both sides",
        )
