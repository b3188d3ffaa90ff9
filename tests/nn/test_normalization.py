"""Normalization layers against PyTorch and their formulas."""

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of
from tests.nn.against_torch import against_torch

RNG = np.random.default_rng(0)
X = RNG.normal(size=(2, 4, 3, 2))
VECTORS = {n: RNG.uniform(0.5, 1.5, 4) for n in ("gamma", "beta", "mean", "var")}
ROWS = {"g": RNG.normal(size=2), "b": RNG.normal(size=2)}


def image() -> pa.Tensor:
    N, C, H, W = pa.sizes("N C H W")
    result: pa.Tensor = pa.placeholder((N, C, H, W), "x", "float64")
    return result


@pytest.mark.torch
def test_against_pytorch() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    functional = torch.nn.functional
    x = image()
    gamma, beta, mean, var = (pa.placeholder((x.shape[1],), n, "float64") for n in VECTORS)
    g, b = (pa.placeholder((x.shape[3],), n, "float64") for n in ROWS)
    t, v = torch.from_numpy(X), {n: torch.from_numpy(a) for n, a in (VECTORS | ROWS).items()}
    pairs = [
        (nn.layer_norm(x, g, b), functional.layer_norm(t, (2,), v["g"], v["b"])),
        (nn.layer_norm(x, axis=(1, 2, 3)), functional.layer_norm(t, (4, 3, 2))),
        (nn.rms_norm(x, g), functional.rms_norm(t, (2,), v["g"], 1e-6)),
        (
            nn.batch_norm(x, gamma, beta),
            functional.batch_norm(t, None, None, v["gamma"], v["beta"], training=True),
        ),
        (
            nn.batch_norm(x, gamma, beta, mean, var),
            functional.batch_norm(t, v["mean"], v["var"], v["gamma"], v["beta"]),
        ),
        (nn.lrn(x, 3, 0.1, 0.7, 2.0), functional.local_response_norm(t, 3, 0.1, 0.7, 2.0)),
        (nn.l2_normalize(x, axis=1), functional.normalize(t, dim=1)),
    ]
    results = values_of([p for p, _ in pairs], x=X, **VECTORS, **ROWS)
    for n, (result, (_, expected)) in enumerate(zip(results, pairs, strict=True)):
        np.testing.assert_allclose(result, expected.numpy(), rtol=1e-6, atol=1e-9, err_msg=str(n))


@pytest.mark.parametrize("name", ["layer_norm", "rms_norm", "batch_norm", "l2_normalize", "lrn"])
def test_derivatives(name: str) -> None:
    x = image()
    small = X[:, :, :2, :1] if name != "layer_norm" else X[:1, :2]
    check_derivatives(getattr(nn, name)(x), [x], x=small)


def test_scale_and_shift_have_derivatives() -> None:
    x = image()
    gamma, beta = (pa.placeholder((x.shape[1],), n, "float64") for n in ("gamma", "beta"))
    given = {n: VECTORS[n] for n in ("gamma", "beta")}
    check_derivatives(nn.batch_norm(x, gamma, beta), [x, gamma, beta], x=X[:, :, :1], **given)


def test_errors() -> None:
    x = image()
    with pytest.raises(pa.DefinitionError, match="together"):
        nn.batch_norm(x, moving_mean=x[0, :, 0, 0])
    with pytest.raises(pa.DefinitionError, match="must be at least 1"):
        nn.lrn(x, 0)


@pytest.mark.torch
@pytest.mark.parametrize("shape", [(2, 4, 3, 2), (3, 4, 5), (2, 4, 1, 2, 3)])
def test_groups_and_instances_against_pytorch(shape: tuple[int, ...]) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    functional = torch.nn.functional
    x, g, b = RNG.normal(size=shape), VECTORS["gamma"], VECTORS["beta"]
    for groups in (1, 2, 4):
        against_torch(
            lambda x, g, b, n=groups: nn.group_norm(x, n, g, b),
            lambda x, g, b, n=groups: functional.group_norm(x, n, g, b),
            x,
            g,
            b,
        )
    against_torch(
        lambda x, g, b: nn.instance_norm(x, g, b, eps=1e-3),
        lambda x, g, b: functional.instance_norm(x, weight=g, bias=b, eps=1e-3),
        x,
        g,
        b,
    )
    against_torch(nn.instance_norm, functional.instance_norm, x)


@pytest.mark.torch
@pytest.mark.parametrize("size", [1, 2, 4, 5])
def test_neighbourhoods_of_any_size(size: int) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    against_torch(
        lambda x: nn.lrn(x, size, 0.1, 0.7, 2.0),
        lambda x: torch.nn.functional.local_response_norm(x, size, 0.1, 0.7, 2.0),
        X,
    )


@pytest.mark.torch
def test_moving_statistics_against_pytorch() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    def theirs(x: torch.Tensor, g: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, ...]:
        moving = [torch.from_numpy(VECTORS[n].copy()) for n in ("mean", "var")]
        y = torch.nn.functional.batch_norm(x, *moving, g, b, training=True, momentum=0.3)
        return (y, *moving)

    def ours(x: pa.Tensor, g: pa.Tensor, b: pa.Tensor) -> tuple[pa.Tensor, ...]:
        y, moving = nn.batch_norm(x, g, b, VECTORS["mean"], VECTORS["var"], momentum=0.3)
        return (y, *map(pa.stop_gradient, moving))  # PyTorch keeps them out of its graph

    against_torch(ours, theirs, X, VECTORS["gamma"], VECTORS["beta"])
    with pytest.raises(pa.DefinitionError, match="momentum= moves the statistics"):
        nn.batch_norm(image(), momentum=0.1)
    with pytest.raises(pa.ShapeError, match="not 3 groups of the same size"):
        nn.group_norm(X, 3)
    with pytest.raises(pa.ShapeError, match="with pixels"):
        nn.instance_norm(X[:, :, 0, 0])
