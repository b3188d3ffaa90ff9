"""The C that a plan asks for, as trees: values, elements, instances of statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

import numpy as np

from polyad.codegen.certify.read_back.c_parser import parse_expression, parse_statements
from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Declare,
    Element,
    Expr,
    If,
    Known,
    Name,
    Statement,
    Ternary,
    Unary,
)
from polyad.codegen.certify.read_back.terms import affine, number
from polyad.codegen.loops.how import How, Work
from polyad.codegen.loops.instance import Instance, Lane, Local
from polyad.codegen.loops.loop_values import Value
from polyad.codegen.loops.nodes import Block
from polyad.codegen.names import WIDE
from polyad.codegen.plan import Plan
from polyad.ir.affine import Affine
from polyad.ir.element_types import bfloat16_bits
from polyad.ir.expr import Access, Apply, Const, Index, Indirect, Read, Select
from polyad.ir.expr import Expr as Equation
from polyad.ir.statement import Statement as Defined
from polyad.ops import OPS, REDUCTION_OPS

__all__ = ["SUFFIXES", "TYPES", "Trees", "Values", "constant", "filled"]

TYPES = {
    "float32": "float", "float64": "double", "int32": "int32_t", "int64": "int64_t", "uint32": "uint32_t",
    "bool": "int",
    "int8": "int8_t", "int16": "int16_t", "uint8": "uint8_t", "uint16": "uint16_t", "float16": "uint16_t",
    "bfloat16": "uint16_t",
}  # fmt: skip
SUFFIXES = {"float32": "f32", "float64": "f64", "int32": "i32", "int64": "i64", "uint32": "u32", "bool": "i32"}


class Trees(Protocol):
    """The trees of what stands in nodes for whole loops (expected_nodes.py)."""

    @property
    def values(self) -> Values:
        """Trees of values."""

    def value(self, found: Value) -> Known:
        """A bound."""

    def block(self, block: Block) -> tuple[Statement, ...]:
        """The nodes of a block."""

    def pragmas(self, how: How) -> list[Statement]:
        """Return the pragmas above a loop."""

    def work(self, work: Work) -> Expr:
        """Whether work is enough for threads."""


_STATUS = Unary("&", Name("status"))


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """Trees of values.

    Attributes:
        plan: the kernel.
        statements: by name, tests of indices among them.
        places: array -> what stands for its element, instead of all else.
        found: index expressions that were read before, by identity.
        status: where an index that is wrong is told.
    """

    plan: Plan
    statements: Mapping[str, Defined]
    places: Mapping[str, Expr] = field(default_factory=dict)
    found: dict[int, Affine] = field(default_factory=dict)
    status: Expr = _STATUS

    @property
    def index_type(self) -> str:
        """The C type of iterators and subscripts."""
        return self.plan.names.value.index

    def array(self, name: str) -> Name:
        """The pointer to an array."""
        return Name(self.plan.names.arrays[name])

    def ctype(self, array: str) -> str:
        """The C type of its elements."""
        return TYPES[self.plan.program.arrays[array].dtype]

    def index(self, node: Index, dims: tuple[str, ...]) -> Affine:
        """An affine expression of the dims of a statement."""
        if id(node) not in self.found:
            self.found[id(node)] = Affine.from_aff(node.value, dims)
        return self.found[id(node)]

    def integer(self, value: Affine, values: Mapping[str, Affine] | None = None) -> Known:
        """An affine expression."""
        value = value.substitute(values) if values else value
        return Known(affine(value, self.plan.names.value), "int64_t")

    # Elements

    def element(self, array: str, index: Sequence[Affine | Expr]) -> Element:
        """An element, by one index for each dimension."""
        return Element(self.array(array), self.position(array, index))

    def position(self, array: str, index: Sequence[Affine | Expr]) -> Expr:
        """Return the position of an element: row-major, circular buffers folded, skewed arrays along diagonals."""
        storage, shape = self.plan.storage, self.plan.program.arrays[array].shape
        slots, layout = storage.slots.get(array, {}), storage.layouts.get(array)
        extents = [Affine.of(slots.get(d, e)) for d, e in enumerate(shape)]
        spelled = [self.integer(i) if isinstance(i, Affine) else i for i in index]
        order = list(range(len(shape)))
        for d in slots:
            spelled[d] = Binary("%", spelled[d], self.integer(extents[d]))
        if layout is not None:
            order = [*(d for d in order if d != layout.last), layout.last]
            for d, factor in layout.skews.items():
                moved = Binary("+", spelled[d], Binary("*", spelled[layout.last], Known(number(factor), "int64_t")))
                if factor < 0:
                    whole = Binary("*", self.integer(extents[layout.last]), Known(number(-factor), "int64_t"))
                    moved = Binary("+", moved, whole)
                spelled[d] = Binary("%", moved, self.integer(extents[d]))
        total: Expr = Known(number(0), "int64_t")
        for d in order:
            total = Binary("+", Binary("*", total, self.integer(extents[d])), spelled[d])
        return total

    def local(self, local: Local) -> Expr:
        """A C variable."""
        return Element(Name(local.variable), Name(local.lane)) if isinstance(local, Lane) else Name(local)

    # Statements

    def instance(self, instance: Instance) -> list[Statement]:
        """Return the statements of an instance."""
        statement = self.statements[instance.statement]
        dtype = self.plan.program.arrays[statement.array].dtype
        local = instance.locals.get(statement.array)
        target = self.local(local) if local else self.accessed(statement.array, statement.write, instance)
        value = self.value(statement.body, instance)
        if instance.declares:
            assert isinstance(target, Name), "a variable is declared, not a lane of it"
            return [Declare(TYPES[dtype], target.name, (), value)]
        if statement.reduction is None:
            return [Assign("=", target, value)]
        return self.guarded(statement, instance, self.update(statement.reduction, dtype, target, value), local is None)

    def update(self, reduction: str, dtype: str, target: Expr, value: Expr) -> Statement:
        """One more term of a reduction."""
        match template(REDUCTION_OPS[reduction].c.format(acc="acc", x="x", f=SUFFIXES[dtype])):
            case Assign(op, _, found):
                return Assign(op, target, filled(found, {"acc": target, "x": value}))
            case _:
                raise AssertionError("a reduction assigns to what it reduces into")

    def guarded(self, statement: Defined, instance: Instance, update: Statement, stored: bool) -> list[Statement]:
        """An update, under the condition that its element exists where that is tested here."""
        guard = self.guard(statement.array, statement.write, instance) if stored else None
        return [update] if guard is None else [If(guard, (update,), ())]

    def guard(self, array: str, access: Access, instance: Instance) -> Expr | None:
        """The condition under which an element exists, None where that was tested before."""
        if not isinstance(access, Indirect) or access not in self.plan.checks.guarded:
            return None
        shape = self.plan.program.arrays[array].shape
        tests = [
            Call(
                self.plan.inside,
                (self.data_index(access.index[d], instance), self.integer(shape[d]), self.status),
            )
            for d in self.plan.checks.guarded[access]
        ]
        result: Expr = tests[0]
        for test in tests[1:]:
            result = Binary("&&", result, test)
        return result

    def accessed(self, array: str, access: Access, instance: Instance) -> Element:
        """An element that a statement names."""
        values, dims = self.dims(instance), self.statements[instance.statement].dims
        if isinstance(access, Indirect):
            index: list[Affine | Expr] = [
                self.index(i, dims).substitute(values)
                if isinstance(i, Index)
                else Affine.of(int(i.value))
                if isinstance(i, Const)
                else self.data_index(i, instance, self.index_type)
                for i in access.index
            ]
            return self.element(array, index)
        found = self.plan.known.indices.get(id(access))
        if found is None:
            found = tuple(
                Affine.from_aff(access.get_aff(d), dims) for d in range(len(self.plan.program.arrays[array].shape))
            )
        return self.element(array, [i.substitute(values) for i in found if i is not None])

    def dims(self, instance: Instance) -> dict[str, Affine]:
        """The values of the dims of a statement."""
        return dict(zip(self.statements[instance.statement].dims, instance.args, strict=True))

    def data_index(self, index: Equation, instance: Instance, kind: str = WIDE) -> Expr:
        """An index that depends on data; one that is tested has 64 bits, whatever subscripts have."""
        found = self.value(index, instance)
        return found if index.dtype == "int64" and kind == WIDE else Cast(kind, found)

    # Values of statements

    def value(self, expr: Equation, instance: Instance) -> Expr:
        """An expression of a statement at an instance."""

        def tree(node: Equation) -> Expr:
            match node:
                case Const(value, dtype):
                    return constant(value, dtype)
                case Index():
                    dims = self.statements[instance.statement].dims
                    number_ = self.integer(self.index(node, dims), self.dims(instance))
                    return number_ if self.index_type == WIDE else Cast(WIDE, number_)
                case Read():
                    return self.read(node, instance)
                case Select(condition, yes, no, _):
                    return Ternary(tree(condition), tree(yes), tree(no))
                case Apply("stop_gradient", (inner,), _):
                    return tree(inner)
                case Apply("cast", (inner,), "float16" | "bfloat16" as half):
                    return Call("pa_f16_of_f32" if half == "float16" else "pa_bf16_of_f32", (tree(inner),))
                case Apply("cast", (inner,), _) if inner.dtype in ("float16", "bfloat16"):
                    return Call("pa_f32_of_f16" if inner.dtype == "float16" else "pa_f32_of_bf16", (tree(inner),))
                case Apply("cast", (inner,), dtype):
                    return Cast(TYPES[dtype], tree(inner))
                case Apply(op, args, _):
                    suffix = SUFFIXES[args[0].dtype]
                    if instance.once and OPS[op].once:
                        return Call(f"pa_once_{op}_{suffix}", tuple(map(tree, args)))
                    spelled = expression(OPS[op].c.format("x0", "x1", f=suffix))
                    return filled(spelled, {f"x{n}": tree(a) for n, a in enumerate(args)})

        return tree(expr)

    def read(self, read: Read, instance: Instance) -> Expr:
        """The value of an element; 0 where it does not exist."""
        if read.array in self.places:
            return self.places[read.array]
        if read.array in instance.locals:
            return self.local(instance.locals[read.array])
        element = self.accessed(read.array, read.access, instance)
        guard = self.guard(read.array, read.access, instance)
        return element if guard is None else Ternary(guard, element, constant(0, read.dtype))


def constant(value: float | int | bool, dtype: str) -> Known:
    """A number."""
    if dtype in ("float16", "bfloat16"):
        bits = bfloat16_bits(value) if dtype == "bfloat16" else int(np.float16(value).view(np.uint16))
        return Known(number(bits), "int")
    if "float" not in dtype:
        return Known(number(int(value)), {"int64": "int64_t", "uint32": "uint32_t"}.get(dtype, "int"))
    with np.errstate(over="ignore"):
        rounded = float(np.float32(value) if dtype == "float32" else np.float64(value))
    digits = "nan" if np.isnan(rounded) else rounded.hex()
    return Known(("number", TYPES[dtype], digits), TYPES[dtype])


@cache
def expression(text: str) -> Expr:
    """A template of the operator table."""
    return parse_expression(text)


@cache
def template(text: str) -> Statement:
    """A template of the table of reductions."""
    return parse_statements(f"{text};")[0]


def filled(expr: Expr, parts: Mapping[str, Expr]) -> Expr:
    """A tree with others in the places of some names."""
    match expr:
        case Name(name):
            return parts.get(name, expr)
        case Unary(op, a):
            return Unary(op, filled(a, parts))
        case Binary(op, a, b):
            return Binary(op, filled(a, parts), filled(b, parts))
        case Ternary(c, a, b):
            return Ternary(filled(c, parts), filled(a, parts), filled(b, parts))
        case Call(function, arguments):
            return Call(function, tuple(filled(a, parts) for a in arguments))
        case Cast(kind, a):
            return Cast(kind, filled(a, parts))
        case _:
            return expr
