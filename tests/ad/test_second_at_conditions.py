"""Second derivatives where a condition chooses the first: a constant is right as a value and has no derivative."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa

m = pa.numpy

# Functions that are smooth at points where their formulas have conditions, and d2/dx2, d2/dxdy there.
CASES: dict[str, tuple[Callable[[Any, Any], Any], tuple[float, float], tuple[float, float]]] = {
    "logaddexp of equal numbers": (m.logaddexp, (0.7, 0.7), (0.25, -0.25)),
    "logaddexp of zeros": (m.logaddexp, (0.0, 0.0), (0.25, -0.25)),
    "softplus at 0": (lambda x, y: pa.nn.softplus(x) + x * y, (0.0, 2.0), (0.25, 1.0)),
    "log_sigmoid at 0": (lambda x, y: pa.nn.log_sigmoid(x) * y, (0.0, 2.0), (-0.5, -0.5 + 1.0)),
    "the power 0": (lambda x, y: x**y, (4.0, 0.0), (0.0, 0.25)),
    "the power 0 of 1": (lambda x, y: x**y, (1.0, 0.0), (0.0, 1.0)),
    "hypot on an axis": (m.hypot, (0.0, 3.0), (1.0 / 3.0, 0.0)),
    "hypot on the other": (m.hypot, (3.0, 0.0), (0.0, 0.0)),
    "arctan2 on an axis": (m.arctan2, (0.0, 2.0), (0.0, -0.25)),
    "silu at 0": (lambda x, y: pa.nn.silu(x) * y, (0.0, 2.0), (1.0, 0.5)),
    "gelu at 0": (lambda x, y: pa.nn.gelu(x) * y, (0.0, 2.0), (4.0 / np.sqrt(2.0 * np.pi), 0.5)),
    "a cube at 0": (lambda x, y: x**3 + x * y, (0.0, 2.0), (0.0, 1.0)),
    "logsumexp of equal numbers": (lambda x, y: pa.nn.logsumexp(m.stack([x, y])), (0.3, 0.3), (0.25, -0.25)),
}


@pytest.mark.parametrize("name", CASES)
def test_second_derivatives(name: str) -> None:
    f, (x, y), wanted = CASES[name]
    at = np.array([x]), np.array([y])
    slope = pa.grad(lambda x, y: m.sum(f(x, y)))
    found = pa.grad(lambda x, y: m.sum(slope(x, y)), argnums=(0, 1))(*at)
    np.testing.assert_allclose([found[0][0], found[1][0]], wanted, rtol=1e-12, atol=1e-12)


def test_the_same_infinity_twice() -> None:
    """Here a half is a choice, and the difference no number."""
    for value in (np.inf, -np.inf):
        x, y = pa.grad(lambda a, b: m.sum(m.logaddexp(a, b)), argnums=(0, 1))(np.array([value]), np.array([value]))
        assert (x[0], y[0]) == (0.5, 0.5)
    assert np.isnan(pa.grad(lambda a: m.sum(m.logaddexp(a, 0.0)))(np.array([np.nan])))


def test_the_power_0_of_0() -> None:
    x, _ = pa.grad(lambda x, p: m.sum(x**p), argnums=(0, 1))(np.array([0.0]), np.array([0.0]))
    assert x[0] == 0.0
