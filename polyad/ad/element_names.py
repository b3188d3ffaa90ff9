"""Names of the index dimensions of an array: from the statements that write it, else from those that read it.

All equations of one derivative array use the same names for its elements, whichever read they come from:
h_bar[t, b, k]. Free dimensions of a reader that has the same name for something else are renamed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import islpy as isl

from polyad.ir.expr import Access
from polyad.ir.names import distinct_dims
from polyad.ir.program import Program
from polyad.transforms.rewrite.inverse_access import unit_dimension

__all__ = ["element_names"]


def element_names(program: Program) -> Mapping[str, tuple[str, ...]]:
    """Array -> names of its index dimensions; a0, a1, ... where no access is a dimension plus sizes."""
    found: dict[str, dict[int, str]] = {name: {} for name in program.arrays}
    for array, access, dims in _accesses(program):
        if isinstance(access, isl.MultiAff):
            names = found[array]
            for column in range(access.dim(isl.dim_type.out)):
                unit = unit_dimension(access.get_aff(column))
                if unit is not None and unit[1] > 0 and column not in names and dims[unit[0]] not in names.values():
                    names[column] = dims[unit[0]]
    return {
        name: distinct_dims((names.get(i, f"a{i}") for i in range(len(program.arrays[name].shape))), program.params)
        for name, names in found.items()
    }


def _accesses(program: Program) -> Iterator[tuple[str, Access, tuple[str, ...]]]:
    """(array, access, names of the instance's dimensions), writes before reads."""
    for s in program.statements:
        yield s.array, s.write, s.dims
    for s in program.statements:
        for read in s.reads():
            yield read.array, read.access, s.dims
