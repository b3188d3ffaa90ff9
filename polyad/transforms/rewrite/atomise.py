"""Before reverse mode: give the results of expensive operators arrays of their own.

A derivative rule that uses the result (exp, tanh, sigmoid, sqrt) then finds it stored; without an array it would be
computed again backwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Apply, Const, Expr, Index, Read, Select, pullback, size, walk
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE
from polyad.ops import OPS
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.fold import rebuild, replacing
from polyad.transforms.rewrite.projection import without_dims

__all__ = ["atomise"]

_LARGEST_BODY = 40
"""Nodes of a body above which it is cut: the derivative of a body grows with its square."""

_SMALLEST_PART = 8
"""Nodes of a part worth an array when a body is cut."""


def atomise(program: Program) -> Program:
    """Pull sub-expressions out into temporaries over the same instances.

    - Operators of cost >= 10 (exp, tanh, ...) inside a larger expression or under a reduction: `<array>_exp`.
    - Bodies under max, min and prod that are no plain read: `<array>_term`; the derivative compares the stored values
      with the optimum, which is exact only if they are not computed twice.
    - Parts of bodies of more than 40 nodes: `<array>_part`.

    Derivatives are taken before anyone says for which machine, so these are numbers of `MACHINE`.

    What stands in a data-dependent index stays, and so does what stands in a branch of a data-dependent select: pulled
    out, sqrt(x) of `select(x > 0, sqrt(x), 0)` would be differentiated where x = 0 too, and 0 * inf is not a number.
    """
    work = _Atomiser(program)
    result = [atom for s in program.statements for atom in work.atoms(s)]
    if len(result) == len(program.statements):
        return program
    return replace(program, arrays=work.arrays).with_statements(result)


class _Atomiser:
    """Names and arrays while statements are taken apart."""

    def __init__(self, program: Program):
        self.context = program.context
        self.arrays = dict(program.arrays)
        self.ranges: dict[tuple[str, int], tuple[Affine, Affine] | None] = {}
        self.names = {s.name for s in program.statements}

    def atoms(self, statement: Statement) -> list[Statement]:
        """The statement after the definitions of what was pulled out of it."""
        pulled: list[Statement] = []
        while (found := _next(statement)) is not None:
            before = len(pulled)
            statement = self.pull(statement, *found, pulled)
            if len(pulled) == before:
                break
        # What was pulled out has no expensive operator inside, but may still be long.
        return [s for p in pulled for s in (self.atoms(p) if size(p.body) > _LARGEST_BODY else [p])] + [statement]

    def range(self, statement: Statement, column: int) -> tuple[Affine, Affine] | None:
        """`dimension_range`, asked once per dimension: pulling out does not change a domain."""
        key = statement.name, column
        if key not in self.ranges:
            self.ranges[key] = dimension_range(statement, column, self.arrays, self.context)
        return self.ranges[key]

    def pull(self, statement: Statement, node: Expr, label: str, pulled: list[Statement]) -> Statement:
        """Define a new array as `node` and read it there; the statement itself where no array can hold it."""
        used = sorted(_dimensions(node))
        ranges = [self.range(statement, c) for c in used]
        if any(r is None for r in ranges):
            return statement
        base = f"{statement.array}_{label}"
        array = Array(
            unique_name(base, self.arrays), tuple(r[1] for r in ranges if r is not None), node.dtype, "temporary"
        )
        self.arrays[array.name] = array
        name = unique_name(f"{statement.name}_{label}", self.names)
        self.names.add(name)
        dims = tuple(statement.dims[c] for c in used)
        index = [Affine.of(d) - r[0] for d, r in zip(dims, ranges, strict=True) if r is not None]
        pulled.append(_definition(statement, node, array, name, used, index))
        where = islx.positions(statement.params(), statement.dims)
        affs = [i.to_aff(statement.space(), where) for i in index]
        read = Read(array.name, islx.multi_aff(statement.space(), array.name, affs), array.dtype)
        return replace(statement, body=rebuild(statement.body, replacing((node, read))))


def _next(statement: Statement) -> tuple[Expr, str] | None:
    """Return the next operator to pull out of a body, with its label; inner operators before outer ones."""
    body = statement.body
    for node in _unconditional(body):
        inside = node is not body or statement.reduction is not None
        if inside and isinstance(node, Apply) and OPS[node.op].cost >= MACHINE.kept:
            return node, node.op
    if statement.reduction in ("max", "min", "prod") and not isinstance(body, Read | Const):
        return body, "term"
    if size(body) > _LARGEST_BODY:
        parts = [(size(n), n) for n in _unconditional(body) if n is not body and n.dtype != "bool"]
        fitting = [(count, n) for count, n in parts if _SMALLEST_PART <= count <= _LARGEST_BODY]
        if fitting:
            return max(fitting, key=lambda item: item[0])[1], "part"
    return None


def _unconditional(expr: Expr) -> Iterator[Expr]:
    """The sub-expressions that every instance evaluates, inner before outer."""
    match expr:
        case Apply(_, args, _):
            for arg in args:
                yield from _unconditional(arg)
        case Select(cond, _, _, _):
            yield from _unconditional(cond)
        case _:
            pass
    yield expr


def _dimensions(expr: Expr) -> set[int]:
    """The instance dimensions that an expression depends on."""
    affs: list[isl.Aff] = []
    for node in walk(expr):
        match node:
            case Index(value):
                affs.append(value)
            case Read(_, isl.MultiAff() as access, _):
                affs += [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
            case _:
                pass
    return {i for a in affs for i in range(a.dim(isl.dim_type.in_)) if a.involves_dims(isl.dim_type.in_, i, 1)}


def _definition(
    statement: Statement, value: Expr, array: Array, name: str, used: list[int], index: list[Affine]
) -> Statement:
    """array[index] = value, for the instances of a statement seen without the dimensions that `value` does not use."""
    dims = tuple(statement.dims[c] for c in used)
    domain, change = without_dims(statement, name, used)
    space, where = domain.get_space(), islx.positions(statement.params(), dims)
    write = islx.multi_aff(space, array.name, [i.to_aff(space, where) for i in index])
    return Statement(name, dims, domain, array.name, write, pullback(value, change), None, statement.where)
