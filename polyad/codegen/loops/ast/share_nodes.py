"""Marks `share` in a schedule tree, made ready for isl's code generator.

Below such a mark stands the band of a parallel loop b. The threads' parts of it are limited by two new parameters:

    mark share                          mark share
      band  { S[.., b, ..] -> [b] }  ->   context  low <= b_first <= b_last <= high
        child                               filter  { S[.., b, ..] : b_first <= b <= b_last }
                                              child

so that isl generates the loops of one part. Where the limits are no affine expressions of the sizes, or b is not one
dimension of every statement, the mark becomes `parallel`: the tree below it is an order as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.names import unique_name

__all__ = ["ShareLimits", "Shares"]


@dataclass(frozen=True, slots=True)
class ShareLimits:
    """A shared loop: the names of a part's limits, the limits of the whole, and the loop's dim in each statement."""

    first: str
    last: str
    low: Affine
    high: Affine
    rows: Mapping[str, str]


@dataclass(slots=True, eq=False)
class Shares:
    """Rewrites marks and remembers what they stood for.

    Attributes:
        dims: statement -> its dims.
        context: what is assumed of the sizes.
        taken: identifiers in use.
        found: the shared loops, by the number of their marks.
    """

    dims: Mapping[str, tuple[str, ...]]
    context: isl.Set
    taken: set[str]
    found: dict[int, ShareLimits] = field(default_factory=dict)

    def rewrite(self, node: isl.ScheduleNode, number: int) -> isl.ScheduleNode | None:
        """The node of the mark `share` that has a number, rewritten, None where it has to be `parallel`."""
        limits = self._limits(node)
        if limits is None:
            return None
        domain, depth = node.get_domain(), node.get_schedule_depth()
        inside = node.child(0).delete()
        inside = inside.insert_filter(self._part(domain, limits))
        inside = inside.insert_context(self._known(limits, depth))
        self.found[number] = limits
        return inside.parent()

    def told_apart(self, taken: set[str]) -> dict[str, Affine]:
        """Old names of limits -> new ones, which a whole program has once, and which those found have from now on.

        In a tree they are named by what is in it alone: trees that are equal then have equal texts.
        """
        new = {number: _names(limits.rows, taken) for number, limits in self.found.items()}
        values: dict[str, Affine] = {}
        for number, (first, last) in new.items():
            old = self.found[number]
            values |= {a: Affine.of(b) for a, b in ((old.first, first), (old.last, last)) if a != b}
            self.found[number] = replace(old, first=first, last=last)
        return values

    def _limits(self, node: isl.ScheduleNode) -> ShareLimits | None:
        band = node.child(0)
        partial = band.band_get_partial_schedule()
        if band.band_n_member() != 1:
            return None
        rows: dict[str, str] = {}
        functions = partial.get_at(0).get_pw_aff_list()
        for i in range(functions.n_pw_aff()):
            function = functions.get_at(i)
            name = function.get_domain_space().get_tuple_name(isl.dim_type.set)
            pieces = function.get_pieces()
            value = Affine.from_aff(pieces[0][1], self.dims[name]) if len(pieces) == 1 else None
            dim = next((d for d in self.dims[name] if value == Affine.of(d)), None)
            if dim is None:
                return None
            rows[name] = dim
        reached = node.get_domain().intersect_params(self.context)
        iterations = isl.Set.from_union_set(reached.apply(isl.UnionMap.from_multi_union_pw_aff(partial)))
        low, high = _affine(iterations.dim_min(0)), _affine(iterations.dim_max(0))
        if low is None or high is None:
            return None
        return ShareLimits(*_names(rows, self.taken), low, high, rows)

    def _part(self, domain: isl.UnionSet, limits: ShareLimits) -> isl.UnionSet:
        """{ S[.., b, ..] : b_first <= b <= b_last }."""
        result = isl.UnionSet.empty(domain.get_space())
        for piece in islx.sets(domain):
            name = piece.get_tuple_name()
            text = ", ".join(f"i{d}" for d in range(len(self.dims[name])))
            position = self.dims[name].index(limits.rows[name])
            within = f"{limits.first} <= i{position} <= {limits.last}"
            part = f"[{limits.first}, {limits.last}] -> {{ {name}[{text}] : {within} }}"
            result = result.union(isl.UnionSet(part))
        return result

    def _known(self, limits: ShareLimits, depth: int) -> isl.Set:
        """[sizes, b_first, b_last] -> { [loops around] : low <= b_first <= b_last <= high }."""
        names = sorted((limits.low.names() | limits.high.names()) | {limits.first, limits.last})
        around = ", ".join(f"o{i}" for i in range(depth))
        low, high = (value.render(str, lambda a, b: f"floor(({a})/{b})") for value in (limits.low, limits.high))
        condition = f"{low} <= {limits.first} <= {limits.last} <= {high}"
        return isl.Set(f"[{', '.join(names)}] -> {{ [{around}] : {condition} }}")


def _names(rows: Mapping[str, str], taken: set[str]) -> tuple[str, str]:
    """The names of the limits of a shared loop, which are taken then."""
    dim = next(iter(rows.values()))
    first, last = (unique_name(f"{dim}_{end}", taken) for end in ("first", "last"))
    taken |= {first, last}
    return first, last


def _affine(bound: isl.PwAff) -> Affine | None:
    """The expression of the sizes, when there is one."""
    pieces = bound.coalesce().get_pieces()
    return Affine.from_aff(pieces[0][1], ()) if len(pieces) == 1 else None
