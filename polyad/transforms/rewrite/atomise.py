"""Before reverse mode: give the results of expensive operators, and what a body uses twice, arrays of their own.

A derivative rule that uses the result (exp, tanh, sigmoid, sqrt) then finds it stored; without an array it would be
computed again backwards. What is used several times then has one adjoint, which goes on through it once: without an
array, the derivative of a body goes through each of its uses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Apply, Const, Expr, Index, Read, Select, pullback, reads, render, size, walk
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

_DIVISION = OPS["div"].cost

_SMALLEST_PART = 8
"""Nodes of a part worth an array when a body is cut."""


def atomise(program: Program) -> Program:
    """Pull sub-expressions out into temporaries over the same instances.

    - Parts of two reads and more that a body without a reduction uses several times, by the operator: `<array>_add`; of
      8 nodes and more where it is no recurrence, whose steps are in cache when the next ones need them.
    - There, too, maxima among the operands of others: `<array>_maximum`; the derivative by each element that is read
      would hold the tests of all of them.
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
        return [s for p in pulled for s in self.atoms(p)] + [statement]

    def range(self, statement: Statement, column: int) -> tuple[Affine, Affine] | None:
        """`dimension_range`, asked once per dimension: pulling out does not change a domain."""
        key = statement.name, column
        if key not in self.ranges:
            self.ranges[key] = dimension_range(statement, column, self.arrays, self.context)
        return self.ranges[key]

    def pull(self, statement: Statement, equal: Sequence[Expr], label: str, pulled: list[Statement]) -> Statement:
        """Define a new array as one of equal nodes and read it at each; the same statement where it fits no array."""
        node = equal[0]
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
        return replace(statement, body=rebuild(statement.body, replacing(*((n, read) for n in equal))))


def _next(statement: Statement) -> tuple[Sequence[Expr], str] | None:
    """Return what to pull out of a body next, all its occurrences, with a label; inner operators before outer ones."""
    body = statement.body
    if statement.reduction is None:
        recurrent = any(r.array == statement.array for r in statement.reads())
        if shared := _shared(body, statement.dims, 1 if recurrent else _SMALLEST_PART):
            return shared, shared[0].op
        if chosen := _chosen_among(body):
            return [chosen], chosen.op
    for node in _unconditional(body):
        inside = node is not body or statement.reduction is not None
        if inside and isinstance(node, Apply) and _worth_an_array(node, len(statement.dims)):
            return [node], node.op
    if statement.reduction in ("max", "min", "prod") and not isinstance(body, Read | Const):
        return [body], "term"
    if size(body) > _LARGEST_BODY:
        parts = [(size(n), n) for n in _unconditional(body) if n is not body and n.dtype != "bool"]
        fitting = [(count, n) for count, n in parts if _SMALLEST_PART <= count <= _LARGEST_BODY]
        if fitting:
            return [max(fitting, key=lambda item: item[0])[1]], "part"
    return None


def _worth_an_array(node: Apply, dims: int) -> bool:
    """An expensive operator, or a division or a root of what is the same along a dimension of its statement."""
    cost = OPS[node.op].cost_of(node.args, MACHINE)
    return cost >= MACHINE.kept or (cost >= _DIVISION and len(_dimensions(node)) < dims and any(reads(node)))


def _shared(body: Expr, dims: tuple[str, ...], least: int) -> list[Apply]:
    """The smallest part of `least` nodes that several operators use and every instance evaluates, all its occurrences.

    It reads two elements or more: the contributions to the adjoint of a single one are one anyway.
    """
    if size(body) <= 2 * least:
        return []
    numbers: dict[object, int] = {}
    nodes: dict[int, list[Apply]] = {}
    uses: dict[int, set[tuple[int, int]]] = {}

    def number(expr: Expr, always: bool) -> int:
        """Equal expressions have equal numbers."""
        parts: list[int] = []
        match expr:
            case Apply(op, args, dtype):
                parts = [number(a, always) for a in args]
                key: object = op, dtype, *parts
            case Select(cond, a, b, _):
                parts = [number(cond, always), number(a, False), number(b, False)]
                key = "select", *parts
            case _:
                key = render(expr, dims)
        result = numbers.setdefault(key, len(numbers))
        for place, part in enumerate(parts):
            uses.setdefault(part, set()).add((result, place))
        if always and isinstance(expr, Apply) and expr.dtype != "bool":
            nodes.setdefault(result, []).append(expr)
        return result

    number(body, True)
    several = [same for n, same in nodes.items() if len(same) > 1 and len(uses.get(n, ())) > 1]
    worth = [same for same in several if size(same[0]) >= least and len([*reads(same[0])]) > 1]
    return min(worth, key=lambda same: size(same[0]), default=[])


def _chosen_among(body: Expr) -> Apply | None:
    """A maximum or minimum among whose operands one of those is to be chosen again."""
    for outer in _unconditional(body):
        if isinstance(outer, Apply) and _chooses(outer):
            for arg in outer.args:
                inner = next((n for n in _unconditional(arg) if isinstance(n, Apply) and _chooses(n)), None)
                if inner is not None:
                    return inner
    return None


def _chooses(node: Apply) -> bool:
    """Whether a derivative goes on to one operand or another, by a test of both."""
    return node.op in ("maximum", "minimum") and all(any(isinstance(n, Read) for n in walk(a)) for a in node.args)


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
