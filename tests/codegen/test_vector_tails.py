"""Short vector loops whose last vector overlaps the one before: which loops, and that results stay."""

from dataclasses import replace

import numpy as np
import pytest

from polyad.codegen.generate import generate
from polyad.codegen.options import CodegenOptions
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.semantics.evaluate import evaluate
from tests.codegen.compiled import Library, source_of


def row(extent: int, body: str = "tanh(x[i, j])", dtype: str = "float64") -> str:
    return f"""
program row: [N] -> {{ : N >= 1 }}
  input  x: {dtype}[N, {extent}]
  output y: {dtype}[N, {extent}]
  Y: [N] -> {{ Y[i, j] : 0 <= i < N and 0 <= j < {extent} }}
      y[i, j] = {body}
"""


SCAN = """
program scan: [T] -> { : T >= 1 }
  input     x: float64[T, 13]
  temporary h: float64[T + 1, 13]
  output    y: float64[13]
  H: [T] -> { H[i] : 0 <= i < 13 }
      h[0, i] = 0.5
  S: [T] -> { S[t, i] : 0 <= t < T and 0 <= i < 13 }
      h[t + 1, i] = tanh(h[t, i] + x[t, i])
  Y: [T] -> { Y[i] : 0 <= i < 13 }
      y[i] = h[T, i]
"""
STEPS = """
program steps: [T] -> { : T >= 1 }
  input     x: float64[T, 13]
  temporary e: float64[T, 13]
  output    y: float64[T, 13]
  E: [T] -> { E[t, i] : 0 <= t < T and 0 <= i < 13 }
      e[t, i] = exp(x[t, i])
  Y: [T] -> { Y[t, i] : 0 <= t < T and 0 <= i < 13 }
      y[t, i] = e[t, 12 - i] * tanh(e[t, i])
"""
SUM = """
program sums: [N] -> { : N >= 1 }
  input  x: float64[N, 13]
  output y: float64[N]
  Z: [N] -> { Z[i] : 0 <= i < N }
      y[i] = 0.0
  Y: [N] -> { Y[i, j] : 0 <= i < N and 0 <= j < 13 }
      y[i] += exp(x[i, j])
"""
IN_PLACE = """
program in_place: [N] -> { : N >= 1 }
  input     x: float64[N, 13]
  temporary e: float64[N, 13]
  temporary m: float64[]
  temporary f: float64[N, 13]
  temporary s: float64[]
  output    y: float64[N, 13]
  e: [N] -> { e[i, j] : 0 <= i < N and 0 <= j < 13 }
      e[i, j] = exp(x[i, j])
  m0: [N] -> { m0[] }
      m[] = 0.0
  m: [N] -> { m[i, j] : 0 <= i < N and 0 <= j < 13 }
      m[] += e[i, j]
  f: [N] -> { f[i, j] : 0 <= i < N and 0 <= j < 13 }
      f[i, j] = tanh(e[i, j] - m[])
  s0: [N] -> { s0[] }
      s[] = 0.0
  s: [N] -> { s[i, j] : 0 <= i < N and 0 <= j < 13 }
      s[] += f[i, j]
  y: [N] -> { y[i, j] : 0 <= i < N and 0 <= j < 13 }
      y[i, j] = f[i, j] * s[]
"""

SOFT = """
program soft: [N] -> { : N >= 1 }
  input     x: float64[N, 13]
  temporary e: float64[N, 13]
  temporary s: float64[N]
  output    y: float64[N, 13]
  E: [N] -> { E[i, j] : 0 <= i < N and 0 <= j < 13 }
      e[i, j] = tanh(x[i, j])
  S: [N] -> { S[i, j] : 0 <= i < N and 0 <= j < 13 }
      s[i] += e[i, j]
  Y: [N] -> { Y[i, j] : 0 <= i < N and 0 <= j < 13 }
      y[i, j] = e[i, j] - s[i]
"""


def is_tail(text: str) -> bool:
    return "_start = pa_min_i64(" in source_of(text)[1].c


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (row(14), True),
        (row(9), True),
        (row(3), True),
        (row(39, dtype="float32"), True),
        (row(16), False),  # whole vectors
        (row(200 + 5), False),  # what is left over does not matter
        (row(14, "x[i, j] + 1.0"), False),  # cheap
        (row(1), False),
        (SCAN, True),
        (SUM, False),  # elements would be added twice
        (SOFT, True),  # what is added up gets a loop of its own
    ],
    ids=["14", "9", "3", "39", "16", "long", "cheap", "one", "scan", "sum", "soft"],
)
def test_which_loops(text: str, expected: bool) -> None:
    assert is_tail(text) is expected


@pytest.mark.parametrize(
    "text",
    [row(14), row(9), row(3), row(7, dtype="float32"), row(39, dtype="float32"), SCAN, STEPS, SUM, SOFT],
    ids=["14", "9", "3", "7", "39", "scan", "steps", "sum", "soft"],
)
def test_results(text: str) -> None:
    program, source = source_of(text)
    (size,) = program.params
    dtype = program.arrays["x"].dtype
    inputs = {"x": np.random.default_rng(0).normal(size=(5, *_extents(program))).astype(dtype)}
    found = Library(source).run({size: 5}, inputs)
    expected = evaluate(program, inputs, {size: 5})
    np.testing.assert_allclose(found["y"], expected["y"], rtol=1e-12 if dtype == "float64" else 1e-5)


def _extents(program: object) -> tuple[int, ...]:
    return tuple(int(e.constant) for e in program.arrays["x"].shape[1:])  # type: ignore[attr-defined]


def test_what_overwrites_its_input_is_left_alone() -> None:
    program, source = source_of(IN_PLACE)
    assert source.memory.homes["f"] == "e", "f takes over the memory of e"
    loop = source.c[source.c.index("/* f: ") - 200 : source.c.index("/* f: ")]
    assert "PA_SIMD" in loop and "_start" not in loop
    inputs = {"x": np.random.default_rng(0).normal(size=(5, 13))}
    found = Library(source).run({"N": 5}, inputs)
    np.testing.assert_allclose(found["y"], evaluate(program, inputs, {"N": 5})["y"], rtol=1e-12)


def test_the_switch() -> None:
    program = source_of(row(14))[0]
    without = replace(ALL, tails=False)
    source = generate(program, default_schedule(program, without), CodegenOptions(strategies=without))
    assert "_start = " not in source.c
