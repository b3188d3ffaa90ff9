"""Loops that carry one number linearly are prefix scans between vector loops; all others stay loops."""

import re
from dataclasses import replace

import numpy as np
import pytest

from polyad.codegen.options import CodegenOptions
from polyad.schedule.strategies import ALL
from polyad.semantics.evaluate import evaluate
from tests.codegen.compiled import FLAGS, Library, source_of
from tests.transforms.equivalence import random_inputs

RUNNING = """
program running: [T] -> { : T >= 1 }
  input     a: float64[T]
  input     b: float64[T]
  input     r: float64[T]
  output    h: float64[T + 1]
  output    loss: float64[]
  H0: [T] -> { H0[] }
      h[0] = b[0]
  H1: [T] -> { H1[t] : 0 <= t < T }
      h[t + 1] = BODY
  L: [T] -> { L[t] : 0 <= t < T }
      loss[] += h[t + 1] * r[t]
"""

# Time runs backwards; the state is a circular buffer, read before and after it is written.
ADJOINT = """
program adjoint: [T] -> { : T >= 1 }
  input     a: float64[T]
  input     b: float64[T]
  input     r: float64[T]
  temporary s: float64[T + 1]
  temporary z: float64[T]
  output    y: float64[T]
  output    w: float64[T]
  output    start: float64[]
  S0: [T] -> { S0[] }
      s[T] = 0.5
  Z: [T] -> { Z[t] : 0 <= t < T }
      z[t] = s[t + 1] - r[t]
  S1: [T] -> { S1[t] : 0 <= t < T }
      s[t] = a[t] * z[t] + b[t]
  Y: [T] -> { Y[t] : 0 <= t < T }
      y[t] = tanh(z[t]) + b[t]
  W: [T] -> { W[t] : 0 <= t < T }
      w[t] = s[t] * s[t]
  E: [T] -> { E[] }
      start[] = s[0]
"""

BODIES = {
    "h[t] + b[t]": "pa_scan_sum_up_f64",
    "b[t] - r[t] + h[t]": "pa_scan_sum_up_f64",
    "h[t] * a[t]": "pa_scan_prod_up_f64",
    "h[t] / (a[t] * a[t] + 1.0)": "pa_scan_prod_up_f64",
    "a[t] * h[t] + b[t]": "pa_scan_affine_up_f64",
    "b[t] - (h[t] - r[t]) * a[t]": "pa_scan_affine_up_f64",
    "neg(h[t]) + 0.25 * h[t] + b[t]": "pa_scan_decay_up_f64",
    "b[t] - r[0] * h[t]": "pa_scan_decay_up_f64",
    "b[t] - r[0] * neg(h[t])": "pa_scan_decay_up_f64",
    "neg(neg(h[t])) + b[t]": "pa_scan_sum_up_f64",
    "b[t] - neg(h[t]) / (a[t] * a[t] + 1.0)": "pa_scan_affine_up_f64",
    "r[0] * a[t] * h[t] + b[t]": "pa_scan_affine_up_f64",
    "select(gt(a[t], 0.0), h[t] + b[t], r[t] * h[t])": "pa_scan_affine_up_f64",
}

# A condition that cuts the state off is no factor of 0.
CUT = ["select(gt(a[t], 0.0), h[t] + b[t], r[t])", "a[t] * select(gt(b[t], 0.0), h[t], 0.0) + r[t]"]

NOT_LINEAR = [
    "h[t] * h[t] * 0.1 + b[t]",
    "tanh(h[t]) + b[t]",
    "maximum(h[t], b[t])",
    "b[t] / (h[t] * h[t] + 1.0)",
    *CUT,
]

SIZES = (1, 2, 7, 255, 256, 257, 515)


