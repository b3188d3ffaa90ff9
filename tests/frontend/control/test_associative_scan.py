"""`associative_scan`: the loop it stands for, along any axis, forwards and backwards."""

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m

A = np.linspace(0.5, 1.5, 24).reshape(2, 4, 3)
B = np.sin(np.arange(24.0)).reshape(2, 4, 3)


def affine(left, right):
    """Composition of x -> a x + b."""
    return left[0] * right[0], right[0] * left[1] + right[1]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_composition_of_affine_maps(axis, reverse):
    found = pa.jit(lambda a, b: pa.associative_scan(affine, (a, b), reverse=reverse, axis=axis))(A, B)
    a, b = (np.moveaxis(x, axis, 0).copy() for x in (A, B))
    order = range(len(a) - 2, -1, -1) if reverse else range(1, len(a))
    for t in order:
        before = t + 1 if reverse else t - 1
        b[t] = a[t] * b[before] + b[t]
        a[t] = a[before] * a[t]
    np.testing.assert_allclose(found[0], np.moveaxis(a, 0, axis), rtol=1e-14)
    np.testing.assert_allclose(found[1], np.moveaxis(b, 0, axis), rtol=1e-14, atol=1e-15)


def test_derivatives():
    pa.check_grads(lambda a, b: pa.associative_scan(affine, (a, b), axis=1), (A, B))
    pa.check_grads(lambda a: pa.associative_scan(lambda x, y: x * y, a, reverse=True), (A[0],), order=2)


def test_the_axis_is_there_as_in_jax():
    """Products of matrices, with the axis spelled in an einsum, as JAX's examples have it."""
    given = np.random.default_rng(0).standard_normal((5, 2, 2))
    spelled = pa.jit(lambda x: pa.associative_scan(lambda p, q: m.einsum("tij,tjk->tik", p, q), x))(given)
    plain = pa.jit(lambda x: pa.associative_scan(m.matmul, x))(given)
    expected = [given[0]]
    for t in range(1, 5):
        expected.append(expected[-1] @ given[t])
    np.testing.assert_allclose(spelled, expected, rtol=1e-12)
    np.testing.assert_allclose(plain, expected, rtol=1e-12)


def test_nothing_is_copied():
    """The states of the loop are the result; a running sum is a prefix scan."""
    run = pa.jit(lambda x: pa.associative_scan(lambda a, b: a + b, x))
    x = np.arange(1.0, 5001.0)
    np.testing.assert_allclose(run(x), np.cumsum(x))
    assert sum(run.kernel.instances().values()) == len(x)
    assert run.kernel.memory_plan().total_bytes == 0


@pytest.mark.parametrize("length", [0, 1, 2])
def test_short_ones(length):
    x = np.arange(float(length)) + 2
    np.testing.assert_array_equal(pa.jit(lambda x: pa.associative_scan(pa.maximum, x))(x), np.maximum.accumulate(x))


def test_symbolic_length_and_any_function():
    n = pa.sizes("N")
    x = pa.placeholder((n,), "x", "float64")
    kernel = pa.compile(pa.associative_scan(lambda a, b: b - a, x), [x])  # not associative: the loop is meant
    np.testing.assert_array_equal(kernel(np.array([1.0, 2.0, 5.0])), [1, 1, 4])
    np.testing.assert_array_equal(kernel(np.array([1.0])), [1])


def test_errors_name_the_leaf():
    with pytest.raises(pa.ShapeError, match=r"elems\[1\] has extent 2 along axis 0, elems\[0\] has 3"):
        pa.associative_scan(affine, (np.ones(3), np.ones(2)))
    with pytest.raises(pa.ShapeError, match=r"elems .* has 1 dimensions and no axis 1"):
        pa.associative_scan(pa.maximum, np.ones(3), axis=1)
    with pytest.raises(pa.ShapeError, match=r"fn makes elems of shape \(1, 2\) one of shape \(1,\)"):
        pa.associative_scan(lambda a, b: a.sum(1), np.ones((3, 2)))
    with pytest.raises(pa.DefinitionError, match="another structure"):
        pa.associative_scan(lambda a, b: (a, b), np.ones(3))
    with pytest.raises(pa.DefinitionError, match="no leaves"):
        pa.associative_scan(pa.maximum, ())
