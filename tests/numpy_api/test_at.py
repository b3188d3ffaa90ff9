"""`x.at[index]`: NumPy's results of changing elements in place, and derivatives."""

import numpy as np
import pytest

import polyad as pa
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of

RNG = np.random.default_rng(0)
X = RNG.standard_normal((5, 6))
IDS = np.array([3, 0, 3, 1])
TABLE = np.array([[1, 2], [1, 2]])
UFUNCS = {"add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}
METHODS = ["set", *UFUNCS]

AFFINE = {
    "slices": np.s_[1:4, ::2],
    "an integer": np.s_[2],
    "dots": np.s_[..., -1],
    "backwards": np.s_[::-1, 3:0:-2],
    "a new axis": np.s_[:, None, 2],
    "one element": np.s_[-1, -2],
    "nothing": np.s_[3:3],
}
BY_DATA = {
    "rows": lambda i, j: (i,),
    "columns": lambda i, j: (slice(None), i),
    "a part of rows": lambda i, j: (i, slice(1, 5, 2)),
    "two dimensions": lambda i, j: (j,),
    "with an integer": lambda i, j: (2, i),
    "with the last": lambda i, j: (i, -1),
    "with a new axis": lambda i, j: (i, slice(None), None),
    "within a slice": lambda i, j: (slice(1, None), j),
    "two tensors": lambda i, j: (j[:1], j),
    "one index": lambda i, j: (i[1],),
    "dots": lambda i, j: (..., i),
}


def changed(key, values, method):
    """NumPy, where the last of several values for a place stays."""
    result = X.copy()
    if method == "set":
        result[key] = values
    else:
        UFUNCS[method].at(result, key, values)
    return result


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("which", AFFINE)
def test_places_known_while_tracing(which, method):
    key = AFFINE[which]
    values = RNG.standard_normal(X[key].shape)

    def f(x, v):
        return getattr(x.at[key], method)(v)

    run = pa.jit(f)
    np.testing.assert_array_equal(run(X, values), changed(key, values, method))
    assert sum(run.kernel.instances().values()) == X.size
    if method in ("set", "multiply") and values.size:
        pa.check_grads(f, (X, values))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("which", BY_DATA)
def test_places_of_data(which, method):
    make = BY_DATA[which]
    key = make(IDS, TABLE)
    values = RNG.standard_normal(X[key].shape)

    def f(x, v, i, j):
        return getattr(x.at[make(i, j)], method)(v)

    expected = changed(key, values, method)
    np.testing.assert_allclose(pa.jit(f)(X, values, IDS, TABLE), expected, rtol=1e-14)
    np.testing.assert_allclose(pa.jit(lambda x, v: getattr(x.at[key], method)(v))(X, values), expected, rtol=1e-14)


@pytest.mark.parametrize("method", ["set", "add", "min", "max"])
@pytest.mark.parametrize("which", ["rows", "a part of rows", "two tensors"])
def test_derivatives_at_places_of_data(which, method):
    key = BY_DATA[which](IDS, TABLE)
    values = RNG.standard_normal(X[key].shape)
    pa.check_grads(lambda x, v: getattr(x.at[key], method)(v), (X, values))


def test_the_last_value_stays_and_gets_the_derivative():
    def f(x, v, i):
        return x.at[i].set(v)

    ids, values = np.array([2, 0, 2, 2]), np.array([1.0, 2.0, 3.0, 4.0])
    np.testing.assert_array_equal(pa.jit(f)(np.zeros(3), values, ids), [2, 0, 4])
    weights = np.array([1.0, 10.0, 100.0])
    slopes = pa.grad(lambda x, v, i: (weights * f(x, v, i)).sum(), argnums=(0, 1))(np.zeros(3), values, ids)
    np.testing.assert_array_equal(slopes[0], [0, 10, 0])
    np.testing.assert_array_equal(slopes[1], [0, 1, 0, 100])


def test_the_first_optimum_gets_the_derivative():
    def f(x, v, i):
        return x.at[i].max(v).sum()

    ids = np.array([0, 0, 1, 2])
    x, v = np.array([1.0, 5.0, -np.inf]), np.array([2.0, 2.0, 5.0, -np.inf])
    slopes = pa.grad(f, argnums=(0, 1))(x, v, ids)
    np.testing.assert_array_equal(slopes[0], [0, 1, 1])
    np.testing.assert_array_equal(slopes[1], [1, 0, 0, 0])
    found = pa.jit(lambda x, v, i: x.at[i].max(v))(x, np.array([np.nan, 2.0, np.inf, 1.0]), ids)
    np.testing.assert_array_equal(found, [np.nan, np.inf, 1])


def test_element_types_and_get():
    flags = pa.jit(lambda x, i: x.at[i].set(True).at[0].set(False))(np.zeros(4, bool), IDS)
    assert flags.dtype == bool and flags.tolist() == [False, True, False, True]
    ints = pa.jit(lambda x, i: x.at[i].add(2))(np.zeros(4, np.int32), IDS)
    assert ints.dtype == np.int32 and ints.tolist() == [2, 2, 0, 4]
    single = pa.jit(lambda x, v: x.at[1].set(v))(np.zeros(2, np.float32), np.float64(1.5))
    assert single.dtype == np.float32 and single.tolist() == [0, 1.5]
    np.testing.assert_array_equal(pa.jit(lambda x, i: x.at[1:, i].get())(X, IDS), X[1:, IDS])
    np.testing.assert_array_equal(pa.jit(lambda x: x.at[2].set(7.0))(X)[2], np.full(6, 7.0))


def test_the_counter_of_a_loop_is_a_place():
    def running(x):
        return pa.fori_loop(1, 6, lambda t, y: y.at[t].set(y[t] + y[t - 1]), x)

    np.testing.assert_allclose(pa.jit(running)(X[0]), np.cumsum(X[0]))
    pa.check_grads(running, (X[0],))


def test_symbolic_sizes():
    n, k = pa.sizes("N K")
    x = pa.placeholder((n,), "x", "float64")
    ids, v = pa.placeholder((k,), "ids", "int64"), pa.placeholder((k,), "v", "float64")
    run = pa.compile([x.at[ids].set(v), x.at[ids].add(v), x.at[-1].set(0.0)], [x, ids, v])
    found = run(np.ones(4), np.array([2, 2]), np.array([5.0, 6.0]))
    np.testing.assert_array_equal(found, [[1, 1, 6, 1], [1, 1, 12, 1], [1, 1, 1, 0]])
    with pytest.raises(pa.CallError, match="ids"):
        run(np.ones(4), np.array([2, 4]), np.array([5.0, 6.0]))


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda x: x.at[1:3].set(np.ones(5)), pa.ShapeError, r"x.at\[...\].set.*\(5,\) and \(2,\) do not broadcast"),
        (lambda x: x.at[1].set(np.ones(2)), pa.ShapeError, r"values of shape \(2,\) do not broadcast to \(\)"),
        (lambda x: x.astype("int64").at[1].add(0.5), pa.DTypeError, "float64 for a tensor of int64; convert"),
        (lambda x: x.at[9].set(0.0), pa.BoundsError, "index 9 is outside"),
        (lambda x: x.at[x].set(0.0), pa.DTypeError, "index tensors are integers"),
        (lambda x: (x > 0).at[0].add(1), pa.DTypeError, "set changes them"),
        (lambda x: (x > 0).at[0].set(1), pa.DTypeError, "for truth values"),
    ],
)
def test_errors(use, error, message):
    with pytest.raises(error, match=message):
        pa.jit(use)(np.ones(4))


