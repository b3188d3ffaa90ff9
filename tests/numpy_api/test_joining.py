"""Concatenating, stacking, splitting, padding, repeating, triangles."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of

T, H = pa.sizes("T H", min=2)
V = np.random.default_rng(0).normal(size=(3, 8))


def compare(pairs: list[tuple[pa.Tensor, Any]], **inputs: Any) -> None:
    results = values_of([p for p, _ in pairs], **inputs)
    for n, (result, (_, expected)) in enumerate(zip(results, pairs, strict=True)):
        np.testing.assert_array_equal(result, expected, err_msg=str(n))


@pytest.fixture
def x() -> pa.Tensor:
    result: pa.Tensor = pa.placeholder((T, 4 * H), "x", "float64")
    return result


def test_splitting(x: pa.Tensor) -> None:
    y = pa.placeholder((7,), "y", "float64")
    w = np.arange(7.0)
    pairs = [
        *zip(pn.split(x, 4, axis=-1), np.split(V, 4, axis=-1), strict=True),
        *zip(pn.split(x, [H, 3 * H], axis=1), np.split(V, [2, 6], axis=1), strict=True),
        *zip(pn.hsplit(x, 2), np.hsplit(V, 2), strict=True),
        *zip(pn.split(y, [2, -2]), np.split(w, [2, -2]), strict=True),
        *zip(pn.array_split(y, 3), np.array_split(w, 3), strict=True),
    ]
    compare(pairs, x=V, y=w)


def test_a_split_part_has_the_extent_of_one_gate(x: pa.Tensor) -> None:
    assert [str(p.shape_affine[1]) for p in pn.split(x, 4, axis=-1)] == ["H"] * 4


def test_joining(x: pa.Tensor) -> None:
    y = pa.placeholder((T, 3), "y", "float64")
    w = np.arange(9.0).reshape(3, 3)
    pairs = [
        (pn.concatenate([x, y, x], axis=1), np.concatenate([V, w, V], axis=1)),
        (pn.concatenate([y, y]), np.concatenate([w, w])),
        (pn.stack([y, y, y * 2], axis=-1), np.stack([w, w, w * 2], axis=-1)),
        (pn.stack([y]), np.stack([w])),
        (pn.vstack([y[0], y]), np.vstack([w[0], w])),
        (pn.hstack([y[0], y[1]]), np.hstack([w[0], w[1]])),
        (pn.hstack([x, y]), np.hstack([V, w])),
    ]
    compare(pairs, x=V, y=w)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
def test_pad(mode: str, x: pa.Tensor) -> None:
    y = pa.placeholder((4,), "y", "float64")
    w = np.arange(4.0)
    pairs = [
        (pn.pad(x, 1, mode), np.pad(V, 1, mode)),
        (pn.pad(x, ((0, 1), (1, 0)), mode), np.pad(V, ((0, 1), (1, 0)), mode)),
        (pn.pad(y, (2, 3), mode), np.pad(w, (2, 3), mode)),
    ]
    compare(pairs, x=V, y=w)
    check_derivatives(pn.pad(x, 1, mode), [x], x=V)


def test_pad_with_a_value(x: pa.Tensor) -> None:
    compare([(pn.pad(x, 2, constant_values=-1), np.pad(V, 2, constant_values=-1))], x=V)


def test_repeating(x: pa.Tensor) -> None:
    y = pa.placeholder((2, 3), "y", "int64")
    w = np.arange(6).reshape(2, 3)
    pairs = [
        (pn.repeat(x, 2, axis=0), np.repeat(V, 2, axis=0)),
        (pn.repeat(y, 3), np.repeat(w, 3)),
        (pn.repeat(y, 0, axis=1), np.repeat(w, 0, axis=1)),
        (pn.tile(x, 2), np.tile(V, 2)),
        (pn.tile(y, (2, 1, 2)), np.tile(w, (2, 1, 2))),
        (pn.tile(x, (3, 1)), np.tile(V, (3, 1))),
    ]
    compare(pairs, x=V, y=w)


def test_triangles_and_diagonals() -> None:
    N = pa.sizes("N")
    a, b, v = (
        pa.placeholder((N, N), "a", "float64"),
        pa.placeholder((2, 3, 4), "b", "float64"),
        pa.placeholder((N,), "v"),
    )
    x, y, z = np.arange(9.0).reshape(3, 3), np.arange(24.0).reshape(2, 3, 4), np.arange(3.0)
    pairs = [
        (pn.tril(a), np.tril(x)),
        (pn.triu(a, 1), np.triu(x, 1)),
        (pn.tril(b, -1), np.tril(y, -1)),
        (pn.diagonal(a), np.diagonal(x)),
        (pn.diagonal(b, 1, 1, 2), np.diagonal(y, 1, 1, 2)),
        (pn.diagonal(b, -1, 0, -1), np.diagonal(y, -1, 0, -1)),
        (a.trace(), np.trace(x)),
        (pn.trace(b, 1, 2, 0), np.trace(y, 1, 2, 0)),
        (pn.diag(v, 1), np.diag(z, 1)),
        (pn.diag(a), np.diag(x)),
    ]
    compare(pairs, a=x, b=y, v=z)


def test_a_triangle_costs_nothing_outside() -> None:
    N = pa.sizes("N")
    inside, outside = pn.tril(pa.placeholder((N, N), "a")).definition.statements
    assert list(inside.reads())
    assert not list(outside.reads())


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: pn.split(x, 3, axis=-1), pa.ShapeError, r"extent 4 \* H .*not a multiple of 3"),
        (lambda x: pn.split(x, 2.0), pa.DTypeError, "number of parts"),
        (lambda x: pn.concatenate([x, x[:, 1:]]), pa.ShapeError, "must agree in all dimensions but dimension 0"),
        (lambda x: pn.concatenate([]), pa.ShapeError, "at least one"),
        (lambda x: pn.stack([x, x[0]]), pa.ShapeError, "one shape"),
        (lambda x: pn.pad(x, -1), pa.ShapeError, "negative width"),
        (lambda x: pn.pad(x, 1, "mean"), pa.DefinitionError, "'mean' is not one of constant"),
        (lambda x: pn.pad(x, 3, "reflect"), pa.BoundsError, "x"),
        (lambda x: pn.pad(x, [(1, 1)] * 3), pa.ShapeError, "3 pairs of widths for 2"),
        (lambda x: pn.tile(x, 1.5), pa.DTypeError, "integer constant"),
        (lambda x: pn.repeat(x, -1, 0), pa.ShapeError, "negative"),
        (lambda x: pn.diagonal(x), pa.ShapeError, "which is smaller"),
        (lambda x: pn.diagonal(x, 0, 1, 1), pa.ShapeError, "same dimension"),
        (lambda x: pn.tril(x[0]), pa.ShapeError, "two dimensions"),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str, x: pa.Tensor) -> None:
    with pytest.raises(error, match=text):
        call(x)
