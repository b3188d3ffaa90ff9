"""Windows at places of data: JAX's clamping, values and derivatives."""

import numpy as np
import pytest

import polyad as pa
from polyad.ir.expr import Indirect

X = np.sin(np.arange(20.0)).reshape(4, 5)


def first(start, extent, size):
    """The start that JAX takes."""
    return min(max(start + extent if start < 0 else start, 0), extent - size)


@pytest.mark.parametrize("start", [-20, -2, 0, 1, 3, 9])
def test_starts_are_brought_inside(start):
    a, b = first(start, 4, 2), first(start, 5, 3)
    read = pa.jit(lambda x, i: pa.dynamic_slice(x, (i, i), (2, 3)))
    np.testing.assert_array_equal(read(X, start), X[a : a + 2, b : b + 3])
    np.testing.assert_array_equal(read(X, np.int32(start)), X[a : a + 2, b : b + 3])
    known = pa.jit(lambda x: pa.numpy.dynamic_slice(x, (start, start), (2, 3)))
    np.testing.assert_array_equal(known(X), X[a : a + 2, b : b + 3])
    expected = X.copy()
    expected[a : a + 2, b : b + 3] = 7.0
    write = pa.jit(lambda x, u, i: pa.dynamic_update_slice(x, u, i))
    np.testing.assert_array_equal(write(X, np.full((2, 3), 7.0), np.array([start, start])), expected)


def test_derivatives():
    ids = np.array([2, -3])
    pa.check_grads(lambda x: pa.dynamic_slice(x, pa.numpy.asarray(ids), (2, 3)), (X,))
    pa.check_grads(lambda x, u: pa.dynamic_update_slice(x, u, pa.numpy.asarray(ids)), (X, X[:2, :3] ** 2))


def test_a_ring_in_a_scan():
    """The last two values, in a buffer at a place of data."""

    def step(carry, x):
        n, ring = carry
        ring = pa.dynamic_update_slice(ring, x[None], (n % 2,))
        return (n + 1, ring), ring.sum()

    f = pa.jit(lambda x: pa.scan(step, (0, pa.numpy.zeros(2)), x)[1])
    x = np.array([1.0, 2.0, 4.0, 8.0])
    np.testing.assert_array_equal(f(x), [1, 3, 6, 12])
    pa.check_grads(lambda x: pa.scan(step, (0, pa.numpy.zeros(2)), x)[1], (x,))


def blocks(x):
    """Blocks of two rows, each added to the next one, as blocked algorithms have it."""

    def body(i, y):
        block = pa.dynamic_slice(y, (2 * i, 0), (2, 3))
        return pa.dynamic_update_slice(y, pa.dynamic_slice(y, (2 * i + 2, 0), (2, 3)) + block**2, (2 * i + 2, 0))

    return pa.fori_loop(0, 3, body, x)


def test_starts_that_count_are_affine_where_they_are_inside():
    x = np.sin(np.arange(24.0)).reshape(8, 3)
    expected = x.copy()
    for i in range(3):
        expected[2 * i + 2 : 2 * i + 4] += expected[2 * i : 2 * i + 2] ** 2
    np.testing.assert_allclose(pa.jit(blocks)(x), expected, rtol=1e-14)
    pa.check_grads(blocks, (x,))
    gradient = pa.jit(pa.grad(lambda x: blocks(x).sum()))
    gradient(x)
    statements = gradient.kernel.program.statements
    assert not any(isinstance(a, Indirect) for s in statements for a in (s.write, *(r.access for r in s.reads())))
    clamped = pa.jit(lambda x: pa.fori_loop(0, 4, lambda i, s: s + pa.dynamic_slice(x, (i,), (3,)).sum(), 0.0))
    v = np.array([1.0, 10.0, 100.0, 1000.0, 10000.0])
    assert clamped(v) == 111 + 1110 + 11100 + 11100


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda x: pa.dynamic_slice(x, (0,), (2, 3)), pa.ShapeError, "the window 2, and there are 1 starts"),
        (lambda x: pa.dynamic_slice(x, (0, 0), (5, 3)), pa.ShapeError, r"window of shape \(5, 3\) does not fit into x"),
        (lambda x: pa.dynamic_slice(x, (0.5, 0), (2, 3)), pa.DTypeError, "a start must be an integer"),
        (lambda x: pa.dynamic_slice(x, (x[0, 0], 0), (2, 3)), pa.DTypeError, "a start is one integer"),
        (
            lambda x: pa.dynamic_update_slice(x, pa.numpy.ones((1, 1), dtype="float32"), (0, 0)),
            pa.DTypeError,
            "the update is float32, the tensor float64",
        ),
    ],
)
def test_errors(use, error, message):
    with pytest.raises(error, match=message):
        pa.jit(use)(X)
