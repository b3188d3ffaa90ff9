"""Optimisers step as PyTorch's do, in one kernel with the gradient."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CallError

pnp = pa.numpy


def loss_of(params: Any, x: Any) -> Any:
    return pnp.sum(pa.tanh(x @ params["W"] + params["b"]) ** 2)


def given(dtype: str = "float64") -> tuple[dict[str, np.ndarray], np.ndarray]:
    rng = np.random.default_rng(0)
    params = {"W": rng.normal(size=(4, 3)).astype(dtype), "b": rng.normal(size=3).astype(dtype)}
    return params, rng.normal(size=(5, 4)).astype(dtype)


def trained(optimiser: Any, steps: int, dtype: str = "float64") -> dict[str, np.ndarray]:
    params, x = given(dtype)

    @pa.jit
    def step(params: Any, state: Any, x: Any) -> Any:
        _, gradients = pa.value_and_grad(loss_of)(params, x)
        updates, state = optimiser.update(gradients, state, params)
        return pa.optim.apply_updates(params, updates), state

    state = optimiser.init(params)
    for _ in range(steps):
        params, state = step(params, state, x)
    assert len(step.entries) == 1, "one kernel for all steps"
    return params


RULES: dict[str, tuple[Any, str, dict[str, Any]]] = {
    "sgd": (pa.optim.sgd(0.1), "SGD", {"lr": 0.1}),
    "momentum": (pa.optim.sgd(0.1, momentum=0.9), "SGD", {"lr": 0.1, "momentum": 0.9}),
    "nesterov": (pa.optim.sgd(0.1, 0.9, True), "SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    "adam": (pa.optim.adam(0.05, 0.8, 0.99), "Adam", {"lr": 0.05, "betas": (0.8, 0.99)}),
    "adamw": (pa.optim.adamw(0.05, weight_decay=0.1), "AdamW", {"lr": 0.05, "weight_decay": 0.1}),
}


@pytest.mark.torch
@pytest.mark.parametrize("name", RULES)
def test_steps_are_those_of_pytorch(name: str) -> None:
    import torch

    optimiser, peer, options = RULES[name]
    params, x = given()
    theirs = {n: torch.tensor(p, requires_grad=True) for n, p in params.items()}
    other = getattr(torch.optim, peer)(theirs.values(), **options)
    for _ in range(6):
        other.zero_grad()
        (torch.tanh(torch.tensor(x) @ theirs["W"] + theirs["b"]) ** 2).sum().backward()
        other.step()
    found = trained(optimiser, 6)
    for n, p in theirs.items():
        np.testing.assert_allclose(found[n], p.detach().numpy(), rtol=1e-12, err_msg=n)


def test_the_first_steps_of_adam() -> None:
    """All elements move by the rate, along the signs of the gradient."""
    params, x = given()
    gradients = pa.grad(loss_of)(params, x)
    found = trained(pa.optim.adam(0.01, eps=0.0), 1)
    for n, p in params.items():
        np.testing.assert_allclose(p - found[n], 0.01 * np.sign(gradients[n]), rtol=1e-12)


def test_element_types_stay() -> None:
    falling = pa.optim.adam(lambda count: 0.1 * (1 - count // 2 / 3))  # a quotient of integers is float64
    for rule in (pa.optim.adamw(0.1), pa.optim.sgd(0.1, 0.5), falling, pa.optim.sgd(lambda count: 0.1 / (count + 1))):
        assert {p.dtype for p in trained(rule, 2, "float32").values()} == {np.dtype("float32")}


@pytest.mark.parametrize("norm", [1e-3, 1.0, 1e6])
def test_gradients_are_no_longer_than_a_norm(norm: float) -> None:
    params, x = given()
    gradients = pa.grad(loss_of)(params, x)
    length = np.sqrt(sum((g * g).sum() for g in gradients.values()))
    clipping = pa.optim.clip_by_global_norm(norm)
    found, _ = pa.jit(lambda g: clipping.update(g, clipping.init(g), None))(gradients)
    for n, g in gradients.items():
        np.testing.assert_allclose(found[n], g * min(1.0, norm / length), rtol=1e-12)


def test_rates_that_change() -> None:
    params, x = given()
    changing, fixed = pa.optim.sgd(lambda count: 0.1 * (count + 1)), pa.optim.sgd(0.1)
    once = trained(fixed, 1)
    gradient = pa.grad(loss_of)(once, x)
    twice = trained(changing, 2)
    for n in params:
        np.testing.assert_allclose(twice[n], once[n] - 0.2 * gradient[n], rtol=1e-12)


def test_params_that_decay_are_asked_for() -> None:
    optimiser = pa.optim.adamw(0.1)
    with pytest.raises(CallError, match="update needs the params"):
        optimiser.update({"w": 1.0}, optimiser.init({"w": 1.0}), None)


def test_complex_parameters() -> None:
    """Steps go along the conjugate of the gradient, df/dx - i df/dy; Adam is told what to do."""
    z, optimiser = np.array([1.0 + 2.0j, -0.5j]), pa.optim.sgd(0.1, momentum=0.5)

    @pa.jit
    def step(z: Any, state: Any) -> Any:
        along = pnp.conj(pa.grad(lambda z: pnp.sum(abs(z - 1j) ** 2))(z))
        updates, state = optimiser.update(along, state, z)
        return pa.optim.apply_updates(z, updates), state

    state = optimiser.init(z)
    for _ in range(60):
        z, state = step(z, state)
    np.testing.assert_allclose(z, 1j, atol=1e-6)
    np.testing.assert_allclose(pa.jit(pa.optim.global_norm)({"a": np.array([3j, 4.0])}), 5.0)
    with pytest.raises(pa.DTypeError, match=r"\.real and \.imag"):
        pa.optim.adam(0.1).init(z)
