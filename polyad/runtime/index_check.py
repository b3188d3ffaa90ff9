"""Saying which data-dependent index was out of range: C returns a code only, the data is still here."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from polyad.codegen.source import IndexCheck, Source
from polyad.errors import CallError
from polyad.runtime.arguments import NumpyArray

__all__ = ["explain_index_error"]


def explain_index_error(code: Source, inputs: Mapping[str, NumpyArray], sizes: Mapping[str, int]) -> CallError:
    """The error for POLYAD_ERROR_INDEX.

    Args:
        code: the kernel.
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
        outside = np.flatnonzero((data < 0) | (data >= extent))
        if outside.size:
            position = np.unravel_index(int(outside[0]), data.shape)
            where = f"{check.index_array}[{', '.join(str(int(p)) for p in position)}]"
            more = f" ({outside.size - 1} more are out of range)" if outside.size > 1 else ""
            return CallError(
                f"{code.name}: index out of range: {where} = {int(data[position])}, used as {check.index} in dimension "
                f"{check.dimension} of {check.array}, must lie in 0 .. {extent - 1}{more}",
                check.index_array,
            )
    ranges = "; ".join(_range(check, sizes) for check in computed)
    return CallError(f"{code.name}: a computed index is out of range: {ranges}", computed[0].array if computed else "")


def _range(check: IndexCheck, sizes: Mapping[str, int]) -> str:
    extent = check.extent.evaluate(sizes)
    return f"{check.index} in dimension {check.dimension} of {check.array} must lie in 0 .. {extent - 1}"
