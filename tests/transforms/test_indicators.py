"""Products with an indicator of data: gathers and scatters, with ids outside, and numbers that are none."""

from random import Random
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from polyad import numpy as pn
from polyad.frontend.compiled import program_of
from polyad.machine import MACHINE
from polyad.ops.program_text import parse_program
from polyad.passes import prepare
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from polyad.transforms.passes.sums.indicators import gathered_sums, scattered_sums
from tests.transforms.equivalence import assert_same

PRODUCT = """
program product: [N, K] -> { : N >= 0 and K >= 0 }
  input     ids: int64[N]
  input     x: float64[N, 3]
  input     w: float64[K, 3]
  temporary h: float64[N, K]
  output    y: float64[N, 3]
  output    z: float64[K, 3]
  H: [N, K] -> { H[i, k] : 0 <= i < N and 0 <= k < K }
      h[i, k] = select(eq(ids[i] + SHIFT, index(k)), 2.0, 0.0)
  Y: [N, K] -> { Y[i, j, k] : 0 <= i < N and 0 <= k < K and 0 <= j < 3 }
      y[i, j] += h[i, k] * w[k, j]
  Z: [N, K] -> { Z[k, j, i] : 0 <= i < N and 0 <= k < K and 0 <= j < 3 }
      z[k, j] += h[i, k] * x[i, j] * w[k, j]
"""
"""Both products; ids + SHIFT leave the range."""

SIZES = [{"N": 1, "K": 1}, {"N": 4, "K": 1}, {"N": 1, "K": 5}, {"N": 6, "K": 9}, {"N": 9, "K": 4}]


@pytest.mark.parametrize("shift", [0, 1, -2, 3])
def test_both_products_are_the_same(shift: int) -> None:
    before = parse_program(PRODUCT.replace("SHIFT", str(shift)))
    after = scattered_sums(gathered_sums(before))
    assert {name: len(after.statement(name).dims) for name in "YZ"} == {"Y": 2, "Z": 2}
    assert_same(before, after, *SIZES)


def test_bounds_may_depend_on_other_dimensions() -> None:
    before = parse_program(
        PRODUCT.replace("0 <= k < K and", "0 <= k < K and i - 2 <= k <= i and").replace("SHIFT", "1")
    )
    after = scattered_sums(gathered_sums(before))
    assert {name: len(after.statement(name).dims) for name in "YZ"} == {"Y": 2, "Z": 2}
    assert_same(before, after, *SIZES)


@pytest.mark.parametrize(
    "text",
    [
        PRODUCT.replace("2.0, 0.0)", "2.0, 1.0)"),  # the term does not vanish
        PRODUCT.replace("y[i, j] +=", "y[i, j] max=").replace("z[k, j] +=", "z[k, j] max="),
        PRODUCT.replace("* w[k, j]", "* w[(k // 2), j]"),  # a quotient of data
        PRODUCT.replace("h[i, k] *", "h[i, k] +"),
        PRODUCT.replace("eq(ids[i] + SHIFT, index(k))", "ge(ids[i] + SHIFT, index(k))"),
        PRODUCT.replace("eq(ids[i] + SHIFT, index(k))", "eq(ids[i] + SHIFT, index(2*k))"),
        PRODUCT.replace("eq(ids[i] + SHIFT, index(k))", "eq(x[i, 0], index(k))"),  # may be a fraction
        PRODUCT.replace("0 <= k < K and", "0 <= k < K and k % 2 = 0 and"),  # every second one
    ],
)
def test_what_stays(text: str) -> None:
    program = parse_program(text.replace("SHIFT", "0"))
    assert gathered_sums(program) is program
    assert scattered_sums(program) is program


def test_an_element_is_no_sum() -> None:
    """Each element has one term: nothing is added up less often, and loops stay as they are."""
    program = parse_program(
        """
program element: [N] -> { : N >= 1 }
  input     ids: int64[N]
  input     x: float64[N]
  output    y: float64[N, 4]
  Y: [N] -> { Y[i, k] : 0 <= i < N and 0 <= k < 4 }
      y[i, k] += select(eq(ids[i], index(k)), x[i], 0.0)
"""
    )
    assert scattered_sums(program) is program


