"""Loops in C: one spelling for each node of the loop IR."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from polyad.codegen.loops.how import Divided, How, LaneSum, Serial, Threads, Vector, Work
from polyad.codegen.loops.loop_values import Choice, Extreme, Value, add
from polyad.codegen.loops.nodes import (
    Assume,
    Barrier,
    Block,
    Cell,
    Contraction,
    Copies,
    Copy,
    CopyPointer,
    Declare,
    Guard,
    Instance,
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
)
from polyad.codegen.loops.traversal import instances
from polyad.codegen.names import Spelling
from polyad.codegen.text.contraction_text import contraction_lines, packing_lines
from polyad.codegen.text.equation_text import equation_text
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES
from polyad.codegen.text.integer_text import affine_text, condition_text, plain_value, value_text
from polyad.codegen.text.line_text import WIDTH, broken, indented
from polyad.codegen.text.parts_text import parts_lines
from polyad.codegen.text.prefix_text import prefix_lines
from polyad.codegen.text.statement_text import StatementText
from polyad.ir.affine import Affine

__all__ = ["LoopText", "plain_loops"]

_OPERATORS = {"sum": "+", "prod": "*", "max": "max", "min": "min"}
"""Reduction -> operator of OpenMP."""

_EXTREMES = {"max": "pa_maximum", "min": "pa_minimum"}
"""Those of the runtime header for floating-point numbers, since OpenMP's own drop nan."""


def plain_loops(block: Block, spell: Callable[[str], str], line: Callable[[Instance], list[str]]) -> list[str]:
    """A tree without storage decisions or pragmas, `line` spelling its instances."""
    return [text for child in block.children for text in _plain(child, spell, line)]


def _plain(node: Node, spell: Callable[[str], str], line: Callable[[Instance], list[str]]) -> list[str]:
    match node:
        case Instance():
            return line(node)
        case Loop():
            return [f"{loop_head(node, spell)} {{", *indented(plain_loops(node.body, spell, line)), "}"]
        case Guard(condition, then, otherwise):
            lines = [f"if ({condition_text(condition, spell)}) {{", *indented(plain_loops(then, spell, line))]
            if otherwise is not None:
                lines += ["} else {", *indented(plain_loops(otherwise, spell, line))]
            return [*lines, "}"]
        case Let(name, value):
            return [f"const int64_t {name} = {value_text(value, spell)};"]
        case Block():
            return ["{", *indented(plain_loops(node, spell, line)), "}"]
        case _:
            raise AssertionError("storage is decided for the loops of the program only")


def loop_head(loop: Loop, spell: Callable[[str], str]) -> str:
    """for (int64_t t = 0; t < T; t += 1)."""
    down = loop.step < 0
    bound = plain_value(loop.last, spell)
    strict = not down and _strict(bound)
    first = value_text(loop.first, spell)
    last = value_text(add(bound, Affine.of(1)) if strict else bound, spell)
    op = ">=" if down else "<" if strict else "<="
    step = f"{'-=' if down else '+='} {abs(loop.step)}"
    return f"for (int64_t {loop.iterator} = {first}; {loop.iterator} {op} {last}; {loop.iterator} {step})"


def _strict(last: Value) -> bool:
    """Whether an upper bound reads better with < than with <=: t < T instead of t <= T - 1."""
    match last:
        case Affine():
            return last.constant == -1 or not last.terms
        case Extreme(_, args):
            return all(_strict(a) for a in args)
        case Choice():
            return False


