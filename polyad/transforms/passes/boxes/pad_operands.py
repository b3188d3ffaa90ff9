"""Operands of contractions with zeros around them, where their range is what keeps the contraction from being a box.

    y[o, i, j] += w[o, c, k, l] * x[c, i + k - 1, j + l - 1]     where the index of x is inside of x

is no box: how far k and l go depends on i and j. With a copy of x that has a frame of zeros it is one,

    y[o, i, j] += w[o, c, k, l] * x_padded[c, i + k, j + l]

and its gradient with respect to w, a sum over all i and j, is one large contraction instead of many small ones. What is
added are products with zero: the results are the same unless the other operand holds an infinity or a NaN there.

What must hold (widening.py proves it): every new instance reads a zero of the frame and, of the other operand, an
element that has a value; its indices are whole numbers; it adds to an element that has a value. The copy of the operand
reads what is written, no more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import matrix_product_of
from polyad.analysis.plain_axes import is_linear
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Const, Expr, Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.passes.split_flat_time import segments_of
from polyad.transforms.rewrite.fold import rebuild_statement, replacing
from polyad.transforms.rewrite.widening import Values, Widening

__all__ = ["pad_operands"]

Frame = tuple[tuple[int, int], ...]
"""Zeros before and after, for each dimension of an array."""


@dataclass(frozen=True, slots=True, eq=False)
class _Wish:
    """A statement that would be a box if an operand had a frame.

    Attributes:
        read: of the operand.
        frame: around it.
        box: the domain that the statement then has.
    """

    read: Read
    frame: Frame
    box: isl.Set


def pad_operands(program: Program, machine: Machine = MACHINE) -> Program:
    """Put frames of zeros around operands of contractions whose domain is otherwise no box.

    Makes smaller: the number of contractions; makes larger: memory, by copies of the operands.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        machine: says how wide a frame may be, and how much larger than the operand its copy.
    """
    values = Values(program)
    wishes = {s.name: wish for s in program.statements if (wish := _wish(values, s, machine)) is not None}
    if not wishes:
        return program
    wishes = _with_common_frames(program, wishes, machine.frame_growth)
    arrays, taken = dict(program.arrays), {s.name for s in program.statements}
    names: dict[tuple[str, Frame], str] = {}
    copies: dict[str, list[Statement]] = {}  # first reader -> what makes its operand
    for reader, wish in wishes.items():
        array = program.arrays[wish.read.array]
        if (array.name, wish.frame) in names:
            continue
        name = unique_name(f"{array.name}_padded", arrays)
        names[array.name, wish.frame] = name
        shape = tuple(e + before + after for e, (before, after) in zip(array.shape, wish.frame, strict=True))
        arrays[name] = Array(name, shape, array.dtype)
        copies[reader] = list(_copy(values, array, arrays[name], wish.frame, taken))

    def changed(s: Statement) -> Statement:
        wish = wishes.get(s.name)
        if wish is None:
            return s
        name = names[wish.read.array, wish.frame]
        assert isinstance(wish.read.access, isl.MultiAff)
        read = Read(name, _moved(wish.read.access, name, wish.frame), wish.read.dtype)
        return replace(rebuild_statement(s, replacing((wish.read, read))), domain=islx.name_dims(wish.box, s.dims))

    statements = [new for s in program.statements for new in (*copies.get(s.name, ()), changed(s))]
    return replace(program, arrays=arrays).with_statements(statements)


def _with_common_frames(program: Program, wishes: dict[str, _Wish], growth: float) -> dict[str, _Wish]:
    """One frame for all copies of an array, where the widest of them on each side make no frame too large."""
    widest: dict[str, Frame] = {}
    for wish in wishes.values():
        known = widest.get(wish.read.array, wish.frame)
        pairs = zip(known, wish.frame, strict=True)
        widest[wish.read.array] = tuple((max(a[0], b[0]), max(a[1], b[1])) for a, b in pairs)
    fits = {n for n, frame in widest.items() if _growth(program.arrays[n], frame) <= growth}
    return {s: replace(w, frame=widest[w.read.array]) if w.read.array in fits else w for s, w in wishes.items()}


def _growth(array: Array, frame: Frame) -> float:
    """How much larger an array is with a frame, as far as its extents are known."""
    result = 1.0
    for extent, sides in zip(array.shape, frame, strict=True):
        if extent.is_constant:
            result *= 1 + sum(sides) / max(extent.constant, 1)
    return result


def _wish(values: Values, s: Statement, machine: Machine) -> _Wish | None:
    found = matrix_product_of(s)
    if found is None or not all(is_linear(access) for access in found.accesses[1:]):
        return None
    program = values.program
    domain = s.domain.intersect_params(program.context)
    if domain.is_empty():
        return None
    box = islx.box(domain, range(len(s.dims)))
    if box.is_subset(domain):
        return None
    steps = {steps.constant for _, steps in segments_of(program) if steps.is_constant}
    widening = Widening(s, box, box.subtract(domain))
    for read, access in zip((found.a, found.b), found.accesses[1:], strict=True):
        array = program.arrays[read.array]
        outside = widening.touches(read).is_disjoint(array.domain(program.params))
        if outside and array.segment is None and values.proves(widening, access) and not _over(access, s, steps):
            frame = _frame(array, access, box, program.params, machine)
            return None if frame is None else _Wish(read, frame, box)
    return None


def _over(access: isl.MultiAff, s: Statement, steps: Collection[int]) -> bool:
    """Whether a read counts time over segments of as many steps: a copy of what it reads would hold all of time.

    Within one segment, where such a statement runs, it needs none: all its steps are there.
    """
    indices = (Affine.from_aff(access.get_aff(i), s.dims) for i in range(access.dim(isl.dim_type.out)))
    return any(abs(c) in steps for index in indices if len(index.names() & {*s.dims}) > 1 for _, c in index.terms)


def _frame(array: Array, access: isl.MultiAff, box: isl.Set, params: tuple[str, ...], machine: Machine) -> Frame | None:
    """How far an access reaches beyond an array; None where that depends on sizes, or is too far."""
    reached = box.apply(access.as_map())  # { a[e] }
    whole = array.domain(params).intersect_params(box.params())
    frame: list[tuple[int, int]] = []
    for axis in range(len(array.shape)):
        before = _greatest(whole.dim_min(axis).sub(reached.dim_min(axis)))
        after = _greatest(reached.dim_max(axis).sub(whole.dim_max(axis)))
        if before is None or after is None:
            return None
        frame.append((max(before, 0), max(after, 0)))
        if max(frame[-1]) > machine.frame_width:
            return None
    return tuple(frame) if _growth(array, tuple(frame)) <= machine.frame_growth else None


def _greatest(value: isl.PwAff) -> int | None:
    """The greatest value for all sizes, None where there is none."""
    found = isl.Set.from_pw_aff(value).dim_max_val(0)
    return int(found.to_python()) if found.is_int() else None


def _moved(access: isl.MultiAff, array: str, frame: Frame) -> isl.MultiAff:
    """The access to the same element of the copy."""
    affs = [access.get_aff(i) + before for i, (before, _) in enumerate(frame)]
    return islx.multi_aff(access.get_space().domain(), array, affs)


def _copy(values: Values, array: Array, copy: Array, frame: Frame, taken: set[str]) -> Iterator[Statement]:
    """copy[e + before] = array[e], and zeros around: two boxes for each dimension that has a frame."""
    program = values.program
    dims, params = array.dims(program.params), program.params

    def statement(hint: str, domain: isl.Set, shift: bool, body: Callable[[isl.Space], Expr]) -> Statement:
        name = unique_name(hint, taken)
        taken.add(name)
        domain = islx.name_dims(domain.set_tuple_name(name).intersect_params(program.context), dims)
        identity = islx.identity(islx.space(params, name, dims))
        write = _moved(identity, copy.name, frame) if shift else identity.set_tuple_name(isl.dim_type.out, copy.name)
        return Statement(name, dims, domain, copy.name, write, body(islx.space(params, name, dims)))

    def original(space: isl.Space) -> Expr:
        return Read(array.name, islx.identity(space).set_tuple_name(isl.dim_type.out, array.name), array.dtype)

    yield statement(copy.name, values.of(array), True, original)
    rest = copy.domain(params)
    space, where = rest.get_space(), islx.positions(params, dims)
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    for (before, after), dim, extent in zip(frame, dims, array.shape, strict=True):
        above = (Affine.of(dim) - before).to_aff(space, where)  # not negative from the first element on
        below = (extent + before - 1 - Affine.of(dim)).to_aff(space, where)  # not negative up to the last one
        for width, inside in ((before, above), (after, below)):
            if width:
                side = rest.intersect(inside.lt_set(zero))
                yield statement(f"{copy.name}_border", side, False, lambda _: Const(0.0, array.dtype))
                rest = rest.intersect(inside.ge_set(zero))
