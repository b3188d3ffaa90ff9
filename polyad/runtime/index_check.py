"""Saying which data-dependent index was out of range: C returns a code only, the data is still here.

The index expressions of the program are computed once more, for all their instances at a time (index_values.py), until
one is found that lies outside. It is put down to the elements of inputs that it is computed from: a temporary such as
`add[t] = ids[t] + 1` is followed to what defines it. What a kernel has to compute first (an argmax, say) is computed by
a kernel of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import islpy as isl
import numpy as np

from polyad.codegen.lower.index_checks import index_instances, indirect_accesses, without_widening
from polyad.codegen.source import IndexCheck, Source
from polyad.codegen.text.equation_text import readable
from polyad.errors import CallError, PolyadError
from polyad.ir.expr import Expr, Read, children, reads
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.runtime.arguments import NumpyArray
from polyad.runtime.index_values import elements_read, index_values
from polyad.semantics.points import Point, coordinates

__all__ = ["ComputeValues", "explain_index_error"]

ComputeValues = Callable[[Sequence[str]], Mapping[str, NumpyArray]]
"""Names of arrays that the program computes -> what they hold."""

# `table_bar`, `table_dot`, and several after each other (polyad/ad/names.py).
_DERIVATIVE = re.compile(r"(.+?)(?:_(?:bar|dot))+(?:_\d+)?$")

_MOST_NAMED = 4
"""Elements that a message puts an index down to."""

_MOST_FOLLOWED, _DEEPEST = 64, 8
"""Elements looked at for it, and definitions one after the other: an index may be the state of a long scan."""


def explain_index_error(
    code: Source,
    program: Program,
    inputs: Mapping[str, NumpyArray],
    sizes: Mapping[str, int],
    compute: ComputeValues,
) -> CallError:
    """The error for POLYAD_ERROR_INDEX.

    Args:
        code: the kernel.
        program: what it was generated from.
        inputs: input name -> what it was called with.
        sizes: size name -> value.
        compute: finds what arrays hold that the program computes.

    Returns:
        An error that names the elements of inputs that an index comes from, with position and value, the index and the
        range it left.
    """
    arrays = dict(inputs)
    for check in code.checks:
        for statement, index in _uses(program, check):
            absent = [name for name in dict.fromkeys(r.array for r in reads(index)) if name not in arrays]
            try:
                arrays.update(compute(absent) if absent else {})
            except CallError as problem:
                return problem  # an index on the way to this one is out of range: it is the one to name
            except PolyadError:
                continue
            found = _outside(statement, index, check.extent.evaluate(sizes), arrays, sizes)
            if found is not None:
                return _Blame(program, arrays, sizes, compute).error(code.name, check, statement, index, *found)
    ranges = "; ".join(dict.fromkeys(_range(check, program, sizes) for check in code.checks))
    return CallError(f"{code.name}: a computed index is out of range: {ranges}", "")


def _uses(program: Program, check: IndexCheck) -> Iterator[tuple[Statement, Expr]]:
    """(statement, index) for all indices that a check stands for."""
    for statement in program.statements:
        for array, access in indirect_accesses(statement):
            if array == check.array:
                index = without_widening(access.index[check.dimension])
                if readable(index, statement.dims) == check.index:
                    yield statement, index


def _outer_reads(expr: Expr) -> Iterator[Read]:
    """The reads that are not part of another's index."""
    if isinstance(expr, Read):
        yield expr
    else:
        for child in children(expr):
            yield from _outer_reads(child)


def _outside(
    statement: Statement, index: Expr, extent: int, arrays: Mapping[str, NumpyArray], sizes: Mapping[str, int]
) -> tuple[Point, int] | None:
    """(instance, value) of the first index outside of 0 .. extent - 1."""
    for at in coordinates(index_instances(statement, index, statement.name), sizes):
        values = index_values(index, statement.dims, sizes, arrays, at)
        wrong = np.flatnonzero((values < 0) | (values >= extent))
        if wrong.size:
            first = int(wrong[0])
            return tuple(int(c[first]) for c in at), int(values[first])
    return None


