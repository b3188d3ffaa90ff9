"""Another language than C, as small as one can be: kernels as Python, one iteration after the other.

It is made of what a target brings along: a list with one loop pass, which leaves plain loops, strategies that it has no
use for, and a printer of the plan.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polyad.codegen.generate import Language
from polyad.codegen.loops.how import Serial
from polyad.codegen.loops.loop_values import Choice, Combine, Condition, Extreme, Value
from polyad.codegen.loops.nodes import Block, Cell, Contraction, Guard, Instance, Let, Load, Loop, Node, Store
from polyad.codegen.loops.traversal import expand
from polyad.codegen.loops.value_text import affine_words
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.lower.passes import LoopPass
from polyad.codegen.plan import Plan
from polyad.codegen.source import Source
from polyad.ir.affine import Affine
from polyad.ir.expr import Apply, Const, Expr, Index, Read, Select
from polyad.ops import OPS
from polyad.targets.target import Backend

__all__ = ["NAME", "PYTHON", "TARGET", "function"]

NAME = "python"
TARGET = Backend(
    NAME,
    openmp=False,
    summary="Python, one iteration after the other",
    language=NAME,
    without=(
        "parallel",
        "simd",
        "contraction",
        "jam",
        "prefix",
        "parts",
        "share",
        "region",
        "overlay",
        "pack",
        "private",
    ),
)

REDUCE = {"sum": "{0} + {1}", "prod": "{0} * {1}", "max": "max({0}, {1})", "min": "min({0}, {1})"}


def plain_loops(root: Block, _: StoredProgram) -> Block:
    """One iteration after the other, in whatever way the schedule would have them."""

    def one(node: Node) -> Sequence[Node] | None:
        match node:
            case Loop(iterator, first, last, step, body):
                return [Loop(iterator, first, last, step, expand(one, body), Serial())]
            case Contraction(nest=nest):
                return expand(one, Block((nest,))).children
            case _:
                return None

    return expand(one, root)


@dataclass(frozen=True)
class Printer:
    """Writes the nodes of a plan."""

    plan: Plan

    def block(self, block: Block) -> list[str]:
        return [line for node in block.children for line in self.node(node)] or ["pass"]

    def inside(self, head: str, block: Block) -> Iterator[str]:
        yield head
        yield from (f"    {line}" for line in self.block(block))

    def node(self, node: Node) -> Iterator[str]:
        match node:
            case Block():
                yield from self.block(node)
            case Loop(name, first, last, step, body):
                end = f"{value(last)} {'+ 1' if step > 0 else '- 1'}"
                yield from self.inside(f"for {name} in range({value(first)}, {end}, {step}):", body)
            case Guard(test, then, otherwise):
                yield from self.inside(f"if {condition(test)}:", then)
                yield from self.inside("else:", otherwise) if otherwise is not None else ()
            case Let(name, what):
                yield f"{name} = {value(what)}"
            case Load(local, cell):
                yield f"{local} = {self.element(cell)}"
            case Store(local, cell):
                yield f"{self.element(cell)} = {local}"
            case Instance():
                yield self.instance(node)
            case _:
                raise AssertionError(f"{node} is not left by the pass")

    def instance(self, node: Instance) -> str:
        statement = self.plan.known.statements[node.statement]
        values = dict(zip(statement.dims, node.args, strict=True))
        write, *reads = self.plan.known.touches[node.statement]
        places = {id(t.access): self.place(t.array, t.index, node, values) for t in (write, *reads)}
        target, body = places[id(write.access)], self.expression(statement.body, values, places)
        kind = None if node.declares else statement.reduction
        return f"{target} = {body if kind is None else REDUCE[kind].format(target, body)}"

    def place(self, array: str, index: Sequence[Affine | None], node: Instance, values: dict[str, Affine]) -> str:
        known = [i.substitute(values) for i in index if i is not None]
        return str(node.locals[array]) if array in node.locals else self.element(Cell(array, tuple(known)))

    def element(self, cell: Cell) -> str:
        slots = self.plan.storage.slots.get(cell.array, {})
        index = (
            f"({affine_words(i)}) % {slots[d]}" if d in slots else affine_words(i) for d, i in enumerate(cell.index)
        )
        return f"{self.plan.names.arrays[cell.array]}[{', '.join(index) or '()'}]"

    def expression(self, expr: Expr, values: dict[str, Affine], places: dict[int, str]) -> str:
        match expr:
            case Const(number):
                return repr(number)
            case Index(aff):
                return affine_words(Affine.from_aff(aff, tuple(values)).substitute(values))
            case Read(_, access):
                return places[id(access)]
            case Select(test, a, b):
                test_text, a_text, b_text = (self.expression(e, values, places) for e in (test, a, b))
                return f"({a_text} if {test_text} else {b_text})"
            case Apply("cast", (inner,)):
                return self.expression(inner, values, places)
            case Apply(op, args):
                return f"ops[{op!r}]({', '.join(self.expression(a, values, places) for a in args)})"


def value(of: Value) -> str:
    match of:
        case Affine():
            return f"({affine_words(of)})"
        case Extreme(kind, args):
            return f"{kind}({', '.join(map(value, args))})"
        case Choice(test, a, b):
            return f"({value(a)} if {condition(test)} else {value(b)})"


def condition(of: Condition) -> str:
    if isinstance(of, Combine):
        return f" {'and' if of.op == '&&' else 'or'} ".join(f"({condition(c)})" for c in of.args)
    return f"{value(of.a)} {of.op} {value(of.b)}"


def source_of(plan: Plan) -> Source:
    """A function of sizes and of the arrays of the program, which fills its outputs."""
    program, printer = plan.program, Printer(plan)
    lines = []
    for slot in plan.storage.memory.slots:
        (array,) = slot.arrays  # two arrays have no place in common: nothing is overlaid
        lines.append(
            f"{plan.names.arrays[array]} = np.full(({''.join(f'{affine_words(e)}, ' for e in slot.extents)}), np.nan)"
        )
    head = ", ".join([*program.params, *(plan.names.arrays[a] for a in (*program.inputs, *program.outputs))])
    body = (f"    {line}" for line in [*lines, *printer.block(plan.loops)])
    text = "\n".join([f"def {plan.names.function}({head}):", *body, ""])
    return Source(program.name, text, "", "", program.params, (), (), plan.storage.memory, ())


PYTHON = Language((LoopPass("plain_loops", plain_loops),), source_of)


def function(source: str, name: str) -> Callable[..., Any]:
    """Return the function that a text defines."""
    names: dict[str, Any] = {"np": np, "inf": np.inf, "ops": {op.name: op.value for op in OPS.values()}}
    exec(compile(source, name, "exec"), names)
    found: Callable[..., Any] = names[name]
    return found
