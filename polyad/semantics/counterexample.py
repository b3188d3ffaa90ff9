"""A cycle of elements that need each other, at small sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import islpy as isl

from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Index, Indirect, Read
from polyad.ir.statement import Statement
from polyad.semantics.cycles import find_cycle
from polyad.semantics.instances import Instance, Writers, extents, writers
from polyad.semantics.interpret import affine_function, index_function
from polyad.semantics.points import Point, at_sizes
from polyad.semantics.wording import labelled_element, sizes_text

__all__ = ["Counterexample", "smallest_cycle"]

SIZES_PER_PARAMETER = 4
LARGER_SIZES = (5, 8, 16)
"""Tried for all parameters alike, when no combination of the small ones shows a cycle."""
TRIES = 100
CORNER_POINTS = 2000
"""Of each domain only the points next to its least coordinates are looked at: a cycle among them is a cycle."""
ANYWHERE = 6
"""How many of the elements that a data-dependent index may reach are looked at."""

_Element = tuple[str, Point]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A cycle.

    Attributes:
        elements: as text, each needing the next, the last needing the first.
        sizes: the sizes at which they do.
        certain: False when a data-dependent index takes part, which may or may not close the cycle.
    """

    elements: tuple[str, ...]
    sizes: dict[str, int]
    certain: bool

    @property
    def at(self) -> str:
        """` with N = 4`, or nothing."""
        return sizes_text(self.sizes)


def smallest_cycle(
    statements: Sequence[Statement], arrays: Mapping[str, Array], context: isl.Set
) -> Counterexample | None:
    """A cycle among the elements that some statements write, at the smallest sizes that show one; None if none does."""
    for sizes in _small_sizes(context):
        corner = [replace(s, domain=_corner(s.domain, sizes)) for s in statements]
        for certain in (True, False):
            found = _cycle(corner, arrays, sizes, certain)
            if found is not None:
                return found
    return None


def _small_sizes(context: isl.Set) -> Iterator[dict[str, int]]:
    """Sizes in the context near their least values, small sums first."""
    n = context.dim(isl.dim_type.param)
    params = [context.get_dim_name(isl.dim_type.param, i) or "" for i in range(n)]
    least = [_least(context, i) for i in range(n)]
    small = sorted(product(range(SIZES_PER_PARAMETER), repeat=n), key=sum) if n <= 4 else _few_steps(n)
    larger = [(step,) * n for step in LARGER_SIZES] if n else []
    for step in [*small[:TRIES], *larger]:
        sizes = {p: low + s for p, low, s in zip(params, least, step, strict=True)}
        if not at_sizes(isl.Set.from_params(context), sizes).is_empty():
            yield sizes


def _few_steps(n: int) -> list[tuple[int, ...]]:
    """With many parameters: all grown alike, and one grown alone."""
    steps = []
    for step in range(SIZES_PER_PARAMETER):
        steps.append((step,) * n)
        steps += [tuple(step if j == i else 1 for j in range(n)) for i in range(n)]
    return steps


def _least(context: isl.Set, i: int) -> int:
    """The least value of a parameter, 1 when it has none."""
    n = context.dim(isl.dim_type.param)
    alone = isl.Set.from_params(context).move_dims(isl.dim_type.set, 0, isl.dim_type.param, i, 1)
    alone = alone.project_out(isl.dim_type.param, 0, n - 1)
    low = alone.dim_min_val(0)
    return int(low.to_python()) if low.is_int() else 1


def _corner(domain: isl.Set, sizes: Mapping[str, int]) -> isl.Set:
    """The part of a domain next to its least coordinates, without parameters."""
    domain = at_sizes(domain, sizes)
    if domain.is_empty():
        return domain
    n = domain.dim(isl.dim_type.set)
    for d in range(n):
        last = domain.dim_min_val(d).add(isl.Val(int(CORNER_POINTS ** (1 / n))))
        domain = domain.upper_bound_val(isl.dim_type.set, d, last)
    return domain


def _cycle(
    statements: Sequence[Statement], arrays: Mapping[str, Array], sizes: dict[str, int], certain: bool
) -> Counterexample | None:
    """A cycle at given sizes; a certain one takes no data-dependent index into account."""
    table = writers(statements, sizes)
    reads = {
        s: [
            (r.array, _reached(r, s, arrays[r.array], sizes))
            for r in s.reads()
            if r.array in table and not (certain and isinstance(r.access, Indirect))
        ]
        for s in statements
    }

    def jobs(element: _Element) -> list[Instance]:
        made = table[element[0]].jobs(element[1])
        return [(s, p) for s, p in made if not (certain and isinstance(s.write, Indirect))]

    def needs(element: _Element) -> Iterator[_Element]:
        for statement, point in jobs(element):
            for array, reached in reads[statement]:
                for target in reached(point):
                    yield array, target

    starts = [(name, index) for name in table for index in _written(table[name], arrays[name], sizes)]
    found = find_cycle(starts, needs)
    if found is None:
        return None
    # The contribution (or else the definition) is the equation that the user wrote.
    texts = tuple(labelled_element(jobs(element)[-1][0], element[1]) for element in found)
    return Counterexample(texts, sizes, certain)


def _reached(
    read: Read, statement: Statement, array: Array, sizes: Mapping[str, int]
) -> Callable[[Point], Iterable[Point]]:
    """point -> the elements it may read; of positions that depend on data only the first few."""
    if not isinstance(read.access, Indirect):
        index = index_function(read.access, statement.dims, sizes)
        return lambda p: (index(p),)
    positions: list[Callable[[Point], Iterable[int]]] = []
    for part, extent in zip(read.access.index, extents(array, sizes), strict=True):
        if isinstance(part, Index):
            positions.append(affine_function([Affine.from_aff(part.value, statement.dims)], statement.dims, sizes))
        else:
            positions.append(partial(_anywhere, min(extent, ANYWHERE)))
    return lambda p: product(*(position(p) for position in positions))


def _anywhere(extent: int, point: Point) -> Iterable[int]:
    return range(extent)


def _written(written: Writers, array: Array, sizes: Mapping[str, int]) -> Iterator[Point]:
    """The elements that something writes, or may write near the corner."""
    yield from written.definitions
    yield from written.contributions
    for by_position in written.scatters.values():
        for key in by_position:
            anywhere = [range(min(n, ANYWHERE)) for n in extents(array, sizes)]
            yield from product(*(free if k is None else (k,) for k, free in zip(key, anywhere, strict=True)))
