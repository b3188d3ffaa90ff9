"""Recurrences in any number of dimensions, mutual ones, and their errors."""

import numpy as np
import pytest

import polyad as pa
from tests.evaluated import values_of
from tests.frontend.run import value_of

RNG = np.random.default_rng(0)


def test_one_dimension():
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")
    s = pa.recurrence(N, lambda s, i: pa.select(i == 0, x[i], s[i - 1] * 0.5 + x[i]), name="s")
    assert s.dtype == "float64"
    a = RNG.standard_normal(5)
    expected = [a[0]]
    for v in a[1:]:
        expected.append(expected[-1] * 0.5 + v)
    np.testing.assert_allclose(value_of(s, x=a), expected)


def test_two_dimensions():
    N, M = pa.sizes("N M")
    d = pa.placeholder((N, M), "d", "float64")

    def body(r, i, j):
        before = pa.minimum(pa.minimum(r[i - 1, j], r[i, j - 1]), r[i - 1, j - 1])
        edge = pa.select(i == 0, r[i, j - 1], r[i - 1, j])
        return d[i, j] + pa.select((i == 0) & (j == 0), 0.0, pa.select((i == 0) | (j == 0), edge, before))

    r = pa.recurrence((N, M), body, name="r")
    a = RNG.random((4, 3))
    full = np.full((5, 4), np.inf)
    full[0, 0] = 0
    for i in range(4):
        for j in range(3):
            full[i + 1, j + 1] = a[i, j] + min(full[i, j + 1], full[i + 1, j], full[i, j])
    np.testing.assert_allclose(value_of(r, d=a), full[1:, 1:])


def test_mutual():
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")

    def body(a, b, i):
        return (pa.select(i == 0, x[i], b[i - 1] + x[i]), a[i] * 2.0)

    a, b = pa.recurrence(((N,), (N,)), body, name="ab")
    v = RNG.standard_normal(4)
    wa, wb = [v[0]], [2 * v[0]]
    for e in v[1:]:
        wa.append(wb[-1] + e)
        wb.append(wa[-1] * 2)
    got_a, got_b = value_of([a, b], x=v)
    np.testing.assert_allclose(got_a, wa)
    np.testing.assert_allclose(got_b, wb)


def test_against_the_grain_needs_no_word():
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")
    s = pa.recurrence(N, lambda s, i: pa.select(i == N - 1, x[i], s[i + 1] + x[i]))
    a = RNG.standard_normal(5)
    np.testing.assert_allclose(value_of(s, x=a), np.cumsum(a[::-1])[::-1])


def test_missing_base_case_is_out_of_bounds():
    N = pa.sizes("N")
    with pytest.raises(pa.BoundsError, match=r"i - 1"):
        pa.recurrence(N, lambda s, i: s[i - 1])


def test_cycle_is_spelled_out():
    N = pa.sizes("N")
    with pytest.raises(pa.CausalityError) as error:
        pa.recurrence(N, lambda s, i: pa.select(i < N - 1, s[i + 1], 0.0) + pa.select(i > 0, s[i - 1], 0.0))
    assert len(error.value.cycle) >= 2
    assert error.value.sizes == {"N": 2}


def test_a_delay_that_data_choose_is_a_scan():
    """The advice of the refusal, followed."""
    N, T, D = 3, 9, 4
    x, delay = pa.placeholder((T, N), "x", "float64"), pa.placeholder((N,), "delay", "int32")
    with pytest.raises(pa.CausalityError, match=r"which of the last D steps of s is read, write a pa\.scan"):
        pa.recurrence((N, T), lambda s, n, t: x[t, n] + pa.select(t >= D, s[n, t - 1 - delay[n]], 0.0), name="s")

    def step(last, x_t):  # last[n, k]: what was computed k + 1 steps ago
        new = pa.compute((N,), lambda n: x_t[n] + 0.5 * last[n, delay[n]])
        return pa.numpy.concatenate([new[:, None], last[:, :-1]], axis=1), new

    _, ys = pa.scan(step, pa.numpy.zeros((N, D), dtype="float64"), x)
    a, d = RNG.standard_normal((T, N)), np.array([0, 3, 1], np.int32)
    expected = np.zeros((T, N))
    for t in range(T):
        for n in range(N):
            expected[t, n] = a[t, n] + (0.5 * expected[t - 1 - d[n], n] if t - 1 - d[n] >= 0 else 0.0)
    np.testing.assert_allclose(value_of(ys, x=a, delay=d), expected)


def test_each_tensor_has_its_element_type():
    x = pa.placeholder((5,), "x", "float64")

    def running(best, place, i):
        larger = x[i] > x[place[i - 1]]
        return (
            pa.select(i == 0, x[0], pa.select(larger, x[i], best[i - 1])),
            pa.select(i == 0, 0, pa.select(larger, i, place[i - 1])),
        )

    best, place = pa.recurrence(((5,), (5,)), running, dtype=(None, "int64"))
    assert (best.dtype, place.dtype) == ("float64", "int64")
    found = values_of([best, place], x=np.array([1.0, 3.0, 2.0, 5.0, 4.0]))
    np.testing.assert_array_equal(found[0], [1, 3, 3, 5, 5])
    np.testing.assert_array_equal(found[1], [0, 1, 1, 3, 3])
    with pytest.raises(pa.DTypeError, match="1 element types for 2 tensors"):
        pa.recurrence(((5,), (5,)), running, dtype=("float64",))


def test_element_types_settle_along_a_chain():
    x = pa.placeholder((3,), "x", "float64")

    def chain(a, b, c, d, e, i):
        return b[i] + 1, c[i] + 1, d[i] + 1, e[i] + 1, x[i] + pa.select(i == 0, 0, a[i - 1])

    first, *_, last = pa.recurrence(((3,),) * 5, chain)
    assert first.dtype == last.dtype == "float64"
    np.testing.assert_array_equal(values_of(first, x=np.ones(3)), [5, 10, 15])
