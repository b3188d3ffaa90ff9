"""The meaning of a program: run point by point, each element when it is needed. Slow, obvious, the oracle of tests.

An element is the stack frame here: its one definition (or the identity), then its contributions one after the other. An
instance that reads an element without a value is given up, the element is computed, and the instance starts again; an
element that is needed while it waits on the stack needs itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from polyad.errors import BoundsError, CallError, CausalityError, DefinitionError
from polyad.ir.expr import Expr, Indirect, Read, render, render_access
from polyad.ir.program import Program
from polyad.ir.statement import Reduction, Statement
from polyad.islx import instance_text
from polyad.ops import REDUCTION_OPS, identity
from polyad.semantics.instances import Instance, Writers, elements, extents, writers
from polyad.semantics.interpret import Scalar, expression_function, index_function, scalar
from polyad.semantics.points import Point
from polyad.semantics.sizes import SizeSolver
from polyad.semantics.wording import element_text, where_text

__all__ = ["Evaluated", "evaluate", "evaluate_all"]


def evaluate(
    program: Program,
    inputs: Mapping[str, npt.ArrayLike],
    sizes: Mapping[str, int] | None = None,
    watch: Callable[[Evaluated], None] | None = None,
) -> dict[str, npt.NDArray[np.generic]]:
    """Compute the outputs.

    Args:
        program: single assignment, but it need not be verified.
        inputs: input array name -> values.
        sizes: parameters that the shapes of the inputs do not determine; more may be given.
        watch: is told of each element that statements make, when it has its value.

    Returns:
        Output array name -> values, float64 for floating point arrays, the array's own type for integers.

    Raises:
        CallError: an input is missing or of the wrong shape, or a data-dependent index is out of range.
        DefinitionError: an element that is needed is not defined, or defined twice.
        CausalityError: an element needs itself; carries the cycle.
    """
    machine = _start(program, inputs, sizes)
    machine.watch = watch
    with np.errstate(all="ignore"):
        return {name: machine.array(name) for name in program.outputs}


def evaluate_all(
    program: Program, inputs: Mapping[str, npt.ArrayLike], sizes: Mapping[str, int] | None = None
) -> dict[str, npt.NDArray[np.generic]]:
    """Compute every array, as `evaluate`; elements of temporaries that nothing defines are nan (0 for integers)."""
    machine = _start(program, inputs, sizes)
    with np.errstate(all="ignore"):
        return {name: machine.array(name, partly=a.is_temporary) for name, a in program.arrays.items()}


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An element that has its value.

    Attributes:
        array: the array.
        element: its index.
        value: its value.
        jobs: the instances that make it.
        values: array -> element -> value, of all that have one.
        sizes: parameter -> value.
    """

    array: str
    element: Point
    value: Scalar
    jobs: Sequence[Instance]
    values: Mapping[str, Mapping[Point, Scalar]]
    sizes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _NeededError(Exception):
    """Control flow: an instance read an element that has no value yet."""

    array: str
    element: Point
    read: Read
    instance: Instance


@dataclass(slots=True)
class _Frame:
    """An element being computed.

    Attributes:
        array: the array.
        element: its index.
        jobs: its definition, if it has one, its contributions, and the scatter instances that may hit it.
        value: what the jobs before `done` give; None before the definition.
        done: how many jobs are done.
    """

    array: str
    element: Point
    jobs: list[Instance]
    value: Scalar
    done: int = 0


