"""Nests that the macro-kernel of polyad_contraction.h computes: marked loops around one sum of products.

A mark asks for it; what the loops turned out to be decides. A nest is taken when it is perfect, its bounds do not
depend on its own iterators, and the position of each operand in memory is a sum of terms of one iterator each. Any
other nest is printed as the loops it is: slower, never different.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import replace

from polyad.analysis.contraction import Contractions
from polyad.codegen.loops.how import Macro, Serial, is_jammed
from polyad.codegen.loops.loop_values import Value, add, map_value, names_of, scale
from polyad.codegen.loops.nodes import Block, Contraction, ContractionAxis, Instance, Loop, Node, Operand, Shape
from polyad.codegen.loops.statement_accesses import index_of
from polyad.codegen.loops.traversal import expand
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.array import Array
from polyad.ir.expr import Access
from polyad.ir.polynomials import Polynomial, polynomial, product, total
from polyad.ir.statement import Statement

__all__ = ["is_share", "mark_contractions", "perfect_nest", "shape_of", "trip_count"]

GROUP = 4
"""Loops in a group: PA_GROUP of polyad_contraction.h."""


def mark_contractions(root: Block, contractions: Contractions, jammed: bool = False) -> Block:
    """Put the nests that are marked and perfect into `Contraction` nodes.

    Args:
        root: the loops of the schedule.
        contractions: of the program, as the scheduler had them.
        jammed: a loop around runs several iterations statement by statement, so statements stay.
    """

    def one(node: Node) -> Sequence[Node] | None:
        match node:
            case Loop(how=Macro(mark)):
                return None if jammed else [_taken(node, mark, contractions)]
            case Loop(how=how, body=body) if is_jammed(how):
                return [replace(node, body=mark_contractions(body, contractions, jammed=True))]
            case _:
                return None

    return expand(one, root)


def _taken(loop: Loop, mark: int | None, contractions: Contractions) -> Node:
    found = perfect_nest(loop)
    if found is None:
        return loop
    loops, instance = found
    own = {inner.iterator for inner in loops}
    rectangular = not any((names_of(inner.first) | names_of(inner.last)) & own for inner in loops)
    summed = contractions.get(instance.statement)
    if not rectangular or summed is None or not summed.fits_kernel:
        return loop
    return Contraction(replace(loop, how=Serial()), summed, mark=mark)


def perfect_nest(loop: Loop) -> tuple[list[Loop], Instance] | None:
    """The loops of a perfect nest and the one instance in it; None for another nest."""
    loops = [loop]
    while True:
        children = loops[-1].body.children
        if len(children) != 1:
            return None
        match children[0]:
            case Loop() as inner:
                loops.append(inner)
            case Instance() as instance:
                return loops, instance
            case _:
                return None


def shape_of(
    node: Contraction,
    arrays: Mapping[str, Array],
    slots: Mapping[str, Mapping[int, int]],
    skewed: Container[str],
) -> Shape | None:
    """Return the shape of a nest for the macro-kernel, None where its operands do not lie in memory as it needs them.

    Args:
        node: the nest.
        arrays: by name.
        slots: array -> dimension -> slots of its circular buffer.
        skewed: arrays that do not lie in row-major order.
    """
    found = perfect_nest(node.nest)
    assert found is not None, "a contraction is a perfect nest"
    loops, instance = found
    summed = node.summed
    if summed is None:
        return None
    statement = summed.statement
    values = dict(zip(statement.dims, instance.args, strict=True))
    strides: list[dict[str, Polynomial]] = []
    starts: list[Operand] = []
    for name, access in zip((statement.array, summed.a.array, summed.b.array), summed.accesses, strict=True):
        index = _index(access, statement, values)
        along = _strides(index, arrays[name], slots.get(name, {}), {inner.iterator: inner.step for inner in loops})
        if along is None or name in skewed:
            return None
        strides.append(along)
        starts.append(Operand(name, index))
    axes = [
        ContractionAxis((i,), trip_count(i), (strides[0][i.iterator], strides[1][i.iterator], strides[2][i.iterator]))
        for i in loops
    ]
    if not _distinct(starts[0].index, loops):
        return None
    moved = {i.iterator: {d for d, value in values.items() if i.iterator in value.names()} for i in loops}
    rows, columns, sums = (
        [x for x, dims in zip(axes, moved.values(), strict=True) if dims <= group]
        for group in (summed.rows, summed.columns, summed.sums)
    )
    if len(rows) + len(columns) + len(sums) != len(axes):
        return None  # a loop along dimensions of several groups, or of the batch
    one = {(): 1}
    if any(x.strides[0] == one for x in rows) and not any(x.strides[0] == one for x in columns):
        # Tiles run along memory in c: a and b change places.
        rows, columns = [_swapped(x) for x in columns], [_swapped(x) for x in rows]
        sums = [_swapped(x) for x in sums]
        starts = [starts[0], starts[2], starts[1]]
    groups = [_joined(_ordered(axes, operand)) for axes, operand in ((rows, 0), (columns, 0), (sums, 1))]
    if any(len(g) > GROUP for g in groups):
        return None
    m, n, k = map(tuple, groups)
    result, first_operand, second_operand = starts
    weights = tuple(Operand(w.array, _index(w.access, statement, values)) for w in summed.weights)
    return Shape(m, n, k, result, first_operand, second_operand, summed.scale, weights, statement.body.dtype)


def _index(access: Access, statement: Statement, values: Mapping[str, Affine]) -> tuple[Affine, ...]:
    return tuple(i.substitute(values) for i in index_of(access, statement.dims) if i is not None)


def _distinct(index: Sequence[Affine], loops: Sequence[Loop]) -> bool:
    """Whether an element tells its iterators: one index after another tells those that are not known yet."""
    iterators = {i.iterator for i in loops}
    moved = [i.names() & iterators for i in index]
    needed: set[str] = set().union(*moved)
    known: set[str] = set()
    while new := {n for i, names in zip(index, moved, strict=True) for n in _told(i, names - known, loops)}:
        known |= new
    return known == needed


def _told(index: Affine, unknown: Set[str], loops: Sequence[Loop]) -> Set[str]:
    """The iterators that an index tells: one, or those that count like digits, as i and j < 28 in 28 i + j."""
    if len(unknown) < 2:
        return unknown
    steps = {i.iterator: abs(i.step) for i in loops}
    counts = {i.iterator: trip_count(i) for i in loops}
    reach = 0  # of all digits below
    for weight, name in sorted((abs(c) * steps[a], a) for a, c in index.terms if isinstance(a, str) and a in unknown):
        count = counts[name]
        if weight <= reach or not isinstance(count, Affine) or not count.is_constant:
            return frozenset()
        reach += weight * (count.constant - 1)
    plain = {a for a, _ in index.terms if isinstance(a, str)}
    quotients = {n for a, _ in index.terms if not isinstance(a, str) for n in a.numerator.names()}
    return unknown if unknown <= plain - quotients else frozenset()


def _strides(
    index: Sequence[Affine], array: Array, slots: Mapping[int, int], steps: Mapping[str, int]
) -> dict[str, Polynomial] | None:
    """How far an element moves in memory with each step of an iterator; None where that is not one number."""
    result: dict[str, Polynomial] = {n: {} for n in steps}
    weight: Polynomial = {(): 1}
    for d in reversed(range(len(index))):
        value = index[d]
        if any(isinstance(atom, FloorDiv) and atom.numerator.names() & steps.keys() for atom, _ in value.terms):
            return None
        moved = {atom: c for atom, c in value.terms if isinstance(atom, str) and atom in result}
        if d in slots:
            if moved and slots[d] > 1:
                return None
        else:
            for name, coefficient in moved.items():
                result[name] = total([result[name], product(weight, {(): coefficient * steps[name]})])
        weight = product(weight, polynomial(Affine.of(slots.get(d, array.shape[d]))))
    return result


def is_share(shape: Shape, sizes: Container[str]) -> bool:
    """Whether the macro-kernel may find another order of the sum right for another number of threads.

    It computes few rows as products of rows of memory, where both operands are contiguous along the sum. In the part of
    a batch that a thread takes, how many rows there are follows from how many threads there are, and not from sizes.
    """
    one = {(): 1}
    along = all(x.strides[1] == one and x.strides[2] == one for x in shape.sums)
    return along and any(name not in sizes for axis in shape.rows for name in names_of(axis.count))


def trip_count(loop: Loop) -> Value:
    """The number of iterations, below 1 for none."""
    low, high = loop.limits
    span = add(high, scale(low, -1))
    step = abs(loop.step)
    if step == 1:
        return add(span, Affine.of(1))
    return map_value(lambda v: (v + step) // step, span)


def _swapped(axis: ContractionAxis) -> ContractionAxis:
    c, a, b = axis.strides
    return replace(axis, strides=(c, b, a))


def _ordered(axes: Sequence[ContractionAxis], operand: int) -> list[ContractionAxis]:
    """The axis along which an operand is contiguous last, the others as they were."""
    last = [x for x in axes if x.strides[operand] == {(): 1}]
    return [x for x in axes if not any(x is y for y in last[:1])] + last[:1]


def _joined(axes: Sequence[ContractionAxis]) -> list[ContractionAxis]:
    """Neighbours that are one loop as far as memory goes: each step of the outer is all of the inner."""
    result: list[ContractionAxis] = []
    for axis in axes:
        while result and (joined := _as_one(result[-1], axis)) is not None:
            result.pop()
            axis = joined
        result.append(axis)
    return result


def _as_one(outer: ContractionAxis, inner: ContractionAxis) -> ContractionAxis | None:
    count, times = inner.count, outer.count
    if not isinstance(count, Affine) or not isinstance(times, Affine) or not (count.is_constant or times.is_constant):
        return None  # the product of the counts is no affine number
    if any(product(s, polynomial(count)) != t for s, t in zip(inner.strides, outer.strides, strict=True)):
        return None
    both = times * count.constant if count.is_constant else count * times.constant
    return ContractionAxis((*outer.loops, *inner.loops), both, inner.strides)
