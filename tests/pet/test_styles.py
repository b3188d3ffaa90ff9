"""C as others write it: what it computes, its derivatives, and libraries with its gradient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.ad.names import adjoint_of, tangent_of
from polyad.pet.c_program import CProgram
from polyad.semantics.verify import verify
from tests.pet.cases_styles import STYLE_CASES
from tests.pet.extracted import NEEDS_PET
from tests.pet.style import STYLES, Style, central_differences, program, reference
from tests.pet.test_programs import PLAIN, evaluated, given

pytestmark = NEEDS_PET

QUICK = {"dot", "axpy", "act", "scale"}
EVERY = pytest.mark.parametrize(
    "style", [pytest.param(s, id=s.name, marks=[pytest.mark.slow] * (s.name not in QUICK)) for s in STYLE_CASES]
)
SLOW = pytest.mark.parametrize("style", STYLE_CASES, ids=[s.name for s in STYLE_CASES])


def test_every_file_has_a_case() -> None:
    assert {path.stem for path in STYLES.glob("*.c")} == {style.name for style in STYLE_CASES}


def expect(found: Mapping[str, Any], expected: Mapping[str, Any], tolerance: float, what: object) -> None:
    for name, right in expected.items():
        np.testing.assert_allclose(
            np.reshape(found[name], np.shape(right)), right, rtol=tolerance, atol=tolerance, err_msg=f"{name}: {what}"
        )


def seeded(style: Style, made: CProgram, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments with cotangents where outputs are no numbers, and the weight of each output's elements."""
    rng = np.random.default_rng([7, *style.name.encode()])
    after = reference(style, arguments)
    weights = {n: rng.normal(size=np.shape(after[n])).astype(after[n].dtype) for n in style.of}
    bars = {adjoint_of(n): w for n, w in weights.items() if adjoint_of(n) in made.inputs}
    return {**arguments, **bars}, {n: w if adjoint_of(n) in bars else np.ones_like(w) for n, w in weights.items()}


@EVERY
def test_values_and_derivatives(style: Style) -> None:
    made = program(style)
    verify(made.program)
    backwards, forwards = made.grad(style.of, style.wrt), made.tangent(style.of, style.wrt)
    tolerance = 2e-4 if style.single else 1e-10
    for seed, sizes in enumerate((style.sizes, *style.edges)):
        arguments = style.arguments(seed, sizes)
        expect(evaluated(made, arguments), reference(style, arguments), tolerance, sizes)
        every, weights = seeded(style, backwards, arguments)
        adjoints = evaluated(backwards, every)
        wanted = {adjoint_of(n): central_differences(style, n, arguments, weights) for n in style.wrt}
        expect(adjoints, wanted, 4e-3 if style.single else 2e-6, sizes)
        rng = np.random.default_rng(5)
        directions = {tangent_of(n): rng.normal(size=np.shape(arguments[n])) for n in style.wrt}
        tangents = evaluated(forwards, {**arguments, **directions})
        left = sum(float(np.vdot(w, tangents[tangent_of(n)])) for n, w in weights.items())
        terms = [np.ravel(adjoints[adjoint_of(n)]) * np.ravel(directions[tangent_of(n)]) for n in style.wrt]
        scale = max(1.0, sum(float(np.abs(t).sum()) for t in terms))
        assert abs(left - sum(float(t.sum()) for t in terms)) <= (1e-3 if style.single else 1e-11) * scale


@pytest.mark.slow
@SLOW
def test_kernels(style: Style) -> None:
    """In the order of the C text bit for bit, in another one to rounding; gradients as the equations say."""
    made = program(style)
    derivative = made.grad(style.of, style.wrt)
    plain = pa.compile(made, target=PLAIN, schedule=made.schedule)
    kernel, backwards = pa.compile(made), pa.compile(derivative)
    for seed, sizes in enumerate((style.sizes, *style.edges)):
        arguments = style.arguments(seed, sizes)
        expected = reference(style, arguments)
        inputs, extents = given(made, arguments)
        found = plain(**inputs, **extents)
        if style.exact:
            for name, right in expected.items():
                np.testing.assert_array_equal(np.reshape(found[name], right.shape), right, f"{name}: {sizes}")
        else:
            expect(found, expected, 1e-5 if style.single else 1e-12, sizes)
        expect(kernel(**inputs, **extents), expected, 2e-4 if style.single else 1e-9, sizes)
        every, _ = seeded(style, derivative, arguments)
        inputs, extents = given(derivative, every)
        expect(backwards(**inputs, **extents), evaluated(derivative, every), 2e-4 if style.single else 1e-9, sizes)
