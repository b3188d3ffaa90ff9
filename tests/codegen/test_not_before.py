"""Elements touched before others: part of the text by part, and for each two touches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import islpy as isl
import pytest

import polyad as pa
from polyad.codegen.loops.how import InRegion, Serial
from polyad.codegen.loops.nodes import Loop
from polyad.codegen.loops.statement_accesses import touches
from polyad.codegen.plan import loops_of
from polyad.codegen.storage.moments import Branch, Moment, Position, moments
from polyad.codegen.storage.not_before import not_before
from polyad.codegen.storage.touched_arrays import TouchedArrays
from polyad.frontend.compiled import program_of
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL


def pairwise(x: Moment, y: Moment) -> Iterator[isl.Map]:
    """{ [iterators of x] -> [iterators of y] : x does not run before y, or that is not known }, in pieces."""
    same = isl.Map.universe(
        isl.Space.map_from_domain_and_range(x.elements.get_space().domain(), y.elements.get_space().domain())
    )
    depth = 0
    for mine, theirs in zip(x.path, y.path, strict=False):
        match mine, theirs:
            case Loop(), Loop():
                for sign in (-1, 1):
                    if sign == -1 or not isinstance(mine.how, Serial | InRegion):
                        yield differ(same, depth, sign if mine.step > 0 else -sign)
                same = same.equate(isl.dim_type.in_, depth, isl.dim_type.out, depth)
                depth += 1
            case Position(number=one), Position(number=other) if one != other:
                if one > other:
                    yield same
                return
            case Branch(taken=one), Branch(taken=other) if one != other:
                return
            case _:
                pass
    if x.whole or (x.kind, y.kind) != ("read", "write"):
        yield same


def differ(same: isl.Map, depth: int, sign: int) -> isl.Map:
    less = isl.Constraint.alloc_inequality(isl.LocalSpace.from_space(same.get_space()))
    less = less.set_coefficient_val(isl.dim_type.out, depth, isl.Val(sign))
    less = less.set_coefficient_val(isl.dim_type.in_, depth, isl.Val(-sign))
    return same.add_constraint(less.set_constant_val(isl.Val(-1)))


def life() -> tuple[pa.Tensor, list[pa.Tensor]]:
    board = pa.placeholder((6, 7), name="board")

    def step(b: pa.Tensor, _: object) -> tuple[pa.Tensor, None]:
        near = sum(pa.numpy.roll(pa.numpy.roll(b, i, axis=0), j, axis=1) for i in (-1, 0, 1) for j in (-1, 0, 1))
        return pa.numpy.where(near > 3.0, b, 0.5 * near), None

    return pa.scan(step, board, None, length=4)[0], [board]


def sweep() -> tuple[pa.Tensor, list[pa.Tensor]]:
    steps, n = pa.sizes("steps n")
    x = pa.placeholder((n,), name="x")

    def at(u: pa.Tensor, t: pa.Tensor, i: pa.Tensor) -> pa.Tensor:
        inside = pa.select((i >= 1) & (i <= n - 2), u[t, i - 1] + u[t - 1, i + 1], u[t - 1, i])
        return pa.select(t == 0, x[i], inside)

    u = pa.recurrence((steps + 1, n), at, name="u")
    return pa.grad(pa.numpy.sum(u[steps] ** 2), [x])[0], [x]


def recurrent() -> tuple[pa.Tensor, list[pa.Tensor]]:
    x, U = pa.placeholder((5, 3, 4), name="x"), pa.placeholder((4, 4), name="U")

    def step(h: pa.Tensor, v: pa.Tensor) -> tuple[pa.Tensor, pa.Tensor]:
        h = pa.tanh(v + h @ U)
        return h, h

    return pa.grad(pa.numpy.sum(pa.scan(step, x[0], x)[1] ** 2), [U])[0], [x, U]


@pytest.mark.parametrize("example", [life, sweep, recurrent])
@pytest.mark.quick_cases(1)
def test_parts_of_the_text_say_what_each_two_touches_say(example: object) -> None:
    """For all pairs of arrays and all their elements."""
    assert callable(example)
    outputs, inputs = example()
    program = prepare(program_of([outputs], inputs, "example")[0])
    loops = loops_of(program, default_schedule(program, replace(ALL, prefix=False)))
    accesses = touches(program)
    found = moments(loops, program, accesses, program.arrays.keys(), TouchedArrays(accesses))
    names = {m.array for m in found}
    domains = {n: program.arrays[n].domain(program.params).intersect_params(program.context) for n in names}
    meeting = {(a, b): isl.Map.from_domain_and_range(domains[a], domains[b]) for a in names for b in names}
    ours: dict[tuple[str, str], isl.Map] = {}
    for pair, piece in not_before(found, meeting):
        ours[pair] = ours[pair].union(piece) if pair in ours else piece
    theirs: dict[tuple[str, str], isl.Map] = {}
    for x in found:
        for y in found:
            pair = x.array, y.array
            for order in pairwise(x, y):
                piece = x.elements.reverse().apply_range(order).apply_range(y.elements).intersect(meeting[pair])
                theirs[pair] = theirs[pair].union(piece) if pair in theirs else piece
    assert ours.keys() == {pair for pair, piece in theirs.items() if not piece.is_empty()}
    assert len(ours) > len(names)
    for pair, piece in ours.items():
        assert piece.is_equal(theirs[pair]), pair
