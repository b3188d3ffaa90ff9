"""Contractions and the packing of their operands, as events.

A contraction reads and adds as its nest does. What the macro-kernel is told of it (where operands begin, strides,
counts) is compared with where the elements of the nest lie, as polynomials in sizes, iterators around, and numbers of
iterations: they agree at all sizes or are taken not to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from polyad.codegen.certify.symbolic.events import Event, NotModelledError
from polyad.codegen.certify.symbolic.recorder import Here, Recorder, SymbolicVariable
from polyad.codegen.loops.contractions import perfect_nest, trip_count
from polyad.codegen.loops.instance import Instance
from polyad.codegen.loops.isl_words import isl_affine
from polyad.codegen.loops.loop_values import Value
from polyad.codegen.loops.nodes import Contraction, ContractionAxis, Loop, Operand, Pack, Shape
from polyad.codegen.loops.statement_accesses import Touch, cell_of
from polyad.codegen.storage.packing import EXTRA
from polyad.ir.affine import Affine
from polyad.ir.polynomials import Polynomial, polynomial, product, total

__all__ = ["record_contraction", "record_pack"]


def record_contraction(
    recorder: Recorder, node: Contraction, here: Here, position: int, panels: Mapping[str, SymbolicVariable]
) -> int:
    """The events of a contraction; the last position that it takes.

    Raises:
        NotModelledError: it may not do what its nest does.
    """
    shape, found = node.shape, perfect_nest(node.nest)
    if shape is None or found is None:
        raise NotModelledError("a contraction has no shape")
    loops, instance = found
    write, *reads = recorder.plan.known.touches[instance.statement]
    accessed = [_cell(t, instance) for t in (write, *reads)]
    if instance.locals:
        raise NotModelledError("a contraction does not multiply elements in memory")
    weights = _weights(shape, reads, accessed[1:])
    reads = [t for i, t in enumerate(reads) if i not in weights]
    alone = [accessed[1 + i] for i in weights]
    accessed = [c for i, c in enumerate(accessed) if i - 1 not in weights]
    if len(reads) != 2:
        raise NotModelledError("a contraction does not multiply two elements")
    told = _Told(recorder, shape, loops)
    told.counts("cab")
    orders = [(0, 1), (1, 0)]
    if not told.agrees("c", write.array, accessed[0]):
        raise NotModelledError("the macro-kernel adds to another element")
    order = next(
        (
            o
            for o in orders
            if all(told.agrees(name, reads[i].array, accessed[1 + i]) for name, i in zip("ab", o, strict=True))
        ),
        None,
    )
    if order is None:
        raise NotModelledError("the macro-kernel multiplies other elements")
    inside = here
    for loop in loops:
        inside = inside.inside(loop, position + 1)
    _distinct(recorder, shape, here.depth, loops, inside, write.array, accessed[0])
    if node.fresh:
        _made(recorder, here, inside, write, accessed[0], position, instance)
    title, begin = instance.statement, len(recorder.events)
    for i, touch in enumerate(reads):
        if node.packed and i == order[1]:
            if node.packed not in panels:
                raise NotModelledError(f"{node.packed} is not packed before")
            own = [a - told.first[loop.iterator] for loop in told.panel for a in [Affine.of(loop.iterator)]]
            numbers = [_divided(a, loop.step) for a, loop in zip(own, told.panel, strict=True)]
            panel = panels[node.packed]
            recorder.in_variable(inside, "read", title, panel, numbers, touch.array, accessed[1 + i], 2 * position + 2)
        else:
            recorder.access(inside, "read", title, touch.array, accessed[1 + i], 2 * position + 2)
    for weight, cell in zip(shape.weights, alone, strict=True):
        recorder.access(inside, "read", title, weight.array, cell, 2 * position + 2)
    recorder.access(inside, "contribute", title, write.array, accessed[0], 2 * position + 3)
    _apart(recorder.events[begin:], here.depth)
    recorder.executed(inside, instance)
    return position + 1


def _weights(shape: Shape, reads: Sequence[Touch], cells: Sequence[Sequence[Affine]]) -> list[int]:
    """Return the reads that are the weights the macro-kernel is told of, in their order."""
    found: list[int] = []
    for weight in shape.weights:
        same = (i for i, t in enumerate(reads) if t.array == weight.array and tuple(cells[i]) == tuple(weight.index))
        place = next((i for i in same if i not in found), None)
        if place is None:
            raise NotModelledError("the macro-kernel multiplies with another element")
        found.append(place)
    return found


def _distinct(
    recorder: Recorder,
    shape: Shape,
    depth: int,
    loops: Sequence[Loop],
    inside: Here,
    array: str,
    index: tuple[Affine, ...],
) -> None:
    """Each row and column has an element of its own: the macro-kernel adds up several of them side by side."""
    cell = recorder.texts(recorder.cells.place(array).index(index), inside)
    found = recorder.map(inside.dims, "p", "", [*inside.dims[:depth], *cell])
    found = found.intersect_domain(recorder.where(inside, "p"))
    sums = {loop.iterator for axis in shape.sums for loop in axis.loops}
    for d in reversed(range(len(loops))):
        if loops[d].iterator in sums:
            found = found.project_out(isl.dim_type.in_, depth + d, 1)
    if not found.is_injective():
        raise NotModelledError("the macro-kernel may add two sums to one element")


def _apart(events: Sequence[Event], depth: int) -> None:
    """The macro-kernel reads and adds in an order of its own: it adds to no cell that it reads."""
    added = events[-1]
    for read in events[:-1]:
        if read.piece != added.piece:
            continue
        if read.space != added.space:
            raise NotModelledError("a contraction adds to where it may read")
        both = read.cell.apply_range(added.cell.reverse())
        for d in range(depth):
            both = both.equate(isl.dim_type.in_, d, isl.dim_type.out, d)
        if not both.is_empty():
            raise NotModelledError("a contraction adds to where it reads")


def _divided(value: Affine, step: int) -> Affine:
    return value // step if step > 0 else (-value) // -step


def _made(
    recorder: Recorder,
    here: Here,
    inside: Here,
    write: Touch,
    index: tuple[Affine, ...],
    position: int,
    instance: Instance,
) -> None:
    """The elements that a fresh contraction makes, before it adds to them."""
    array = write.array
    extra = [f"e{d}" for d in range(len(index))]
    to = [*here.dims, *recorder.texts(index, inside)]
    where = recorder.map(inside.dims, "p", "q", to).intersect_domain(recorder.where(inside, "p")).range()
    place, variable = recorder.cells.place(array), here.scope.get(array)
    cell = [isl_affine(i) for i in place.index([Affine.of(e) for e in extra])]
    space, piece = place.space, place.piece
    if variable is not None:
        space = piece = variable.name
        cell = [*here.dims[: variable.depth], *cell]
    title = f"the contraction of {instance.statement}"
    recorder.record(here, "define", title, space, cell, piece, array, extra, 2 * position, where, extra)
    recorder.made.add(recorder.events[-1].name)


def record_pack(recorder: Recorder, node: Pack, here: Here, position: int) -> SymbolicVariable:
    """The events of packing an operand; the cells of its panels."""
    shape = node.contraction.shape
    if shape is None:
        raise NotModelledError("a contraction has no shape")
    if here.section is not None or here.constructs:
        raise NotModelledError("an operand is packed by several threads")
    told = _Told(recorder, shape, [])
    inside, position = here, 2 * position
    numbers = {loop.iterator: f"{loop.iterator} of {node.name}" for loop in told.panel}
    for loop in told.panel:
        from_0 = Loop(numbers[loop.iterator], Affine.of(0), told.trip(loop) - 1, 1, loop.body)
        inside = inside.inside(from_0, position // 2)
    at = {n: told.first[n] + Affine.of(number) * told.step[n] for n, number in numbers.items()}
    index = tuple(i.substitute(at) for i in shape.b.index)
    told.counts("b")
    if not told.agrees("b", shape.b.array, shape.b.index):
        raise NotModelledError(f"the macro-kernel packs other elements into {node.name}")
    _fits(recorder, node.name, shape)
    panel = SymbolicVariable(f"k{recorder.number()}", here.depth, None)
    own = [Affine.of(number) for number in numbers.values()]
    title = f"packing {node.name}"
    recorder.access(inside, "take", title, shape.b.array, index, position)
    recorder.in_variable(inside, "put", title, panel, own, shape.b.array, index, position + 1)
    return panel


def _fits(recorder: Recorder, name: str, shape: Shape) -> None:
    """Panels are as large as the macro-kernel may fill them."""
    columns, sums = ([axis.count for axis in group] for group in (shape.columns, shape.sums))
    extents = [c for c in (*columns, *sums) if isinstance(c, Affine)]
    moving = [c for c in columns if isinstance(c, Affine) and not c.is_constant]
    if len(extents) < len(columns) + len(sums) or len(moving) > 1:
        raise NotModelledError(f"it cannot be told how large {name} is")
    width = moving[0] if moving else Affine.of(1)
    for count in columns:
        width = width * count.constant if isinstance(count, Affine) and count.is_constant else width
    plan = recorder.plan
    room = plan.storage.memory.slots[plan.known.places[name]].extents
    one = Affine.of(1)
    own = [*extents[len(columns) :], width + EXTRA]
    recorder.cells.fits(name, [e for e in own if e != one], [e for e in room if e != one])


class _Told:
    """The description of a nest that the macro-kernel gets, as polynomials.

    Attributes:
        first: iterator -> its first value.
        step: iterator -> its step.
        panel: the loops of columns and sums, in the order of panels.
    """

    def __init__(self, recorder: Recorder, shape: Shape, nest: Sequence[Loop]) -> None:
        self.recorder, self.shape = recorder, shape
        axes = [*shape.rows, *shape.columns, *shape.sums]
        loops = [loop for axis in axes for loop in axis.loops]
        if nest and sorted(id(x) for x in loops) != sorted(id(x) for x in nest):
            same = {loop.iterator: (loop.first, loop.last, loop.step) for loop in loops}
            if same != {loop.iterator: (loop.first, loop.last, loop.step) for loop in nest}:
                raise NotModelledError("the macro-kernel is told of other loops")
        # Where a first value is the least of several numbers, or their number is, a name stands for it.
        self.first = {
            x.iterator: x.first if isinstance(x.first, Affine) else Affine.of(f"{x.iterator}@") for x in loops
        }
        self.step = {loop.iterator: loop.step for loop in loops}
        self.panel = [loop for axis in (*shape.columns, *shape.sums) for loop in axis.loops]

    def trip(self, loop: Loop) -> Affine:
        """The number of iterations."""
        count = trip_count(loop)
        return _named(count, f"{loop.iterator}%")

    def counts(self, operands: str) -> None:
        """The numbers of iterations that the macro-kernel is told."""
        groups = {"rows": "ca", "columns": "cb", "sums": "ab"}
        for group, moved in groups.items():
            if not {*moved} & {*operands}:
                continue
            axes: tuple[ContractionAxis, ...] = getattr(self.shape, group)
            for axis in axes:
                if len(axis.loops) == 1 and axis.count == trip_count(axis.loops[0]):
                    continue
                of: Polynomial = {(): 1}
                for loop in axis.loops:
                    of = product(of, polynomial(self.trip(loop)))
                if not isinstance(axis.count, Affine) or polynomial(axis.count) != of:
                    raise NotModelledError("the macro-kernel is told of another number of iterations")

    def agrees(self, name: str, array: str, index: tuple[Affine, ...]) -> bool:
        """Whether an operand is the element of the nest, at all numbers of iterations."""
        operand: Operand = getattr(self.shape, name)
        if operand.array != array or array in self.recorder.plan.storage.layouts:
            return False
        number = "cab".index(name)
        groups = {"c": ("rows", "columns"), "a": ("rows", "sums"), "b": ("columns", "sums")}[name]
        told = self.position(array, tuple(i.substitute(self.first) for i in operand.index))
        for group in groups:
            axes: tuple[ContractionAxis, ...] = getattr(self.shape, group)
            for axis in axes:
                told = total([told, product(self.number(axis), axis.strides[number])])
        at = {n: self.first[n] + Affine.of(f"{n}#") * self.step[n] for n in self.first}
        return told == self.position(array, tuple(i.substitute(at) for i in index))

    def number(self, axis: ContractionAxis) -> Polynomial:
        """The number of an iteration of loops that run as one."""
        result: Polynomial = {}
        for loop in axis.loops:
            result = total([product(result, polynomial(self.trip(loop))), {(f"{loop.iterator}#",): 1}])
        return result

    def position(self, array: str, index: Sequence[Affine]) -> Polynomial:
        """Return the position of an element in its array."""
        slots = self.recorder.plan.storage.slots.get(array, {})
        result: Polynomial = {}
        for d, (i, extent) in enumerate(zip(index, self.recorder.cells.extents(array), strict=True)):
            own = i % slots[d] if d in slots else i
            result = total([product(result, polynomial(extent)), polynomial(own)])
        return result


def _named(value: Value, name: str) -> Affine:
    return value if isinstance(value, Affine) else Affine.of(name)


def _cell(touch: Touch, instance: Instance) -> tuple[Affine, ...]:
    found = cell_of(touch, instance)
    if found is None:
        raise NotModelledError("data choose an element of a contraction")
    return found
