"""Sizes that a user gives by name, and what they would ask of the machine."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from polyad.codegen.index_limits import MOST, Total, refused
from polyad.codegen.source import Argument
from polyad.errors import CallError
from polyad.ir.element_types import item_bytes
from polyad.ir.program import Program
from polyad.runtime.arguments import shape_text
from polyad.semantics.sizes import SizeSolver

__all__ = [
    "check_values",
    "named_values",
    "refuse_shapeless",
    "refuse_unaddressable",
    "refuse_uncountable",
    "size_value",
]


def size_value(kernel: str, name: str, value: Any) -> int:
    """A size given by name.

    Raises:
        CallError: it is no integer, or none of 64 bits.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise CallError(f"{kernel}: size {name}: expected an integer, got {value!r}", name)
    if not -(2**63) <= value < 2**63:
        raise CallError(f"{kernel}: size {name}: {value} is no integer of 64 bits", name)
    return int(value)


def named_values(kernel: str, sizes: Sequence[str], given: Mapping[str, Any]) -> dict[str, int]:
    """A value for each size of a kernel.

    Raises:
        CallError: one is missing, unknown, or no integer.
    """
    for name in given:
        if name not in sizes:
            raise CallError(f"{kernel} has no size {name!r}; its sizes are {', '.join(sizes) or 'all fixed'}", name)
    missing = [name for name in sizes if name not in given]
    if missing:
        raise CallError(f"{kernel}: give a value to size {missing[0]}: {missing[0]}=...", missing[0])
    return {name: size_value(kernel, name, given[name]) for name in sizes}


def check_values(kernel: str, program: Program, values: Mapping[str, int]) -> None:
    """Hold sizes against what the program assumes of them; call it under the lock of isl.

    Raises:
        CallError: one is outside.
    """
    try:
        SizeSolver((), tuple(values), program.context).solve({}, values)
    except CallError as problem:
        raise CallError(f"{kernel}: {problem}", problem.argument) from None


def refuse_shapeless(kernel: str, definition: Program, values: Mapping[str, int]) -> None:
    """Refuse sizes at which an array of the definition has no shape, and say which: a slice, a window, a difference.

    Args:
        kernel: its name.
        definition: what was asked for, before any pass took arrays away.
        values: size -> value, the fixed ones included.

    Raises:
        CallError: an extent is negative.
    """
    if any(value < 0 for value in values.values()):
        return  # what is wrong is the size itself
    for array in definition.arrays.values():
        if not all(e.names() <= values.keys() for e in array.shape):
            continue
        shape = tuple(e.evaluate(values) for e in array.shape)
        if min(shape, default=0) >= 0:
            continue
        where = next((s.where for s in definition.statements if s.array == array.name and s.where), "")
        names = sorted({n for e, found in zip(array.shape, shape, strict=True) if found < 0 for n in e.names()})
        said = ", ".join(f"{n} = {values[n]}" for n in names)
        raise CallError(
            f"{kernel}: at {said}, {array.name}{f' ({where})' if where else ''} of shape "
            f"({', '.join(map(str, array.shape))}) would have the shape {shape_text(shape)}; what is cut from an array "
            f"ends at nothing only where its size is a number: give larger arrays, or write {values[names[0]]} for "
            f"{names[0]} in the definition",
            names[0],
        )


def refuse_uncountable(kernel: str, limits: Sequence[Total], sizes: Mapping[str, int]) -> None:
    """Refuse sizes at which loops that count with 32 bits would have to count further.

    Raises:
        CallError: names the number that is too large.
    """
    found = refused(limits, sizes)
    if found is not None:
        text = ", ".join(f"{name} = {value}" for name, value in sizes.items())
        raise CallError(
            f"{kernel}: Target(index='int32') counts to {MOST}, and at {text} this kernel up to {found} = "
            f"{found.at(sizes)}: compile it without index= for these sizes"
        )


def refuse_unaddressable(
    kernel: str, outputs: Sequence[Argument], shapes: Sequence[tuple[int, ...]], workspace_bytes: int
) -> None:
    """Refuse what has more bytes than there are addresses: NumPy and C would overflow.

    Raises:
        CallError: an output or the workspace is too large.
    """
    needs = [(f"the workspace would have {workspace_bytes} bytes", workspace_bytes)]
    for argument, shape in zip(outputs, shapes, strict=True):
        # As NumPy counts, which looks at the extents beside a 0, too.
        size = math.prod(extent for extent in shape if extent) * item_bytes(argument.dtype)
        needs.append((f"{argument.name} would have the shape {shape_text(shape)}", size))
    for what, size in needs:
        if size > sys.maxsize:
            raise CallError(f"{kernel}: these sizes are too large: {what}, more than can be addressed")
