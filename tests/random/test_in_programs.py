"""Draws inside of kernels: in scans, under vmap and grad, with any number of threads, at every level, certified."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.machine import TINY
from polyad.random.keys import counted
from polyad.random.threefry import hashed, hashed_values
from tests.codegen.threads import threads

r = pa.random
K42 = pa.random.key(42)

# A walk by one key per step, as jax.random 0.10.2 draws it.
LAST_KEY = [1773327481, 1441649378]
WALK = ["0x1.3626b4p-1", "0x1.991c4ep-1", "0x1.9459c4p-2", "-0x1.20a3fp-1", "-0x1.9a51f6p-16", "-0x1.fabc1p-1"]


def walk(key: Any) -> Any:
    def step(carry: Any, _: Any) -> Any:
        key, x = carry
        key, own = r.split(key)
        x = x + r.normal(own, (2,))
        return (key, x), x

    return pa.scan(step, (key, pa.numpy.zeros((2,), "float32")), None, length=3)


def test_a_key_per_step_of_a_scan() -> None:
    (key, last), path = pa.jit(walk)(K42)
    assert key.dtype == np.uint32 and key.tolist() == LAST_KEY
    expected = np.array([float.fromhex(x) for x in WALK]).reshape(3, 2)
    np.testing.assert_allclose(path, expected, rtol=2e-6, atol=2e-7)  # the last sum but one is close to 0
    assert last.tolist() == path[-1].tolist()


def test_keys_of_steps_are_folded_in() -> None:
    def step(carry: Any, t: Any) -> Any:
        return carry, r.bits(r.fold_in(K42, t), (3,))

    drawn = pa.jit(lambda: pa.scan(step, pa.numpy.zeros(()), pa.numpy.arange(4))[1])()
    single = pa.jit(lambda key: r.bits(key, (3,)))
    assert drawn.tolist() == [single(k).tolist() for k in r.split(K42, 4)]


def test_one_key_per_example() -> None:
    keys = r.split(K42, 5)
    draw = lambda key: (r.normal(key, (3,)), r.bits(r.split(key)[1], (2,)))  # noqa: E731
    together = pa.jit(pa.vmap(draw))(keys)
    for n, key in enumerate(keys):
        for whole, own in zip(together, pa.jit(draw)(key), strict=True):
            np.testing.assert_array_equal(whole[n], own)


def test_gradients_pass_what_is_drawn() -> None:
    x = np.linspace(-1, 1, 6)

    def sampled(mean: Any, scale: Any, key: Any) -> Any:
        return pa.numpy.sum((mean + scale * r.normal(key, (6,), "float64")) ** 2)

    e = pa.jit(lambda key: r.normal(key, (6,), "float64"))(K42)
    by_mean, by_scale = pa.grad(sampled, argnums=(0, 1))(x, x + 2, K42)
    np.testing.assert_allclose(by_mean, 2 * (x + (x + 2) * e), rtol=1e-13)
    np.testing.assert_allclose(by_scale, by_mean * e, rtol=1e-13)

    def between(low: Any, high: Any) -> Any:
        return pa.numpy.sum(r.uniform(K42, (6,), "float64", low, high))

    u = pa.jit(lambda: r.uniform(K42, (6,), "float64"))()
    by_low, by_high = pa.grad(between, argnums=(0, 1))(x, x + 2)
    np.testing.assert_allclose(by_low, 1 - u, rtol=1e-13)
    np.testing.assert_allclose(by_high, u, rtol=1e-13)
    kept = pa.jit(lambda: r.bernoulli(K42, 0.5, (6,)))()
    dropped = pa.grad(lambda x: pa.numpy.sum(pa.nn.dropout(x, 0.5, key=K42) ** 2))(x)
    np.testing.assert_allclose(dropped, np.where(kept, 8 * x, 0))
    pa.check_grads(lambda x: pa.numpy.sum(pa.erfinv(x) * x), (x * 0.9,), order=2)
    with pytest.raises(pa.NotDifferentiableError, match="uint32"):
        pa.grad(lambda key: pa.numpy.sum(r.normal(key, (2,))))(K42)


DRAWS: dict[str, Callable[[Any], Any]] = {
    "bits": lambda key: r.bits(key, (40, 50)),
    "uniform": lambda key: r.uniform(key, (2000,), "float64"),
    "normal": lambda key: r.normal(key, (2000,)),
    "split": lambda key: r.split(key, 1000),
    "randint": lambda key: r.randint(key, (2000,), -5, 1000),
    "categorical": lambda key: r.categorical(key, pa.numpy.zeros((50, 7), "float32")),
    "dropout": lambda key: pa.nn.dropout(pa.numpy.ones((30, 40), "float32"), 0.3, key=key),
    "walk": lambda key: walk(key)[1],
}


@pytest.mark.parametrize("name", DRAWS)
def test_all_ways_to_compile_it_draw_the_same(name: str) -> None:
    key = pa.placeholder((2,), "key", "uint32")
    drawn = DRAWS[name](key)
    expected = None
    for target in (pa.Target("c", optimize=0), pa.Target("c"), pa.Target("openmp", machine=TINY)):
        kernel = pa.compile(drawn, [key], target=target)
        for count in (1, 2):
            with threads(Path("libgomp.so.1"), count):
                found = kernel(K42)
            expected = found if expected is None else expected
            np.testing.assert_allclose(found, expected, rtol=4e-7, atol=1e-6 if name == "walk" else 0)
            if found.dtype.kind in "iu":
                np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("optimize", [0, 3])
def test_kernels_that_draw_are_certified(name: str, optimize: int) -> None:
    key = pa.placeholder((2,), "key", "uint32")
    kernel = pa.compile(DRAWS[name](key), [key], target=pa.Target("openmp", optimize=optimize))
    assert "the C is that of its loops" in str(kernel.certify())


def test_sizes_may_be_symbolic() -> None:
    M, N = pa.sizes("M N")
    key = pa.placeholder((2,), "key", "uint32")
    kernel = pa.compile([r.bits(key, (M, N)), r.uniform(key, (N,))], [key])
    words, numbers = kernel(K42, M=3, N=4)
    fixed = pa.jit(lambda key: (r.bits(key, (3, 4)), r.uniform(key, (4,))))(K42)
    np.testing.assert_array_equal(words, fixed[0])
    np.testing.assert_array_equal(numbers, fixed[1])


def test_positions_beyond_32_bits_have_words_of_their_own() -> None:
    """Element 2^32 + 1 of a size that is not known is not element 1: the upper word of its position is 1."""
    N, key = pa.sizes("N"), pa.placeholder((2,), "key", "uint32")
    x0, _ = hashed(key, lambda index: counted((N,), (index[0] + 2**32,)), (N,))
    found = pa.compile(x0, [key])(K42, N=3)
    expected, _ = hashed_values(K42, (np.ones(3, np.uint32), np.arange(3, dtype=np.uint32)))
    assert found.tolist() == expected.tolist()


def test_keys_have_two_words_where_shapes_are_dynamic() -> None:
    dropped = pa.jit(lambda key, x: pa.nn.dropout(x, 0.5, key=key), dynamic_shapes=True)
    fixed = pa.jit(lambda key, x: pa.nn.dropout(x, 0.5, key=key))
    for shape in ((2, 3), (4, 3), (5, 7)):
        np.testing.assert_array_equal(dropped(K42, np.ones(shape)), fixed(K42, np.ones(shape)))
    several = pa.jit(pa.vmap(lambda key: r.bits(key, (3,))), dynamic_shapes=True)
    assert several(r.split(K42, 4)).shape == (4, 3)
