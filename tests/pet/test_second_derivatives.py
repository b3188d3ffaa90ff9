"""Derivatives of derivatives of C functions: against central differences of the first, and forward against reverse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.ad.names import adjoint_of, tangent_of
from polyad.pet.c_program import from_c
from tests.pet.corpus import CASES, Case
from tests.pet.extracted import NEEDS_PET
from tests.pet.test_programs import agree, evaluated, given, seeded

pytestmark = NEEDS_PET

QUICK = ("trisolv", "gemm", "conv_2d")
SLOW = (
    "cholesky", "durbin", "gramschmidt", "covariance", "jacobi_1d", "fdtd_2d", "nussinov", "floyd_warshall", "soft_dtw",
    "lstm", "gru", "hmm_forward", "american_option", "message_passing",
)  # fmt: skip
STEP = 1e-5


@pytest.fixture(autouse=True)
def unverified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not verify the programs: that is tested elsewhere (test_programs.py)."""
    monkeypatch.setenv("POLYAD_VERIFY", "0")


def first_bar(case: Case) -> str:
    return adjoint_of(case.wrt[0])


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(n, marks=pytest.mark.slow) for n in SLOW)])
@pytest.mark.quick_cases(1)
def test_second_derivatives(name: str) -> None:
    """<w, H d>: by central differences of the gradient, by reverse over reverse, by forward over reverse."""
    case, rng = CASES[name], np.random.default_rng(3)
    gradient = from_c(case.path).grad(case.of, case.wrt)
    reverse, forward = (derive(first_bar(case), case.wrt) for derive in (gradient.grad, gradient.tangent))
    arguments, _ = seeded(case, gradient, case.arguments(0))
    first = evaluated(gradient, arguments)[first_bar(case)]
    (cotangent,) = {*reverse.inputs} - {*gradient.inputs} or {""}
    weights = rng.normal(size=first.shape) if cotangent else np.ones(first.shape)
    along = {n: rng.normal(size=np.shape(arguments[n])) for n in case.wrt}

    def moved(step: float) -> float:
        there = {n: np.asarray(arguments[n]) + step * d for n, d in along.items()}
        return float(np.vdot(weights, evaluated(gradient, {**arguments, **there})[first_bar(case)]))

    given_too: dict[str, Any] = {**arguments, cotangent: weights} if cotangent else arguments
    second = evaluated(reverse, given_too)
    terms = [np.ravel(second[f"{adjoint_of(n)}_1"]) * np.ravel(d) for n, d in along.items()]
    found, scale = sum(float(t.sum()) for t in terms), max(1.0, sum(float(np.abs(t).sum()) for t in terms))
    tangents = evaluated(forward, {**arguments, **{tangent_of(n): d for n, d in along.items()}})
    assert abs(found - float(np.vdot(weights, tangents[tangent_of(first_bar(case))]))) <= 1e-11 * scale
    assert abs(found - (moved(STEP) - moved(-STEP)) / (2 * STEP)) <= 1e-6 * scale
    inputs, sizes = given(reverse, given_too)
    agree(dict(pa.compile(reverse)(**inputs, **sizes)), second, 1e-8, case.sizes)


def test_results_have_names_of_their_own(tmp_path: Path) -> None:
    """The second derivative is a result beside the first, called by Python and in an exported header."""
    case = CASES["trisolv"]
    gradient = from_c(case.path).grad("x", ("L", "b"))
    second = gradient.grad("L_bar", ("L", "b"))
    assert second.outputs == ("x", "L_bar", "b_bar", "L_bar_1", "b_bar_1")
    assert from_c(case.path).tangent("x", "L").tangent("x", "L").outputs == ("x", "x_dot", "x_dot_1")
    assert second.grad("L_bar_1", "b").outputs == (*second.outputs, "b_bar_2")
    second.export(tmp_path, source_only=True)
    assert "double b_bar_1[n]" in (tmp_path / "trisolv_grad_grad.h").read_text()
