"""Numbers of Python among the arguments give way to the types of the arrays, as in NumPy 2; numbers of NumPy do not."""

import enum
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa

X32 = np.array([1.5, 2.5], np.float32)
I32 = np.array([1, 2], np.int32)


class Step(enum.IntEnum):
    TWO = 2


def each_operator(x: Any, n: Any) -> list[Any]:
    return [x * n, n - x, x / n, x // n, x % n, x**n]


@pytest.mark.parametrize("x", [X32, I32], ids=["float32", "int32"])
def test_types_are_those_of_numpy(x: np.ndarray) -> None:
    numbers = [2, 2.0, True, np.int64(2), np.float64(2.0), Step.TWO]

    def on(arrays: Any, x: Any, numbers: Any) -> list[Any]:
        return [[x * n, x + n, arrays.where(x > 1, x, n), arrays.maximum(n, x)] for n in numbers]

    found = pa.jit(lambda x, numbers: on(pa.numpy, x, numbers))(x, numbers)
    for n, results, expected in zip(numbers, found, on(np, x, numbers), strict=True):
        assert [r.dtype for r in results] == [np.asarray(e).dtype for e in expected], repr(n)
        for r, e in zip(results, expected, strict=True):
            np.testing.assert_array_equal(r, e)


def test_each_operator() -> None:
    found = pa.jit(each_operator)(X32, 2)
    for result, expected in zip(found, each_operator(X32, 2), strict=True):
        assert result.dtype == np.float32
        np.testing.assert_allclose(result, expected)


def test_the_kind_of_a_number_is_part_of_the_signature() -> None:
    f = pa.jit(lambda x, n: x * n)
    for n, dtype in [(2, "float32"), (np.int64(2), "float64"), (3, "float32"), (2**40, "float64"), (2.0, "float32")]:
        result = f(X32, n)
        assert result.dtype == dtype, repr(n)
        np.testing.assert_array_equal(result, X32 * float(n))


def test_integers_that_int32_does_not_hold_do_not_wrap_around() -> None:
    f = pa.jit(lambda x, n: x + n)
    for n in (2**31 - 1, -(2**31)):
        assert f(np.zeros(2, np.int32), n).tolist() == [n, n]
    for n in (2**31, -(2**31) - 1, 2**40):
        result = f(I32, n)
        assert result.dtype == np.int64
        assert result.tolist() == [n + 1, n + 2]


def test_derivatives_keep_the_type() -> None:
    n = 2

    def f(x: Any, n: Any) -> Any:
        return pa.numpy.sum(x * n)

    value, slope = pa.value_and_grad(f)(X32, n)
    assert value.dtype == slope.dtype == np.float32
    value, pull = pa.vjp(lambda x: f(x, n), X32)
    assert value.dtype == np.float32
    np.testing.assert_array_equal(pull(1)[0], [2.0, 2.0])  # a cotangent that is a number, too
    value, dot = pa.jvp(lambda x, s: f(x, s), (X32, 2.0), (np.zeros_like(X32), 1))
    assert value.dtype == dot.dtype == np.float32
    assert dot == 4.0


def test_functions_with_rules_keep_the_type() -> None:
    @pa.custom_vjp
    def scaled(x: Any, s: Any) -> Any:
        return x * s

    scaled.defvjp(lambda x, s: (x * s, s), lambda s, g: (g * s, None))
    assert scaled(X32, 2.0).dtype == np.float32
    value, slope = pa.value_and_grad(lambda x: pa.numpy.sum(scaled(x, 2)))(X32)
    assert value.dtype == slope.dtype == np.float32


def scanned(step: Callable[..., Any], first: Any, xs: Any) -> Any:
    return pa.jit(lambda c, x: pa.scan(step, c, x)[0])(first, xs)


def test_carries_take_the_type_of_their_steps() -> None:
    total = scanned(lambda c, v: (c + v, None), 0, X32)
    assert (total.dtype, total) == (np.float32, 4.0)
    total = scanned(lambda c, v: (c + v, None), 0, I32)
    assert (total.dtype, total) == (np.int32, 3)
    half = pa.jit(lambda: pa.scan(lambda c, _: (c + 0.5, None), 0, length=3)[0])()
    assert half == 1.5  # refused with a word on tensors used outside of a scan


def test_a_carry_does_not_lose_what_it_starts_with() -> None:
    """0.5 became 0 where steps return integers, and 3 became True where they return truth values."""
    ys = pa.jit(lambda x: pa.scan(lambda c, v: (v, c), 0.5, x)[1])(I32)
    assert ys.tolist() == [0.5, 1.0]
    ys = pa.jit(lambda x: pa.scan(lambda c, v: (v > 1, c), 3, x)[1])(I32)
    assert ys.tolist() == [3, 0]
    with pytest.raises(pa.DTypeError, match="carry starts as int64 and the step returns float64"):
        scanned(lambda c, v: (0.5, None), np.int64(3), I32)  # was 0


def test_types_settle_in_a_delay_line() -> None:
    """Each retracing settles the type of one element: more than three of them were refused."""
    line = scanned(lambda c, v: ((*c[1:], v), None), (0.0,) * 5, np.arange(6, dtype=np.float32))
    assert [float(v) for v in line] == [1, 2, 3, 4, 5]
    assert {v.dtype for v in line} == {np.dtype("float32")}
