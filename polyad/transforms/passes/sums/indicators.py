"""Sums over an index that data choose: a product with an indicator is the one term that it leaves.

    y[i, j] += select(ids[i] = k, 1, 0) * w[k, j]      ->      y[i, j]      += w[ids[i], j]     where 0 <= ids[i] < K
    z[k, j] += select(ids[i] = k, 1, 0) * x[i, j]      ->      z[ids[i], j] += x[i, j]

So `one_hot(ids) @ w` is a gather, and `one_hot(ids).T @ x` a scatter. The indicator may stand in an array of its own,
be written with `where` or as a comparison, or be a row of an identity matrix, `eye(K)[ids]`.

What must hold: without the equality the term is zero whatever the other factors are; for all that data can choose there
is a term, or none for any. An element that nobody chooses is not multiplied by zero
(docs/decisions/0077-terms-that-data-do-not-choose.md). Sums in recurrences keep their order: they scatter
nothing, and gather only from what was there before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import islpy as isl
import numpy as np

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.element_types import is_integer
from polyad.ir.expr import Apply, Const, Expr, Index, Indirect, Read, pullback, reads, size, walk
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.ops.registry import apply, cast, const, is_number, select
from polyad.transforms.rewrite.affine_value import affine_value
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.cost import cost
from polyad.transforms.rewrite.fold import rebuild, replacing
from polyad.transforms.rewrite.inverse_access import inverse_access, is_injective
from polyad.transforms.rewrite.sums.data_dimension import (
    DataValue,
    data_value,
    depends_on,
    with_data_dimension,
)
from polyad.transforms.rewrite.sums.only_contribution import as_definition

__all__ = ["gathered_sums", "scattered_sums"]


def gathered_sums(program: Program, machine: Machine = MACHINE) -> Program:
    """Read the term that data choose, in place of a sum over all of them.

    Makes smaller: the number of instances, by the extent of the dimension that data choose.

    Args:
        program: any program.
        machine: says how large bodies may become, and which indices are too dear to be computed for each element.
    """
    return _chosen_sums(program, machine, scatters=False)


def scattered_sums(program: Program, machine: Machine = MACHINE) -> Program:
    """Add each term where data say, in place of a sum over all terms for each element.

    Makes smaller: the number of instances, by the extent of the dimension that data choose.

    Args:
        program: any program.
        machine: says how large bodies may become, which indices are too dear to be computed for each element, and to
            how few numbers it is as fast to add up all terms in vectors.
    """
    return _chosen_sums(program, machine, scatters=True)


def _chosen_sums(program: Program, machine: Machine, *, scatters: bool) -> Program:
    units = _units(program)
    indicators = _indicators(program, units)
    if not indicators and not any(_compares(s, units) for s in program.statements if s.reduction == "sum"):
        return program
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    indicators = {a: d for a, d in indicators.items() if a not in recurrent}
    seen = _Seen(program, indicators, units, frozenset(recurrent), machine, scatters, {})
    statements = [_chosen(seen, s) if s.reduction == "sum" else s for s in program.statements]
    if all(new is old for new, old in zip(statements, program.statements, strict=True)):
        return program
    return program.with_statements(statements)


def _compares(s: Statement, units: Mapping[str, Const]) -> bool:
    """Whether a body compares for equality, or reads a row of an identity matrix by data."""
    return any(_is_equality(e) or _is_row(e, units) for e in walk(s.body))


def _is_equality(expr: Expr) -> bool:
    return isinstance(expr, Apply) and expr.op in ("eq", "ne")


def _is_row(expr: Expr, units: Mapping[str, Const]) -> bool:
    return isinstance(expr, Read) and expr.array in units and isinstance(expr.access, Indirect)


@dataclass(frozen=True, slots=True)
class _Definition:
    """The one equation of an array.

    Attributes:
        statement: array[write(s)] = body(s).
        inverse: { array[e] -> S[i] }.
    """

    statement: Statement
    inverse: isl.MultiAff

    def at(self, read: Read) -> Expr:
        """The value that is read, over the instances of the reader."""
        assert isinstance(read.access, isl.MultiAff)
        return pullback(self.statement.body, self.inverse.pullback_multi_aff(read.access))


@dataclass(frozen=True, slots=True)
class _Seen:
    """Things known of a program.

    Attributes:
        program: the program.
        indicators: array -> its definition, which compares for equality.
        units: identity matrices -> the number on their diagonal.
        recurrent: arrays of recurrences.
        machine: what pays.
        scatters: whether sums are wanted that write along the dimension that data choose, or the others.
        sizes: indicator -> the size of its body with those of others in place.
    """

    program: Program
    indicators: Mapping[str, _Definition]
    units: Mapping[str, Const]
    recurrent: frozenset[str]
    machine: Machine
    scatters: bool
    sizes: dict[str, int]


def _units(program: Program) -> dict[str, Const]:
    """The arrays that are one number on the diagonal and zero elsewhere."""
    found = {}
    for array, writers in program.writers().items():
        bodies = [s.body for s in writers if s.reduction is None and isinstance(s.body, Const)]
        others = [s for s in writers if not is_number(s.body, 0)]
        if len(bodies) < len(writers) or len(others) != 1 or len(program.arrays[array].shape) != 2:
            continue
        every = program.arrays[array].domain(program.params)
        local = isl.LocalSpace.from_space(every.get_space())
        row, column = (isl.Aff.var_on_domain(local, isl.dim_type.set, i) for i in (0, 1))
        diagonal = every.intersect(row.eq_set(column)).intersect_params(program.context)
        body = others[0].body
        if isinstance(body, Const) and diagonal.is_equal(
            others[0].write_relation().range().intersect_params(program.context)
        ):
            found[array] = body
    return found


def _indicators(program: Program, units: Mapping[str, Const]) -> dict[str, _Definition]:
    """The arrays whose one definition compares for equality, or reads such an array."""
    found: dict[str, _Definition] = {}
    single = {a: w[0] for a, w in program.writers().items() if len(w) == 1 and w[0].reduction is None}
    todo = [s for s in single.values() if _compares(s, units)]
    readers: dict[str, list[Statement]] = {}
    for s in single.values():
        for read in s.reads():
            readers.setdefault(read.array, []).append(s)
    while todo:
        s = todo.pop()
        inverse = inverse_access(s.write)
        if s.array not in found and inverse is not None and all(r.array != s.array for r in s.reads()):
            found[s.array] = _Definition(s, inverse)
            todo += readers.get(s.array, [])
    return found


def _chosen(seen: _Seen, s: Statement) -> Statement:
    """The sum over what data choose, for each equality that leaves one term; the very statement where there is none."""
    body = _unfolded(s.body, seen)
    unfolded = replace(s, body=cast(body, s.body.dtype))
    for candidate in (unfolded, *_sheared(unfolded)):
        for choice in _choices(candidate, seen):
            if cost(choice.value.data, seen.machine) < seen.machine.kept and (new := _with(seen, choice)) is not None:
                return _chosen(seen, new)
    return s


def _sheared(s: Statement) -> Iterator[Statement]:
    """The sum over other dimensions, d' = d +- e, where what an equality compares with data of d +- e is e."""
    pairs: dict[tuple[int, int, int], None] = {}
    for node in walk(s.body):
        if isinstance(node, Apply) and _is_equality(node):
            for access in (e.access for e in walk(node) if isinstance(e, Read) and not isinstance(e.access, Indirect)):
                for column in range(access.dim(isl.dim_type.out)):
                    terms = Affine.from_aff(access.get_aff(column), s.dims).terms
                    dims = [(s.dims.index(str(n)), c) for n, c in terms if n in s.dims and c in (1, -1)]
                    if len(dims) == 2:
                        (one, c), (other, e) = dims
                        pairs |= {(one, other, -c * e): None, (other, one, -c * e): None}
    for dim, along, sign in pairs:
        local = isl.LocalSpace.from_space(s.space())
        affs = [isl.Aff.var_on_domain(local, isl.dim_type.set, i) for i in range(len(s.dims))]
        affs[dim] = affs[dim].add(affs[along].scale_val(isl.Val(sign)))
        change = islx.multi_aff(s.space(), s.name, affs)
        yield s.change_space(s.name, s.dims, s.domain.preimage_multi_aff(change), change)


