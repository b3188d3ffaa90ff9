"""Affine layers, embeddings, dropout."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of
from tests.nn.against_torch import against_torch

RNG = np.random.default_rng(0)


def test_dense() -> None:
    T, B, I, O = pa.sizes("T B I O")
    x, w, b = (pa.placeholder(s, n, "float64") for n, s in {"x": (T, B, I), "w": (O, I), "b": (O,)}.items())
    given = {"x": RNG.normal(size=(3, 2, 2)), "w": RNG.normal(size=(4, 2)), "b": RNG.normal(size=4)}
    with_bias, without = values_of([nn.dense(x, w, b), nn.dense(x, w)], **given)
    np.testing.assert_allclose(without, given["x"] @ given["w"].T)
    np.testing.assert_allclose(with_bias, without + given["b"])
    check_derivatives(nn.dense(x, w, b), [x, w, b], **given)


def test_embedding() -> None:
    T, V, E = pa.sizes("T V E")
    ids, table = pa.placeholder((T, 2), "ids", "int32"), pa.placeholder((V, E), "table", "float64")
    given = {"ids": np.array([[0, 3], [3, 1]]), "table": RNG.normal(size=(4, 2))}
    y = nn.embedding(ids, table)
    np.testing.assert_array_equal(values_of(y, **given), given["table"][given["ids"]])
    check_derivatives(y, [table], **given)


def test_dropout() -> None:
    x, m, u = (pa.placeholder((4,), n, "float64") for n in ("x", "m", "u"))
    given = {"x": np.arange(1.0, 5.0), "m": np.array([1.0, 0.0, 0.0, 1.0]), "u": np.array([0.1, 0.2, 0.3, 0.9])}
    by_mask, by_numbers = values_of([nn.dropout(x, 0.5, mask=m), nn.dropout(x, 0.2, uniform=u)], **given)
    np.testing.assert_allclose(by_mask, [2.0, 0.0, 0.0, 8.0])
    np.testing.assert_allclose(by_numbers, [0.0, 2.5, 3.75, 5.0])
    check_derivatives(nn.dropout(x, 0.5, mask=m), [x], **given)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda x: nn.dense(x, pa.placeholder((4, 3), "w")),
            pa.ShapeError,
            r"x \(2, 2\) and weight \(4, 3\) do not fit",
        ),
        (lambda x: nn.dense(x, x, pa.placeholder((3,), "b")), pa.ShapeError, r"bias \(3,\)"),
        (lambda x: nn.embedding(x, x), pa.DTypeError, "integers"),
        (lambda x: nn.dropout(x, 0.5), pa.DefinitionError, "exactly one"),
        (lambda x: nn.dropout(x, 1.0, mask=x), pa.DefinitionError, "0 <= rate < 1"),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(pa.placeholder((2, 2), "x"))


@pytest.mark.torch
def test_bias_and_flatten_against_pytorch() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    x = RNG.normal(size=(2, 3, 4, 5))
    against_torch(nn.bias_add, lambda x, b: x + b[:, None, None], x, RNG.normal(size=3))
    against_torch(lambda x, b: nn.bias_add(x, b, -1), lambda x, b: x + b, x, RNG.normal(size=5))
    for start, end in ((1, -1), (0, 1), (-2, -1), (2, 2)):
        against_torch(
            lambda x, s=start, e=end: nn.flatten(x, s, e), lambda x, s=start, e=end: torch.flatten(x, s, e), x
        )
    against_torch(nn.flatten, lambda x: torch.flatten(x, 1), np.zeros((0, 2, 3)))
    with pytest.raises(pa.ShapeError, match=r"bias_add: bias \(4,\)"):
        nn.bias_add(x, np.zeros(4))
    with pytest.raises(pa.ShapeError, match="dimension 1 stands before dimension 2"):
        nn.flatten(x, 2, 1)
