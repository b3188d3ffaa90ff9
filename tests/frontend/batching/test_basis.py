"""Derivatives in the body of a scan: of each step, by what this step was given."""

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m
from tests.frontend.batching.looped import of_arrays

RNG = np.random.default_rng(5)
X0, XS = RNG.uniform(0.1, 0.9, 3), RNG.normal(size=(4, 3))
OUTSIDE = RNG.normal(size=3)


def bent(c):
    return m.tanh(c * c[::-1]) + c[0]


STEPS = {
    "grad": lambda c, x: pa.grad(lambda c: m.sum(bent(c) * x))(c),
    "jvp": lambda c, x: pa.jvp(bent, (c,), (x,))[1],
    "jvp along what is outside": lambda c, x: pa.jvp(bent, (c,), (OUTSIDE,))[1] * x,
    "jvp by what is outside": lambda c, x: pa.jvp(bent, (OUTSIDE,), (c,))[1] * x,
    "vjp": lambda c, x: pa.vjp(bent, c)[1](x)[0],
    "vjp of what is outside": lambda c, x: pa.vjp(bent, c)[1](OUTSIDE)[0] + x,
    "jacfwd": lambda c, x: pa.jacfwd(bent)(c) @ x,
    "jacrev": lambda c, x: pa.jacrev(bent)(c) @ x,
    "jacfwd of a matrix": lambda c, x: m.einsum("ijk,k,j->i", pa.jacfwd(lambda c: bent(c)[:, None] * x)(c), x, c),
    "jacrev of a matrix": lambda c, x: m.einsum("ijk,k,j->i", pa.jacrev(lambda c: bent(c)[:, None] * x)(c), x, c),
    "jacfwd by a matrix": lambda c, x: m.einsum("ijk,k->j", pa.jacfwd(lambda a: m.tanh(a @ x))(c[:, None] * x), x),
    "jacrev by a matrix": lambda c, x: m.einsum("ijk,k->j", pa.jacrev(lambda a: m.tanh(a @ x))(c[:, None] * x), x),
    "jacrev of what is the same": lambda c, x: pa.jacrev(lambda c: m.ones(2))(c)[0] + c * x,
    "hessian": lambda c, x: pa.hessian(lambda c: m.sum(bent(c) * x))(c) @ x,
    "a batch of cotangents": lambda c, x: pa.vmap(lambda e: pa.vjp(bent, c)[1](e)[0])(np.eye(3)) @ x,
    "gradients of a batch": lambda c, x: pa.vmap(pa.grad(lambda c: bent(c * x)[0]))(c * np.ones((3, 3)))[1],
}


@pytest.mark.parametrize("checkpoint", [None, pa.checkpoint.every(3)], ids=["plain", "checkpointed"])
@pytest.mark.parametrize("case", STEPS)
def test_in_the_body_of_a_scan(case, checkpoint):
    step = STEPS[case]

    def scanned(x0, xs):
        return pa.scan(lambda c, x: (m.tanh(step(c, x)), None), x0, xs, checkpoint=checkpoint)[0]

    def unrolled(x0, xs):
        for t in range(4):
            x0 = m.tanh(step(x0, xs[t]))
        return x0

    np.testing.assert_allclose(of_arrays(scanned)(X0, XS), of_arrays(unrolled)(X0, XS), rtol=1e-9)
    f, g = (pa.grad(lambda a, b, f=f: m.sum(f(a, b) * np.arange(1.0, 4.0)), (0, 1)) for f in (scanned, unrolled))
    for found, wanted in zip(of_arrays(f)(X0, XS), of_arrays(g)(X0, XS), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-12)


def test_extended_kalman_filters():
    """A batch of filters that are linearised in each step, and the gradients of their likelihoods."""

    def moved(x):
        return m.stack([x[0] + 0.1 * x[1], x[1] - 0.1 * pa.sin(x[0])])

    def filtered(x0, ys):
        def step(state, y):
            x, p = state
            a = pa.jacfwd(moved)(x)
            x, p = moved(x), a @ p @ a.T + 0.01 * m.eye(2)
            s, error = p[0, 0] + 0.1, y - x[0]
            gain = p[:, 0] / s
            return (x + gain * error, p - gain[:, None] * p[0]), pa.log(s) + error**2 / s

        return m.sum(pa.scan(step, (x0, m.eye(2)), ys)[1])

    def by_hand(x0, ys):
        def step(state, y):
            x, p = state
            a = m.stack([m.stack([1.0, 0.1]), m.stack([-0.1 * pa.cos(x[0]), 1.0])])
            x, p = moved(x), a @ p @ a.T + 0.01 * m.eye(2)
            s, error = p[0, 0] + 0.1, y - x[0]
            gain = p[:, 0] / s
            return (x + gain * error, p - gain[:, None] * p[0]), pa.log(s) + error**2 / s

        return m.sum(pa.scan(step, (x0, m.eye(2)), ys)[1])

    x0, ys = RNG.normal(size=(5, 2)), RNG.normal(size=(5, 7))
    values, gradients = pa.vmap(pa.value_and_grad(filtered, (0, 1)))(x0, ys)
    one = of_arrays(pa.value_and_grad(by_hand, (0, 1)))
    for b in range(5):
        value, gradient = one(x0[b], ys[b])
        np.testing.assert_allclose(values[b], value, rtol=1e-10)
        for found, wanted in zip(gradients, gradient, strict=True):
            np.testing.assert_allclose(found[b], wanted, rtol=1e-8)
