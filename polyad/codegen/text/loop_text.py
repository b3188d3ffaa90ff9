"""Loops in C: one spelling for each node of the loop IR."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from polyad.codegen.loops.how import Divided, How, LaneSum, Serial, Threads, Vector, Work
from polyad.codegen.loops.loop_values import Choice, Condition, Extreme, Nonzero, Value, add
from polyad.codegen.loops.nodes import (
    AddUp,
    Assume,
    Barrier,
    Block,
    Contraction,
    Copies,
    Copy,
    CopyPointer,
    Declare,
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
from polyad.codegen.loops.traversal import instances
from polyad.codegen.names import Spelling
from polyad.codegen.plan import ThreadCopies
from polyad.codegen.text.code import (
    Code,
    address,
    assign,
    call,
    cast,
    code,
    declare,
    if_line,
    infix,
    listed,
    loop_line,
    subscript,
    word,
)
from polyad.codegen.text.contraction_text import contraction_lines, packing_lines
from polyad.codegen.text.equation_text import equation_text
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES, constant_code
from polyad.codegen.text.integer_text import ONE, affine_code, condition_code, plain_value, value_code
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.statement_text import StatementText, local_code
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes

__all__ = ["LoopText"]

_OPERATORS = {"sum": "+", "prod": "*", "max": "max", "min": "min"}
"""Reduction -> operator of OpenMP."""

_EXTREMES = {"max": "pa_maximum", "min": "pa_minimum"}
"""Those of the runtime header for floating-point numbers, since OpenMP's own drop nan."""


