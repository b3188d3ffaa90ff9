"""A schedule tree at given sizes, as the price sees it: loops with the number of their iterations, and statements.

    Nest ::= Loop(trips, mark, body) | Sequence(Nest, ...) | Run(statement)

How often a loop runs is the mean over the iterations of the loops around it, from exact counts: the points of the
statements' domains under the rows of one loop more, divided by those under the rows without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, prod

import islpy as isl

from polyad import islx
from polyad.analysis.counting import cardinality
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.schedule.tree.marks import Kind
from polyad.schedule.tree.nodes import Band, Mark, Node, Order
from polyad.schedule.tree.placement import statements_at
from polyad.semantics.points import at_sizes

__all__ = ["Loop", "Nest", "Run", "Sequence", "nest_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The instances of a statement in one iteration of the loops around it.

    Attributes:
        statement: the statement.
        times: how often, in the mean: less than once behind a test, or where another statement has more iterations.
    """

    statement: Statement
    times: float


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A loop.

    Attributes:
        rows: statement -> the row, in its dimensions.
        trips: iterations of each execution, in the mean.
        mark: how they run.
        body: one iteration.
    """

    rows: Mapping[str, Affine]
    trips: float
    mark: Kind | None
    body: Nest


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """One after the other."""

    children: tuple[Nest, ...]


Nest = Loop | Sequence | Run

EXACT = 20_000
"""Points that are counted one by one at most."""


def nest_of(program: Program, domain: isl.UnionSet, tree: Node, sizes: Mapping[str, int]) -> Nest:
    """The tree over the instances of a program, at given sizes."""
    reading = _Reading({s.name: s for s in program.statements}, tuple(sorted(sizes.items())))
    return reading.node(tree, dict.fromkeys(statements_at(domain), ()), 1.0, None)


_Path = tuple[isl.PwAff, ...]

_Sizes = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """A program at given sizes.

    Attributes:
        statements: by name.
        sizes: all of them.
    """

    statements: Mapping[str, Statement]
    sizes: _Sizes

    def node(self, tree: Node, paths: Mapping[str, _Path], around: float, mark: Kind | None) -> Nest:
        """A subtree.

        Args:
            tree: the node.
            paths: statement -> the rows of the loops around it.
            around: iterations of these loops, all together.
            mark: of the loop that comes next.
        """
        match tree:
            case Mark(kind, child):
                return self.node(child, paths, around, kind)
            case Order(children):
                parts = []
                for part, child in children:
                    inside = {n: paths[n] for n in statements_at(part) if n in paths}
                    parts.append(self.node(child, inside, around, None))
                return parts[0] if len(parts) == 1 else Sequence(tuple(parts))
            case Band():
                return self.loops(tree, 0, paths, around, mark)
            case _:
                runs = [Run(self.statements[n], self.count(n, None) / around if around else 0.0) for n in paths]
                return runs[0] if len(runs) == 1 else Sequence(tuple(runs))

    def loops(self, band: Band, member: int, paths: Mapping[str, _Path], around: float, mark: Kind | None) -> Nest:
        """The loops of a band from one of them on."""
        if member == band.size:
            return self.node(band.child, paths, around, None)
        functions = band.functions(member)
        inner = {n: (*path, functions[n]) for n, path in paths.items() if n in functions}
        inside = max((self.count(n, path) for n, path in inner.items()), default=0.0)
        rows = {n: _row(functions[n], self.statements[n]) for n in inner}
        body = self.loops(band, member + 1, inner, inside, None)
        return Loop(rows, inside / around if around else 0.0, mark, body)

    def count(self, name: str, path: _Path | None) -> float:
        """The iterations of some loops in which a statement runs; its instances where no loops are given."""
        statement = self.statements[name]
        known = _counts(statement, self.sizes)
        rows = tuple(map(str, path)) if path is not None else None
        if rows not in known:
            found = self.quickly(statement, path)
            if found is None:
                points = statement.domain if path is None else _image(statement.domain, path)
                found = _counted(points, dict(self.sizes))
            known[rows] = found
        return known[rows]

    def quickly(self, s: Statement, path: _Path | None) -> float | None:
        """The count where dimensions range independently, and each row goes along one of them; else None."""
        extents = _extents(s, self.sizes)
        if extents is None or path is None:
            return None if extents is None else prod(extents.values())
        steps: dict[str, int] = {}  # dimension -> the least step of a row along it
        for row in path:
            step = _step(_row(row, s))
            if step is None:
                return None
            dim, size = step
            if dim in extents:
                steps[dim] = min(size, steps.get(dim, size))
        return float(prod(ceil(extents[d] / size) for d, size in steps.items()))


@lru_cache(maxsize=2048)  # the same for all orders of a program
def _counts(s: Statement, sizes: _Sizes) -> dict[tuple[str, ...] | None, float]:
    """The counts of a statement so far: rows of loops, as text -> their iterations."""
    return {}


def _counted(points: isl.Set, sizes: Mapping[str, int]) -> float:
    """The number of points; of many, the product of the extents that each dimension has in the middle of others."""
    left = at_sizes(points, sizes)
    rank = left.dim(isl.dim_type.set)
    if left.is_empty():
        return 0.0
    if prod(islx.extent(left, d) or 1 for d in range(rank)) <= EXACT:
        return float(cardinality(points, sizes))
    result = 1.0
    for d in range(rank):
        low, high = (int(v.to_python()) for v in (left.dim_min_val(d), left.dim_max_val(d)))
        step = int(left.get_stride(d).to_python())
        result *= (high - low) // step + 1
        inside = left.fix_val(isl.dim_type.set, d, isl.Val(low + (high - low) // step // 2 * step))
        if inside.is_empty():
            return float(cardinality(points, sizes))
        left = inside
    return result


@lru_cache(maxsize=2048)
def _extents(s: Statement, sizes: _Sizes) -> dict[str, float] | None:
    """Dimension -> its extent, where the domain is a box."""
    domain = at_sizes(s.domain, dict(sizes))
    if domain.is_empty() or not islx.is_box(domain, range(len(s.dims))):
        return None
    found = {d: islx.extent(domain, i) for i, d in enumerate(s.dims)}
    return {d: float(e) for d, e in found.items() if e is not None} if None not in found.values() else None


def _step(row: Affine) -> tuple[str, int] | None:
    """(dimension, step) of i, -i, a constant, or multiples of 4 in the place of i; None for other rows."""
    match row.terms:
        case ():
            return "", 1
        case ((str() as name, 1 | -1),):
            return name, 1
        case ((FloorDiv(numerator, divisor), factor),) if factor == divisor and len(numerator.terms) == 1:
            atom, coefficient = numerator.terms[0]
            return (atom, divisor) if isinstance(atom, str) and coefficient in (1, -1) else None
        case _:
            return None


def _image(domain: isl.Set, path: _Path) -> isl.Set:
    rows = [isl.Map.from_pw_aff(row) for row in path]
    found = rows[0]
    for row in rows[1:]:
        found = found.flat_range_product(row)
    return found.intersect_domain(domain).range()


def _row(function: isl.PwAff, statement: Statement) -> Affine:
    return Affine.from_aff(function.get_pieces()[0][1], statement.dims)