def test_a_recurrence_gathers_from_outside_alone() -> None:
    text = """
program steps: [T] -> { : T >= 1 }
  input     ids: int64[T]
  input     w: float64[5]
  input     h0: float64[]
  temporary z: float64[T]
  output    h: float64[T + 1]
  S: [T] -> { S[] }
      h[0] = h0[]
  Z: [T] -> { Z[t, k] : 0 <= t < T and 0 <= k < 5 }
      z[t] += select(eq(ids[t], index(k)), w[k], 0.0) * h[t]
  H: [T] -> { H[t] : 0 <= t < T }
      h[t + 1] = tanh(z[t])
"""
    before = parse_program(text)
    after = gathered_sums(before)
    assert after.statement("Z").dims == ("t",)
    assert_same(before, after)
    earlier = text.replace("0 <= t < T and 0 <= k < 5", "5 <= t < T and 0 <= k < 5").replace("w[k], 0.0)", "h[k], 0.0)")
    assert gathered_sums(parse_program(earlier)).statement("Z").dims == ("t", "k")


def test_few_choices_are_summed_up_in_vectors() -> None:
    ids, x = pa.placeholder((1000,), "ids", "int64"), pa.placeholder((1000,), "x", "float64")
    for count in (MACHINE.choices, MACHINE.choices + 1):
        chosen = pn.sum(pn.where(ids == pn.arange(count)[:, None], x, 0.0), axis=1)
        scattered = max(pa.compile(chosen).instances().values()) == 1000
        assert scattered == (count > MACHINE.choices)


SPELLINGS: dict[str, Any] = {
    "one_hot": lambda ids, k: nn.one_hot(ids, k, "float64"),
    "comparison": lambda ids, k: (ids[:, None] == pn.arange(k)).astype("float64"),
    "where": lambda ids, k: pn.where(pn.arange(k) != ids[:, None], 0.0, 1.0),
    "eye": lambda ids, k: pn.eye(k)[ids],
}


