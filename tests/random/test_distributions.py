"""Numbers as jax.random 0.10.2 draws them by default, written down, and their statistics."""

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

import polyad as pa

K42 = pa.random.key(42)
LOGITS = np.array([[0.1, 1.0, -2.0], [0.0, 0.0, 3.0]], np.float32)
P = np.array([0.2, 0.3, 0.5], np.float32)
LOW, HIGH = -(2**31), 2**31
r = pa.random

EXACT: dict[str, tuple[Any, Any]] = {
    "bits": (lambda k: r.bits(k, (2, 3)), [[2098992034, 2919706841, 2646866425], [2409546199, 1935504149, 2516274904]]),
    "bits, one": (lambda k: r.bits(k), 2098992034),
    "bernoulli": (lambda k: r.bernoulli(k, 0.3, (12,)), [n == 6 for n in range(12)]),
    "randint": (lambda k: r.randint(k, (8,), 0, 10), [4, 4, 1, 9, 9, 9, 7, 7]),
    "randint, wide": (
        lambda k: r.randint(k, (6,), LOW, HIGH - 1),
        [977810628, 1236381714, -1367112521, -1019495231, -1671904627, -1277190805],
    ),
    "randint, both signs": (
        lambda k: r.randint(k, (6,), -100000, 200000),
        [94276, 65362, -28873, 188417, -20979, 192843],
    ),
    "randint, uint32": (
        lambda k: r.randint(k, (5,), 3, 4000000000, "uint32"),
        [3125294279, 3383865365, 780371130, 1127988420, 475579024],
    ),
    "randint, all": (
        lambda k: r.randint(k, (5,), LOW, HIGH),
        [977810628, 1236381714, -1367112521, -1019495231, -1671904627],
    ),
    "randint, all of uint32": (
        lambda k: r.randint(k, (5,), 0, 2**32, "uint32"),
        [3125294276, 3383865362, 780371127, 1127988417, 475579021],
    ),
    "randint, none": (lambda k: r.randint(k, (2,), 5, 5), [5, 5]),
    "randint, tensors": (
        lambda k: r.randint(k, (2, 6), np.array([[0], [-100000]]), np.array([10] * 5 + [200000], np.int32)),
        None,
    ),
    "categorical": (lambda k: r.categorical(k, LOGITS, shape=(6, 2)), [[1, 2]] * 5 + [[0, 2]]),
    "categorical, axis": (lambda k: r.categorical(k, LOGITS, axis=0), [1, 0, 1]),
    "choice": (lambda k: r.choice(k, 10, (6,)), [4, 4, 1, 9, 9, 9]),
    "choice, p": (lambda k: r.choice(k, 3, (8,), p=P), [2, 1, 1, 1, 2, 1, 2, 1]),
    "choice, tensor": (lambda k: r.choice(k, LOGITS, (3,), axis=1), None),
}

FLOATS: dict[str, tuple[Any, list[str], int]] = {  # with how many units in the last place they may be off
    "uniform": (
        lambda k: r.uniform(k, (4,)),
        ["0x1.f47048p-2", "0x1.5c0e6p-1", "0x1.3b87fp-1", "0x1.1f3d8p-1"],
        0,
    ),
    "uniform, bounds": (
        lambda k: r.uniform(k, (4,), minval=-2.0, maxval=5.0),
        ["0x1.6bc47ep+0", "0x1.611928p+1", "0x1.282de4p+1", "0x1.ed574p+0"],
        1,
    ),
    "uniform, float64": (
        lambda k: r.uniform(k, (3,), "float64"),
        ["0x1.b4f8123c40884p-2", "0x1.ebd996d6e8400p-7", "0x1.25f641d41e71ap-1"],
        0,
    ),
    "normal": (
        lambda k: r.normal(k, (5,)),
        ["-0x1.cfbe2ap-6", "0x1.de57dp-2", "0x1.2eccc2p-2", "0x1.3a7648p-3", "-0x1.fc09d6p-4"],
        8,
    ),
    "normal, float64": (
        lambda k: r.normal(k, (3,), "float64"),
        ["-0x1.7a4a26c962159p-3", "-0x1.15bccfaa7ba3ap+1", "0x1.7ed8110b50460p-3"],
        12,
    ),
    "gumbel": (
        lambda k: r.gumbel(k, (4,)),
        ["0x1.561c94p-2", "0x1.e76f18p-1", "0x1.7378bep-1", "0x1.18a9fp-1"],
        16,
    ),
    "exponential": (
        lambda k: r.exponential(k, (4,)),
        ["0x1.577564p-1", "0x1.23887p+0", "0x1.ea6762p-1", "0x1.a58698p-1"],
        4,
    ),
    "truncated_normal": (
        lambda k: r.truncated_normal(k, -1.0, 2.0, (4,)),
        ["0x1.2e7d5ep-3", "0x1.230b36p-1", "0x1.af215p-2", "0x1.332b56p-2"],
        16,
    ),
}


