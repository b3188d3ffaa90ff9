"""`vmap` among the other transformations, in any order, against a loop over the examples."""

from functools import partial

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m
from tests.frontend.batching.looped import assert_as_looped, of_arrays

RNG = np.random.default_rng(0)
W = RNG.normal(size=(3, 3)) / 2
U = RNG.normal(size=(3, 3)) / 2
XS = RNG.normal(size=(5, 6, 3))
X = RNG.normal(size=(5, 3))
Y = RNG.normal(size=(5, 3))


def loss(w, x, y):
    return m.sum((m.tanh(x @ w) - y) ** 2)


def network(w, x):
    return m.tanh(m.tanh(x @ w) @ w.T)


def rnn(w, h0, xs, checkpoint=None, reverse=False):
    """The states and the last one of tanh(x + h w)."""

    def step(h, x):
        h = m.tanh(x + h @ w)
        return h, 2.0 * h

    return pa.scan(step, h0, xs, checkpoint=checkpoint, reverse=reverse)


def rnn_loss(w, h0, xs, checkpoint=None):
    h, ys = rnn(w, h0, xs, checkpoint)
    return m.sum(ys**2) + m.sum(h)


def table(x, n=4):
    """Sums of products along the paths through a grid: t[i, j] = x[i] t[i-1, j] + x[j] t[i, j-1]."""
    return pa.recurrence(
        (3, 3),
        lambda t, i, j: pa.select(
            i == 0,
            x[j],
            pa.select(
                i > 0, pa.select(j == 0, x[i], pa.select(j > 0, m.tanh(x[i] * t[i - 1, j] + t[i, j - 1]), 0.0)), 0.0
            ),
        ),
    )


@pa.custom_vjp
def scaled(x, w):
    """x * w, with twice its derivative."""
    return x * w


scaled.defvjp(lambda x, w: (scaled(x, w), (x, w)), lambda kept, g: (2.0 * g * kept[1], 2.0 * g * kept[0]))


@pa.custom_vjp
def straight(x):
    """Steps, with the derivative of x and what the cotangent is multiplied by."""
    return m.round(x)


straight.defvjp(lambda x: (straight(x), m.sum(x)), lambda total, g: (g * total,))


@pa.custom_vjp
def silent(x):
    """Ones, with a derivative that depends on x."""
    return m.ones(3)


silent.defvjp(lambda x: (silent(x), x), lambda x, g: (g * x,))

INSIDE = {
    "grad": (pa.grad(loss), (W, X, Y), (None, 0, 0)),
    "grad of the batched argument": (pa.grad(loss, 1), (W, X, Y), (None, 0, 0)),
    "grad of both": (pa.grad(loss, (0, 1)), (W, X, Y), (None, 0, 0)),
    "value_and_grad": (pa.value_and_grad(loss, (0, 2)), (W, X, Y), (None, 0, 0)),
    "jvp": (lambda w, x, d: pa.jvp(lambda x: network(w, x), (x,), (d,)), (W, X, Y), (None, 0, 0)),
    "vjp": (lambda w, x, d: pa.vjp(network, w, x)[1](d), (W, X, Y), (None, 0, 0)),
    "jacfwd": (pa.jacfwd(network, 1), (W, X), (None, 0)),
    "jacrev": (pa.jacrev(network, (0, 1)), (W, X), (None, 0)),
    "hessian": (pa.hessian(loss, 1), (W, X, Y), (None, 0, 0)),
    "jit": (pa.jit(network), (W, X), (None, 0)),
    "grad of grad": (pa.grad(lambda w, x, y: m.sum(pa.grad(loss)(w, x, y) ** 2)), (W, X, Y), (None, 0, 0)),
    "stop_gradient": (pa.grad(lambda x: m.sum(x * pa.stop_gradient(m.tanh(x)))), (X,), 0),
    "scan": (partial(rnn, W), (X, XS), 0),
    "scan, init the same": (rnn, (W, X[0], XS), (None, None, 0)),
    "scan, xs the same": (rnn, (W, X, XS[0]), (None, 0, None)),
    "scan, weights batched": (rnn, (RNG.normal(size=(5, 3, 3)), X[0], XS[0]), (0, None, None)),
    "scan backwards": (partial(rnn, reverse=True), (W, X, XS), (None, 0, 0)),
    "checkpointed scan": (partial(rnn, checkpoint=pa.checkpoint.every(4)), (W, X, XS), (None, 0, 0)),
    "grad of scan": (pa.grad(rnn_loss, (0, 1, 2)), (W, X, XS), (None, 0, 0)),
    "grad of checkpointed scan": (
        pa.grad(partial(rnn_loss, checkpoint=pa.checkpoint.every(4)), (0, 1, 2)),
        (W, X, XS),
        (None, 0, 0),
    ),
    "recurrence": (table, (X,), 0),
    "grad of recurrence": (pa.grad(lambda x: m.sum(table(x) ** 2)), (X,), 0),
    "custom_vjp": (pa.grad(lambda x, w: m.sum(scaled(x, w) ** 2), (0, 1)), (X, W[0]), (0, None)),
    "custom_vjp of steps": (pa.grad(lambda x: m.sum(straight(3.0 * x) ** 2)), (X,), 0),
}