@dataclass(frozen=True, slots=True, eq=False)
class LoopText:
    """Prints the loops of a program, each statement's equation as a comment where it first appears.

    Attributes:
        statements: spells instances.
        copies: array of which each thread has a copy -> the name of the first, and the number of elements of one, in C.
        block_steps: steps of a block of a prefix scan that PA_SCAN_STEPS stands for.
        said: statements whose equation was printed.
    """

    statements: StatementText
    copies: Mapping[str, tuple[str, str]]
    block_steps: int
    said: set[str] = field(default_factory=set)

    def block(self, block: Block) -> list[str]:
        """The nodes of a block, one after another."""
        return [line for child in block.children for line in self.node(child)]

    def node(self, node: Node) -> list[str]:
        """One node."""
        spell = self.spell
        match node:
            case Instance():
                return [*self.comment(node.statement), *broken(self.statements.line(node))]
            case Loop():
                return [*self.pragma(node.how), *self.head(node), *indented(self.block(node.body)), "}"]
            case Guard(condition, then, otherwise):
                lines = [f"if ({condition_text(condition, spell)}) {{", *indented(self.block(then))]
                if otherwise is not None:
                    lines += ["} else {", *indented(self.block(otherwise))]
                return [*lines, "}"]
            case Let(name, value):
                return [f"const int64_t {name} = {value_text(value, spell)};"]
            case Assume(iterator, least):
                return [f"PA_ASSUME({iterator} >= {value_text(least, spell)});"]
            case Load(local, cell, declares):
                kind = f"{self.ctype(cell.array)} " if declares else ""
                return [f"{kind}{local} = {self.cell(cell)};"]
            case Declare(local, array, lanes):
                return [f"{self.ctype(array)} {local}[{lanes}];"]
            case Store(local, cell):
                return [f"{self.cell(cell)} = {local};"]
            case Block():
                return self.scope(node)
            case Contraction(shape=shape):
                assert shape is not None, "nests without a shape are loops (contraction_shapes.py)"
                (name,) = {i.statement for i in instances(node)}
                return [*self.comment(name), *contraction_lines(shape, node, self.statements.text)]
            case Pack(name, array, Contraction(shape=shape)):
                assert shape is not None, "nests without a shape are loops (contraction_shapes.py)"
                return [f"/* {name}: {array}, packed once */", *packing_lines(shape, name, self.statements.text)]
            case Share():
                return self.share(node)
            case Region(work, body):
                return [*broken(f"PA_PARALLEL_IF({self.work(work)})"), *self.scope(body)]
            case Single(body):
                return ["PA_SINGLE", *self.scope(body)]
            case Barrier():
                return ["PA_BARRIER"]
            case Parts():
                return parts_lines(node, self)
            case PrefixScan():
                return prefix_lines(node, self)
            case Copies(name, count):
                return [f"const int64_t {name} = pa_copies({affine_text(count, spell)});"]
            case Copy(name, iteration, count, copies):
                numbers = f"{affine_text(iteration, spell)}, {affine_text(count, spell)}, {copies}"
                return [f"const int64_t {name} = pa_copy({numbers});"]
            case CopyPointer(array, copy):
                first, size = self.copies[array]
                place = f"PA_COPY({self.ctype(array)}, {first}, {copy or 0}, {size})"
                return broken(f"{self.ctype(array)} *PA_RESTRICT {self.name(array)} = {place};")
            case SlotPointer(array, slot, alone):
                restrict = "PA_RESTRICT " if alone else ""
                return [f"{self.ctype(array)} *{restrict}{self.name(array)} = ({self.ctype(array)} *)slot_{slot};"]

    def scope(self, block: Block) -> list[str]:
        """The nodes of a block in braces."""
        return ["{", *indented(self.block(block)), "}"]

    def share(self, node: Share) -> list[str]:
        """A parallel region in which each thread does its part of a loop."""
        low, high = value_text(node.low, self.spell), value_text(node.high, self.spell)
        body = self.block(node.body)
        if node.work is None:  # no region of its own: in one of a caller, each of its threads does all
            limits = [f"const int64_t {node.first} = {low}, {node.last} = {high};"]
            return ["{", *indented([*limits, f"if ({node.first} <= {node.last}) {{", *indented(body), "}"]), "}"]
        return [
            *broken(f"PA_PARALLEL_IF({self.work(node.work)})"),
            "{",
            f"  int64_t {node.first} = 0, {node.last} = -1; /* the part of this thread */",
            f"  pa_share({low}, {high}, &{node.first}, &{node.last});",
            f"  if ({node.first} <= {node.last}) {{",
            *indented(indented(body)),
            "  }",
            "}",
        ]

    def pragma(self, how: How) -> list[str]:
        """The lines above a loop."""
        match how:
            case Serial(rolled):
                return ["PA_ROLLED"] if rolled else []
            case Vector(kind, sums, rolled):
                return [*(["PA_ROLLED_SERIAL"] if rolled else []), *_vector_pragma(SUFFIXES.get(kind, ""), sums)]
            case Threads(work, pieces, within):
                return [*_rolled(within), *self.shared("PA_PARALLEL_FOR", "_IF", pieces, within, [self.work(work)])]
            case Divided(pieces, within, wait):
                return [*_rolled(within), *self.shared("PA_FOR", "" if wait else "_NOWAIT", pieces, within, [])]
            case _:
                raise AssertionError(f"{how} is decided before")

    def shared(self, start: str, end: str, pieces: Value | None, within: How, last: list[str]) -> list[str]:
        """The pragma of a loop whose iterations threads share."""
        kind, arguments = "", last
        if pieces is not None:
            arguments = [value_text(pieces, self.spell), *last]
            kind = "_PIECES"
            if isinstance(within, Vector):
                kind = "_SIMD_WIDE" if within.type else "_SIMD"
                arguments = [*([SUFFIXES[within.type]] if within.type else []), *arguments]
        return broken(f"{start}{kind}{end}" + (f"({', '.join(arguments)})" if arguments else ""))

    def head(self, loop: Loop) -> list[str]:
        """The first line of a loop."""
        return broken(f"{loop_head(loop, self.spell)} {{")

    def work(self, work: Work) -> str:
        """The condition that work is enough: 8.0 * (double)B * (double)(4 * H) > 200000.0."""
        terms = []
        for cost, factors in work.terms:
            texts = [affine_text(f, self.spell) for f in factors]
            spelled = [f"(double){t}" if t.isidentifier() else f"(double)({t})" for t in texts]
            terms.append(" * ".join([f"{float(cost)!r}", *spelled]))
        return f"{' + '.join(terms)} > {work.least:.1f}"

    def name(self, array: str) -> str:
        """The C name of an array."""
        return self.statements.text.names.arrays[array]

    def ctype(self, array: str) -> str:
        """The C type of an array's elements."""
        return C_TYPES[self.statements.text.arrays[array].dtype]

    def cell(self, cell: Cell) -> str:
        """An array element."""
        return self.statements.text.cell(cell.array, cell.index)

    def comment(self, name: str) -> list[str]:
        """The equation of a statement, the first time."""
        if name in self.said:
            return []
        self.said.add(name)
        statement = self.statements.statements[name]
        # No file and line of the user's: the same definition is the same C, wherever it is written.
        text = f"{name}: {equation_text(statement)}".replace("*/", "* /")
        lines = textwrap.wrap(text, WIDTH, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False)
        return [f"/* {lines[0]}", *lines[1:-1], f"{lines[-1]} */"] if len(lines) > 1 else [f"/* {text} */"]

    @property
    def spell(self) -> Spelling:
        """The C names of sizes and iterators."""
        return self.statements.text.names.value


