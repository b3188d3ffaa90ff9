"""Running sums of integers, running maxima and minima along a long dimension, in parts that run beside each other.

    s[i] = s[i - 1] + f(i)      ->      local[q, 0] = f(C q);    local[q, r] = local[q, r - 1] + f(C q + r)
                                        carry[0] = s[first - 1];  carry[q] = carry[q - 1] + local[q - 1, C - 1]
                                        s[i] = carry[q] + local[q, r]

So for products, maxima and minima, and backwards. Each part runs by itself, its threads beside those of others; what is
carried is short, and the last line is free of any order. How long parts are follows from the sizes, so the bits do.
Sums and products of floating-point numbers are prefix scans instead, if they are long (codegen/cuda/scans.py).

What must hold: the operation is associative up to rounding; the array has no other recurrence, and is no state of a
scan.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isqrt

import islpy as isl

from polyad import islx
from polyad.analysis.plain_axes import plain_axes, separable
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Apply, Expr, Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine.device import DEVICE
from polyad.transforms.rewrite.extents import dimension_range

__all__ = ["prefix_parts"]

LINEAR = ("add", "mul")
ASSOCIATIVE = (*LINEAR, "maximum", "minimum")


def prefix_parts(program: Program) -> Program:
    """Divide running sums, maxima and minima into parts, of which each is done by itself.

    Makes smaller: the number of steps that wait for each other, to about twice the root of it. Makes larger: memory, by
    an array of the same size.

    Args:
        program: with explicit identity definitions (transforms.initialise).
    """
    arrays = dict(program.arrays)
    taken = {s.name for s in program.statements} | arrays.keys()
    states = {a for scan in program.scans for a in scan.states}
    statements: list[Statement] = []
    for s in program.statements:
        found = _running(program, s) if s.array not in states else None
        if found is None:
            statements.append(s)
            continue
        made = _Parts(s, found, program.params, taken)
        arrays |= {a.name: a for a in made.arrays(arrays[s.array])}
        statements += made.statements()
    if len(arrays) == len(program.arrays):
        return program
    return replace(program, arrays=arrays, statements=tuple(statements))


@dataclass(frozen=True, slots=True)
class _Running:
    """A running sum.

    Attributes:
        dim: along which it runs.
        axis: of the array.
        step: 1 or -1.
        first: its first iteration, in the order of steps.
        extent: the number of iterations.
        op: what is done with the element before.
        term: which argument of that is the term.
    """

    dim: int
    axis: int
    step: int
    first: Affine
    extent: Affine
    op: str
    term: int


def _running(program: Program, s: Statement) -> _Running | None:
    """Return what a statement runs along; None where it does not, or is short."""
    body = s.body
    if s.reduction is not None or not isinstance(body, Apply) or body.op not in ASSOCIATIVE or len(body.args) != 2:
        return None
    if body.op in LINEAR and "float" in body.dtype:
        return None
    own = [n for n, a in enumerate(body.args) if isinstance(a, Read) and a.array == s.array]
    if len(own) != 1 or sum(r.array == s.array for r in s.reads()) != 1 or s.domain.n_basic_set() != 1:
        return None
    before = body.args[own[0]]
    assert isinstance(before, Read)
    if not isinstance(s.write, isl.MultiAff) or not isinstance(before.access, isl.MultiAff):
        return None
    place = plain_axes(s.write, len(s.dims))
    if None in place or -1 in place or len({*place}) != len(program.arrays[s.array].shape):
        return None
    moved = [
        Affine.from_aff(s.write.get_aff(a), s.dims) - Affine.from_aff(before.access.get_aff(a), s.dims)
        for a in range(len(place))
    ]
    along = [a for a, by in enumerate(moved) if by != Affine()]
    if len(along) != 1 or moved[along[0]] not in (Affine.of(1), Affine.of(-1)):
        return None
    step, dim = moved[along[0]].constant, place.index(along[0])
    others = [o for o in program.statements if o.array == s.array and o is not s]
    if any(r.array == s.array for o in others for r in o.reads()) or dim not in separable(s):
        return None
    limits = dimension_range(s, dim, program.arrays, program.context)
    if limits is None or (limits[1].is_constant and limits[1].constant < DEVICE.unknown):
        return None
    low, extent = limits
    return _Running(dim, along[0], step, low if step > 0 else low + extent - 1, extent, body.op, 1 - own[0])


_Value = Callable[[Expr, Callable[[str, list[Affine]], Read]], Expr]
"""(the term, makes a read of an array) -> the value of a statement."""


@dataclass(slots=True)
class _Parts:
    """The parts of a running sum: makes their arrays and statements."""

    s: Statement
    running: _Running
    params: tuple[str, ...]
    taken: set[str]

    def __post_init__(self) -> None:
        self.local, self.carry = (self.fresh(f"{self.s.array}_{n}") for n in ("local", "carry"))
        self.part, self.place = (unique_name(n, {*self.s.dims, *self.params}) for n in ("q", "r"))

    local: str = ""
    carry: str = ""
    part: str = ""
    place: str = ""

    def fresh(self, name: str) -> str:
        """An unused name."""
        found = unique_name(name, self.taken)
        self.taken.add(found)
        return found

    @property
    def length(self) -> int:
        """The steps of a part."""
        extent = self.running.extent
        return isqrt(extent.constant) if extent.is_constant else DEVICE.row_threads

    def arrays(self, own: Array) -> tuple[Array, Array]:
        """Of parts, and of what is carried."""
        batch = [e for a, e in enumerate(own.shape) if a != self.running.axis]
        parts = (self.running.extent + (self.length - 1)) // self.length
        local = Array(self.local, (*batch, parts, Affine.of(self.length)), own.dtype)
        return local, Array(self.carry, (*batch, parts), own.dtype)

    def statements(self) -> list[Statement]:
        """All of them."""
        run, s = self.running, self.s
        q, r = Affine.of(self.part), Affine.of(self.place)
        body = s.body
        assert isinstance(body, Apply)
        batch = [d for n, d in enumerate(s.dims) if n != run.dim]

        def made(
            name: str, extra: tuple[str, ...], at: Affine, array: str, index: list[Affine], value: _Value
        ) -> Statement:
            """A statement over some of s's dims and parts; `at`: the number of the step in s."""
            dims = (*batch, *extra)
            space, where = islx.space(self.params, name, dims), islx.positions(self.params, dims)
            whole = run.first + at * run.step
            affs = [(whole if n == run.dim else Affine.of(d)).to_aff(space, where) for n, d in enumerate(s.dims)]
            change = islx.multi_aff(space, s.name, affs)
            domain = s.domain.preimage_multi_aff(change)
            zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
            for d, most in ((self.part, None), (self.place, self.length)):
                if d in extra:
                    count = Affine.of(d).to_aff(space, where)
                    domain = domain.intersect(count.ge_set(zero))
                    domain = domain if most is None else domain.intersect((count - most).lt_set(zero))
            found = s.change_space(name, dims, islx.name_dims(domain, dims), change)
            assert isinstance(found.body, Apply)
            term = found.body.args[run.term]

            def read(of: str, where_: list[Affine]) -> Read:
                return Read(of, islx.multi_aff(space, of, [i.to_aff(space, where) for i in where_]), body.dtype)

            write = islx.multi_aff(space, array, [i.to_aff(space, where) for i in index])
            return replace(found, array=array, write=write, body=value(term, read))

        def both(a: Expr, b: Expr) -> Expr:
            return replace(body, args=(a, b))

        lead = [Affine.of(s.dims[plain]) for plain in self._batch_dims()]
        last = Affine.of(self.length - 1)
        before = [*lead[: run.axis], run.first - run.step, *lead[run.axis :]]
        now = [*lead[: run.axis], run.first + (q * self.length + r) * run.step, *lead[run.axis :]]
        names = [self.fresh(f"{array}_{n}") for array in (self.local, self.carry) for n in ("start", "step")]
        starts = made(
            names[0], (self.part,), q * self.length, self.local, [*lead, q, Affine()], lambda term, read: term
        )
        steps = made(
            names[1],
            (self.part, self.place),
            q * self.length + r,
            self.local,
            [*lead, q, r],
            lambda term, read: both(read(self.local, [*lead, q, r - 1]), term),
        )
        steps = self._from_one(steps, self.place)
        first = made(names[2], (), Affine(), self.carry, [*lead, Affine()], lambda term, read: read(s.array, before))
        carried = made(
            names[3],
            (self.part,),
            q * self.length,
            self.carry,
            [*lead, q],
            lambda term, read: both(read(self.carry, [*lead, q - 1]), read(self.local, [*lead, q - 1, last])),
        )
        carried = self._from_one(carried, self.part)
        final = made(
            s.name,
            (self.part, self.place),
            q * self.length + r,
            s.array,
            now,
            lambda term, read: both(read(self.carry, [*lead, q]), read(self.local, [*lead, q, r])),
        )
        return [starts, steps, first, carried, final]

    def _batch_dims(self) -> list[int]:
        """The dims of s that the other axes of its array are, in the order of axes."""
        assert isinstance(self.s.write, isl.MultiAff)
        place = plain_axes(self.s.write, len(self.s.dims))
        return [place.index(a) for a in range(len(place)) if a != self.running.axis]

    def _from_one(self, s: Statement, dim: str) -> Statement:
        """The statement where a dimension is 1 or more."""
        space, where = s.space(), islx.positions(self.params, s.dims)
        some = (Affine.of(dim) - 1).to_aff(space, where)
        zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
        return replace(s, domain=islx.name_dims(s.domain.intersect(some.ge_set(zero)), s.dims))
