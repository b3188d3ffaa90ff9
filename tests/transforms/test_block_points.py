from dataclasses import replace

import numpy as np
import pytest

from polyad.codegen.options import CodegenOptions
from polyad.machine import MACHINE, Machine
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.semantics.evaluate import evaluate
from polyad.transforms.passes.block_points import block_points
from polyad.transforms.passes.initialise import initialise
from tests.codegen.compiled import Library, source_of
from tests.codegen.threads import threads
from tests.machines import LOOPS_IN_THREADS
from tests.transforms.equivalence import assert_same

# A mixture: responsibilities of 3 components for 259 points, and sums of them over the points.
MIXTURE = """
program mixture: [] -> {  :  }
  input     x: float64[259]
  input     w: float64[3]
  temporary y: float64[259, 3]
  temporary top: float64[259]
  temporary e: float64[259, 3]
  temporary total: float64[259]
  temporary centre: float64[3]
  output    loss: float64[]
  output    weight: float64[3]
  output    share: float64[3, 259]
  Y: { Y[n, k] : 0 <= n < 259 and 0 <= k < 3 }
      y[n, k] = x[n] * w[k]
  M: { M[n, k] : 0 <= n < 259 and 0 <= k < 3 }
      top[n] max= y[n, k]
  E: { E[k, n] : 0 <= n < 259 and 0 <= k < 3 }
      e[n, k] = exp(y[n, k] - top[n])
  T: { T[n, k] : 0 <= n < 259 and 0 <= k < 3 }
      total[n] += e[n, k]
  L: { L[n] : 0 <= n < 259 }
      loss[] += log(total[n]) + top[n]
  C: { C[k, n] : 0 <= n < 259 and 0 <= k < 3 }
      centre[k] += e[n, k] * x[n]
  W0: { W0[k] : 0 <= k < 3 }
      weight[k] = centre[k] * 2.0
  W: { W[k, n] : 0 <= n < 259 and 0 <= k < 3 }
      weight[k] += e[n, k] / total[n]
  S: { S[k, n] : 0 <= n < 259 and 0 <= k < 3 }
      share[k, n] = e[n, k] / total[n]
"""
NORMALISED = MIXTURE.replace("share[k, n] = e[n, k] / total[n]", "share[k, n] = e[n, k] / centre[k]")
NEIGHBOURS = MIXTURE.replace("e[n, k] / total[n]\n  S", "e[n, k] / total[258 - n]\n  S")
PRODUCT = MIXTURE.replace("y[n, k] = x[n] * w[k]", "y[n, k] = v[n, k]").replace(
    "  Y: ",
    """  temporary v: float64[259, 3]
  input     a: float64[259, 7]
  input     b: float64[7, 3]
  V: { V[n, k, j] : 0 <= n < 259 and 0 <= k < 3 and 0 <= j < 7 }
      v[n, k] += a[n, j] * b[j, k]
  Y: """,
)


SMALL = replace(MACHINE, outgrown=1, cache=1, shared_cache=1)
"""Any array counts as large, and no block as small enough to be larger."""

PARTS = replace(SMALL, shared_cache=1000)
"""There is room for sums of parts."""


def test_points_are_counted_in_blocks() -> None:
    before = initialise(parse_program(MIXTURE))
    after = block_points(before, SMALL)
    assert [str(a) for a in after.arrays.values() if a.word == "blocked"] == [
        "y: float64[5, 64, 3]",
        "top: float64[5, 64]",
        "e: float64[5, 64, 3]",
        "total: float64[5, 64]",
    ]
    assert after.statement("C").dims == ("s", "k", "n")
    assert after.statement("W0").reduction == "sum", "it needs a sum over all points, so it is added after them"
    assert_same(before, after, {})
    assert str(parse_program(str(after))) == str(after)


