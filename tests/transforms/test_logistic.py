"""The logistic function is known by its spellings, and only by those."""

from dataclasses import replace

import numpy as np
import pytest

from polyad.ad.reverse import reverse
from polyad.semantics.evaluate import evaluate
from polyad.transforms.rewrite.logistic import with_logistic
from tests.programs import program
from tests.transforms.equivalence import assert_same

TEXT = """
program spelled: [N] -> { : N >= 0 }
  input     x: float64[N]
  input     w: float64[N]
  output    y: float64[N]
  S: [N] -> { S[i] : 0 <= i < N }
      y[i] = w[i] * (BODY)
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("1.0 / (1.0 + exp(neg(x[i])))", "sigmoid(x[i])"),
        ("1.0 / (exp(neg(x[i])) + 1.0)", "sigmoid(x[i])"),
        ("1.0 / (1.0 + exp(-1.0 * x[i]))", "sigmoid(x[i])"),
        ("1.0 / (1.0 + exp(0.0 - w[i] * x[i]))", "sigmoid(mul(w[i], x[i]))"),
        ("1.0 / (1.0 + exp(x[i]))", "sigmoid(neg(x[i]))"),
        ("exp(x[i]) / (1.0 + exp(x[i]))", "sigmoid(x[i])"),
        ("1.0 / (1.0 + exp(neg(1.0 / (1.0 + exp(neg(x[i]))))))", "sigmoid(sigmoid(x[i]))"),
        ("exp(w[i]) / (1.0 + exp(x[i]))", ""),
        ("2.0 / (1.0 + exp(neg(x[i])))", ""),
        ("1.0 / (2.0 + exp(neg(x[i])))", ""),
        ("1.0 / (1.0 - exp(neg(x[i])))", ""),
        ("1.0 / (1.0 + tanh(x[i]))", ""),
    ],
)
def test_spellings(body: str, found: str) -> None:
    before = program(TEXT.replace("BODY", body))
    after = with_logistic(before)
    if not found:
        assert after is before
        return
    assert f"mul(w[i], {found})" in str(after)
    assert_same(before, after)


def test_the_derivative_is_finite_where_the_exponential_overflows() -> None:
    spelled = program(TEXT.replace("BODY", "1.0 / (1.0 + exp(neg(x[i])))"))
    inputs = {"x": np.array([-800.0, 0.0, 800.0]), "w": np.ones(3)}
    slopes = {}
    for name, made in (("spelled", spelled), ("known", with_logistic(spelled))):
        derivative = reverse(made, {"y": None}, ["x"])
        slope = derivative.arrays["x"]
        arrays = {**derivative.program.arrays, slope: derivative.program.arrays[slope].with_role("output")}
        whole = replace(derivative.program, arrays=arrays, outputs=(*derivative.program.outputs, slope))
        with np.errstate(all="ignore"):
            slopes[name] = evaluate(whole, inputs, {"N": 3})[slope]
    np.testing.assert_array_equal(slopes["known"], [0, 0.25, 0])
    assert np.isnan(slopes["spelled"][0])
