"""compute, placeholder, reductions, select: meaning and errors."""

import numpy as np
import pytest

import polyad as pa
from tests.frontend.run import value_of

RNG = np.random.default_rng(0)


def test_sizes_are_named_and_ordered():
    T, B = pa.sizes("T B")
    assert (str(T), str(B)) == ("T", "B")
    assert str(pa.sizes("N")) == "N"


@pytest.mark.parametrize("bad", ["1x", "exists", "for", "a b a", "", "é"])
def test_sizes_refuse_bad_names(bad):
    with pytest.raises(pa.DefinitionError):
        pa.sizes(bad)


def test_element_wise_body():
    T, B = pa.sizes("T B")
    x = pa.placeholder((T, B), "x", "float64")
    y = pa.compute((T, B), lambda t, b: pa.exp(x[t, b]) * 2 + t, name="y")
    a = RNG.standard_normal((3, 2))
    np.testing.assert_allclose(value_of(y, x=a), np.exp(a) * 2 + np.arange(3)[:, None])


def test_reduction_over_one_axis_and_several():
    N, K = pa.sizes("N K")
    x = pa.placeholder((N, K), "x", "float64")
    k, n = pa.reduce_axis(K, "k"), pa.reduce_axis(N, "n")
    rows = pa.compute(N, lambda i: pa.sum(x[i, k] ** 2, axis=k))
    total = pa.compute((), lambda: pa.sum(x[n, k], axis=(n, k)))
    a = RNG.standard_normal((3, 4))
    r, t = value_of([rows, total], x=a)
    np.testing.assert_allclose(r, (a**2).sum(1))
    np.testing.assert_allclose(t, a.sum())


def test_nested_reductions_inside_an_expression():
    N, K = pa.sizes("N K")
    x = pa.placeholder((N, K), "x", "float64")
    k, m = pa.reduce_axis(K, "k"), pa.reduce_axis(K, "m")
    y = pa.compute(
        (N, K),
        lambda i, j: (
            pa.exp(x[i, j] - pa.max(x[i, k], axis=k)) / pa.sum(pa.exp(x[i, m] - pa.max(x[i, k], axis=k)), axis=m)
        ),
    )
    a = RNG.standard_normal((3, 4))
    e = np.exp(a - a.max(1, keepdims=True))
    np.testing.assert_allclose(value_of(y, x=a), e / e.sum(1, keepdims=True))


def test_triangular_bounds():
    N = pa.sizes("N")
    x = pa.placeholder((N, N), "x", "float64")
    v = pa.placeholder((N,), "v", "float64")
    y = pa.compute(N, lambda i: tri(x, v, i))
    a, b = RNG.standard_normal((4, 4)), RNG.standard_normal(4)
    np.testing.assert_allclose(value_of(y, x=a, v=b), np.tril(a) @ b)


def tri(x, v, i):
    k = pa.reduce_axis((0, i + 1), "k")
    return pa.sum(x[i, k] * v[k], axis=k)


@pytest.mark.parametrize(("kind", "reference"), [("max", np.max), ("min", np.min), ("prod", np.prod), ("sum", np.sum)])
def test_reductions_over_two_axes(kind, reference):
    N, K = pa.sizes("N K")
    x = pa.placeholder((N, K), "x", "float64")
    n, k = pa.reduce_axis(N, "n"), pa.reduce_axis(K, "k")
    y = pa.compute((), lambda: getattr(pa, kind)(pa.sin(x[n, k]), axis=(n, k)))
    a = RNG.standard_normal((3, 2))
    np.testing.assert_allclose(value_of(y, x=a), reference(np.sin(a)))


@pytest.mark.parametrize("kind", ["argmax", "argmin"])
def test_arg_reductions_take_the_first_of_equals(kind):
    N, K = pa.sizes("N K")
    x = pa.placeholder((N, K), "x", "float64")
    k, n = pa.reduce_axis(K, "k"), pa.reduce_axis(N, "n")
    rows = pa.compute(N, lambda i: getattr(pa, kind)(x[i, k], axis=k))
    flat = pa.compute((), lambda: getattr(pa, kind)(x[n, k], axis=(n, k)))
    assert rows.dtype == "int64"
    a = np.array([[1.0, 3.0, 3.0], [0.0, 0.0, -1.0]])
    r, f = value_of([rows, flat], x=a)
    reference = getattr(np, kind)
    np.testing.assert_array_equal(r, reference(a, axis=1))
    assert f == reference(a)


def test_affine_select_cuts_the_domain():
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")
    y = pa.compute(N, lambda i: pa.select((i > 0) & (i < N - 1), shifted(x, i), 0.0))
    a = RNG.standard_normal(5)
    expected = np.zeros(5)
    expected[1:-1] = a[:-2] + a[2:]
    np.testing.assert_allclose(value_of(y, x=a), expected)


def shifted(x, i):
    return x[i - 1] + x[i + 1]


def test_select_inside_a_sum_is_a_smaller_domain():
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")
    k = pa.reduce_axis(N, "k")
    y = pa.compute((), lambda: pa.sum(pa.select(k % 2 == 0, x[k], 0.0), axis=k))
    a = RNG.standard_normal(7)
    np.testing.assert_allclose(value_of(y, x=a), a[::2].sum())


