"""Factors of matrices on a GPU: triangles that move from step to step, pivots by data, and their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polyad as pa
from tests.cuda.device import agrees

linalg = pa.numpy.linalg
RNG = np.random.default_rng(3)
SQUARE, TALL = RNG.normal(size=(5, 5)), RNG.normal(size=(7, 4))
CASES: dict[str, tuple[Any, np.ndarray]] = {
    "cholesky": (lambda a: pa.numpy.sum(linalg.cholesky(a) ** 2), SQUARE @ SQUARE.T + np.eye(5)),
    "solve": (lambda a: pa.numpy.sum(linalg.solve(a, a[0]) ** 3), SQUARE),
    "determinant": (linalg.det, SQUARE),
    "factor of QR": (lambda a: pa.numpy.sum(linalg.qr(a)[0] ** 3), TALL),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.slow
def test_gradients(name: str) -> None:
    function, given = CASES[name]
    agrees(pa.value_and_grad(function), given).certify()
