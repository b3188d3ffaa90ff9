"""Functions that are short spellings of others, against NumPy."""

import numpy as np

import polyad as pa
from polyad import numpy as pn
from tests.evaluated import values_of

X = np.arange(24.0).reshape(2, 3, 4)


def test_values() -> None:
    x = pa.placeholder(X.shape, "x", "float64")
    pairs = [
        (pn.atleast_2d(x), np.atleast_2d(X)),
        (pn.atleast_2d(x[0, 0]), np.atleast_2d(X[0, 0])),
        (pn.permute_dims(x, (2, 0, 1)), np.permute_dims(X, (2, 0, 1))),
        *zip(pn.dsplit(x, 2), np.dsplit(X, 2), strict=True),
        *zip(pn.vsplit(x, 2), np.vsplit(X, 2), strict=True),
    ]
    for found, (_, expected) in zip(values_of([p for p, _ in pairs], x=X), pairs, strict=True):
        np.testing.assert_array_equal(found, expected)