def test_products_at_places_of_data_have_no_derivative():
    with pytest.raises(pa.DifferentiationError, match="chosen by data with prod"):
        pa.grad(lambda x: x.at[pa.numpy.asarray(IDS)].multiply(x[:4]).sum())(np.ones(4))


@pytest.mark.parametrize("method", ["multiply", "min", "max"])
def test_derivatives_at_one_place_of_data(method: str) -> None:
    """One number names one place, where nothing is put together."""
    x, v = pa.placeholder((4, 3), "x", "float64"), pa.placeholder((3,), "v", "float64")
    n = pa.placeholder((), "n", "int32")
    changed = getattr(x.at[n], method)(v)
    rng = np.random.default_rng(3)
    check_derivatives(changed, [x, v], x=rng.normal(size=(4, 3)), v=rng.normal(size=3), n=np.int32(2))


def test_masks_that_are_data() -> None:
    x, m = pa.placeholder((3, 4), "x", "float64"), pa.placeholder((3,), "m", "float64")
    value, rows = np.arange(12.0).reshape(3, 4) - 5, np.array([1.0, -1.0, 2.0])
    made = [
        x.at[x > 1].set(0.5),
        x.at[x > 1].add(2.0),
        x.at[x > 1].multiply(-1.0),
        x.at[x > 1].min(3.0),
        x.at[m > 0].set(np.arange(4.0)),
        x.at[m > 0].max(m[0]),
        (x > 1).at[x > 3].set(False),
    ]
    expected = [
        np.where(value > 1, 0.5, value),
        np.where(value > 1, value + 2, value),
        np.where(value > 1, -value, value),
        np.where(value > 1, np.minimum(value, 3), value),
        np.where(rows[:, None] > 0, np.arange(4.0), value),
        np.where(rows[:, None] > 0, np.maximum(value, 1), value),
        (value > 1) & (value <= 3),
    ]
    for found, wanted in zip(values_of(made, x=value, m=rows), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
    check_derivatives(x.at[x > 1.2].set(m[0] * m[1]) + x.at[m > 0].multiply(x[0]), [x, m], x=value, m=rows)
    with pytest.raises(pa.ShapeError, match=r"a mask of shape \(3,\) for a tensor of shape \(4, 3\)"):
        pa.numpy.transpose(x).at[m > 0].set(0.0)
    with pytest.raises(pa.ShapeError, match="do not broadcast"):
        x.at[x > 1].set(np.ones(2))