def _unfolded(body: Expr, seen: _Seen) -> Expr:
    """The body with the definitions of indicators in place, as far as it does not grow beyond measure."""

    def visit(expr: Expr) -> Expr | None:
        if isinstance(expr, Read) and expr.array in seen.indicators and isinstance(expr.access, isl.MultiAff):
            return rebuild(seen.indicators[expr.array].at(expr), visit)
        return None

    return rebuild(body, visit) if _whole_size(body, seen) <= seen.machine.inlined else body


def _whole_size(body: Expr, seen: _Seen) -> int:
    """The size that a body has with the definitions of indicators in place; these may read each other many times."""
    result = size(body)
    for node in walk(body):
        if isinstance(node, Read) and node.array in seen.indicators and isinstance(node.access, isl.MultiAff):
            if node.array not in seen.sizes:
                seen.sizes[node.array] = _whole_size(seen.indicators[node.array].statement.body, seen)
            result += seen.sizes[node.array] - 1
    return result


@dataclass(frozen=True, slots=True, eq=False)
class _Choice:
    """One dimension is what data say.

    Attributes:
        sum: where the equality stands.
        equality: of the dimension and the data, in the body.
        dim: the dimension.
        value: its value, with the bounds it has in the sum.
        extent: that of the identity matrix of which data choose a row: others than its rows are refused; else None.
    """

    sum: Statement
    equality: Apply
    dim: int
    value: DataValue
    extent: Affine | None = None


def _choices(s: Statement, seen: _Seen) -> Iterator[_Choice]:
    """The equalities of a sum that say a dimension, +-dim + rest = data."""
    context = seen.program.context
    for node in walk(s.body):
        if isinstance(node, Apply) and _is_equality(node):
            for one, other in (node.args, node.args[::-1]):
                yield from (_Choice(s, node, *found) for found in _solved(one, other, s, context))
        elif isinstance(node, Read) and _is_row(node, seen.units) and isinstance(node.access, Indirect):
            for row, (data, place) in enumerate((node.access.index, node.access.index[::-1])):
                equality = Apply("eq", (data, place), "bool")
                term = select(equality, seen.units[node.array], const(0, node.dtype))
                whole = replace(s, body=rebuild(s.body, replacing((node, term))))
                extent = seen.program.arrays[node.array].shape[row]
                yield from (_Choice(whole, equality, *found, extent) for found in _solved(place, data, s, context))


