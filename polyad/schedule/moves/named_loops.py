"""The loops of a schedule tree under the names that transforms take, in the order in which they stand.

Which statement gives a loop its name follows from places, never from names: it is the first one that stands in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.schedule.transforms.nest import Dims, LoopName, Nest, find_loop, loops_over, take_apart
from polyad.schedule.tree.marks import Kind
from polyad.schedule.tree.nodes import Band, Leaf, Mark, Node, Order, row_functions, walk
from polyad.schedule.tree.placement import statements_at

__all__ = ["NamedLoop", "NamedNest", "Sequenced", "nests_and_sequences"]


@dataclass(frozen=True, slots=True)
class NamedLoop:
    """A loop.

    Attributes:
        band: its name.
        mark: how it runs.
        peers: of its statement, the dimensions whose loops stand in the same nest with as many of theirs around, from
            the outermost in: what an interchange may name together.
        extent: the number of its iterations, where that is the same for all sizes and no other loop runs over the
            dimension; else None.
        later: its names after the first statement of each child but the first of the sequence inside.
    """

    band: LoopName
    mark: Kind | None
    peers: tuple[str, ...]
    extent: int | None
    later: tuple[LoopName, ...]


@dataclass(frozen=True, slots=True)
class NamedNest:
    """Loops directly inside of each other.

    Attributes:
        loops: from the outermost in.
        outermost: no loop stands around them.
        innermost: no loop stands inside of them.
        divisible: inside of all of them stands a sequence.
    """

    loops: tuple[NamedLoop, ...]
    outermost: bool
    innermost: bool
    divisible: bool


@dataclass(frozen=True, slots=True)
class Sequenced:
    """A sequence.

    Attributes:
        children: of each child that begins with loops, its loops.
        first: of each child, its first statement.
    """

    children: tuple[tuple[NamedLoop, ...], ...]
    first: tuple[str, ...]


Around = tuple[Nest, ...]  # the nests that a node stands in, from the outermost in


def nests_and_sequences(tree: Node, domain: isl.UnionSet, dims: Dims) -> list[NamedNest | Sequenced]:
    """All nests and sequences of a tree, outer before inner, in order."""
    sets = {part.get_tuple_name(): part for part in islx.sets(domain)}
    return list(_visit(tree, _Walk(dims, sets, _places(sets)), (), [*dims]))


@dataclass(frozen=True, slots=True)
class _Walk:
    """The same on all the way through a tree.

    Attributes:
        sets: statement -> its instances.
        places: statement -> its place among those that stand in one leaf.
    """

    dims: Dims
    sets: Mapping[str, isl.Set]
    places: Mapping[str, tuple[int, str]]


def _places(sets: Mapping[str, isl.Set]) -> dict[str, tuple[int, str]]:
    """Statement -> a place that follows from its instances alone."""
    found = {}
    for name, part in sets.items():
        count = part.dim(isl.dim_type.set)
        found[name] = count, str(islx.name_dims(part.reset_tuple_id(), [f"i{i}" for i in range(count)]))
    return found


def _visit(node: Node, walked: _Walk, around: Around, active: Sequence[str]) -> Iterator[NamedNest | Sequenced]:
    match node:
        case Band() | Mark():
            nest = take_apart(node)
            inside = nest.child.children if isinstance(nest.child, Order) and nest.child.ordered else ()
            first = _statements(nest.child, active, walked)
            later = [_statements(child, statements_at(part), walked)[0] for part, child in inside[1:]]
            loops = (_named(nest, i, first, later, walked, around) for i in range(len(nest.loops)))
            yield NamedNest(
                tuple(loop for loop in loops if loop is not None),
                not any(n.loops for n in around),
                not any(isinstance(n, Band) for n in walk(nest.child)),
                len(inside) > 1,
            )
            yield from _visit(nest.child, walked, (*around, nest), active)
        case Order(children, ordered):
            if ordered and len(children) > 1:
                yield Sequenced(
                    tuple(_outer_loops(c, statements_at(part), walked, around) for part, c in children),
                    tuple(_statements(c, statements_at(part), walked)[0] for part, c in children),
                )
            for part, child in children:
                yield from _visit(child, walked, around, statements_at(part))
        case Leaf():
            pass


def _outer_loops(node: Node, active: Sequence[str], walked: _Walk, around: Around) -> tuple[NamedLoop, ...]:
    if not isinstance(node, Band | Mark):
        return ()
    first = next(_visit(node, walked, around, active))
    assert isinstance(first, NamedNest)  # a band, or a mark above one
    return first.loops


def _statements(node: Node, active: Sequence[str], walked: _Walk) -> list[str]:
    """The statements of a subtree in the order in which they stand."""
    match node:
        case Band(child=child) | Mark(child=child):
            return _statements(child, active, walked)
        case Order(children):
            return [s for part, child in children for s in _statements(child, statements_at(part), walked)]
        case _:
            return sorted(active, key=lambda s: walked.places[s])


def _named(
    nest: Nest, index: int, first: Sequence[str], later: Sequence[str], walked: _Walk, around: Around
) -> NamedLoop | None:
    """A loop under the name that its first statement gives it; None where it runs over nothing that has a name."""
    found = next((name for s in first if (name := _name_by(s, nest, index, walked, around)) is not None), None)
    if found is None:
        return None
    inside = loops_over(nest, found, walked.dims).index(index)
    others = [_name_by(s, nest, index, walked, around) for s in later]
    names = tuple(name for name in others if name is not None)
    peers = _peers(nest, found, inside, walked.dims)
    alone = not found.around and len(loops_over(nest, found, walked.dims)) == 1
    return NamedLoop(found, nest.loops[index].mark, peers, _extent(found, walked) if alone else None, names)


def _extent(name: LoopName, walked: _Walk) -> int | None:
    """The values that a dimension takes, if they are as many for all sizes."""
    part, position = walked.sets[name.statement], walked.dims[name.statement].index(name.dim)
    low, high = part.dim_min_val(position), part.dim_max_val(position)
    return int(high.to_python()) - int(low.to_python()) + 1 if low.is_int() and high.is_int() else None


def _name_by(statement: str, nest: Nest, index: int, walked: _Walk, around: Around) -> LoopName | None:
    """The name that a statement gives a loop: the first of its dimensions that the loop runs over."""
    row = row_functions(nest.loops[index].function).get(statement)
    for position, dim in enumerate(walked.dims[statement]):
        if row is not None and row.involves_dims(isl.dim_type.in_, position, 1):
            name = LoopName(statement, dim)
            inside = loops_over(nest, name, walked.dims).index(index)
            return name._replace(around=inside + sum(len(loops_over(n, name, walked.dims)) for n in around))
    return None


def _peers(nest: Nest, name: LoopName, inside: int, dims: Dims) -> tuple[str, ...]:
    places: dict[int, str] = {}
    for dim in dims[name.statement]:
        found = find_loop(nest, LoopName(name.statement, dim, inside), dims)
        if found is not None:
            places.setdefault(found, dim)
    return tuple(places[i] for i in sorted(places))
