"""Kernels of a GPU whose iterators and subscripts have 32 bits."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from tests.cuda.device import target
from tests.cuda.test_programs import arrays

pnp = pa.numpy


def network(x: Any, w: Any) -> Any:
    def loss(x: Any, w: Any) -> Any:
        return pnp.sum(pa.scan(lambda h, row: (pa.tanh(row + h @ w),) * 2, x[0] * 0.0, x)[1] ** 2)

    return pa.value_and_grad(loss, argnums=(0, 1))(x, w)


def running(x: Any, w: Any) -> Any:
    return pnp.cumsum(x, axis=0), pnp.sum(x * x), x[0] @ w


@pytest.mark.parametrize("function", [network, running])
def test_the_results_are_those_of_64_bits(function: Any) -> None:
    given = arrays((70, 4, 6), (6, 6))
    made = {index: pa.jit(function, target=target(index=index)) for index in ("int32", "int64")}
    found, wanted = (pa.tree.leaves(f(*given)) for f in made.values())
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)


def test_the_text_is_compared_and_large_sizes_are_refused() -> None:
    T, N = pa.sizes("T N")
    x = pa.placeholder((T, N), name="x", dtype="float32")
    kernel = pa.compile([pnp.cumsum(x, axis=1), pnp.sum(x * x)], [x], name="sums", target=target(index="int32"))
    assert "const pa_index32 N" in kernel.source
    assert "for (int64_t n " not in kernel.source
    assert kernel.certify().text is not None
    made = pa.compile({"y": pa.compute((T, N), lambda t, n: t - n)}, [], name="made", target=target(index="int32"))
    with pytest.raises(pa.CallError, match=r"made: Target\(index='int32'\) counts to 2147483647, and at T = 65536"):
        made(T=2**16, N=2**16)
