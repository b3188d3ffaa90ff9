"""`vectorize` against NumPy's own."""

import re

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as m

RNG = np.random.default_rng(2)

SHAPES = [
    ((3,), (3,)),
    ((4, 1), (3,)),
    ((), (2, 3)),
    ((2, 1, 3), (4, 1)),
    ((1,), (1, 1)),
    ((1, 3), (2, 1)),
    ((0, 3), (3,)),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_of_numbers(shapes):
    a, b = (RNG.normal(size=s) for s in shapes)
    f = m.vectorize(lambda x, y: m.where(x > y, x * y, m.tanh(x)))
    wanted = np.where(a > b, a * b, np.tanh(a))
    found = f(a, b)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-14)


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_with_a_signature(shapes):
    a, b = RNG.normal(size=(*shapes[0], 4)), RNG.normal(size=(*shapes[1], 4, 5))
    f = m.vectorize(lambda v, w: (v @ w, m.sum(v)), signature="(n), (n,m) -> (m), ()")
    product, total = f(a, b)
    leading = np.broadcast_shapes(*shapes)
    np.testing.assert_allclose(product, np.einsum("...n,...nm->...m", a, b), rtol=1e-12)
    np.testing.assert_allclose(total, np.broadcast_to(a.sum(-1), leading), rtol=1e-12)


def test_excluded_keywords_and_gradients():
    x, table = RNG.normal(size=(3, 2)), RNG.normal(size=4)
    f = m.vectorize(lambda v, t, scale=1.0: v * m.sum(t) * scale, excluded={1})
    np.testing.assert_allclose(f(x, table, scale=2.0), x * table.sum() * 2.0)
    np.testing.assert_allclose(pa.grad(lambda t: m.sum(f(x, t)))(table), np.full(4, x.sum()))


ERRORS = {
    "leading": (
        lambda: m.vectorize(lambda x, y: x + y)(np.ones(3), np.ones((2, 2))),
        pa.ShapeError,
        "do not broadcast",
    ),
    "extents": (
        lambda: m.vectorize(lambda x, y: x @ y, signature="(n),(n)->()")(np.ones(3), np.ones((2, 2))),
        pa.ShapeError,
        "args[1] has shape (2, 2): n of the signature is 2 there, 3 before",
    ),
    "rank": (
        lambda: m.vectorize(m.sum, signature="(n,m)->()")(np.ones(3)),
        pa.ShapeError,
        "signature has (n, m) for it",
    ),
    "result": (lambda: m.vectorize(m.sum, signature="(n)->(n)")(np.ones(3)), pa.ShapeError, "a result has shape ()"),
    "results": (lambda: m.vectorize(m.sum, signature="(n)->(),()")(np.ones(3)), pa.CallError, "it gave 1"),
    "text": (lambda: m.vectorize(m.sum, signature="n->()"), pa.CallError, "is not of the form"),
    "number": (
        lambda: m.vectorize(m.sum, signature="(n),(n)->()")(np.ones(3)),
        pa.CallError,
        "2 arguments, the call 1",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors(case):
    call, kind, text = ERRORS[case]
    with pytest.raises(kind, match=re.escape(text)):
        call()
