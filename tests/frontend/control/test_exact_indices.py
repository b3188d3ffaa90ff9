"""Arrays of indices that are affine: reads through them are affine, and so are their derivatives."""

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m
from polyad.ir.expr import Indirect

X = np.random.default_rng(0).normal(size=(5, 9))


def windows(x):
    return x[:, m.arange(6)[:, None] + 2 * m.arange(2)[None, :]]


def diagonal(x):
    i = m.arange(x.shape[0])
    return x[i, 8 - 2 * i]


def converted(x):
    return x[m.arange(4).astype("int32") + 1]


def of_another(x):
    i = m.arange(9)
    return x[:, (8 - i)[m.arange(3) + 2]]


def in_a_scan(x):
    i = m.arange(3)
    return pa.scan(lambda c, row: (c + row[i + 1].sum(), c * row[2 * i]), 0.0 * x[0, 0], x)[1]


CASES = {
    windows: lambda x: x[:, np.arange(6)[:, None] + 2 * np.arange(2)],
    diagonal: lambda x: x[np.arange(5), 8 - 2 * np.arange(5)],
    converted: lambda x: x[1:],
    of_another: lambda x: x[:, [6, 5, 4]],
    in_a_scan: lambda x: np.stack([x[:t, 1:4].sum() * x[t, 0:5:2] for t in range(5)]),
}


def accesses(program):
    return [a for s in program.statements for a in (s.write, *(r.access for r in s.reads()))]


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_reads_and_gradients_have_no_index_of_data(function):
    np.testing.assert_allclose(pa.jit(function)(X), CASES[function](X), rtol=1e-13)

    def loss(x):
        return m.sum(pa.sin(function(x)))

    assert not any(isinstance(a, Indirect) for a in accesses(pa.make_program(pa.grad(loss))(X)))
    pa.check_grads(loss, (X,))


def test_indices_of_data_and_indices_outside_stay():
    def chosen(x, ids):
        return x[0, ids + m.arange(3)]

    ids = np.array([2, 0, 5])
    assert any(isinstance(a, Indirect) for a in accesses(pa.make_program(chosen)(X, ids)))
    np.testing.assert_array_equal(pa.jit(chosen)(X, ids), X[0, ids + np.arange(3)])
    with pytest.raises(pa.CallError, match=r"\[5\] = 9, used as .* must lie in 0 .. 8"):
        pa.jit(lambda x: x[:, m.arange(6) + 4])(X)


def test_symbolic_extents():
    N = pa.sizes("N")
    x = pa.placeholder((N + 2,), name="x", dtype="float64")
    y = x[m.arange(N)[:, None] + m.arange(3)[None, :]]
    kernel = pa.compile(m.sum(y, axis=1), [x])
    assert not any(isinstance(a, Indirect) for a in accesses(kernel.program))
    np.testing.assert_allclose(kernel(X[0]), [X[0][i : i + 3].sum() for i in range(7)])


@pytest.mark.parametrize("given", [False, True])
def test_long_chains_are_looked_at_once(given: bool) -> None:
    """Each equation reads the one before three times: written out, the last one had 3 to the power 40 terms."""
    data = np.array([2, 0, 1], "int64")

    def picked(x: pa.Tensor, n: pa.Tensor) -> pa.Tensor:
        index = n if given else pa.numpy.arange(3)
        for _ in range(40):
            index = index + index - index
        return x[index]

    values = np.array([1.0, 2.0, 4.0])
    assert pa.jit(picked)(values, data).tolist() == values[data if given else [0, 1, 2]].tolist()
