"""The order in which a schedule runs a program at small sizes, instance by instance: the oracle of legality tests."""

import re
from collections.abc import Iterator

import islpy as isl

from polyad.analysis.dependences import flow_edges
from polyad.ir.program import Program
from polyad.schedule.schedule import Schedule

Instance = tuple[str, tuple[int, ...]]


def points(relation: isl.Map) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All pairs of a relation without parameters."""
    n_in, n_out = relation.dim(isl.dim_type.in_), relation.dim(isl.dim_type.out)
    found: list[tuple[int, ...]] = []
    wrapped = relation.wrap()

    def put(point: isl.Point) -> None:
        found.append(tuple(int(point.get_coordinate_val(isl.dim_type.set, i).to_python()) for i in range(n_in + n_out)))

    wrapped.foreach_point(put)
    for values in found:
        yield values[:n_in], values[n_in:]


def fixed(relation: isl.Map, sizes: dict[str, int]) -> isl.Map:
    """The relation at given sizes."""
    for name, value in sizes.items():
        i = relation.find_dim_by_name(isl.dim_type.param, name)
        if i >= 0:
            relation = relation.fix_val(isl.dim_type.param, i, isl.Val(value))
    return relation.project_out(isl.dim_type.param, 0, relation.dim(isl.dim_type.param))


def times(schedule: Schedule, sizes: dict[str, int]) -> dict[Instance, tuple[int, ...]]:
    """Instance -> its place in the order of execution."""
    found: dict[Instance, tuple[int, ...]] = {}

    def put(part: isl.Map) -> None:
        name = part.get_tuple_name(isl.dim_type.in_)
        for instance, time in points(fixed(part, sizes)):
            found[(name, instance)] = time

    schedule.isl.get_map().intersect_domain(schedule.isl.get_domain()).foreach_map(put)
    return found


def violations(program: Program, schedule: Schedule, sizes: dict[str, int]) -> set[tuple[Instance, Instance]]:
    """All dependences that the schedule does not run forwards."""
    time = times(schedule, sizes)
    wrong = set()
    for d in flow_edges(program):
        for source, sink in points(fixed(d.relation, sizes)):
            a, b = (d.source.name, source), (d.sink.name, sink)
            if time[a] >= time[b]:
                wrong.add((a, b))
    return wrong


def read_instance(text: str) -> Instance:
    """S[t = 3, b = 0] -> ("S", (3, 0))."""
    name, inside = re.fullmatch(r"(\w+)\[(.*)\]", text).groups()  # type: ignore[union-attr]  # a test fails loudly
    return name, tuple(int(part.split("=")[1]) for part in inside.split(",") if part)
