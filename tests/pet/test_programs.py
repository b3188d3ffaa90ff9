"""Loop nests of the corpus as programs: what they compute, their derivatives, the order of the C text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.ad.names import adjoint_of, tangent_of
from polyad.pet.c_program import CProgram, from_c
from polyad.pet.given_by_name import derived_of
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from tests.pet.corpus import CASES, Case, central_differences, output_weights, reference
from tests.pet.extracted import NEEDS_PET

pytestmark = NEEDS_PET

PLAIN = pa.Target("c", optimize=1, march=None, extra_flags=("-ffp-contract=off",))
HEAVY = {"heat_3d", "seidel_2d", "jacobi_2d", "adi", "n_body", "kalman", "lstm", "image_pipeline"}
OWN_FUNCTIONS = {
    "adbench_gmm",
    "adbench_lstm",
    "lstm",
    "lstm_float",
    "attention",
    "hmm_forward",
    "deriche",
}  # they call exp, which polyad has its own of
OF_EACH_KIND = (
    "gemm",
    "trisolv",
    "jacobi_1d",
    "double_buffer",
    "max_pool",
    "newton_if",
    "lotka_volterra",
    "covariance",
)
"""Those that come first: sums, recurrences, stencils, pointers, choices, branches, steps of time, means."""
CASES_BY_WEIGHT = [
    pytest.param(CASES[n], id=n, marks=[pytest.mark.slow] * (n in HEAVY))
    for n in dict.fromkeys([*OF_EACH_KIND, *CASES])
]


@cache
def program(name: str) -> CProgram:
    return from_c(CASES[name].path, CASES[name].function)


@cache
def gradient(name: str) -> CProgram:
    case = CASES[name]
    return program(name).grad(case.of, case.wrt)


def evaluated(made: CProgram, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The results by their names in C, point by point."""
    inputs, sizes = given(made, arguments)
    found = evaluate(made.program, inputs, sizes)
    return {name: found[array] for name, array in made.results.items()}


