"""Fixing sizes at compile time: parameters become numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.errors import DefinitionError
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Expr, Index, Indirect, Read, map_expr
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["fix_sizes"]


def fix_sizes(program: Program, sizes: Mapping[str, int]) -> Program:
    """The program for some fixed sizes; these are no longer parameters.

    Raises:
        DefinitionError: an unknown size, or a value outside of what was declared.
    """
    if not sizes:
        return program
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

    def aff(old: isl.Aff) -> isl.Aff:
        return Affine.from_aff(old, s.dims).substitute(values).to_aff(space, where)

    def may(relation: isl.Map) -> isl.Map:
        return _fix(relation.wrap(), sizes).unwrap()

    def access(old: Access) -> Access:
        if isinstance(old, Indirect):
            return Indirect(tuple(map_expr(i, leaf) for i in old.index), may(old.may))
        name = old.get_tuple_name(isl.dim_type.out) or ""
        return islx.multi_aff(space, name, [aff(old.get_aff(i)) for i in range(old.dim(isl.dim_type.out))])

    def leaf(node: Expr) -> Expr:
        match node:
            case Index(value):
                return Index(aff(value))
            case Read(_, Indirect(index, relation), _):
                return replace(node, access=Indirect(index, may(relation)))
            case Read(_, old, _):
                return replace(node, access=access(old))
            case _:
                return node

    return replace(
        s, domain=islx.name_dims(_fix(s.domain, sizes), s.dims), write=access(s.write), body=map_expr(s.body, leaf)
    )
