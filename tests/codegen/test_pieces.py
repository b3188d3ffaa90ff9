"""Threads share vector loops in pieces: what is left over at the end of one is the same for any number of threads."""

import re

import numpy as np

import polyad as pa
import polyad.numpy as pn
from polyad.codegen.loops.nodes import Block, Loop
from polyad.codegen.lower.pieces import piece_count
from polyad.frontend.compiled import program_of
from polyad.ir.affine import Affine
from polyad.machine import MACHINE
from polyad.schedule.strategies import ALL
from tests.acceptance.native_batch import NativeBatch

THREADS = (1, 2, 3, 5)


def least(x: pa.Tensor) -> pa.Tensor:
    v = x / (1.5 + x * x)
    a = pn.min(v, 0)
    return pn.tanh(v) / (1.0 + a * a)


def chosen(x: pa.Tensor) -> pa.Tensor:
    return pn.where(x > 0.1, x * x, 0.0) + pn.maximum(x, x * x * x) * pn.exp(-x * x)


def products(x: pa.Tensor) -> pa.Tensor:
    p = x * (x + 2.0)
    return p * x + p * (p + x * x) - x * x


def columns(x: pa.Tensor) -> pa.Tensor:
    """Short rows: compilers write the loop over them out, and vectors run along the loop that threads share."""
    y = pn.stack([x, x * x + 1.0, x - 2.0], 1)
    return pn.where(y > 0.0, y * y, y * 3.0) + y * y * y


PROGRAMS = (least, chosen, products, columns)


def test_a_number_of_threads_changes_no_bit() -> None:
    """Values and gradients of each differ in the last digit between 2 and 3 threads where those get equal parts."""
    batch, rng = NativeBatch(3, ALL, piece=MACHINE.piece), np.random.default_rng(0)
    made = []
    for dtype in ("float32", "float64"):
        for length in (7, 333):
            for function in PROGRAMS:
                x = pa.placeholder((length,), "x", dtype)
                y = function(x)
                equations, _ = program_of([y, *pa.grad(pn.sum(y * y), [x])], [x], "k")
                made.append((f"{function.__name__} {dtype} {length}", *batch.add(equations, (True,)), x.shape, dtype))
    batch.build()
    for title, number, shape, dtype in made:
        values = {"x": rng.normal(size=[int(n) for n in shape]).astype(dtype)}
        first, *others = (batch.run(number, values, {}, n) for n in THREADS)
        for name, found in first.items():
            for n, other in zip(THREADS[1:], others, strict=True):
                assert found.tobytes() == other[name].tobytes(), f"{title}: {name}, {n} threads"


def test_what_is_shared_in_pieces() -> None:
    """Loops of which compilers may make vector loops; those around long ones are shared evenly."""
    x, w = pa.placeholder((500,), "x"), pa.placeholder((500, 40), "w")
    batch = NativeBatch()
    for y, given, expected in (
        (chosen(x), x, r"PA_PARALLEL_FOR_SIMD_(WIDE_)?IF\((f32, )?500, "),
        (columns(x), x, r"PA_PARALLEL_FOR_PIECES_IF\(500, "),
        (pn.tanh(w), w, r"PA_PARALLEL_FOR_IF\([0-9.]+ > "),
    ):
        (number,) = batch.add(program_of([y], [given], "k")[0], (True,))
        assert re.search(expected, batch.sources[number].c), batch.sources[number].c


def test_numbers_of_iterations_have_no_sign() -> None:
    """Of loops that run downwards, too: a short one inside is written out, a long one is not."""
    N = Affine.of("N")
    for last, first, expected in ((0, 4, N), (0, 99, None)):
        inner = Loop("j", Affine.of(first), Affine.of(last), -1, Block(()))
        assert piece_count(Loop("x", N - 1, Affine.of(0), -1, Block((inner,)))) == expected


def test_blocks_of_rows_are_counted_as_blocks() -> None:
    """Of a loop that takes eight rows at a time there is an eighth as much to hand out."""
    N = Affine.of("N")
    assert piece_count(Loop("i", Affine.of(0), N - 8, 8, Block(()))) == N // 8
    assert piece_count(Loop("i", N - 1, Affine.of(0), -1, Block(()))) == N
