"""What a contraction does, and what packs its operand."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING

from polyad.codegen.certify.demands import Element
from polyad.codegen.certify.integers import index_function, value_function
from polyad.codegen.certify.threads import Cell
from polyad.codegen.loops.contractions import trip_count
from polyad.codegen.loops.nodes import Contraction, Instance, Loop, Node, Pack
from polyad.ir.affine import Affine

if TYPE_CHECKING:
    from polyad.codegen.certify.execution import Execution

__all__ = ["run_contraction", "run_pack"]


def run_contraction(run: Execution, node: Contraction) -> None:
    """A contraction: each of its elements is made first where it is fresh."""
    made: set[Element] = set()
    shape = node.shape
    assert shape is not None, "nests without a shape are loops"

    def one(instance: Instance) -> None:
        point, write, reads = run.started(instance)
        for touch in reads:
            element = run.demands.element(touch, point)
            panel = run.memory.panels[node.packed].get(element[1]) if node.packed else None
            if node.packed and touch.array == shape.b.array and (panel or shape.a.array != shape.b.array):
                run.whole(panel or Cell(), element, f"{instance.statement}{list(point)}")
            else:
                run.read(instance, touch, point, {})
        element = run.demands.element(write, point)
        run.write(instance, write, element, fresh=node.fresh and element not in made)
        made.add(element)

    _nest(run, node.nest, one)
    if node.fresh:
        _replaced(run, made)


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
    panels = run.memory.panels[node.name] = {}
    loops = [loop for axis in (*shape.columns, *shape.sums) for loop in axis.loops]
    # Counted from their first iterations: loops around the contraction, on which these may depend, are not there yet.
    steps: dict[str, Affine] = {}
    for loop in loops:
        assert isinstance(loop.first, Affine), "packing.py takes no other"
        steps[loop.iterator] = Affine.of(loop.iterator) * loop.step + loop.first
    place = index_function(tuple(i.substitute(steps) for i in shape.b.index))
    for numbers in product(*(range(value_function(trip_count(loop))(run.names)) for loop in loops)):
        element = (shape.b.array, place({**run.names, **dict(zip(steps, numbers, strict=True))}))
        cell = run.loaded(element, f"packing {node.name}")
        panels[element[1]] = Cell(cell.element, cell.count, cell.by)