@pytest.mark.parametrize("dtype", ["int64", "int32"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spellings_cost_as_much_as_indices(spelling: str, dtype: str) -> None:
    N, K, J = 6, 9, 5
    ids = pa.placeholder((N,), "ids", dtype)
    x, w = pa.placeholder((N, J), "x", "float64"), pa.placeholder((K, J), "w", "float64")
    hot = SPELLINGS[spelling](ids, K)
    y, z = hot @ w, hot.T @ x
    bars = pa.differentiate(pn.sum(y * y) + pn.sum(z * z), [x, w])
    rng = np.random.default_rng(0)
    inputs = {"ids": rng.integers(0, K, N).astype(dtype), "x": rng.normal(size=(N, J)), "w": rng.normal(size=(K, J))}
    for outputs in ([y], [z], [bars[x]], [bars[w]]):
        kernel = pa.compile(outputs)
        assert max(kernel.instances().values()) <= max(N, K) * J
    eye = np.eye(K)[inputs["ids"]]
    np.testing.assert_allclose(pa.compile(y)(**{n: inputs[n] for n in ("ids", "w")}), eye @ inputs["w"])
    np.testing.assert_allclose(pa.compile(z)(**{n: inputs[n] for n in ("ids", "x")}), eye.T @ inputs["x"])


def test_rows_of_an_identity_that_are_not_there_are_refused() -> None:
    f = pa.jit(lambda ids, w: pn.eye(4)[ids] @ w)
    np.testing.assert_array_equal(f(np.array([3, 0]), np.arange(8.0).reshape(4, 2)), [[6, 7], [0, 1]])
    with pytest.raises(pa.CallError, match="4"):
        f(np.array([4, 0]), np.ones((4, 2)))
    for columns, dims in ((4, ("i",)), (3, ("i", "k"))):  # the last row has no term among three
        program = parse_program(
            f"""
program rows: [N] -> {{ : N >= 1 }}
  input     ids: int64[N]
  input     w: float64[4]
  temporary e: float64[4, 4]
  output    y: float64[N]
  E: [N] -> {{ E[i, j] : 0 <= i < 4 and 0 <= j < 4 and i != j }}
      e[i, j] = 0.0
  D: [N] -> {{ D[i, j] : 0 <= i < 4 and j = i }}
      e[i, j] = 3.0
  Y: [N] -> {{ Y[i, k] : 0 <= i < N and 0 <= k < {columns} }}
      y[i] += e[ids[i], index(k)] * w[k]
"""
        )
        after = gathered_sums(program)
        assert after.statement("Y").dims == dims
        assert_same(program, after, {"N": 1}, {"N": 4})


def test_a_confusion_matrix_is_one_scatter() -> None:
    N, K = 50, 6
    p, q = pa.placeholder((N,), "p", "int64"), pa.placeholder((N,), "q", "int64")
    kernel = pa.compile(nn.one_hot(p, K, "float64").T @ nn.one_hot(q, K, "float64"))
    assert max(kernel.instances().values()) == N
    rng = np.random.default_rng(1)
    a, b = rng.integers(-1, K + 1, N), rng.integers(-1, K + 1, N)
    expected = np.zeros((K, K))
    np.add.at(expected, tuple(v[(a >= 0) & (b >= 0) & (a < K) & (b < K)] for v in (a, b)), 1)
    np.testing.assert_array_equal(kernel(p=a, q=b), expected)


def case(number: int) -> tuple[Any, dict[str, np.ndarray], list[np.ndarray]]:
    """Outputs, inputs and what is expected; ids may lie outside, and what nobody chooses may be no number."""
    random = Random(f"indicators {number}")
    N, K, J = (random.randint(0, 9) for _ in range(3))
    named = random.random() < 0.4
    n, k, j = (pa.sizes(s, min=0) if named else e for s, e in zip("NKJ", (N, K, J), strict=True))
    ids = pa.placeholder((n,), "ids", "int64")
    x, w = pa.placeholder((n, j), "x", "float64"), pa.placeholder((k, j), "w", "float64")
    hot = nn.one_hot(ids, k, "float64")
    rng = np.random.default_rng(number)
    at = rng.integers(-2, K + 2, N)
    inputs = {"ids": at, "x": rng.normal(size=(N, J)), "w": rng.normal(size=(K, J))}
    inside = (at >= 0) & (at < K)
    if N > 1 and MACHINE.choices < K:  # a sum over one term is a product, and few are summed up in vectors
        inputs["x"][~inside] = random.choice([np.nan, np.inf, 1.0])
        inputs["w"][[r for r in range(K) if r not in at]] = random.choice([np.nan, -np.inf, 1.0])
    y, z = np.zeros((N, J)), np.zeros((K, J))
    y[inside] = inputs["w"][at[inside]]
    np.add.at(z, at[inside], inputs["x"][inside])
    return [hot @ w, hot.T @ x], inputs, [y, z]


@pytest.mark.parametrize("number", range(40))
@pytest.mark.quick_cases(8)
def test_random_shapes(number: int) -> None:
    outputs, inputs, expected = case(number)
    found = pa.compile(outputs)(**inputs)
    for values, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(values, wanted, rtol=1e-12)


def test_the_passes_find_them_in_any_program() -> None:
    """As the evaluator has it, after all passes."""
    program = parse_program(PRODUCT.replace("SHIFT", "1"))
    rng = np.random.default_rng(3)
    for sizes in SIZES:
        N, K = sizes["N"], sizes["K"]
        inputs = {"ids": rng.integers(-2, K + 1, N), "x": rng.normal(size=(N, 3)), "w": rng.normal(size=(K, 3))}
        expected, found = evaluate(program, inputs, sizes), evaluate(prepare(program), inputs, sizes)
        for name, values in expected.items():
            np.testing.assert_allclose(found[name], values, rtol=1e-12)


def test_definitions_that_read_each_other_twice_are_not_put_in_place_of_each_other() -> None:
    """Written out, forty of them are 2^40 terms; only a body that stays small is looked at."""
    x = pa.placeholder((5,), "x", "float64")
    z: Any = x
    for _ in range(40):
        z = pa.numpy.where(pa.numpy.abs(z) == 0.5, 0.1, pa.sin(z) / z)
    program, _ = program_of([pa.numpy.sum(z)], [x], "chain")
    for scatters in (gathered_sums, scattered_sums):
        assert scatters(program) is program


TRIANGLE = """
program triangle: [N] -> { : N >= 1 }
  input     ids: int64[N]
  input     x: float64[N]
  temporary t: float64[N, N]
  output    y: float64[N]
  T: [N] -> { T[i, k] : 0 <= i < N and 0 <= k DEFINED }
      t[i, k] = x[i] * sin(x[k])
  Y: [N] -> { Y[i, k] : 0 <= i < N and 0 <= k <= i }
      y[i] += select(eq(index(k), ids[i]), t[i, k], 0.0)
"""


@pytest.mark.parametrize(("defined", "gathers"), [("<= i", False), ("< N", True)])
def test_data_pick_only_among_elements_that_have_a_value(defined: str, gathers: bool) -> None:
    """The verifier asks it of what data may pick, whatever bounds the index is brought inside of."""
    before = parse_program(TRIANGLE.replace("DEFINED", defined))
    after = gathered_sums(before)
    assert (after is not before) == gathers
    verify(after)
    prepare(before)
