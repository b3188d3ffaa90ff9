"""Naming a loop nest in a schedule tree, taking it apart, and putting it together again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad.errors import ScheduleError
from polyad.schedule.tree import Band, Mark, Node, Order, partial_schedule, row_functions

__all__ = [
    "BandName",
    "Dims",
    "Nest",
    "NestLoop",
    "as_band",
    "at_band",
    "check_name",
    "find_loop",
    "holds",
    "rebuild",
    "take_apart",
]

BandName = tuple[str, str]
"""(statement, dimension): the outermost loop around the statement that runs over the dimension.

In a skewed nest the loop over the dimension alone, where there is one."""


def as_band(value: object) -> BandName:
    """What a user gave as the name of a band.

    Raises:
        ScheduleError: it is no statement with a dimension.
    """
    if isinstance(value, tuple | list) and len(value) == 2 and all(isinstance(part, str) for part in value):
        return (value[0], value[1])
    raise ScheduleError(
        f"a band is named by a statement and one of its dimensions, such as ('S', 't'), not {value!r:.60}"
    )


Dims = Mapping[str, tuple[str, ...]]  # statement name -> dimension names


@dataclass(frozen=True, slots=True, eq=False)
class NestLoop:
    """One loop: the row of every statement, and what stood on its band.

    Attributes:
        function: { S[i] -> [row] }.
        coincident: the band's flag for it.
        permutable: the band's flag.
        options: AST build options of the band.
        mark: the mark above it, "" when there is none.
    """

    function: isl.UnionPwAff
    coincident: bool
    permutable: bool
    options: isl.UnionSet | None
    mark: str


@dataclass(frozen=True, slots=True, eq=False)
class Nest:
    """Loops directly inside of each other, outermost first, and what is inside of all of them."""

    loops: tuple[NestLoop, ...]
    child: Node


def take_apart(node: Node) -> Nest:
    """The perfect nest that starts at a node, across bands and marks."""
    loops: list[NestLoop] = []
    marks: list[str] = []
    while isinstance(node, Band | Mark):
        if isinstance(node, Mark):
            marks.append(node.name)
        else:
            for i in range(node.size):
                function = node.partial.get_at(i)
                mark = marks.pop() if marks and i == 0 else ""
                loops.append(NestLoop(function, node.coincident[i], node.permutable, node.options, mark))
        node = node.child
    return Nest(tuple(loops), node)


def rebuild(nest: Nest) -> Node:
    """The tree of a nest: a marked loop is a band of its own, others share one."""
    result = nest.child
    group: list[NestLoop] = []
    for loop in reversed(nest.loops):
        if loop.mark:
            result = _band(group, result)
            result = Mark(loop.mark, _band([loop], result))
            group = []
        else:
            group.insert(0, loop)
    return _band(group, result)


def _band(loops: Sequence[NestLoop], child: Node) -> Node:
    if not loops:
        return child
    options = next((loop.options for loop in loops if loop.options is not None), None)
    partial = partial_schedule([loop.function for loop in loops])
    return Band(
        partial, tuple(loop.coincident for loop in loops), all(loop.permutable for loop in loops), options, child
    )


def find_loop(nest: Nest, statement: str, dim: str, dims: Dims) -> int | None:
    """The outermost loop of a nest that runs over a dimension of a statement and no other, else over it at all."""
    names = dims[statement]
    mixed: int | None = None
    for i, loop in enumerate(nest.loops):
        row = row_functions(loop.function).get(statement)
        over = [d for p, d in enumerate(names) if row is not None and row.involves_dims(isl.dim_type.in_, p, 1)]
        if over == [dim]:
            return i
        if dim in over and mixed is None:
            mixed = i
    return mixed


def check_name(dims: Dims, statement: str, dim: str) -> None:
    """Refuse names that no statement or dimension has.

    Raises:
        ScheduleError: the statement or the dimension does not exist.
    """
    if statement not in dims:
        raise ScheduleError(f"the schedule has no statement {statement!r}; it has {', '.join(dims)}")
    if dim not in dims[statement]:
        raise ScheduleError(
            f"statement {statement} has no dimension {dim!r}; "
            f"its instances are {statement}[{', '.join(dims[statement])}]"
        )


def at_band(tree: Node, dims: Dims, band: BandName, change: Callable[[Nest, int], Node]) -> Node:
    """Replace the nest that holds a loop by `change(nest, index of the loop)`.

    Raises:
        ScheduleError: there is no such statement, dimension or loop.
    """
    statement, dim = band
    check_name(dims, statement, dim)
    changed = _visit(tree, dims, band, change)
    if changed is None:
        raise ScheduleError(f"no loop around statement {statement} runs over {dim}")
    return changed


def _visit(node: Node, dims: Dims, band: BandName, change: Callable[[Nest, int], Node]) -> Node | None:
    """The changed subtree, or None when the loop is not in it."""
    match node:
        case Band() | Mark():
            nest = take_apart(node)
            index = find_loop(nest, *band, dims)
            if index is not None:
                return change(nest, index)
            child = _visit(nest.child, dims, band, change)
            return None if child is None else _with_child(node, child)
        case Order(children):
            for i, (part, child) in enumerate(children):
                if holds(part, band[0]):
                    changed = _visit(child, dims, band, change)
                    if changed is not None:
                        return replace(node, children=(*children[:i], (part, changed), *children[i + 1 :]))
            return None
        case _:
            return None


def _with_child(node: Band | Mark, child: Node) -> Node:
    """The same nest with another tree inside of all its loops."""
    inner = node.child
    return replace(node, child=_with_child(inner, child) if isinstance(inner, Band | Mark) else child)


def holds(part: isl.UnionSet, statement: str) -> bool:
    """Whether a filter lets instances of a statement through."""
    names: list[str] = []
    part.foreach_set(lambda s: names.append(s.get_tuple_name()))
    return statement in names
