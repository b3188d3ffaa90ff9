"""The iteration space of a statement that is being written, and the conditions that cut it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.frontend.symbols import Axis
from polyad.ir.affine import Affine
from polyad.ir.names import distinct_dims

__all__ = ["Scope", "extend"]


@dataclass(slots=True)
class Scope:
    """The instances a statement is being written for.

    Attributes:
        name: statement name.
        axes: its axes.
        dims: readable, unique dimension names.
        space: { S[dims] }.
        where: symbol name -> position.
        domain: the instances, cut by the affine conditions on the way.
        whole: True while no condition has cut the domain.
    """

    name: str
    axes: tuple[Axis, ...]
    dims: tuple[str, ...]
    space: isl.Space
    where: dict[str, tuple[isl.dim_type, int]]
    domain: isl.Set
    whole: bool = True

    @staticmethod
    def over(axes: Sequence[Axis], name: str, params: Sequence[str]) -> Scope:
        """The scope of statement `name` over all values of the axes within their bounds."""
        dims = distinct_dims((a.hint for a in axes), params)
        space = islx.space(params, name, dims)
        where = islx.positions(params, [a.name for a in axes])
        domain = isl.Set.universe(space)
        for axis in axes:
            this = Affine.of(axis.name)
            for bound in (this - axis.lower, axis.upper - 1 - this, *axis.guards):
                aff = bound.to_aff(space, where)
                domain = domain.intersect(aff.ge_set(isl.Aff.zero_on_domain(aff.get_domain_local_space())))
        return Scope(name, tuple(axes), dims, space, where, domain)

    def within(self, domain: isl.Set) -> Scope:
        """The same space, cut."""
        return replace(self, domain=domain, whole=False)

    def project(self, axes: Sequence[Axis]) -> isl.Set | None:
        """Return the restriction of some of the axes by the cuts; None when nothing was cut."""
        if self.whole:
            return None
        keep = {a.name for a in axes}
        result = self.domain.reset_tuple_id()
        for i in reversed(range(len(self.axes))):
            if self.axes[i].name not in keep:
                result = result.project_out(isl.dim_type.set, i, 1)
        return result


def extend(domain: isl.Set, inner: Scope) -> isl.Set:
    """A set over the leading axes of `inner`, as set over all of them."""
    extra = len(inner.axes) - domain.dim(isl.dim_type.set)
    n = domain.dim(isl.dim_type.set)
    return domain.reset_tuple_id().insert_dims(isl.dim_type.set, n, extra).set_tuple_name(inner.name)
