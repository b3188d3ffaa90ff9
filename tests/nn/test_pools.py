"""Pools of one to three dimensions, adaptive ones, and patches: values and gradients against PyTorch."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.nn.against_torch import against_torch

RNG = np.random.default_rng(2)
SIZES = {1: (9,), 2: (7, 6), 3: (5, 4, 7)}
WINDOWS: list[dict[str, Any]] = [
    {"kernel_size": 2},
    {"kernel_size": 3, "stride": 2, "padding": 1},
    {"kernel_size": 3, "stride": 2, "ceil_mode": True},
    {"kernel_size": 2, "stride": 3, "padding": 1, "ceil_mode": True},
]


def ties(*shape: int) -> np.ndarray:
    """Numbers of which many are the same."""
    return RNG.integers(-2, 3, size=shape).astype("float64")


@pytest.mark.torch
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("options", WINDOWS)
@pytest.mark.quick_cases(8)
def test_pools(n: int, options: dict[str, Any]) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    rest = {k: v for k, v in options.items() if k != "kernel_size"}
    size = options["kernel_size"]
    largest, mean = (getattr(torch.nn.functional, f"{kind}_pool{n}d") for kind in ("max", "avg"))
    x = ties(2, 2, *SIZES[n])
    ours = getattr(nn, f"max_pool{n}d")
    against_torch(lambda x: ours(x, size, **rest), lambda x: largest(x, **options), x)
    for border in (True, False):
        average = getattr(nn, f"avg_pool{n}d")
        against_torch(
            lambda x, a=average, b=border: a(x, size, count_include_pad=b, **rest),
            lambda x, b=border: mean(x, count_include_pad=b, **options),
            x[:, :1],
        )


@pytest.mark.torch
def test_dilated_windows_single_images_and_channels_behind() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    f = torch.nn.functional
    for last in (False, True):
        against_torch(
            lambda x, c=last: nn.max_pool2d(x, (3, 2), 2, 1, dilation=(1, 2), ceil_mode=c),
            lambda x, c=last: f.max_pool2d(x, (3, 2), 2, 1, dilation=(1, 2), ceil_mode=c),
            ties(1, 2, 6, 5),
        )
    against_torch(
        lambda x: nn.max_pool2d(x, 2, data_format="NHWC"),
        lambda x: f.max_pool2d(x.permute(0, 3, 1, 2), 2).permute(0, 2, 3, 1),
        ties(1, 4, 6, 3),
    )
    against_torch(
        lambda x: nn.avg_pool1d(x, 3, 1, "same", count_include_pad=False, data_format="NWC"),
        lambda x: f.avg_pool1d(x.permute(0, 2, 1), 3, 1, 1, count_include_pad=False).permute(0, 2, 1),
        ties(2, 5, 3),
    )
    against_torch(lambda x: nn.max_pool2d(x, 2), lambda x: f.max_pool2d(x, 2), ties(3, 4, 5))
    against_torch(lambda x: nn.avg_pool1d(x, 1), lambda x: f.avg_pool1d(x, 1), ties(1, 1))


@pytest.mark.torch
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.quick_cases(5)
def test_adaptive_pools(n: int, size: int) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    x = ties(2, 1, *SIZES[n])
    for kind in ("avg", "max"):
        ours = getattr(nn, f"adaptive_{kind}_pool{n}d")
        theirs = getattr(torch.nn.functional, f"adaptive_{kind}_pool{n}d")
        against_torch(lambda x, o=ours: o(x, size), lambda x, t=theirs: t(x, size), x)


@pytest.mark.torch
def test_adaptive_pools_to_other_sizes() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    f, x = torch.nn.functional, ties(1, 2, 5, 6)
    for size in ((None, 4), (7, 1), (5, 3)):
        against_torch(lambda x, s=size: nn.adaptive_avg_pool2d(x, s), lambda x, s=size: f.adaptive_avg_pool2d(x, s), x)
        against_torch(lambda x, s=size: nn.adaptive_max_pool2d(x, s), lambda x, s=size: f.adaptive_max_pool2d(x, s), x)
    against_torch(nn.global_max_pool2d, lambda x: f.adaptive_max_pool2d(x, 1), x)
    against_torch(nn.global_avg_pool2d, lambda x: f.adaptive_avg_pool2d(x, 1), x)
    against_torch(
        lambda x: nn.global_max_pool2d(x, "NHWC"), lambda x: x.amax((1, 2), keepdim=True), RNG.normal(size=(2, 3, 4, 2))
    )


@pytest.mark.torch
@pytest.mark.parametrize(
    "options",
    [{}, {"stride": 2, "padding": 1}, {"dilation": 2, "padding": 1, "stride": (2, 1)}],
)
def test_patches(options: dict[str, Any]) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    f, x = torch.nn.functional, RNG.normal(size=(2, 3, 5, 6))
    against_torch(lambda x: nn.unfold(x, (3, 2), **options), lambda x: f.unfold(x, (3, 2), **options), x)
    columns = f.unfold(torch.from_numpy(x), (3, 2), **options).numpy()
    against_torch(
        lambda x: nn.fold(x, (5, 6), (3, 2), **options), lambda x: f.fold(x, (5, 6), (3, 2), **options), columns
    )


@pytest.mark.torch
def test_pixels_and_channels() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    f = torch.nn.functional
    for r in (1, 2, 3):
        against_torch(
            lambda x, r=r: nn.pixel_shuffle(x, r),
            lambda x, r=r: f.pixel_shuffle(x, r),
            RNG.normal(size=(2, 2 * r * r, 3, 2)),
        )
        against_torch(
            lambda x, r=r: nn.pixel_unshuffle(x, r),
            lambda x, r=r: f.pixel_unshuffle(x, r),
            RNG.normal(size=(2, 2, 3 * r, 2 * r)),
        )
    against_torch(lambda x: nn.pixel_shuffle(x, 2), lambda x: f.pixel_shuffle(x, 2), RNG.normal(size=(4, 1, 3)))


def test_symbolic_windows() -> None:
    N, L = pa.sizes("N L")
    x = pa.placeholder((N, 1, L), "x", "float64")
    kernel = pa.compile(nn.max_pool1d(x, 3, 2, 1, ceil_mode=True))
    np.testing.assert_array_equal(kernel(x=[[[3.0, 1, 2, 5, 4, 0]]]), [[[3, 5, 5, 0]]])
    mean = pa.compile(nn.adaptive_avg_pool1d(x, 1))
    np.testing.assert_array_equal(mean(x=[[[3.0, 1, 2]]]), [[[2]]])
    with pytest.raises(pa.ShapeError, match="with ceil_mode is not known"):
        nn.max_pool1d(x, 2, 3, ceil_mode=True)
    with pytest.raises(pa.ShapeError, match="cannot be cut into 3 windows"):
        nn.adaptive_max_pool1d(x, 3)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: nn.adaptive_avg_pool2d(x, 0), pa.DefinitionError, "no positive integer"),
        (lambda x: nn.adaptive_avg_pool2d(x, (1, 2, 3)), pa.DefinitionError, "nor 2 of them"),
        (lambda x: nn.fold(x[0], (5, 6), 2), pa.ShapeError, "not those of windows"),
        (lambda x: nn.pixel_shuffle(x, 2), pa.ShapeError, "no multiple of 2"),
        (lambda x: nn.pixel_unshuffle(x, 2), pa.ShapeError, "no multiple of 2"),
        (lambda x: nn.max_pool3d(x[0], 2), pa.ShapeError, "must have five dimensions"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(pa.placeholder((1, 3, 5, 6), "x"))
