"""Temporaries lie as what they are computed with: words alone decide nothing, and what recurs keeps its slots."""

import numpy as np
import pytest

import polyad as pa
from polyad.passes import prepare
from polyad.schedule.strategies import Strategies
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from polyad.transforms.passes.layout.memory_order import memory_order
from tests.programs import program

SOFT = """
program soft: [N, K] -> { : N >= 1 and K >= 1 }
  input     x: float32[K, N]
  input     m: float32[N]
  temporary e: float32[N, K]
  temporary d: float32[N, K]
  output    s: float32[N]
  output    y: float32[K, N]
  e_exp: [N, K] -> { e_exp[n, k] : 0 <= n < N and 0 <= k < K }
      e[n, k] = exp(x[k, n] - m[n])
  s_sum: [N, K] -> { s_sum[n, k] : 0 <= n < N and 0 <= k < K }
      s[n] += e[n, k]
  d_mul: [N, K] -> { d_mul[n, k] : 0 <= n < N and 0 <= k < K }
      d[n, k] = e[n, k] * s[n]
  y_sin: [N, K] -> { y_sin[n, k] : 0 <= n < N and 0 <= k < K }
      y[k, n] = sin(d[n, k])
"""


def shapes(p):
    return {name: tuple(map(str, a.shape)) for name, a in p.arrays.items() if a.role == "temporary"}


def simple(text):
    return prepare(program(text), Strategies.at_level(1))


def test_what_is_computed_with_rows_lies_in_rows() -> None:
    p = program(SOFT)
    moved = memory_order(p)
    verify(moved)
    assert shapes(moved) == {"e": ("K", "N"), "d": ("K", "N")}
    rng = np.random.default_rng(0)
    inputs = {"x": rng.normal(size=(3, 4)), "m": rng.normal(size=4)}
    expected, found = evaluate(p, inputs), evaluate(moved, inputs)
    for name in ("s", "y"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-14)
    assert memory_order(moved) is moved


def test_most_votes_win_and_a_tie_changes_nothing() -> None:
    tie = SOFT.replace("  input     m: float32[N]", "  input     m: float32[N]\n  input     z: float32[N, K]")
    tie = tie.replace("x[k, n] - m[n]", "x[k, n] - z[n, k]").replace("sin(d[n, k])", "sin(s[n] + x[k, n])")
    assert shapes(memory_order(program(tie)))["e"] == ("N", "K")
    three = tie.replace("x[k, n] - z[n, k]", "x[k, n] - z[n, k] * x[k, n]")
    assert shapes(memory_order(program(three)))["e"] == ("K", "N")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[k, n] - m[n]", "m[n] * m[n]"),  # nothing has both dimensions
        ("x: float32[K, N]", "x: float32[N, K]"),  # they lie so already
    ],
)
def test_others_stay_as_they_are(old: str, new: str) -> None:
    text = SOFT.replace(old, new)
    text = text.replace("x[k, n]", "x[n, k]") if "x: float32[N, K]" in text else text
    text = text.replace("y: float32[K, N]", "y: float32[N, K]").replace("y[k, n]", "y[n, k]")
    p = program(text)
    assert memory_order(p) is p


def test_an_index_of_one_value_is_never_the_last_one_that_counts() -> None:
    text = SOFT.replace("temporary e: float32[N, K]", "temporary e: float32[N, K, 1]").replace("e[n, k]", "e[n, k, 0]")
    moved = memory_order(program(text))
    verify(moved)
    assert shapes(moved)["e"] == ("K", "1", "N")


def test_who_does_not_have_what_is_last_now_has_no_vote() -> None:
    """Rows of z are scaled by x: that says nothing about the order of i and j."""
    text = """
program scaled: [T, I, J] -> { : T >= 1 and I >= 1 and J >= 1 }
  input     k: float32[T, I]
  temporary z: float32[T, I, J]
  output    s: float32[T]
  Z: [T, I, J] -> { Z[t, i, j] : 0 <= t < T and 0 <= i < I and 0 <= j < J }
      z[t, i, j] = exp(k[t, i])
  S: [T, I, J] -> { S[t, i, j] : 0 <= t < T and 0 <= i < I and 0 <= j < J }
      s[t] += z[t, i, j]
"""
    p = program(text)
    assert memory_order(p) is p


def test_a_dimension_along_which_a_recurrence_steps_never_becomes_the_last_one() -> None:
    """Slots along time are used in turn, and vectors run along what does not step."""

    def steps(x):  # (batch, time)
        def step(h, x_t):
            h = pa.tanh(0.5 * h + pa.exp(x_t))
            return h, h

        return pa.scan(step, pa.numpy.zeros_like(x[:, 0]), x.T)[0]

    B, T = pa.sizes("B T")
    x = pa.placeholder((B, T), "x", "float32")
    value = pa.numpy.sum(steps(x))
    kernel = pa.compile([value, *pa.grad(value, [x])], [x], name="steps")
    kept = [a for a in kernel.program.arrays.values() if a.role == "temporary" and len(a.shape) == 2]
    assert kept and all(str(a.shape[-1]) == "B" for a in kept)


@pytest.mark.parametrize("words", ["formula", "batched"])
def test_wordings_become_one_program(words: str) -> None:
    """Logarithms of sums along columns: the same arrays whether a formula, a batch of columns or NumPy says so."""
    x = pa.placeholder((50, 40), "x", "float32")

    def formula(x):
        k = pa.reduce_axis(50)
        return pa.compute((40,), lambda j: pa.log(pa.sum(pa.exp(x[k, j]), axis=k)))

    batched = pa.vmap(lambda v: pa.numpy.log(pa.numpy.sum(pa.numpy.exp(v))), in_axes=1)

    def trees(f):
        y = f(x)
        value = pa.numpy.sum(y * y)
        kernel = pa.compile([value, *pa.grad(value, [x])], [x], name="columns")
        kept = sorted(str([*map(str, a.shape)]) for a in kernel.program.arrays.values() if a.role == "temporary")
        return kept, kernel(np.random.default_rng(1).normal(size=(50, 40)).astype("float32"))

    kept, results = trees({"formula": formula, "batched": batched}[words])
    expected, right = trees(lambda x: pa.numpy.log(pa.numpy.sum(pa.numpy.exp(x), axis=0)))
    assert kept == expected
    for found, wanted in zip(results, right, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5)
