"""Reads under a condition come before it: gcc 12 gives lanes the masks of others where vectors do not."""

import re
from itertools import product

import numpy as np
import pytest

from polyad.codegen.certify.read_back.read_back import read_back
from polyad.codegen.generate import source_of as printed
from polyad.errors import CertificationError
from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.passes import prepare
from polyad.schedule.strategies import ALL, Strategies
from polyad.semantics.evaluate import evaluate
from tests.acceptance.native_batch import NativeBatch
from tests.codegen.certify.mutants import planned
from tests.codegen.compiled import source_of

TEXT = """
program conditional: {{ : }}
  input  x: {dtype}[{rows}, {columns}]
  input  y: {dtype}[{rows}, {columns}]
  input  m: int32[{rows}, {columns}]
  input  p: int32[{rows}, {columns}]
  output z: {dtype}[{rows}, {columns}]
  S: {{ S[i, j] : 0 <= i < {rows} and 0 <= j < {columns} }}
      z[i, j] = {body}
"""
BODIES = {
    "by a mask": "select(ne(m[i, j], 0), {dtype}(0.0), x[i, j])",
    "by a number": "select(gt(x[i, j], {dtype}(0.0)), y[i, j], {dtype}(0.0))",
    "of a product": "select(ne(m[i, j], 0), x[i, j], {dtype}(0.5) * y[i, j])",
    "in a condition": "select(and(gt(x[i, j], {dtype}(0.0)), ne(m[i, j], 0)), {dtype}(2.0), {dtype}(3.0))",
    "in another": "select(or(ne(m[i, j], 0), ne(p[i, j], 0)), x[i, j], select(ne(p[i, j], 1), y[i, j], {dtype}(1.0)))",
}

PAIRS = """
program pairs: {{ : }}
  input  x: {dtype}[{rows}, 3]
  input  m: int32[{rows}, 3]
  output z: {dtype}[{rows}, 3]
  S: {{ S[i] : 0 <= i < {rows} }}
      z[i, 0] = select(ne(m[i, 0], 0), x[i, 0], {dtype}(1.0))
  R: {{ R[i] : 0 <= i < {rows} }}
      z[i, 1] = select(ne(m[i, 1], 0), x[i, 1], {dtype}(2.0))
  Q: {{ Q[i] : 0 <= i < {rows} }}
      z[i, 2] = select(ne(m[i, 2], 0), x[i, 2], {dtype}(3.0))
"""


def program(body: str, dtype: str, rows: int, columns: int) -> Program:
    text = TEXT.format(dtype=dtype, rows=rows, columns=columns, body=BODIES[body].format(dtype=dtype))
    return parse_program(text)


def agree(programs: list[Program], strategies: Strategies) -> None:
    """They give what the evaluator says when -O3 compiles them for this machine."""
    batch, rng = NativeBatch(3, strategies), np.random.default_rng(0)
    numbers = [batch.add(p)[0] for p in programs]
    batch.build()
    for p, number in zip(programs, numbers, strict=True):
        inputs = {}
        for name in p.inputs:
            shape = tuple(e.evaluate({}) for e in p.arrays[name].shape)
            values = rng.uniform(-1.0, 1.0, shape) if name in "xy" else rng.integers(0, 2, shape)
            inputs[name] = values.astype(p.arrays[name].dtype)
        wanted = evaluate(p, inputs, {})["z"]
        np.testing.assert_array_equal(batch.run(number, inputs, {})["z"], wanted, f"{p}")


def short_loops(shapes: list[tuple[int, int]], dtypes: tuple[str, ...]) -> list[Program]:
    """Every body at every shape."""
    return [program(b, d, *s) for b, d, s in product(BODIES, dtypes, shapes)]


def test_two_short_loops() -> None:
    """The shapes of which gcc 12 makes wrong numbers wherever there is AVX."""
    agree(short_loops([(3, 2), (2, 6), (5, 3)], ("float64",)), Strategies.at_level(0))


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 3])
def test_all_short_loops(level: int) -> None:
    shapes = list(product((2, 3, 5, 9), range(2, 10)))
    agree(short_loops(shapes, ("float32", "float64")), Strategies.at_level(level))


def test_neighbours_in_one_loop() -> None:
    """Here a vector loop of the default target went wrong."""
    agree([parse_program(PAIRS.format(dtype=d, rows=16)) for d in ("float32", "float64")], ALL)


@pytest.mark.parametrize("body", BODIES)
def test_no_read_stands_under_a_condition(body: str) -> None:
    """For compilers that nobody tried."""
    statement = source_of(str(program(body, "float64", 3, 6)))[1].c.split(" z[i * 6 + j] = ")[1].split(";")[0]
    assert "pa_select_f64(" in statement or "pa_and(" in statement
    conditional = re.split(r" \? | && | \|\| ", statement, maxsplit=1)[1:]
    assert "[" not in "".join(conditional)


def test_what_may_not_exist_stays_under_its_condition() -> None:
    """An index that depends on data is one of the array only where the condition holds."""
    body = "select(and(ge(m[i, j], 0), lt(m[i, j], 3)), x[cast_int64(m[i, j]), j], float64(0.0))"
    text = TEXT.format(dtype="float64", rows=3, columns=6, body=body)
    assert "?" in source_of(text)[1].c.split("z[")[-1].split(";")[0]


def test_what_is_read_in_any_case_is_a_plain_condition() -> None:
    """A test of what it selects says already that the element exists."""
    text = TEXT.format(
        dtype="float64", rows=3, columns=6, body="select(le(x[i, j], float64(0.0)), float64(0.0), x[i, j])"
    )
    assert "x[i * 6 + j] <= 0.0 ? 0.0 : x[i * 6 + j]" in source_of(text)[1].c


CHOSEN = "lt(x[cast_int64(m[i, j]), j], y[i, j])"
GUARDED = f"and(ge(m[i, j], 0), {CHOSEN})"
CONDITIONS = {
    "in any case": (CHOSEN, True),
    "where another condition holds": (GUARDED, False),
    "in a condition of the condition": (f"select({GUARDED}, gt(y[i, j], float64(0.0)), ne(p[i, j], 0))", False),
}


@pytest.mark.parametrize("where", CONDITIONS)
def test_what_data_choose_is_read_early_if_the_condition_reads_it_in_any_case(where: str) -> None:
    """And otherwise not: the C is read back."""
    condition, early = CONDITIONS[where]
    body = f"select({condition}, mul(x[cast_int64(m[i, j]), j], y[i, 0]), float64(0.0))"
    plan = planned(prepare(parse_program(TEXT.format(dtype="float64", rows=3, columns=6, body=body))))
    c = printed(plan).c
    test = c.split(" z[i * 6 + j] = ")[1].split(";")[0]
    assert test.startswith("pa_select_f64(") == early, test
    read_back(plan, c)
    if not early:
        found, chosen = re.split(r" \? (?=x)", test.removesuffix(" : 0.0"))
        with pytest.raises(CertificationError, match="before it is known to exist"):
            read_back(plan, c.replace(test, f"pa_select_f64({found}, {chosen}, 0.0)"))