@dataclass(slots=True)
class _Machine:
    """The state of one evaluation."""

    program: Program
    sizes: dict[str, int]
    inputs: dict[str, npt.NDArray[np.generic]]
    writers: dict[str, Writers]
    reductions: dict[str, Reduction]
    extents: dict[str, tuple[int, ...]]
    values: dict[str, dict[Point, Scalar]]
    bodies: dict[Statement, Callable[[Point], Scalar]] = field(default_factory=dict)
    positions: dict[Statement, list[Callable[[Point], Scalar]]] = field(default_factory=dict)
    targets: dict[Instance, Point] = field(default_factory=dict)
    watch: Callable[[Evaluated], None] | None = None

    def array(self, name: str, partly: bool = False) -> npt.NDArray[np.generic]:
        """All elements of an array; with `partly`, undefined elements are left out (nan, or 0 for integers)."""
        array = self.program.arrays[name]
        floating = "float" in array.dtype
        dtype = np.dtype("float64" if floating else array.dtype)
        result = np.full(self.extents[name], np.nan if floating else 0, dtype)
        for element in elements(array, self.sizes):
            if not partly or name in self.reductions or self.writers[name].jobs(element):
                result[element] = self.element(name, element)
        return result

    def element(self, array: str, element: Point) -> Scalar:
        """The value of one element."""
        if element not in self.values[array]:
            stack = [self._frame(array, element)]
            waiting = {(array, element): 0}
            while stack:
                frame = stack[-1]
                try:
                    self._run(frame)
                except _NeededError as need:
                    self._check_inside(need)
                    key = (need.array, need.element)
                    if key in waiting:
                        raise self._cycle(stack[waiting[key] :]) from None
                    waiting[key] = len(stack)
                    stack.append(self._frame(need.array, need.element))
                    continue
                self.values[frame.array][frame.element] = frame.value
                if self.watch is not None and frame.jobs:
                    own = frame.array, frame.element, frame.value, frame.jobs
                    self.watch(Evaluated(*own, self.values, self.sizes))
                del waiting[(frame.array, frame.element)]
                stack.pop()
        return self.values[array][element]

    def _frame(self, array: str, element: Point) -> _Frame:
        if array in self.inputs:
            return _Frame(array, element, [], scalar(self.inputs[array][element].item(), self._dtype(array)))
        definitions = self.writers[array].definitions.get(element, [])
        if len(definitions) > 1:
            both = " and ".join(_instance_text(i) for i in definitions[:2])
            raise DefinitionError(f"{element_text(array, element)} is defined twice, by {both}")
        value = None
        if not definitions:
            if array not in self.reductions:
                raise DefinitionError(f"{element_text(array, element)} is needed, but no statement defines it")
            value = scalar(identity(self.reductions[array], self._dtype(array)), self._dtype(array))
        return _Frame(array, element, self.writers[array].jobs(element), value)

    def _run(self, frame: _Frame) -> None:
        """Do the jobs that are left."""
        while frame.done < len(frame.jobs):
            statement, point = frame.jobs[frame.done]
            if not isinstance(statement.write, Indirect) or self._target(statement, point) == frame.element:
                value = self._body(statement)(point)
                if statement.reduction is not None:
                    value = REDUCTION_OPS[statement.reduction].taking_in(frame.value, value, self._dtype(frame.array))
                frame.value = value
            frame.done += 1

    def _function(self, statement: Statement, expr: Expr) -> Callable[[Point], Scalar]:
        fetch = partial(self._fetch, statement)
        return expression_function(expr, statement.dims, self.sizes, fetch)

    def _body(self, statement: Statement) -> Callable[[Point], Scalar]:
        if statement not in self.bodies:
            self.bodies[statement] = self._function(statement, statement.body)
        return self.bodies[statement]

    def _target(self, statement: Statement, point: Point) -> Point:
        """The element that a scatter instance writes."""
        key = (statement, point)
        if key not in self.targets:
            assert isinstance(statement.write, Indirect)
            if statement not in self.positions:
                self.positions[statement] = [self._function(statement, i) for i in statement.write.index]
            target = tuple(int(position(point)) for position in self.positions[statement])
            self._check_index(statement.array, statement.write, target, key)
            self.targets[key] = target
        return self.targets[key]

    def _fetch(self, statement: Statement, read: Read, point: Point, element: Point) -> Scalar:
        value = self.values[read.array].get(element)
        if value is None:
            raise _NeededError(read.array, element, read, (statement, point))
        return value

    def _dtype(self, array: str) -> str:
        return self.program.arrays[array].dtype

    def _check_inside(self, need: _NeededError) -> None:
        if isinstance(need.read.access, Indirect):
            self._check_index(need.array, need.read.access, need.element, need.instance)
        elif not self._inside(need.array, need.element):
            statement, point = need.instance
            access = render_access(need.array, need.read.access, statement.dims)
            raise BoundsError(
                f"bounds: {access} reads {element_text(need.array, need.element)} outside of "
                f"{self.program.arrays[need.array]} at {_instance_text(need.instance)}{where_text(statement)}",
                dict(zip(statement.dims, point, strict=True)),
                self.sizes,
            )

    def _inside(self, array: str, element: Point) -> bool:
        return all(0 <= i < n for i, n in zip(element, self.extents[array], strict=True))

    def _check_index(self, array: str, access: Indirect, element: Point, instance: Instance) -> None:
        """A data-dependent index must lie inside.

        Raises:
            CallError: it does not; names the index array, the position in it and the value.
        """
        for d, (i, n) in enumerate(zip(element, self.extents[array], strict=True)):
            if not 0 <= i < n:
                what, argument = self._index_text(access.index[d], instance)
                raise CallError(
                    f"index out of range: {what} = {i} is an index of dimension {d} of {self.program.arrays[array]}, "
                    f"which has {n} elements there, at {_instance_text(instance)}{where_text(instance[0])}; "
                    f"indices must lie in 0 .. {n - 1}",
                    argument,
                )

    def _index_text(self, index: Expr, instance: Instance) -> tuple[str, str]:
        """(the index expression at an instance, the array it is read from): `ids[t = 2]` is spelled ids[2]."""
        statement, point = instance
        if isinstance(index, Read) and not isinstance(index.access, Indirect):
            position = index_function(index.access, statement.dims, self.sizes)(point)
            return element_text(index.array, position), index.array
        return render(index, statement.dims), ""

    def _cycle(self, frames: list[_Frame]) -> CausalityError:
        cycle = [element_text(f.array, f.element) for f in frames]
        return CausalityError(f"an element needs itself: {' needs '.join([*cycle, cycle[0]])}", cycle, self.sizes)


def _start(program: Program, inputs: Mapping[str, npt.ArrayLike], sizes: Mapping[str, int] | None) -> _Machine:
    given: dict[str, npt.NDArray[np.generic]] = {}
    for name in program.inputs:
        if name not in inputs:
            raise CallError(f"input {name} is missing; expected {program.arrays[name]}", name)
        given[name] = np.asarray(inputs[name])
    arrays = [program.arrays[name] for name in program.inputs]
    solver = SizeSolver(arrays, program.params, program.context)
    solved = solver.solve({name: a.shape for name, a in given.items()}, sizes or {})
    return _Machine(
        program,
        solved,
        given,
        writers(program.statements, solved),
        {s.array: s.reduction for s in program.statements if s.reduction is not None},
        {name: extents(a, solved) for name, a in program.arrays.items()},
        {name: {} for name in program.arrays},
    )


def _instance_text(instance: Instance) -> str:
    statement, point = instance
    return instance_text(statement.name, dict(zip(statement.dims, point, strict=True)))
