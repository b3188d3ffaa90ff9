"""The functions of the ADBench suite in C, on the data of the suite: losses it states, gradients of PyTorch."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.ad.names import adjoint_of
from polyad.pet.c_program import from_c
from tests.pet.adbench import EXPECTED, gmm_arguments, lstm_arguments, torch_losses
from tests.pet.case import Arguments
from tests.pet.corpus import CASES, reference
from tests.pet.extracted import NEEDS_PET

DATA = {"adbench_lstm": lstm_arguments, "adbench_gmm": gmm_arguments}
EVERY = pytest.mark.parametrize("name", DATA)


def gradients(name: str, arguments: Arguments) -> dict[str, Any]:
    """The loss and its gradient by what the suite differentiates by."""
    case = CASES[name]
    made = from_c(case.path).grad(case.of, case.wrt)
    kernel = pa.compile(made)
    found: dict[str, Any] = kernel(**{n: arguments[n] for n in (*made.inputs, *made.sizes)})
    return found


def expected_gradients(name: str, arguments: Arguments) -> tuple[float, dict[str, Any]]:
    import torch  # here, as importing it takes a second in every process of tests

    loss_of = torch_losses(torch)[name]
    wanted = inspect.signature(loss_of).parameters
    given = {n: torch.tensor(v) if isinstance(v, np.ndarray) else v for n, v in arguments.items() if n in wanted}
    leaves = [given[n].requires_grad_() for n in CASES[name].wrt]
    loss = loss_of(**given)
    found = torch.autograd.grad(loss, leaves)
    return loss.item(), {adjoint_of(n): g.numpy() for n, g in zip(CASES[name].wrt, found, strict=True)}


@EVERY
@pytest.mark.quick_cases(1)
def test_the_c_gives_the_loss_of_the_suite(name: str) -> None:
    np.testing.assert_allclose(reference(CASES[name], DATA[name]())["loss"], EXPECTED[name], rtol=1e-8)


@NEEDS_PET
@pytest.mark.torch
@pytest.mark.slow
@EVERY
def test_losses_and_gradients_on_the_data_of_the_suite(name: str) -> None:
    arguments = DATA[name]()
    found = gradients(name, arguments)
    np.testing.assert_allclose(found["loss"], EXPECTED[name], rtol=1e-8)
    np.testing.assert_allclose(found["loss"], reference(CASES[name], arguments)["loss"], rtol=1e-12)
    expect(found, *expected_gradients(name, arguments))


@NEEDS_PET
@pytest.mark.torch
@pytest.mark.slow
def test_a_mixture_of_many_points() -> None:
    """The suite's file has one point in the plane."""
    arguments = CASES["adbench_gmm"].arguments(3, {"K": 3, "D": 5, "N": 40, "P": 10})
    expect(gradients("adbench_gmm", arguments), *expected_gradients("adbench_gmm", arguments))


@NEEDS_PET
@pytest.mark.slow
@EVERY
def test_gradients_are_differences_of_the_c_along_a_line(name: str) -> None:
    """<gradient, d> by four points of the C function, for a random d: without any other library."""
    case, arguments = CASES[name], DATA[name]()
    rng = np.random.default_rng(7)
    steps = {n: rng.normal(size=np.shape(arguments[n])) for n in case.wrt}

    def loss(h: float) -> float:
        moved = {n: arguments[n] + h * step for n, step in steps.items()}
        return float(reference(case, {**arguments, **moved})["loss"][0])

    h = 3e-4
    slope = (8 * (loss(h) - loss(-h)) - (loss(2 * h) - loss(-2 * h))) / (12 * h)
    found = gradients(name, arguments)
    along = sum(float(np.vdot(found[adjoint_of(n)], step)) for n, step in steps.items())
    np.testing.assert_allclose(along, slope, rtol=1e-8)


def expect(found: dict[str, Any], loss: float, expected: dict[str, Any]) -> None:
    np.testing.assert_allclose(found["loss"], loss, rtol=1e-12)
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-8, atol=1e-8 * np.abs(array).max(), err_msg=name)
