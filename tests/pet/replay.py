"""A loop nest run from what pet saw of it, an instance at a time: a second opinion on what extraction says.

Instances run in the order of the schedule. Each expression is evaluated as C evaluates it, except that all
floating-point numbers are doubles. A cell that nobody has written, or whose content was killed, cannot be read.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import islpy as isl
import numpy as np

from polyad.pet.prototype import Function
from polyad.pet.scop import Access, Affine, Call, Cast, Node, Number, Operation, Scop, ScopStatement

__all__ = ["replay"]

Cells = dict[str, dict[tuple[int, ...], Any]]  # of arrays by name; a scalar is the cell () of its array

FUNCTIONS: dict[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in "exp log sqrt tanh fabs pow sin cos floor ceil".split()},
    "fmax": max,
    "fmin": min,
}
OPERATORS: dict[str, Callable[..., Any]] = {
    **{word: getattr(operator, word) for word in "add sub mul eq ne le ge lt gt".split()},
    "minus": operator.neg,
}
UPDATES = {"add_assign": "add", "sub_assign": "sub", "mul_assign": "mul", "div_assign": "div"}


class Undefined(Exception):
    """A subscript has no value for this instance."""


class _Replay:
    def __init__(self, scop: Scop, sizes: Mapping[str, int], cells: Cells) -> None:
        self.scop = scop
        self.sizes = sizes
        self.cells = cells

    def run(self) -> None:
        instances: list[tuple[list[int], list[int], ScopStatement]] = []
        by_name = {statement.name: statement for statement in self.scop.statements}
        relations: list[isl.Map] = []
        self.scop.schedule.get_map().intersect_domain(self.scop.schedule.get_domain()).foreach_map(relations.append)
        for relation in relations:
            statement = by_name[relation.get_tuple_name(isl.dim_type.in_)]
            depth = relation.dim(isl.dim_type.in_)
            timed = self.fixed(relation.wrap())
            assert timed.is_bounded(), f"{statement.name} has no end"
            points: list[isl.Point] = []
            timed.foreach_point(points.append)
            for point in points:
                values = _coordinates(point)
                instances.append((values[depth:], values[:depth], statement))
        for _, at, statement in sorted(instances, key=lambda instance: instance[:2]):
            if all(self.holds(node, value, at) for node, value in statement.guards):
                self.execute(statement.body, at)

    def fixed(self, points: isl.Set) -> isl.Set:
        """The points for these sizes."""
        for k in range(points.dim(isl.dim_type.param)):
            points = points.fix_val(
                isl.dim_type.param, k, isl.Val(self.sizes[points.get_dim_name(isl.dim_type.param, k)])
            )
        return points

    def holds(self, node: Node, value: int, at: list[int]) -> bool:
        """Whether a guard lets an instance run; one that is not there, as of a break before the first turn, does."""
        try:
            return int(self.value(node, at)) == value
        except Undefined:
            return True

    def execute(self, body: Node, at: list[int]) -> None:
        assert isinstance(body, Operation)
        target = body.arguments[0]
        assert isinstance(target, Access)
        content = self.cells.setdefault(target.array, {})
        if body.op == "kill":
            content.clear()
            return
        value = self.value(body.arguments[1], at)
        place = self.place(target, at)
        if body.op != "assign":
            value = self.combined(UPDATES[body.op], [self.content(target.array, place), value], integer=body.bits != 0)
        content[place] = int(value) if self.scop.arrays[target.array].type == "int" else value

    def place(self, access: Access, at: list[int]) -> tuple[int, ...]:
        found = [*at, *(self.value(argument, at) for argument in access.arguments)]
        return tuple(self.at(access.index.get_at(k), found) for k in range(access.index.dim(isl.dim_type.out)))

    def content(self, array: str, place: tuple[int, ...]) -> Any:
        content = self.cells.get(array, {})
        assert place in content, f"{array}{list(place)} is read, but holds nothing"
        return content[place]

    def at(self, value: isl.PwAff, coordinates: list[int]) -> int:
        space = value.get_domain_space()
        point = isl.Point.zero(space)
        for k in range(space.dim(isl.dim_type.param)):
            name = space.get_dim_name(isl.dim_type.param, k)
            point = point.set_coordinate_val(isl.dim_type.param, k, isl.Val(self.sizes[name]))
        for k, coordinate in enumerate(coordinates):
            point = point.set_coordinate_val(isl.dim_type.set, k, isl.Val(coordinate))
        result = value.eval(point)
        if result.is_nan():
            raise Undefined
        return int(result.to_python())

    def value(self, node: Node, at: list[int]) -> Any:
        match node:
            case Access(array=array):
                return self.content(array, self.place(node, at))
            case Affine(value=value):
                return self.at(value, at)
            case Number(text=text, bits=bits):
                return int(text) if bits else float(text.rstrip("fFlL"))
            case Call(name=name, arguments=arguments):
                function = FUNCTIONS[name] if name in FUNCTIONS else FUNCTIONS[name.removesuffix("f")]
                return function(*(self.value(argument, at) for argument in arguments))
            case Cast(type=type_, argument=argument):
                return int(self.value(argument, at)) if type_ == "int" else float(self.value(argument, at))
            case Operation(op="cond", arguments=(condition, then, otherwise)):
                return self.value(then if self.value(condition, at) else otherwise, at)
            case Operation(op="land", arguments=(left, right)):
                return bool(self.value(left, at)) and bool(self.value(right, at))
            case Operation(op="lor", arguments=(left, right)):
                return bool(self.value(left, at)) or bool(self.value(right, at))
            case Operation(op=op, arguments=arguments, bits=bits):
                return self.combined(op, [self.value(argument, at) for argument in arguments], integer=bits != 0)

    def combined(self, op: str, values: list[Any], *, integer: bool) -> Any:
        if op == "div":
            with np.errstate(all="ignore"):  # 0.0 / 0.0 is NaN in C
                return int(values[0] / values[1]) if integer else float(np.divide(*values))
        return OPERATORS[op](*values)


def _coordinates(point: isl.Point) -> list[int]:
    dims = point.get_space().dim(isl.dim_type.set)
    return [int(point.get_coordinate_val(isl.dim_type.set, k).to_python()) for k in range(dims)]


def replay(scop: Scop, function: Function, arguments: Mapping[str, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays after a loop nest.

    Args:
        scop: the loop nest.
        function: the function around it.
        arguments: of all parameters of its function, by name.
    """
    sizes = {name: value for name, value in arguments.items() if isinstance(value, int)}
    shapes = {
        p.name: [int(eval(extent, {}, sizes)) for extent in p.shape] for p in function.parameters if p.flat
    }  # of arrays that are flat in C and have more dimensions in the loop nest
    arguments = {n: np.reshape(value, shapes[n]) if n in shapes else value for n, value in arguments.items()}
    cells: Cells = {
        name: {place: value.item() for place, value in np.ndenumerate(np.asarray(values))}
        for name, values in arguments.items()
    }
    _Replay(scop, sizes, cells).run()
    after = {}
    for name, values in arguments.items():
        if isinstance(values, np.ndarray):
            after[name] = np.empty(values.shape)
            for place in np.ndindex(values.shape):
                after[name][place] = cells[name][place]
            assert len(cells[name]) == values.size, f"{name} is written outside of its extents"
    return after
