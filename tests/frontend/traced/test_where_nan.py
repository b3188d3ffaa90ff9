"""`where_nan`: the step and the equation that made the first number that is not finite."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa

HERE = Path(__file__).name


def grown(x: Any, h0: Any) -> Any:
    def step(h: Any, x_t: Any) -> Any:
        square = h * h
        z = square + x_t
        return z, pa.sqrt(z)

    _, ys = pa.scan(step, h0, x)
    return ys.sum()


def test_the_step_that_overflows_and_its_operands() -> None:
    found = pa.where_nan(grown)(np.ones((9, 2), np.float32), np.array([1.0, 1e10], np.float32))
    assert found is not None
    assert (found.array, found.index, found.value) == ("square", (1, 1), np.inf)
    assert found.operands["h[1, 1]"] == pytest.approx(1e20)
    assert found.where.startswith(HERE)
    assert "square[t = 1, i = 1] = inf, by square:" in str(found)


def test_a_nan_and_what_it_is_computed_of() -> None:
    x = np.ones((5, 2))
    x[3, 0] = -1e3
    found = pa.where_nan(grown)(x, np.zeros(2))
    assert found is not None
    assert np.isnan(found.value)
    assert found.index == (3, 0)
    assert all(v < 0 for v in found.operands.values())


def test_a_derivative_backwards() -> None:
    """Forward all is finite; the square root of 0 has no derivative."""
    x = np.ones((4, 2))
    x[2, 1] = -4.0  # the states are 1, 2, 0
    assert pa.where_nan(grown)(x, np.zeros(2)) is None
    found = pa.where_nan(pa.grad(grown))(x, np.zeros(2))
    assert found is not None
    assert (found.array, found.index) == ("z_bar", (2, 1))
    assert not np.isfinite(found.value)
    assert found.where.startswith(HERE)


def test_branches_that_are_not_taken_and_infinities_that_are_meant() -> None:
    masked = lambda x: pa.select(x > 0, pa.log(x), 0.0)  # noqa: E731
    f = lambda x: pa.compute(x.shape, lambda i: masked(x[i])).sum()  # noqa: E731
    assert pa.where_nan(f)(np.array([1.0, -1.0, 0.0])) is None
    whole = lambda x: pa.numpy.where(x > 0, pa.log(x), 0.0).sum()  # noqa: E731
    assert pa.where_nan(whole)(np.array([1.0, -1.0])) is None
    scores = lambda x: pa.nn.softmax(pa.numpy.where(x > 0, x, -np.inf)).sum()  # noqa: E731
    assert pa.where_nan(scores)(np.array([1.0, -1.0])) is None
    found = pa.where_nan(scores)(np.array([-1.0, -1.0]))  # nothing is left: -inf - -inf
    assert found is not None
    assert np.isnan(found.value)
    assert {*found.operands.values()} == {-np.inf}


def test_inputs_are_given() -> None:
    f = lambda x: (x * 2).sum()  # noqa: E731
    assert pa.where_nan(f)(np.array([np.nan, 1.0])) is None
    found = pa.where_nan(lambda x: (x - x).sum())(np.array([np.inf, 1.0]))
    assert found is not None
    assert found.index == (0,)


def test_sums_and_closed_over_arrays() -> None:
    w = np.full((3, 40), 2e37, np.float32)
    found = pa.where_nan(lambda x: (w @ x).sum())(np.ones(40, np.float32))
    assert found is not None
    assert "sum of 40 terms" in found.equation
    assert len(str(found).splitlines()) == 10  # the largest eight, and how many more


def test_complex_arguments_have_both_parts() -> None:
    z = np.array([1j, 0j])
    assert pa.where_nan(lambda z: pa.numpy.log(z * 1j).imag.sum())(z[:1]) is None
    found = pa.where_nan(lambda z: pa.numpy.log(z * 1j).real.sum())(z)
    assert found is not None
    assert found.index == (1,) and found.value == -np.inf