def check(text: str, flags: tuple[str, ...] = FLAGS) -> str:
    """The C, after its results were compared with the evaluator's."""
    program, source = source_of(text)
    library = Library(source, flags=flags)
    for length in SIZES:
        inputs = {n: 0.5 * v for n, v in random_inputs(program, {"T": length}).items()}
        expected = evaluate(program, inputs, {"T": length})
        for name, found in library.run({"T": length}, inputs).items():
            np.testing.assert_allclose(found, expected[name], rtol=1e-11, atol=1e-12, err_msg=f"{name}, T = {length}")
    return source.c


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.quick_cases(4)
def test_linear_recurrences_are_scans(body: str) -> None:
    text = check(RUNNING.replace("BODY", body))
    assert f"h_state = {BODIES[body]}(" in text


@pytest.mark.parametrize("body", NOT_LINEAR)
def test_others_stay_loops(body: str) -> None:
    assert "h_state = pa_scan" not in check(RUNNING.replace("BODY", body))


@pytest.mark.parametrize("body", CUT)
def test_what_is_not_finite_ends_where_the_state_is_cut_off(body: str) -> None:
    program, source = source_of(RUNNING.replace("BODY", body))
    inputs = random_inputs(program, {"T": 40})
    inputs["b"][[7, 20]] = inputs["r"][[7, 20]] = np.inf, np.nan
    inputs["a"][[7, 20]] = 1.0
    found = Library(source, flags=FLAGS).run({"T": 40}, inputs)
    with np.errstate(invalid="ignore"):
        for name, expected in evaluate(program, inputs, {"T": 40}).items():
            np.testing.assert_allclose(found[name], expected, rtol=1e-11, atol=1e-12, err_msg=name)
            assert not expected.ndim or np.isfinite(expected[-1])


@pytest.mark.parametrize("march", ["x86-64", "x86-64-v3", "native"])
@pytest.mark.quick_cases(1)
def test_scans_on_every_machine(march: str) -> None:
    flags = (*FLAGS, "-O3", f"-march={march}", "-ffp-contract=fast")
    assert "pa_scan_affine_down_f64" in check(ADJOINT, flags)
    assert "pa_scan_decay_down_f64(r[0], " in check(ADJOINT.replace("a[t] *", "r[0] *"), flags)


def test_backward_in_time_with_a_circular_buffer() -> None:
    source = source_of(ADJOINT)[1]
    assert [slot.arrays for slot in source.memory.slots] == [("s",)]
    assert "for (int64_t t_end = T - 1; t_end >= 0; t_end -= PA_SCAN_STEPS)" in source.c
    assert (
        "const double s_after = a[t] * s_before[t - t_0] + s_add[t - t_0];" in source.c
    )  # for w; the buffer has no room for it


def test_what_stands_in_memory_is_not_copied() -> None:
    text = check(RUNNING.replace("BODY", "a[t] * h[t] + b[t]"))
    assert "pa_scan_affine_up_f64(&a[t_0], &b[t_0], h_state, h_before, t_n);" in text
    text = check(RUNNING.replace("BODY", "a[t] * h[t] + (b[t] + r[t])"))
    assert "pa_scan_affine_up_f64(&a[t_0], h_add, h_state, h_before, t_n);" in text


RAGGED = ADJOINT.replace("S1[t] : 0 <= t < T", "S1[t] : 0 < t < T").replace("w[t] = s[t] * s[t]", "w[t] = z[t] * z[t]")
RAGGED = RAGGED.replace("start[] = s[0]", "start[] = y[0]")


def test_a_last_step_of_fewer_statements_is_split_off() -> None:
    """Nobody asks for s[0], so the loop over the steps that define s ends before the one that only reads it."""
    text = check(RAGGED)
    assert "t_end >= 1" in text and "pa_scan_affine_down_f64" in text and "if (t" not in text


def test_a_switch_turns_scans_off() -> None:
    options = CodegenOptions(strategies=replace(ALL, prefix=False))
    assert "pa_scan" not in source_of(RUNNING.replace("BODY", "h[t] + b[t]"), options)[1].c


