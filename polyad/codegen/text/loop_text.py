"""Loops in C."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from polyad.codegen.loops.contractions import shape_of
from polyad.codegen.loops.linear_state import LinearState, linear_state
from polyad.codegen.loops.loop_values import Choice, Extreme, Value, add, names_of
from polyad.codegen.loops.loops import (
    Block,
    Cell,
    Contraction,
    Declare,
    Guard,
    Instance,
    Let,
    Load,
    Loop,
    Node,
    Pack,
    Share,
    Store,
    instances,
    nodes,
    outermost_loops,
)
from polyad.codegen.loops.statement_accesses import Touch
from polyad.codegen.loops.vector_loops import is_smooth, simd_clause, wide_type
from polyad.codegen.loops.work_estimate import work_estimate
from polyad.codegen.lower.pieces import piece_count
from polyad.codegen.lower.register_blocks import RegisterBlocks
from polyad.codegen.lower.rolled_loops import rolled_lines
from polyad.codegen.lower.vector_tails import VectorTails
from polyad.codegen.names import Spelling
from polyad.codegen.options import CodegenOptions
from polyad.codegen.text.contraction_text import contraction_lines, packing_lines
from polyad.codegen.text.equation_text import equation_text
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES
from polyad.codegen.text.integer_text import condition_text, plain_value, value_text
from polyad.codegen.text.line_text import WIDTH, broken, indented
from polyad.codegen.text.parts_text import PartsText, partial_sums, renamed
from polyad.codegen.text.prefix_text import prefix_lines
from polyad.codegen.text.private_text import Copies
from polyad.codegen.text.region_text import region_lines
from polyad.codegen.text.shared_calls import calls_often, calls_once
from polyad.codegen.text.statement_text import StatementText
from polyad.ir.affine import Affine
from polyad.ir.names import unique_name

__all__ = ["LoopText", "plain_loops"]


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


@dataclass(slots=True, eq=False)
class LoopText:
    """Prints the loops of a program, each statement's equation as a comment where it first appears.

    Attributes:
        statements: spells instances.
        touches: the accesses of all statements.
        memory: array -> the number of its piece of the workspace.
        options: the target's choices.
        shared: top-level nest -> declarations it needs.
        copies: top-level parallel loop -> the arrays of which each thread has a copy.
        said: statements whose equation was printed.
        blocks: makes register blocks.
        tails: makes short vector loops that overlap.
        taken: all identifiers in use; those of new variables are added.
        outermost: the loops that no loop is around.
    """

    statements: StatementText
    touches: Mapping[str, tuple[Touch, ...]]
    memory: Mapping[str, int]
    options: CodegenOptions
    shared: Mapping[int, list[str]]
    copies: Mapping[int, Copies]
    said: set[str]
    blocks: RegisterBlocks
    tails: VectorTails
    taken: set[str]
    outermost: frozenset[Loop] = frozenset()

    def root(self, root: Block) -> list[str]:
        """The whole function body."""
        lines: list[str] = []
        self.outermost = frozenset(outermost_loops(root))
        for position, child in enumerate(root.children):
            copies = self.copies.get(position)
            if copies is not None and isinstance(child, Loop):
                text = self.loop(child, False, copies)
            else:
                text = self.node(child, threaded=False)
            declarations = self.shared.get(position, [])
            lines += ["{", *indented(declarations + text), "}"] if declarations else text
        return lines

    def block(self, block: Block, threaded: bool) -> list[str]:
        """The nodes of a block, one after another."""
        return [line for child in block.children for line in self.node(child, threaded)]

    def node(self, node: Node, threaded: bool) -> list[str]:
        """One node; `threaded`: a parallel loop is around it."""
        spell = self.spell
        match node:
            case Instance():
                return [*self.comment(node.statement), *broken(self.statements.line(node))]
            case Loop():
                return self.loop(node, threaded)
            case Guard(condition, then, otherwise):
                lines = [f"if ({condition_text(condition, spell)}) {{", *indented(self.block(then, threaded))]
                if otherwise is not None:
                    lines += ["} else {", *indented(self.block(otherwise, threaded))]
                return [*lines, "}"]
            case Let(name, value):
                return [f"const int64_t {name} = {value_text(value, spell)};"]
            case Load(local, cell, declares):
                kind = f"{self.ctype(cell.array)} " if declares else ""
                return [f"{kind}{local} = {self.cell(cell)};"]
            case Declare(local, array, lanes):
                return [f"{self.ctype(array)} {local}[{lanes}];"]
            case Store(local, cell):
                return [f"{self.cell(cell)} = {local};"]
            case Block():
                return ["{", *indented(self.block(node, threaded)), "}"]
            case Contraction():
                return self.contraction(node, threaded)
            case Share():
                return self.share(node)
            case Pack(name, array, contraction):
                text = self.statements.text
                shape = shape_of(contraction, self.statements.statements, text.arrays, text.slots, text.layouts)
                assert shape is not None, "panels are made for contractions that the macro-kernel computes"
                return [f"/* {name}: {array}, packed once */", *packing_lines(shape, name, text)]

    def share(self, node: Share) -> list[str]:
        """A parallel region in which each thread does its part of a loop."""
        low, high = value_text(node.low, self.spell), value_text(node.high, self.spell)
        body = self.block(node.body, threaded=True)
        pragma = self.threads(node, "PA_PARALLEL_IF") if self.options.openmp else []
        if not pragma:  # no region of its own: in one of a caller, each of its threads does all
            limits = [f"const int64_t {node.first} = {low}, {node.last} = {high};"]
            return ["{", *indented([*limits, f"if ({node.first} <= {node.last}) {{", *indented(body), "}"]), "}"]
        return [
            *pragma,
            "{",
            f"  int64_t {node.first} = 0, {node.last} = -1; /* the part of this thread */",
            f"  pa_share({low}, {high}, &{node.first}, &{node.last});",
            f"  if ({node.first} <= {node.last}) {{",
            *indented(indented(body)),
            "  }",
            "}",
        ]

    def contraction(self, node: Contraction, threaded: bool) -> list[str]:
        """A contraction, or its loops where the operands do not lie in memory as the macro-kernel needs them."""
        text = self.statements.text
        shape = shape_of(node, self.statements.statements, text.arrays, text.slots, text.layouts)
        if shape is None:
            return self.loop(node.nest, threaded)
        (name,) = {i.statement for i in instances(node)}
        return [*self.comment(name), *contraction_lines(shape, node, text)]

    def loop(self, loop: Loop, threaded: bool, copies: Copies | None = None) -> list[str]:
        """A loop with its pragma, or in register blocks; `copies`: of the arrays of which each thread has one."""
        if loop.jam > 1 or loop.lanes:
            return [line for part in self.blocks.of(loop) for line in self.node(part, threaded)]
        state = self.linear_state(loop)
        if state is not None:
            return prefix_lines(
                state, self.statements, self.fresh, self.comment, self.vector, self.options.machine.scan_steps
            )
        if not threaded and (region := region_lines(loop, self)) is not None:
            return region
        if loop in self.outermost and (divided := self.parts(loop)):
            return divided
        if loop.simd and (tail := self.tail(loop, threaded)):
            return tail
        parallel = loop.parallel and not threaded and self.options.openmp
        vector = self.vector(loop) if loop.simd or self.free(loop) else []
        started: list[str] = []
        if parallel:
            kind, first = self.together(loop)
            started = self.threads(loop, f"PA_PARALLEL_FOR{kind}_IF", *first)
        body = self.body(loop, threaded or parallel)
        if started:
            body = [*self.assumption(loop), *body]
        before: list[str] = []
        if copies is not None:
            number = self.fresh("copies") if started else ""
            before = copies.before(number) if started else []
            body = [*copies.inside(number, self.fresh("copy")), *body]
        pragma = started or vector
        rolled = rolled_lines(loop, self.statements, bool(pragma))
        return [*before, *rolled, *pragma, *self.head(loop), *indented(body), "}"]

    def tail(self, loop: Loop, threaded: bool) -> list[str]:
        """A short vector loop whose last vector overlaps the one before; nothing where it is another."""
        if not self.options.strategies.tails or loop.parallel or loop.fixed or not self.vector(loop):
            return []
        found = None if simd_clause(loop, self.touches) else self.tails.of(loop)
        if found is None:
            return []
        blocks, kind = found
        start, lanes = blocks.body.children
        assert isinstance(lanes, Loop), "the loop over the lanes comes last"
        vector = [f"PA_SIMD_WIDE({SUFFIXES[kind]})", *self.head(lanes), *indented(self.body(lanes, threaded)), "}"]
        return [*self.head(blocks), *indented([*self.node(start, threaded), *vector]), "}"]

    def parts(self, loop: Loop) -> list[str]:
        """A loop that does nothing but reduce, in parts that threads share; nothing where it is another, or small."""
        enough = self.enough(loop) if self.options.strategies.parts else None
        sums = partial_sums(loop, self.touches, self.fresh) if enough else []
        if not enough or not sums:
            return []
        part = renamed(loop, sums)
        vector = self.vector(part) if part.simd else []
        dtypes = {n: a.dtype for n, a in self.statements.text.arrays.items()}
        body = self.body(part, threaded=True)
        text = PartsText(part, enough, self.options.openmp, dtypes, self.spell, self.fresh)
        return text.lines(sums, vector, body)

    def divided(self, loop: Loop, barrier: bool) -> list[str]:
        """A parallel loop inside of a parallel region."""
        kind, first = self.together(loop)
        pragma = f"PA_FOR{kind}{'' if barrier else '_NOWAIT'}" + (f"({', '.join(first)})" if first else "")
        body = [*self.assumption(loop), *self.body(loop, threaded=True)]
        return [*rolled_lines(loop, self.statements, True), *broken(pragma), *self.head(loop), *indented(body), "}"]

    def body(self, loop: Loop, threaded: bool) -> list[str]:
        """What a loop repeats."""
        lines = self.block(loop.body, threaded)
        statements = [self.statements.statements[i.statement] for i in instances(loop)]
        # All numbers have one type where vectors are wide: those of the calls are as long.
        shared = (
            calls_often(loop, statements, self.options.machine.calls)
            and bool(self.vector(loop))
            and self.wide(loop) is not None
        )
        return calls_once(lines) if shared and (loop.simd or self.free(loop)) else lines

    def assumption(self, loop: Loop) -> list[str]:
        """What compilers have to be told of a loop whose iterations are divided among threads.

        They do not see where the part of a thread begins. Where sums inside may then be empty, gcc (12) splits the loop
        at that point, and forgets that those are vector loops.
        """
        sums = [n for n in nodes(loop) if isinstance(n, Loop) and n.simd and simd_clause(n, self.touches)]
        if not any(loop.iterator in names_of(bound) for n in sums for bound in (n.first, n.last)):
            return []
        return [f"PA_ASSUME({loop.iterator} >= {value_text(loop.first, self.spell)});"]

    def together(self, loop: Loop) -> tuple[str, tuple[str, ...]]:
        """What the pragma of a parallel loop says of vectors: part of its name, and its first arguments."""
        found = piece_count(loop)
        if found is None:
            return "", ()
        count = value_text(found, self.spell)
        if not self.free(loop) or not self.vector(loop) or simd_clause(loop, self.touches):
            return "_PIECES", (count,)
        wide = self.wide(loop)
        return ("_SIMD_WIDE", (wide, count)) if wide else ("_SIMD", (count,))

    def free(self, loop: Loop) -> bool:
        """Whether a parallel loop may be a vector loop, too."""
        return loop.parallel and self.options.strategies.simd and is_smooth(loop, self.touches)

    def head(self, loop: Loop) -> list[str]:
        """The first line of a loop."""
        return broken(f"{loop_head(loop, self.spell)} {{")

    def expanded(self, loop: Loop) -> Sequence[Node]:
        """A loop, or the register blocks that are printed in its place."""
        return self.blocks.of(loop) if loop.jam > 1 or loop.lanes else (loop,)

    def linear_state(self, loop: Loop) -> LinearState | None:
        """The one number that a loop carries from step to step, where it is a linear one."""
        if not self.options.strategies.prefix or loop.parallel or loop.simd:
            return None
        statements = self.statements
        own = statements.text.slots
        return linear_state(loop, self.touches, statements.statements, own, statements.expression, self.options.machine)

    def fresh(self, name: str) -> str:
        """An unused name like this one."""
        new = unique_name(name, self.taken)
        self.taken.add(new)
        return new

    def threads(self, loop: Loop | Share, pragma: str, *first: str) -> list[str]:
        """The pragma of a parallel loop or region, `first` before its condition; none when the work is small."""
        enough = self.enough(loop)
        return broken(f"{pragma}({', '.join((*first, enough))})") if enough else []

    def enough(self, loop: Loop | Share) -> str | None:
        """The condition that work is worth threads, in C; None where it never is."""
        work = work_estimate(loop, self.statements.statements, self.spell)
        threshold = self.options.machine.thread_start
        if "*" not in work and "+" not in work and float(work or 0) <= threshold:
            return None
        return f"{work} > {threshold:.1f}"

    def vector(self, loop: Loop) -> list[str]:
        """The pragma of a vector loop, where one may stand."""
        guarded = self.statements.guarded
        if any(t.access in guarded for i in instances(loop) for t in self.touches[i.statement]):
            return []  # the check at the place of use writes the status atomically, which vector lanes may not
        clause = {} if loop.fixed else simd_clause(loop, self.touches)
        if clause is None:
            return []
        wide = self.wide(loop)
        if not clause:
            return [f"PA_SIMD_WIDE({wide})" if wide else "PA_SIMD"]
        if len(clause) == 1:
            (name, op), *_ = clause.items()
            return [f"PA_SIMD_WIDE_REDUCTION({wide}, {op}, {name})" if wide else f"PA_SIMD_REDUCTION({op}, {name})"]
        groups = {op: [n for n, o in clause.items() if o == op] for op in dict.fromkeys(clause.values())}
        text = " ".join(f"reduction({op} : {', '.join(names)})" for op, names in groups.items())
        return broken(f"PA_PRAGMA_SIMD(omp simd {f'PA_WIDE_{wide} ' if wide else ''}{text})")

    def wide(self, loop: Loop) -> str | None:
        """The type of the widest vectors for a loop that is worth them."""
        dtypes = {n: a.dtype for n, a in self.statements.text.arrays.items()}
        return wide_type(loop, self.touches, dtypes, self.statements.text.names.params, self.options.machine)

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
