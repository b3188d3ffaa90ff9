"""NumPy's functions on tensors are polyad's."""

import operator

import numpy as np
import pytest

import polyad as pa
from tests.evaluated import values_of

X = np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]])
OPERATORS = "add sub mul truediv floordiv mod pow lt le gt ge eq ne".split()


@pytest.mark.parametrize(
    "f",
    [
        np.sin,
        np.abs,
        np.sum,
        lambda t: np.sum(t, axis=0),
        lambda t: np.mean(t, axis=1, keepdims=True),
        lambda t: np.maximum(t, 0.5),
        lambda t: np.where(t > 0, t, 0.0),
        lambda t: np.concatenate([t, X], axis=1),
        lambda t: np.add.reduce(t, axis=0),
        lambda t: np.einsum("ij,kj->ik", X, t),
        lambda t: X @ t.T,
        lambda t: np.float64(2.0) * t,
        lambda t: np.logical_and(t > 0, X > 1),
        lambda t: np.add.accumulate(t, axis=1),
        lambda t: np.maximum.accumulate(t),
        lambda t: np.linalg.norm(t, axis=1),
        lambda t: np.linalg.det(t @ t.T),
        lambda t: np.median(t, axis=0),
    ],
)
def test_functions(f):
    t = pa.placeholder((2, 3), "t", "float64")
    np.testing.assert_allclose(values_of(f(t), t=X), f(X), rtol=1e-14)


@pytest.mark.parametrize("name", OPERATORS)
def test_arrays_and_numbers_on_the_left(name):
    t, f = pa.placeholder((2, 3), "t", "float64"), getattr(operator, name)
    for left in (np.abs(X) + 0.5, np.float64(2.0)):
        assert isinstance(f(left, t), pa.Tensor)
        np.testing.assert_allclose(values_of(f(left, t), t=np.abs(X)), f(left, np.abs(X)), rtol=1e-14)


def test_what_has_no_counterpart_says_so():
    t = pa.placeholder((2, 3), "t", "float64")
    with pytest.raises(pa.DefinitionError, match=r"numpy.fft.* has no counterpart in polyad.numpy"):
        np.fft.fft(t)
    with pytest.raises(pa.DefinitionError, match="out= takes arrays"):
        np.sin(t, out=np.zeros((2, 3)))
    with pytest.raises(pa.DefinitionError, match="accumulate"):
        np.subtract.accumulate(t)
