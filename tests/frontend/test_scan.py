"""Scans: carries, lengths, directions, nesting, and errors."""

import numpy as np
import pytest

import polyad as pa
from tests.frontend.run import value_of

RNG = np.random.default_rng(0)


def test_cumulative_sum():
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")
    last, ys = pa.scan(lambda c, v: (c + v, c + v), 0.0, x)
    a = RNG.standard_normal(5)
    got_last, got = value_of([last, ys], x=a)
    np.testing.assert_allclose(got, np.cumsum(a))
    np.testing.assert_allclose(got_last, a.sum())


@pytest.mark.parametrize("reverse", [False, True])
def test_pytree_carry_and_two_states(reverse):
    x = pa.placeholder((4, 2), "x", "float64")

    def step(carry, x_t):
        a = carry["a"] * 0.5 + x_t
        b = carry["b"] + a * carry["a"]
        return {"a": a, "b": b}, (a, b)

    init = {"a": pa.numpy.zeros((2,)), "b": pa.numpy.ones((2,))}
    carry, (ya, yb) = pa.scan(step, init, x, reverse=reverse)
    v = RNG.standard_normal((4, 2))
    got = value_of([carry["a"], carry["b"], ya, yb], x=v)
    a, b, rows = np.zeros(2), np.ones(2), {}
    for t in range(3, -1, -1) if reverse else range(4):
        new = a * 0.5 + v[t]
        a, b = new, b + new * a
        rows[t] = (a, b)
    np.testing.assert_allclose(got[0], a)
    np.testing.assert_allclose(got[1], b)
    np.testing.assert_allclose(got[2], [rows[t][0] for t in range(4)])
    np.testing.assert_allclose(got[3], [rows[t][1] for t in range(4)])


@pytest.mark.parametrize("n", [0, 1])
def test_short_scans(n):
    x = pa.placeholder((n, 2), "x", "float64")
    h0 = pa.placeholder((2,), "h0", "float64")
    last, ys = pa.scan(lambda h, v: (h * 2 + v, h), h0, x)
    v, h = RNG.standard_normal((n, 2)), RNG.standard_normal(2)
    got_last, got = value_of([last, ys], x=v, h0=h)
    np.testing.assert_allclose(got_last, h * 2 + v[0] if n else h)
    assert got.shape == (n, 2)


def test_length_without_inputs_and_old_carry_as_output():
    last, ys = pa.scan(lambda c, _: (c * 2.0, c), 1.0, length=5)
    got_last, got = value_of([last, ys])
    assert got_last == 32
    np.testing.assert_allclose(got, [1, 2, 4, 8, 16])


def test_nested_scans_and_closed_over_weights():
    x = pa.placeholder((3, 4), "x", "float64")
    w = pa.placeholder((), "w", "float64")

    def outer(carry, row):
        inner, _ = pa.scan(lambda c, v: (c * w + v, None), carry, row)
        return inner, inner

    last, ys = pa.scan(outer, 0.0, x)
    v = RNG.standard_normal((3, 4))
    c, rows = 0.0, []
    for row in v:
        for e in row:
            c = c * 0.7 + e
        rows.append(c)
    got_last, got = value_of([last, ys], x=v, w=0.7)
    np.testing.assert_allclose(got, rows)
    np.testing.assert_allclose(got_last, c)


def test_the_same_input_at_several_offsets():
    N = pa.sizes("N", min=3)
    x = pa.placeholder((N,), "x", "float64")
    _, ys = pa.scan(lambda c, v: (c + v[0] * v[1], c), 0.0, (x[:-1], x[1:]))
    a = RNG.standard_normal(6)
    expected = np.concatenate([[0], np.cumsum(a[:-1] * a[1:])])[:-1]
    np.testing.assert_allclose(value_of(ys, x=a), expected)


def test_invariant_work_stays_outside_of_time():
    T, H = pa.sizes("T H")
    x = pa.placeholder((T, H), "x", "float64")
    w = pa.placeholder((H,), "w", "float64")

    def step(h, v):
        scale = pa.exp(w)
        return h * scale + v, None

    last, _ = pa.scan(step, pa.numpy.zeros((H,)), x)
    from polyad.frontend.compiled import program_of

    program, _ = program_of([last], None, "test")
    exponentials = [s for s in program.statements if "exp(" in str(s.body) or s.name.startswith(("exp", "scale"))]
    assert exponentials
    assert all("t" not in s.dims for s in exponentials)


def test_weak_initial_values_take_the_type_of_the_step():
    x = pa.placeholder((3,), "x", "float32")
    last, _ = pa.scan(lambda c, v: (c + v, None), pa.numpy.zeros(()), x)
    assert last.dtype == "float32"


def test_errors_name_the_leaf_and_both_sides():
    x = pa.placeholder((3, 2), "x")
    h = pa.placeholder((2,), "h")
    with pytest.raises(pa.ShapeError, match=r"starts with shape \(2\).*returns \(3, 2\)"):
        pa.scan(lambda c, v: (x, None), h, x)
    with pytest.raises(pa.DefinitionError, match="structure"):
        pa.scan(lambda c, v: ((c, c), None), h, x)
    with pytest.raises(pa.DefinitionError, match="length="):
        pa.scan(lambda c, v: (c, None), h)
    with pytest.raises(pa.ShapeError, match="leading extent"):
        pa.scan(lambda c, v: (c, None), h, (x, pa.placeholder((4,), "z")))
    with pytest.raises(pa.DefinitionError, match="pair"):
        pa.scan(lambda c, v: c, h, x)
    with pytest.raises(pa.ShapeError, match="no leading dimension"):
        pa.scan(lambda c, v: (c, None), h, pa.placeholder((), "s"))


def test_tensors_of_the_body_do_not_escape():
    x = pa.placeholder((3, 2), "x")
    kept = []

    def step(c, v):
        kept.append(v * 2.0)
        return c + v, None

    pa.scan(step, pa.placeholder((2,), "h"), x)
    with pytest.raises(pa.DefinitionError, match="body of a scan"):
        kept[0] + 1.0
