"""Sums of products of several factors become products of matrices, by the distributive law.

    o[i, d] += e[i, s] / z[i] * v[s, d]           o_sum[i, d] += e[i, s] * v[s, d]
                                            ->    o[i, d] += 1 / z[i] * o_sum[i, d]

    f[b] += x[b, i] * A[i, j] * y[b, j]           f_part[b, j] += x[b, i] * A[i, j]
                                            ->    f[b] += f_part[b, j] * y[b, j]

    g[i, j] += x[b, i] * y[b, j] * c[b]           g_part[b, i] = c[b] * x[b, i]
                                            ->    g[i, j] += g_part[b, i] * y[b, j]

Factors that a sum does not run along leave it; two that a part of the sum runs along alone are summed first; one that
has fewer dimensions than another is multiplied into it. Who wrote the products as matrices had this order before.

What must hold: instances are those of a box, of every size that is written; no factor is computed from the sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import prod

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import matrix_product_of
from polyad.analysis.plain_axes import used_dims
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Apply, Const, Expr, Read, pullback, pullback_access
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Reduction, Statement
from polyad.machine import MACHINE, Machine
from polyad.ops.registry import apply, const
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.projection import without_dims

__all__ = ["factored_sums"]


@dataclass(frozen=True, slots=True)
class _Factor:
    """One of a product.

    Attributes:
        value: in terms of the statement's dimensions: an element, or 1 by one.
        dims: those that it depends on.
    """

    value: Expr
    dims: frozenset[int]


def factored_sums(program: Program, machine: Machine = MACHINE) -> Program:
    """Take sums of products apart where a product of two matrices is in them.

    Makes smaller: the number of loops that are no product of matrices; makes larger: memory, by arrays that have fewer
    elements than the sum had terms.

    Args:
        program: any program.
        machine: says how many terms are worth it.
    """
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    arrays = dict(program.arrays)
    taken = {*arrays, *(s.name for s in program.statements)}
    statements: list[Statement] = []
    for s in program.statements:
        parts = None if s.array in recurrent else _taken_apart(program, s, machine)
        if parts is None:
            statements.append(s)
            continue
        made = _Made(program, s, arrays, taken)
        statements += made.statements(*parts)
    return (
        program
        if len(statements) == len(program.statements)
        else replace(program, arrays=arrays).with_statements(statements)
    )


def _taken_apart(program: Program, s: Statement, machine: Machine) -> tuple[list[_Factor], list[_Factor], float] | None:
    """(factors that the sum runs along, those that it does not, the product of numbers) of a sum that may be split."""
    if s.reduction != "sum" or not isinstance(s.write, isl.MultiAff) or not s.body.dtype.startswith("float"):
        return None
    if program.arrays[s.array].segment is not None or matrix_product_of(s) is not None:
        return None
    found = _factors(s.body)
    if found is None:
        return None
    kept = used_dims(s.write)
    summed = {*range(len(s.dims))} - kept
    domain = s.domain.intersect_params(program.context)
    extents = [islx.extent(domain, d) for d in sorted(summed)]
    few = prod(e for e in extents if e is not None) <= machine.jam and None not in extents
    if not summed or few or not islx.is_box(domain, range(len(s.dims))):
        return None
    if any(dimension_range(s, d, program.arrays, program.context) is None for d in range(len(s.dims))):
        return None
    values = [_Factor(f, frozenset(_dims(f))) for f in found if not isinstance(f, Const)]
    number = prod((float(f.value) for f in found if isinstance(f, Const)), start=1.0)
    core = [f for f in values if f.dims & summed]
    return (core, [f for f in values if not f.dims & summed], number) if _has_matrices(core, kept, summed) else None


def _factors(expr: Expr) -> list[Expr] | None:
    """The factors of a product of elements and numbers, quotients as 1 by an element; None for other expressions."""
    match expr:
        case Apply("mul", (left, right)):
            mine, theirs = _factors(left), _factors(right)
        case Apply("div", (left, right)):
            mine, below = _factors(left), _factors(right)
            theirs = None if below is None else [apply("div", const(1, expr.dtype), f) for f in below]
        case Apply("neg", (inner,)):
            mine, theirs = _factors(inner), [const(-1, expr.dtype)]
        case Const():
            return [expr]
        case Read(_, isl.MultiAff(), dtype) if dtype == expr.dtype:
            return [expr]
        case _:
            return None
    return None if mine is None or theirs is None else [*mine, *theirs]


def _dims(factor: Expr) -> set[int]:
    """The dimensions of an element, or of 1 by one."""
    match factor:
        case Read(_, isl.MultiAff() as access, _):
            return used_dims(access)
        case Apply("div", (_, below)):
            return _dims(below)
        case _:
            return set()


def _steps(core: Sequence[_Factor], summed: set[int]) -> tuple[int, int, int | None] | None:
    """(two factors, the dimension to sum them along or None to multiply them), the next of more than two; if any."""
    for r in sorted(summed) if len(summed) > 1 else []:
        along = [i for i, f in enumerate(core) if r in f.dims]
        if len(along) == 2 and len(core) > 2 and _are_matrices(core[along[0]].dims, core[along[1]].dims):
            return along[0], along[1], r
    pairs = [
        (len(f.dims), len(g.dims), i, j)
        for i, f in enumerate(core)
        for j, g in enumerate(core)
        if i != j and f.dims <= g.dims
    ]
    return None if not pairs else (*min(pairs)[2:], None)


def _are_matrices(one: frozenset[int], other: frozenset[int]) -> bool:
    """Whether each has a dimension of its own beside those of the sum."""
    return bool(one - other) and bool(other - one)


def _has_matrices(core: list[_Factor], kept: set[int], summed: set[int]) -> bool:
    """Whether the steps lead to a product of matrices."""
    core, summed = list(core), set(summed)
    while len(core) > 2:
        step = _steps(core, summed)
        if step is None:
            return False
        i, j, along = step
        if along is not None:
            return True
        both = core[i].dims | core[j].dims
        core = [f for n, f in enumerate(core) if n not in (i, j)] + [_Factor(core[i].value, both)]
    return len(core) == 2 and _are_matrices(core[0].dims & kept, core[1].dims & kept)


@dataclass(frozen=True, slots=True, eq=False)
class _Made:
    """Makes the statements of one sum.

    Attributes:
        program, statement: which sum.
        arrays: of the program, those that are made included.
        taken: names in use.
    """

    program: Program
    statement: Statement
    arrays: dict[str, Array]
    taken: set[str]

    def statements(self, core: list[_Factor], shared: list[_Factor], number: float) -> list[Statement]:
        """The sum in steps of two factors each."""
        s = self.statement
        assert isinstance(s.write, isl.MultiAff)
        kept = frozenset(used_dims(s.write))
        summed = {*range(len(s.dims))} - kept
        result: list[Statement] = []
        while len(core) > 2:
            step = _steps(core, summed)
            assert step is not None, "_has_matrices found the steps"
            i, j, along = step
            two = [core[i], core[j]]
            dims = (two[0].dims | two[1].dims) - ({along} if along is not None else set())
            made, factor = self.array("part", frozenset(dims), two, None if along is None else "sum")
            result.append(made)
            core = [f for n, f in enumerate(core) if n not in (i, j)] + [factor]
            summed -= {along} if along is not None else set()
        numbers = [] if number == 1 else [const(number, s.body.dtype)]
        if shared:
            made, factor = self.array("sum", kept, core, "sum")
            result.append(made)
            core, summed = [*shared, factor], set()
        body = _product([*numbers, *(f.value for f in core)])
        return [*result, self.made(s.name, sorted(kept | summed), s.array, s.write, body, "sum")]

    def array(
        self, hint: str, dims: frozenset[int], two: Sequence[_Factor], reduction: Reduction | None
    ) -> tuple[Statement, _Factor]:
        """A temporary with these dimensions, as (its definition, a read of it)."""
        s, order = self.statement, sorted(dims)
        name = unique_name(f"{s.array}_{hint}", self.taken)
        self.taken.add(name)
        ranges = [dimension_range(s, d, self.program.arrays, self.program.context) for d in order]
        known = [r for r in ranges if r is not None]
        self.arrays[name] = Array(name, tuple(r[1] for r in known), s.body.dtype)
        where = islx.positions(s.params(), s.dims)
        index = [(Affine.of(s.dims[d]) - r[0]).to_aff(s.space(), where) for d, r in zip(order, known, strict=True)]
        access = islx.multi_aff(s.space(), name, index)
        runs = sorted(two[0].dims | two[1].dims) if reduction else order
        made = self.made(name, runs, name, access, _product([f.value for f in two]), reduction)
        return made, _Factor(Read(name, access, s.body.dtype), dims)

    def made(
        self, name: str, runs: list[int], array: str, write: isl.MultiAff, body: Expr, reduction: Reduction | None
    ) -> Statement:
        """A statement over some dimensions of the sum."""
        domain, change = without_dims(self.statement, name, runs)
        dims = tuple(self.statement.dims[d] for d in runs)
        return replace(
            self.statement,
            name=name,
            dims=dims,
            domain=domain,
            array=array,
            write=pullback_access(write, change),
            body=pullback(body, change),
            reduction=reduction,
        )


def _product(found: Sequence[Expr]) -> Expr:
    return reduce(lambda a, b: apply("mul", a, b), found)
