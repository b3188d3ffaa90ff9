"""Activations against their formulas, and their derivatives away from and at the kink."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of
from tests.nn.against_torch import against_torch

X = np.array([[-30.0, -1.5, -0.2], [0.3, 1.7, 40.0]])


def logistic(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


FORMULAS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda x: np.maximum(x, 0),
    "leaky_relu": lambda x: np.where(x > 0, x, 0.01 * x),
    "elu": lambda x: np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1),
    "softplus": lambda x: np.logaddexp(x, 0),
    "log_sigmoid": lambda x: -np.logaddexp(-x, 0),
    "softsign": lambda x: x / (1 + np.abs(x)),
    "silu": lambda x: x * logistic(x),
    "sigmoid": logistic,
    "tanh": np.tanh,
    "hard_sigmoid": lambda x: np.clip(x / 6 + 0.5, 0, 1),
}


def tensor() -> pa.Tensor:
    B = pa.sizes("B")
    result: pa.Tensor = pa.placeholder((B, 3), "x", "float64")
    return result


def test_values() -> None:
    x = tensor()
    results = values_of([getattr(nn, n)(x) for n in FORMULAS], x=X)
    for (name, formula), result in zip(FORMULAS.items(), results, strict=True):
        np.testing.assert_allclose(result, formula(X), rtol=1e-13, err_msg=name)


@pytest.mark.parametrize("name", [*FORMULAS, "gelu"])
def test_derivatives(name: str) -> None:
    x = tensor()
    check_derivatives(getattr(nn, name)(x), [x], x=X)


@pytest.mark.parametrize(("name", "slope"), [("relu", 0.0), ("leaky_relu", 0.01), ("elu", 1.0), ("softplus", 0.5)])
def test_derivative_at_zero(name: str, slope: float) -> None:
    x = pa.placeholder((1,), "x", "float64")
    adjoint = pa.differentiate(pa.sum(getattr(nn, name)(x)), [x])[x]
    np.testing.assert_allclose(values_of(adjoint, x=[0.0]), [slope])


@pytest.mark.torch
def test_gelu() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    x = tensor()
    t = torch.from_numpy(X)
    for wanted, given in (("none", (False, "none", np.False_)), ("tanh", (True, "tanh"))):
        expected = torch.nn.functional.gelu(t, approximate=wanted).numpy()
        for found in values_of([nn.gelu(x), *(nn.gelu(x, approximate=g) for g in given)], x=X)[1:]:
            np.testing.assert_allclose(found, expected, atol=1e-14)
    np.testing.assert_array_equal(*values_of([nn.gelu(x), nn.gelu(x, "none")], x=X))
    with pytest.raises(pa.DefinitionError, match="gelu: approximate 'erf' is not one of tanh, none"):
        nn.gelu(x, approximate="erf")
    with pytest.raises(pa.DTypeError, match="gelu: approximate must be True or False, not 1"):
        nn.gelu(x, approximate=1)


def test_prelu() -> None:
    x, slope = tensor(), pa.placeholder((3,), "slope", "float64")
    s = np.array([0.1, 0.2, 0.3])
    per_channel, one = values_of([nn.prelu(x, slope), nn.prelu(x, 0.5)], x=X, slope=s)
    np.testing.assert_allclose(per_channel, np.where(X > 0, X, s * X))
    np.testing.assert_allclose(one, np.where(X > 0, X, 0.5 * X))
    check_derivatives(nn.prelu(x, slope), [x, slope], x=X, slope=s)


def test_single_elements() -> None:
    x = tensor()
    y = pa.compute(x.shape, lambda i, j: nn.relu(x[i, j]) + nn.silu(x[i, j]))
    np.testing.assert_allclose(values_of(y, x=X), np.maximum(X, 0) + X * logistic(X), rtol=1e-13)


def test_nan_stays_nan() -> None:
    x = pa.placeholder((1,), "x", "float64")
    result: Any = values_of(nn.relu(x), x=[np.nan])
    assert np.isnan(result).all()


KINKS = np.array([[-6.5, -3.0, -1.0, -0.2, 0.0], [0.3, 1.0, 3.0, 6.0, 40.0]])
EMPTY, ONE = np.zeros((0, 2)), np.full((1,), 0.7)

PYTORCH: dict[str, tuple[Callable[..., Any], str, dict[str, Any]]] = {
    "celu": (lambda x: nn.celu(x, 2.0), "celu", {"alpha": 2.0}),
    "glu": (lambda x: nn.glu(x[:, :4], 1), "glu", {"dim": 1}),
    "glu of columns": (lambda x: nn.glu(x, -2), "glu", {"dim": -2}),
    "hard_swish": (nn.hard_swish, "hardswish", {}),
    "hard_tanh": (nn.hard_tanh, "hardtanh", {}),
    "hard_tanh with bounds": (lambda x: nn.hard_tanh(x, -3, 0.3), "hardtanh", {"min_val": -3, "max_val": 0.3}),
    "mish": (nn.mish, "mish", {}),
    "relu6": (nn.relu6, "relu6", {}),
    "selu": (nn.selu, "selu", {}),
    "tanhshrink": (nn.tanhshrink, "tanhshrink", {}),
}


@pytest.mark.torch
@pytest.mark.parametrize("name", PYTORCH)
def test_against_pytorch(name: str) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    ours, theirs, options = PYTORCH[name]
    function = getattr(torch.nn.functional, theirs)
    if name == "glu":
        against_torch(ours, lambda x: function(x[:, :4], **options), KINKS)
        return
    for x in (KINKS, *(() if "glu" in name else (EMPTY, ONE))):
        against_torch(ours, lambda x: function(x, **options), x)


def test_nan_stays_and_wrong_bounds_are_refused() -> None:
    x = pa.placeholder((2,), "x", "float64")
    for function in (nn.relu6, nn.hard_tanh, nn.hard_swish, nn.mish, nn.celu):
        assert np.isnan(values_of(function(x), x=[np.nan, 1.0]))[0]
    with pytest.raises(pa.DefinitionError, match="min_val 1 must be below max_val 1"):
        nn.hard_tanh(x, 1, 1)
    with pytest.raises(pa.PolyadError):
        nn.glu(pa.placeholder((3,), "x"))
