"""When each instance runs in C: a time { S[i] -> [when] } for all, compared lexicographically.

[0, t0, t1, ..., 0]       an instance of the loop nest, t0, t1, ... by pet
[0, first of many, -1]    just before all of these instances,   [0, last of many, 1] just after
[1, 0, ...]               after everything else
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx

__all__ = ["ExecutionOrder", "beside"]


@dataclass(frozen=True, slots=True, eq=False)
class ExecutionOrder:
    """The order of a loop nest.

    Attributes:
        times: { S[i] -> [when] } of all statements.
    """

    times: isl.UnionMap

    @staticmethod
    def of(schedule: isl.Schedule) -> ExecutionOrder:
        """The order of a schedule tree."""
        return ExecutionOrder(islx.union_map(map(_framed, islx.maps(schedule.get_map()))))

    def of_statement(self, domain: isl.Set) -> isl.Map:
        """{ S[i] -> [when] } for the instances of one statement."""
        found = self.times.intersect_domain(isl.UnionSet.from_set(domain))
        return isl.Map.from_union_map(found)

    def after_all(self, instances: isl.Set) -> ExecutionOrder:
        """The order with instances after everything else."""
        count = next((m.dim(isl.dim_type.out) for m in islx.maps(self.times)), 2)
        time = isl.Map.from_domain(instances).add_dims(isl.dim_type.out, count)
        for i in range(count):
            time = time.fix_val(isl.dim_type.out, i, isl.Val(int(i == 0)))
        return self.with_times([time])

    def with_times(self, times: Sequence[isl.Map]) -> ExecutionOrder:
        """The order with more instances."""
        return ExecutionOrder(self.times.union(islx.union_map(times)))


def beside(times: isl.Map, place: int) -> isl.Map:
    """The same times a little earlier, for -1, or later, for 1, than those of the loop nest."""
    last = times.dim(isl.dim_type.out) - 1
    moved = times.project_out(isl.dim_type.out, last, 1).add_dims(isl.dim_type.out, 1)
    return moved.fix_val(isl.dim_type.out, last, isl.Val(place))


def _framed(times: isl.Map) -> isl.Map:
    framed = times.reset_tuple_id(isl.dim_type.out).insert_dims(isl.dim_type.out, 0, 1)
    framed = framed.fix_val(isl.dim_type.out, 0, isl.Val(0)).add_dims(isl.dim_type.out, 1)
    return framed.fix_val(isl.dim_type.out, framed.dim(isl.dim_type.out) - 1, isl.Val(0))
