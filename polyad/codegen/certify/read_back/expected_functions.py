"""The functions that a plan asks for, as trees: what stands around its loops."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyad.codegen.certify.read_back.c_parser import parse_statements
from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Compound,
    Declare,
    Do,
    Expr,
    Function,
    If,
    Known,
    Member,
    Name,
    Number,
    Return,
    SizeOf,
    Statement,
    Unary,
)
from polyad.codegen.certify.read_back.expected_nodes import Nodes
from polyad.codegen.certify.read_back.expected_values import TYPES, Values
from polyad.codegen.certify.read_back.terms import affine, condition, number
from polyad.codegen.loops.loop_values import negated, parts
from polyad.codegen.loops.nodes import Instance
from polyad.codegen.lower.index_checks import CheckedIndex
from polyad.codegen.names import WIDE
from polyad.codegen.plan import Plan
from polyad.codegen.storage.memory_plan import EVERY_THREAD, Slot
from polyad.codegen.storage.room import BYTE, ROOM
from polyad.ir.affine import Affine, FloorDiv

__all__ = ["Functions"]

_FAILED = "POLYAD_ERROR_SIZE"


@dataclass(frozen=True, slots=True, eq=False)
class Functions:
    """The functions of a kernel.

    Attributes:
        plan: the kernel.
        read: the sizes that its functions declare, by function: those that they mention.
    """

    plan: Plan
    read: dict[str, frozenset[str]]

    @property
    def name(self) -> str:
        """Of the kernel's function."""
        return self.plan.names.function

    def struct(self) -> tuple[str, str]:
        """The type of the sizes, and its members."""
        members = " , ".join(self.plan.names.params.values()) or "unused"
        return f"{self.name}_sizes", f"int64_t {members} ;"

    def all(self) -> Iterator[Function]:
        """All that a file has, declarations first."""
        yield Function("size_t", f"{self.name}_workspace", self.sizes(), None)
        yield Function("int", self.name, self.parameters(""), None)
        if self.plan.checks.guarded:
            yield self.inside()
        yield Function("size_t", f"{self.name}_workspace", self.sizes(), self.workspace())
        yield Function("int", self.name, self.parameters(" PA_RESTRICT"), self.kernel())

    def sizes(self) -> tuple[tuple[str, str], ...]:
        """The parameter with the sizes."""
        return ((f"const {self.name}_sizes *", "sizes"),)

    def parameters(self, restrict: str) -> tuple[tuple[str, str], ...]:
        """Of the kernel: inputs before outputs, one for both where an output lies over an input."""
        program, homes = self.plan.program, self.plan.storage.memory.homes
        over = {homes[n] for n in program.outputs if n in homes}
        found = list(self.sizes())
        for name in (*program.inputs, *(n for n in program.outputs if n not in homes)):
            const = "const " if name in program.inputs and name not in over else ""
            found.append((f"{const}{TYPES[program.arrays[name].dtype]} *{restrict}", self.plan.names.arrays[name]))
        return (*found, ("void *", "workspace"), ("size_t", "workspace_bytes"))

    def inside(self) -> Function:
        """The test of an index where it is used."""
        text = "if (index >= 0 && index < extent) return 1; PA_PRAGMA(omp atomic write)"
        text += "*status = POLYAD_ERROR_INDEX; return 0;"
        parameters = (("int64_t", "index"), ("int64_t", "extent"), ("int *", "status"))
        return Function("PA_INLINE int", self.plan.inside, parameters, parse_statements(text))

    # Sizes

    def declared(self, function: str) -> list[Statement]:
        """The sizes that a function mentions; what it mentions and does not declare is no name in it."""
        read, index = self.read.get(function, frozenset()), self.plan.names.value.index
        narrow = function == self.name and index != WIDE
        return [
            Declare(f"const {index}", c, (), Cast(index, Member(Name("sizes"), c)))
            if narrow
            else Declare("const int64_t", c, (), Member(Name("sizes"), c))
            for c in self.plan.names.params.values()
            if c in read
        ]

    def tests(self, failed: str) -> list[Statement]:
        """Return the tests that leave where sizes are larger than memory, or not what was assumed of them."""
        plan = self.plan
        mentioned = [
            e for slot in plan.storage.memory.slots for e in (*slot.extents, *([slot.copies] if slot.copies else []))
        ]
        mentioned += [p for p in (parts(plan.condition) if plan.condition is not None else ()) if isinstance(p, Affine)]
        bits = min(47, 62 - max(map(_weight, mentioned), default=1).bit_length())
        large: list[Expr] = [
            Unary("!", Call("pa_is_size", (Name(c), Number(str(bits))))) for c in plan.names.params.values()
        ]
        found: list[Statement] = []
        if large:
            every = large[0]
            for one in large[1:]:
                every = Binary("||", every, one)
            found.append(If(every, (Return(Name(failed)),), ()))
        if plan.condition is not None:
            wrong = Known(condition(negated(plan.condition), plan.names.value), "int")
            found.append(If(wrong, (Return(Name(failed)),), ()))
        for limit in plan.limits:
            total: Expr = Number("0")
            for position, (count, factors) in enumerate(limit.terms):
                term: Expr = Known(number(count), "int64_t")
                for factor in factors:
                    term = Call("pa_reach", (term, self.affine(factor)))
                total = Call("pa_plus", (total, term)) if position else term
            found.append(If(Binary(">", total, Name("INT32_MAX")), (Return(Name(failed)),), ()))
        return found

    # Workspace

    def workspace(self) -> tuple[Statement, ...]:
        """How many bytes it has."""
        sizes = self.declared(f"{self.name}_workspace")
        absent = If(_absent("sizes"), (Return(Number("0")),), ())
        head: list[Statement] = [absent, *sizes] if sizes else [Do(Call("PA_UNUSED", (Name("sizes"),)))]
        slots = self.plan.storage.memory.slots
        if not slots:
            return (*head, *self.tests("SIZE_MAX"), Return(Number("0")))
        bytes_ = [Assign("=", Name("bytes"), Call("pa_after", (Name("bytes"), self.bytes(s)))) for s in slots]
        (total,) = parse_statements("return bytes > 0 ? pa_after(bytes, PA_ALIGNMENT) : 0;")
        start = Declare("size_t", "bytes", (), Number("0"))
        return (*head, *self.tests("SIZE_MAX"), start, *bytes_, total)

    def bytes(self, slot: Slot, copies: bool = True) -> Expr:
        """The bytes of a slot, of one copy or of all."""
        result: Expr = Number("1") if slot.dtype == BYTE else SizeOf(TYPES[slot.dtype])
        numbers = math.prod(e.constant for e in slot.extents if e.is_constant)
        result = Binary("*", Known(number(max(numbers, 0)), "size_t"), result)
        for extent in slot.extents:
            if not extent.is_constant:
                result = Call("pa_times", (result, self.affine(extent)))
        if slot.copies is None or not copies:
            return result
        threads = Call("pa_threads", ())
        several = threads if slot.copies == EVERY_THREAD else Call("pa_copies", (self.affine(slot.copies),))
        return Call("pa_times", (Call("pa_after", (Number("0"), result)), several))

    def affine(self, value: Affine) -> Known:
        """An expression of sizes."""
        return Known(affine(value, self.plan.names.value), "int64_t")

    def slices(self) -> list[Statement]:
        """The pointers into the workspace that the whole function sees."""
        plan, slots = self.plan, self.plan.storage.memory.slots
        if not slots:
            return []
        several = len(slots) > 1
        place: Expr = Binary("+", Name("slots"), Name("offset")) if several else Name("slots")
        start = Cast("unsigned char *", Call("PA_ALIGNED", (Name("workspace"),)))
        found: list[Statement] = [Declare("unsigned char * const", "slots", (), start)]
        found += [Declare("size_t", "offset", (), Number("0"))] if several else []
        for position, slot in enumerate(slots):
            if position:
                moved = Call("pa_after", (Name("offset"), self.bytes(slots[position - 1])))
                found.append(Assign("=", Name("offset"), moved))
            if slot.arrays == (ROOM,):
                threads: Expr = Number("1") if slot.copies is None else Call("pa_threads", ())
                rooms = Call("pa_rooms", (place, threads, self.bytes(slot, copies=False)))
                found.append(Declare("const pa_room", ROOM, (), rooms))
            elif slot.copies is not None:
                found.append(Declare("unsigned char * const", plan.copies[slot.arrays[0]].first, (), place))
            elif len(slot.arrays) == 1:
                kind = TYPES[slot.dtype]
                begin = Cast(f"{kind} *", Cast("void *", place))
                found.append(Declare(f"{kind} * PA_RESTRICT", plan.names.arrays[slot.arrays[0]], (), begin))
            else:
                found.append(Declare("void * const", f"slot_{position}", (), place))
        return found

    # The kernel

    def kernel(self) -> tuple[Statement, ...]:
        """Tests of arguments, of sizes and of indices, the workspace, the loops."""
        plan = self.plan
        every = _absent("sizes")
        for _, name in self.parameters("")[1:-2]:
            every = Binary("||", every, _absent(name))
        body: list[Statement] = [If(every, (Return(Name("POLYAD_ERROR_NULL")),), ()), *self.declared(self.name)]
        if plan.storage.memory.slots:
            body += parse_statements(
                f"const size_t bytes = {self.name}_workspace(sizes);"
                f"if (bytes == SIZE_MAX) return {_FAILED};"
                "if (bytes > 0 && workspace == NULL) return POLYAD_ERROR_NULL;"
                "if (workspace_bytes < bytes) return POLYAD_ERROR_WORKSPACE;"
            )
        else:
            tests = self.tests(_FAILED)
            if tests and plan.names.value.index != WIDE:
                tests = [*parse_statements(f"if ({self.name}_workspace(sizes) == SIZE_MAX) return {_FAILED};")]
            body += [*tests, *parse_statements("PA_UNUSED(workspace); PA_UNUSED(workspace_bytes);")]
        if plan.checks.guarded:
            body.append(Declare("int", "status", (), Name("POLYAD_OK")))
        statements = {**plan.known.statements, **{c.statement.name: c.statement for c in plan.checks.before}}
        values = Values(plan, statements)
        body += [s for check in plan.checks.before for s in self.check(check, values)]
        body += [*self.slices(), *Nodes(values).block(plan.loops)]
        return (*body, Return(Name("status" if plan.checks.guarded else "POLYAD_OK")))

    def check(self, check: CheckedIndex, values: Values) -> Sequence[Statement]:
        """The loops that test an index before anything is computed."""

        def test(instance: Instance) -> list[Statement]:
            index = values.data_index(statement.body, instance)
            position = Name("position")
            below = Binary("<", position, Number("0"))
            outside = Binary("||", below, Binary(">=", position, self.affine(check.extent)))
            return [
                Declare("const int64_t", "position", (), index),
                If(outside, (Return(Name("POLYAD_ERROR_INDEX")),), ()),
            ]

        statement = check.statement
        body = Nodes(values, test).block(check.loops)
        return [Compound(body)] if any(isinstance(c, Instance) for c in check.loops.children) else body


def _absent(name: str) -> Expr:
    return Binary("==", Name(name), Name("NULL"))


def _weight(value: Affine) -> int:
    """How many times as large as the largest size an expression may be, constants aside."""
    return sum(abs(c) * (_weight(a.numerator) if isinstance(a, FloorDiv) else 1) for a, c in value.terms)
