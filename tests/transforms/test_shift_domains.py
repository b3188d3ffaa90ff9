"""Loops that count from zero, and up: which dimensions are moved or turned, and that values stay."""

import numpy as np
import pytest

import polyad as pa
from polyad.transforms.passes.shift_domains import shift_domains
from tests.programs import program
from tests.transforms.equivalence import assert_same

FLIPPED = """
program flipped: [N] -> { : N >= 1 }
  input     x: float64[N + 8]
  input     y: float64[N]
  output    w: float64[9]
  W: [N] -> { W[k, t] : 0 <= k <= 8 and 0 <= t < N }
      w[8 - k] += x[t + 8 - k] * y[t]
"""


def test_what_is_written_counting_down_is_turned() -> None:
    before = program(FLIPPED)
    after = shift_domains(before)
    assert "w[k] += mul(x[t + k], y[t])" in str(after).replace("k + t", "t + k")
    assert_same(before, after, {"N": 1}, {"N": 5})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[t + 8 - k]", "x[t + k]"),  # as many count up
        ("w[8 - k]", "w[k]"),  # it is read that counts down
    ],
)
def test_others_count_as_they_did(old: str, new: str) -> None:
    before = program(FLIPPED.replace(old, new))
    assert str(shift_domains(before)) == str(before)


def test_a_flipped_filter_has_its_gradient_in_vectors() -> None:
    """`convolve` takes the filter from behind, `correlate` from the front: the same loops."""
    x, w = pa.placeholder((20, 100), "x"), pa.placeholder((9,), "w")

    def tree(name: str, w: pa.Tensor) -> str:
        y = pa.vmap(lambda row: getattr(pa.numpy, name)(row, w, mode="valid"))(x)
        return pa.compile(pa.grad(0.5 * pa.numpy.sum(y * y), [w]), [x, w], name="taps").schedule.tree()

    found = tree("convolve", w)
    assert found.count("\n") == tree("correlate", w).count("\n")
    assert "jam 8" in found and "└─ w_bar_init" not in found, "the zeros are where sums begin"


def test_values() -> None:
    x, w = pa.placeholder((30,), "x", "float64"), pa.placeholder((4,), "w", "float64")
    y = pa.numpy.convolve(x, w, mode="valid")
    kernel = pa.compile([y, *pa.grad(pa.numpy.sum(y * y), [w])], [x, w], name="taps")
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=30), rng.normal(size=4)
    expected = np.convolve(a, b, mode="valid")
    found, bar = kernel(a, b)
    np.testing.assert_allclose(found, expected)
    np.testing.assert_allclose(bar, [2 * expected @ a[3 - k : 30 - k] for k in range(4)])
