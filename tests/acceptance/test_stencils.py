"""Stencils: right at all sizes, and with the structure that makes them fast."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from tests.acceptance import stencils

CASES: dict[str, tuple[Callable[[], Any], Callable[..., Any], int, int]] = {
    "heat-pad": (lambda: stencils.heat("float64", "pad"), stencils.heat_in_torch, 2, 2),
    "heat-select": (lambda: stencils.heat("float64", "select"), stencils.heat_in_torch, 2, 2),
    "wave": (lambda: stencils.wave("float64"), stencils.wave_in_torch, 3, 2),
    "wave-step": (lambda: stencils.wave_step("float64"), stencils.wave_step_in_torch, 3, 3),
}


@pytest.fixture(scope="module")
def kernels() -> Callable[[str], pa.Kernel]:
    known: dict[str, pa.Kernel] = {}

    def kernel(name: str) -> pa.Kernel:
        if name not in known:
            outputs, inputs = CASES[name][0]()
            known[name] = pa.compile(outputs, inputs, name=name.replace("-", "_"))
        return known[name]

    return kernel


# Both time steps of a wave in one kernel take as long to compile as the others together.
QUICK_OR_SLOW = [pytest.param(c, marks=pytest.mark.slow) if c in ("wave", "heat-pad") else c for c in CASES]


@pytest.mark.parametrize("steps", [1, 2, 5])
@pytest.mark.parametrize("size", [3, 4, 5, 6, 11])
@pytest.mark.torch
@pytest.mark.parametrize("case", QUICK_OR_SLOW)
@pytest.mark.quick_cases(2)
def test_values_and_gradients(case: str, size: int, steps: int, kernels: Callable[[str], pa.Kernel]) -> None:
    _, function, rank, wrt = CASES[case]
    kernel = kernels(case)
    rng = np.random.default_rng(size)
    count = 4 if case == "wave-step" else 3
    inputs = [0.2 * rng.normal(size=(size,) * rank) for _ in range(count)]
    found = kernel(*inputs, **({} if case == "wave-step" else {"T": steps}))
    for got, wanted in zip(found, stencils.gradients(function, steps, inputs, wrt), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-11, atol=1e-13)


def vector_loops(source: str) -> list[str]:
    """The innermost vector loops of a C text, head and body."""
    return re.findall(r"PA_SIMD\w*(?:\([^\n]*\))?\n( *)for (.*?)\n\1\}", source, re.DOTALL)


@pytest.mark.parametrize("case", QUICK_OR_SLOW)
@pytest.mark.quick_cases(1)
def test_no_branch_in_a_vector_loop(case: str, kernels: Callable[[str], pa.Kernel]) -> None:
    loops = vector_loops(kernels(case).source)
    assert loops
    for _, text in loops:
        head, *body = text.split("\n")
        assert not re.search(r"pa_(min|max)|\?", head)
        code = re.sub(r"/\*.*?\*/", "", "\n".join(body), flags=re.DOTALL)
        assert not re.search(r"\bif\b|\?|\bfor\b|pa_(min|max)_i64", code)
