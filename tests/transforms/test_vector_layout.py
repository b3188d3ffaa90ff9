"""Dimensions that vectors run along come last: which arrays move, and the same values."""

import numpy as np
import pytest

import polyad as pa
from polyad.passes import prepare
from polyad.schedule.strategies import Strategies
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from polyad.transforms.passes.layout.vector_layout import vector_layout
from tests.programs import program

MIXTURE = """
program mixture: [N] -> { : N >= 1 }
  input     Q: float64[3, 5, 5]
  input     x: float64[N, 5]
  temporary y: float64[N, 3, 5]
  temporary s: float64[N, 3]
  output    m: float64[N]
  y_sum: [N] -> { y_sum[n, k, i, j] : 0 <= n < N and 0 <= k <= 2 and 0 <= i <= 4 and 0 <= j <= i }
      y[n, k, i] += Q[k, i, j] * x[n, j]
  s_sum: [N] -> { s_sum[n, k, i] : 0 <= n < N and 0 <= k <= 2 and 0 <= i <= 4 }
      s[n, k] += y[n, k, i] * y[n, k, i]
  m_max: [N] -> { m_max[n, k] : 0 <= n < N and 0 <= k <= 2 }
      m[n] max= s[n, k]
"""


def simple(p):
    """Run the passes before it on a program."""
    return prepare(p, Strategies.at_level(1))


def shapes(p):
    return {name: tuple(map(str, a.shape)) for name, a in p.arrays.items()}


def test_what_is_computed_for_each_point_moves_along() -> None:
    p = simple(program(MIXTURE))
    moved = vector_layout(p)
    verify(moved)
    assert shapes(moved) == {
        "Q": ("3", "5", "5"),
        "x": ("N", "5"),
        "x_columns": ("5", "N"),
        "y": ("3", "5", "N"),
        "s": ("3", "N"),
        "m": ("N",),
    }
    assert "y[k, i, n] += mul(Q[k, i, j], x_columns[j, n])" in str(moved)


def test_values_stay() -> None:
    p = simple(program(MIXTURE))
    rng = np.random.default_rng(0)
    inputs = {"Q": rng.normal(size=(3, 5, 5)), "x": rng.normal(size=(4, 5))}
    expected, found = evaluate(p, inputs), evaluate(vector_layout(p), inputs)
    np.testing.assert_allclose(found["m"], expected["m"], rtol=1e-14)


ELIMINATION = """
program elimination: [N] -> { : N >= 1 }
  input     f: float64[N, 80]
  input     a: float64[80, 80]
  temporary s: float64[N, 80]
  output    y: float64[N, 80]
  s_sum: [N] -> { s_sum[i, j, l] : 0 <= i < N and 0 <= j < 80 and 0 <= l < j }
      s[i, j] += f[i, l] * a[l, j]
  y: [N] -> { y[i, j] : 0 <= i < N and 0 <= j < 80 }
      y[i, j] = tanh(s[i, j])
"""


def test_long_rows_stay_where_sums_are_as_long() -> None:
    """For each l vectors run along j, 40 elements on average: columns of s would be strided in all that reads it."""
    p = simple(program(ELIMINATION))
    assert vector_layout(p) is p
    short = simple(program(ELIMINATION.replace("80", "20")))
    assert shapes(vector_layout(short))["s"] == ("20", "N")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0 <= j <= i", "0 <= j <= 4"),  # rows of one length: vectors along j, or a matrix product
        ("Q[k, i, j] * x[n, j]", "Q[k, i, j] + x[n, j]"),  # no product
        ("[N] -> { y_sum[n, k, i, j] : 0 <= n < N and", "[N] -> { y_sum[n, k, i, j] : 0 <= n < N and n <= 8 + j and"),
    ],
)
def test_others_stay_as_they_are(old: str, new: str) -> None:
    p = simple(program(MIXTURE.replace(old, new)))
    assert vector_layout(p) is p


def test_what_a_longer_sum_reads_stays_as_it_is() -> None:
    """Rows of Q serve a sum for each of many points; the one for each of 70 components is not worth moving them."""
    centres = """
      y[n, k, i] += Q[k, i, j] * x[n, j]
  c_sum: [N] -> { c_sum[k, i, j] : 0 <= k <= 69 and 0 <= i <= 4 and 0 <= j <= i }
      c[k, i] += Q[k, i, j] * mu[k, j]"""
    text = MIXTURE.replace("\n      y[n, k, i] += Q[k, i, j] * x[n, j]", centres).replace("k <= 2", "k <= 69")
    text = text.replace("  output    m", "  input     mu: float64[70, 5]\n  output    c: float64[70, 5]\n  output    m")
    text = text.replace("[3, 5, 5]", "[70, 5, 5]").replace("[N, 3", "[N, 70")
    moved = vector_layout(simple(program(text)))
    verify(moved)
    assert "y[k, i, n] += mul(Q[k, i, j], x_columns[j, n])" in str(moved)
    assert "c[k, i] += mul(Q[k, i, j], mu[k, j])" in str(moved)
    alone = text.replace("Q[k, i, j] * x[n, j]", "x[n, j]")
    assert "Q_columns" in vector_layout(simple(program(alone))).arrays


@pytest.mark.parametrize("points", [1, 7, 70])
@pytest.mark.quick_cases(1)
def test_a_kernel(points: int) -> None:
    N = pa.sizes("N")
    Q = pa.placeholder((3, 5, 5), "Q", "float64")
    x = pa.placeholder((N, 5), "x", "float64")

    def row(n, k, i):
        j = pa.reduce_axis((0, i + 1), name="j")
        return pa.sum(Q[k, i, j] * x[n, j], axis=j)

    y = pa.compute((N, 3, 5), row, name="y")
    value = pa.numpy.sum(pa.tanh(pa.numpy.sum(y**2, axis=2)))
    kernel = pa.compile([value, *pa.grad(value, [Q, x])], [Q, x], name="mixture")
    plain = pa.compile([value, *pa.grad(value, [Q, x])], [Q, x], name="mixture", target=pa.Target(optimize=1))
    assert "x_columns" in kernel.source and "x_columns" not in plain.source
    assert "lanes for n" in kernel.schedule.tree()
    rng = np.random.default_rng(1)
    arguments = rng.normal(size=(3, 5, 5)), rng.normal(size=(points, 5))
    for found, expected in zip(kernel(*arguments), plain(*arguments), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)


COLUMNS = """
program columns: [N] -> { : N >= 1 }
  input     x: float64[N]
  temporary p: float64[N, 1]
  temporary q: float64[N, 1]
  output    y: float64[N, N]
  P: [N] -> { P[i] : 0 <= i < N }
      p[i, 0] = exp(x[i])
  Q: [N] -> { Q[i] : 0 <= i < N }
      q[i, 0] = sin(x[i])
  Y: [N] -> { Y[i, j] : 0 <= i < N and 0 <= j < N }
      y[i, j] = p[i, 0] * q[j, 0]
"""


def test_an_index_of_one_value_makes_no_stride():
    p = program(COLUMNS)
    assert vector_layout(p) is p
    assert vector_layout(program(COLUMNS.replace("[N, 1]", "[N, 2]"))) is not p
    assert shapes(vector_layout(program(COLUMNS.replace("[N, 1]", "[N, 2]"))))["q"] == ("2", "N")
