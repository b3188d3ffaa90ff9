"""Execution of a prefix scan, block by block (prefix_scans.py, prefix_text.py).

Where threads share its steps, all of them are one block, and each step is the part of another thread. What combines the
steps of segments runs the statements before the scan, and reads its factors and terms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext

from polyad.analysis.linear import At, leaves
from polyad.codegen.certify.demands import Element
from polyad.codegen.certify.execution import Execution
from polyad.codegen.certify.integers import index_function
from polyad.codegen.certify.threads import Cell
from polyad.codegen.loops.how import Divided, How, Vector
from polyad.codegen.loops.instance import variable_of
from polyad.codegen.loops.nodes import Instance, PrefixScan
from polyad.ir.affine import Affine
from polyad.ir.expr import reads

__all__ = ["run_scan"]


def run_scan(run: Execution, node: PrefixScan) -> None:
    """Run all blocks of a scan, the first state being read before the first step."""
    loop = node.state.loop
    steps = list(run.iterations(loop))
    if not steps:
        return
    first = _at(run, node, node.state.before, steps[0])
    state = run.loaded(first, f"the scan over {loop.iterator}")
    run.whole(state, first, f"the scan over {loop.iterator}")
    state = Cell(state.element, state.count, state.by)
    if node.part == "totals":
        block = _Block(run, node, sorted(steps))
        block.each(node.first, block.first)
        return
    size = len(steps) if isinstance(node.first, Divided) else node.steps
    for start in range(0, len(steps), size):
        state = _Block(run, node, sorted(steps[start : start + size])).run(state)
    # Statements whose values stand in the factors and terms of the recurrence ran in these.
    for step in steps:
        run.names[loop.iterator] = step
        for instance in (c for c in loop.body.children if isinstance(c, Instance)):
            run.ran(instance.statement, run.point(instance))
            run.reached.add(id(instance))
    run.names.pop(loop.iterator, None)


def _at(run: Execution, node: PrefixScan, index: Sequence[Affine], step: int) -> Element:
    names = {**run.names, node.state.loop.iterator: step}
    return node.state.array, index_function(tuple(index))(names)


class _Block:
    """The steps of one block, in the order of the vector loops.

    Attributes:
        threads: the number of the construct that divides the steps among threads.
        kept: step -> C variable -> what the first loop leaves in its buffer.
        states: step -> the states before and after it.
    """

    def __init__(self, run: Execution, node: PrefixScan, steps: list[int]) -> None:
        self.run_, self.node, self.steps = run, node, steps
        self.kept: dict[int, dict[str, Cell]] = {}
        self.states: dict[int, tuple[Cell, Cell]] = {}
        self.threads = run.construct()

    def run(self, state: Cell) -> Cell:
        """Run it; the state behind it."""
        node, down = self.node, self.node.state.loop.step < 0
        self.each(node.first, self.first)
        for step in reversed(self.steps) if down else self.steps:
            after = Cell(_at(self.run_, node, node.state.after, step), 0, "the scan")
            self.states[step] = (state, after)
            state = after
        self.each(node.second, self.second)
        if node.state.in_turn:
            last = self.steps[0] if down else self.steps[-1]
            for cell, index in zip(self.states[last], (node.state.before, node.state.after), strict=True):
                element = _at(self.run_, node, index, last)
                target = self.run_.placed(element, "the scan")
                target.on_write(self.run_.chain, "the scan")
                target.element, target.count = cell.element, cell.count
        return state

    def each(self, how: How, one: Callable[[int], None]) -> None:
        """A vector loop over the steps."""
        run = self.run_
        number = self.threads if isinstance(how, Divided) else None
        number = run.reducing(s.local for s in how.sums) if isinstance(how, Vector) else number
        for step in self.steps:
            run.name(self.node.state.loop.iterator, step)
            with nullcontext() if number is None else run.part(number, step), run.memory.scope():
                one(step)

    def first(self, step: int) -> None:
        """The statements before the scan, and what its factors and terms read."""
        run, state = self.run_, self.node.state
        for instance in state.first:
            run.instance(instance)
        for leaf in (*leaves(state.update.mul), *leaves(state.update.add)):
            self.leaf(leaf)
        names = (variable_of(i.locals[run.memory.plan.known.touches[i.statement][0].array]) for i in state.kept)
        self.kept[step] = {name: run.memory.variable(name).cell for name in names}

    def leaf(self, leaf: At) -> None:
        """The reads of an expression."""
        instance = self.node.state.instance(leaf)
        own = {id(t.access): t for t in self.run_.memory.plan.known.touches[instance.statement][1:]}
        point = self.run_.point(instance)
        for read in reads(leaf.expr):
            self.run_.read(instance, own[id(read.access)], point, {})

    def second(self, step: int) -> None:
        """The statements after the scan, which find states and what was kept in buffers."""
        run, state = self.run_, self.node.state
        before, after = self.states[step]
        for name, cell in self.kept[step].items():
            run.memory.declare(name, run.chain).cell = cell
        for instance in state.second:
            point = run.point(instance)
            if instance.number == state.writer.number:
                run.ran(instance.statement, point)
                if not state.in_turn:
                    element = _at(run, self.node, state.after, step)
                    run.write(instance, run.memory.plan.known.touches[instance.statement][0], element)
                continue
            own = before if instance.number in state.carried else after if state.in_turn else None
            run.instance(instance, {} if own is None or own.element is None else {own.element: own})