def _solved(one: Expr, other: Expr, s: Statement, context: isl.Set) -> Iterator[tuple[int, DataValue]]:
    """(dimension, its value) where +-dimension + rest = data."""
    here, data = affine_value(one, s.space()), _integer(other)
    if here is None or data is None or here.dim(isl.dim_type.div) or not any(isinstance(e, Read) for e in walk(data)):
        return
    affine = Affine.from_aff(here, s.dims)
    for name, sign in affine.terms:
        if name in s.dims and sign in (1, -1):
            dim = s.dims.index(str(name))
            rest = affine - Affine.of(str(name)) * sign
            if not any(_changes(e, dim) for e in walk(data)):
                value = data_value(s, dim, data if sign > 0 else apply("neg", data), rest * -sign, context)
                if value is not None:
                    yield dim, value


def _integer(expr: Expr) -> Expr | None:
    """The int64 that a value is, or None where it may be a fraction."""
    while expr.dtype != "int64" and isinstance(expr, Apply) and expr.op == "cast":
        if not np.can_cast(expr.args[0].dtype, expr.dtype):
            return None
        (expr,) = expr.args
    return cast(expr, "int64") if is_integer(expr.dtype) else None


def _changes(expr: Expr, dim: int) -> bool:
    """Whether a node is another one along a dimension."""
    match expr:
        case Index(value):
            return bool(value.involves_dims(isl.dim_type.in_, dim, 1))
        case Read(_, access, _):
            return depends_on(access, dim)
        case _:
            return False


def _with(seen: _Seen, choice: _Choice) -> Statement | None:
    """The sum without the dimension that is chosen, or None where that is not the same, or no less."""
    s, equality, dim = choice.sum, choice.equality, choice.dim
    holds = equality.op == "eq"
    if not is_number(rebuild(s.body, replacing((equality, const(not holds, "bool")))), 0):
        return None
    term = cast(rebuild(s.body, replacing((equality, const(holds, "bool")))), s.body.dtype)
    if depends_on(s.write, dim) != seen.scatters:
        return None
    if seen.scatters and (s.array in seen.recurrent or is_injective(s.write, s.domain) or _is_short(choice, seen)):
        return None
    if s.array in seen.recurrent and any(r.array in seen.recurrent for r in reads(term) if depends_on(r.access, dim)):
        return None
    value = choice.value
    if choice.extent is None:
        s = replace(s, body=select(rebuild(value.inside(s)), term, const(0, term.dtype)))
        value = value.clipped(s)
    elif _is_checked(replace(s, body=term), choice, seen.program):
        s = replace(s, body=term)
    else:
        return None
    new = with_data_dimension(s, dim, value, seen.program.arrays)
    if new is None or not _finds_all(new, seen.program):
        return None
    alone = len(seen.program.writers()[s.array]) == 1
    return as_definition(new, seen.program) if alone else new


def _finds_all(s: Statement, program: Program) -> bool:
    """Whether every element that data may pick has a value: of a triangle the other half may have none."""
    writers = program.writers()
    for read in s.reads():
        those = writers.get(read.array, [])
        if not isinstance(read.access, Indirect) or any(w.reduction is not None for w in those) or not those:
            continue
        missing = s.read_relation(read).range().intersect_params(program.context)
        for writer in those:
            missing = missing.subtract(writer.write_relation().range())
        if not missing.is_empty():
            return False
    return True


def _is_short(choice: _Choice, seen: _Seen) -> bool:
    """Whether data choose among few numbers, to which all terms are added in vectors as fast."""
    s = choice.sum
    if isinstance(s.write, Indirect) or choice.value.offset.names() & {*s.dims}:
        return False
    extents = [high - low + 1 for low in choice.value.lows for high in choice.value.highs]
    written = sum(depends_on(s.write, d) for d in range(len(s.dims)))
    return written == 1 and any(e.is_constant and e.constant <= seen.machine.choices for e in extents)


def _is_checked(s: Statement, choice: _Choice, program: Program) -> bool:
    """Whether a row of an identity matrix is refused where the matrix has none, as it was before."""
    value, extent = choice.value, choice.extent
    if extent is None or (value.offset, value.lows, value.highs) != (Affine(), (Affine(),), (extent - 1,)):
        return False
    local = isl.LocalSpace.from_space(s.space())
    dim = isl.Aff.var_on_domain(local, isl.dim_type.set, choice.dim)
    for array, access in ((s.array, s.write), *((r.array, r.access) for r in reads(s.body))):
        if isinstance(access, isl.MultiAff):
            for column, length in enumerate(program.arrays[array].shape):
                if length == extent and access.get_aff(column).sub(dim).plain_is_zero():
                    return True
    return False