def loop_head(loop: Loop, spell: Spelling) -> Code:
    """for (int64_t t = 0; t < T; t += 1) {."""
    down = loop.step < 0
    bound = plain_value(loop.last, spell)
    strict = not down and _strict(bound)
    first = value_code(loop.first, spell)
    last = value_code(add(bound, Affine.of(1)) if strict else bound, spell)
    op = ">=" if down else "<" if strict else "<="
    return loop_line(loop.iterator, first, op, last, str(abs(loop.step)), not down, spell.index)


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
    """Prints the loops of a program, with equations as comments.

    Attributes:
        statements: spells instances.
        copies: the arrays of which each thread has a copy.
        block_steps: steps of a block of a prefix scan that PA_SCAN_STEPS stands for.
        nest: prints a loop that is several loops in C, and what is inside of it by this printer (nest_text.py).
        line: spells instances in another way than as statements.
    """

    statements: StatementText
    copies: Mapping[str, ThreadCopies]
    block_steps: int
    nest: Callable[[Parts | PrefixScan, LoopText], Lines]
    line: Callable[[Instance], Lines] | None = None

    def block(self, block: Block) -> Lines:
        """The nodes of a block, one after another; copies of an equation side by side have one comment."""
        while len(block.children) == 1 and isinstance(inside := block.children[0], Block):
            block = inside  # a second pair of braces says nothing
        return [line for _, lines in self.children(block) for line in lines]

    def children(self, block: Block) -> Iterator[tuple[Node, Lines]]:
        """The nodes of a block, each with its lines."""
        before = ""
        for child in block.children:
            name = child.statement if isinstance(child, Instance) and self.line is None else ""
            comment = self.comment(child) if isinstance(child, Instance) and name not in ("", before) else []
            yield child, [*comment, *self.node(child)]
            before = name

    def node(self, node: Node) -> Lines:
        """One node."""
        spell, element = self.spell, self.statements.text.element
        match node:
            case Instance():
                return [self.statements.line(node)] if self.line is None else self.line(node)
            case Loop():
                meeting = ["PA_BARRIER"] if isinstance(node.how, Divided) and node.how.wait else []
                return [*self.pragma(node.how), loop_head(node, spell), self.block(node.body), "}", *meeting]
            case Guard(condition, then, otherwise):
                lines: Lines = [if_line(self.condition(condition)), self.block(then)]
                match otherwise:
                    case None:
                        return [*lines, "}"]
                    case Block((Guard(condition=other) as inner,)):
                        return [*lines, if_line(self.condition(other), otherwise=True), *self.node(inner)[1:]]
                    case _:
                        return [*lines, "} else {", self.block(otherwise), "}"]
            case Let(name, value):
                return [declare(f"const {spell.index}", (name, value_code(value, spell)))]
            case Assume(iterator, least):
                return [code("{};", call("PA_ASSUME", infix(">=", word(iterator), value_code(least, spell))))]
            case Load(local, cell, declares):
                found = local_code(local), element(cell.array, cell.index)
                return [declare(self.ctype(cell.array), found) if declares else assign(*found)]
            case Declare(local, array, lanes):
                return [code("{} {};", self.ctype(array), subscript(local, str(lanes)))]
            case Subtotal(local, _, dtype):
                return [declare(C_TYPES[dtype], (local, constant_code(0.0, dtype)))]
            case AddUp(found):
                return [assign(found.total, _total(found))]
            case Store(local, cell):
                return [assign(element(cell.array, cell.index), local_code(local))]
            case Block():
                return self.scope(node)
            case Contraction(shape=shape):
                assert shape is not None, "nests without a shape are loops (contraction_shapes.py)"
                instance = next(instances(node))
                return [*self.comment(instance), *contraction_lines(shape, node, self.statements.text)]
            case Pack(name, array, Contraction(shape=shape)):
                assert shape is not None, "nests without a shape are loops (contraction_shapes.py)"
                return [
                    f"/* {name}: {self.name(array)}, packed once */",
                    *packing_lines(shape, name, self.statements.text),
                ]
            case Share():
                return self.share(node)
            case Region(work, body):
                return [call("PA_PARALLEL_IF", self.work(work)), *self.scope(body)]
            case Single(body):
                return ["PA_SINGLE", *self.scope(body), "PA_BARRIER"]
            case Barrier():
                return ["PA_BARRIER"]
            case Parts() | PrefixScan():
                return self.nest(node, self)
            case Copies(name, count):
                return [declare("const int64_t", (name, call("pa_copies", affine_code(count, spell))))]
            case Copy(name, iteration, count, copies):
                numbers = affine_code(iteration, spell), affine_code(count, spell), copies
                return [declare("const int64_t", (name, call("pa_copy", *numbers)))]
            case CopyPointer(array, copy):
                one = self.copies[array]
                sizes = [value_code(e, spell) for e in one.extents if e != Affine.of(1)]
                place = call("PA_COPY", self.ctype(array), one.first, copy or "0", infix("*", *(sizes or [ONE])))
                return [declare(self.pointer(array), (self.name(array), place))]
            case SlotPointer(array, slot):
                place = cast(f"{self.ctype(array)} *", word(f"slot_{slot}"))
                return [declare(self.pointer(array), (self.name(array), place))]
            case Launch():
                raise AssertionError("C launches nothing")

    def scope(self, block: Block) -> Lines:
        """The nodes of a block in braces."""
        return ["{", self.block(block), "}"]

    def condition(self, found: Condition) -> Code:
        """A condition; an element that is tested is written as those of statements are."""
        if isinstance(found, Nonzero):
            text = self.statements.text
            return infix("!=", word(found.local) if found.local else text.element(found.array, found.index), code("0"))
        return condition_code(found, self.spell)

    def share(self, node: Share) -> Lines:
        """A parallel region in which each thread does its part of a loop."""
        low, high = value_code(node.low, self.spell), value_code(node.high, self.spell)
        body: Lines = [if_line(infix("<=", word(node.first), word(node.last))), self.block(node.body), "}"]
        if node.work is None:  # no region of its own: in one of a caller, each of its threads does all
            return ["{", [declare("const int64_t", (node.first, low), (node.last, high)), *body], "}"]
        part: Lines = [
            code("{} /* the part of this thread */", declare("int64_t", (node.first, "0"), (node.last, "-1"))),
            code("{};", call("pa_share", low, high, *(address(word(n)) for n in (node.first, node.last)))),
        ]
        return [call("PA_PARALLEL_IF", self.work(node.work)), "{", [*part, *body], "}"]

    def pragma(self, how: How) -> Lines:
        """The lines above a loop."""
        match how:
            case Serial(rolled):
                return ["PA_ROLLED"] if rolled else []
            case Vector(kind, sums, rolled):
                return [*(["PA_ROLLED_SERIAL"] if rolled else []), *_vector_pragma(SUFFIXES.get(kind, ""), sums)]
            case Threads(work, pieces, within):
                return [*_rolled(within), self.shared("PA_PARALLEL_FOR", "_IF", pieces, within, self.work(work))]
            case Divided(pieces, within):
                return [*_rolled(within), self.shared("PA_FOR", "", pieces, within)]
            case _:
                raise AssertionError(f"{how} is decided before")

    def shared(self, start: str, end: str, pieces: Value | None, within: How, *last: Code) -> Code:
        """The pragma of a loop whose iterations threads share."""
        kind, arguments = "", [*last]
        if pieces is not None:
            arguments = [value_code(pieces, self.spell), *last]
            kind = "_PIECES"
            if isinstance(within, Vector):
                kind = "_SIMD_WIDE" if within.type else "_SIMD"
                arguments = [*([word(SUFFIXES[within.type])] if within.type else []), *arguments]
        macro = f"{start}{kind}{end}"
        return call(macro, *arguments) if arguments else word(macro)

    def work(self, work: Work) -> Code:
        """The condition that work is enough: 8.0 * (double)B * (double)(4 * H) + (double)B > 200000.0."""
        terms, ctype = [], self.spell.counted
        end = "" if ctype == "double" else "f"
        for cost, factors in work.terms:
            spelled = [cast(ctype, affine_code(f, self.spell)) for f in factors]
            number = [word(f"{float(cost)!r}{end}")] if cost != 1 or not factors else []
            terms.append(infix("*", *number, *spelled))
        return infix(">", infix("+", *terms), word(f"{work.least:.1f}{end}"))

    def name(self, array: str) -> str:
        """The C name of an array."""
        return self.statements.text.names.arrays[array]

    def pointer(self, array: str) -> str:
        """The type of the pointer to an array in the workspace."""
        return f"{self.ctype(array)} *PA_RESTRICT"

    def ctype(self, array: str) -> str:
        """The C type of an array's elements."""
        return C_TYPES[self.statements.text.arrays[array].dtype]

    def comment(self, instance: Instance) -> Lines:
        """The equation of an instance."""
        statement = self.statements.statements[instance.statement]
        # No file and line of the user's: the same definition is the same C, wherever it is written.
        equation = equation_text(statement, instance.args, self.statements.text.names, self.statements.known)
        return [replace(code("/* {}: {} */", statement.name, equation), names=frozenset())]

    @property
    def spell(self) -> Spelling:
        """The C names of sizes and iterators."""
        return self.statements.text.names.value


