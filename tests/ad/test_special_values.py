"""Not-a-numbers, infinities and mixed element types."""

import numpy as np
import pytest

from polyad.ad.reverse import reverse
from polyad.ops.program_text import parse_program
from polyad.semantics.evaluate import evaluate
from tests.ad import samples
from tests.ad.derivative_checks import asking_derivative, check_derivatives


def gradient(text: str, x: np.ndarray) -> np.ndarray:
    program, (bar,) = asking_derivative(reverse(parse_program(text), {"y": None}, ["x"]), ["x"])
    return evaluate(program, {"x": x}, {"N": x.shape[0], "M": x.shape[-1]})[bar]


@pytest.mark.parametrize("op", ["max=", "min="])
def test_exactly_one_winner_with_nan_and_infinity(op: str) -> None:
    x = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, np.nan], [-np.inf, -np.inf, -np.inf], [2.0, 2.0, 2.0]])
    share = gradient(samples.reduction(op)["rows"], x)
    np.testing.assert_array_equal(share.sum(axis=1), 1.0)
    assert set(share.ravel()) == {0.0, 1.0}
    np.testing.assert_array_equal(share.argmax(axis=1), [1, 0, 0, 0])


def test_the_branch_not_taken_gives_no_nan() -> None:
    found = gradient(samples.ACCESSES["condition on the other branch"], np.array([4.0, 0.0, -1.0]))
    np.testing.assert_allclose(found, [0.25, 0.0, 0.0])


def test_adjoints_have_the_type_of_their_array() -> None:
    text = samples.vector(
        samples.stmt("A", "i", samples.I, "a[i] = x[i] * x[i]")
        + samples.stmt("Y", "i", samples.I, "y[i] = a[i] * w[i] + cast_float64(cast_int64(w[i]))"),
        "x: float32[N]; w: float64[N]",
    ).replace("  output", "  temporary a: float32[N]\n  output")
    program = parse_program(text)
    derivative = reverse(program, {"y": None}, ["x", "w"])
    for name, bar in derivative.adjoints.items():
        assert derivative.program.arrays[bar].dtype == program.arrays[name].dtype
    assert all(s.body.dtype == derivative.program.arrays[s.array].dtype for s in derivative.program.statements)
    check_derivatives(program, {"N": 3, "M": 1})
