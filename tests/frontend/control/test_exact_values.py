"""Expressions of a counter: reads and conditions are those of the loop, whatever the expression."""

import numpy as np
import pytest

import polyad as pa
from polyad.ir.expr import Indirect

STEPS, EXTENT = 9, 7
X = np.sin(np.arange(1.0, EXTENT + 1))


def drawn(seed):
    """(a, b, c, m): the index (a i + b) // c % EXTENT, and the condition m <= i + b."""
    rng = np.random.default_rng(seed)
    return int(rng.integers(-3, 4)), int(rng.integers(-5, 6)), int(rng.integers(1, 4)), int(rng.integers(-3, 10))


@pytest.mark.parametrize("seed", range(12))
def test_random_expressions(seed):
    a, b, c, m = drawn(seed)

    def index(i):
        return (i * a + b) // c % EXTENT

    def f(x):
        def body(i, s):
            inside = (i + b >= m) & ~(i == 4) | (i < 1)
            return s * 0.5 + pa.select(inside, x[index(i)], 2.0 * x[index(i + 1)])

        return pa.fori_loop(0, STEPS, body, 0.0)

    value, slope = 0.0, np.zeros(EXTENT)
    for i in range(STEPS):
        inside = (i + b >= m and i != 4) or i < 1
        at, factor = (index(i), 1.0) if inside else (index(i + 1), 2.0)
        value, slope = value * 0.5 + factor * X[at], slope * 0.5
        slope[at] += factor
    run = pa.jit(pa.value_and_grad(f))
    found, gradient = run(X)
    np.testing.assert_allclose(found, value, rtol=1e-14)
    np.testing.assert_allclose(gradient, slope, rtol=1e-14)
    assert not any(isinstance(r.access, Indirect) for s in run.kernel.program.statements for r in s.reads())


def test_values_and_types_of_what_is_made_of_a_counter():
    def f(x):
        def body(i, s):
            return s + x[i % 2] * i + (i * i) + (i < 2) + pa.cast(i, "float64") / 2

        return pa.fori_loop(0, 4, body, 0.0)

    expected = sum(X[i % 2] * i + i * i + (i < 2) + i / 2 for i in range(4))
    np.testing.assert_allclose(pa.jit(f)(X), expected)


def test_beside_data_and_whole_tensors():
    """A mask over a row that moves with the counter, and an index that is no function of it alone."""
    ids = np.array([2, 0, 1])
    table = np.arange(9.0).reshape(3, 3) + 1

    def f(t, ids):
        def body(i, s):
            row = pa.select(pa.numpy.arange(3) <= i, t[i], 0.0)
            return s + (row * t[ids[i] * 0 + i, ids[i]]).sum()

        return pa.fori_loop(0, 3, body, 0.0)

    expected = sum((np.where(np.arange(3) <= i, table[i], 0) * table[i, ids[i]]).sum() for i in range(3))
    np.testing.assert_allclose(pa.jit(f)(table, ids), expected)
    pa.check_grads(lambda t: f(t, pa.numpy.asarray(ids)), (table,))


@pytest.mark.parametrize("checkpoint", [None, pa.checkpoint.every(3)])
@pytest.mark.parametrize("reverse", [False, True])
def test_a_scan_over_arange_counts(reverse, checkpoint):
    def f(x):
        def step(c, i):
            return c * 0.5 + pa.cond(i > 1, lambda: pa.sin(x[i - 2]), lambda: x[0] * i), (i, c)

        return pa.scan(step, 0.0, pa.numpy.arange(1, 8), reverse=reverse, checkpoint=checkpoint)

    value, order = 0.0, range(1, 8)[::-1] if reverse else range(1, 8)
    for i in order:
        value = value * 0.5 + (np.sin(X[i - 2]) if i > 1 else X[0] * i)
    last, (counted, _) = pa.jit(f)(X)
    np.testing.assert_allclose(last, value, rtol=1e-14)
    np.testing.assert_array_equal(counted, np.arange(1, 8))
    pa.check_grads(lambda x: f(x)[0], (X,))
    gradient = pa.jit(pa.grad(lambda x: f(x)[0]))
    gradient(X)
    statements = gradient.kernel.program.statements
    assert not any(isinstance(a, Indirect) for s in statements for a in (s.write, *(r.access for r in s.reads())))