def _total(found: Subtotal) -> Code:
    """total + part, added up in the wider of their types."""
    types = found.whole, found.dtype
    wide = max(types, key=lambda dtype: item_bytes(dtype))
    names = zip((found.total, found.local), types, strict=True)
    added = infix("+", *(word(n) if dtype == wide else cast(C_TYPES[wide], word(n)) for n, dtype in names))
    return added if wide == found.whole else cast(C_TYPES[found.whole], added)


def _rolled(how: How) -> Lines:
    return ["PA_ROLLED_SERIAL"] if isinstance(how, Serial | Vector) and how.rolled else []


def _vector_pragma(kind: str, sums: tuple[LaneSum, ...]) -> Lines:
    """The pragma of a vector loop; `kind`: the suffix of the type of the widest vectors, or nothing."""
    if not sums:
        return [f"PA_SIMD_WIDE({kind})" if kind else "PA_SIMD"]
    operators = {s.local: _operator(s) for s in sums}
    if len(operators) == 1:
        ((name, op),) = operators.items()
        return [f"PA_SIMD_WIDE_REDUCTION({kind}, {op}, {name})" if kind else f"PA_SIMD_REDUCTION({op}, {name})"]
    groups = {op: [n for n, o in operators.items() if o == op] for op in dict.fromkeys(operators.values())}
    clauses = [code("reduction({} : {})", op, listed(*names)) for op, names in groups.items()]
    wide = f"PA_WIDE_{kind} " if kind else ""
    return [code(f"PA_PRAGMA_SIMD(omp simd {wide}{' '.join(['{}'] * len(clauses))})", *clauses)]


def _operator(total: LaneSum) -> str:
    floating = "float" in total.dtype
    return _EXTREMES.get(total.reduction, _OPERATORS[total.reduction]) if floating else _OPERATORS[total.reduction]
