"""The C of a prefix scan, as trees."""

from __future__ import annotations

from dataclasses import dataclass, replace

from polyad.analysis.linear import At, Inverse, Minus, One, Plus, Product, Term, Where
from polyad.codegen.certify.read_back.c_tree import (
    Assign,
    Binary,
    Call,
    Compound,
    Declare,
    Element,
    Expr,
    For,
    If,
    Known,
    Name,
    Number,
    Statement,
    Ternary,
    Unary,
)
from polyad.codegen.certify.read_back.expected_values import SUFFIXES, TYPES, Trees, Values
from polyad.codegen.certify.read_back.terms import number
from polyad.codegen.loops.how import How
from polyad.codegen.loops.nodes import Block, Instance, LinearState, PrefixScan
from polyad.ir.affine import Affine
from polyad.machine import MACHINE

__all__ = ["expected_term", "prefix_scan"]

ZERO, ONE = Known(number(0), "int64_t"), Known(number(1), "int64_t")


def prefix_scan(scan: PrefixScan, nodes: Trees) -> list[Statement]:
    """A loop over blocks of steps; where there may be no step, under a condition."""
    return _Scan(scan, nodes).statements()


@dataclass(frozen=True, slots=True, eq=False)
class _Scan:
    scan: PrefixScan
    nodes: Trees

    @property
    def values(self) -> Values:
        return self.nodes.values

    @property
    def up(self) -> bool:
        return self.scan.state.loop.step > 0

    def name(self, part: str) -> Name:
        return Name(self.scan.names[part])

    def statements(self) -> list[Statement]:
        state, loop, up = self.scan.state, self.scan.state.loop, self.up
        counter, start, count, now = (
            self.name("start" if up else "end"),
            self.name("start"),
            self.name("count"),
            self.name("now"),
        )
        kind, one = TYPES[state.dtype], Number("1")
        block: Expr = Name("PA_SCAN_STEPS") if self.scan.steps == MACHINE.scan_steps else Number(str(self.scan.steps))
        first, last = self.nodes.value(loop.first), self.nodes.value(loop.last)
        left = Binary("+", Binary("-", last, counter) if up else Binary("-", counter, last), one)
        buffers = [*(self.name(b).name for b in self.scan.buffers), self.name("before").name]
        body: list[Statement] = [Declare("const int64_t", count.name, (), Call("pa_min_i64", (left, block)))]
        if not up:
            begin = Binary("+", Binary("-", counter, count), one)
            body.append(Declare("const int64_t", start.name, (), begin))
        body += [Declare(kind, b, (block,), None) for b in buffers]
        body += [Declare(self.values.ctype(a), b, (block,), None) for a, b in self.scan.kept.items()]
        body += self.steps(self.scan.first, self.before())
        body.append(Assign("=", now, self.call()))
        body += self.steps(self.scan.second, [s for i in state.second for s in self.behind(i)])
        body += self.last_states() if state.in_turn else []
        at_first = {loop.iterator: loop.first}
        initial = self.values.element(state.array, [i.substitute(at_first) for i in state.before])  # type: ignore[arg-type]
        over = For(
            counter.name,
            first,
            Binary("<=" if up else ">=", counter, last),
            block if up else Unary("-", block),
            tuple(body),
        )
        both: tuple[Statement, ...] = (Declare(kind, now.name, (), initial), over)
        constant = isinstance(loop.last, Affine) and isinstance(loop.first, Affine)
        if constant and loop.first.is_constant and loop.last.is_constant:  # type: ignore[union-attr]
            return [Compound(both)]
        return [If(Binary("<=" if up else ">=", first, last), both, ())]

    def steps(self, how: How, body: list[Statement]) -> list[Statement]:
        """A loop over the steps of a block."""
        if not body:
            return []
        t, start = self.scan.state.loop.iterator, self.name("start")
        end = Binary("<", Name(t), Binary("+", start, self.name("count")))
        return [*self.nodes.pragmas(how), For(t, start, end, ONE, tuple(body), type=self.values.index_type)]

    def here(self, buffer: str) -> Expr:
        """Return the element of a buffer that belongs to a step."""
        return Element(Name(buffer), Binary("-", Name(self.scan.state.loop.iterator), self.name("start")))

    def before(self) -> list[Statement]:
        """Return the statements before the scan of a block."""
        state, update = self.scan.state, self.scan.state.update
        terms = {"mul": update.mul, "add": update.add}
        kept = {self.values.statements[i.statement].array: i for i in state.kept}
        return [
            *self.nodes.block(Block(state.first)),
            *(Assign("=", self.here(b), self.values.local(kept[a].locals[a])) for a, b in self.scan.kept.items()),
            *(Assign("=", self.here(self.name(b).name), self.term(terms[b])) for b in self.scan.buffers),
        ]

    def call(self) -> Expr:
        """The scan of a block."""
        state, scan = self.scan.state, self.scan
        passed: list[Expr] = [self.term(state.update.mul)] if scan.kind == "decay" else []
        for part in ("mul", "add"):
            if part in scan.standing:
                passed.append(Unary("&", self.standing(part)))
            elif part in scan.buffers:
                passed.append(self.name(part))
        passed += [self.name("now"), self.name("before"), self.name("count")]
        return Call(f"pa_scan_{scan.kind}_{'up' if self.up else 'down'}_{SUFFIXES[state.dtype]}", tuple(passed))

    def standing(self, part: str) -> Expr:
        """The first of the numbers of a block that stand in memory."""
        state = self.scan.state
        term = state.update.mul if part == "mul" else state.update.add
        assert isinstance(term, At), "what stands in memory is an element"
        instance = state.instance(term)
        at = {state.loop.iterator: Affine.of(self.name("start").name)}
        moved = replace(instance, args=tuple(a.substitute(at) for a in instance.args))
        return self.values.value(term.expr, moved)

    def behind(self, instance: Instance) -> list[Statement]:
        """Return the statements of an instance after the scan of a block."""
        state, values = self.scan.state, self.values
        if instance.number == state.writer.number:
            if not state.in_turn:
                return [
                    Assign(
                        "=",
                        values.accessed(state.array, values.statements[instance.statement].write, instance),
                        self.after(),
                    )
                ]
            if any(self.reads_after(i) for i in state.second):
                return [Declare(f"const {TYPES[state.dtype]}", self.name("after").name, (), self.after())]
            return []
        places: dict[str, Expr] = {a: self.here(b) for a, b in self.scan.kept.items() if a in instance.locals}
        if instance.number in state.carried:
            places[state.array] = self.here(self.name("before").name)
        elif state.in_turn and self.reads_after(instance):
            places[state.array] = self.name("after")
        return replace(values, places=places).instance(instance)

    def reads_after(self, instance: Instance) -> bool:
        """Whether an instance reads the state that its own step makes."""
        state = self.scan.state
        if instance.number == state.writer.number or instance.number in state.carried:
            return False
        return any(r.array == state.array for r in self.values.statements[instance.statement].reads())

    def after(self) -> Expr:
        """The state that a step makes."""
        before, update = self.here(self.name("before").name), self.scan.state.update

        def part(name: str, term: Term | None) -> Expr:
            return self.here(self.name(name).name) if name in self.scan.buffers else self.term(term)

        match self.scan.kind:
            case "sum":
                return Binary("+", before, part("add", update.add))
            case "prod":
                return Binary("*", before, part("mul", update.mul))
            case _:
                return Binary("+", Binary("*", part("mul", update.mul), before), part("add", update.add))

    def last_states(self) -> list[Statement]:
        """The states around the last step of a block, in the slots of their circular buffer."""
        state, start, count = self.scan.state, Affine.of(self.name("start").name), Affine.of(self.name("count").name)
        last = {state.loop.iterator: start + count - 1 if self.up else start}
        before, after = (
            self.values.element(state.array, [i.substitute(last) for i in c]) for c in (state.before, state.after)
        )
        place = Binary("-", self.name("count"), ONE) if self.up else ZERO
        return [Assign("=", before, Element(self.name("before"), place)), Assign("=", after, self.name("now"))]

    def term(self, term: Term | None) -> Expr:
        """A factor, or what is added."""
        return expected_term(term, self.scan.state, self.values)


def expected_term(term: Term | None, state: LinearState, values: Values) -> Expr:
    """A factor, or what is added."""

    def inside(part: Term | None) -> Expr:
        return expected_term(part, state, values)

    match term:
        case None:
            return Number("0")
        case One():
            return Number("1")
        case At(expr):
            return values.value(expr, state.instance(term))
        case Plus(a, b):
            return Binary("+", inside(a), inside(b))
        case Product(a, b):
            return Binary("*", inside(a), inside(b))
        case Minus(a):
            return Unary("-", inside(a))
        case Inverse(a):
            return Binary("/", Number("1"), inside(a))
        case Where(condition, a, b):
            return Ternary(inside(condition), inside(a), inside(b))