def _rolled(how: How) -> list[str]:
    return ["PA_ROLLED_SERIAL"] if isinstance(how, Serial | Vector) and how.rolled else []


def _vector_pragma(kind: str, sums: tuple[LaneSum, ...]) -> list[str]:
    """The pragma of a vector loop; `kind`: the suffix of the type of the widest vectors, or nothing."""
    if not sums:
        return [f"PA_SIMD_WIDE({kind})" if kind else "PA_SIMD"]
    operators = {s.local: _operator(s) for s in sums}
    if len(operators) == 1:
        ((name, op),) = operators.items()
        return [f"PA_SIMD_WIDE_REDUCTION({kind}, {op}, {name})" if kind else f"PA_SIMD_REDUCTION({op}, {name})"]
    groups = {op: [n for n, o in operators.items() if o == op] for op in dict.fromkeys(operators.values())}
    text = " ".join(f"reduction({op} : {', '.join(names)})" for op, names in groups.items())
    return broken(f"PA_PRAGMA_SIMD(omp simd {f'PA_WIDE_{kind} ' if kind else ''}{text})")


def _operator(total: LaneSum) -> str:
    floating = total.dtype.startswith("float")
    return _EXTREMES.get(total.reduction, _OPERATORS[total.reduction]) if floating else _OPERATORS[total.reduction]
