"""Fixing sizes at compile time: parameters become numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl
import numpy as np

from polyad import islx
from polyad.errors import CallError, DefinitionError
from polyad.ir.affine import Affine
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.map_indices import map_indices

__all__ = ["check_sizes", "fix_sizes"]


def check_sizes(sizes: object) -> None:
    """Refuse what does not map names to integers: 3.5 would be taken for 3.

    Raises:
        CallError: it is no mapping, or a value is no integer of 64 bits.
    """
    if not isinstance(sizes, Mapping):
        raise CallError(f"sizes={sizes!r:.60}: expected sizes with their values, such as {{'N': 128}}", "sizes")
    for name, value in sizes.items():
        if not isinstance(name, str):
            raise CallError(f"sizes={{{name!r:.60}: ...}}: sizes are named by text, such as {{'N': 128}}", "sizes")
        if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer) or abs(int(value)) >= 2**63:
            raise CallError(f"sizes={{{name!r}: {value!r:.60}}}: expected an integer of 64 bits", "sizes")


def fix_sizes(program: Program, sizes: Mapping[str, int]) -> Program:
    """The program for some fixed sizes; these are no longer parameters.

    Raises:
        CallError: a value that is no integer.
        DefinitionError: an unknown size, or a value outside of what was declared.
    """
    if not sizes:
        return program
    check_sizes(sizes)
    for name in sizes:
        if name not in program.params:
            raise DefinitionError(
                f"sizes={{{name!r}: ...}}: the program has no size {name}; it has {', '.join(program.params)}"
            )
    values = {n: Affine.of(int(v)) for n, v in sizes.items()}
    context = _fix(program.context, sizes)
    if context.is_empty():
        raise DefinitionError(f"sizes={dict(sizes)} are outside of what was declared, {program.context}")
    params = tuple(p for p in program.params if p not in sizes)
    return replace(
        program,
        context=context,
        arrays={n: replace(a, shape=tuple(e.substitute(values) for e in a.shape)) for n, a in program.arrays.items()},
        statements=tuple(_statement(s, sizes, values, params) for s in program.statements),
        scans=tuple(replace(s, length=s.length.substitute(values)) for s in program.scans),
    )


def _fix(domain: isl.Set, sizes: Mapping[str, int]) -> isl.Set:
    for name, value in sizes.items():
        at = domain.find_dim_by_name(isl.dim_type.param, name)
        if at >= 0:
            domain = domain.fix_val(isl.dim_type.param, at, isl.Val(int(value)))
            domain = domain.project_out(isl.dim_type.param, at, 1)
    return domain


def _statement(
    s: Statement, sizes: Mapping[str, int], values: Mapping[str, Affine], params: tuple[str, ...]
) -> Statement:
    space = islx.space(params, s.name, s.dims)
    where = islx.positions(params, s.dims)

    def index(old: isl.Aff) -> isl.Aff:
        return Affine.from_aff(old, s.dims).substitute(values).to_aff(space, where)

    def may(relation: isl.Map) -> isl.Map:
        return _fix(relation.wrap(), sizes).unwrap()

    return replace(map_indices(s, space, index, may), domain=islx.name_dims(_fix(s.domain, sizes), s.dims))
