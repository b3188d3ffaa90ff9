"""Statements: equations that hold for every point of an integer set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import islpy as isl

from polyad import islx
from polyad.ir.expr import Access, Expr, Read, access_relation, pullback, pullback_access, reads, walk
from polyad.ir.expr import Indirect as Indirect

__all__ = ["REDUCTIONS", "SIGNS", "Reduction", "Statement"]

Reduction = Literal["sum", "prod", "max", "min"]
REDUCTIONS: tuple[Reduction, ...] = ("sum", "prod", "max", "min")
SIGNS: dict[Reduction | None, str] = {None: "=", "sum": "+=", "prod": "*=", "max": "max=", "min": "min="}
"""What stands between an element and the value that a statement gives to it, or contributes."""


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """array[write(s)] = body(s), or array[write(s)] op= body(s), for all s in domain.

    Attributes:
        name: unique in its program; also the isl tuple name of its instances.
        dims: names of its dimensions, outermost first as the user wrote them.
        domain: [params] -> { S[dims] : ... }.
        array: the array it defines or contributes to.
        write: { S[dims] -> array[index] }, injective on the domain unless `reduction` is set. An `Indirect` write (a
            scatter) needs a reduction.
        body: the value.
        reduction: None for a definition; else the statement contributes with this operation. An element's value is its
            one definition, or the identity when it has none, combined with all its contributions.
        where: the user's `file:line`, or "" when no user wrote it.
    """

    name: str
    dims: tuple[str, ...]
    domain: isl.Set
    array: str
    write: Access
    body: Expr
    reduction: Reduction | None = None
    where: str = ""

    def reads(self) -> Iterator[Read]:
        """All reads: of the body, of its data-dependent indices, and of a scatter's index."""
        return iter(_reads(self))

    def accesses(self) -> list[tuple[str, Access]]:
        """(array, access): the write, and all reads."""
        return [(self.array, self.write), *((r.array, r.access) for r in self.reads())]

    def expressions(self) -> Iterator[Expr]:
        """All nodes of the body and of a scatter's index."""
        yield from walk(self.body)
        if isinstance(self.write, Indirect):
            for index in self.write.index:
                yield from walk(index)

    def write_relation(self) -> isl.Map:
        """{ S[dims] -> array[index] } on the domain (a may-relation for a scatter)."""
        return access_relation(self.write).intersect_domain(self.domain)

    def read_relation(self, read: Read) -> isl.Map:
        """{ S[dims] -> read.array[index] } on the domain (a may-relation for a data-dependent read)."""
        return access_relation(read.access).intersect_domain(self.domain)

    def space(self) -> isl.Space:
        """{ S[dims] }."""
        return self.domain.get_space()

    def params(self) -> tuple[str, ...]:
        """The parameters of its domain, in their order there."""
        return islx.param_names(self.domain)

    def change_space(self, name: str, dims: tuple[str, ...], domain: isl.Set, change: isl.MultiAff) -> Statement:
        """The same equation over new dimensions.

        Args:
            name: the new statement name.
            dims: the new dimension names.
            domain: { name[dims] }.
            change: { name[dims] -> S[old dims] }.
        """
        return replace(
            self,
            name=name,
            dims=dims,
            domain=islx.name_dims(domain, dims),
            write=pullback_access(self.write, change),
            body=pullback(self.body, change),
        )


@lru_cache(maxsize=8192)  # every pass asks for the same again; statements are compared by identity
def _reads(statement: Statement) -> tuple[Read, ...]:
    found = list(reads(statement.body))
    if isinstance(statement.write, Indirect):
        for index in statement.write.index:
            found += reads(index)
    return tuple(found)
