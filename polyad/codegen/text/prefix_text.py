"""Prefix scans (prefix_scans.py) in C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from polyad.codegen.loops.how import How
from polyad.codegen.loops.linear_state import LinearState
from polyad.codegen.loops.loop_values import Value
from polyad.codegen.loops.loop_values import add as plus
from polyad.codegen.loops.nodes import Instance, PrefixScan
from polyad.codegen.loops.terms import At, Inverse, Minus, One, Plus, Term, Times, Where
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES, unenclosed
from polyad.codegen.text.integer_text import affine_text, value_text
from polyad.codegen.text.line_text import broken, indented
from polyad.codegen.text.printer import Printer
from polyad.codegen.text.statement_text import StatementText
from polyad.ir.affine import Affine

__all__ = ["prefix_lines"]

_VALUES = {"sum": "{before} + {add}", "prod": "{before} * {mul}", "affine": "{mul} * {before} + {add}"}
_VALUES["decay"] = _VALUES["affine"]


def prefix_lines(scan: PrefixScan, printer: Printer) -> list[str]:
    """The lines of a loop."""
    return _PrefixText(scan, printer).lines()


@dataclass(frozen=True, slots=True, eq=False)
class _PrefixText:
    """Spells one scan; the C variables of `scan.names` are written as h_mul, h_before and so on in what follows."""

    scan: PrefixScan
    printer: Printer

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

    def spell(self, name: str) -> str:
        """A size or an iterator; the scan's own are C names already."""
        own = name in (self.name("start"), self.name("count"))
        return name if own else self.printer.spell(name)

    @property
    def place(self) -> str:
        """[t - t_0]: where a step has its number in a buffer."""
        return f"[{self.state.loop.iterator} - {self.name('start')}]"

    def lines(self) -> list[str]:
        """All of it."""
        loop, start, count, now = self.state.loop, self.name("start"), self.name("count"), self.name("now")
        ctype = C_TYPES[self.state.dtype]
        block = "PA_SCAN_STEPS" if self.scan.steps == self.printer.block_steps else str(self.scan.steps)
        buffers = [*(self.name(b) for b in self.scan.buffers), self.name("before")]
        chunk = [
            f"const int64_t {count} = pa_min_i64({self.rest()}, {block});",
            *([] if self.up else [f"{start} -= {count} - 1;"]),
            f"{ctype} {', '.join(f'{b}[{block}]' for b in buffers)};",
            *(f"{self.printer.ctype(a)} {buffer}[{block}];" for a, buffer in self.kept().items()),
            *self.loop(self.scan.first, self.first_lines()),
            *broken(self.call()),
            *self.loop(self.scan.second, [line for i in self.second() for line in self.second_lines(i)]),
            *(self.slots() if self.state.in_turn else []),
        ]
        assert isinstance(loop.first, Affine), "linear_state takes no other"
        first, last = value_text(loop.first, self.printer.spell), value_text(loop.last, self.printer.spell)
        op, step = ("<=", f"{start} += {block}") if self.up else (">=", f"{start} -= 1")
        begin = {loop.iterator: loop.first}
        initial = self.text.text.cell(self.state.array, [i.substitute(begin) for i in self.state.before])
        lines = [
            f"{ctype} {now} = {initial};",
            f"for (int64_t {start} = {first}; {start} {op} {last}; {step}) {{",
            *indented(chunk),
            "}",
        ]
        if _constant(loop.first) and _constant(loop.last):
            return ["{", *indented(lines), "}"]
        # The first state exists where there is a step at all.
        return [f"if ({first} {'<=' if self.up else '>='} {last}) {{", *indented(lines), "}"]

    def kept(self) -> dict[str, str]:
        """Array -> the buffer of its values that the second loop reads."""
        return {a: self.name(a) for a in (self.text.statements[i.statement].array for i in self.state.kept)}

    def rest(self) -> str:
        """The steps that are left."""
        start, end = Affine.of(self.name("start")), self.state.loop.last
        if self.up:
            return value_text(plus(end, 1 - start), self.spell)
        if isinstance(end, Affine):
            return affine_text(start - end + 1, self.spell)
        return f"{self.name('start')} - {value_text(end, self.printer.spell)} + 1"

    def loop(self, how: How, lines: list[str]) -> list[str]:
        """A loop over the steps of a block."""
        t, start = self.state.loop.iterator, self.name("start")
        head = f"for (int64_t {t} = {start}; {t} < {start} + {self.name('count')}; {t} += 1) {{"
        return [*self.printer.pragma(how), head, *indented(lines), "}"] if lines else []

    def call(self) -> str:
        """h_state = pa_scan_affine_up_f64(h_mul, h_add, h_state, h_before, t_n);."""
        state, kind = self.state, self.scan.kind
        passed = [unenclosed(self.term(state.update.mul))] if kind == "decay" else []
        for part in ("mul", "add"):
            if part in self.scan.standing:
                passed.append(self.standing(part))
            elif part in self.scan.buffers:
                passed.append(self.name(part))
        passed += [self.name("now"), self.name("before"), self.name("count")]
        function = f"pa_scan_{kind}_{'up' if self.up else 'down'}_{SUFFIXES[state.dtype]}"
        return f"{self.name('now')} = {function}({', '.join(passed)});"

    def standing(self, part: str) -> str:
        """Where the numbers of a block begin that stand in memory."""
        term = self.state.update.mul if part == "mul" else self.state.update.add
        assert isinstance(term, At), "what stands in memory is an element"
        at = {self.state.loop.iterator: Affine.of(self.name("start"))}
        moved = replace(term.instance, args=tuple(a.substitute(at) for a in term.instance.args))
        return f"&{self.text.expression(term.expr, moved)}"

    def first_lines(self) -> list[str]:
        """What the first loop repeats."""
        terms = {"mul": self.state.update.mul, "add": self.state.update.add}
        kept = {self.text.statements[i.statement].array: i for i in self.state.kept}
        return [
            *(
                line
                for i in self.state.first
                for line in (*self.printer.comment(i.statement), *broken(self.text.line(i)))
            ),
            *(f"{buffer}{self.place} = {kept[a].locals[a]};" for a, buffer in self.kept().items()),
            *(line for b in self.scan.buffers for line in broken(self.fill(b, terms[b]))),
        ]

    def fill(self, part: str, term: Term | None) -> str:
        """The statement that fills a buffer."""
        return f"{self.name(part)}{self.place} = {unenclosed(self.term(term))};"

    def second(self) -> list[Instance]:
        """The instances of the second loop, which find in buffers what the first kept."""
        places = {a: f"{buffer}{self.place}" for a, buffer in self.kept().items()}
        return [
            replace(i, locals={**i.locals, **{a: p for a, p in places.items() if a in i.locals}})
            for i in self.state.second
        ]

    def second_lines(self, instance: Instance) -> list[str]:
        """An instance after the scan."""
        state, text = self.state, self.text
        if instance.number == state.writer.number:
            if state.in_turn and not any(self.reads_after(i) for i in state.second):
                return []  # its slots are filled when the last steps are known
            element = text.element(state.array, text.statements[instance.statement].write, instance)
            target = f"const {C_TYPES[state.dtype]} {self.name('after')}" if state.in_turn else element
            return [*self.printer.comment(instance.statement), *broken(f"{target} = {self.value()};")]
        if instance.number in state.carried:
            before = f"{self.name('before')}{self.place}"
            instance = replace(instance, locals={**instance.locals, state.array: before})
        elif state.in_turn and self.reads_after(instance):
            instance = replace(instance, locals={**instance.locals, state.array: self.name("after")})
        return [*self.printer.comment(instance.statement), *broken(text.line(instance))]

    def reads_after(self, instance: Instance) -> bool:
        """Whether an instance reads the state after its step."""
        if instance.number == self.state.writer.number or instance.number in self.state.carried:
            return False
        return any(r.array == self.state.array for r in self.text.statements[instance.statement].reads())

    def value(self) -> str:
        """The state after a step."""
        terms = {"mul": self.state.update.mul, "add": self.state.update.add}
        buffers = {part: f"{self.name(part)}{self.place}" for part in self.scan.buffers}
        spelled = {part: self.term(term) for part, term in terms.items()} | buffers
        return _VALUES[self.scan.kind].format(**spelled, before=f"{self.name('before')}{self.place}")

    def slots(self) -> list[str]:
        """Store the states before and after the last step of a block in the slots of their circular buffer."""
        start, count = self.name("start"), self.name("count")
        place = f"{count} - 1" if self.up else "0"
        at = f"{start} + {count} - 1" if self.up else start

        def element(cell: Sequence[Affine]) -> str:
            moved = [i.substitute({self.state.loop.iterator: Affine.of("LAST")}) for i in cell]
            index = [affine_text(i, lambda n: at if n == "LAST" else self.printer.spell(n)) for i in moved]
            return self.text.text.element(self.state.array, index)

        before = f"{element(self.state.before)} = {self.name('before')}[{place}];"
        return [before, f"{element(self.state.after)} = {self.name('now')};"]

    def term(self, term: Term | None) -> str:
        """A term, enclosed where it stands in another one."""
        match term:
            case None:
                return "0"
            case One():
                return "1"
            case At(expr, instance):
                return self.text.expression(expr, instance, enclosed=True)
            case Plus(a, b):
                return f"({self.term(a)} + {self.term(b)})"
            case Times(a, b):
                return f"{self.term(a)} * {self.term(b)}"
            case Minus(a):
                return f"(-{self.term(a)})"
            case Inverse(a):
                return f"(1 / {self.term(a)})"
            case Where(condition, a, b):
                test = self.text.expression(condition.expr, condition.instance)
                return f"({test} ? {self.term(a)} : {self.term(b)})"


def _constant(value: Value) -> bool:
    return isinstance(value, Affine) and value.is_constant