def given(made: CProgram, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """The inputs, in the shapes that the program has, and the sizes."""
    arguments = {**arguments, **derived_of(made.name, made.function, arguments, {*made.sizes, *made.inputs})}
    sizes = {n: int(arguments[n]) for n in made.sizes}
    shapes = {n: tuple(e.evaluate(sizes) for e in made.program.arrays[n].shape) for n in made.inputs}
    return {n: np.reshape(arguments[n], shape) for n, shape in shapes.items()}, sizes


def agree(found: Mapping[str, Any], expected: Mapping[str, Any], tolerance: float, what: object) -> None:
    for name, value in found.items():
        if name in expected:
            right = np.asarray(expected[name])
            np.testing.assert_allclose(
                np.reshape(value, right.shape), right, rtol=tolerance, atol=tolerance, err_msg=f"{name}: {what}"
            )


def sizes_of(case: Case) -> tuple[Mapping[str, int], ...]:
    return (case.sizes, *case.edges)


def seeded(case: Case, made: CProgram, arguments: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """The arguments with a cotangent, where the output is no number; and the weights of the output's elements."""
    weights = output_weights(case, arguments).astype(arguments[case.of].dtype)
    cotangent = adjoint_of(case.of)
    if cotangent in made.inputs:
        return {**arguments, cotangent: weights}, weights
    return arguments, np.ones(weights.shape)


@pytest.mark.parametrize("case", CASES_BY_WEIGHT)
@pytest.mark.quick_cases(2)
def test_equations_compute_what_c_computes(case: Case) -> None:
    made = program(case.name)
    verify(made.program)
    assert made.schedule is not None
    made.schedule.check(made.program)
    for seed, sizes in enumerate(sizes_of(case)):
        arguments = case.arguments(seed, sizes)
        agree(evaluated(made, arguments), reference(case, arguments), 1e-4 if case.single else 1e-10, sizes)


@pytest.mark.parametrize("case", CASES_BY_WEIGHT)
@pytest.mark.quick_cases(8)
def test_gradients_are_central_differences(case: Case) -> None:
    made = gradient(case.name)
    verify(made.program)
    arguments, weights = seeded(case, made, case.arguments(0))
    found = evaluated(made, arguments)
    plain = {n: a for n, a in arguments.items() if n != adjoint_of(case.of)}
    expected = {adjoint_of(n): central_differences(case, n, plain, weights) for n in case.wrt}
    assert {adjoint_of(n) for n in case.wrt} <= found.keys()
    agree(found, expected, 1e-3 if case.single else 1e-6, case.sizes)


@pytest.mark.parametrize("case", CASES_BY_WEIGHT)
@pytest.mark.quick_cases(4)
def test_reverse_and_forward_mode_agree(case: Case) -> None:
    """<y_bar, J x_dot> = <J' y_bar, x_dot>, to rounding."""
    backwards, forwards = gradient(case.name), program(case.name).tangent(case.of, case.wrt)
    arguments, weights = seeded(case, backwards, case.arguments(1))
    rng = np.random.default_rng(5)
    directions = {tangent_of(n): rng.normal(size=np.shape(arguments[n])) for n in case.wrt}
    adjoints = evaluated(backwards, arguments)
    tangents = evaluated(forwards, {**arguments, **directions})
    left = float(np.vdot(weights, tangents[tangent_of(case.of)]))
    right = sum(float(np.vdot(adjoints[adjoint_of(n)], directions[tangent_of(n)])) for n in case.wrt)
    scale = sum(
        float(np.abs(adjoints[adjoint_of(n)].ravel() * directions[tangent_of(n)].ravel()).sum()) for n in case.wrt
    )
    assert abs(left - right) <= (1e-4 if case.single else 1e-11) * max(scale, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_order_of_c_gives_the_numbers_of_c(case: Case) -> None:
    """Bit for bit, if nothing is contracted and the functions are the same."""
    made = program(case.name)
    kernel = pa.compile(made, target=PLAIN, schedule=made.schedule)
    for seed, sizes in enumerate(sizes_of(case)):
        arguments = case.arguments(seed, sizes)
        found, expected = called(kernel, made, arguments), reference(case, arguments)
        for name, value in found.items():
            if case.name in OWN_FUNCTIONS:
                agree({name: value}, expected, 1e-6 if case.single else 1e-13, sizes)
            else:
                np.testing.assert_array_equal(np.reshape(value, expected[name].shape), expected[name], str(sizes))


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_kernels_compute_values_and_gradients(case: Case) -> None:
    made, derivative = program(case.name), gradient(case.name)
    kernel, backwards = pa.compile(made), pa.compile(derivative)
    tolerance = 1e-4 if case.single else 1e-9
    for seed, sizes in enumerate(sizes_of(case)):
        arguments = case.arguments(seed, sizes)
        agree(called(kernel, made, arguments), reference(case, arguments), tolerance, sizes)
        arguments, _ = seeded(case, derivative, arguments)
        found = called(backwards, derivative, arguments)
        agree(found, evaluated(derivative, arguments), tolerance, sizes)


def called(kernel: pa.Kernel, made: CProgram, arguments: Mapping[str, Any]) -> dict[str, Any]:
    inputs, sizes = given(made, arguments)
    result: dict[str, Any] = kernel(**inputs, **sizes)
    return result


def test_sums_are_sums() -> None:
    """Accumulation chains are reductions, also several in one loop and under conditions."""
    reductions = {n: [s.reduction for s in program(n).statements] for n in ("gemm", "drawdown", "soft_dtw", "lstm")}
    assert reductions["gemm"].count("sum") == 1
    assert "max" in reductions["drawdown"] or "min" in reductions["drawdown"]
    assert all("sum" in found for n, found in reductions.items() if n != "drawdown")
