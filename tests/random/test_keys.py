"""Keys as those of jax.random 0.10.2 by default (threefry2x32, jax_threefry_partitionable), written down as numbers."""

from typing import Any

import numpy as np
import pytest

import polyad as pa

K42 = pa.random.key(42)
SPLIT = [[1832780943, 270669613], [64467757, 2916123636], [2465931498, 255383827], [3134548294, 894150801]]
FOLDED = {0: SPLIT[0], 1: SPLIT[1], 7: [2547012911, 1371500959], 2**32 - 1: [2398536845, 3890976714]}
SEEDS = {0: [0, 0], 42: [0, 42], -1: [0, 2**32 - 1], 2**31: [0, 2**31], 2**32 - 1: [0, 2**32 - 1], 2**40 + 5: [256, 5]}


@pytest.mark.parametrize(("seed", "expected"), SEEDS.items())
def test_keys_of_seeds(seed: int, expected: list[int]) -> None:
    key = pa.random.key(seed)
    assert type(key) is np.ndarray and key.dtype == np.uint32
    assert key.tolist() == pa.random.PRNGKey(np.int64(seed)).tolist() == expected
    traced = pa.jit(pa.random.key)(np.asarray(seed))
    assert traced.tolist() == expected or seed == -1
    assert pa.jit(pa.random.key)(np.int32(-1)).tolist() == [0, 2**32 - 1]


def both_ways(fun: Any) -> list[Any]:
    """Of a key of NumPy outside of a trace, and of a tensor."""
    return [fun(K42), pa.jit(fun)(K42)]


def test_split() -> None:
    assert pa.random.split(pa.random.key(0)).tolist() == [[1797259609, 2579123966], [928981903, 3453687069]]
    for keys in both_ways(lambda key: pa.random.split(key, 3)):
        assert type(keys) is np.ndarray and keys.dtype == np.uint32 and keys.tolist() == SPLIT[:3]
    for keys in both_ways(lambda key: pa.random.split(key, (2, 2))):
        assert keys.tolist() == [SPLIT[:2], SPLIT[2:]]
    for first in both_ways(lambda key: pa.random.split(pa.random.split(key)[1])[0]):
        assert first.tolist() == pa.random.split(np.array(SPLIT[1], np.uint32))[0].tolist()


@pytest.mark.parametrize(("data", "expected"), FOLDED.items())
def test_fold_in(data: int, expected: list[int]) -> None:
    for key in both_ways(lambda key: pa.random.fold_in(key, data)):
        assert key.tolist() == expected
    assert pa.jit(pa.random.fold_in)(K42, np.asarray(data, np.uint32)).tolist() == expected


def test_as_many_keys_as_a_size_says() -> None:
    N, key = pa.sizes("N"), pa.placeholder((2,), "key", "uint32")
    kernel = pa.compile(pa.random.split(key, N), [key])
    assert kernel(K42, N=4).tolist() == SPLIT
    with pytest.raises(pa.ShapeError):
        pa.random.split(K42, (2, -1))


@pytest.mark.parametrize(
    ("use", "error", "text"),
    [
        (lambda: pa.random.key(0.5), pa.DTypeError, "a seed is an integer, not 0.5"),
        (lambda: pa.random.key(True), pa.DTypeError, "a seed is an integer"),
        (lambda: pa.random.key(1 << 70), pa.DTypeError, "no integer of 64 bits"),
        (lambda: pa.random.split(np.zeros(2)), pa.DTypeError, r"split: a key is uint32\[2\], made by .* is float64"),
        (lambda: pa.random.bits(np.zeros(3, np.uint32)), pa.ShapeError, r"bits: .* has the shape \(3,\).*pa.vmap"),
        (lambda: pa.random.fold_in(K42, np.zeros(2, np.int32)), pa.DTypeError, "data is one integer"),
        (lambda: pa.random.bits(K42, (2,), "int64"), pa.DTypeError, "32 random bits are a uint32"),
        (lambda: pa.random.uniform(K42, (2,), "int32"), pa.DTypeError, "the numbers are floats"),
        (lambda: pa.random.permutation(K42, 3), AttributeError, "argsort of uniform"),
        (lambda: pa.random.choice(K42, 3, replace=False), pa.DefinitionError, "without replacement"),
        (lambda: pa.random.randint(K42, (3,), 0, 9, "int64"), pa.DTypeError, "32 bits are drawn"),
        (lambda: pa.random.bernoulli(K42, np.zeros((2, 3)), (3,)), pa.ShapeError, "do not broadcast"),
        (lambda: pa.random.categorical(K42, np.zeros((2, 3)), shape=(4, 3)), pa.ShapeError, "does not end with"),
        (lambda: pa.nn.dropout(np.zeros(3), 0.5), pa.DefinitionError, "exactly one of mask=, uniform= and key="),
        (lambda: pa.random.normal(K42, shap=(3,)), pa.CallError, "shape"),
    ],
)
def test_what_is_refused(use: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        use()
