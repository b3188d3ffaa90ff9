"""Naming a loop nest in a schedule tree, taking it apart, and putting it together again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import islpy as isl

from polyad import islx
from polyad.errors import ScheduleError
from polyad.schedule.tree.marks import Kind, in_threads
from polyad.schedule.tree.nodes import Band, Mark, Node, Order, partial_schedule, row_functions, walk

__all__ = [
    "BandName",
    "Dims",
    "LoopName",
    "Nest",
    "NestLoop",
    "as_band",
    "at_band",
    "at_loop",
    "blocks",
    "check_innermost",
    "check_name",
    "check_statement",
    "find_loop",
    "holds",
    "loops_over",
    "rebuild",
    "take_apart",
    "with_loop",
]

BandName = tuple[str, str] | tuple[str, str, int]
"""(statement, dimension): the outermost loop around the statement that runs over the dimension.

(statement, dimension, n): the loop that has n others of these around it, such as 1 for the loop in a tile. Loops over
the dimension alone count before the skewed ones, that run over others too."""


class LoopName(NamedTuple):
    """The name of a loop: the `around` of a band that was given without one is 0."""

    statement: str
    dim: str
    around: int = 0

    def __str__(self) -> str:
        """In the words of error messages."""
        others = f" that has {self.around} others around it" if self.around else ""
        return f"the loop over {self.dim} of {self.statement}{others}"


def as_band(value: object) -> LoopName:
    """Return a user's name of a band.

    Raises:
        ScheduleError: it is no statement with a dimension, and perhaps a number.
    """
    if isinstance(value, tuple | list) and len(value) in (2, 3) and all(isinstance(part, str) for part in value[:2]):
        around = value[2] if len(value) == 3 else 0
        if type(around) is int and around >= 0:
            return LoopName(value[0], value[1], around)
    raise ScheduleError(
        "a band is named by a statement and one of its dimensions, such as ('S', 't'), and, in tiles, the number of "
        f"loops over the dimension around it, such as ('S', 't', 1), not {value!r:.60}"
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
        mark: the mark above it, None when there is none.
    """

    function: isl.UnionPwAff
    coincident: bool
    permutable: bool
    options: isl.UnionSet | None
    mark: Kind | None


@dataclass(frozen=True, slots=True, eq=False)
class Nest:
    """Loops directly inside of each other, outermost first, and what is inside of all of them."""

    loops: tuple[NestLoop, ...]
    child: Node


def take_apart(node: Node) -> Nest:
    """The perfect nest that starts at a node, across bands and marks."""
    loops: list[NestLoop] = []
    marks: list[Kind] = []
    while isinstance(node, Band | Mark):
        if isinstance(node, Mark):
            marks.append(node.kind)
        else:
            for i in range(node.size):
                function = node.partial.get_at(i)
                mark = marks.pop() if marks and i == 0 else None
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


def with_loop(nest: Nest, index: int, loop: NestLoop) -> Node:
    """The tree of a nest with another loop in the place of one."""
    return rebuild(Nest((*nest.loops[:index], loop, *nest.loops[index + 1 :]), nest.child))


def _band(loops: Sequence[NestLoop], child: Node) -> Node:
    if not loops:
        return child
    options = next((loop.options for loop in loops if loop.options is not None), None)
    partial = partial_schedule([loop.function for loop in loops])
    return Band(
        partial, tuple(loop.coincident for loop in loops), all(loop.permutable for loop in loops), options, child
    )


def blocks(loop: NestLoop, size: int) -> NestLoop:
    """The loop over the first iteration of each block, size * floor(i / size), in threads where the loop is."""
    value = isl.Val(size)
    function = loop.function.scale_down_val(value).floor().scale_val(value)
    return replace(loop, function=function, mark=in_threads(loop.mark))


