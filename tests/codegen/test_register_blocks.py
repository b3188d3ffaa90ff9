"""Contractions in register blocks: the same numbers for all remainders, and the blocks in the text."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.options import CodegenOptions
from polyad.frontend.compiled import program_of
from polyad.machine import TINY
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL, Strategies
from polyad.semantics.evaluate import evaluate
from polyad.targets.target import Target
from tests.acceptance import lstm
from tests.acceptance.native_batch import NativeBatch
from tests.codegen.compiled import Library, source_of
from tests.transforms.equivalence import random_inputs


@pytest.fixture(autouse=True)
def _loops_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Products as loops, which the macro-kernel would take otherwise; kernels are kept apart from those of others."""
    loops = replace(ALL, contraction=False, share=False)
    monkeypatch.setattr(Target, "strategies", property(lambda self: loops))
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path))


def product(dtype: str, transposed: bool, sizes: tuple[int, int, int] | None = None) -> pa.Kernel:
    """C = A B, or A B^T."""
    M, N, K = pa.sizes("M N K") if sizes is None else sizes
    A = pa.placeholder((M, K), "A", dtype)
    B = pa.placeholder((N, K) if transposed else (K, N), "B", dtype)
    return pa.compile(A @ (B.T if transposed else B), [A, B], name="product")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.quick_cases(1)
