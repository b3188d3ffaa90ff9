"""Meaning of a contraction, and of the copy that packs its operand.

The macro-kernel sees no loops: it is told where operands begin, how far apart their elements lie, and how many there
are. So each instance of the nest is held against that: its elements have to lie where the macro-kernel looks for them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product

from polyad.codegen.certify.demands import Element
from polyad.codegen.certify.execution import Execution
from polyad.codegen.certify.integers import index_function, polynomial_value, value_function
from polyad.codegen.certify.memory import WrongError, text
from polyad.codegen.certify.threads import Cell
from polyad.codegen.certify.told import By, Told
from polyad.codegen.loops.contractions import trip_count
from polyad.codegen.loops.nodes import Contraction, Instance, Loop, Node, Pack, Shape
from polyad.codegen.loops.statement_accesses import Touch
from polyad.codegen.storage.packing import EXTRA
from polyad.ir.affine import Affine

__all__ = ["run_contraction", "run_pack"]


def run_contraction(run: Execution, node: Contraction) -> None:
    """A contraction: each of its elements is made first where it is fresh."""
    made: set[Element] = set()
    number = run.construct()
    shape = node.shape
    assert shape is not None, "nests without a shape are loops"
    told = _Told(run, shape, "cab")
    sums: dict[tuple[str, int], tuple[int, int]] = {}
    across = [[loop for axis in group for loop in axis.loops] for group in (shape.rows, shape.columns)]
    first = {name: value_function(loop.first)(run.names) for name, loop in told.loops.items()}
    panels = run.memory.panels.get(node.packed, {})

    def looks(instance: Instance, write: Touch, reads: Sequence[Touch]) -> dict[str, int]:
        """Hold what an instance touches against where the macro-kernel looks for it; the numbers of its iterations."""
        point = run.point(instance)
        numbers = {name: (run.names[name] - first[name]) // loop.step for name, loop in told.loops.items()}
        c, a, b = (told.place(operand, numbers) for operand in "cab")
        if c != told.found(run.demands.element(write, point)):
            raise WrongError(f"{instance.statement}{list(point)}: the macro-kernel adds to another element")
        stored = [touch for touch in reads if touch.array not in instance.locals]
        weights = [
            told.found((w.array, index_function(w.index)(run.names)))
            for w in shape.weights
            if w.array not in instance.locals
        ]
        if sorted(told.found(run.demands.element(touch, point)) for touch in stored) != sorted((a, b, *weights)):
            raise WrongError(f"{instance.statement}{list(point)}: the macro-kernel multiplies other elements")
        return numbers

    def beyond(instance: Instance, write: Touch, reads: Sequence[Touch]) -> None:
        """The same one iteration further, of loops of which there is one: other threads have the others."""
        for name, loop in told.loops.items():
            if told.trips[name] == 1:
                run.names[name] += loop.step
                looks(instance, write, reads)
                run.names[name] -= loop.step

    def one(instance: Instance) -> None:
        point, write, reads = run.started(instance)
        if not made:
            beyond(instance, write, reads)
        by = By(instance.statement, point)
        numbers = looks(instance, write, reads)
        row, column = (told.number(loops, numbers) for loops in across)
        if (other := sums.setdefault(told.place("c", numbers), (row, column))) != (row, column):
            raise WrongError(
                f"{by}: the macro-kernel adds row {row}, column {column} to the element "
                f"of row {other[0]}, column {other[1]}"
            )
        packed, panel = panels.get(told.panel(numbers), (None, Cell())) if node.packed else (None, Cell())
        if node.packed and (packed is None or told.found(packed) != told.place("b", numbers)):
            raise WrongError(f"{by}: {node.packed} does not hold what it multiplies with")
        with run.part(number, "operands"):  # read and added to in an order of its own
            for touch in reads:
                element = run.demands.element(touch, point)
                if element == packed:
                    with Told(by, node.packed):
                        panel.on_read(run.chain)
                    run.whole(panel, element, by)
                    packed = None  # where both operands are one element, the other is read as it is
                else:
                    run.read(instance, touch, point, {})
        element = run.demands.element(write, point)
        with run.part(number, "sums"):
            run.write(instance, write, element, fresh=node.fresh and element not in made)
        made.add(element)

    _nest(run, node.nest, one)
    if node.fresh:
        _replaced(run, made)


class _Told:
    """The description of some operands that the macro-kernel gets, in numbers.

    Attributes:
        loops: iterator -> its loop.
        trips: iterator -> the number of iterations.
        operands: c, a or b -> its array, where its part begins, and its axes with their strides.
    """

    def __init__(self, run: Execution, shape: Shape, wanted: str) -> None:
        whole = {
            "c": (shape.c, 0, (*shape.rows, *shape.columns)),
            "a": (shape.a, 1, (*shape.rows, *shape.sums)),
            "b": (shape.b, 2, (*shape.columns, *shape.sums)),
        }
        axes = [axis for name in wanted for axis in whole[name][2]]
        self.loops = {loop.iterator: loop for axis in axes for loop in axis.loops}
        self.memory, self.grouped = run.memory, (shape.columns, shape.sums)
        self.trips = {name: max(0, value_function(trip_count(loop))(run.names)) for name, loop in self.loops.items()}
        for axis in axes:
            own = [loop.iterator for loop in axis.loops]
            if math.prod(self.trips[name] for name in own) != max(0, value_function(axis.count)(run.names)):
                raise WrongError(f"the macro-kernel is told of another number of iterations over {', '.join(own)}")
        # Loops around, on which first iterations may depend, are not there yet where an operand is packed.
        first = {name: loop.first for name, loop in self.loops.items() if isinstance(loop.first, Affine)}
        others = {name: loop.first for name, loop in self.loops.items() if name not in first}
        begin = {**run.names, **{name: value_function(value)(run.names) for name, value in others.items()}}
        self.operands = {
            name: (
                operand.array,
                self.memory.position((operand.array, index_function(_substituted(operand.index, first))(begin))),
                [(axis, polynomial_value(axis.strides[number], run.names)) for axis in axes],
            )
            for name, (operand, number, axes) in whole.items()
            if name in wanted
        }

    def place(self, name: str, numbers: Mapping[str, int]) -> tuple[str, int]:
        """Return where the macro-kernel looks for the element of an operand: its array, and the position there."""
        array, at, axes = self.operands[name]
        return array, at + sum(self.number(axis.loops, numbers) * stride for axis, stride in axes)

    def panel(self, numbers: Mapping[str, int]) -> tuple[int, int]:
        """Return where the macro-kernel looks for an element of b in panels: its column and its row."""
        columns, sums = ([loop for axis in group for loop in axis.loops] for group in self.grouped)
        return self.number(columns, numbers), self.number(sums, numbers)

    def number(self, loops: Sequence[Loop], numbers: Mapping[str, int]) -> int:
        """The number of an iteration of several loops that run as one."""
        number = 0
        for loop in loops:
            number = number * self.trips[loop.iterator] + numbers[loop.iterator]
        return number

    def found(self, element: Element) -> tuple[str, int]:
        """Return the array and the position of an element."""
        return element[0], self.memory.position(element)


def _substituted(index: tuple[Affine, ...], values: Mapping[str, Affine]) -> tuple[Affine, ...]:
    return tuple(i.substitute(values) for i in index)


def _replaced(run: Execution, made: set[Element]) -> None:
    """The definitions of elements that a contraction makes do not run."""
    for statement in run.demands.program.statements:
        write = run.memory.plan.known.touches[statement.name][0]
        if write.kind != "define" or not made or write.array != next(iter(made))[0]:
            continue
        ran = run.executed.setdefault(statement.name, set())
        ran |= {p for p in run.demands.instances[statement.name] if run.demands.element(write, p) in made}


def _nest(run: Execution, node: Node, one: Callable[[Instance], None]) -> None:
    """The instances of a nest."""
    run.reached.add(id(node))
    if isinstance(node, Instance):
        one(node)
    elif isinstance(node, Loop):
        for i in run.iterations(node):
            run.names[node.iterator] = i
            for child in node.body.children:
                _nest(run, child, one)


def run_pack(run: Execution, node: Pack) -> None:
    """Copy the elements of an operand."""
    shape = node.contraction.shape
    assert shape is not None, "nests without a shape are loops"
    panels = run.memory.panels.setdefault(node.name, {})
    before = {**panels}
    panels.clear()
    loops = [loop for axis in (*shape.columns, *shape.sums) for loop in axis.loops]
    # Counted from their first iterations: loops around the contraction, on which these may depend, are not there yet.
    steps: dict[str, Affine] = {}
    for loop in loops:
        assert isinstance(loop.first, Affine), "packing.py takes no other"
        steps[loop.iterator] = Affine.of(loop.iterator) * loop.step + loop.first
    place = index_function(_substituted(shape.b.index, steps))
    told = _Told(run, shape, "b")
    _fits(run, node, told)
    for iteration in product(*(range(told.trips[loop.iterator]) for loop in loops)):
        numbers = dict(zip(steps, iteration, strict=True))
        element = (shape.b.array, place({**run.names, **numbers}))
        if told.place("b", numbers) != told.found(element):
            raise WrongError(f"packing {node.name}: the macro-kernel takes another element for {text(element)}")
        by = f"packing {node.name}"
        cell, at = run.loaded(element, by), told.panel(numbers)
        panel = before[at][1] if at in before else Cell()
        with Told(by, node.name):
            panel.on_write(run.chain, cell.by)
        panel.element, panel.count = cell.element, cell.count
        panels[at] = element, panel


def _fits(run: Execution, node: Pack, told: _Told) -> None:
    """Panels are as large as the macro-kernel may fill them."""
    shape, plan = node.contraction.shape, run.memory.plan
    assert shape is not None, "nests without a shape are loops"
    columns, sums = (math.prod(told.trips[x.iterator] for axis in g for x in axis.loops) for g in told.grouped)
    extents = plan.storage.memory.slots[plan.known.places[node.name]].extents
    if math.prod(max(0, e.evaluate(run.demands.sizes)) for e in extents) < sums * (columns + EXTRA):
        raise WrongError(f"packing {node.name}: panels of {sums} times {columns} do not fit into their memory")
