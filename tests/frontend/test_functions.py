"""Functions of arrays: jit, grad, value_and_grad, jvp, vjp, Jacobians, Hessians, custom rules."""

import numpy as np
import pytest

import polyad as pa

RNG = np.random.default_rng(0)


def test_jit_compiles_once_per_signature():
    calls = []

    @pa.jit
    def f(x, y):
        calls.append(x.shape)
        return {"sum": x + y, "pair": (x * 2.0, y)}

    a, b = RNG.standard_normal((3, 2)), RNG.standard_normal(2)
    for _ in range(2):
        out = f(a, b)
        np.testing.assert_allclose(out["sum"], a + b)
        np.testing.assert_allclose(out["pair"][0], a * 2)
        np.testing.assert_allclose(out["pair"][1], b)
    f(a[:2], b)
    assert calls == [(3, 2), (2, 2)]
    assert f.kernel.name == "f"


def test_gradients_of_pytrees():
    def loss(params, x):
        h = pa.tanh(x @ params["W"] + params["b"])
        return (h * h).sum()

    params = {"W": RNG.standard_normal((3, 2)), "b": RNG.standard_normal(2)}
    x = RNG.standard_normal((4, 3))
    value, g = pa.value_and_grad(loss)(params, x)
    h = np.tanh(x @ params["W"] + params["b"])
    d = 2 * h * (1 - h * h)
    np.testing.assert_allclose(value, (h * h).sum())
    np.testing.assert_allclose(g["W"], x.T @ d)
    np.testing.assert_allclose(g["b"], d.sum(0))
    np.testing.assert_allclose(pa.grad(loss)(params, x)["b"], d.sum(0))
    gp, gx = pa.grad(loss, argnums=(0, 1))(params, x)
    np.testing.assert_allclose(gx, d @ params["W"].T)
    np.testing.assert_allclose(gp["W"], x.T @ d)


def test_auxiliary_output():
    def f(x):
        y = pa.sin(x)
        return y.sum(), {"y": y}

    x = RNG.standard_normal(3)
    (value, aux), g = pa.value_and_grad(f, has_aux=True)(x)
    np.testing.assert_allclose(value, np.sin(x).sum())
    np.testing.assert_allclose(aux["y"], np.sin(x))
    np.testing.assert_allclose(g, np.cos(x))
    g2, aux2 = pa.grad(f, has_aux=True)(x)
    np.testing.assert_allclose(g2, np.cos(x))
    np.testing.assert_allclose(aux2["y"], np.sin(x))


def test_jvp_and_vjp():
    def f(x, y):
        return pa.sin(x) * y, (x * y).sum()

    x, y, dx, dy = (RNG.standard_normal(3) for _ in range(4))
    (a, b), (da, db) = pa.jvp(f, (x, y), (dx, dy))
    np.testing.assert_allclose(a, np.sin(x) * y)
    np.testing.assert_allclose(b, (x * y).sum())
    np.testing.assert_allclose(da, np.cos(x) * dx * y + np.sin(x) * dy)
    np.testing.assert_allclose(db, (dx * y + x * dy).sum())
    (a, b), pull = pa.vjp(f, x, y)
    ca, cb = RNG.standard_normal(3), 0.7
    gx, gy = pull((ca, np.float64(cb)))
    np.testing.assert_allclose(gx, np.cos(x) * y * ca + y * cb)
    np.testing.assert_allclose(gy, np.sin(x) * ca + x * cb)


def test_jacobians_and_hessians():
    A = RNG.standard_normal((3, 3))

    def f(x):
        return pa.tanh(A @ x)

    x = RNG.standard_normal(3)
    J = (1 - np.tanh(A @ x) ** 2)[:, None] * A
    np.testing.assert_allclose(pa.jacrev(f)(x), J)
    np.testing.assert_allclose(pa.jacfwd(f)(x), J)

    def g(x):
        return pa.sin(x[0]) * x[1] ** 2 + pa.exp(x[2] * x[0])

    H = pa.hessian(g)(x)
    e = np.exp(x[2] * x[0])
    expected = np.array(
        [
            [-np.sin(x[0]) * x[1] ** 2 + x[2] ** 2 * e, 2 * x[1] * np.cos(x[0]), e * (1 + x[0] * x[2])],
            [2 * x[1] * np.cos(x[0]), 2 * np.sin(x[0]), 0],
            [e * (1 + x[0] * x[2]), 0, x[0] ** 2 * e],
        ]
    )
    np.testing.assert_allclose(H, expected, atol=1e-12)


def test_gradient_of_gradient():
    third = pa.grad(pa.grad(pa.grad(lambda x: x**5)))
    np.testing.assert_allclose(third(np.float64(2.0)), 60 * 4)


