"""The C that a plan asks for, as trees: one for each node of the loop IR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Compound,
    Declare,
    Do,
    Expr,
    For,
    If,
    Known,
    Macro,
    Name,
    Number,
    Statement,
    Text,
    Unary,
)
from polyad.codegen.certify.read_back.expected_contractions import contraction, packing
from polyad.codegen.certify.read_back.expected_parts import parts
from polyad.codegen.certify.read_back.expected_scans import prefix_scan
from polyad.codegen.certify.read_back.expected_values import SUFFIXES, TYPES, Values, constant
from polyad.codegen.certify.read_back.terms import condition, number, value
from polyad.codegen.loops.how import Divided, How, LaneSum, Serial, Threads, Vector, Work
from polyad.codegen.loops.loop_values import Condition, Nonzero, Value
from polyad.codegen.loops.nodes import (
    AddUp,
    Assume,
    Barrier,
    Block,
    Contraction,
    Copies,
    Copy,
    CopyPointer,
    Guard,
    Instance,
    Launch,
    Let,
    Load,
    Loop,
    Node,
    Pack,
    Parts,
    PrefixScan,
    Region,
    Share,
    Single,
    SlotPointer,
    Store,
    Subtotal,
)
from polyad.codegen.loops.nodes import (
    Declare as DeclareNode,
)

__all__ = ["Nodes"]

ZERO, ONE = Known(number(0), "int64_t"), Known(number(1), "int64_t")


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """Trees of loops.

    Attributes:
        values: trees of values.
        one: what an instance does, where that is not what its statement says.
    """

    values: Values
    one: Callable[[Instance], list[Statement]] | None = None

    def block(self, block: Block) -> tuple[Statement, ...]:
        """The nodes of a block; a second pair of braces says nothing."""
        while len(block.children) == 1 and isinstance(inside := block.children[0], Block):
            block = inside
        return tuple(s for child in block.children for s in self.node(child))

    def node(self, node: Node) -> list[Statement]:
        """One node."""
        values = self.values
        match node:
            case Instance():
                return values.instance(node) if self.one is None else self.one(node)
            case Loop(iterator, first, last, step, body, how):
                end = Binary("<=" if step > 0 else ">=", Name(iterator), self.value(last))
                meeting = [Macro("PA_BARRIER", ())] if isinstance(how, Divided) and how.wait else []
                loop = For(
                    iterator,
                    self.value(first),
                    end,
                    Known(number(step), "int64_t"),
                    self.block(body),
                    type=values.index_type,
                )
                return [*self.pragmas(how), loop, *meeting]
            case Guard(cond, then, otherwise):
                return [If(self.tested(cond), self.block(then), self.block(otherwise) if otherwise else ())]
            case Let(name, found):
                return [Declare(f"const {values.index_type}", name, (), self.value(found))]
            case Assume(iterator, least):
                return [Do(Call("PA_ASSUME", (Binary(">=", Name(iterator), self.value(least)),)))]
            case Load(local, cell, declares):
                element = values.element(cell.array, cell.index)
                if declares:
                    return [Declare(values.ctype(cell.array), str(local), (), element)]
                return [Assign("=", values.local(local), element)]
            case DeclareNode(local, array, lanes):
                return [Declare(values.ctype(array), local, (Number(str(lanes)),), None)]
            case Store(local, cell):
                return [Assign("=", values.element(cell.array, cell.index), values.local(local))]
            case Subtotal(local, _, dtype):
                return [Declare(TYPES[dtype], local, (), constant(0.0, dtype))]
            case AddUp(subtotal):
                return [added_up(subtotal)]
            case Block():
                return [Compound(self.block(node))]
            case Contraction():
                return [contraction(node, values)]
            case Pack():
                return [packing(node, values)]
            case Share():
                return self.share(node)
            case Region(work, body):
                return [Macro("PA_PARALLEL_IF", (self.work(work),)), Compound(self.block(body))]
            case Single(body):
                return [Macro("PA_SINGLE", ()), Compound(self.block(body)), Macro("PA_BARRIER", ())]
            case Barrier():
                return [Macro("PA_BARRIER", ())]
            case Parts():
                return [parts(node, self)]
            case PrefixScan():
                return prefix_scan(node, self)
            case Copies(name, count):
                return [Declare("const int64_t", name, (), Call("pa_copies", (self.value(count),)))]
            case Copy(name, iteration, count, copies):
                found_ = Call("pa_copy", (self.value(iteration), self.value(count), Name(copies)))
                return [Declare("const int64_t", name, (), found_)]
            case CopyPointer(array, copy):
                return [self.copy(array, copy)]
            case SlotPointer(array, slot):
                return [self.pointer(array, Cast(f"{values.ctype(array)} *", Name(f"slot_{slot}")))]
            case Launch():
                raise AssertionError("C launches nothing")

    def pointer(self, array: str, place: Expr) -> Statement:
        """Declare the pointer to an array."""
        return Declare(f"{self.values.ctype(array)} * PA_RESTRICT", self.values.array(array).name, (), place)

    def copy(self, array: str, copy: str) -> Statement:
        """Declare the pointer to a thread's copy of an array."""
        one = self.values.plan.copies[array]
        size: Expr = ONE
        for extent in one.extents:
            size = Binary("*", size, self.value(extent))
        number_: Expr = Name(copy) if copy else ZERO
        return self.pointer(array, Call("PA_COPY", (Text(self.values.ctype(array)), Name(one.first), number_, size)))

    def share(self, node: Share) -> list[Statement]:
        """Return the statements of a thread for its part of a loop."""
        low, high = self.value(node.low), self.value(node.high)
        own = If(Binary("<=", Name(node.first), Name(node.last)), self.block(node.body), ())
        if node.work is None:
            bounds = [Declare("const int64_t", n, (), v) for n, v in ((node.first, low), (node.last, high))]
            return [Compound((*bounds, own))]
        told = Call("pa_share", (low, high, Unary("&", Name(node.first)), Unary("&", Name(node.last))))
        start = [Declare("int64_t", node.first, (), ZERO), Declare("int64_t", node.last, (), Unary("-", ONE))]
        return [Macro("PA_PARALLEL_IF", (self.work(node.work),)), Compound((*start, Do(told), own))]

    # Integers

    def value(self, found: Value) -> Known:
        """A bound."""
        return Known(value(found, self.values.plan.names.value), "int64_t")

    def condition(self, found: Condition) -> Known:
        """A condition."""
        return Known(condition(found, self.values.plan.names.value), "int")

    def tested(self, found: Condition) -> Expr:
        """The condition of a guard."""
        if not isinstance(found, Nonzero):
            return self.condition(found)
        values = self.values
        element = values.local(found.local) if found.local else values.element(found.array, found.index)
        return Binary("!=", element, Number("0"))

    def work(self, work: Work) -> Expr:
        """Whether work is enough for threads."""
        terms: list[Expr] = []
        kind = "float" if self.values.plan.known.options.machine.wide == "float32" else "double"
        end = "f" if kind == "float" else ""
        for cost, factors in work.terms:
            found: list[Expr] = [Number(f"{float(cost)!r}{end}")] if cost != 1 or not factors else []
            found += [Cast(kind, self.value(f)) for f in factors]
            terms.append(_chain("*", found))
        return Binary(">", _chain("+", terms), Number(f"{work.least:.1f}{end}"))

    # Pragmas

    def pragmas(self, how: How) -> list[Statement]:
        """Return the pragmas above a loop."""
        match how:
            case Serial(rolled):
                return [Macro("PA_ROLLED", ())] if rolled else []
            case Vector(kind, sums, rolled):
                return [*_rolled(rolled), _vector(SUFFIXES.get(kind, ""), sums)]
            case Threads(work, pieces, within):
                return [*_within(within), self.shared("PA_PARALLEL_FOR", "_IF", pieces, within, self.work(work))]
            case Divided(pieces, within):
                return [*_within(within), self.shared("PA_FOR", "", pieces, within)]
            case _:
                raise AssertionError(f"{how} is decided before")

    def shared(self, start: str, end: str, pieces: Value | None, within: How, *last: Expr) -> Statement:
        """The macro above a loop whose iterations threads share."""
        if pieces is None:
            return Macro(f"{start}{end}", last)
        arguments = (self.value(pieces), *last)
        match within:
            case Vector(type=kind) if kind:
                return Macro(f"{start}_SIMD_WIDE{end}", (Name(SUFFIXES[kind]), *arguments))
            case Vector():
                return Macro(f"{start}_SIMD{end}", arguments)
            case _:
                return Macro(f"{start}_PIECES{end}", arguments)


