"""Reading the loop IR: the inverse of `loops_text`, whose grammar stands at the head of text.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from polyad.analysis.contraction import contractions_of
from polyad.codegen.loops.contractions import perfect_nest
from polyad.codegen.loops.how import How, Serial
from polyad.codegen.loops.instance import Instance
from polyad.codegen.loops.linear_state import state_of
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
    Sum,
)
from polyad.codegen.loops.read_shape import read_shape
from polyad.codegen.loops.read_words import Words
from polyad.codegen.loops.statement_accesses import touches
from polyad.ir.program import Program
from polyad.ir.statement import Reduction
from polyad.machine import MACHINE, Machine

__all__ = ["read_loops"]

_REDUCTIONS: dict[str, Reduction] = {"sum": "sum", "prod": "prod", "max": "max", "min": "min"}
_KINDS: dict[str, Literal["sum", "prod", "affine", "decay"]] = {
    "sum": "sum",
    "prod": "prod",
    "affine": "affine",
    "decay": "decay",
}


def read_loops(text: str, program: Program, machine: Machine = MACHINE) -> Block:
    """The tree that a text shows.

    Args:
        text: lines as `loops_text` prints them; empty ones are left out.
        program: whose statements it runs; what a prefix scan carries is found in them.
        machine: that the loops were made for.

    Raises:
        DefinitionError: the text is no tree; the message names the line.
    """
    return _Reader(program, machine).block(_entries(text))


@dataclass(slots=True, eq=False)
class _Entry:
    """A line, and those below it that are indented more."""

    words: Words
    below: list[_Entry] = field(default_factory=list)


def _entries(text: str) -> list[_Entry]:
    """Lines under the ones that they belong to."""
    root: list[_Entry] = []
    around: list[tuple[int, list[_Entry]]] = [(0, root)]  # how far lines are indented, and where they go
    for number, line in enumerate(text.splitlines(), start=1):
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            continue
        entry = _Entry(Words(number, line))
        if indent > around[-1][0] and around[-1][1]:
            around.append((indent, around[-1][1][-1].below))
        while indent < around[-1][0]:
            around.pop()
        if indent != around[-1][0]:
            entry.words.refuse("it is indented as no line above")
        around[-1][1].append(entry)
    return root


@dataclass(slots=True, eq=False)
class _Reader:
    """Makes nodes of lines.

    Attributes:
        program: whose statements the instances run.
        machine: that the loops were made for.
    """

    program: Program
    machine: Machine

    def block(self, entries: Sequence[_Entry]) -> Block:
        """The nodes of lines that stand below each other."""
        found: list[Node] = []
        for entry in entries:
            if entry.words.accept("else", ":"):
                before = found.pop() if found else None
                if not isinstance(before, Guard) or before.otherwise is not None:
                    entry.words.refuse("it does not stand behind an if")
                found.append(replace(before, otherwise=self.body(entry)))
            else:
                found.append(self.node(entry))
        return Block(tuple(found))

    def body(self, entry: _Entry) -> Block:
        """What stands below a line that has been read to its end."""
        entry.words.end()
        return self.block(entry.below)

    def node(self, entry: _Entry) -> Node:
        """One line, and what stands below it."""
        words = entry.words
        if not words.text.rstrip().endswith(":") and entry.below:
            entry.below[0].words.refuse("it is indented below a line that has nothing inside")
        found = self.instance(words) if words.words[1:2] == ["["] else self.keyword(words.take(), entry)
        words.end()
        return found

    def keyword(self, word: str, entry: _Entry) -> Node:
        """A line that begins with a word of its own."""
        words = entry.words
        match word:
            case "for":
                return self.loop(entry)
            case "if":
                condition = words.condition()
                words.expect(":")
                return Guard(condition, self.body(entry))
            case "let":
                name = words.name()
                words.expect("=")
                return Let(name, words.value())
            case "assume":
                name = words.name()
                words.expect(">=")
                return Assume(name, words.value())
            case "load" | "set":
                local = words.local()
                words.expect("=")
                return Load(local, Cell(*words.element()), word == "load")
            case "store":
                cell = Cell(*words.element())
                words.expect("=")
                return Store(words.local(), cell)
            case "declare":
                local = words.name()
                words.expect("[")
                lanes = words.integer()
                words.expect("]", "for")
                return Declare(local, words.name(), lanes)
            case "contraction":
                return self.contraction(entry)
            case "pack":
                return self.pack(entry)
            case "share":
                return self.share(entry)
            case "region":
                mark = words.mark()
                words.expect("(")
                work = words.work()
                words.expect(")", ":")
                return Region(work, self.body(entry), mark)
            case "single":
                words.expect(":")
                return Single(self.body(entry))
            case "barrier":
                return Barrier()
            case "block":
                words.expect(":")
                return self.body(entry)
            case "parts":
                return self.parts(entry)
            case "scan":
                return self.scan(entry)
            case "copies":
                name = words.name()
                words.expect("of")
                return Copies(name, words.affine())
            case "copy":
                return _copy(words)
            case "pointer":
                return _pointer(words)
            case _:
                words.refuse(f"{word!r} begins no line")

    def instance(self, words: Words) -> Instance:
        """S[t, k] #3 (z: z_1), declares, once."""
        statement = words.name()
        words.expect("[")
        args = words.several(words.affine, "]")
        words.expect("#")
        number = words.integer()
        variables = words.pairs(words.local, ")") if words.accept("(") else {}
        return Instance(number, statement, args, variables, words.accept(",", "declares"), words.accept(",", "once"))

    def loop(self, entry: _Entry) -> Loop:
        """What stands behind `for`."""
        words = entry.words
        iterator = words.name()
        words.expect("=")
        first = words.value()
        words.expect("..")
        last = words.value()
        step = words.integer() if words.accept("by") else 1
        how = words.how()
        words.expect(":")
        return Loop(iterator, first, last, step, self.body(entry), how)

    def nest(self, entry: _Entry) -> Loop:
        """The loop that stands below a line, the last one there."""
        found = self.node(entry.below[-1]) if entry.below else None
        return found if isinstance(found, Loop) else entry.words.refuse("a loop is expected below it")

    def contraction(self, entry: _Entry) -> Contraction:
        """What stands behind `contraction`."""
        words = entry.words
        mark = words.mark()
        fresh, packed = words.accept("fresh"), ""
        if words.accept("packed", "("):
            packed = words.name()
            words.expect(")")
        words.expect(":")
        nest = self.nest(entry)
        found = perfect_nest(nest)
        summed = None if found is None else contractions_of(self.program).get(found[1].statement)
        return Contraction(nest, summed, fresh, packed, read_shape([e.words for e in entry.below[:-1]], nest), mark)

    def pack(self, entry: _Entry) -> Pack:
        """What stands behind `pack`."""
        name = entry.words.name()
        entry.words.expect("from")
        array = entry.words.name()
        entry.words.expect(":")
        match self.body(entry).children:
            case (Contraction() as contraction,):
                return Pack(name, array, contraction)
            case _:
                entry.words.refuse("a contraction is expected below it")

    def share(self, entry: _Entry) -> Share:
        """What stands behind `share`."""
        words = entry.words
        first = words.name()
        words.expect("..")
        last = words.name()
        words.expect("of")
        low = words.value()
        words.expect("..")
        high = words.value()
        words.expect(",", "rows", "(")
        rows = words.pairs(words.name, ")")
        work = None
        if words.accept(",", "threads", "("):
            work = words.work()
            words.expect(")")
        words.expect(":")
        return Share(first, last, low, high, self.body(entry), rows, work)

    def parts(self, entry: _Entry) -> Parts:
        """What stands behind `parts`."""
        words = entry.words
        mark = words.mark()
        words.expect("(")
        part, count, some = words.several(words.name, ";")
        work = words.work()
        threads = words.accept(";", "threads")
        words.expect(")", ":")
        sums = tuple(_sum(e.words) for e in entry.below[:-1])
        return Parts(self.nest(entry), sums, work, (part, count, some), threads, mark)

    def scan(self, entry: _Entry) -> PrefixScan:
        """What stands behind `scan`; its state is found in the loop and the statements."""
        words = entry.words
        mark = words.mark()
        kind = _KINDS.get(words.take()) or words.refuse(f"a scan is one of {', '.join(_KINDS)}")
        words.expect(",")
        steps = words.integer()
        words.expect("steps")
        in_turn = words.accept(",", "in", "turn")
        standing = words.several(words.name, ")") if words.accept(",", "standing", "(") else ()
        words.expect(":")
        loop = self.nest(entry)
        statements = {s.name: s for s in self.program.statements}
        state = state_of(loop, touches(self.program), statements, in_turn, self.machine)
        if state is None:
            words.refuse("the loop below it carries no number linearly")
        names: dict[str, str] = {}
        kept: dict[str, str] = {}
        ways: dict[str, How] = {}
        for line in (e.words for e in entry.below[:-1]):
            match line.take():
                case "names":
                    names = line.pairs(line.name, "")
                case "kept":
                    _instances_of_scan("kept", line, state.kept)
                    line.expect("(")
                    kept = line.pairs(line.name, ")")
                    line.end()
                case "first" | "second" as part:
                    _instances_of_scan(part, line, state.first if part == "first" else state.second)
                    ways[part] = line.how()
                    line.end()
                case part:
                    line.refuse(f"{part!r} is no part of a scan")
        return PrefixScan(
            state,
            kind,
            frozenset(standing),
            steps,
            names,
            kept,
            ways.get("first", Serial()),
            ways.get("second", Serial()),
            mark,
        )