def test_python_numbers_are_weak():
    f = pa.jit(lambda x, s: x * s)
    assert f(np.ones(2, np.float32), 2.0).dtype == np.float32
    np.testing.assert_allclose(pa.grad(lambda s: s * s)(3.0), 6.0)


def test_captured_arrays_and_bools_and_integers():
    c = RNG.standard_normal(3)
    f = pa.jit(lambda x, n: (x + c > 0, n + 1, pa.select(x > 0, x, c)))
    x = RNG.standard_normal(3)
    mask, n, picked = f(x, np.int64(3))
    assert mask.dtype == np.bool_
    np.testing.assert_array_equal(mask, x + c > 0)
    assert n == 4
    np.testing.assert_allclose(picked, np.where(x > 0, x, c))


def test_stop_gradient():
    x = RNG.standard_normal(3)
    g = pa.grad(lambda x: (x * pa.stop_gradient(x)).sum())(x)
    np.testing.assert_allclose(g, x)


def test_custom_vjp():
    @pa.custom_vjp
    def clip(x, lo):
        return pa.maximum(x, lo)

    clip.defvjp(lambda x, lo: (pa.maximum(x, lo), (x, lo)), lambda res, g: (g * 3.0, None))
    x = RNG.standard_normal(4)
    g = pa.grad(lambda x: (pa.sin(clip(x * 2.0, 0.1))).sum())(x)
    np.testing.assert_allclose(g, 6.0 * np.cos(np.maximum(2 * x, 0.1)))
    np.testing.assert_allclose(pa.jit(clip)(x, 0.1), np.maximum(x, 0.1))


def test_custom_vjp_inside_a_scan():
    @pa.custom_vjp
    def double(x):
        return x * 2.0

    double.defvjp(lambda x: (x * 2.0, None), lambda _, g: (g * 5.0,))

    def loss(x):
        return pa.scan(lambda c, v: (c + double(v), None), 0.0, x)[0]

    np.testing.assert_allclose(pa.grad(loss)(RNG.standard_normal(4)), np.full(4, 5.0))


def test_check_grads_passes_and_fails():
    def f(p, x):
        last, ys = pa.scan(lambda h, v: (pa.tanh(p["w"] * h + v), h * v), p["h"], x)
        return (ys * ys).sum() + last.sum()

    p = {"w": RNG.standard_normal(2), "h": RNG.standard_normal(2)}
    x = RNG.standard_normal((4, 2))
    pa.check_grads(f, (p, x), order=2)

    @pa.custom_vjp
    def wrong(x):
        return x * x

    wrong.defvjp(lambda x: (x * x, x), lambda x, g: (g * x,))
    with pytest.raises(pa.DifferentiationError, match=r"reverse mode, args\[0\] at index \(\d,\)"):
        pa.check_grads(lambda x: wrong(x).sum(), (x[0],), modes=("rev",))


def test_errors_of_functions():
    x = RNG.standard_normal(3)
    with pytest.raises(pa.ShapeError, match="scalar"):
        pa.grad(lambda x: x * 2.0)(x)
    with pytest.raises(pa.NotDifferentiableError, match="int64"):
        pa.grad(lambda n: (n * 1.0).sum())(np.arange(3))
    with pytest.raises(pa.CallError, match="argnums"):
        pa.grad(lambda x: x.sum(), argnums=2)(x)
    with pytest.raises(pa.CallError, match="numbers"):
        pa.jit(lambda x: x)("text")
    with pytest.raises(pa.ShapeError, match="tangent"):
        pa.jvp(lambda x: x, (x,), (np.zeros(2),))


def test_derivatives_of_functions_that_return_something_besides():
    """`has_aux` of jvp, vjp and Jacobians, as in JAX."""
    f = lambda x: (x * x, {"seen": x + 1.0})  # noqa: E731
    x, d = np.array([1.0, 2.0]), np.array([1.0, 10.0])
    value, slope, aux = pa.jvp(f, (x,), (d,), has_aux=True)
    assert (value.tolist(), slope.tolist(), aux["seen"].tolist()) == ([1, 4], [2, 40], [2, 3])
    value, pull, aux = pa.vjp(f, x, has_aux=True)
    assert (value.tolist(), pull(d)[0].tolist(), aux["seen"].tolist()) == ([1, 4], [2, 40], [2, 3])
    for jacobian in (pa.jacfwd, pa.jacrev):
        found, aux = jacobian(f, has_aux=True)(x)
        assert (found.tolist(), aux["seen"].tolist()) == ([[2, 0], [0, 4]], [2, 3])
    with pytest.raises(pa.NotDifferentiableError, match="vjp: with has_aux=True the function returns a pair"):
        pa.vjp(lambda x: x, x, has_aux=True)
