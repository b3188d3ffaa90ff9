"""Convolutions of one to three dimensions and their transposes, values and gradients against PyTorch."""

import resource
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.nn.against_torch import against_torch

RNG = np.random.default_rng(1)
SIZES = {1: (7,), 2: (6, 5), 3: (4, 5, 3)}
TAPS = {1: (3,), 2: (3, 2), 3: (2, 3, 1)}

FORWARD: list[dict[str, Any]] = [
    {},
    {"stride": 2, "padding": 1},
    {"stride": 3, "dilation": 2, "padding": 2},
    {"padding": "same", "dilation": 2},
    {"padding": "valid", "stride": 2},
    {"groups": 2, "padding": 1},
    {"groups": 4, "stride": 2},
]
TRANSPOSED: list[dict[str, Any]] = [
    {},
    {"stride": 2, "padding": 1, "output_padding": 1},
    {"stride": 3, "dilation": 2, "padding": 1},
    {"groups": 2, "stride": 2},
    {"groups": 4},
]


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


@pytest.mark.torch
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("options", FORWARD)
@pytest.mark.quick_cases(14)
def test_convolution(n: int, options: dict[str, Any]) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    ours, theirs = getattr(nn, f"conv{n}d"), getattr(torch.nn.functional, f"conv{n}d")
    inner = 4 // options.get("groups", 1)
    given = normal(2, 4, *SIZES[n]), normal(4, inner, *TAPS[n]), normal(4)
    against_torch(lambda x, w, b: ours(x, w, b, **options), lambda x, w, b: theirs(x, w, b, **options), *given)


@pytest.mark.torch
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("options", TRANSPOSED)
@pytest.mark.quick_cases(10)
def test_transposed_convolution(n: int, options: dict[str, Any]) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    ours, theirs = getattr(nn, f"conv{n}d_transpose"), getattr(torch.nn.functional, f"conv_transpose{n}d")
    groups = options.get("groups", 1)
    sizes = tuple(s - 1 for s in SIZES[n])
    given = normal(1, 4, *sizes), normal(4, 3 if groups == 1 else 2, *TAPS[n]), normal(3 if groups == 1 else 2 * groups)
    against_torch(lambda x, w, b: ours(x, w, b, **options), lambda x, w, b: theirs(x, w, b, **options), *given)


@pytest.mark.torch
def test_channels_behind_and_single_images() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    f = torch.nn.functional
    w, b = normal(4, 2, 3, 2), normal(4)
    against_torch(
        lambda x, w, b: nn.conv2d(x, w, b, padding=1, groups=2, data_format="NHWC"),
        lambda x, w, b: f.conv2d(x.permute(0, 3, 1, 2), w, b, padding=1, groups=2).permute(0, 2, 3, 1),
        normal(2, 5, 3, 4),
        w,
        b,
    )
    against_torch(
        lambda x, w: nn.conv2d_transpose(x, w, stride=2, data_format="NHWC"),
        lambda x, w: f.conv_transpose2d(x.permute(0, 3, 1, 2), w, stride=2).permute(0, 2, 3, 1),
        normal(1, 3, 2, 4),
        w,
    )
    against_torch(
        lambda x, w: nn.conv1d(x, w, data_format="NWC"),
        lambda x, w: f.conv1d(x.permute(0, 2, 1), w).permute(0, 2, 1),
        normal(2, 6, 4),
        normal(3, 4, 2),
    )
    against_torch(
        lambda x, w, b: nn.conv2d(x, w[:, :, :1], b), lambda x, w, b: f.conv2d(x, w[:, :, :1], b), normal(2, 4, 3), w, b
    )
    against_torch(nn.conv1d, f.conv1d, normal(4, 6), normal(3, 4, 2))
    against_torch(nn.conv1d_transpose, f.conv_transpose1d, normal(4, 6), normal(4, 3, 2))


@pytest.mark.torch
def test_small_and_empty_images() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    f = torch.nn.functional
    against_torch(nn.conv2d, f.conv2d, normal(1, 1, 1, 1), normal(1, 1, 1, 1), normal(1))
    against_torch(lambda x, w: nn.conv2d(x, w), f.conv2d, normal(0, 2, 4, 4), normal(3, 2, 3, 3))
    against_torch(nn.conv2d_transpose, f.conv_transpose2d, normal(1, 1, 1, 1), normal(1, 1, 1, 1))


