"""Branches on the counter of a loop: instances, reads that are in order where the branch is taken, and all that may
stand in one."""

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m

X = np.arange(1.0, 8.0) / 10
W = np.random.default_rng(0).standard_normal((4, 4)) / 2


def test_a_branch_reads_what_is_there_where_it_is_taken():
    """At i = 0 there is no x[i - 1]; the gradient has no scatter, no check and no selection."""

    def f(x):
        return pa.fori_loop(0, 7, lambda i, s: s * 0.5 + pa.cond(i > 0, lambda: pa.sin(x[i - 1]), lambda: 3.0), 0.0)

    expected = 0.0
    for i in range(7):
        expected = expected * 0.5 + (np.sin(X[i - 1]) if i else 3.0)
    np.testing.assert_allclose(pa.jit(f)(X), expected)
    pa.check_grads(f, (X,), order=2)
    with pytest.raises(pa.BoundsError):
        pa.jit(lambda x: pa.fori_loop(0, 7, lambda i, s: s + pa.cond(i > -1, lambda: x[i - 1], lambda: 0.0), 0.0))(X)


def test_products_of_matrices_are_computed_in_the_steps_that_take_them():
    def f(w, h):
        def body(i, h):
            return pa.switch(i - 2, [lambda: pa.tanh(w @ h), lambda: h * 2 + w[0], lambda: w.T @ pa.sin(h)])

        return pa.fori_loop(0, 6, body, h)

    h = expected = np.arange(4.0)
    for i in range(6):
        w, e = W, expected
        expected = np.tanh(w @ e) if i < 3 else e * 2 + w[0] if i == 3 else w.T @ np.sin(e)
    run = pa.jit(f)
    np.testing.assert_allclose(run(W, h), expected)
    counts = run.kernel.instances()
    assert sorted(n for s, n in counts.items() if "matmul" in s and "init" not in s) == [2 * 16, 3 * 16]
    pa.check_grads(f, (W, h))


def test_conditions_on_several_counters_around_scans():
    def f(x):
        def inner(i, j, s):
            return pa.cond(
                (i + j < 4) & (j != 1),
                lambda s: s + x[i + j] * s,
                lambda s: pa.scan(lambda c, v: (c * 0.9 + v * 0.1, None), s, x)[0],
                s,
            )

        return pa.fori_loop(0, 3, lambda i, s: pa.fori_loop(0, 3, lambda j, s: inner(i, j, s), s), 1.0)

    s = 1.0
    for i in range(3):
        for j in range(3):
            if i + j < 4 and j != 1:
                s = s + X[i + j] * s
            else:
                for v in X:
                    s = s * 0.9 + v * 0.1
    np.testing.assert_allclose(pa.jit(f)(X), s)
    pa.check_grads(f, (X,))


def test_symbolic_sizes():
    n = pa.sizes("N")
    y = pa.placeholder((n,), "y", "float64")
    total = pa.fori_loop(0, n, lambda i, s: pa.cond(i < n - 1, lambda s: s + y[i] * y[i + 1], lambda s: s * 2, s), 0.0)
    value, slope = pa.compile([total, *pa.grad(total, [y])], [y])(np.arange(1.0, 5.0))
    assert value == 2 * (2 + 6 + 12)
    np.testing.assert_array_equal(slope, [4, 8, 12, 6])


def _tripled():
    f = pa.custom_jvp(pa.sin)
    f.defjvps(lambda dot, out, v: pa.cos(v) * dot)
    return f


TAKEN = {
    "a gradient": lambda s, v, x: pa.grad(lambda a: a * pa.sin(a) * v)(s),
    "a rule of the user's": lambda s, v, x: _tripled()(s) + v,
    "a loop by data": lambda s, v, x: pa.while_loop(lambda a: a > 0.5, lambda a: a * v, s, max_steps=5),
    "a recurrence": lambda s, v, x: (
        s + pa.recurrence(4, lambda r, j: pa.select(j == 0, v, pa.select(j > 0, r[j - 1], 0.0) * s))[3]
    ),
    "reductions and positions": lambda s, v, x: s + m.max(x * v) + m.prod(x + s) + x[m.argmax(x * v)],
    "an update": lambda s, v, x: (x.at[2:4].add(s).at[0].set(v) * v).sum(),
    "a checkpointed scan": lambda s, v, x: pa.scan(
        lambda c, a: (c * v + a, None), s, x, checkpoint=pa.checkpoint.every(3)
    )[0],
}


@pytest.mark.parametrize("kind", TAKEN)
def test_anything_may_stand_in_a_branch(kind):
    taken = TAKEN[kind]

    def f(x):
        return pa.fori_loop(
            0, 5, lambda i, s: pa.cond(i > 1, lambda s: taken(s, x[i - 2], x), lambda s: s + 0.1, s), 0.4
        )

    def by_selection(x):
        def step(s, i):
            return m.where(i > 1, taken(s, x[m.maximum(i - 2, 0)], x), s + 0.1), None

        return pa.scan(step, 0.4, np.arange(5))[0]

    np.testing.assert_allclose(pa.jit(f)(X), pa.jit(by_selection)(X), rtol=1e-13)
    pa.check_grads(f, (X,))
