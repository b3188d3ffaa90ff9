"""The integer points of a set at given sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import islpy as isl
import numpy as np
import numpy.typing as npt

__all__ = ["Point", "Row", "at_sizes", "columns", "coordinates", "points", "rows"]

Point = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One constraint: sum(coefficients[i] * dim_i) + constant >= 0, or = 0 when `is_equality`."""

    coefficients: tuple[int, ...]
    constant: int
    is_equality: bool


def at_sizes(domain: isl.Set, sizes: Mapping[str, int]) -> isl.Set:
    """[N] -> { S[i] } at given sizes, as a set without parameters; sizes the set does not mention are ignored.

    Raises:
        KeyError: a parameter of the set has no size.
    """
    n = domain.dim(isl.dim_type.param)
    for i in range(n):
        name = domain.get_dim_name(isl.dim_type.param, i)
        assert name is not None
        domain = domain.fix_val(isl.dim_type.param, i, isl.Val(sizes[name]))
    return domain.project_out(isl.dim_type.param, 0, n)


def rows(basic: isl.BasicSet) -> list[Row]:
    """The constraints of a basic set without parameters and without existential dimensions."""
    found = []
    for is_equality, matrix in (
        (True, basic.equalities_matrix(*_COLUMNS)),
        (False, basic.inequalities_matrix(*_COLUMNS)),
    ):
        for r in range(matrix.rows()):
            values = [int(matrix.get_element_val(r, c).to_python()) for c in range(matrix.cols())]
            found.append(Row(tuple(values[:-1]), values[-1], is_equality))
    return found


_COLUMNS = (isl.dim_type.set, isl.dim_type.div, isl.dim_type.param, isl.dim_type.cst)


def points(domain: isl.Set, sizes: Mapping[str, int]) -> list[Point]:
    """All points at given sizes, each once, in lexicographic order.

    Args:
        domain: bounded at these sizes.
        sizes: parameter -> value.
    """
    pieces = at_sizes(domain, sizes).get_basic_sets()
    if len(pieces) == 1:
        return _piece(pieces[0])
    return sorted({point for piece in pieces for point in _piece(piece)})


def coordinates(
    domain: isl.Set, sizes: Mapping[str, int], most: int = 1 << 20
) -> Iterator[tuple[npt.NDArray[np.int64], ...]]:
    """All points at given sizes as arrays of their coordinates, so many at a time; some more than once.

    Args:
        domain: bounded at these sizes, with at least one dimension.
        sizes: parameter -> value.
        most: points of a box at a time; what is no box comes at once.
    """
    for basic in at_sizes(domain, sizes).get_basic_sets():
        ranges = None if basic.is_empty() else _box(basic)
        if ranges is None:
            listed = _piece(basic)
            if listed:
                yield tuple(np.array(listed, np.int64).T)
            continue
        extents = [len(r) for r in ranges]
        count = math.prod(extents)
        for start in range(0, count, most):
            at = np.unravel_index(np.arange(start, min(start + most, count)), extents)
            yield tuple(r.start + i.astype(np.int64) for r, i in zip(ranges, at, strict=True))


def _box(basic: isl.BasicSet) -> list[range] | None:
    """The values of each dimension, None where the set is not the product of them."""
    constraints = [] if basic.dim(isl.dim_type.div) else rows(basic)
    if not all(sum(1 for c in row.coefficients if c) == 1 for row in constraints) or not constraints:
        return None
    return [_interval(constraints, d, ()) for d in range(basic.dim(isl.dim_type.set))]


def _piece(basic: isl.BasicSet) -> list[Point]:
    n = basic.dim(isl.dim_type.set)
    if basic.is_empty():
        return []
    if n == 0:
        return [()]
    if basic.dim(isl.dim_type.div) == 0:
        box = _box(basic)
        if box is not None:
            return list(product(*box))
        constraints = rows(basic)
        if _bounded_in_order(constraints, n):
            return [(*prefix, v) for prefix, last in _columns(constraints, n) for v in last]
    found: list[Point] = []
    basic.to_set().foreach_point(
        lambda p: found.append(tuple(int(p.get_coordinate_val(isl.dim_type.set, d).to_python()) for d in range(n)))
    )
    return sorted(found)


def _last(row: Row) -> int:
    """The last dimension that the constraint mentions."""
    return max((d for d, c in enumerate(row.coefficients) if c), default=-1)


def _bounded_in_order(constraints: Sequence[Row], n: int) -> bool:
    """Whether each dimension has a lower and an upper bound in terms of the dimensions before it."""
    signs: list[set[int]] = [set() for _ in range(n)]
    for row in constraints:
        d = _last(row)
        if d >= 0:
            signs[d] |= {1, -1} if row.is_equality else {1 if row.coefficients[d] > 0 else -1}
    return all(len(s) == 2 for s in signs)


def _interval(constraints: Sequence[Row], d: int, prefix: Point) -> range:
    """The values of dimension d after `prefix` that satisfy the constraints whose last dimension is d."""
    low: int | None = None
    high: int | None = None
    for row in constraints:
        if _last(row) != d:
            continue
        c = row.coefficients[d]
        rest = row.constant + sum(k * v for k, v in zip(row.coefficients, prefix, strict=False))
        if c > 0 or row.is_equality:
            bound = -(rest // c) if c > 0 else -(-rest // -c)  # ceil(-rest / c)
            low = bound if low is None or bound > low else low
        if c < 0 or row.is_equality:
            bound = rest // -c if c < 0 else -rest // c  # floor(-rest / c)
            high = bound if high is None or bound < high else high
    assert low is not None and high is not None, "the set is bounded"
    return range(low, high + 1)


def _columns(constraints: Sequence[Row], n: int) -> Iterator[tuple[Point, range]]:
    """(all coordinates but the last, values of the last); exact: a constraint is tested at its last dimension."""
    by_last = [[row for row in constraints if _last(row) == d] for d in range(n)]

    def extend(prefix: Point) -> Iterator[tuple[Point, range]]:
        values = _interval(by_last[len(prefix)], len(prefix), prefix)
        if len(prefix) == n - 1:
            yield prefix, values
            return
        for v in values:
            yield from extend((*prefix, v))

    return extend(())


def columns(basic: isl.BasicSet) -> Iterator[tuple[Point, range]] | None:
    """The points of a set as (all coordinates but the last, range of the last), some ranges possibly empty.

    Args:
        basic: without parameters, bounded, with at least one dimension.

    Returns:
        None when the set is not of nested loops: existential dimensions, or a bound that needs an inner dimension.
    """
    n = basic.dim(isl.dim_type.set)
    if basic.dim(isl.dim_type.div):
        return None
    constraints = rows(basic)
    return _columns(constraints, n) if _bounded_in_order(constraints, n) else None