def loops_over(nest: Nest, band: LoopName, dims: Dims) -> list[int]:
    """The loops of a nest that run over a band's dimension: those over no other, then those over others too."""
    names = dims[band.statement]
    alone: list[int] = []
    mixed: list[int] = []
    for i, loop in enumerate(nest.loops):
        row = row_functions(loop.function).get(band.statement)
        over = [d for p, d in enumerate(names) if row is not None and row.involves_dims(isl.dim_type.in_, p, 1)]
        if band.dim in over:
            (alone if over == [band.dim] else mixed).append(i)
    return alone + mixed


def find_loop(nest: Nest, band: LoopName, dims: Dims) -> int | None:
    """The place of a loop in a nest, None where it is not there."""
    found = loops_over(nest, band, dims)
    return found[band.around] if band.around < len(found) else None


def check_innermost(nest: Nest, index: int, band: LoopName) -> None:
    """Refuse a loop that has others inside.

    Raises:
        ScheduleError: it is not innermost.
    """
    if index != len(nest.loops) - 1 or any(isinstance(n, Band) for n in walk(nest.child)):
        raise ScheduleError(f"{band} is not innermost; interchange or distribute it inwards first")


def check_name(dims: Dims, statement: str, dim: str) -> None:
    """Refuse names that no statement or dimension has.

    Raises:
        ScheduleError: the statement or the dimension does not exist.
    """
    check_statement(dims, statement)
    if dim not in dims[statement]:
        raise ScheduleError(
            f"statement {statement} has no dimension {dim!r}; "
            f"its instances are {statement}[{', '.join(dims[statement])}]"
        )


def check_statement(dims: Dims, statement: str) -> None:
    """Refuse a name that no statement has.

    Raises:
        ScheduleError: the statement does not exist.
    """
    if statement not in dims:
        raise ScheduleError(f"the schedule has no statement {statement!r}; it has {', '.join(dims)}")


def at_loop(tree: Node, dims: Dims, band: LoopName, change: Callable[[NestLoop], NestLoop]) -> Node:
    """Replace one loop of a nest, where that asks for nothing around or inside of it; raises what `at_band` does."""
    return at_band(tree, dims, band, lambda nest, index: with_loop(nest, index, change(nest.loops[index])))


def at_band(tree: Node, dims: Dims, band: LoopName, change: Callable[[Nest, int], Node]) -> Node:
    """Replace the nest that holds a loop by `change(nest, index of the loop)`, in every copy of an unrolled body.

    Raises:
        ScheduleError: there is no such statement, dimension or loop.
    """
    statement, dim, around = band
    check_name(dims, statement, dim)
    changed = _visit(tree, dims, band, change)
    if changed is None:
        which = f"runs over {dim}" if not around else f"over {dim} has {around} others of these around it"
        raise ScheduleError(f"no loop around statement {statement} {which}")
    return changed


def _visit(node: Node, dims: Dims, band: LoopName, change: Callable[[Nest, int], Node]) -> Node | None:
    """The changed subtree, or None when the loop is not in it."""
    match node:
        case Band() | Mark():
            nest = take_apart(node)
            found = loops_over(nest, band, dims)
            if band.around < len(found):
                return change(nest, found[band.around])
            inside = band._replace(around=band.around - len(found))
            child = _visit(nest.child, dims, inside, change)
            return None if child is None else _with_child(node, child)
        case Order(children):
            # A statement stands in several children where a loop was unrolled.
            changed = [
                _visit(child, dims, band, change) if holds(part, band.statement) else None for part, child in children
            ]
            if all(c is None for c in changed):
                return None
            return replace(
                node,
                children=tuple(
                    (part, child if new is None else new) for (part, child), new in zip(children, changed, strict=True)
                ),
            )
        case _:
            return None


def _with_child(node: Band | Mark, child: Node) -> Node:
    """The same nest with another tree inside of all its loops."""
    inner = node.child
    return replace(node, child=_with_child(inner, child) if isinstance(inner, Band | Mark) else child)


def holds(part: isl.UnionSet, statement: str) -> bool:
    """Whether a filter lets instances of a statement through."""
    return any(s.get_tuple_name() == statement for s in islx.sets(part))
