"""Reshaping and rearranging against NumPy, with symbolic and constant extents."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of

T, B, H = pa.sizes("T B H")
SIZES = {"T": 3, "B": 2, "H": 2}


def concrete(shape: Any) -> tuple[int, ...]:
    """The shape under SIZES."""
    return tuple(s if isinstance(s, int) else s.affine.evaluate(SIZES) for s in shape)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ((2, 6), (3, 4)),
        ((12,), (2, 3, 2)),
        ((2, 3, 2), -1),
        ((6, 4), (4, 3, 2)),
        ((1, 3, 1), (3,)),
        ((3,), (1, 3, 1)),
        ((), (1, 1)),
        ((1, 1), ()),
        ((0, 3), (3, 0)),
        ((T, B, H), (T, B, H)),
        ((T, 1, B), (T, B, 1)),
        ((T, 4, H), (4 * T, H)),
        ((T, 4, H), (T, 4 * H)),
        ((T, 4 * H), (T, 4, H)),
        ((T, 4 * H), (T, 2, 2 * H)),
        ((2, H, 3), (6 * H,)),
        ((6 * H,), (2, H, 3)),
        ((6 * T, B), (T, 6, B)),
        ((4, H), (2 * H, 2)),
        ((4 * T + 4, 2), (T + 1, 8)),
        ((T, 2, 3), (T, -1)),
        ((4 * H,), (-1, H)),
        ((4 * H, 3), (4, -1, 3)),
    ],
)
def test_reshape(old: Any, new: Any) -> None:
    x = pa.placeholder(old, "x", "float64")
    value = np.arange(np.prod(concrete(old), dtype=int), dtype=float).reshape(concrete(old))
    y = pn.reshape(x, new)
    wanted = concrete(y.shape)
    np.testing.assert_array_equal(values_of(y, SIZES, x=value), value.reshape(wanted))


def test_reshape_keeps_derivatives() -> None:
    x = pa.placeholder((T, 4 * H), "x", "float64")
    check_derivatives(pn.reshape(x, (T, 4, H)), [x], x=np.random.default_rng(0).normal(size=(2, 8)))


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ((2, 3), (4, 2), r"x \(2, 3\) has 6 elements, \(4, 2\) has 8"),
        ((T, B), (B, T), "products of the sizes"),
        ((T, B), (-1,), r"would be B\*T"),
        ((T, B), (T * B,), "product of sizes"),
        ((T, 3), (-1, 2), "no multiple"),
        ((T, 3), (-1, -1), "only one"),
        ((T, B), (T, H), "has B.T elements"),
        ((65, H), (65 * H,), "65 pieces"),
    ],
)
def test_reshapes_that_are_refused(old: Any, new: Any, text: str) -> None:
    with pytest.raises(pa.ShapeError, match=text):
        pn.reshape(pa.placeholder(old, "x"), new)


def test_rearranging() -> None:
    x = pa.placeholder((T, B, 4), "x", "float64")
    v = np.random.default_rng(0).normal(size=(3, 2, 4))
    pairs = [
        (x.T, v.T),
        (x.mT, np.swapaxes(v, -1, -2)),
        (x.transpose(), v.transpose()),
        (x.transpose(1, 2, 0), v.transpose(1, 2, 0)),
        (x.transpose((1, -1, 0)), v.transpose((1, -1, 0))),
        (x.swapaxes(0, -1), v.swapaxes(0, -1)),
        (pn.moveaxis(x, 0, -1), np.moveaxis(v, 0, -1)),
        (pn.moveaxis(x, (0, 1), (2, 0)), np.moveaxis(v, (0, 1), (2, 0))),
        (pn.expand_dims(x, (0, -1)), np.expand_dims(v, (0, -1))),
        (pn.squeeze(x[:, None]), v),
        (pn.squeeze(x[None, :, None], 0), v[:, None]),
        (pn.broadcast_to(x[0], (3, B, 4)), np.broadcast_to(v[0], (3, 2, 4))),
        (pn.flip(x), np.flip(v)),
        (pn.flip(x, (0, -1)), np.flip(v, (0, -1))),
        (pn.flipud(x), np.flipud(v)),
        (pn.fliplr(x), np.fliplr(v)),
        (pn.roll(x, 5, -1), np.roll(v, 5, -1)),
        (pn.roll(x, -1, 0), np.roll(v, -1, 0)),
        (pn.roll(x, (1, -1), (0, 2)), np.roll(v, (1, -1), (0, 2))),
        (x.reshape(T, B, 2, 2), v.reshape(3, 2, 2, 2)),
        (x[0].ravel(), v[0].ravel()),
        (x.astype("int32"), v.astype("int32")),
    ]
    results = values_of([p for p, _ in pairs], x=v)
    for n, (result, (_, expected)) in enumerate(zip(results, pairs, strict=True)):
        np.testing.assert_array_equal(result, expected, err_msg=str(n))


def test_size_and_types() -> None:
    assert pa.placeholder((2, 3), "x").size == 6
    assert str(pa.placeholder((2, T), "x").size) == "2 * T"
    x = pa.placeholder((2,), "x", "float32")
    assert x.astype(np.float64).dtype == "float64"
    assert x.astype(bool).dtype == "bool"
    assert x.astype("float32") is x
    with pytest.raises(pa.DTypeError, match="uint64"):
        x.astype("uint64")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: pn.transpose(x, (0, 0)), pa.ShapeError, "twice"),
        (lambda x: pn.transpose(x, (0,)), pa.ShapeError, "2 dimensions"),
        (lambda x: pn.squeeze(x, 0), pa.ShapeError, "extent T, not 1"),
        (lambda x: pn.broadcast_to(x, (T, 3)), pa.ShapeError, "broadcast"),
        (lambda x: pn.broadcast_to(x, (B,)), pa.ShapeError, "broadcast"),
        (lambda x: pn.moveaxis(x, (0, 1), 0), pa.ShapeError, "cannot go"),
        (lambda x: pn.roll(x, (1, 2), 0), pa.ShapeError, "2 shifts"),
        (lambda x: pn.roll(x, 2, 0), pa.BoundsError, "T"),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(pa.placeholder((T, B), "x"))
