"""Runs the loop IR with numbers: the oracle of its passes, as `evaluate` is that of programs.

The order of control and the places in memory are those of the certifier's run (certify/execution.py), which also finds
two threads at one place without a barrier between them. Here places hold numbers, and nobody asks which element a
number is meant to be: an element that is read too early is nan, or a number from before. What may run in any order runs
in a random one: the iterations of loops in threads and in vector lanes, and the parts of a sum.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from polyad.codegen.certify.declared_integers import DeclaredIntegers
from polyad.codegen.certify.demands import Demands
from polyad.codegen.certify.execution import Execution
from polyad.codegen.certify.integers import index_function, value_function
from polyad.codegen.certify.memory import Memory
from polyad.codegen.certify.threads import Cell
from polyad.codegen.certify.told import Told
from polyad.codegen.loops.how import Divided, Parallel, Threads, Vector
from polyad.codegen.loops.instance import Instance, Local, variable_of
from polyad.codegen.loops.loop_values import Nonzero
from polyad.codegen.loops.nodes import (
    AddUp,
    Contraction,
    CopyPointer,
    Guard,
    Load,
    Loop,
    Node,
    Pack,
    Parts,
    PrefixScan,
    Store,
    Subtotal,
)
from polyad.codegen.plan import Plan
from polyad.ir.expr import Expr, Indirect, Read
from polyad.ir.statement import Reduction
from polyad.ops import REDUCTION_OPS, identity
from polyad.semantics.interpret import Scalar, expression_function, scalar
from polyad.semantics.points import Point
from tests.codegen.interpreter.macro_kernel import contract, pack
from tests.codegen.interpreter.prefix import scan

__all__ = ["Interpreter", "interpret"]


def interpret(
    plan: Plan, inputs: Mapping[str, np.ndarray], sizes: Mapping[str, int], random: Random
) -> dict[str, np.ndarray]:
    """The outputs of a kernel whose loops have come to any stage.

    Raises:
        WrongError: two threads at one place, a place that is none, a variable that nobody declared.
    """
    demands = Demands(plan.program, plan.known.touches, dict(sizes))
    run = Interpreter(Memory(plan, demands), demands, 10**9, _own, DeclaredIntegers(sizes), random=random)
    with np.errstate(all="ignore"):
        for name in plan.program.inputs:
            for index in np.ndindex(inputs[name].shape):
                run.values[run.memory.cell((name, index))] = scalar(inputs[name][index].item(), run.dtype(name))
        run.block(plan.loops)
        return {name: run.array(name) for name in plan.program.outputs}


def _own(run: Execution, node: Node) -> None:
    """Nodes that stand as a whole are run by the interpreter itself."""
    raise AssertionError(f"{type(node).__name__} is run as a whole")


@dataclass(slots=True, eq=False)
class Interpreter(Execution):
    """One run.

    Attributes:
        random: decides on what may run in any order.
        values: what places hold.
        elsewhere: array -> the number that an instance finds for its element, wherever that is.
        panels: name of packed panels -> column and row -> the number there.
        current: the instance that runs.
    """

    random: Random = field(default_factory=Random)
    values: dict[Cell, Scalar] = field(default_factory=dict)
    elsewhere: dict[str, Scalar] = field(default_factory=dict)
    panels: dict[str, dict[tuple[int, int], Scalar]] = field(default_factory=dict)
    current: Instance | None = None
    _functions: dict[int, Callable[[Point], Scalar]] = field(default_factory=dict)

    def node(self, node: Node) -> None:
        """Run a node."""
        match node:
            case Contraction():
                contract(self, node)
            case Pack():
                pack(self, node)
            case PrefixScan():
                scan(self, node)
            case Guard(Nonzero() as test, then):
                if self.tested(test):
                    self.block(then)
            case Parts():
                self.parts(node)
            case Subtotal(local, dtype=dtype):
                self.values[self.memory.declare(local, self.chain).cell] = scalar(0.0, dtype)
            case AddUp(found):
                value = self.values[self.variable_cell(found.local, "adding up")]
                total = self.variable_cell(found.total, "adding up", writes=True, adds=True)
                self.values[total] = self.values[total] + value
            case CopyPointer(array, copy):
                self.memory.begin(array, self.names[copy] if copy else 0)
                place = self.memory.plan.known.places[array]
                for key, cell in self.memory.cells.items():
                    if key[:2] == (place, self.memory.copies[array]):
                        self.values.pop(cell, None)
            case _:
                Execution.node(self, node)

    # What may run in any order

    def iterations(self, loop: Loop) -> Iterator[int]:
        """The values of an iterator, in an order that the loop allows."""
        found = list(Execution.iterations(self, loop))
        if isinstance(loop.how, Threads | Divided | Vector | Parallel):
            self.random.shuffle(found)
        yield from found
        self.names.pop(loop.iterator, None)

    def tested(self, test: Nonzero) -> bool:
        """Whether an element is not 0."""
        by = f"the test of {test.array}"
        element = (test.array, index_function(test.index)(self.names))
        cell = self.variable_cell(test.local, by) if test.local else self.loaded(element, by)
        return bool(self.get(cell, test.array) != 0)

    def parts(self, node: Parts) -> None:
        """Each part reduces into variables of its own, and all of them into the sums."""
        loop, number = node.loop, self.construct()
        first, last = (value_function(v)(self.names) for v in (loop.first, loop.last))
        step, count = loop.step, self.random.randint(1, 4)
        trips = max(0, (last - first + step) // step)
        results: dict[int, list[Scalar]] = {}
        for part in self.random.sample(range(count), count):
            with self.part(number, part), self.memory.scope():
                for s in node.sums:
                    variable = self.memory.declare(s.part, self.chain)
                    self.values[variable.cell] = self.start(s.reduction, s.array)
                lanes = self.reducing(s.local for s in loop.how.sums) if isinstance(loop.how, Vector) else None
                for k in self.shuffled(range(trips * part // count, trips * (part + 1) // count)):
                    i = first + step * k
                    self.name(loop.iterator, i)
                    if lanes is None:
                        self.block(loop.body)
                    else:
                        with self.part(lanes, i):
                            self.block(loop.body)
                results[part] = [self.values[self.memory.variable(s.part).cell] for s in node.sums]
        self.names.pop(loop.iterator, None)
        for part in range(count):
            for s, value in zip(node.sums, results[part], strict=True):
                cell = self.variable_cell(s.local, "the parts", writes=True)
                self.values[cell] = REDUCTION_OPS[s.reduction].value(self.get(cell, s.array), value)

    def shuffled(self, numbers: range) -> list[int]:
        """Numbers in a random order."""
        return self.random.sample(numbers, len(numbers))

    # Statements

    def instance(self, instance: Instance, elsewhere: Any = None) -> None:
        """Compute what a statement computes, and put it where it belongs."""
        statement = self.demands.program.statement(instance.statement)
        local = instance.locals.get(statement.array)
        if instance.declares:
            assert local is not None, "an element of an array is not declared"
            self.memory.declare(variable_of(local), self.chain)
        value = self.value(statement.body, instance)
        by = f"{instance.statement}{list(self.point(instance))}"
        if local is not None:
            cell = self.variable_cell(local, by, writes=True, adds=statement.reduction is not None)
        else:
            cell = self.placed((statement.array, self.target(instance)), by)
            with Told(by, statement.array):
                cell.on_write(self.chain, by)
        if statement.reduction is not None:
            value = REDUCTION_OPS[statement.reduction].value(self.get(cell, statement.array), value)
        self.values[cell] = value

    def target(self, instance: Instance) -> Point:
        """The element that an instance writes."""
        write = self.memory.plan.known.touches[instance.statement][0]
        if isinstance(write.access, Indirect):
            return tuple(int(self.value(i, instance)) for i in write.access.index)
        return self.demands.element(write, self.point(instance))[1]

    def value(self, expr: Expr, instance: Instance) -> Scalar:
        """An expression of a statement at an instance."""
        if id(expr) not in self._functions:
            statement = self.demands.program.statement(instance.statement)
            self._functions[id(expr)] = expression_function(expr, statement.dims, self.demands.sizes, self.fetch)
        before, self.current = self.current, instance
        try:
            return self._functions[id(expr)](self.point(instance))
        finally:
            self.current = before

    def fetch(self, read: Read, point: Point, element: Point) -> Scalar:
        """Return the value that the running instance reads."""
        instance = self.current
        assert instance is not None, "only instances read"
        by = f"{instance.statement}{list(point)}"
        if read.array in self.elsewhere:
            return self.elsewhere[read.array]
        if read.array in instance.locals:
            return self.get(self.variable_cell(instance.locals[read.array], by), read.array)
        return self.get(self.loaded((read.array, element), by), read.array)

    def copy(self, node: Load | Store) -> None:
        """Move a number."""
        element = (node.cell.array, index_function(node.cell.index)(self.names))
        by = f"{type(node).__name__} of {element}"
        if isinstance(node, Load):
            if node.declares:
                self.memory.declare(variable_of(node.local), self.chain)
            value = self.get(self.loaded(element, by), node.cell.array)
            cell = self.variable_cell(node.local, by, writes=True)
        else:
            value = self.get(self.variable_cell(node.local, by), node.cell.array)
            cell = self.placed(element, by)
            with Told(by, node.cell.array):
                cell.on_write(self.chain, by)
        self.values[cell] = value

    def variable_cell(self, local: Local, by: str, writes: bool = False, adds: bool = False) -> Cell:
        """The place of a C variable, used under the frames that have it in common."""
        variable, chain = self.local(local, by, writes=writes, adds=adds)
        with Told(by, local):
            if writes:
                variable.cell.on_write(chain, by)
            else:
                variable.cell.on_read(chain)
        return variable.cell

    # Numbers

    def get(self, cell: Cell, array: str) -> Scalar:
        """Return the content of a place; garbage where nothing was written."""
        if cell in self.values:
            return self.values[cell]
        return np.float64(np.nan) if self.dtype(array).startswith("float") else np.int64(-(2**30))

    def start(self, reduction: Reduction, array: str) -> Scalar:
        """Return the number that changes nothing."""
        return scalar(identity(reduction, self.dtype(array)), self.dtype(array))

    def dtype(self, array: str) -> str:
        """Of the elements of an array."""
        return self.demands.program.arrays[array].dtype

    def array(self, name: str) -> np.ndarray:
        """An output."""
        array = np.zeros(self.demands.shapes[name])
        for index in np.ndindex(array.shape):
            array[index] = self.get(self.memory.cell((name, index)), name)
        return array
