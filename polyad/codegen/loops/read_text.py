"""Reading the loop IR: the inverse of `loops_text`, by the same forms (text.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from polyad.analysis.contraction import contractions_of
from polyad.codegen.loops.contractions import perfect_nest
from polyad.codegen.loops.forms import Form
from polyad.codegen.loops.how import Serial
from polyad.codegen.loops.instance import Instance
from polyad.codegen.loops.linear_state import state_of
from polyad.codegen.loops.nodes import (
    Block,
    Contraction,
    ContractionAxis,
    Guard,
    LinearState,
    Loop,
    Node,
    Pack,
    Parts,
    PrefixScan,
    Shape,
)
from polyad.codegen.loops.statement_accesses import touches
from polyad.codegen.loops.text import AXES, KINDS, LINES, SHAPE, SUM, read_how
from polyad.codegen.loops.traversal import instances, nodes
from polyad.codegen.loops.words import Words
from polyad.ir.program import Program
from polyad.machine import MACHINE, Machine

__all__ = ["read_loops"]


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
                entry.words.end()
                found.append(replace(before, otherwise=self.block(entry.below)))
            else:
                found.append(self.node(entry))
        return Block(tuple(found))

    def node(self, entry: _Entry) -> Node:
        """One line, and what stands below it."""
        words = entry.words
        if not words.text.rstrip().endswith(":") and entry.below:
            entry.below[0].words.refuse("it is indented below a line that has nothing inside")
        if words.words[1:2] == ["["]:
            forms = [form for form in LINES if form.make is Instance]
        else:
            forms = [form for form in LINES if form.first == words.next and form.make is not Instance]
        if not forms:
            words.refuse(f"{words.next!r} begins no line")
        form, found = words.first_of([partial(_line, form) for form in forms])
        node: Node = form.make(**found | self.below(form.make, entry, found))
        return node

    def below(self, make: type, entry: _Entry, found: dict[str, Any]) -> dict[str, Any]:
        """Read the fields of a node from the lines below its own, which says `found`."""
        if make is Block:
            return {"children": self.block(entry.below).children}
        if make is Contraction:
            return self.contraction(entry)
        if make is Pack:
            inside = self.block(entry.below).children
            if len(inside) != 1 or not isinstance(inside[0], Contraction):
                entry.words.refuse("a contraction is expected below it")
            return {"contraction": inside[0]}
        if make is Parts:
            return {"loop": self.nest(entry), "sums": tuple(_whole(SUM, e.words) for e in entry.below[:-1])}
        if make is PrefixScan:
            return self.scan(entry, found.pop("in_turn"))
        body = "then" if make is Guard else "body"
        return {body: self.block(entry.below)} if body in {*make.__annotations__} else {}

    def nest(self, entry: _Entry) -> Loop:
        """The loop that stands below a line, the last one there."""
        found = self.node(entry.below[-1]) if entry.below else None
        return found if isinstance(found, Loop) else entry.words.refuse("a loop is expected below it")

    def contraction(self, entry: _Entry) -> dict[str, Any]:
        """The nest of a contraction, and what the macro-kernel is told of it."""
        nest, lines = self.nest(entry), [e.words for e in entry.below[:-1]]
        found = perfect_nest(nest)
        summed = None if found is None else contractions_of(self.program).get(found[1].statement)
        return {"nest": nest, "summed": summed, "shape": _shape(lines, nest) if lines else None}

    def scan(self, entry: _Entry, in_turn: bool) -> dict[str, Any]:
        """Read the lines below a scan; its state is found in the loop and the statements."""
        loop = self.nest(entry)
        statements = {s.name: s for s in self.program.statements}
        for instance in instances(loop):
            known = statements.get(instance.statement)
            if known is None or len(known.dims) != len(instance.args):
                entry.words.refuse(f"the program has no {instance.statement} of {len(instance.args)} dimensions")
        state = state_of(loop, touches(self.program), statements, in_turn, self.machine)
        if state is None:
            entry.words.refuse("the loop below it carries no number linearly")
        found: dict[str, Any] = {"state": state, "names": {}, "kept": {}, "first": Serial(), "second": Serial()}
        for line in (e.words for e in entry.below[:-1]):
            found |= _of_scan(line, state)
        return found


def _line(form: Form, words: Words) -> tuple[Form, dict[str, Any]]:
    """Read a whole line of one form."""
    found = form.read(words, KINDS)
    words.end()
    return form, found


def _whole(form: Form, words: Words) -> Any:
    """The record that a whole line is."""
    return form.make(**_line(form, words)[1])


def _shape(lines: Sequence[Words], nest: Loop) -> Shape:
    """The shape that stands in the lines above the nest of a contraction."""
    _, found = _line(SHAPE, lines[0])
    axes: dict[str, list[ContractionAxis]] = {"rows": [], "columns": [], "sums": []}
    loops = {n.iterator: n for n in nodes(nest) if isinstance(n, Loop)}
    for words in lines[1:]:
        group = words.take()
        if group not in axes:
            words.refuse(f"{group!r} is no group of axes")
        axis = _whole(AXES, words)
        if not set(axis.loops) <= loops.keys():
            words.refuse("it names no loop of the nest")
        axes[group].append(replace(axis, loops=tuple(loops[name] for name in axis.loops)))
    return Shape(**found | {group: tuple(own) for group, own in axes.items()})


def _of_scan(words: Words, state: LinearState) -> dict[str, Any]:
    """Read a line below a scan."""
    part = words.take()
    if part not in ("names", "kept", "first", "second"):
        words.refuse(f"{part!r} is no part of a scan")
    if part == "names":
        found: Any = KINDS["Mapping[str, str]"].read(words)
    else:
        numbers = []
        while words.accept("#"):
            numbers.append(words.integer())
        wanted = [i.number for i in getattr(state, part)]
        if numbers != wanted:
            words.refuse(f"the statements say {part} {' '.join(f'#{n}' for n in wanted)}")
        if part == "kept":
            words.expect("(")
            found = KINDS["Mapping[str, str]"].read(words)
            words.expect(")")
        else:
            found = read_how(words) if words.accept(",") else Serial()
    words.end()
    return {part: found}
