"""Equalities of a relation and their meaning for loop indices: constant distances, and the loop that runs alongside.

A *row* is one loop of a schedule as seen by a statement: an affine function of its dimensions and the sizes, written as
`Affine`. For a relation { S[i] -> R[j] } the equalities of its affine hull decide in exact linear algebra

- the *distance* row_R(j) - row_S(i), when it is the same for all pairs;
- the *transport* of a row of S: the function of j that equals row_S(i) on all pairs.

Inequalities play no part: what the hull does not prove is answered with None, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import islpy as isl

from polyad.ir.affine import Affine

__all__ = ["Equalities", "Number", "divided", "single_dim"]

Side = Literal["source", "sink"]
Column = tuple[str, str]  # ("source" | "sink" | "param" | "div" | "one", name)
Number = int | Fraction  # exact; what is whole is an int, which is many times faster
Vector = dict[Column, Number]  # sparse, no zeros
ONE: Column = ("one", "")


def divided(a: Number, b: Number) -> Number:
    """a / b, exactly."""
    result = Fraction(a) / b if isinstance(a, Fraction) or isinstance(b, Fraction) or a % b else a // b
    return result if isinstance(result, int) or result.denominator != 1 else result.numerator


def _add(v: Vector, w: Mapping[Column, Number], factor: Number) -> Vector:
    result = dict(v)
    for column, value in w.items():
        total = result.get(column, 0) + factor * value
        if total:
            result[column] = total
        else:
            result.pop(column, None)
    return result


def _rank(column: Column, first: Side, places: Mapping[Column, int]) -> tuple[int, str, int]:
    """Order of elimination: divisions, then the side that a result may not mention, the other side, sizes.

    Of one kind those that stand first: what they are called decides nothing.
    """
    order = {"div": 0, "source": 2, "sink": 2, "param": 3, "one": 4, first: 1}
    return order[column[0]], column[0], places[column]


def _echelon(equations: Iterable[Vector], pick: Callable[[Vector], Column | None]) -> dict[Column, Vector]:
    """Pivot column -> its equation, reduced; `pick` says which column of an equation that is, None for none."""
    pivots: dict[Column, Vector] = {}
    for equation in equations:
        rest = _reduce(equation, pivots)
        pivot = pick(rest)
        if pivot is None:
            continue
        scale = rest[pivot]
        row = {c: divided(v, scale) for c, v in rest.items()}
        pivots = {p: _add(r, row, -r[pivot]) if pivot in r else r for p, r in pivots.items()}
        pivots[pivot] = row
    return pivots


def _reduce(v: Vector, pivots: Mapping[Column, Vector]) -> Vector:
    for column in [c for c in v if c in pivots]:
        if column in v:
            v = _add(v, pivots[column], -v[column])
    return v


def _vector(row: Affine, dims: frozenset[str], side: Side) -> Vector:
    v: Vector = {ONE: row.constant} if row.constant else {}
    for atom, coefficient in row.terms:
        assert isinstance(atom, str), "rows of the scheduler hold no divisions"
        v[(side, atom) if atom in dims else ("param", atom)] = coefficient
    return v


def _affine(v: Vector) -> Affine | None:
    if any(value.denominator != 1 for value in v.values()):
        return None
    return Affine.build({c[1]: int(x) for c, x in v.items() if c != ONE}, int(v.get(ONE, 0)))


def single_dim(row: Affine, dims: Collection[str]) -> tuple[str, int] | None:
    """(dimension, +1 or -1) when the row is one dimension, shifted or reversed, else None."""
    inside = [(str(atom), c) for atom, c in row.terms if atom in dims]
    return inside[0] if len(inside) == 1 and abs(inside[0][1]) == 1 else None


@dataclass(frozen=True, slots=True)
class Equalities:
    """The equalities of { S[source] -> R[sink] }, or of a set { S[source] }.

    Attributes:
        source: dimension names of S.
        sink: dimension names of R; empty for a set.
        places: column -> its place among those of its kind.
        keep_sink: the equations with the source side eliminated first.
        keep_source: the equations with the sink side eliminated first.
    """

    source: frozenset[str]
    sink: frozenset[str]
    places: Mapping[Column, int]
    keep_sink: Mapping[Column, Vector]
    keep_source: Mapping[Column, Vector]

    @staticmethod
    def of_map(relation: isl.Map, source: Sequence[str], sink: Sequence[str]) -> Equalities:
        """The affine hull of { S[source] -> R[sink] }."""
        return Equalities._of(
            relation.affine_hull(), {isl.dim_type.in_: ("source", source), isl.dim_type.out: ("sink", sink)}
        )

    @staticmethod
    def of_set(domain: isl.Set, dims: Sequence[str]) -> Equalities:
        """The affine hull of { S[dims] }."""
        return Equalities._of(domain.affine_hull(), {isl.dim_type.set: ("source", dims)})

    @staticmethod
    def _of(hull: isl.BasicMap | isl.BasicSet, names: Mapping[isl.dim_type, tuple[Side, Sequence[str]]]) -> Equalities:
        columns = _columns(hull, names)
        places = {column: place for _, place, column in columns}
        sides = {side: frozenset(dims) for side, dims in names.values()}
        return Equalities._build(_equations(hull, columns), sides["source"], sides.get("sink", frozenset()), places)

    @staticmethod
    def _build(
        equations: Sequence[Vector], source: frozenset[str], sink: frozenset[str], places: Mapping[Column, int]
    ) -> Equalities:
        def end(first: Side) -> dict[Column, Vector]:
            def pick(v: Vector) -> Column | None:
                return min((c for c in v if c != ONE), key=lambda c: _rank(c, first, places), default=None)

            return _echelon(equations, pick)

        return Equalities(source, sink, places, end("source"), end("sink"))

    def distance(self, source_row: Affine, sink_row: Affine) -> int | None:
        """sink_row - source_row when it is one integer on all pairs, else None."""
        v = _vector(sink_row, self.sink, "sink")
        v = _add(v, _vector(source_row, self.source, "source"), -1)
        v = _reduce(v, self.keep_sink)
        if any(c != ONE for c in v):
            return None
        constant = v.get(ONE, 0)
        return int(constant) if constant.denominator == 1 else None

    def to_sink(self, source_row: Affine) -> Affine | None:
        """The row of R that equals `source_row` on all pairs, or None."""
        v = _reduce(_vector(source_row, self.source, "source"), self.keep_sink)
        return None if any(c[0] in ("source", "div") for c in v) else _affine(v)

    def to_source(self, sink_row: Affine) -> Affine | None:
        """The row of S that equals `sink_row` on all pairs, or None."""
        v = _reduce(_vector(sink_row, self.sink, "sink"), self.keep_source)
        return None if any(c[0] in ("sink", "div") for c in v) else _affine(v)

    def and_equal(self, source_row: Affine, sink_row: Affine) -> Equalities:
        """Add sink_row = source_row: only pairs of the same iteration of that loop remain."""
        v = _vector(sink_row, self.sink, "sink")
        v = _add(v, _vector(source_row, self.source, "source"), -1)
        return self._build([*self.keep_sink.values(), v], self.source, self.sink, self.places)

    def determined(self, rows: Sequence[Affine], order: Sequence[str]) -> frozenset[str]:
        """For a set: the dimensions that are functions of `rows`, the sizes and the dimensions before them in `order`.

        No loop is needed over these.
        """
        rank = {d: i for i, d in enumerate(order)}
        equations = list(self.keep_sink.values())
        # A row is known at this point: it becomes a symbol, like a size.
        equations += [_add(_vector(r, self.source, "source"), {("param", f"<{i}>"): 1}, -1) for i, r in enumerate(rows)]

        def pick(v: Vector) -> Column | None:
            candidates = (c for c in v if c[0] in ("source", "div"))
            return min(candidates, key=lambda c: -1 if c[0] == "div" else len(rank) - rank[c[1]], default=None)

        return frozenset(name for kind, name in _echelon(equations, pick) if kind == "source")


def _columns(
    hull: isl.BasicMap | isl.BasicSet, names: Mapping[isl.dim_type, tuple[Side, Sequence[str]]]
) -> list[tuple[isl.dim_type, int, Column]]:
    """(kind, place, column) of all unknowns of a relation."""
    columns: list[tuple[isl.dim_type, int, Column]] = []
    for i in range(hull.dim(isl.dim_type.param)):
        columns.append((isl.dim_type.param, i, ("param", str(hull.get_dim_name(isl.dim_type.param, i)))))
    for kind, (side, dims) in names.items():
        columns += [(kind, i, (side, d)) for i, d in enumerate(dims)]
    # Divisions are numbered per relation: within one hull they are the same unknowns.
    columns += [(isl.dim_type.div, i, ("div", str(i))) for i in range(hull.dim(isl.dim_type.div))]
    return columns


def _equations(hull: isl.BasicMap | isl.BasicSet, columns: Sequence[tuple[isl.dim_type, int, Column]]) -> list[Vector]:
    result = []
    for constraint in hull.get_constraints():
        if not constraint.is_equality():
            continue
        v: Vector = {}
        for kind, i, column in columns:
            value = int(constraint.get_coefficient_val(kind, i).to_python())
            if value:
                v[column] = value
        constant = int(constraint.get_constant_val().to_python())
        if constant:
            v[ONE] = constant
        result.append(v)
    return result
