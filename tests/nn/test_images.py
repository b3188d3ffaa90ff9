"""Convolutions, pooling and resizing against PyTorch, with symbolic extents."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of

RNG = np.random.default_rng(0)
X, W, WT, BIAS = (RNG.normal(size=s) for s in ((2, 2, 5, 4), (3, 2, 3, 2), (2, 3, 3, 2), (3,)))


def sized() -> dict[str, pa.Tensor]:
    """Images of at least 3 by 3 pixels, filters of 3 by 2."""
    N, C, O = pa.sizes("N C O")
    H, V = pa.sizes("H V", min=3)
    shapes = {"x": (N, C, H, V), "w": (O, C, 3, 2), "wt": (C, O, 3, 2), "b": (O,)}
    return {n: pa.placeholder(s, n, "float64") for n, s in shapes.items()}


CONVOLUTIONS: list[dict[str, Any]] = [
    {},
    {"stride": 2, "padding": 1},
    {"stride": (1, 2), "padding": (2, 0), "dilation": (2, 1)},
]
TRANSPOSED: list[dict[str, Any]] = [
    {},
    {"stride": 2, "padding": 1, "output_padding": 1},
    {"stride": (1, 2), "padding": (1, 0), "dilation": (1, 2)},
]


@pytest.mark.torch
def test_convolutions_against_pytorch() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    functional = torch.nn.functional
    v = sized()
    x, w, wt, b = (torch.from_numpy(a) for a in (X, W, WT, BIAS))
    pairs = [(nn.conv2d(v["x"], v["w"], v["b"], **o), functional.conv2d(x, w, b, **o)) for o in CONVOLUTIONS]
    pairs += [
        (nn.conv2d_transpose(v["x"], v["wt"], v["b"], **o), functional.conv_transpose2d(x, wt, b, **o))
        for o in TRANSPOSED
    ]
    results = values_of([p for p, _ in pairs], x=X, w=W, wt=WT, b=BIAS)
    for n, (result, (_, expected)) in enumerate(zip(results, pairs, strict=True)):
        np.testing.assert_allclose(result, expected.numpy(), atol=1e-12, err_msg=str(n))


@pytest.mark.torch
def test_pooling_and_resizing_against_pytorch() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    functional = torch.nn.functional
    x, t = sized()["x"], torch.from_numpy(X)
    c = pa.placeholder((1, 1, 5, 4), "c", "float64")
    image = torch.from_numpy(X[:1, :1])
    bilinear = {"mode": "bilinear", "align_corners": False}
    pairs = [
        (nn.max_pool2d(x, 2), functional.max_pool2d(t, 2)),
        (nn.max_pool2d(x, 3, 2, 1), functional.max_pool2d(t, 3, 2, 1)),
        (nn.max_pool2d(x, (3, 1), 1, dilation=(1, 2)), functional.max_pool2d(t, (3, 1), 1, dilation=(1, 2))),
        (nn.avg_pool2d(x, (2, 3)), functional.avg_pool2d(t, (2, 3))),
        (nn.avg_pool2d(x, 2, padding=1), functional.avg_pool2d(t, 2, padding=1)),
        (
            nn.avg_pool2d(x, 2, padding=1, count_include_pad=False),
            functional.avg_pool2d(t, 2, padding=1, count_include_pad=False),
        ),
        (nn.global_avg_pool2d(x), functional.adaptive_avg_pool2d(t, 1)),
        (nn.upsample(x, (2, 3)), functional.interpolate(t, scale_factor=(2, 3))),
        (nn.upsample(x, 2, "bilinear"), functional.interpolate(t, scale_factor=2, **bilinear)),
        (nn.resize2d(c, (7, 3)), functional.interpolate(image, (7, 3), **bilinear)),
        (nn.resize2d(c, (3, 9), "nearest"), functional.interpolate(image, (3, 9))),
    ]
    results = values_of([p for p, _ in pairs], x=X, c=X[:1, :1])
    for n, (result, (_, expected)) in enumerate(zip(results, pairs, strict=True)):
        np.testing.assert_allclose(result, expected.numpy(), atol=1e-12, err_msg=str(n))


@pytest.mark.torch
def test_groups() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    x, w = pa.placeholder((1, 4, 4, 4), "x", "float64"), pa.placeholder((6, 2, 3, 3), "w", "float64")
    a, b = RNG.normal(size=(1, 4, 4, 4)), RNG.normal(size=(6, 2, 3, 3))
    expected = torch.nn.functional.conv2d(torch.from_numpy(a), torch.from_numpy(b), padding=1, groups=2)
    np.testing.assert_allclose(values_of(nn.conv2d(x, w, padding=1, groups=2), x=a, w=b), expected.numpy(), atol=1e-12)


@pytest.mark.parametrize("options", CONVOLUTIONS)
@pytest.mark.quick_cases(2)
def test_convolution_derivatives(options: dict[str, Any]) -> None:
    v = sized()
    given = {"x": X[:1, :1], "w": W[:2, :1], "b": BIAS[:2]}
    check_derivatives(nn.conv2d(v["x"], v["w"], v["b"], **options), [v["x"], v["w"], v["b"]], **given)


@pytest.mark.parametrize("options", TRANSPOSED)
def test_transposed_convolution_derivatives(options: dict[str, Any]) -> None:
    v = sized()
    given = {"x": X[:1, :1], "wt": WT[:1, :1]}
    check_derivatives(nn.conv2d_transpose(v["x"], v["wt"], **options), [v["x"], v["wt"]], **given)


@pytest.mark.parametrize(
    "layer",
    [
        lambda x: nn.max_pool2d(x, 3, 2, 1),
        lambda x: nn.avg_pool2d(x, 2, padding=1, count_include_pad=False),
        lambda x: nn.upsample(x, 2, "bilinear"),
        lambda x: nn.upsample(x, 2),
    ],
)
def test_pooling_and_resizing_derivatives(layer: Any) -> None:
    x = sized()["x"]
    check_derivatives(layer(x), [x], x=X[:1, :1])


@pytest.mark.parametrize("shape", [(1, 1, 3, 2), (1, 2, 1, 3), (2, 1, 2, 2)])
def test_second_derivatives_of_repeated_pixels(shape: tuple[int, ...]) -> None:
    """Each pixel stands in four places, so that half of the sum of their squares has the Hessian 4 I."""

    def half_of_squares(x: Any) -> Any:
        return 0.5 * pa.sum(nn.upsample(x, 2) ** 2)

    def along(x: Any, u: Any) -> Any:
        return pa.sum(pa.grad(half_of_squares)(x) * u)

    x, u = RNG.normal(size=(2, *shape))
    np.testing.assert_allclose(pa.grad(along)(x, u), 4 * u)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda v: nn.conv2d(v["x"], v["wt"]), pa.ShapeError, "x has C channels, weight .* wants O"),
        (lambda v: nn.conv2d(v["x"][0, 0], v["w"]), pa.ShapeError, "four dimensions"),
        (lambda v: nn.conv2d(v["x"], v["w"], v["b"][:1]), pa.ShapeError, r"bias \(1,\)"),
        (lambda v: nn.conv2d(v["x"], v["w"], stride=0), pa.DefinitionError, "stride must be at least 1"),
        (lambda v: nn.conv2d(v["x"], v["w"], stride="2"), pa.DTypeError, "pair of integers"),
        (lambda v: nn.conv2d_transpose(v["x"], v["w"]), pa.ShapeError, "x has C channels"),
        (lambda v: nn.max_pool2d(v["x"][:, :, :2, :2], 3), pa.ShapeError, "does not fit into 2 elements"),
        (lambda v: nn.resize2d(v["x"], (7, 7)), pa.ShapeError, "the ratio must be a constant"),
        (lambda v: nn.upsample(v["x"], 2, "cubic"), pa.DefinitionError, "nearest, bilinear, bicubic"),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(sized())