@pytest.mark.parametrize("case", INSIDE)
def test_inside_of_vmap(case):
    fun, args, in_axes = INSIDE[case]
    assert_as_looped(fun, *args, in_axes=in_axes)


def batched(fun, in_axes=0):
    """A number of a batch: each example counts differently."""

    def total(*args):
        found = pa.vmap(fun, in_axes)(*args)
        return m.sum(found * np.arange(1.0, 6.0).reshape((5,) + (1,) * (found.ndim - 1)))

    def one_by_one(*args):
        axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
        parts = []
        for b in range(5):
            one = fun(*(x if a is None else x[(slice(None),) * a + (b,)] for x, a in zip(args, axes, strict=True)))
            parts.append((b + 1.0) * m.sum(one))
        return sum(parts[1:], parts[0])

    return total, one_by_one


AROUND = {
    "network": (network, (W, X), (None, 0)),
    "scan": (lambda w, h0, xs: rnn(w, h0, xs)[1], (W, X, XS), (None, 0, 0)),
    "checkpointed scan": (
        lambda w, h0, xs: rnn(w, h0, xs, pa.checkpoint.every(4))[1],
        (W, X, XS),
        (None, 0, 0),
    ),
    "recurrence": (table, (X,), 0),
    "custom_vjp": (scaled, (X, W[0]), (0, None)),
    "custom_vjp of a closed-over example": (lambda x, w: scaled(w, w) * x + scaled(w, x), (X, W[0]), (0, None)),
    "custom_vjp of steps": (lambda x: straight(3.0 * x) ** 2, (X,), 0),
    "custom_vjp whose value is the same for all": (silent, (X,), 0),
    "custom_vjp twice batched": (
        lambda x, w: pa.vmap(lambda v: scaled(v, w[0]) * scaled(w[1], v))(x),
        (X, W[0]),
        (0, None),
    ),
    "custom_vjp in a scan": (
        lambda w, xs: pa.scan(lambda h, x: (scaled(h, w) + x, h), m.zeros(3), xs)[1],
        (W[0], XS),
        (None, 0),
    ),
    "custom_vjp in a checkpointed scan": (
        lambda w, xs: pa.scan(lambda h, x: (scaled(h, w) + x, h), m.zeros(3), xs, checkpoint=pa.checkpoint.every(4))[0],
        (W[0], XS),
        (None, 0),
    ),
    "grad": (pa.grad(loss), (W, X, Y), (None, 0, 0)),
    "hessian": (pa.hessian(loss, 1), (W, X, Y), (None, 0, 0)),
    "table": (lambda t, x: t[m.argmax(x)] * x, (W, X), (None, 0)),
    "prefix": (lambda x: m.cumsum(x) * m.cumprod(x), (X,), 0),
}


@pytest.mark.parametrize("case", AROUND)
def test_inside_of_derivatives(case):
    fun, args, in_axes = AROUND[case]
    total, one_by_one = batched(fun, in_axes)
    numbers = tuple(range(len(args)))
    for found, wanted in zip(
        of_arrays(pa.grad(total, numbers))(*args), of_arrays(pa.grad(one_by_one, numbers))(*args), strict=True
    ):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("case", [c for c in AROUND if "custom" not in c])
def test_inside_of_forward_mode(case):
    fun, args, in_axes = AROUND[case]
    total, one_by_one = batched(fun, in_axes)
    dots = tuple(np.cos(np.arange(a.size)).reshape(a.shape) for a in args)
    found, wanted = (of_arrays(lambda *a, f=f: pa.jvp(f, a, dots))(*args) for f in (total, one_by_one))
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


@pytest.mark.parametrize("in_axes", [(0, 0), (0, None), (None, 0), (1, 0), (-1, 1)])
def test_of_itself(in_axes):
    inner = pa.vmap(lambda x, y: m.tanh(x * y) + m.sum(x), in_axes=(0, None))
    assert_as_looped(inner, RNG.normal(size=(5, 5, 5)), RNG.normal(size=(5, 5, 5)), in_axes=in_axes, out_axes=-1)


def test_every_pair():
    distances = pa.vmap(pa.vmap(lambda x, y: m.sum((x - y) ** 2), (None, 0)), (0, None))
    np.testing.assert_allclose(distances(X, Y[:4]), ((X[:, None] - Y[:4]) ** 2).sum(-1))
    per_example = pa.vmap(pa.vmap(pa.grad(loss), (None, 0, 0)), (0, None, None))
    ws = np.stack([W, U])
    found = per_example(ws, X, Y)
    for n, w in enumerate(ws):
        np.testing.assert_allclose(found[n], [pa.grad(loss)(w, x, y) for x, y in zip(X, Y, strict=True)])


