"""Derivatives on tensors: grad, differentiate (heads, manual rules, intermediates), tangent."""

import numpy as np
import pytest

import polyad as pa
from tests.frontend.run import value_of

RNG = np.random.default_rng(0)


def network():
    N, K = pa.sizes("N K")
    x = pa.placeholder((N, K), "x", "float64")
    w = pa.placeholder((K,), "w", "float64")
    k = pa.reduce_axis(K, "k")
    a = pa.compute(N, lambda i: pa.sum(x[i, k] * w[k], axis=k), name="a")
    s = pa.compute(N, lambda i: pa.sin(a[i]), name="s")
    n = pa.reduce_axis(N, "n")
    loss = pa.compute((), lambda: pa.sum(s[n] * s[n], axis=n), name="loss")
    return x, w, a, s, loss


X, W = RNG.standard_normal((4, 3)), RNG.standard_normal(3)


def test_grad_of_a_tensor():
    x, w, _a, _s, loss = network()
    gx, gw = value_of(pa.grad(loss, [x, w]), x=X, w=W)
    d = 2 * np.sin(X @ W) * np.cos(X @ W)
    np.testing.assert_allclose(gw, X.T @ d)
    np.testing.assert_allclose(gx, d[:, None] * W)
    np.testing.assert_allclose(value_of(pa.grad(loss, w), x=X, w=W), X.T @ d)


def test_head_and_intermediate_adjoints():
    _x, w, a, s, _loss = network()
    head = pa.placeholder(s.shape, "head", "float64")
    adj = pa.differentiate(s, [w], head=head)
    u = RNG.standard_normal(4)
    gw, ga = value_of([adj[w], adj.adjoints[a]], x=X, w=W, head=u)
    np.testing.assert_allclose(ga, u * np.cos(X @ W))
    np.testing.assert_allclose(gw, X.T @ (u * np.cos(X @ W)))


def test_jacobian_of_a_tensor_without_head():
    _x, w, _a, s, _loss = network()
    J = value_of(pa.grad(s, [w])[0], x=X, w=W)
    np.testing.assert_allclose(J, np.cos(X @ W)[:, None] * X)


def test_manual_derivative():
    _x, w, a, s, loss = network()
    adj = pa.differentiate(loss, [w], manual={(s, a): lambda out, inp, head: head * 10.0})
    np.testing.assert_allclose(value_of(adj[w], x=X, w=W), X.T @ (2 * np.sin(X @ W) * 10.0))


def test_tangent():
    _x, w, _a, _s, loss = network()
    wd = pa.placeholder(w.shape, "w_dot", "float64")
    v = RNG.standard_normal(3)
    t = value_of(pa.tangent(loss, {w: wd}), x=X, w=W, w_dot=v)
    np.testing.assert_allclose(t, (2 * np.sin(X @ W) * np.cos(X @ W) * (X @ v)).sum())


def test_derivatives_are_definitions():
    _x, w, _a, _s, loss = network()
    g = pa.grad(loss, w)
    k = pa.reduce_axis(w.shape[0], "k")
    norm = pa.compute((), lambda: pa.sum(g[k] * g[k], axis=k))
    gg = value_of(pa.grad(norm, w), x=X, w=W)

    def square(w):
        d = 2 * np.sin(X @ w) * np.cos(X @ w)
        return ((X.T @ d) ** 2).sum()

    numeric = [(square(W + e) - square(W - e)) / 2e-6 for e in np.eye(3) * 1e-6]
    np.testing.assert_allclose(gg, numeric, rtol=1e-6)


def test_unused_input_has_zero_gradient():
    _x, w, _a, _s, loss = network()
    other = pa.placeholder((3,), "other", "float64")
    np.testing.assert_array_equal(value_of(pa.grad(loss, [w, other])[1], {"N": 4, "K": 3}), np.zeros(3))


def test_derivative_inside_a_scan_body():
    def energy_step(q, _):
        v = (pa.cos(q) * 2.0).sum()
        return q - 0.1 * pa.grad(v, q), None

    f = pa.jit(lambda q0: pa.scan(energy_step, q0, length=3)[0])
    q = RNG.standard_normal(2)
    expected = q.copy()
    for _ in range(3):
        expected = expected + 0.1 * 2.0 * np.sin(expected)
    np.testing.assert_allclose(f(q), expected)


def test_errors():
    x, w, _a, s, loss = network()
    ids = pa.placeholder((3,), "ids", "int64")
    with pytest.raises(pa.NotDifferentiableError, match="int64"):
        pa.grad(loss, [ids])
    with pytest.raises(pa.ShapeError, match="head"):
        pa.differentiate(s, [w], head=w)
    with pytest.raises(pa.ShapeError, match="tangent"):
        pa.tangent(loss, {w: x})
    with pytest.raises(pa.DefinitionError, match="not among"):
        pa.differentiate(loss, [w])[x]
