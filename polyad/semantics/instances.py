"""The instances of a program at given sizes, grouped by the element they write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Index, Indirect
from polyad.ir.statement import Statement
from polyad.semantics.interpret import affine_function, index_function
from polyad.semantics.points import Point, points

__all__ = ["Instance", "Writers", "elements", "extents", "writers"]

Instance = tuple[Statement, Point]


@dataclass(frozen=True, slots=True)
class Writers:
    """The instances that may write one array.

    Attributes:
        definitions: element -> the instances that define it (one, in a well-formed program).
        contributions: element -> the instances that contribute to it, in lexicographic order of each statement.
        scatters: statement with a data-dependent write -> its instances, by the affine positions of the element: the
            values of those index positions, and None for the positions that depend on data.
    """

    definitions: dict[Point, list[Instance]]
    contributions: dict[Point, list[Instance]]
    scatters: dict[Statement, dict[tuple[int | None, ...], list[Point]]]

    def jobs(self, element: Point) -> list[Instance]:
        """All instances that make the element, its definition first; of scatters those that may write it."""
        jobs = self.definitions.get(element, []) + self.contributions.get(element, [])
        return jobs + list(self._may_scatter(element))

    def _may_scatter(self, element: Point) -> Iterator[Instance]:
        """The scatter instances that may write the element."""
        for statement, by_position in self.scatters.items():
            key = tuple(
                v if isinstance(i, Index) else None for v, i in zip(element, _indirect(statement).index, strict=True)
            )
            for point in by_position.get(key, ()):
                yield statement, point


def _indirect(statement: Statement) -> Indirect:
    assert isinstance(statement.write, Indirect)
    return statement.write


def extents(array: Array, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of an array at given sizes."""
    return tuple(e.evaluate(sizes) for e in array.shape)


def elements(array: Array, sizes: Mapping[str, int]) -> Iterator[Point]:
    """The indices of an array in row-major order."""
    return product(*(range(n) for n in extents(array, sizes)))


def writers(statements: Iterable[Statement], sizes: Mapping[str, int]) -> defaultdict[str, Writers]:
    """Array name -> the instances of these statements that write it."""
    result: defaultdict[str, Writers] = defaultdict(lambda: Writers({}, {}, {}))
    for statement in statements:
        table = result[statement.array]
        instances = points(statement.domain, sizes)
        if isinstance(statement.write, Indirect):
            table.scatters[statement] = _by_position(statement, statement.write, instances, sizes)
            continue
        target = index_function(statement.write, statement.dims, sizes)
        by_element = table.definitions if statement.reduction is None else table.contributions
        for point in instances:
            by_element.setdefault(target(point), []).append((statement, point))
    return result


def _by_position(
    statement: Statement, write: Indirect, instances: list[Point], sizes: Mapping[str, int]
) -> dict[tuple[int | None, ...], list[Point]]:
    positions = [
        affine_function([Affine.from_aff(i.value, statement.dims)], statement.dims, sizes)
        if isinstance(i, Index)
        else None
        for i in write.index
    ]
    found: dict[tuple[int | None, ...], list[Point]] = {}
    for point in instances:
        key = tuple(p(point)[0] if p is not None else None for p in positions)
        found.setdefault(key, []).append(point)
    return found
