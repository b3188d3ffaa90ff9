"""Saying which data-dependent index was out of range: C returns a code only, the data is still here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import islpy as isl
import numpy as np

from polyad.codegen.source import IndexCheck, Source
from polyad.errors import CallError
from polyad.ir.expr import Access, Apply, Expr, Indirect, Read
from polyad.ir.program import Program
from polyad.runtime.arguments import NumpyArray
from polyad.semantics.points import at_sizes

__all__ = ["explain_index_error"]


def explain_index_error(
    code: Source, program: Program, inputs: Mapping[str, NumpyArray], sizes: Mapping[str, int]
) -> CallError:
    """The error for POLYAD_ERROR_INDEX.

    Args:
        code: the kernel.
        program: what it was generated from.
        inputs: input name -> what it was called with.
        sizes: size name -> value.

    Returns:
        An error that names array, position and value where the index is an element of an input; where it is computed,
        the expression and the range it left.
    """
    computed = []
    for check in code.checks:
        extent = check.extent.evaluate(sizes)
        data = inputs.get(check.index_array)
        if data is None:
            computed.append(check)
            continue
        used = [at_sizes(elements, sizes) for elements in _elements_used(program, check)]
        for place in np.flatnonzero((data < 0) | (data >= extent)):
            position = [int(i) for i in np.unravel_index(int(place), data.shape)]
            if any(_contains(elements, position) for elements in used):
                return CallError(
                    f"{code.name}: index out of range: {check.index_array}[{', '.join(map(str, position))}] = "
                    f"{int(data[tuple(position)])}, used as {check.index} in dimension {check.dimension} of "
                    f"{check.array}, must lie in 0 .. {extent - 1}",
                    check.index_array,
                )
    ranges = "; ".join(_range(check, sizes) for check in computed)
    return CallError(f"{code.name}: a computed index is out of range: {ranges}", computed[0].array if computed else "")


def _elements_used(program: Program, check: IndexCheck) -> Iterator[isl.Set]:
    """[sizes] -> { ids[i] } the elements of the index array that serve as the index of this check."""
    for statement in program.statements:
        accesses: list[tuple[str, Access]] = [(read.array, read.access) for read in statement.reads()]
        accesses.append((statement.array, statement.write))
        for array, access in accesses:
            if array == check.array and isinstance(access, Indirect):
                index = _without_casts(access.index[check.dimension])
                if isinstance(index, Read) and index.array == check.index_array:
                    yield statement.read_relation(index).range()


def _without_casts(index: Expr) -> Expr:
    while isinstance(index, Apply) and index.op == "cast":
        (index,) = index.args
    return index


def _contains(elements: isl.Set, position: Sequence[int]) -> bool:
    """Whether { ids[i] } has this element."""
    for i, value in enumerate(position):
        elements = elements.fix_val(isl.dim_type.set, i, isl.Val(value))
    return not elements.is_empty()


def _range(check: IndexCheck, sizes: Mapping[str, int]) -> str:
    extent = check.extent.evaluate(sizes)
    return f"{check.index} in dimension {check.dimension} of {check.array} must lie in 0 .. {extent - 1}"
