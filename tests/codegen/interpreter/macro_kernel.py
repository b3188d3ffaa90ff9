"""A contraction as the macro-kernel computes it: from where its operands begin, and how far apart elements lie."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from polyad.codegen.certify.integers import index_function, polynomial_value, value_function
from polyad.codegen.certify.told import Told
from polyad.codegen.loops.nodes import Contraction, ContractionAxis, Instance, Loop, Node, Operand, Pack, Shape
from polyad.codegen.loops.traversal import instances
from polyad.ir.affine import Affine
from polyad.semantics.interpret import Scalar

if TYPE_CHECKING:
    from tests.codegen.interpreter.interpreter import Interpreter

__all__ = ["contract", "pack"]

C, A, B = range(3)


def contract(run: Interpreter, node: Contraction) -> None:
    """c[m, n] = or += scale * weights * the sum over k of a[m, k] * b[k, n]; as loops where there is no shape yet."""
    if node.shape is None:
        _loops(run, node)
        return
    shape, told = node.shape, _Told(run, node.shape)
    factor = shape.scale * math.prod(_weight(run, node, told, w) for w in shape.weights)
    for (m, row), (n, column) in product(told.steps(shape.rows), told.steps(shape.columns)):
        total = 0.0
        for k, depth in told.steps(shape.sums):
            a = told.get(shape.a, row[A] + depth[A])
            b = run.panels[node.packed][n, k] if node.packed else told.get(shape.b, column[B] + depth[B])
            total += a * b
        cell = run.memory.at(shape.c.array, told.begin(shape.c) + row[C] + column[C])
        before = 0.0 if node.fresh else run.get(cell, shape.c.array)
        with Told(f"contraction at {m}, {n}", shape.c.array):
            cell.on_write(run.chain, "a contraction")
        run.values[cell] = before + factor * total


def pack(run: Interpreter, node: Pack) -> None:
    """Copy b into panels; loops, where there is no shape yet, read b where it is."""
    shape = node.contraction.shape
    if shape is None:
        return
    told = _Told(run, shape)
    run.panels[node.name] = {
        (n, k): told.get(shape.b, column[B] + depth[B])
        for (n, column), (k, depth) in product(told.steps(shape.columns), told.steps(shape.sums))
    }


class _Told:
    """The description of a nest that the macro-kernel gets, in numbers."""

    def __init__(self, run: Interpreter, shape: Shape) -> None:
        self.run, self.begins = run, dict[Operand, int]()
        first = {
            loop.iterator: loop.first for axis in (*shape.rows, *shape.columns, *shape.sums) for loop in axis.loops
        }
        self.affine = {name: value for name, value in first.items() if isinstance(value, Affine)}
        others = {n: value_function(value)(run.names) for n, value in first.items() if n not in self.affine}
        self.names = {**run.names, **others}

    def begin(self, operand: Operand) -> int:
        """The position of the first element of an operand."""
        if operand not in self.begins:
            index = index_function(tuple(i.substitute(self.affine) for i in operand.index))
            self.begins[operand] = self.run.memory.position((operand.array, index(self.names)))
        return self.begins[operand]

    def get(self, operand: Operand, distance: int) -> Scalar:
        """An element so far behind the first one."""
        cell = self.run.memory.at(operand.array, self.begin(operand) + distance)
        with Told("a contraction", operand.array):
            cell.on_read(self.run.chain)
        return self.run.get(cell, operand.array)

    def steps(self, axes: Sequence[ContractionAxis]) -> Iterator[tuple[int, tuple[int, int, int]]]:
        """The iterations of axes that run as one loop: their numbers, and how far they are in c, a and b."""
        counts = [value_function(axis.count)(self.run.names) for axis in axes]
        strides = [tuple(polynomial_value(s, self.run.names) for s in axis.strides) for axis in axes]
        for number, at in enumerate(product(*map(range, counts))):
            c, a, b = (sum(i * s[operand] for i, s in zip(at, strides, strict=True)) for operand in (C, A, B))
            yield number, (c, a, b)


def _weight(run: Interpreter, node: Contraction, told: _Told, weight: Operand) -> Scalar:
    """Return a factor of a sum: a C variable, or an element."""
    locals_ = next(instances(node)).locals
    if weight.array in locals_:
        return run.get(run.variable_cell(locals_[weight.array], "a contraction"), weight.array)
    return told.get(weight, 0)


def _loops(run: Interpreter, node: Contraction) -> None:
    """The nest; what is fresh begins with nothing."""
    made: set[object] = set()

    def one(inner: Node) -> None:
        if isinstance(inner, Loop):
            for i in run.iterations(inner):
                run.name(inner.iterator, i)
                for child in inner.body.children:
                    one(child)
            return
        assert isinstance(inner, Instance), "a perfect nest"
        statement = run.demands.program.statement(inner.statement)
        if node.fresh and statement.array not in inner.locals:
            assert statement.reduction is not None, "a sum"
            cell = run.memory.cell((statement.array, run.target(inner)))
            if cell not in made:
                made.add(cell)
                run.values[cell] = run.start(statement.reduction, statement.array)
        run.instance(inner)

    one(node.nest)
