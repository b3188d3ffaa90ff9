"""Gradients of maxima over windows: one addition for each window, and to the first on a tie."""

from random import Random
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from polyad import numpy as pn

Pool = dict[str, Any]


def gradient(pool: Pool, shape: tuple[int, ...]) -> tuple[Any, tuple[int, ...]]:
    """The kernel of x_bar for the sum of a pool times h, and the shape of h."""
    x = pa.placeholder(shape, "x", "float64")
    y = (nn.max_pool1d, nn.max_pool2d, nn.max_pool3d)[len(shape) - 3](x, **pool)
    h = pa.placeholder(y.shape, "h", "float64")
    return pa.compile(pa.differentiate(pn.sum(y * h), [x])[x]), tuple(int(str(e)) for e in y.shape)


def expected(pool: Pool, x: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Window by window: the first of the largest gets it all, nan being larger than anything."""
    size, stride, padding = pool["size"], pool["stride"], pool["padding"]
    result = np.zeros_like(x)
    for place in np.ndindex(*h.shape):
        at = [[i * stride + t - padding for t in range(size)] for i in place[2:]]
        taps = list(np.ndindex(*[size] * len(at)))
        window = [tuple(a[t] for a, t in zip(at, tap, strict=True)) for tap in taps]
        window = [w for w in window if all(0 <= i < e for i, e in zip(w, x.shape[2:], strict=True))]
        values = [x[place[:2]][w] for w in window]
        nans = [k for k, v in enumerate(values) if np.isnan(v)]
        result[place[:2]][window[nans[0] if nans else int(np.argmax(values))]] += h[place]
    return result


@pytest.mark.parametrize(
    ("pool", "windows"),
    [
        ({"size": 3, "stride": 2, "padding": 0}, 3 * 4),
        ({"size": 3, "stride": 2, "padding": 1}, 4 * 5),
        ({"size": 3, "stride": 1, "padding": 1}, 7 * 9),
        ({"size": 4, "stride": 3, "padding": 2}, 3 * 4),
    ],
)
def test_windows_that_overlap_have_one_addition_each(pool: Pool, windows: int) -> None:
    kernel, shape = gradient(pool, (2, 3, 7, 9))
    assert shape[2] * shape[3] == windows
    added = {n: c for n, c in kernel.instances().items() if n.startswith("x_bar") and "init" not in n}
    assert list(added.values()) == [2 * 3 * windows]


def test_windows_apart_write_each_element_once() -> None:
    """No zeros are written before: every element of the image is one of one window."""
    kernel, _ = gradient({"size": 2, "stride": 2, "padding": 0}, (2, 3, 6, 8))
    assert {n: c for n, c in kernel.instances().items() if n.startswith("x_bar")} == {"x_bar": 2 * 3 * 6 * 8}


def test_a_border_is_no_part_of_a_maximum() -> None:
    """Taps on the image alone: rows of 7, windows of 3 with a border of one, in each dimension."""
    x = pa.placeholder((1, 1, 7, 7), "x", "float64")
    counts = pa.compile(nn.max_pool2d(x, 3, stride=2, padding=1)).instances()
    assert max(counts.values()) == 10 * 10


def case(number: int) -> tuple[Pool, np.ndarray]:
    """Values that are often equal, and now and then none."""
    random = Random(f"pool {number}")
    size = random.randint(1, 4)
    pool = {"size": size, "stride": random.randint(1, 4), "padding": random.randint(0, size // 2)}
    pixels = random.choice([1, 2, 2, 2, 3])
    extents = [random.randint(size, 9 if pixels < 3 else 5) for _ in range(pixels)]
    rng = np.random.default_rng(number)
    x = rng.integers(0, 3, (random.randint(1, 2), 2, *extents)).astype(float)
    special = random.choice([None, np.nan, np.inf, -np.inf])
    if special is not None:
        x[rng.random(x.shape) < 0.2] = special
    return pool, x


@pytest.mark.parametrize("number", range(48))
@pytest.mark.quick_cases(8)
def test_random_windows(number: int) -> None:
    pool, x = case(number)
    kernel, shape = gradient(pool, x.shape)
    h = np.random.default_rng(number).normal(size=shape)
    np.testing.assert_allclose(kernel(x=x, h=h), expected(pool, x, h), rtol=1e-12, atol=1e-13)


def test_second_derivatives_by_what_is_pooled() -> None:
    """The place of a maximum does not change."""
    x = np.random.default_rng(0).permutation(np.arange(49.0)).reshape(1, 1, 7, 7)

    def f(x: Any) -> Any:
        return pn.sum((nn.max_pool2d(x, 3, stride=2, padding=1) * 0.1) ** 3)

    pa.check_grads(f, (x,), order=2)
