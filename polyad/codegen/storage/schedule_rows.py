"""A schedule tree as one path per statement: the loops around it and its places in sequences, outermost first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.program import Program
from polyad.schedule.tree import nodes as tree
from polyad.schedule.tree.marks import Concurrent, PartsMark
from polyad.schedule.tree.nodes import from_isl

__all__ = ["Occurrence", "Row", "SequencePosition", "occurrences"]


Place = tuple[int, ...]
"""A node of the tree: child positions on the way from the root."""


@dataclass(frozen=True, slots=True)
class SequencePosition:
    """Child `position` of sequence `node`; None where the tree leaves the order of the children open."""

    node: Place
    position: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """Member `member` of band `node`: a loop.

    Attributes:
        node: the band, by the child positions on the way from the root.
        member: which of its loops.
        value: the iteration that an instance belongs to, in terms of the statement's dims; None where it is piecewise.
        concurrent: iterations may overlap in time.
    """

    node: Place
    member: int
    value: Affine | None
    concurrent: bool


Path = tuple[SequencePosition | Row, ...]


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
    path: Path


def occurrences(schedule: isl.Schedule, program: Program) -> list[Occurrence]:
    """All paths of a schedule tree."""
    found = _Paths({s.name: s.dims for s in program.statements}, [], {})
    found.visit(from_isl(schedule.get_root().child(0)), program.domain(), (), (), False)
    return found.found


@dataclass(frozen=True, slots=True, eq=False)
class _Paths:
    """Those of one tree.

    Attributes:
        dims: statement -> its dimensions.
        found: what was found so far.
        members: sequence -> statement -> the children that it is in.
    """

    dims: Mapping[str, tuple[str, ...]]
    found: list[Occurrence]
    members: dict[Place, dict[str, list[int]]]

    def visit(self, node: tree.Node, domain: isl.UnionSet, place: Place, path: Path, concurrent: bool) -> None:
        """Collect the leaves below a node reached by `domain`; `concurrent`: a mark above says so of the next band."""
        match node:
            case tree.Leaf():
                self.found.extend(Occurrence(s.get_tuple_name(), s, path) for s in self.sets(domain))
            case tree.Mark(kind, child):
                # Iterations of parts write to C variables only, unless they run in lanes.
                marked = isinstance(kind, Concurrent) and kind != PartsMark()
                self.visit(child, domain, (*place, 0), path, concurrent or marked)
            case tree.Order(children, ordered):
                for i in self.reached(node, domain, place):
                    part, child = children[i]
                    turn = SequencePosition(place, i if ordered else None)
                    self.visit(child, domain.intersect(part), (*place, i), (*path, turn), False)
            case tree.Band(partial=partial, child=child):
                # Below a band each statement has its own row values: follow the statements one by one.
                for piece in self.sets(domain):
                    inside = path + self.rows(partial, piece, place, concurrent)
                    self.visit(child, isl.UnionSet.from_set(piece), (*place, 0), inside, False)

    def reached(self, node: tree.Order, domain: isl.UnionSet, place: Place) -> list[int]:
        """The children of a sequence that hold some of the statements."""
        if place not in self.members:
            members: dict[str, list[int]] = {}
            for i, (part, _) in enumerate(node.children):
                for piece in self.sets(part):
                    members.setdefault(piece.get_tuple_name(), []).append(i)
            self.members[place] = members
        names = [piece.get_tuple_name() for piece in self.sets(domain)]
        return sorted({i for name in names for i in self.members[place].get(name, ())})

    def rows(self, partial: isl.MultiUnionPwAff, piece: isl.Set, place: Place, concurrent: bool) -> Path:
        """The loops of a band as they look to one statement."""
        dims, count = self.dims[piece.get_tuple_name()], partial.dim(isl.dim_type.set)
        values = [_row_value(partial.get_union_pw_aff(i), piece, dims) for i in range(count)]
        return tuple(Row(place, i, value, concurrent) for i, value in enumerate(values))

    def sets(self, domain: isl.UnionSet) -> list[isl.Set]:
        """The instances by statement, in the order of their names."""
        known = [p for p in islx.sets(domain) if p.get_tuple_name() in self.dims and not p.plain_is_empty()]
        return sorted(known, key=lambda p: str(p.get_tuple_name()))


def _row_value(row: isl.UnionPwAff, piece: isl.Set, dims: tuple[str, ...]) -> Affine | None:
    space = piece.get_space().align_params(row.get_space()).from_domain().add_dims(isl.dim_type.out, 1)
    pieces = row.extract_pw_aff(space).get_pieces()
    return Affine.from_aff(pieces[0][1], dims) if len(pieces) == 1 else None
