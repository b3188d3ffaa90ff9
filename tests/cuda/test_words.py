"""Words that wrap around, and random numbers, on the device: the bits of a CPU."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from tests.cuda.device import target

pnp, r = pa.numpy, pa.random
KEY = r.key(42)


def words(x: Any, y: Any) -> Any:
    made = (
        x + y,
        x - y,
        x * y,
        -x,
        x ^ y,
        x & y,
        x | 5,
        ~x,
        x << 5,
        x >> y,
        x << y,
        x // y,
        x % y,
        abs(x),
        pnp.sign(x),
    )
    least = pnp.minimum(x, y), pnp.where(x < y, x, y), x >= y, x**3, (x >> 8).astype("float32"), x.astype("int64")
    return *made, *least, (x.astype("float64") - 5.0).astype("uint32")


def sums(x: Any, y: Any) -> Any:
    return x.sum(), x.max(), y.min(), pnp.prod(x | 1), pnp.cumsum(x), pnp.sum(x[:, None] * y[None, :40], axis=0)


def scattered(x: Any, y: Any) -> Any:
    at = (y % 5).astype("int32")
    return pnp.zeros((5,), "uint32").at[at].add(x), pnp.zeros((5,), "uint32").at[at].max(x)


def drawn(key: Any) -> Any:
    first, second = r.split(key)
    return (
        r.normal(first, (5, 70)),
        r.randint(second, (100,), -3, 9),
        r.bernoulli(second, 0.3, (33,)),
        r.fold_in(key, 3),
    )


def walk(key: Any) -> Any:
    def step(carry: Any, _: Any) -> Any:
        key, x = carry
        key, own = r.split(key)
        x = x + r.uniform(own, (40,))
        return (key, x), x

    return pa.scan(step, (key, pnp.zeros((40,), "float32")), None, length=4)


def dropped(x: Any, key: Any) -> Any:
    return pnp.sum(pa.nn.dropout(x, 0.5, key=key) ** 2)


def given() -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 2**32, (2, 700), dtype=np.uint32)
    y[::3] %= 70
    return [x, y]


CASES: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "words": (words, given()),
    "sums": (sums, given()),
    "scatters": (scattered, given()),
    "draws": (drawn, [KEY]),
    "keys of examples": (pa.vmap(lambda key: r.bits(key, (7,))), [r.split(KEY, 40)]),
    "keys of steps": (walk, [KEY]),
    "dropout": (pa.value_and_grad(dropped), [np.ones((20, 30), np.float32), KEY]),
}


@pytest.mark.parametrize("name", CASES)
def test_the_same_bits(name: str) -> None:
    fun, arguments = CASES[name]
    expected = pa.tree.leaves(pa.jit(fun, target=pa.Target("c", extra_flags=("-ffp-contract=off",)))(*arguments))
    found = pa.tree.leaves(pa.jit(fun, target=target())(*arguments))
    for a, b in zip(found, expected, strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        if np.asarray(a).dtype.kind == "f":
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)
        else:
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", ["words", "draws"])
def test_certificates(name: str) -> None:
    fun, arguments = CASES[name]
    inputs = [pa.placeholder(a.shape, f"x{n}", a.dtype) for n, a in enumerate(arguments)]
    kernel = pa.compile([o for o in pa.tree.leaves(fun(*inputs)) if o.dtype != "bool"], inputs, target=target())
    assert "the CUDA C++ is that of its loops" in str(kernel.certify())


def test_keys_may_be_on_the_device() -> None:
    key = pa.placeholder((2,), "key", "uint32")
    kernel = pa.compile(r.bits(key, (9,)), [key], target=target())
    found = kernel(pa.to_device(KEY))
    assert found.dtype == np.uint32
    np.testing.assert_array_equal(found.numpy(), kernel(KEY))
