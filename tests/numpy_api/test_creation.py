"""Tensors from nothing."""

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn
from tests.evaluated import values_of


def test_constants() -> None:
    N = pa.sizes("N")
    values = values_of([pn.zeros((N, 2)), pn.ones(3), pn.full((2,), 1.5), pn.eye(N, 3, k=1), pn.identity(2)], {"N": 4})
    expected = [np.zeros((4, 2)), np.ones(3), np.full(2, 1.5), np.eye(4, 3, k=1), np.eye(2)]
    for v, e in zip(values, expected, strict=True):
        np.testing.assert_array_equal(v, e)


def test_constants_take_the_type_of_what_they_meet() -> None:
    x = pa.placeholder((2,), "x", "float32")
    assert (pn.zeros(2) + x).dtype == "float32"
    assert pn.zeros(2).dtype == "float64"
    assert pn.zeros(2, dtype=np.float32).dtype == "float32"
    assert pn.zeros_like(x).dtype == "float32"
    assert pn.ones_like(x, dtype="int64").dtype == "int64"


def test_full_of_tensors_and_sizes() -> None:
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")
    row, size = values_of([pn.full((2, N), x), pn.full((2,), N)], x=np.arange(3.0))
    np.testing.assert_array_equal(row, np.full((2, 3), np.arange(3.0)))
    np.testing.assert_array_equal(size, [3, 3])
    with pytest.raises(pa.ShapeError, match="does not fit"):
        pn.full((), x)


@pytest.mark.parametrize("bounds", [(5,), (2, 7), (2, 7, 2), (7, 2, -2), (3, 3), (5, 2)])
def test_arange(bounds: tuple[int, ...]) -> None:
    np.testing.assert_array_equal(values_of(pn.arange(*bounds)), np.arange(*bounds))


def test_symbolic_arange() -> None:
    N = pa.sizes("N")
    np.testing.assert_array_equal(values_of(pn.arange(1, 2 * N + 1, 2), {"N": 4}), np.arange(1, 9, 2))
    with pytest.raises(pa.ShapeError, match="step is zero"):
        pn.arange(0, N, 0)


def test_linspace() -> None:
    np.testing.assert_allclose(values_of(pn.linspace(-1, 2, 7)), np.linspace(-1, 2, 7))
    for num in (1, 4):
        found = values_of(pn.linspace(1, 3, num, endpoint=False, dtype="float64"))
        np.testing.assert_allclose(found, np.linspace(1, 3, num, endpoint=False))


def test_asarray() -> None:
    np.testing.assert_array_equal(values_of(pn.asarray([[1, 2], [3, 4]], dtype="float64")), [[1.0, 2.0], [3.0, 4.0]])
    assert pn.asarray([1.0], dtype="bfloat16").dtype == "bfloat16"


def test_truth_values_from_nothing() -> None:
    m, x = pa.numpy, np.array([0.5, 0.0, 2.5])
    made = pa.jit(
        lambda x: (
            m.ones((2,), dtype=bool),
            m.zeros((3,), dtype="bool") | (x > 1),
            m.ones_like(x > 1),
            m.full((3,), x, dtype=bool),
            m.full((2,), 0.5, dtype=bool),
            m.eye(2, dtype=bool),
            m.asarray([0.0, 0.5], dtype=bool),
            pa.compute((3,), lambda i: x[i], dtype="bool"),
        )
    )(x)
    given = ([True] * 2, x > 1, [True] * 3, x != 0, [True] * 2, np.eye(2) > 0, [False, True], x != 0)
    for found, expected in zip(made, given, strict=True):
        assert found.dtype == bool and found.tolist() == np.asarray(expected).tolist()
