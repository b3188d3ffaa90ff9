"""Weights drawn at random: their variances, bounds and types."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn

SHAPE = (40, 60, 5)
IN, OUT = 300, 200
VARIANCES = {"glorot": 2 / (IN + OUT), "he": 2 / IN, "lecun": 1 / IN}


@pytest.mark.parametrize(
    "draw",
    [nn.glorot_uniform, nn.glorot_normal, nn.he_uniform, nn.he_normal, nn.lecun_uniform, nn.lecun_normal],
    ids=lambda d: d.__name__,
)
def test_variance(draw: Any) -> None:
    name, kind = draw.__name__.split("_")
    w = draw(np.random.default_rng(0), SHAPE, "float64", gain=2.0)
    assert w.shape == SHAPE
    np.testing.assert_allclose(w.var(), 4 * VARIANCES[name], rtol=0.05)
    assert abs(w.mean()) < 0.01
    if kind == "uniform":
        assert np.abs(w).max() <= 2 * np.sqrt(3 * VARIANCES[name])
    again = draw(np.random.default_rng(0), SHAPE)
    assert again.dtype == np.float32
    np.testing.assert_array_equal(again, (w / 2).astype("float32"))


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 2, 2)])
def test_orthogonal(shape: tuple[int, ...]) -> None:
    w = nn.orthogonal(np.random.default_rng(0), shape, "float64", 0.5).reshape(shape[0], -1)
    few = w if w.shape[0] <= w.shape[1] else w.T
    np.testing.assert_allclose(few @ few.T, 0.25 * np.eye(len(few)), atol=1e-12)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: nn.he_normal(np.random, (2, 2)), pa.DTypeError, "must be a numpy.random.Generator"),
        (lambda: nn.he_normal(np.random.default_rng(0), (2,)), pa.ShapeError, "outputs, inputs"),
        (lambda: nn.orthogonal(0, (2, 2)), pa.DTypeError, "Generator"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()
