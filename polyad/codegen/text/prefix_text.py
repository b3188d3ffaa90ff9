"""Prefix scans (prefix_scans.py) in C."""

from __future__ import annotations

from dataclasses import dataclass, replace

from polyad.analysis.linear import At, Inverse, Minus, One, Plus, Product, Term, Where
from polyad.codegen.loops.how import How
from polyad.codegen.loops.loop_values import Compare
from polyad.codegen.loops.loop_values import add as plus
from polyad.codegen.loops.nodes import Block, Instance, LinearState, PrefixScan
from polyad.codegen.text.code import (
    Code,
    address,
    assign,
    call,
    code,
    conditional,
    declare,
    if_line,
    infix,
    listed,
    loop_line,
    negative,
    subscript,
    word,
)
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES
from polyad.codegen.text.integer_text import ONE, ZERO, affine_code, condition_code, value_code
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.loop_text import LoopText
from polyad.codegen.text.statement_text import StatementText, local_code
from polyad.ir.affine import Affine

__all__ = ["prefix_lines", "term_code"]


def prefix_lines(scan: PrefixScan, printer: LoopText) -> Lines:
    """The lines of a loop."""
    return _PrefixText(scan, printer).lines()


@dataclass(frozen=True, slots=True, eq=False)
class _PrefixText:
    """Spells one scan; the C variables of `scan.names` are written as h_mul, h_before and so on in what follows."""

    scan: PrefixScan
    printer: LoopText

    @property
    def state(self) -> LinearState:
        """The loop."""
        return self.scan.state

    @property
    def text(self) -> StatementText:
        """Spells instances."""
        return self.printer.statements

    @property
    def up(self) -> bool:
        """Whether the iterator grows."""
        return self.state.loop.step > 0

    def name(self, part: str) -> str:
        """A C variable of the scan."""
        return self.scan.names[part]

    @property
    def counter(self) -> str:
        """The iterator over blocks: it runs over their first steps in the order of the loop."""
        return self.name("start" if self.up else "end")

    def here(self, buffer: str) -> Code:
        """h_before[t - t_0]: the number of a step in a buffer."""
        return subscript(buffer, infix("-", word(self.state.loop.iterator), word(self.name("start"))))

    def lines(self) -> Lines:
        """All of it."""
        loop, start, count, now = self.state.loop, self.name("start"), self.name("count"), self.name("now")
        ctype = C_TYPES[self.state.dtype]
        block = "PA_SCAN_STEPS" if self.scan.steps == self.printer.block_steps else str(self.scan.steps)
        buffers = [*(self.name(b) for b in self.scan.buffers), self.name("before")]
        chunk: Lines = [
            declare("const int64_t", (count, call("pa_min_i64", self.rest(), block))),
            *(
                []
                if self.up
                else [declare("const int64_t", (start, infix("+", infix("-", word(self.counter), word(count)), ONE)))]
            ),
            code("{} {};", ctype, listed(*(subscript(b, block) for b in buffers))),
            *(code("{} {};", self.printer.ctype(a), subscript(b, block)) for a, b in self.scan.kept.items()),
            *self.loop(self.scan.first, self.first_lines()),
            self.call(),
            *self.loop(self.scan.second, [line for i in self.state.second for line in self.second_lines(i)]),
            *(self.slots() if self.state.in_turn else []),
        ]
        assert isinstance(loop.first, Affine), "linear_state takes no other"
        first, last = value_code(loop.first, self.printer.spell), value_code(loop.last, self.printer.spell)
        op = "<=" if self.up else ">="
        begin = {loop.iterator: loop.first}
        initial = self.text.text.element(self.state.array, [i.substitute(begin) for i in self.state.before])
        lines: Lines = [
            declare(ctype, (now, initial)),
            loop_line(self.counter, first, op, last, block, self.up),
            chunk,
            "}",
        ]
        if isinstance(loop.last, Affine) and loop.first.is_constant and loop.last.is_constant:
            return ["{", lines, "}"]
        # The first state exists where there is a step at all.
        some = condition_code(Compare(op, loop.first, loop.last), self.printer.spell)
        return [if_line(some), lines, "}"]

    def rest(self) -> Code:
        """The steps that are left."""
        here, end = Affine.of(self.counter), self.state.loop.last
        if self.up:
            return value_code(plus(end, 1 - here), self.printer.spell)
        if isinstance(end, Affine):
            return affine_code(here - end + 1, self.printer.spell)
        return infix("+", infix("-", word(self.counter), value_code(end, self.printer.spell)), ONE)

    def loop(self, how: How, lines: Lines) -> Lines:
        """A loop over the steps of a block."""
        t, start = self.state.loop.iterator, self.name("start")
        behind = infix("+", word(start), word(self.name("count")))
        head = loop_line(t, start, "<", behind, ONE, ctype=self.printer.spell.index)
        return [*self.printer.pragma(how), head, lines, "}"] if lines else []

    def call(self) -> Code:
        """h_state = pa_scan_affine_up_f64(h_mul, h_add, h_state, h_before, t_n);."""
        state, kind = self.state, self.scan.kind
        passed: list[Code | str] = [self.term(state.update.mul)] if kind == "decay" else []
        for part in ("mul", "add"):
            if part in self.scan.standing:
                passed.append(self.standing(part))
            elif part in self.scan.buffers:
                passed.append(self.name(part))
        passed += [self.name("now"), self.name("before"), self.name("count")]
        function = f"pa_scan_{kind}_{'up' if self.up else 'down'}_{SUFFIXES[state.dtype]}"
        return assign(self.name("now"), call(function, *passed))

    def standing(self, part: str) -> Code:
        """Return where the numbers of a block begin that stand in memory."""
        term = self.state.update.mul if part == "mul" else self.state.update.add
        assert isinstance(term, At), "what stands in memory is an element"
        at = {self.state.loop.iterator: Affine.of(self.name("start"))}
        instance = self.state.instance(term)
        moved = replace(instance, args=tuple(a.substitute(at) for a in instance.args))
        return address(self.text.expression(term.expr, moved))

    def first_lines(self) -> Lines:
        """Return the lines that the first loop repeats."""
        terms = {"mul": self.state.update.mul, "add": self.state.update.add}
        kept = {self.text.statements[i.statement].array: i for i in self.state.kept}
        return [
            *self.printer.block(Block(self.state.first)),
            *(assign(self.here(b), local_code(kept[a].locals[a])) for a, b in self.scan.kept.items()),
            *(assign(self.here(self.name(b)), self.term(terms[b])) for b in self.scan.buffers),
        ]

    def second_lines(self, instance: Instance) -> Lines:
        """An instance after the scan, which finds states, and in buffers what the first loop kept."""
        state, text = self.state, self.text
        if instance.number == state.writer.number:
            if state.in_turn and not any(self.reads_after(i) for i in state.second):
                return []  # its slots are filled when the last steps are known
            element = text.element(state.array, text.statements[instance.statement].write, instance)
            after = declare(f"const {C_TYPES[state.dtype]}", (self.name("after"), self.value()))
            return [*self.printer.comment(instance), after if state.in_turn else assign(element, self.value())]
        places = {a: self.here(buffer) for a, buffer in self.scan.kept.items() if a in instance.locals}
        if instance.number in state.carried:
            places[state.array] = self.here(self.name("before"))
        elif state.in_turn and self.reads_after(instance):
            places[state.array] = word(self.name("after"))
        return [*self.printer.comment(instance), replace(text, places=places).line(instance)]

    def reads_after(self, instance: Instance) -> bool:
        """Whether an instance reads the state after its step."""
        if instance.number == self.state.writer.number or instance.number in self.state.carried:
            return False
        return any(r.array == self.state.array for r in self.text.statements[instance.statement].reads())

    def value(self) -> Code:
        """The state after a step."""

        def part(name: str, term: Term | None) -> Code:
            return self.here(self.name(name)) if name in self.scan.buffers else self.term(term)

        before, update = self.here(self.name("before")), self.state.update
        match self.scan.kind:
            case "sum":
                return infix("+", before, part("add", update.add))
            case "prod":
                return infix("*", before, part("mul", update.mul))
            case "affine" | "decay":
                return infix("+", infix("*", part("mul", update.mul), before), part("add", update.add))

    def slots(self) -> Lines:
        """Store the states before and after the last step of a block in the slots of their circular buffer."""
        start, count = Affine.of(self.name("start")), Affine.of(self.name("count"))
        last = {self.state.loop.iterator: start + count - 1 if self.up else start}
        before, after = (
            self.text.text.element(self.state.array, [i.substitute(last) for i in cell])
            for cell in (self.state.before, self.state.after)
        )
        place = infix("-", word(self.name("count")), ONE) if self.up else ZERO
        return [assign(before, subscript(self.name("before"), place)), assign(after, self.name("now"))]

    def term(self, term: Term | None) -> Code:
        """A term."""
        return term_code(term, self.state, self.text)


def term_code(term: Term | None, state: LinearState, text: StatementText) -> Code:
    """A number that a step multiplies a state with, or adds to it."""

    def inside(part: Term | None) -> Code:
        return term_code(part, state, text)

    match term:
        case None:
            return ZERO
        case One():
            return ONE
        case At(expr):
            return text.expression(expr, state.instance(term))
        case Plus(a, b):
            return infix("+", inside(a), inside(b))
        case Product(a, b):
            return infix("*", inside(a), inside(b))
        case Minus(a):
            return negative(inside(a))
        case Inverse(a):
            return infix("/", ONE, inside(a))
        case Where(condition, a, b):
            return conditional(inside(condition), inside(a), inside(b))