@dataclass(frozen=True, slots=True)
class _Blame:
    """The search for the cause of an index out of range.

    Attributes:
        program: what was run.
        arrays: name -> values; grows.
        sizes: size name -> value.
        compute: finds values of others.
    """

    program: Program
    arrays: dict[str, NumpyArray]
    sizes: Mapping[str, int]
    compute: ComputeValues

    def error(
        self, kernel: str, check: IndexCheck, statement: Statement, index: Expr, point: Point, value: int
    ) -> CallError:
        """The error for the index of an instance."""
        statement, index, point = self.definition(statement, index, point)
        leaves = list(dict.fromkeys(islice(self.leaves(statement, index, point), _MOST_FOLLOWED)))[:_MOST_NAMED]
        named = " and ".join(
            f"{array}{list(element) if element else ''} = {self.arrays[array][element].item()}"
            for array, element in leaves
        )
        plain = isinstance(index, Read) and [index.array] == [array for array, _ in leaves]
        text = readable(index, statement.dims) + ("" if plain else f" = {value}")
        extent = check.extent.evaluate(self.sizes)
        return CallError(
            f"{kernel}: index out of range: {named + ', used as ' if named else ''}{text} in dimension "
            f"{check.dimension} of {_users_array(check.array, self.program)}, "
            f"{f'must lie in 0 .. {extent - 1}' if extent else 'which has no elements there'}",
            next((array for array, _ in leaves if array in self.program.inputs), ""),
        )

    def definition(self, statement: Statement, index: Expr, point: Point) -> tuple[Statement, Expr, Point]:
        """Return what defines an index that is an element of an array, which may be the user's expression stored."""
        for _ in range(_DEEPEST):
            found = self.writer(index.array, self.element(index, statement, point)) if isinstance(index, Read) else None
            if found is None or not any(reads(found[0].body)):
                break
            statement, point = found
            index = statement.body
        return statement, index, point

    def leaves(
        self, statement: Statement, expr: Expr, point: Point, deepest: int = _DEEPEST
    ) -> Iterator[tuple[str, Point]]:
        """(array, element) that an expression reads at an instance; for what has one definition, what that reads."""
        for read in _outer_reads(expr):
            element = self.element(read, statement, point)
            found = self.writer(read.array, element) if deepest else None
            if found is not None and any(reads(found[0].body)) and self.knows(found[0].body):
                yield from self.leaves(found[0], found[0].body, found[1], deepest - 1)
            elif self.knows(read) and all(
                0 <= e < n for e, n in zip(element, self.arrays[read.array].shape, strict=True)
            ):
                yield read.array, element

    def knows(self, expr: Expr) -> bool:
        """Whether the values of all that an expression reads are known, or can be found."""
        absent = list(dict.fromkeys(r.array for r in reads(expr) if r.array not in self.arrays))
        try:
            self.arrays.update(self.compute(absent) if absent else {})
        except PolyadError:
            return False
        return True

    def element(self, read: Read, statement: Statement, point: Point) -> Point:
        """The element that an instance reads."""
        at = [np.array([c], np.int64) for c in point]
        return tuple(int(e[0]) for e in elements_read(read.access, statement.dims, self.sizes, self.arrays, at))

    def writer(self, array: str, element: Point) -> tuple[Statement, Point] | None:
        """The one instance that defines an element, None for inputs and where contributions do."""
        writers = [s for s in self.program.statements if s.array == array]
        if any(s.reduction is not None for s in writers):
            return None
        for statement in writers:
            instances = statement.write_relation().reverse()
            for position, value in enumerate(element):
                instances = instances.fix_val(isl.dim_type.in_, position, isl.Val(value))
            for at in coordinates(instances.range(), self.sizes):
                return statement, tuple(int(c[0]) for c in at)
        return None


def _users_array(array: str, program: Program) -> str:
    """The array as the user knows it: gradients write to the adjoint of what the definition reads."""
    primal = _DERIVATIVE.match(array)
    known = program.arrays.get(primal[1]) if primal else None
    return known.name if known is not None and known.shape == program.arrays[array].shape else array


def _range(check: IndexCheck, program: Program, sizes: Mapping[str, int]) -> str:
    extent = check.extent.evaluate(sizes)
    array = _users_array(check.array, program)
    return f"{check.index} in dimension {check.dimension} of {array} must lie in 0 .. {extent - 1}"