def test_same_padding_of_strided_windows() -> None:
    """As in JAX: ceil(extent / stride) windows, an odd element of padding behind."""
    x, w = normal(1, 1, 7), normal(1, 1, 4)
    y = pa.jit(lambda x: nn.conv1d(x, w, stride=2, padding="same"))(x)
    padded = np.pad(x[0, 0], (1, 2))
    np.testing.assert_allclose(y[0, 0], [padded[2 * o : 2 * o + 4] @ w[0, 0] for o in range(4)])


def test_symbolic_extents() -> None:
    """One kernel for images of any size, of which "same" knows the padding."""
    N, C, L = pa.sizes("N C L")
    x, w = pa.placeholder((N, C, L), "x", "float64"), pa.placeholder((2, C, 3), "w", "float64")
    kernel = pa.compile(nn.conv1d(x, w, padding="same"))
    for length in (1, 2, 5):
        a, b = normal(1, 2, length), normal(2, 2, 3)
        padded = np.pad(a, ((0, 0), (0, 0), (1, 1)))
        expected = [np.einsum("ock,ck->o", b, padded[0, :, i : i + 3]) for i in range(length)]
        np.testing.assert_allclose(kernel(x=a, w=b)[0], np.array(expected).T)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: nn.conv1d(normal(2, 3, 4, 5), normal(1, 3, 2)),
            pa.ShapeError,
            r"must have three dimensions, \(N, C, W\)",
        ),
        (lambda: nn.conv2d(normal(1, 2, 3, 3), normal(1, 2, 3)), pa.ShapeError, "weight .* must have 4 dimensions"),
        (lambda: nn.conv2d(normal(1, 2, 3, 3), normal(1, 2, 3, 3), padding="full"), pa.DefinitionError, "same, valid"),
        (lambda: nn.conv2d(normal(1, 2, 3, 3), normal(1, 2, 3, 3), data_format="HWNC"), pa.DefinitionError, "NHWC"),
        (lambda: nn.conv2d(normal(1, 4, 3, 3), normal(3, 2, 3, 3), groups=2), pa.ShapeError, "multiple of the groups"),
        (
            lambda: nn.conv1d_transpose(normal(1, 4, 3), normal(4, 2, 3), groups=3),
            pa.ShapeError,
            "multiple of the groups",
        ),
        (lambda: nn.conv3d(normal(1, 1, 2, 2, 2), normal(1, 1, 1, 1, 1), stride=(1, 2)), pa.DTypeError, "3 integers"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


@pytest.mark.torch
@pytest.mark.parametrize("size", [(6, 4), (7, 3), (3, 3)])
def test_winograd(size: tuple[int, int]) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    for padding in (0, 1):
        against_torch(
            lambda x, w, b, p=padding: nn.winograd_conv2d(x, w, b, p),
            lambda x, w, b, p=padding: torch.nn.functional.conv2d(x, w, b, padding=p),
            normal(2, 3, *size),
            normal(4, 3, 3, 3),
            normal(4),
        )


def test_products_of_winograd() -> None:
    """16 products for 2 x 2 outputs, of each pair of channels."""
    x, w = pa.placeholder((1, 3, 8, 8), "x"), pa.placeholder((2, 3, 3, 3), "w")
    assert pa.compile(nn.winograd_conv2d(x, w, padding=1)).instances()["einsum"] == 16 * 2 * 3 * 4 * 4


@pytest.mark.slow
def test_winograd_compiles_in_three_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a processor, the C compiler included: the value, and both gradients."""
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("POLYAD_VERIFY", raising=False)
    x, w = pa.placeholder((1, 15, 27, 27), "x", "float32"), pa.placeholder((14, 15, 3, 3), "w", "float32")
    y = nn.winograd_conv2d(x, w, padding=1)
    bars = pa.differentiate(pa.numpy.sum(y * y), [x, w])
    for outputs in (y, [bars[x], bars[w]]):
        before = spent()
        pa.compile(outputs)
        assert spent() - before < 3


def spent() -> float:
    """Seconds of a processor, of this process and those that it started and that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)