def test_few_steps_stay_a_loop() -> None:
    text = RUNNING.replace("[T] ->", "").replace("{ : T >= 1 }", "{ : }").replace("T + 1", "41").replace("T", "40")
    assert "pa_scan" not in source_of(text.replace("BODY", "h[t] + b[t]"))[1].c


def test_two_states_stay_a_loop() -> None:
    text = RUNNING.replace("BODY", "0.5 * h[t] - 0.1 * g[t] + b[t]")
    text = text.replace("  output    loss", "  output    g: float64[T + 1]\n  output    loss")
    text += """  G0: [T] -> { G0[] }
      g[0] = 1.0
  G1: [T] -> { G1[t] : 0 <= t < T }
      g[t + 1] = 0.5 * g[t] + 0.1 * h[t]
"""
    assert "pa_scan" not in check(text)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_out_of_range_products_are_taken_one_by_one(dtype: str) -> None:
    """Sixteen factors of 1e5 or 1e-5 in a row leave the range of float, though no state does."""
    text = RUNNING.replace("BODY", "a[t] * h[t] + b[t]").replace("float64", dtype)
    _, source = source_of(text)
    length = 600
    scale = 1e5 if dtype == "float32" else 1e60
    a = np.where(np.arange(length) % 120 < 60, 1 / scale, scale)
    a[250] = 0.0
    b = np.where(np.arange(length) % 120 < 60, 1.0, 0.0)
    a[60:120] = np.where(np.arange(60) % 2, scale, 1 / scale)
    inputs = {"a": a.astype(dtype), "b": b.astype(dtype), "r": np.ones(length, dtype)}
    h = [inputs["b"][0]]
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(length):
            h.append(inputs["a"][t] * h[-1] + inputs["b"][t])
    for flags in (FLAGS, (*FLAGS, "-O3", "-march=native")):
        found = Library(source, flags=flags).run({"T": length}, inputs)["h"]
        np.testing.assert_allclose(found, np.array(h, dtype), rtol=1e-4 if dtype == "float32" else 1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("factor", [0.0, -0.5, 1.0, -1.5, 1e-5, 1e-30, 1e-310, 1e20])
def test_factors_of_all_sizes(factor: float, dtype: str) -> None:
    """Powers of a factor may leave the range that the states stay in."""
    _, source = source_of(RUNNING.replace("BODY", "a[0] * h[t] + b[t]").replace("float64", dtype))
    assert "pa_scan_decay_up" in source.c
    length = 40 if abs(factor) > 1 else 600
    b = np.random.default_rng(0).uniform(1, 2, length) * (1e20 if factor < 1e-4 else 1e-20)
    inputs = {"a": np.full(length, factor, dtype), "b": b.astype(dtype), "r": np.ones(length, dtype)}
    h = [inputs["b"][0]]
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(length):
            h.append(inputs["a"][0] * h[-1] + inputs["b"][t])
    for flags in (FLAGS, (*FLAGS, "-O3", "-march=native")):
        found = Library(source, flags=flags).run({"T": length}, inputs)["h"]
        np.testing.assert_allclose(found, np.array(h, dtype), rtol=1e-4 if dtype == "float32" else 1e-12)


@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("factor", ["", "r[0] * "])
def test_infinities_and_nan_reach_what_follows(odd: float, factor: str) -> None:
    _, source = source_of(RUNNING.replace("BODY", f"{factor}h[t] + b[t]"))
    inputs = {n: np.ones(600) for n in "abr"}
    inputs["b"][300] = odd
    found = Library(source, flags=(*FLAGS, "-O3", "-march=native")).run({"T": 600}, inputs)["h"]
    np.testing.assert_array_equal(found, np.concatenate([[1.0], 1.0 + np.cumsum(inputs["b"])]))


# `old` is read for the last time in the step, and before the statement, in which `new` is computed: element by element
# one could take over the memory of the other, but not where all of `new` in a block of steps is computed first.
OVER = """
program over: [T] -> { : T >= 1 }
  input     x: float64[T]
  temporary old: float64[T]
  temporary new: float64[T]
  temporary h: float64[T + 1]
  output    y: float64[T]
  output    z: float64[T]
  H0: [T] -> { H0[] }
      h[0] = 0.5
  O: [T] -> { O[t] : 0 <= t < T }
      old[t] = tanh(x[T - 1 - t])
  R: [T] -> { R[t] : 0 <= t < T }
      y[t] = h[t] * old[t]
  F: [T] -> { F[t] : 0 <= t < T }
      new[t] = exp(x[t])
  H: [T] -> { H[t] : 0 <= t < T }
      h[t + 1] = 0.5 * h[t] + new[t]
  Z: [T] -> { Z[t] : 0 <= t < T }
      z[t] = new[t] + h[t] * h[T]
"""


def test_no_array_takes_over_from_another_in_a_scan() -> None:
    assert "pa_scan_decay_up_f64" in check(OVER)


# A prefix scan along the rows of r, backwards, and a wavefront that reads r along its diagonals, as it is stored then.
SKEWED = """
program skewed: [N, M] -> { : N >= 1 and M >= 1 }
  input     x: float64[N, M]
  input     a: float64[M]
  temporary r: float64[N, M]
  temporary s: float64[N, M]
  output    y: float64[M]
  R0: [N, M] -> { R0[i] : 0 <= i < N }
      r[i, M - 1] = x[i, 0]
  R1: [N, M] -> { R1[i, j] : 0 <= i < N and 0 <= j < M - 1 }
      r[i, j] = a[j] * r[i, j + 1] + x[i, j]
  S0: [N, M] -> { S0[i] : 0 <= i < N }
      s[i, 0] = r[i, 0]
  S1: [N, M] -> { S1[j] : 1 <= j < M }
      s[0, j] = r[0, j]
  S2: [N, M] -> { S2[i, j] : 1 <= i < N and 1 <= j < M }
      s[i, j] = tanh(s[i - 1, j] + s[i, j - 1]) * r[i, j]
  Y: [N, M] -> { Y[j] : 0 <= j < M }
      y[j] = s[N - 1, j] + r[N - 1, j]
"""


def test_a_state_that_is_stored_along_diagonals() -> None:
    program, source = source_of(SKEWED)
    assert re.search(r"double r_state = r\[\(.*\) % N \* M \+ M - 1\];", source.c)
    library = Library(source)
    for sizes in ({"N": 1, "M": 1}, {"N": 4, "M": 7}, {"N": 7, "M": 300}):
        inputs = {n: 0.5 * v for n, v in random_inputs(program, sizes).items()}
        expected = evaluate(program, inputs, sizes)["y"]
        np.testing.assert_allclose(library.run(sizes, inputs)["y"], expected, rtol=1e-11, atol=1e-12)


KEPT = """
program kept: [T] -> { : T >= 1 }
  input     a: float64[T]
  temporary ARRAY: float64[T]
  temporary h: float64[T + 1]
  output    y: float64[T]
  Z: [T] -> { Z[t] : 0 <= t < T }
      ARRAY[t] = exp(a[t])
  H0: [T] -> { H0[] }
      h[0] = 0.5
  H: [T] -> { H[t] : 0 <= t < T }
      h[t + 1] = 0.5 * h[t] + ARRAY[t]
  Y: [T] -> { Y[t] : 0 <= t < T }
      y[t] = h[t + 1] * ARRAY[t]
"""


@pytest.mark.parametrize("array", ["z", "mul", "add", "before", "now", "after", "start", "count"])
@pytest.mark.quick_cases(2)
def test_what_is_kept_may_be_called_as_any_part_of_a_scan(array: str) -> None:
    """A gradient through a running sum of exp(x) + y keeps an array that is called add."""
    assert f"{array}_kept[t - t_0] = {array};" in check(KEPT.replace("ARRAY", array))
