"""Accesses to arrays in memory, each with the loops around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import islpy as isl

from polyad.codegen.loops.statement_accesses import Touch
from polyad.codegen.storage.layouts import movement
from polyad.codegen.storage.schedule_rows import Occurrence, Place, Row
from polyad.ir.affine import Affine
from polyad.ir.expr import access_relation

__all__ = ["Access"]


@dataclass(frozen=True, eq=False)
class Access:
    """An access and where in the schedule it is made; what every loop and dimension asks again is found once."""

    touch: Touch
    occurrence: Occurrence
    functions: dict[tuple[int, int], Affine | None] = field(default_factory=dict)

    @cached_property
    def fixed(self) -> dict[str, Affine]:
        """The dimensions of the statement that have one value here."""
        domain = self.occurrence.domain
        values = [domain.plain_get_val_if_fixed(isl.dim_type.set, i) for i in range(domain.dim(isl.dim_type.set))]
        pairs = zip(self.touch.statement.dims, values, strict=True)
        return {d: Affine.of(int(v.to_python())) for d, v in pairs if v.is_int()}

    @cached_property
    def index(self) -> list[Affine | None]:
        """The indices, dimensions of one value replaced by it."""
        return [None if i is None else i.substitute(self.fixed) for i in self.touch.index]

    @cached_property
    def rows(self) -> list[Affine | None]:
        """The rows around, likewise; None where a step is none or is not known."""
        values = [step.value if isinstance(step, Row) else None for step in self.occurrence.path]
        return [None if v is None else v.substitute(self.fixed) for v in values]

    @cached_property
    def turned(self) -> dict[int, list[Affine | None]]:
        """The rows times 1 and -1."""
        return {1: self.rows, -1: [None if row is None else -row for row in self.rows]}

    @cached_property
    def vector(self) -> tuple[int, ...] | None:
        """How the innermost concurrent loop moves it."""
        return None if None in self.touch.index else movement(self.occurrence, self.touch)[1]

    @cached_property
    def depths(self) -> dict[tuple[Place, int], int]:
        """Loop -> where in the path it is."""
        steps = [(depth, s) for depth, s in enumerate(self.occurrence.path) if isinstance(s, Row)]
        return {(s.node, s.member): depth for depth, s in reversed(steps)}

    def function(self, j: int, depth: int) -> Affine | None:
        """The row at a depth of the path in terms of index j."""
        if (j, depth) not in self.functions:
            step = self.occurrence.path[depth]
            assert isinstance(step, Row)
            self.functions[j, depth] = _function(self.touch.index[j], step.value)
        return self.functions[j, depth]

    def follows(self, function: Affine, j: int, depth: int) -> bool:
        """Whether the row at a depth of the path is that function of index j: where it has one value, at that one."""
        index, row = self.index[j], self.rows[depth]
        if index is None or row is None or not index.is_constant:
            return self.function(j, depth) == function
        return function.substitute({"e": index}) == row

    @cached_property
    def elements(self) -> isl.Set:
        """{ a[i] } that it touches."""
        return access_relation(self.touch.access).intersect_domain(self.occurrence.domain).range()


def _function(index: Affine | None, row: Affine | None) -> Affine | None:
    """The row in terms of the index `e`, for an index i + c and a row over i alone: e - c, 4 * floor((e - c) / 4)."""
    if index is None or row is None:
        return None
    (name, *others) = index.names() or ("",)
    start = index - Affine.of(name) if name else index
    if others or not start.is_constant or row.names() != {name}:
        difference = [row - index, row + index]
        constant = next((i for i, a in enumerate(difference) if a.is_constant), None)
        return None if constant is None else difference[constant] + Affine.of("e") * (1 - 2 * constant)
    return row.substitute({name: Affine.of("e") - start.constant})