def _instances_of_scan(part: str, words: Words, found: Sequence[Instance]) -> None:
    """Whether a line says which instances are in a part of a scan as they were found."""
    numbers = []
    while words.accept("#"):
        numbers.append(words.integer())
    if numbers != (wanted := [i.number for i in found]):
        words.refuse(f"the statements say {part} {' '.join(f'#{n}' for n in wanted)}")


def _sum(words: Words) -> Sum:
    reduction = _REDUCTIONS.get(words.take()) or words.refuse(f"a part sums up by {', '.join(_REDUCTIONS)}")
    local = words.name()
    words.expect("for")
    array = words.name()
    words.expect(":", "part")
    part = words.name()
    words.expect(",", "parts")
    parts = words.name()
    words.end()
    return Sum(local, array, reduction, part, parts)


def _copy(words: Words) -> Copy:
    name = words.name()
    words.expect("=")
    iteration = words.affine()
    words.expect("of")
    count = words.affine()
    words.expect("in")
    return Copy(name, iteration, count, words.name())


def _pointer(words: Words) -> CopyPointer | SlotPointer:
    array = words.name()
    words.expect("to")
    if words.accept("copy"):
        return CopyPointer(array, words.name() if words.next else "")
    words.expect("slot")
    return SlotPointer(array, words.integer(), words.accept("alone"))