def _chain(op: str, values: Sequence[Expr]) -> Expr:
    result = values[0]
    for other in values[1:]:
        result = Binary(op, result, other)
    return result


def _rolled(rolled: bool) -> list[Statement]:
    return [Macro("PA_ROLLED_SERIAL", ())] if rolled else []


def _within(how: How) -> list[Statement]:
    return _rolled(isinstance(how, Serial | Vector) and how.rolled)


def _vector(kind: str, sums: tuple[LaneSum, ...]) -> Statement:
    """The macro above a vector loop."""
    if not sums:
        return Macro("PA_SIMD_WIDE", (Name(kind),)) if kind else Macro("PA_SIMD", ())
    groups: dict[str, list[str]] = {}
    for total in sums:
        groups.setdefault(_operator(total), []).append(total.local)
    if len(sums) == 1:
        ((op, (name,)),) = groups.items()
        if kind:
            return Macro("PA_SIMD_WIDE_REDUCTION", (Text(f"{kind} , {op} , {name}"),))
        return Macro("PA_SIMD_REDUCTION", (Text(f"{op} , {name}"),))
    clauses = [f"reduction ( {op} : {' , '.join(names)} )" for op, names in groups.items()]
    words = ["omp", "simd", *([f"PA_WIDE_{kind}"] if kind else []), *clauses]
    return Macro("PA_PRAGMA_SIMD", (Text(" ".join(words)),))


def _operator(total: LaneSum) -> str:
    """The operator of OpenMP; that of the runtime header where OpenMP's drops nan."""
    if total.reduction in ("max", "min"):
        return f"pa_{total.reduction}imum" if "float" in total.dtype else total.reduction
    return {"sum": "+", "prod": "*"}[total.reduction]


def added_up(found: Subtotal) -> Statement:
    """The addition of a subtotal to its sum, in double if one of them is, and then of the type of the sum."""
    wide = "float64" if "float64" in (found.dtype, found.whole) else found.whole

    def side(name: str, dtype: str) -> Expr:
        return Name(name) if dtype == wide else Cast(TYPES[wide], Name(name))

    total = Binary("+", side(found.total, found.whole), side(found.local, found.dtype))
    return Assign("=", Name(found.total), total if wide == found.whole else Cast(TYPES[found.whole], total))
