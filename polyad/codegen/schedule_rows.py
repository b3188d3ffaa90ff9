"""A schedule tree as one path per statement: the loops around it and its places in sequences, outermost first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import islpy as isl

from polyad.ir.affine import Affine
from polyad.ir.program import Program

__all__ = ["Occurrence", "Order", "Row", "occurrences"]


@dataclass(frozen=True, slots=True)
class Order:
    """Child `position` of sequence `node`; None where the tree leaves the order of the children open."""

    node: int
    position: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """Member `member` of band `node`: a loop.

    Attributes:
        node: number of the band, in textual order of the tree.
        member: which of its loops.
        value: the iteration that an instance belongs to, in terms of the statement's dims; None where it is piecewise.
        concurrent: iterations may overlap in time.
    """

    node: int
    member: int
    value: Affine | None
    concurrent: bool


@dataclass(frozen=True, slots=True, eq=False)
class Occurrence:
    """Instances of a statement that take one path.

    Attributes:
        statement: its name.
        domain: { S[i] } the instances.
        path: the loops and sequences around them, outermost first.
    """

    statement: str
    domain: isl.Set
    path: tuple[Order | Row, ...]


def occurrences(schedule: isl.Schedule, program: Program) -> list[Occurrence] | None:
    """All paths of a schedule tree; None when the tree has expansions or extensions, which nobody here follows."""
    dims = {s.name: s.dims for s in program.statements}
    found: list[Occurrence] = []
    followed = _Tree(dims, found).visit(schedule.get_root(), program.domain(), (), concurrent=False)
    return found if followed else None


class _Tree:
    """Numbers the nodes of one tree in textual order."""

    def __init__(self, dims: Mapping[str, tuple[str, ...]], found: list[Occurrence]) -> None:
        self.dims, self.found, self.count = dims, found, 0

    def visit(
        self, node: isl.ScheduleNode, domain: isl.UnionSet, path: tuple[Order | Row, ...], concurrent: bool
    ) -> bool:
        """Collect the leaves below a node reached by `domain`; `concurrent`: a mark above says so of the next band."""
        kinds, kind = isl.schedule_node_type, node.get_type()
        self.count += 1
        number = self.count
        if kind == kinds.leaf:
            sets = sorted(_sets(domain), key=lambda s: str(s.get_tuple_name()))
            self.found += [Occurrence(s.get_tuple_name(), s, path) for s in sets if s.get_tuple_name() in self.dims]
            return True
        if kind in (kinds.sequence, kinds.set):
            ordered = kind == kinds.sequence
            return all(
                self.visit(node.child(i), domain, (*path, Order(number, i if ordered else None)), False)
                for i in range(node.n_children())
            )
        if kind == kinds.filter:
            return self.visit(node.child(0), domain.intersect(node.filter_get_filter()), path, False)
        if kind == kinds.mark:
            marked = node.mark_get_id().get_name() in ("parallel", "simd")
            return self.visit(node.child(0), domain, path, concurrent or marked)
        if kind == kinds.band:
            return self.band(node, domain, path, concurrent, number)
        if kind in (kinds.domain, kinds.context, kinds.guard):
            return self.visit(node.child(0), domain, path, concurrent)
        return False

    def band(
        self,
        node: isl.ScheduleNode,
        domain: isl.UnionSet,
        path: tuple[Order | Row, ...],
        concurrent: bool,
        number: int,
    ) -> bool:
        """Below a band each statement has its own row values: follow the statements one by one."""
        partial = node.band_get_partial_schedule()
        start = self.count
        for piece in _sets(domain):
            name = piece.get_tuple_name()
            if name not in self.dims:
                continue
            rows = tuple(
                Row(number, i, _row_value(partial.get_union_pw_aff(i), piece, self.dims[name]), concurrent)
                for i in range(node.band_n_member())
            )
            # The nodes below get the same numbers on each visit.
            self.count = start
            if not self.visit(node.child(0), isl.UnionSet.from_set(piece), path + rows, False):
                return False
        return True


def _row_value(row: isl.UnionPwAff, piece: isl.Set, dims: tuple[str, ...]) -> Affine | None:
    pieces = list(row.extract_pw_aff(piece.get_space()).get_pieces())
    return Affine.from_aff(pieces[0][1], dims) if len(pieces) == 1 else None


def _sets(domain: isl.UnionSet) -> Iterator[isl.Set]:
    found = domain.get_set_list()
    for i in range(found.n_set()):
        piece = found.get_at(i)
        if not piece.plain_is_empty():
            yield piece
