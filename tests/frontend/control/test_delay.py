"""Delay lines: each element is the one of so many steps ago, for any delays that data say, with its derivatives."""

from typing import Any

import numpy as np
import pytest

import polyad as pa

RNG = np.random.default_rng(2)


def delayed(x: Any, steps: Any, line: Any) -> Any:
    return pa.scan(lambda carry, value: pa.delay(carry, value, steps), line, x)[1]


def by_numpy(x: np.ndarray, steps: np.ndarray, line: np.ndarray) -> np.ndarray:
    history = np.concatenate([line[::-1], x])
    at = np.arange(len(x)).reshape(-1, *[1] * steps.ndim) + len(line) - steps
    index = at.reshape(at.shape + (1,) * (history.ndim - at.ndim))
    return np.take_along_axis(history, np.broadcast_to(index, x.shape), 0)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
@pytest.mark.parametrize("longest", [1, 4, 9])
def test_values_are_those_of_so_many_steps_ago(shape: tuple[int, ...], longest: int) -> None:
    x, line = RNG.normal(size=(6, *shape)), RNG.normal(size=(longest, *shape))
    for few in range(len(shape) + 1):  # one delay for all, or for each row, or for each element
        steps = RNG.integers(1, longest + 1, shape[:few]).astype(np.int32)
        np.testing.assert_array_equal(pa.jit(delayed)(x, steps, line), by_numpy(x, steps, line))
    np.testing.assert_array_equal(pa.jit(lambda x: delayed(x, longest, line))(x), by_numpy(x, np.array(longest), line))


def test_derivatives_go_back_as_far() -> None:
    x, line, steps = RNG.normal(size=(6, 3)), RNG.normal(size=(4, 3)), np.array([1, 4, 2])
    pa.check_grads(lambda x, line: delayed(x, steps, line) ** 2, (x, line), order=2)
    by = pa.grad(lambda x: delayed(x, steps, line).sum())(x)
    np.testing.assert_array_equal(by, [[1, 1, 1], [1, 1, 1], [1, 0, 1], [1, 0, 1], [1, 0, 0], [0, 0, 0]])


def test_a_delay_differential_equation() -> None:
    """Euler steps of y' = -y(t - d) with a delay for each solution, all of them begun with 1."""

    def step(carry: Any, _: Any) -> Any:
        y, line = carry
        line, old = pa.delay(line, y, delays)
        y = y - 0.1 * old
        return (y, line), y

    delays = np.array([1, 5, 8])
    found = pa.jit(lambda y: pa.scan(step, (y, pa.numpy.ones((8, 3))), length=30)[1])(np.ones(3))
    history = [np.ones(3)] * 9
    for _ in range(30):
        history.append(history[-1] - 0.1 * np.array([history[-1 - d][n] for n, d in enumerate(delays)]))
    np.testing.assert_allclose(found, history[9:], rtol=1e-12)


def test_batches_and_symbolic_sizes() -> None:
    x, line, steps = RNG.normal(size=(5, 6, 3)), RNG.normal(size=(5, 4, 3)), RNG.integers(1, 5, (5, 3))
    found = pa.vmap(delayed)(x, steps, line)
    T, N, D = pa.sizes("T N D")
    places = pa.placeholder((T, N), "x", "float64"), pa.placeholder((N,), "d", "int64")
    line_place = pa.placeholder((D, N), "line", "float64")
    kernel = pa.compile(delayed(*places, line_place), [*places, line_place])
    for one in zip(x, steps, line, found, strict=True):
        np.testing.assert_array_equal(kernel(*one[:3]), by_numpy(*one[:3]))
        np.testing.assert_array_equal(one[3], by_numpy(*one[:3]))


@pytest.mark.parametrize("wrong", [0, 4])
def test_delays_out_of_range_are_named(wrong: int) -> None:
    with pytest.raises(pa.CallError, match=rf"steps\[1\] = {wrong}, used as steps\[i\] - 1"):
        pa.jit(delayed)(np.ones((4, 2)), np.array([1, wrong]), np.zeros((3, 2)))


def test_refused() -> None:
    line, value = pa.numpy.zeros((3, 2)), pa.numpy.zeros(2)
    with pytest.raises(pa.DTypeError, match="steps is of type float64"):
        pa.delay(line, value, np.ones(2))
    with pytest.raises(pa.ShapeError, match=r"line has shape \(3, 2\) and the value \(3,\)"):
        pa.delay(line, pa.numpy.zeros(3), 1)
    with pytest.raises(pa.ShapeError, match=r"steps has shape \(3,\) and the value \(2,\)"):
        pa.delay(line, value, np.array([1, 1, 1]))
    with pytest.raises(pa.ShapeError, match="holds no value"):
        pa.delay(pa.numpy.zeros((0, 2)), value, 1)
