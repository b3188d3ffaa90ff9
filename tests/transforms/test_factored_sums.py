"""Sums of several factors: which become products of matrices, and that values stay."""

import numpy as np
import pytest

import polyad as pa
from polyad.schedule.scheduler import default_schedule
from polyad.semantics.verify import verify
from polyad.transforms.passes.initialise import initialise
from polyad.transforms.passes.sums.factored_sums import factored_sums
from tests.programs import program
from tests.transforms.equivalence import assert_same

HEAD = """
program sums: [I, J, K] -> { : I >= 1 and J >= 1 and K >= 1 }
  input     x: float64[I, K]
  input     y: float64[J, K]
  input     z: float64[I]
  input     w: float64[K]
  input     a: float64[K, J]
  output    o: float64[I, J]
  output    f: float64[I]
"""
ALL_OF = "[I, J, K] -> { NAME[i, j, k] : 0 <= i < I and 0 <= j < J and 0 <= k < K }"
OTHER = f"  F: {ALL_OF.replace('NAME', 'F')}\n      f[i] += a[k, j]\n"


def text(body: str) -> str:
    target = "f[i]" if body.startswith("bilinear ") else "o[i, j]"
    other = OTHER if target == "o[i, j]" else f"  O: {ALL_OF.replace('NAME', 'O')}\n      o[i, j] += a[k, j]\n"
    return f"{HEAD}  S: {ALL_OF.replace('NAME', 'S')}\n      {target} += {body.removeprefix('bilinear ')}\n{other}"


SIZES = ({"I": 1, "J": 1, "K": 1}, {"I": 3, "J": 4, "K": 5}, {"I": 7, "J": 2, "K": 9})


@pytest.mark.parametrize(
    ("body", "made"),
    [
        ("x[i, k] / z[i] * y[j, k]", ["o_sum"]),  # what the sum does not run along leaves it
        ("-(2.0 * x[i, k]) * (y[j, k] * z[i])", ["o_sum"]),
        ("x[i, k] * y[j, k] * w[k]", ["o_part"]),  # a row of weights goes into an operand
        ("x[i, k] * w[k] / z[i] * y[j, k]", ["o_part", "o_sum"]),
        ("bilinear x[i, k] * a[k, j] * y[j, 0]", ["f_part"]),  # a part of the sum first
    ],
)
def test_products_of_matrices_are_found(body: str, made: list[str]) -> None:
    before = program(text(body))
    after = factored_sums(before)
    verify(after)
    assert [n for n in after.arrays if n not in before.arrays] == made
    assert_same(before, after, *SIZES)
    assert "contraction for" in default_schedule(initialise(after)).tree()
    assert "contraction for" not in default_schedule(initialise(before)).tree()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[i, k] / z[i] * y[j, k]", "x[i, k] * y[j, k]"),  # a product of matrices already
        ("x[i, k] / z[i] * y[j, k]", "x[i, k] / z[i] * w[k]"),  # none
        ("x[i, k] / z[i] * y[j, k]", "exp(x[i, k]) / z[i] * y[j, k]"),  # no element
        ("x[i, k] / z[i] * y[j, k]", "(x[i, k] + z[i]) * y[j, k]"),  # no product
        ("0 <= k < K }\n      o", "0 <= k < K and k <= i }\n      o"),  # no box
        ("[I, J, K] -> { : I", "[I, J, K] -> { : K = 3 and I"),  # a short sum
    ],
)
def test_others_stay(old: str, new: str) -> None:
    given = text("x[i, k] / z[i] * y[j, k]")
    assert old in given
    before = program(given.replace(old, new))
    assert factored_sums(before) is before


def test_gradients_of_three_factors_are_products_of_matrices() -> None:
    """A quadratic form for each of many points, as a formula and by operators: as many products, the same numbers."""
    x, A, y = pa.placeholder((50, 30), "x"), pa.placeholder((30, 40), "A"), pa.placeholder((50, 40), "y")
    i, j = pa.reduce_axis(30, name="i"), pa.reduce_axis(40, name="j")
    formula = pa.compute((50,), lambda b: pa.sum(x[b, i] * A[i, j] * y[b, j], axis=(i, j)))
    operators = pa.numpy.sum((x @ A) * y, axis=1)
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=s).astype("float32") for s in ((50, 30), (30, 40), (50, 40))]
    results = []
    for value in (formula, operators):
        loss = pa.numpy.sum(value * value)
        kernel = pa.compile([loss, *pa.grad(loss, [x, A, y])], [x, A, y], name="forms")
        assert kernel.schedule.tree().count("contraction for") >= 3
        results.append(kernel(*arrays))
    for mine, theirs in zip(*results, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-4 * float(np.abs(theirs).max()))
