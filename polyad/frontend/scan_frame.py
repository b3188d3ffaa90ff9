"""The arrays and equations of one scan: states with a slot per step, and what the body sees of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from polyad.errors import PolyadError
from polyad.frontend.control.exact_values import exact_statement
from polyad.frontend.definition import Definition, Strength, TensorBase, plain
from polyad.frontend.finish import finish, retitle
from polyad.frontend.lower import Lowering, symbols_of
from polyad.frontend.scalar import Element, IndexExpr, Scalar
from polyad.frontend.symbols import Axis, Size, fresh, merge_symbols
from polyad.frontend.tensor import Tensor, cast_tensor, define, opened
from polyad.ir.affine import Affine
from polyad.ir.array import Array, Segment
from polyad.ir.scan import Scan

__all__ = ["UNNAMED", "Equation", "ScanFrame", "plain_frame", "state_view"]

Symbols = dict[str, Size | Axis]

UNNAMED = "carry"
"""The name of a state to which neither its place in the carry nor its initial value gives one."""


@dataclass(frozen=True, slots=True)
class Equation:
    """array[slot..., i...] = value(i...), for all values of some time axes.

    Attributes:
        array: internal name of a state array.
        label: the statement's name.
        times: the time axes of the scan it runs over, besides those around the scan.
        slot: the time index that is written.
        value: element index -> scalar.
        shape: the tensor whose elements are meant.
    """

    array: str
    label: str
    times: tuple[Axis, ...]
    slot: tuple[Affine, ...]
    value: Callable[[tuple[IndexExpr, ...]], Scalar]
    shape: TensorBase


@dataclass(frozen=True, slots=True)
class ScanFrame:
    """One attempt at tracing a scan.

    Attributes:
        times: the time axes opened while the body is traced.
        ambient: the time axes around the scan.
        length: number of steps.
        direction: +1 forward, -1 reverse.
        states: internal names of the arrays the carry is read from.
        first: the initial carry.
        dtypes: element types of the states.
        definition: the arrays of the scan.
        before: the slot (time index of a state array) that a step reads.
        final: the array and slot that hold the final carry, per state.
        now: the user's time index of a step.
        equations: the new carry -> all equations of the state arrays.
        inverse: the user's time index -> values of `times`.
        segments: of a checkpointed scan, those that its body is computed again in, the outermost level first.
    """

    times: tuple[Axis, ...]
    ambient: tuple[Axis, ...]
    length: IndexExpr
    direction: Literal[1, -1]
    states: tuple[str, ...]
    first: tuple[Tensor, ...]
    dtypes: tuple[str, ...]
    definition: Definition
    before: tuple[Affine, ...]
    final: tuple[tuple[str, tuple[Affine, ...]], ...]
    now: Affine
    equations: Callable[[ScanFrame, Sequence[Tensor]], list[Equation]]
    inverse: Callable[[Affine], tuple[Affine, ...]]
    segments: tuple[Segment, ...] = ()

    @property
    def outer(self) -> tuple[Affine, ...]:
        """The time indices around the scan."""
        return tuple(Affine.of(a.name) for a in self.ambient)

    def symbols(self) -> Symbols:
        """Everything its index expressions are made of."""
        axes = (*self.ambient, *self.times)
        return merge_symbols({a.name: a for a in axes}, *(a.symbols for a in axes), self.length.symbols)

    def carry(self) -> list[Tensor]:
        """Return the states as the body sees them."""
        return [state_view(self, k, n, self.before) for n, k in enumerate(self.states)]

    def slice(self, x: Tensor) -> Tensor:
        """Return an input as the body sees it: its element at the current time."""
        symbols = merge_symbols(x.symbols, self.symbols())
        now = Tensor(x.definition, x.array, x.shape_affine[1:], x.dtype, (*x.prefix, self.now), symbols, x.strength)
        return now if now.ndim else _counted(now)

    def finals(self) -> list[Tensor]:
        """The final carry."""
        around = merge_symbols(
            {a.name: a for a in self.ambient}, *(a.symbols for a in self.ambient), self.length.symbols
        )
        return [
            Tensor(self.definition, k, c.shape_affine, d, (*self.outer, *slot), merge_symbols(around, c.size_symbols()))
            for (k, slot), c, d in zip(self.final, self.first, self.dtypes, strict=True)
        ]

    def slots(self) -> list[Tensor]:
        """All slots of the states of a plain scan, the initial value among them: length + 1 along time."""
        around = merge_symbols({a.name: a for a in self.ambient}, *(a.symbols for a in self.ambient))
        around = merge_symbols(around, self.length.symbols)
        return [
            Tensor(
                self.definition,
                k,
                (self.length.affine + 1, *c.shape_affine),
                d,
                self.outer,
                merge_symbols(around, c.size_symbols()),
            )
            for k, c, d in zip(self.states, self.first, self.dtypes, strict=True)
        ]

    def complete(self, new: Sequence[Tensor], where: str) -> None:
        """Fill the definition with the equations of the states, now that the body is known."""
        with opened(*self.times):
            given = [cast_tensor(b, d) if b.dtype != d else b for b, d in zip(new, self.dtypes, strict=True)]
        symbols = self.symbols()
        prepared = []
        for e in self.equations(self, given):
            axes = [
                Axis(fresh(n), Affine.of(0), x, "compute")
                for n, x in zip("ijklmnpq", e.shape.shape_affine, strict=False)
            ]
            body = e.value(tuple(IndexExpr(Affine.of(x.name), {x.name: x}) for x in axes))
            symbols = merge_symbols(symbols, symbols_of(body), e.shape.size_symbols(), {x.name: x for x in axes})
            prepared.append((e, axes, body))
        lowering = Lowering(self.definition.spoken(self.states[0]) if self.states else "scan", where, symbols)
        lowering.arrays.update(self.definition.arrays)
        for e, axes, body in prepared:
            at = [*self.outer, *e.slot, *(Affine.of(x.name) for x in axes)]
            dtype = self.definition.arrays[e.array].dtype
            lowering.define(e.array, [*self.ambient, *e.times, *axes], body, dtype, at, label=e.label)
        try:
            done = finish(lowering, list(self.definition.arrays))
        except PolyadError as error:
            raise retitle(error, lowering.operands.values()) from None
        own = self.definition
        own.arrays, own.statements, own.symbols = done.arrays, done.statements, done.symbols
        own.operands = tuple(d for d in done.operands if d is not own)
        time = "t" if len(self.times) == 1 else self.times[0].hint
        own.scans = (Scan(fresh("scan"), time, self.length.affine, self.direction, self.states, where),)
        for axis in self.ambient:
            axis.made.append(own)

    def stack(self, y: Tensor) -> Tensor:
        """All steps of a tensor of the body, time in front: a view where the array already looks so."""
        (*_, time) = self.times
        names = {a.name for a in self.times}
        around: Symbols = {n: s for n, s in y.symbols.items() if n not in names}
        if len(self.times) == 1 and y.prefix == (*self.outer, Affine.of(time.name)):
            symbols = merge_symbols(around, self.length.symbols)
            shape = (self.length.affine, *y.shape_affine)
            return Tensor(y.definition, y.array, shape, y.dtype, y.prefix[:-1], symbols, y.strength)

        def body(t: IndexExpr, *index: IndexExpr) -> Element:
            at = dict(zip((a.name for a in self.times), self.inverse(t.affine), strict=True))
            moved = tuple(p.substitute(at) for p in y.prefix)
            view = Tensor(
                y.definition, y.array, y.shape_affine, y.dtype, moved, merge_symbols(around, t.symbols), y.strength
            )
            return Element(view, index)

        shape_ = (self.length, *(IndexExpr(e, y.size_symbols()) for e in y.shape_affine))
        return define(shape_, body, y.name, dims=("t", *"ijklmn"[: y.ndim]))


def _counted(x: Tensor) -> Tensor:
    """An integer of the step as its equation where that is affine: a scan over `arange` counts as `fori_loop` does."""
    statements = x.definition.statements
    equation = exact_statement(statements[0]) if len(statements) == 1 and x.dtype != "bool" else None
    if equation is None:
        return x
    view = replace(x, definition=replace(x.definition, exact=equation))
    return replace(define((), lambda: Element(view, ()), x.name), strength=x.strength)


def state_view(frame: ScanFrame, array: str, n: int, slot: tuple[Affine, ...]) -> Tensor:
    """State n, read from a slot of an array."""
    c = frame.first[n]
    symbols = merge_symbols(frame.symbols(), c.size_symbols())
    strength: Strength = "weak" if c.weak and c.dtype == frame.dtypes[n] else "strong"
    return Tensor(frame.definition, array, c.shape_affine, frame.dtypes[n], (*frame.outer, *slot), symbols, strength)


def _plain_equations(frame: ScanFrame, new: Sequence[Tensor]) -> list[Equation]:
    """state[after] = new for every step, and state[first] = init."""
    (time,) = frame.times
    now = Affine.of(time.name)
    after, start = (now + 1, Affine.of(0)) if frame.direction > 0 else (now, frame.length.affine)
    found: list[Equation] = []
    for key, initial, value in zip(frame.states, frame.first, new, strict=True):
        found.append(Equation(key, key, (time,), (after,), _elements(value), initial))
        found.append(
            Equation(key, fresh(f"{frame.definition.spoken(key)}_start"), (), (start,), _elements(initial), initial)
        )
    return found


def _elements(t: Tensor) -> Callable[[tuple[IndexExpr, ...]], Scalar]:
    return lambda i: Element(t, i)


def plain_frame(
    names: Sequence[str],
    first: Sequence[Tensor],
    dtypes: Sequence[str],
    length: IndexExpr,
    direction: Literal[1, -1],
    ambient: tuple[Axis, ...],
    where: str,
) -> ScanFrame:
    """A scan that keeps a slot for every step."""
    time = Axis(fresh("t"), Affine.of(0), length.affine, "scan", length.symbols, len(ambient), direction=direction)
    keys = tuple(fresh(n) for n in names)
    outer = tuple(a.upper for a in ambient)
    arrays = {
        k: Array(k, (*outer, length.affine + 1, *c.shape_affine), d)
        for k, c, d in zip(keys, first, dtypes, strict=True)
    }
    now = Affine.of(time.name)
    last = length.affine if direction > 0 else Affine.of(0)
    return ScanFrame(
        (time,),
        ambient,
        length,
        direction,
        keys,
        tuple(first),
        tuple(dtypes),
        Definition(
            arrays,
            (),
            (),
            {},
            where,
            steps=dict.fromkeys(arrays, len(outer) + 1),
            nameable=frozenset(k for k in keys if plain(k) == UNNAMED),
        ),
        (now if direction > 0 else now + 1,),
        tuple((k, (last,)) for k in keys),
        now,
        _plain_equations,
        lambda t: (t,),
    )
