"""Control flow, places and transformations of JAX in a batch: values and derivatives of one example after another."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa

pnp = pa.numpy

CASES: dict[str, Callable[[Any, Any], Any]] = {
    "cond": lambda x, i: pa.cond(x[0] > 0, lambda x: pnp.sqrt(pa.exp(x)), lambda x: x * 2.0, x),
    "switch": lambda x, i: pa.switch(i % 3, [lambda x: x, lambda x: x * x, pa.sin], x),
    "while_loop": lambda x, i: pa.while_loop(lambda r: pnp.sum(r * r) > 1.0, lambda r: r * 0.5, x, max_steps=8),
    "fori_loop": lambda x, i: pa.fori_loop(0, 6, lambda n, y: y * 0.9 + x[n], 0.0),
    "at add": lambda x, i: (x * 1.0).at[i].add(3.0 * x[0]),
    "at set": lambda x, i: (x * 1.0).at[i].set(x[1]),
    "at slice": lambda x, i: (x * 1.0).at[1:3].multiply(x[4]),
    "dynamic_slice": lambda x, i: pa.dynamic_slice(x, (i,), (2,)),
    "dynamic_update_slice": lambda x, i: pa.dynamic_update_slice(x, x[:2] * 2.0, (i,)),
    "associative_scan": lambda x, i: pa.associative_scan(lambda a, b: a * b, x),
    "map": lambda x, i: pa.map(lambda v: pa.sin(v) * v, x),
    "linearize": lambda x, i: pa.linearize(lambda y: pa.sin(y) * y, x)[1](x),
    "take": lambda x, i: pnp.take(x, i * 3, mode="clip"),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.quick_cases(5)
def test_a_batch_is_its_examples(name: str) -> None:
    f = CASES[name]
    rng = np.random.default_rng(0)
    x, i = rng.normal(size=(3, 6)), rng.integers(0, 6, size=3)

    def loss(x: Any, i: Any) -> Any:
        return pnp.sum(f(x, i) ** 2)

    for one in (pa.jit(f), pa.grad(loss)):
        wanted = np.stack([np.asarray(one(x[n], i[n])) for n in range(3)])
        np.testing.assert_allclose(pa.vmap(one)(x, i), wanted, rtol=1e-14, atol=1e-14)