def test_all_remainders(dtype: str, transposed: bool) -> None:
    kernel = product(dtype, transposed)
    rng = np.random.default_rng(0)
    for m in (1, 3, 4, 5, 18, 35):
        for n in (1, 3, 4, 7, 8, 31, 32, 33, 45, 76):
            for k in (1, 2, 5, 257):
                a = rng.normal(size=(m, k)).astype(dtype)
                b = rng.normal(size=(n, k) if transposed else (k, n)).astype(dtype)
                tolerance = 1e-4 if dtype == "float32" else 1e-12
                expected = a @ (b.T if transposed else b)
                np.testing.assert_allclose(kernel(a, b), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("sizes", [(4, 32, 8), (16, 64, 8), (6, 41, 9), (3, 5, 300)])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.quick_cases(2)
def test_sizes_that_are_numbers(sizes: tuple[int, int, int], transposed: bool) -> None:
    m, n, k = sizes
    kernel = product("float64", transposed, sizes)
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(m, k)), rng.normal(size=(n, k) if transposed else (k, n))
    np.testing.assert_allclose(kernel(a, b), a @ (b.T if transposed else b), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("batch", range(1, 10))
@pytest.mark.quick_cases(2)
def test_rows_of_a_recurrence(batch: int) -> None:
    T, B, H = pa.sizes("T B H")
    x, U = pa.placeholder((T, B, H), "x", "float64"), pa.placeholder((H, H), "U", "float64")
    h0 = pa.placeholder((B, H), "h0", "float64")

    def step(h: pa.Tensor, x_t: pa.Tensor) -> tuple[pa.Tensor, pa.Tensor]:
        h = pa.tanh(x_t + h @ U.T) @ U
        return h, h

    _, hs = pa.scan(step, h0, x)
    kernel = pa.compile(hs, [x, U, h0], name="rows")
    rng = np.random.default_rng(0)
    a, u, start = rng.normal(size=(3, batch, 13)), rng.normal(size=(13, 13)) / 4, rng.normal(size=(batch, 13))
    expected, h = [], start
    for a_t in a:
        h = np.tanh(a_t + h @ u.T) @ u
        expected.append(h)
    np.testing.assert_allclose(kernel(a, u, start), np.stack(expected), rtol=1e-12, atol=1e-12)


@pytest.mark.slow
def test_blocks_stay_in_variables() -> None:
    dot, lanes = (str(product("float32", transposed).source) for transposed in (True, False))
    # 4 rows of A times 4 rows of B: 16 sums, and no load or store of C in the loop over k.
    assert "float C_sum" not in lanes.split("for (int64_t k")[1].split("}")[0]
    assert dot.count("PA_PRAGMA_SIMD(omp simd reduction(+") >= 3
    # 4 rows times 4 vectors of 8 or 16.
    assert len(re.findall(r"\[(?:8|16)\];", lanes)) >= 16


@pytest.mark.slow
def test_contributions_to_the_step_before_stay_in_variables() -> None:
    # The adjoint of step t adds to that of step t - 1 under the condition t >= 1: only there it may be loaded.
    x, W, U, b, _, _ = lstm.placeholders("float32")
    start = pa.numpy.zeros((x.shape[1], U.shape[1]))
    _, ys = lstm.layer(x, W, U, b, start, start)
    kernel = pa.compile(pa.grad((ys * ys).sum(), [U]), [x, W, U, b], name="before")
    text = str(kernel.source)
    assert "if (-t <= -1) {" in text or "if (t >= 1) {" in text, "the condition that this test is about"
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    updates = [line for line in code.splitlines() if re.search(r"lane( \+ \d+)?\] \+= ", line)]
    assert updates and all("_sum" in line for line in updates)


# A triangle of products within a recurrence: what its sums begin with is another step's result.
STARTS = """
program starts: [T, N, M] -> { : T >= 1 and N >= 1 and M >= 1 }
  input     Q: float64[N, N, M]
  input     c: float64[M]
  temporary h: float64[T + 1, N, 64]
  output    y: float64[T, N, M, 64]
  H0: [T, N, M] -> { H0[j, n] : 0 <= j < N and 0 <= n < 64 }
      h[0, j, n] = 0.5
  Y: [T, N, M] -> { Y[t, i, k, n] : 0 <= t < T and 0 <= i < N and 0 <= k < M and 0 <= n < 64 }
      y[t, i, k, n] = c[k] - h[t, i, n]
  S: [T, N, M] -> { S[t, i, k, n, j] : 0 <= t < T and 0 <= j <= i < N and 0 <= k < M and 0 <= n < 64 }
      y[t, i, k, n] += Q[i, j, k] * h[t, j, n]
  H: [T, N, M] -> { H[t, j, n] : 0 <= t < T and 0 <= j < N and 0 <= n < 64 }
      h[t + 1, j, n] = tanh(y[t, j, 0, n])
"""


def test_what_sums_in_lanes_begin_with_is_in_registers() -> None:
    program, source = source_of(STARTS, CodegenOptions(strategies=replace(ALL, contraction=False, share=False)))
    assert "y_sum_0_0[lane] = c[k] - h[" in source.c
    code = re.sub(r"/\*.*?\*/", "", source.c, flags=re.DOTALL)
    assert " + n] = c[k] - h[" not in code  # no pass over y before its sums
    sizes = {"T": 3, "N": 5, "M": 6}
    inputs = random_inputs(program, sizes)
    expected = evaluate(program, inputs, sizes)["y"]
    np.testing.assert_allclose(Library(source).run(sizes, inputs)["y"], expected, rtol=1e-12)


# A product of a vector with a matrix, and maxima of columns.
ROWS_OF = """
program rows: [T, J] -> { : T >= 1 and J >= 1 }
  input     x: float64[T, J]
  input     A: float64[J, WIDTH]
  output    y: float64[T, WIDTH]
  output    m: float64[WIDTH]
  Y: [T, J] -> { Y[t, i, j] : 0 <= t < T and 0 <= i < WIDTH and 0 <= j < J }
      y[t, i] += x[t, j] * A[j, i]
  M: [T, J] -> { M[i, j] : 0 <= i < WIDTH and 0 <= j < J }
      m[i] max= A[j, i]
"""


@pytest.mark.parametrize("width", [16, 32, 45, 64, 65])
@pytest.mark.quick_cases(2)
def test_short_rows_stay_in_registers(width: int) -> None:
    options = CodegenOptions(strategies=replace(ALL, contraction=False, share=False))
    program, source = source_of(ROWS_OF.replace("WIDTH", str(width)), options)
    assert ("m_max_0[lane] = pa_maximum_f64(m_max_0[lane], A[" in source.c) == (32 <= width <= 64)
    for sizes in ({"T": 2, "J": 1}, {"T": 1, "J": 9}):
        inputs = random_inputs(program, sizes)
        expected = evaluate(program, inputs, sizes)
        for name, found in Library(source).run(sizes, inputs).items():
            np.testing.assert_allclose(found, expected[name], rtol=1e-12, err_msg=name)


def test_blocks_that_do_not_fit_are_not_printed() -> None:
    options = CodegenOptions(strategies=replace(ALL, contraction=False, share=False))
    source = source_of(ROWS_OF.replace("WIDTH", "20"), options)[1]
    bounds = re.findall(r"for \(int64_t \w+ = (\d+); \w+ < (-?\d+);", source.c)
    assert bounds and all(int(first) < int(last) for first, last in bounds)


def test_variables_from_around_the_block_are_not_its_own() -> None:
    """A statement that declares a variable and reads one from outside of the loop: only the former is copied."""
    x = pa.placeholder((8, 70), "x", "float64")
    dot = pa.placeholder((8, 70), "dot", "float64")
    variance = pa.numpy.var(pa.sin(x))
    program, _ = program_of([variance, pa.tangent(variance, {x: dot})], [x, dot], "kernel")
    batch = NativeBatch(strategies=Strategies.at_level(2))
    (number,) = batch.add(program)
    batch.build()
    rng = np.random.default_rng(0)
    v, u = rng.normal(size=(2, 8, 70))
    found, slope = batch.run(number, {"x": v, "dot": u}, {}).values()
    np.testing.assert_allclose(found, np.var(np.sin(v)), rtol=1e-13)
    away = np.sin(v) - np.mean(np.sin(v))
    np.testing.assert_allclose(slope, 2 * np.mean(away * np.cos(v) * u), rtol=1e-11)


@pytest.mark.parametrize("shape", [(2, 2), (3, 4), (5, 3)])
def test_a_vector_loop_around_lanes_reduces_no_variable_of_each(shape: tuple[int, int]) -> None:
    """A sum in lanes whose own loop the user's schedule makes a vector loop, too: OpenMP cannot reduce `sum[lane]`."""
    x = pa.placeholder(shape, "x", "float64")
    program, _ = program_of([pa.numpy.sum(x * x, 0)], [x], "kernel")
    machine = replace(TINY, terms=1)  # not written out
    prepared = prepare(program, ALL, machine)
    order = default_schedule(prepared, ALL, machine)
    batch = NativeBatch(machine=machine)
    (number,) = batch.add(program, schedule=order.vectorize(("sum", prepared.statement("sum").dims[-1])))
    assert "for (int64_t lane" in batch.sources[number].c
    batch.build()
    values = np.random.default_rng(0).normal(size=shape)
    (found,) = batch.run(number, {"x": values}, {}).values()
    np.testing.assert_allclose(found, np.sum(values * values, 0), rtol=1e-13)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("extent", [35, 39, 44, 50, 63])
@pytest.mark.quick_cases(2)
def test_what_known_blocks_leave_over_runs_side_by_side(extent: int, dtype: str) -> None:
    """Loops inside run once for whole blocks and once for what is left, not once for each vector and each column."""
    x = pa.placeholder((9, 40, extent), "x", dtype)
    k = pa.reduce_axis(40, name="k")
    most = pa.compute((9, extent), lambda b, j: pa.max(x[b, k, j], axis=k), name="most")
    kernel = pa.compile(most, [x], name="columns")
    assert "lanes for j" in kernel.schedule.tree()
    assert kernel.source.count("for (int64_t k = 0; k < 40; k += 1)") <= 2  # whole blocks, and the rest
    given = np.random.default_rng(extent).normal(size=(9, 40, extent)).astype(dtype)
    np.testing.assert_array_equal(kernel(given), given.max(axis=1))
    kernel.certify()
