"""The element at which not-a-number, or an infinity, first came into what a program computes.

A value is made there if what it is computed of is finite; not-a-number also of infinities. Inputs are given, and
numbers of the program's text are meant. Only what reaches an output counts: the branch that a select does not take may
be what it likes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from polyad.ir.element_types import numpy_type
from polyad.ir.expr import Const, Expr, Read, Select, children, render, walk
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.semantics.evaluate import Evaluated, evaluate
from polyad.semantics.interpret import Scalar, expression_function
from polyad.semantics.points import Point
from polyad.semantics.wording import element_text, labelled_element

__all__ = ["NonFinite", "first_nonfinite"]

_MOST = 8
"""Operands that a report lists."""

Key = tuple[str, Point]


@dataclass(frozen=True, slots=True)
class NonFinite:
    """An element that is the first not to be finite.

    Attributes:
        array: its tensor, `z_bar` for the adjoint of z.
        index: of the element; along the time of a scan first.
        value: nan or an infinity.
        operands: element -> value, of what it is computed of, `z[3, 0]` -> -1.0.
        equation: the statement that makes it.
        where: the user's `file:line`.
        title: the element with the names of its indices.
    """

    array: str
    index: Point
    value: float
    operands: Mapping[str, float]
    equation: str
    where: str
    title: str

    def __str__(self) -> str:
        shown = [f"  {name} = {value!r}" for name, value in [*self.operands.items()][:_MOST]]
        rest = [f"  and {len(self.operands) - _MOST} more"] if len(self.operands) > _MOST else []
        where = f" ({self.where})" if self.where else ""
        return "\n".join([f"{self.title} = {self.value!r}, by {self.equation}{where}", *shown, *rest])


def first_nonfinite(
    program: Program, inputs: Mapping[str, npt.ArrayLike], sizes: Mapping[str, int] | None = None
) -> NonFinite | None:
    """The first element that is not finite, of those that reach an output; None where all outputs are finite.

    Of several that are made so, the one that the evaluator comes to first, in the order of the outputs, forward before
    backward, step by step.

    Args:
        program: what is computed, point by point, slowly.
        inputs: input -> values.
        sizes: those that no input has.
    """
    with np.errstate(all="ignore"):
        return _first(program, inputs, sizes)


def _first(program: Program, inputs: Mapping[str, npt.ArrayLike], sizes: Mapping[str, int] | None) -> NonFinite | None:
    made: dict[Key, Evaluated] = {}

    def watch(one: Evaluated) -> None:
        if not _is_finite(one.value, program.arrays[one.array].dtype):
            made[one.array, one.element] = one

    results = evaluate(program, inputs, sizes, watch)
    waiting: list[Key] = []
    for name, values in results.items():
        if "float" in program.arrays[name].dtype:
            bad = ~np.isfinite(values.astype(program.arrays[name].dtype))
            waiting += [(name, tuple(map(int, at))) for at in np.argwhere(bad)]
    place = {key: n for n, key in enumerate(made)}
    found: list[Key] = []
    seen = set(waiting)
    while waiting:
        key = waiting.pop()
        if key not in made:
            continue
        operands = {k: v for _, own in _operands(made[key]) for k, v in own.items()}
        bad_keys = [k for k, v in operands.items() if not _is_finite(v, program.arrays[k[0]].dtype)]
        if np.isnan(made[key].value):
            begins = not any(np.isnan(operands[k]) for k in bad_keys)
        else:
            begins = not bad_keys and not _is_meant(made[key])
        if begins and operands:
            found.append(key)
        waiting += [k for k in bad_keys if k not in seen]
        seen.update(bad_keys)
    if not found:
        return None
    return _report(made[min(found, key=place.__getitem__)], program)


def _is_finite(value: Scalar, dtype: str) -> bool:
    """Whether a number is one in its type: float64 holds more than float32."""
    if "float" not in dtype:
        return True
    return bool(np.isfinite(numpy_type(dtype).type(value)))


def _is_meant(one: Evaluated) -> bool:
    """Whether a statement has an infinity in its text, as that of a mask."""
    numbers = (e.value for statement, _ in one.jobs for e in walk(statement.body) if isinstance(e, Const))
    return any(np.isinf(n) for n in numbers)


def _operands(one: Evaluated) -> Iterator[tuple[Statement, dict[Key, Scalar]]]:
    """The statements that make an element, each with what its instance reads."""
    for statement, point in one.jobs:
        found: dict[Key, Scalar] = {}

        def fetch(read: Read, _: Point, element: Point, found: dict[Key, Scalar] = found) -> Any:
            found[read.array, element] = one.values[read.array][element]
            return found[read.array, element]

        def value(expr: Expr, statement: Statement = statement, point: Point = point, fetch: Any = fetch) -> Scalar:
            return expression_function(expr, statement.dims, one.sizes, fetch)(point)

        for part in _taken(statement.body, value):
            value(part)
        yield statement, found


def _taken(expr: Expr, value: Any) -> Iterator[Expr]:
    """The parts of an expression that decide on its value: of a select its condition, and the side that is taken."""
    if isinstance(expr, Read):
        yield expr
    elif isinstance(expr, Select):
        yield from _taken(expr.cond, value)
        yield from _taken(expr.a if value(expr.cond) else expr.b, value)
    else:
        for child in children(expr):
            yield from _taken(child, value)


def _report(one: Evaluated, program: Program) -> NonFinite:
    operands = {k: float(v) for _, own in _operands(one) for k, v in own.items()}
    if len(operands) > _MOST:  # a sum: its largest terms tell
        operands = dict(sorted(operands.items(), key=lambda item: -abs(item[1])))
    statement, _ = one.jobs[-1]
    value = float(numpy_type(program.arrays[one.array].dtype).type(one.value))
    equation = f"{statement.name}: {render(statement.body, statement.dims)}"
    if statement.reduction is not None:
        equation = f"{equation}, {statement.reduction} of {len(one.jobs)} terms"
    shown = {element_text(array, at): v for (array, at), v in operands.items()}
    title = labelled_element(statement, one.element)
    return NonFinite(one.array, one.element, value, shown, equation, statement.where, title)
