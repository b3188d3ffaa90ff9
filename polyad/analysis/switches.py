"""Switches: elements of truth values, computed from data, that are zero where nothing needs an instance.

    h[t + 1, i] = z[t, i] if g[t] != 0 else h[t, i]         { z[t, i] -> g[t] },    { matmul[t, i, k] -> g[t] }
    h_bar[t, k] += W[i, k] * (z_bar[t, i] if g[t] != 0 else 0)                      { h_bar_matmul[t, k, i] -> g[t] }

An instance may be left out where its switch is zero, for one of two reasons: nobody takes what it computes, since all
that reads it selects something else there; or it adds zero to a sum. The first holds of any number that a reader finds
in the place, the second but for zeros that meet infinities (docs/decisions/0019-zero-times-infinity.md).

Property: integers keep their definitions, as they may be indices, and so do elements that an index is computed of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.expr import Apply, Const, Expr, Read, Select, children, reads
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["Switches", "switches"]

Switches = Mapping[str, Mapping[str, tuple[Affine, ...]]]
"""Statement -> array of truth values -> index of the element that its instances need not to be zero."""

Relations = dict[str, isl.Map]
"""Array of truth values g -> { S[i] -> g[j] }, or { a[e] -> g[j] }."""


def switches(program: Program, zeros: bool = True) -> Switches:
    """The switches of all statements that have some.

    Args:
        program: any program.
        zeros: count instances that add zero: not those of a contraction that overwrites what it would be added to.
    """
    if not any(_switch(e.cond, s) for s in program.statements for e in s.expressions() if isinstance(e, Select)):
        return {}
    known = _Known(program)
    found = {}
    for s in program.statements:
        own = known.instances(s) if zeros else known.unneeded(s)
        indices = {g: _index(m, s.dims) for g, m in own.items()}
        found[s.name] = {g: index for g, index in indices.items() if index is not None}
    return {name: own for name, own in found.items() if own}


@dataclass(slots=True)
class _Known:
    """Facts about a program, as they are found; arrays that are being looked at have no switches meanwhile."""

    program: Program
    readers: dict[str, list[Statement]] = field(default_factory=dict)
    writers: dict[str, list[Statement]] = field(default_factory=dict)
    needed: dict[str, Relations] = field(default_factory=dict)
    zero: dict[str, Relations] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for s in self.program.statements:
            self.writers.setdefault(s.array, []).append(s)
            for array in dict.fromkeys(r.array for r in s.reads()):
                self.readers.setdefault(array, []).append(s)

    def instances(self, s: Statement) -> Relations:
        """{ S[i] -> g[j] }: the instance need not run where g[j] is zero."""
        return _either(self.unneeded(s), self.zeros(s.body, s) if s.reduction == "sum" else {})

    def unneeded(self, s: Statement) -> Relations:
        """The same for the first reason alone: such an instance may run as well, on whatever it finds."""
        return _behind(s.write_relation(), self.elements(s.array)) if isinstance(s.write, isl.MultiAff) else {}

    def elements(self, array: str) -> Relations:
        """{ a[e] -> g[j] }: nobody needs the element where g[j] is zero."""
        if array in self.needed:
            return self.needed[array]
        self.needed[array] = {}
        a = self.program.arrays[array]
        if a.is_temporary and "float" in a.dtype:
            self.needed[array] = _both([self.uses(array, s) for s in self.readers.get(array, ())])
        return self.needed[array]

    def uses(self, array: str, s: Statement) -> Relations:
        """The same, as far as one reader knows."""
        around = self.unneeded(s)  # one that adds zero adds what it finds if it runs
        found = []
        for read, conditions in self.occurrences(s.body, {}, s):
            if read.array == array:
                under = {} if conditions is None else _either(conditions, around)
                found.append(_behind(s.read_relation(read).reverse(), under))
        return _both(found)

    def occurrences(self, e: Expr, conditions: Relations, s: Statement) -> Iterator[tuple[Read, Relations | None]]:
        """All reads with the switches of what is around; None for those that data choose, and of their indices."""
        match e:
            case Select(test, a, b):
                yield from self.occurrences(test, conditions, s)
                yield from self.occurrences(a, _either(self.switch(test, s), conditions), s)
                yield from self.occurrences(b, conditions, s)
            case Apply("masked_mul", (x, y)):
                yield from self.occurrences(x, _either(self.zeros(y, s), conditions), s)
                yield from self.occurrences(y, conditions, s)
            case Read(_, isl.MultiAff()):
                yield e, conditions
            case Read():
                yield from ((r, None) for r in reads(e))
            case _:
                for child in children(e):
                    yield from self.occurrences(child, conditions, s)

    def zeros(self, e: Expr, s: Statement) -> Relations:
        """{ S[i] -> g[j] }: an expression is zero where g[j] is."""
        match e:
            case Select(test, a, Const(value=value)) if not value:
                return _either(self.switch(test, s), self.zeros(a, s))
            case Apply("masked_mul", (_, y)):
                return self.zeros(y, s)
            case Apply("mul", (x, y)):
                return _either(self.zeros(x, s), self.zeros(y, s))
            case Apply("neg" | "cast", (x,)):
                return self.zeros(x, s)
            case Apply("add" | "sub", (x, y)):
                return _both([self.zeros(x, s), self.zeros(y, s)])
            case Read(array, isl.MultiAff()):
                return _behind(s.read_relation(e), self.zero_elements(array))
            case _:
                return {}

    def switch(self, test: Expr, s: Statement) -> Relations:
        """The element g[j] of a test g[j] != 0, and all by which it is zero where they are."""
        found = _switch(test, s)
        for array, index in list(found.items()):
            found = {**_behind(index, self.zero_elements(array)), **found}
        return found

    def zero_elements(self, array: str) -> Relations:
        """{ a[e] -> g[j] }: the element is zero where g[j] is."""
        if array in self.zero:
            return self.zero[array]
        self.zero[array] = {}
        found = []
        for s in self.writers.get(array, ()):
            if not isinstance(s.write, isl.MultiAff) or s.reduction not in (None, "sum"):
                return {}
            if not (isinstance(s.body, Const) and not s.body.value):
                found.append(_behind(s.write_relation().reverse(), self.zeros(s.body, s)))
        self.zero[array] = _both(found)
        return self.zero[array]


def _switch(test: Expr, s: Statement) -> Relations:
    """The element g[j] of a test g[j] != 0."""
    match test:
        case Apply("ne", (Read(array, isl.MultiAff(), "int32") as read, Const(value=0))):
            return {array: s.read_relation(read)}
        case _:
            return {}


def _behind(first: isl.Map, then: Relations) -> Relations:
    found = {g: first.apply_range(m) for g, m in then.items()}
    return {g: m for g, m in found.items() if m.is_single_valued() and first.range().is_subset(then[g].domain())}


def _either(one: Relations, other: Relations) -> Relations:
    """The switches that one of two reasons gives, the first one where both do."""
    return {**other, **one}


def _both(all_of: list[Relations]) -> Relations:
    """The switches that all have in common; an element that several of them mention has one."""
    if not all_of:
        return {}
    found: Relations = {}
    for g in all_of[0]:
        if all(g in own for own in all_of):
            joined = all_of[0][g]
            for own in all_of[1:]:
                joined = joined.union(own[g])
            if joined.is_single_valued():
                found[g] = joined
    return found


def _index(m: isl.Map, dims: tuple[str, ...]) -> tuple[Affine, ...] | None:
    """The index of the switch in terms of the dims of the statement, None where it is not one expression."""
    pieces = islx.functions(m)
    if len(pieces) != 1:
        return None
    affs = pieces[0][1]
    return tuple(Affine.from_aff(affs.get_aff(i), dims) for i in range(affs.dim(isl.dim_type.out)))