@pytest.mark.parametrize("checkpoint", [None, pa.checkpoint.every(2)])
def test_in_the_body_of_a_scan(checkpoint):
    """The carry, the inputs and what is closed over may have the examples, in any step."""

    def cell(h, x, w):
        return m.tanh(h @ w + x), m.sum(h * x)

    def with_vmap(w, h0, xs):
        return pa.scan(lambda h, x: pa.vmap(cell, (0, 0, None))(h, x, w), h0, xs, checkpoint=checkpoint)

    def by_hand(w, h0, xs):
        return pa.scan(lambda h, x: (m.tanh(h @ w + x), m.sum(h * x, axis=1)), h0, xs, checkpoint=checkpoint)

    args = W, X, XS.swapaxes(0, 1)
    for found, wanted in zip(of_arrays(with_vmap)(*args), of_arrays(by_hand)(*args), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    f, g = (pa.grad(lambda *a, f=f: m.sum(f(*a)[1] ** 2) + m.sum(f(*a)[0]), (0, 1, 2)) for f in (with_vmap, by_hand))
    for found, wanted in zip(of_arrays(f)(*args), of_arrays(g)(*args), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9)


def test_in_the_body_of_a_scan_inside_of_vmap():
    """Batches of batches: vmap(scan(vmap(scan)))."""

    def inner(h, xs):
        return pa.scan(lambda s, x: (m.tanh(s + x), s), h, xs)[0]

    def outer(h0, xs):  # h0: 2, xs: T x 2 x 3
        return pa.scan(lambda h, x: (pa.vmap(inner)(h, x), h), h0, xs)

    assert_as_looped(outer, RNG.normal(size=(5, 2)), RNG.normal(size=(5, 4, 2, 3)))
    assert_as_looped(
        pa.grad(lambda h, x: m.sum(outer(h, x)[1]), (0, 1)), RNG.normal(size=(5, 2)), RNG.normal(size=(5, 4, 2, 3))
    )


def test_derivatives_in_the_body_of_a_scan_of_vmap():
    """Gradient descent on every example, step by step; and its derivative by the rate."""

    def descend(rate, x0, y):
        return pa.scan(lambda w, _: (w - rate * pa.grad(lambda w: m.sum((m.tanh(w) - y) ** 2))(w), None), x0, length=4)[
            0
        ]

    assert_as_looped(descend, 0.3, X, Y, in_axes=(None, 0, 0))
    assert_as_looped(pa.grad(lambda *a: m.sum(descend(*a))), 0.3, X, Y, in_axes=(None, 0, 0))

    def all_at_once(rate, x0, y):
        def step(w, _):
            return w - rate * pa.vmap(pa.grad(lambda w, y: m.sum((m.tanh(w) - y) ** 2)))(w, y), None

        return pa.scan(step, x0, length=4)[0]

    np.testing.assert_allclose(pa.jit(all_at_once)(0.3, X, Y), pa.vmap(descend, (None, 0, 0))(0.3, X, Y), rtol=1e-12)


@pytest.mark.torch
def test_as_in_pytorch():
    import torch

    def theirs(w, x, y):
        return ((x @ w).tanh() - y).square().sum()

    found = pa.vmap(pa.grad(loss, (0, 1)), (None, 0, 0))(W, X, Y)
    wanted = torch.func.vmap(torch.func.grad(theirs, (0, 1)), (None, 0, 0))(*map(torch.tensor, (W, X, Y)))
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b.numpy(), rtol=1e-12)
    second = pa.vmap(pa.hessian(loss, 1), (None, 1, 0), 2)(W, X.T, Y)
    other = torch.func.vmap(torch.func.hessian(theirs, 1), (None, 1, 0), 2)(*map(torch.tensor, (W, X.T, Y)))
    np.testing.assert_allclose(second, other.numpy(), rtol=1e-10)


def test_rules_of_forward_mode():
    """`custom_jvp` in a batch, with an argument that is the same for all."""

    @pa.custom_jvp
    def bent(x, w):
        return x * w

    bent.defjvp(lambda primals, dots: (bent(*primals), 3.0 * dots[0] * primals[1] + m.sum(dots[1]) * primals[0]))
    total, one_by_one = batched(lambda x, w: bent(x, w) ** 2, (0, None))
    args, dots = (X, W[0]), (Y, W[1])
    found, wanted = (of_arrays(lambda *a, f=f: pa.jvp(f, a, dots))(*args) for f in (total, one_by_one))
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
    assert_as_looped(lambda x, w: pa.jvp(bent, (x, w), (w, x))[1], X, W[0], in_axes=(0, None))
