"""`while_loop`: JAX's results, and derivatives of the steps that were taken."""

import numpy as np
import pytest

import polyad as pa


def halved(x):
    return pa.while_loop(lambda v: v > 1.0, lambda v: v / 2, x, max_steps=64)


def partial_sum(x, n):
    return pa.while_loop(
        lambda s: s["i"] < n,
        lambda s: {"i": s["i"] + 1, "total": s["total"] + pa.sin(x[s["i"]])},
        {"i": 0, "total": 0.0},
        max_steps=8,
    )["total"]


@pytest.mark.parametrize(("x", "value", "slope"), [(20.0, 0.625, 1 / 32), (0.5, 0.5, 1.0), (1.0, 1.0, 1.0)])
def test_values_and_derivatives(x, value, slope):
    assert pa.jit(halved)(x) == value
    assert pa.grad(halved)(x) == slope
    assert pa.jacfwd(halved)(x) == slope


@pytest.mark.parametrize("n", [0, 1, 3, 5])
def test_steps_that_are_not_taken_read_nothing_outside(n):
    """With n = 5 the index stands behind the end of x for the steps that are left."""
    x = np.array([0.1, 0.7, -0.3, 2.0, 1.1])
    np.testing.assert_allclose(pa.jit(partial_sum)(x, n), np.sin(x[:n]).sum(), atol=1e-15)
    np.testing.assert_allclose(pa.grad(partial_sum)(x, n), np.where(np.arange(5) < n, np.cos(x), 0.0))


def test_newton_differentiates_through_the_iteration():
    def root(a):
        return pa.while_loop(lambda s: abs(s * s - a) > 1e-13, lambda s: 0.5 * (s + a / s), a, max_steps=30)

    np.testing.assert_allclose(pa.jit(root)(2.0), np.sqrt(2))
    np.testing.assert_allclose(pa.grad(root)(2.0), 0.5 / np.sqrt(2), rtol=1e-7)


def test_what_a_step_would_make_behind_the_end_does_not_matter():
    """The body is infinite where the loop stands still."""

    def f(x):
        return pa.while_loop(lambda v: v > 0, lambda v: pa.select(v > 1.5, v - 1, 0 * v) + 0 / v, x, max_steps=6)

    assert pa.jit(f)(3.0) == 0.0
    assert np.isfinite(pa.grad(f)(3.0))


def test_it_stops_at_the_bound():
    count = pa.jit(lambda: pa.while_loop(lambda n: n < 10, lambda n: n + 1, 0, max_steps=4))
    assert count() == 4
    assert pa.jit(lambda x: pa.while_loop(lambda n: True, lambda n: n + 1, x, max_steps=0))(3) == 3


def test_errors_say_what_is_missing():
    with pytest.raises(pa.DefinitionError, match=r"while_loop needs max_steps=, the largest number of steps"):
        pa.while_loop(lambda v: v > 1.0, lambda v: v / 2, 3.0)
    with pytest.raises(pa.DefinitionError, match=r"max_steps= as a number, not the tensor n"):
        pa.jit(lambda n: pa.while_loop(lambda v: v > 1.0, lambda v: v / 2, 3.0, max_steps=n))(3)
    with pytest.raises(pa.DTypeError, match=r"cond_fun returns one truth value, not a tensor of type bool with 1 dim"):
        pa.jit(lambda x: pa.while_loop(lambda v: v > 1.0, lambda v: v / 2, x, max_steps=3))(np.ones(2))
    with pytest.raises(pa.DTypeError, match=r"cond_fun returns one truth value, not a tensor of type float64"):
        pa.jit(lambda x: pa.while_loop(lambda v: v, lambda v: v / 2, x, max_steps=3))(1.0)
    with pytest.raises(pa.DefinitionError, match="their structures have to agree"):
        pa.jit(lambda x: pa.while_loop(lambda v: v[0] > 1, lambda v: v[0], (x,), max_steps=3))(1.0)


def settled(x, w, steps):
    def body(v):
        h = pa.tanh(w @ v["h"] + x)
        return {"h": h, "change": ((h - v["h"]) ** 2).sum()}

    start = {"h": x, "change": 1.0}
    return pa.while_loop(lambda v: v["change"] > 1e-20, body, start, max_steps=steps)["h"]


def test_steps_behind_the_end_do_not_multiply():
    """A bound of ten times as many steps gives the same bits, and products stand behind a test of the condition."""
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=20), rng.normal(size=(20, 20)) / 12  # products of fewer terms are written out
    few, many = (pa.value_and_grad(lambda x, w, n=n: (settled(x, w, n) ** 2).sum(), argnums=(0, 1)) for n in (40, 400))
    for one, other in zip(*(pa.tree.leaves(f(x, w)) for f in (few, many)), strict=True):
        assert np.isfinite(one).all()
        np.testing.assert_allclose(one, other, rtol=1e-12)
    assert many.kernel.source.count("!= 0) {") >= 2


def test_weights_that_are_infinite_behind_the_end():
    """The loop ends before it would meet them."""
    w = np.array([[0.5, np.inf], [0.0, 0.5]])
    x = np.array([0.0, 0.0])
    f = pa.grad(lambda x, w: pa.while_loop(lambda h: h.sum() > 1, lambda h: w @ h, x, max_steps=5).sum())
    np.testing.assert_array_equal(f(x, w), [1.0, 1.0])
