"""A prefix scan, block by block: a loop of steps, the scan, and another loop of steps (prefix_scans.py)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from polyad.analysis.linear import Term
from polyad.codegen.certify.formulas import term_value
from polyad.codegen.certify.integers import index_function
from polyad.codegen.certify.threads import Cell
from polyad.codegen.certify.told import Told
from polyad.codegen.loops.how import How, Vector
from polyad.codegen.loops.nodes import Instance, PrefixScan
from polyad.ir.affine import Affine
from polyad.semantics.interpret import Scalar

if TYPE_CHECKING:
    from tests.codegen.interpreter.interpreter import Interpreter

__all__ = ["scan"]


def scan(run: Interpreter, node: PrefixScan) -> None:
    """All blocks; the first state is read before the first step."""
    loop = node.state.loop
    steps = list(run.iterations(loop))
    if not steps:
        return
    one = _Scan(run, node)
    cell = one.cell(node.state.before, steps[0])
    with Told("a scan", node.state.array):
        cell.on_read(run.chain)
    now = run.get(cell, node.state.array)
    for start in range(0, len(steps), node.steps):
        now = one.block(steps[start : start + node.steps], now)
    run.names.pop(loop.iterator, None)


class _Scan:
    """One scan.

    Attributes:
        buffers: mul, add, before and after -> step -> a number.
        kept: step -> array -> what the first loop leaves for the second.
    """

    def __init__(self, run: Interpreter, node: PrefixScan) -> None:
        self.run, self.node, self.state = run, node, node.state
        self.buffers: dict[str, dict[int, Scalar]] = {}
        self.kept: dict[int, dict[str, Scalar]] = {}

    def block(self, steps: list[int], now: Scalar) -> Scalar:
        """The steps of one block, and the state behind them."""
        run, node, state = self.run, self.node, self.state
        self.buffers, self.kept = {"mul": {}, "add": {}, "before": {}, "after": {}}, {}
        self.each(node.first, steps, self.first)
        for part in sorted(node.standing):  # where it stands in memory when the scan runs
            for step in steps:
                run.name(state.loop.iterator, step)
                self.buffers[part][step] = self.term(getattr(state.update, part))
        if node.kind == "decay":  # the factor of one step is that of all
            run.name(state.loop.iterator, run.random.choice(steps))
            self.buffers["mul"] = dict.fromkeys(steps, self.term(state.update.mul))
        for step in steps:
            self.buffers["before"][step] = now
            if node.kind != "sum":
                now = self.buffers["mul"][step] * now
            if node.kind != "prod":
                now = self.buffers["add"][step] + now
        self.each(node.second, steps, self.second)
        if state.in_turn:
            for index, value in ((state.before, self.buffers["before"][steps[-1]]), (state.after, now)):
                self.store(index, steps[-1], value)
        return now

    def each(self, how: How, steps: list[int], one: Callable[[int], None]) -> None:
        """A vector loop over the steps."""
        run = self.run
        number = run.reducing(s.local for s in how.sums) if isinstance(how, Vector) else None
        for step in run.random.sample(steps, len(steps)) if number is not None else sorted(steps):
            run.name(self.state.loop.iterator, step)
            with nullcontext() if number is None else run.part(number, step), run.memory.scope():
                one(step)

    def first(self, step: int) -> None:
        """The statements before the scan, and its factors and terms."""
        run, state = self.run, self.state
        for instance in state.first:
            run.instance(instance)
        own = {run.demands.program.statement(i.statement).array: i for i in state.kept}
        self.kept[step] = {
            array: run.get(run.variable_cell(own[array].locals[array], "a scan"), array) for array in self.node.kept
        }
        for part in self.node.buffers:
            self.buffers[part][step] = self.term(getattr(state.update, part))

    def second(self, step: int) -> None:
        """The statements behind the scan, which find states, and in buffers what the first loop kept."""
        run, state = self.run, self.state
        for instance in state.second:
            if instance.number == state.writer.number:
                after = self.after(step)
                self.buffers["after"][step] = after
                if not state.in_turn:
                    self.store(state.after, step, after)
                continue
            run.elsewhere = {a: v for a, v in self.kept[step].items() if a in instance.locals}
            if instance.number in state.carried:
                run.elsewhere[state.array] = self.buffers["before"][step]
            elif state.in_turn and self.reads_state(instance):
                run.elsewhere[state.array] = self.buffers["after"][step]
            run.instance(instance)
            run.elsewhere = {}

    def reads_state(self, instance: Instance) -> bool:
        """Whether an instance reads the state."""
        statement = self.run.demands.program.statement(instance.statement)
        return any(r.array == self.state.array for r in statement.reads())

    def after(self, step: int) -> Scalar:
        """The state behind a step, from the one before it."""
        value = self.buffers["before"][step]
        if self.node.kind != "sum":
            value = self.part("mul", step) * value
        if self.node.kind != "prod":
            value = value + self.part("add", step)
        return value

    def part(self, part: str, step: int) -> Scalar:
        """A factor or a term: from its buffer, or as the expression that it is."""
        return self.buffers[part][step] if part in self.node.buffers else self.term(getattr(self.state.update, part))

    def term(self, term: Term | None) -> Scalar:
        """The value of a term."""
        return term_value(term, lambda at: self.run.value(at.expr, self.state.instance(at)))

    def cell(self, index: tuple[Affine, ...], step: int) -> Cell:
        """The place of a state."""
        names = {**self.run.names, self.state.loop.iterator: step}
        return self.run.placed((self.state.array, index_function(index)(names)), "a scan")

    def store(self, index: tuple[Affine, ...], step: int, value: Scalar) -> None:
        """Put a state where it belongs."""
        cell = self.cell(index, step)
        with Told("a scan", self.state.array):
            cell.on_write(self.run.chain, "a scan")
        self.run.values[cell] = value