def test_select_on_data():
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")
    y = pa.compute(N, lambda i: pa.select((x[i] > 0) | (x[i] < -1), x[i], -x[i]))
    a = np.array([0.5, -0.5, -2.0])
    np.testing.assert_allclose(value_of(y, x=a), [0.5, 0.5, -2.0])


def test_data_dependent_read():
    V, D, L = pa.sizes("V D L")
    table = pa.placeholder((V, D), "table", "float64")
    ids = pa.placeholder((L,), "ids", "int64")
    y = pa.compute((L, D), lambda t, j: table[ids[t], j])
    a = RNG.standard_normal((5, 2))
    np.testing.assert_allclose(value_of(y, table=a, ids=np.array([4, 0, 4])), a[[4, 0, 4]])


def test_quasi_affine_indices():
    N = pa.sizes("N")
    x = pa.placeholder((N, 3), "x", "float64")
    y = pa.compute(3 * N, lambda i: x[i // 3, i % 3])
    a = RNG.standard_normal((4, 3))
    np.testing.assert_allclose(value_of(y, x=a), a.ravel())


def test_tensor_operators_broadcast_and_slice():
    T, H = pa.sizes("T H")
    x = pa.placeholder((T, 2 * H), "x", "float64")
    b = pa.placeholder((H,), "b", "float64")
    y = (x[:, :H] - 2.0) * b + x[:, H:] / 3 - (-b)
    z = x[::-1, None, 1]
    assert [str(s) for s in y.shape] == ["T", "H"]
    assert [str(s) for s in z.shape] == ["T", "1"]
    a, c = RNG.standard_normal((3, 4)), RNG.standard_normal(2)
    got_y, got_z = value_of([y, z], x=a, b=c)
    np.testing.assert_allclose(got_y, (a[:, :2] - 2) * c + a[:, 2:] / 3 + c)
    np.testing.assert_allclose(got_z, a[::-1, None, 1])


def test_integer_tensor_subscript_gathers():
    x = pa.placeholder((5, 2), "x", "float64")
    ids = pa.placeholder((3,), "ids", "int64")
    a = RNG.standard_normal((5, 2))
    np.testing.assert_allclose(value_of(x[ids], x=a, ids=np.array([1, 1, 4])), a[[1, 1, 4]])


def test_read_outside_is_refused_with_one_instance():
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x")
    with pytest.raises(pa.BoundsError, match=r"x\[i \+ 1\] reads outside of x") as error:
        pa.compute(N, lambda i: x[i + 1])
    assert error.value.instance == {"i": 0}
    assert error.value.sizes == {"N": 1}
    assert "test_compute.py" in str(error.value)


def test_body_errors_say_what_to_do():
    N = pa.sizes("N")
    x = pa.placeholder((N, 2), "x")
    k = pa.reduce_axis(N, "k")
    with pytest.raises(pa.DefinitionError, match="outside of the reduction"):
        pa.compute(N, lambda i: x[k, 0])
    with pytest.raises(pa.ShapeError, match="2 dimensions"):
        pa.compute(N, lambda i: x[i])
    with pytest.raises(pa.DefinitionError, match=r"pa\.select"):
        pa.compute(N, lambda i: x[i, 0] if x[i, 0] > 0 else 0.0)
    with pytest.raises(pa.ShapeError, match="do not broadcast"):
        x + pa.placeholder((3,), "y")
    with pytest.raises(pa.DTypeError, match="element type"):
        pa.placeholder((2,), "z", "uint64")
    with pytest.raises(pa.DefinitionError, match="NumPy array"):
        np.asarray(x)


def test_a_few_numbers_that_are_closed_over_become_part_of_the_c():
    x = pa.placeholder((pa.sizes("N"), 3), "x", "float64")
    values, a = np.array([1.0, 2.0, 4.0]), np.arange(6.0).reshape(2, 3)
    y = x * values + np.full((3,), 7.0)
    for inputs in (None, [x]):
        kernel = pa.compile(y, inputs)
        np.testing.assert_array_equal(kernel(a), a * values + 7)
    assert kernel.program.inputs == ("x",)
    np.testing.assert_array_equal(pa.compile(pa.grad(pa.sum(y * x), [x])[0])(a), 2 * a * values + 7)
    with pytest.raises(pa.DefinitionError, match=r"a NumPy array of shape \(33,\) as a constant; make it an input"):
        pa.compile(pa.sum(x) * np.arange(33.0), [x])


@pytest.mark.parametrize(
    "scaled",
    [lambda s, n, b: n * s, lambda s, n, b: s / (n * b), lambda s, n, b: n * b * s, lambda s, n, b: -s / ((n - 1) * b)],
)
def test_a_size_times_a_tensor_without_dimensions_is_a_tensor(scaled):
    n, b = pa.sizes("N B")
    x = pa.placeholder((n, b), name="x", dtype="float64")
    loss = scaled(pa.numpy.sum(x**2), n, b)
    assert isinstance(loss, pa.Tensor) and loss.shape == ()
    values = np.arange(6.0).reshape(3, 2)
    found = pa.compile([loss, pa.grad(loss, x)])(values)
    assert found[0] == pytest.approx(float(scaled((values**2).sum(), 3, 2)))
    np.testing.assert_allclose(found[1], scaled(2 * values, 3, 2))
