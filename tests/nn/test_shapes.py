"""Shapes taken from other tensors, and layouts: values and gradients against PyTorch."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.nn.against_torch import against_torch

RNG = np.random.default_rng(6)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


@pytest.mark.torch
def test_shapes_of_others() -> None:
    against_torch(nn.reshape_like, lambda x, y: x.reshape(y.shape) + 0 * y, normal(2, 6), normal(3, 4))
    against_torch(nn.broadcast_to_like, lambda x, y: x.expand(y.shape) + 0 * y, normal(3, 1), normal(2, 3, 4))
    against_torch(nn.slice_like, lambda x, y: x[:2, :3] + 0 * y[0, 0], normal(4, 5, 2), normal(2, 3))
    against_torch(lambda x, y: nn.slice_like(x, y, -1), lambda x, y: x[:, :3] + 0 * y[0, 0], normal(4, 5), normal(2, 3))
    for shape in ((3, 1), (1, 4), (3, 4), (4,), (), (2, 1, 1)):
        against_torch(
            lambda x, s=shape: nn.collapse_sum_like(x, np.zeros(s)),
            lambda x, s=shape: x.sum_to_size(s),
            normal(2, 3, 4),
        )


@pytest.mark.torch
def test_layouts() -> None:
    x = normal(2, 8, 3, 4)
    against_torch(lambda x: nn.layout_transform(x, "NCHW", "NHWC"), lambda x: x.permute(0, 2, 3, 1), x)
    against_torch(lambda x: nn.layout_transform(x, "NCHW", "NCHW"), lambda x: x * 1, x)
    blocked = x.reshape(2, 2, 4, 3, 4).transpose(0, 1, 3, 4, 2)
    against_torch(
        lambda x: nn.layout_transform(x, "NCHW", "NCHW4c"),
        lambda x: x.reshape(2, 2, 4, 3, 4).permute(0, 1, 3, 4, 2),
        x,
    )
    against_torch(
        lambda x: nn.layout_transform(x, "NCHW4c", "NHWC"),
        lambda x: x.permute(0, 2, 3, 1, 4).reshape(2, 3, 4, 8),
        blocked,
    )
    against_torch(
        lambda x: nn.layout_transform(x, "OIHW", "OIHW2i4o"),
        lambda x: x.reshape(2, 4, 3, 2, 1, 1).permute(0, 2, 4, 5, 3, 1),
        normal(8, 6, 1, 1),
    )


def test_symbolic_layouts() -> None:
    N, C = pa.sizes("N C")
    x = pa.placeholder((N, 4 * C, 2), "x", "float64")
    y = nn.layout_transform(x, "NCW", "NCW4c")
    assert str(y.shape) == str((N, C, 2, 4))
    value = normal(1, 8, 2)
    np.testing.assert_array_equal(pa.compile(y)(x=value), value.reshape(1, 2, 4, 2).transpose(0, 1, 3, 2))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: nn.reshape_like(x, x[0]), pa.ShapeError, "reshape"),
        (lambda x: nn.collapse_sum_like(x, x[:1, :2]), pa.ShapeError, "does not broadcast"),
        (lambda x: nn.slice_like(x[:1], x), pa.ShapeError, "is longer than"),
        (lambda x: nn.layout_transform(x, "AB", "BC"), pa.DefinitionError, "other dimensions"),
        (lambda x: nn.layout_transform(x, "AB", "AB5b"), pa.ShapeError, "no multiple of 5"),
        (lambda x: nn.layout_transform(x, "ABC", "CBA"), pa.ShapeError, "is not 'ABC'"),
        (lambda x: nn.layout_transform(x, "AB", "a"), pa.DefinitionError, "no layout"),
        (lambda x: nn.layout_transform(x, "AA", "AA"), pa.DefinitionError, "twice"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(pa.placeholder((2, 3), "x"))
