"""Elements of 8 and 16 bits, and weights of 8 bits, on a GPU."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from tests.cuda.device import target
from tests.frontend.test_small_types import SMALL, sample

pnp = pa.numpy


@pytest.mark.parametrize("dtype", SMALL)
def test_results_are_those_of_numpy(dtype: str) -> None:
    x, y = sample(dtype, (9, 4)), sample(dtype, (9, 4), 1)

    def function(np: Any, x: Any, y: Any) -> list[Any]:
        return [x + y, x * y - x, np.where(x > y, x, y), np.max(x, axis=0)]

    with np.errstate(all="ignore"):
        wanted = function(np, x, y)
    for found, right in zip(pa.jit(lambda x, y: function(pnp, x, y), target=target())(x, y), wanted, strict=True):
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)


def test_weights_of_8_bits_and_the_text() -> None:
    B = pa.sizes("B")
    w = np.random.default_rng(0).normal(size=(12, 8)).astype("float32")
    q = pa.quantise(w)
    x = pa.placeholder((B, 8), name="x")
    values, scales = pa.placeholder((12, 8), name="q", dtype="int8"), pa.placeholder((12, 1), name="s")
    half = pa.placeholder((B,), name="half", dtype="float16")
    outputs = [pa.nn.dense(x, pa.Quantised(values, scales)), half * 2.0]
    kernel = pa.compile(outputs, [x, values, scales, half], name="small", target=target())
    assert kernel.certify().text is not None
    given = np.random.default_rng(1).normal(size=(5, 8)).astype("float32"), np.arange(5, dtype="float16")
    found, doubled = kernel(given[0], *q, given[1])
    np.testing.assert_allclose(found, given[0] @ (q.values * q.scales).T, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(doubled, given[1] * 2)