def test_one_loop_over_blocks_holds_it_all_and_memory_is_one_block() -> None:
    after = block_points(initialise(parse_program(MIXTURE)), SMALL)
    drawn = default_schedule(after).tree()
    assert drawn.count("for s") == 1
    program, source = source_of(str(after), CodegenOptions())
    assert all(slot.bytes({}) <= 64 * 3 * 8 for slot in source.memory.slots)
    random = np.random.default_rng(0)
    inputs = {"x": random.normal(size=259), "w": random.normal(size=3)}
    expected = evaluate(program, inputs, {})
    for name, values in Library(source).run({}, inputs).items():
        np.testing.assert_allclose(values, expected[name], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("room", "more", "block"), [(1, 1, 64), (1, 1 << 20, 128), (1 << 20, 1 << 20, 512)])
def test_short_blocks_get_more_room(room: int, more: int, block: int) -> None:
    machine = replace(MACHINE, outgrown=1, cache=room, shared_cache=more)
    after = block_points(initialise(parse_program(MIXTURE.replace("259", "2050"))), machine)
    (y,) = (a for a in after.arrays.values() if a.name == "y")
    assert y.shape[-2].constant == block


MANY = MIXTURE.replace("259", "600")


def test_many_blocks_are_run_in_parts() -> None:
    before = initialise(parse_program(MANY))
    after = block_points(before, PARTS)
    assert [str(a) for a in after.arrays.values() if a.word == "parted"] == [
        "y: float64[4, 3, 64, 3]",
        "top: float64[4, 3, 64]",
        "e: float64[4, 3, 64, 3]",
        "total: float64[4, 3, 64]",
    ], "ten blocks: three parts of three, and one of one"
    sums = [str(a) for a in after.arrays.values() if a.name.endswith("_parts")]
    assert sums == ["loss_parts: float64[4]", "centre_parts: float64[4, 3]", "weight_parts: float64[4, 3]"]
    assert after.statement("C").dims == ("p", "s", "k", "n")
    assert_same(before, after, {})
    assert str(parse_program(str(after))) == str(after)


@pytest.mark.parametrize("machine", [replace(PARTS, parts=(5, 16)), replace(PARTS, shared_cache=100)])
def test_few_blocks_and_large_sums_have_no_parts(machine: Machine) -> None:
    after = block_points(initialise(parse_program(MANY)), machine)
    assert any(a.word == "blocked" for a in after.arrays.values())
    assert not any(a.word == "parted" for a in after.arrays.values())


def test_parts_run_in_parallel_and_threads_have_one_block_each() -> None:
    after = block_points(initialise(parse_program(MANY)), PARTS)
    drawn = default_schedule(after).tree()
    assert drawn.count("parallel for p\n└─ for s") == 1 and drawn.count("for s") == 1
    program, source = source_of(str(after), CodegenOptions(machine=LOOPS_IN_THREADS))
    assert all(slot.bytes({}) <= 64 * 3 * 8 for slot in source.memory.slots), "one block, or the sums of four parts"
    assert "PA_COPY" in source.c and "PA_BARRIER" not in source.c
    random = np.random.default_rng(0)
    inputs = {"x": random.normal(size=600), "w": random.normal(size=3)}
    expected = evaluate(program, inputs, {})
    library = Library(source)
    one = library.run({}, inputs)
    for name, values in one.items():
        np.testing.assert_allclose(values, expected[name], rtol=1e-12, atol=1e-12)
    for number in (1, 2, 3, 8):
        with threads(library.path, number):
            for name, values in library.run({}, inputs).items():
                np.testing.assert_array_equal(values, one[name], err_msg=f"{name}, {number} threads")


@pytest.mark.parametrize(
    "text",
    [NORMALISED, NEIGHBOURS, PRODUCT, MIXTURE.replace("259", "255")],
    ids=["a sum over all is needed", "other points are read", "a matrix product", "few points"],
)
def test_what_stays(text: str) -> None:
    before = initialise(parse_program(text))
    assert block_points(before, SMALL) is before
