"""Norms against NumPy."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import linalg as la
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of

X = np.random.default_rng(1).normal(size=(3, 4, 2))
X[0, 1] = 0
CALLS: list[dict[str, Any]] = [
    {},
    {"keepdims": True},
    *({"ord": o, "axis": 1} for o in (None, 0, 1, 2, 3, 0.5, np.inf, -np.inf)),
    *({"ord": o, "axis": (2, 0)} for o in (None, "fro", 1, -1, np.inf, -np.inf)),
    {"ord": 1, "axis": (-2, -1), "keepdims": True},
    {"ord": 3, "axis": -1, "keepdims": True},
]


def test_values() -> None:
    x = pa.placeholder(X.shape, "x", "float64")
    results = [la.norm(x, **c) for c in CALLS]
    results += [la.vector_norm(x, axis=(0, 2)), la.vector_norm(x), la.matrix_norm(x), la.matrix_norm(x, ord=1)]
    expected = [np.linalg.norm(X, **c) for c in CALLS]
    expected += [np.linalg.vector_norm(X, axis=(0, 2)), np.linalg.vector_norm(X), np.linalg.matrix_norm(X)]
    expected += [np.linalg.matrix_norm(X, ord=1)]
    for found, wanted in zip(values_of(results, x=X), expected, strict=True):
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize(
    "call", [{}, {"ord": 3, "axis": 1}, {"ord": 1, "axis": (2, 0)}, {"ord": -np.inf, "axis": (0, 1)}]
)
def test_derivatives(call: dict[str, Any]) -> None:
    x = pa.placeholder(X.shape, "x", "float64")
    value = np.where(X == 0, 0.25, X)
    check_derivatives(la.norm(x, **call), [x], x=value)


def test_gradient_at_zero_is_nan_as_in_jax() -> None:
    assert np.isnan(pa.grad(la.norm)(np.zeros(2))).all()
