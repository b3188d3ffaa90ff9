"""Saying which data-dependent index was out of range: C returns a code only, the data is still here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import islpy as isl
import numpy as np

from polyad.codegen.index_checks import without_widening
from polyad.codegen.source import IndexCheck, Source
from polyad.errors import CallError
from polyad.ir.expr import Access, Indirect, Read
from polyad.ir.program import Program
from polyad.runtime.arguments import NumpyArray
from polyad.semantics.points import at_sizes

__all__ = ["explain_index_error"]

# `table_bar`, `table_dot`, and several after each other (polyad/ad/names.py).
_DERIVATIVE = re.compile(r"(.+?)(?:_(?:bar|dot))+(?:_\d+)?$")


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
                    f"{_users_array(check.array, program)}, must lie in 0 .. {extent - 1}",
                    check.index_array,
                )
    ranges = "; ".join(dict.fromkeys(_range(check, program, sizes) for check in computed))
    array = _users_array(computed[0].array, program) if computed else ""
    return CallError(f"{code.name}: a computed index is out of range: {ranges}", array)


def _users_array(array: str, program: Program) -> str:
    """The array as the user knows it: gradients write to the adjoint of what the definition reads."""
    primal = _DERIVATIVE.match(array)
    known = program.arrays.get(primal[1]) if primal else None
    return known.name if known is not None and known.shape == program.arrays[array].shape else array


def _elements_used(program: Program, check: IndexCheck) -> Iterator[isl.Set]:
    """[sizes] -> { ids[i] } the elements of the index array that serve as the index of this check."""
    for statement in program.statements:
        accesses: list[tuple[str, Access]] = [(read.array, read.access) for read in statement.reads()]
        accesses.append((statement.array, statement.write))
        for array, access in accesses:
            if array == check.array and isinstance(access, Indirect):
                index = without_widening(access.index[check.dimension])
                if isinstance(index, Read) and index.array == check.index_array:
                    yield statement.read_relation(index).range()


def _contains(elements: isl.Set, position: Sequence[int]) -> bool:
    """Whether { ids[i] } has this element."""
    for i, value in enumerate(position):
        elements = elements.fix_val(isl.dim_type.set, i, isl.Val(value))
    return not elements.is_empty()


def _range(check: IndexCheck, program: Program, sizes: Mapping[str, int]) -> str:
    extent = check.extent.evaluate(sizes)
    array = _users_array(check.array, program)
    return f"{check.index} in dimension {check.dimension} of {array} must lie in 0 .. {extent - 1}"
