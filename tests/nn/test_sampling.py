"""Resizing and reading images at given places, values and gradients against PyTorch."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.nn.against_torch import against_torch

RNG = np.random.default_rng(4)
X = RNG.normal(size=(2, 2, 4, 5))
GRID = RNG.uniform(-1.6, 1.6, size=(2, 3, 4, 2))


@pytest.mark.torch
@pytest.mark.parametrize("size", [(7, 3), (1, 1), (4, 5), (3, 10)])
@pytest.mark.parametrize("align", [False, True])
@pytest.mark.quick_cases(5)
def test_resize(size: tuple[int, int], align: bool) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    resize = torch.nn.functional.interpolate
    for method in ("bilinear", "bicubic"):
        against_torch(
            lambda x, m=method: nn.resize2d(x, size, m, align),
            lambda x, m=method: resize(x, size, mode=m, align_corners=align),
            X[:1],
        )
    if not align:
        against_torch(lambda x: nn.resize2d(x, size, "nearest"), lambda x: resize(x, size, mode="nearest"), X[:1])


@pytest.mark.torch
@pytest.mark.parametrize("align", [False, True])
def test_lines_and_volumes(align: bool) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    resize = torch.nn.functional.interpolate
    for x, size, word in ((X[:, 0], (7,), "linear"), (X[:, :, None, :2], (2, 3, 3), "trilinear")):
        against_torch(
            lambda x, s=size, a=align: nn.resize(x, s, "linear", a),
            lambda x, s=size, w=word, a=align: resize(x, s, mode=w, align_corners=a),
            x,
        )
        against_torch(lambda x: nn.upsample(x, 2), lambda x: resize(x, scale_factor=2, mode="nearest"), x)


@pytest.mark.torch
def test_upsample() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    resize = torch.nn.functional.interpolate
    for method, align in (("bilinear", True), ("bicubic", True), ("bicubic", False)):
        against_torch(
            lambda x, m=method, a=align: nn.upsample(x, (2, 3), m, a),
            lambda x, m=method, a=align: resize(x, scale_factor=(2, 3), mode=m, align_corners=a),
            X[:1],
        )


@pytest.mark.torch
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("border", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("align", [False, True])
@pytest.mark.quick_cases(6)
def test_grid_sample(mode: str, border: str, align: bool) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    options: dict[str, Any] = {"mode": mode, "padding_mode": border, "align_corners": align}
    sample = torch.nn.functional.grid_sample
    against_torch(lambda x, g: nn.grid_sample(x, g, **options), lambda x, g: sample(x, g, **options), X, GRID)


@pytest.mark.torch
def test_grid_sample_of_volumes_and_one_pixel() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    sample = torch.nn.functional.grid_sample
    volume, places = RNG.normal(size=(1, 2, 3, 4, 2)), RNG.uniform(-1.3, 1.3, size=(1, 2, 1, 3, 3))
    for mode in ("bilinear", "nearest"):
        against_torch(
            lambda x, g, m=mode: nn.grid_sample(x, g, m),
            lambda x, g, m=mode: sample(x, g, mode=m, align_corners=False),
            volume,
            places,
        )
    against_torch(
        lambda x, g: nn.grid_sample(x, g, padding_mode="reflection", align_corners=True),
        lambda x, g: sample(x, g, padding_mode="reflection", align_corners=True),
        RNG.normal(size=(1, 1, 1, 1)),
        RNG.uniform(-1, 1, size=(1, 1, 3, 2)),
    )


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x, g: nn.grid_sample(x, g[..., :1]), pa.ShapeError, "last dimension of the grid must be 2"),
        (lambda x, g: nn.grid_sample(x[0], g), pa.ShapeError, r"must be \(N, C, H, W\) and"),
        (lambda x, g: nn.grid_sample(x, pa.cast(g, "int64")), pa.DTypeError, "places from -1 to 1"),
        (lambda x, g: nn.grid_sample(x, g, "linear"), pa.DefinitionError, "bilinear, nearest, bicubic"),
        (lambda x, g: nn.grid_sample(x, g, padding_mode="wrap"), pa.DefinitionError, "reflection"),
        (
            lambda x, g: nn.resize2d(pa.placeholder((1, 1, pa.sizes("H"), 2)), (3, 3), "bicubic", True),
            pa.ShapeError,
            "fix the size",
        ),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(pa.placeholder(X.shape, "x"), pa.placeholder(GRID.shape, "g"))