@pytest.mark.parametrize("name", EXACT)
def test_integers_are_those_of_jax(name: str) -> None:
    fun, expected = EXACT[name]
    drawn = pa.jit(fun)(K42)
    if name == "randint, tensors":  # each element as with its own bounds for all
        single = pa.jit(lambda k, low, high: r.randint(k, (2, 6), low, high))
        cases = product(enumerate((0, -100000)), enumerate([10] * 5 + [200000]))
        expected = [single(K42, np.int32(low), np.int32(high))[i, j] for (i, low), (j, high) in cases]
        expected = np.reshape(expected, (2, 6)).tolist()
        assert expected[0][:5] == r_numbers(0, 10)[:5]
    if name == "choice, tensor":
        expected = LOGITS[:, pa.jit(lambda k: r.choice(k, 3, (3,)))(K42)].tolist()
    assert drawn.tolist() == expected


@pytest.mark.parametrize("optimize", [0, 3])
@pytest.mark.parametrize("name", FLOATS)
def test_floats_are_those_of_jax(name: str, optimize: int) -> None:
    fun, texts, ulp = FLOATS[name]
    drawn = pa.jit(fun, target=pa.Target("c", optimize=optimize))(K42)
    expected = np.array([float.fromhex(t) for t in texts], drawn.dtype)
    np.testing.assert_array_max_ulp(drawn, expected, max(ulp, 0))


def r_numbers(low: int, high: int) -> list[int]:
    """Integers by bounds that are numbers."""
    found: list[int] = pa.jit(lambda k: r.randint(k, (2, 6), low, high))(K42)[0].tolist()
    return found


COUNT = 200_000


def drawn(fun: Any) -> np.ndarray[Any, Any]:
    return np.asarray(pa.jit(fun)(pa.random.key(7)), np.float64)


MOMENTS: dict[str, tuple[Any, float, float]] = {  # mean and variance
    "uniform": (lambda k: r.uniform(k, (COUNT,)), 1 / 2, 1 / 12),
    "uniform, float64": (lambda k: r.uniform(k, (COUNT,), "float64", -1.0, 3.0), 1.0, 16 / 12),
    "normal": (lambda k: r.normal(k, (COUNT,)), 0.0, 1.0),
    "normal, float64": (lambda k: r.normal(k, (COUNT // 4, 4), "float64"), 0.0, 1.0),
    "bernoulli": (lambda k: pa.cast(r.bernoulli(k, 0.3, (COUNT,)), "float32"), 0.3, 0.21),
    "exponential": (lambda k: r.exponential(k, (COUNT,)), 1.0, 1.0),
    "gumbel": (lambda k: r.gumbel(k, (COUNT,)), 0.5772156649, math.pi**2 / 6),
    "randint": (lambda k: r.randint(k, (COUNT,), -3, 10), 3.0, (13**2 - 1) / 12),
    "dropout": (lambda k: pa.nn.dropout(pa.numpy.ones((COUNT,), "float32"), 0.25, key=k), 1.0, 1 / 3),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_mean_and_variance(name: str) -> None:
    fun, mean, variance = MOMENTS[name]
    x = drawn(fun).ravel()
    fourth = np.mean((x - mean) ** 4)
    assert abs(x.mean() - mean) < 5 * math.sqrt(variance / COUNT)
    assert abs(x.var() - variance) < 5 * math.sqrt((fourth - variance**2) / COUNT)


def chi_square(observed: np.ndarray[Any, Any], chances: np.ndarray[Any, Any]) -> float:
    """In standard deviations of its distribution from its mean."""
    expected = observed.sum() * chances
    degrees = len(chances) - 1
    return float((np.sum((observed - expected) ** 2 / expected) - degrees) / math.sqrt(2 * degrees))


def test_bits_are_even() -> None:
    words = pa.jit(lambda k: r.bits(k, (COUNT,)))(pa.random.key(7))
    for place in range(32):
        ones = int(((words >> np.uint32(place)) & 1).sum())
        assert abs(ones - COUNT / 2) < 5 * math.sqrt(COUNT / 4)
    for shift in (0, 8, 16, 24):
        counts = np.bincount((words >> np.uint32(shift)) & 255, minlength=256)
        assert abs(chi_square(counts, np.full(256, 1 / 256))) < 5
    assert abs(np.corrcoef(words[1:], words[:-1])[0, 1]) < 5 / math.sqrt(COUNT)
    assert len(np.unique(words)) > COUNT - 30  # of 2^32 words some occur twice: 5 are expected


def test_categories_have_their_probabilities() -> None:
    drawn = pa.jit(lambda k: r.categorical(k, np.log(P), shape=(20_000,)))(pa.random.key(7))
    assert abs(chi_square(np.bincount(drawn, minlength=3), P.astype(np.float64))) < 5
    skewed = np.array([0.25, 0.25, 0.5])
    assert abs(chi_square(np.bincount(drawn, minlength=3), skewed)) > 5


def test_truncated_numbers_are_inside() -> None:
    x = drawn(lambda k: r.truncated_normal(k, -0.5, 0.25, (20_000,)))
    assert -0.5 < x.min() < -0.499 and 0.249 < x.max() < 0.25
