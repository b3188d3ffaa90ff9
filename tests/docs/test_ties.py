"""The rules for ties, as the page on mathematics states them."""

import numpy as np
import pytest

import polyad as pa

ZERO = np.float64(0.0)


def slope(fun, at=ZERO):
    return float(pa.grad(fun)(np.float64(at)))


@pytest.mark.parametrize(
    ("fun", "at", "expected"),
    [
        (pa.abs, 0, 0),
        (lambda x: pa.sign(x) + pa.floor(x) + pa.ceil(x) + pa.round(x) + pa.trunc(x) + x // 2.0, 1.5, 0),
        (lambda x: pa.pow(2.0, x), 1, 2 * np.log(2)),
        (lambda x: pa.pow(ZERO + 0 * x, x), 1, 0),
        (lambda x: pa.pow(x, 0.0), 0, 0),
        (lambda x: pa.select(x > 0, 3 * x, 5 * x), 0, 5),
        (pa.nn.relu, 0, 0),
        (lambda x: pa.nn.leaky_relu(x, 0.25), 0, 0.25),
        (lambda x: pa.nn.prelu(x, 0.25), 0, 0.25),
        (lambda x: pa.nn.elu(x, 0.75), 0, 0.75),
        (lambda x: pa.nn.celu(x, 0.75), 0, 1),
        (lambda x: pa.nn.relu6(x) + pa.nn.relu6(x + 6) + pa.nn.hard_tanh(x - 1) + pa.nn.hard_tanh(x + 1), 0, 0),
        (pa.nn.hard_swish, -3, 0),
        (pa.nn.hard_swish, 3, 1),
        (lambda x: pa.numpy.clip(x, 0.0, 1.0), 0, 0.5),
        (lambda x: pa.numpy.clip(x, 0.0, 1.0), 1, 0.5),
    ],
)
def test_functions_of_one_number(fun, at, expected):
    assert slope(fun, at) == pytest.approx(expected)


@pytest.mark.parametrize("fun", [pa.maximum, pa.minimum])
def test_both_arguments_get_half(fun):
    assert pa.grad(fun, argnums=(0, 1))(ZERO, ZERO) == (0.5, 0.5)


@pytest.mark.parametrize("fun", [pa.numpy.max, pa.numpy.min])
def test_the_first_optimum_gets_all(fun):
    x = np.ones((2, 3))
    expected = np.zeros((2, 3))
    expected[0, 0] = 1
    np.testing.assert_array_equal(pa.grad(fun)(x), expected)


def test_windows_of_max_pool_go_row_by_row():
    gradient = pa.grad(lambda x: pa.numpy.sum(pa.nn.max_pool2d(x, 2)))(np.ones((1, 1, 2, 4)))
    np.testing.assert_array_equal(gradient, [[[[1, 0, 1, 0], [0, 0, 0, 0]]]])
