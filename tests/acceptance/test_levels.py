"""`Target(optimize=0..3)`: no level changes a result, but for rounding, and no number of threads changes a bit."""

from collections.abc import Sequence

import numpy as np
import pytest

import polyad as pa
from polyad.schedule.strategies import LEVELS, Strategies
from tests.acceptance.compiled_checks import (
    TOLERANCE,
    WHICH,
    Case,
    Compiled,
    Values,
    check,
    check_slope,
    check_value,
    inputs_of,
)
from tests.acceptance.native_batch import NativeBatch
from tests.acceptance.structured import STRUCTURED

QUICK = ("RNN", "attention", "conv1d", "triangular product", "heat")
SLOW = (
    "soft-DTW",
    "LSTM",
    "GRU",
    "RNN with checkpoints",
    "LSTM with checkpoints",
    "stacked LSTM",
    "nested scans",
    "GARCH",
    "HMM",
    "conv2d strided",
    "conv2d dilated",
    "embedding",
    "products",
    "linear recurrence",
    "Gauss-Seidel",
    "triangular solve",
    "maxima",
)
FILLED = [
    *((title, "float32") for title in ("LSTM", "RNN", "soft-DTW", "attention", "conv2d strided", "heat", "HMM")),
    *((title, "float64") for title in ("LSTM", "triangular product")),
]
"""One of each kind: every one takes five compilations with optimisation."""
TITLES = [*QUICK, *(pytest.param(title, marks=pytest.mark.slow) for title in SLOW)]


def at_level(case: Case, level: int, compiler_level: int, which: Sequence[str] = WHICH) -> Compiled:
    batch = NativeBatch(compiler_level, Strategies.at_level(level))
    result = Compiled.add(case, batch, which)
    batch.build()
    return result


def case_of(title: str, dtype: str) -> Case:
    outputs, inputs = STRUCTURED[title].make(dtype)
    return Case.of_tensors(title, outputs, inputs)


@pytest.mark.parametrize("level", LEVELS[:-1])  # test_identities.py has the highest
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.quick_cases(1)
def test_every_level(title: str, level: int) -> None:
    """Values, garbage, threads, the identity and central differences, at minimal and odd sizes."""
    case, sizes = at_level(case_of(title, "float64"), level, 0), STRUCTURED[title].sizes
    for seed, at in enumerate(sizes):
        check(case, at, seed)
    check_value(case, sizes[1])
    if STRUCTURED[title].smooth:
        check_slope(case, sizes[1])


@pytest.mark.slow
@pytest.mark.parametrize(("title", "dtype"), FILLED)
def test_levels_agree_where_blocks_fill(title: str, dtype: str) -> None:
    """Gradients at sizes of several vectors, as users compile them, against float64 without any optimisation."""
    reference = at_level(case_of(title, "float64"), 0, 1, ["back"])
    case = case_of(title, dtype)
    levels = [at_level(case, level, max(level, 1), ["back"]) for level in LEVELS]  # -O0 would take most of the time
    assert reference.back is not None
    for grown in (1, 19):
        sizes = {n: v + grown for n, v in STRUCTURED[title].sizes[-1].items()}
        values = {n: a * 0.3 if a.dtype.kind == "f" else a for n, a in random_inputs(case, sizes).items()}
        wide = {n: a.astype("float64") if a.dtype.kind == "f" else a for n, a in values.items()}
        expected = reference.batch.run(reference.back[0], wide, sizes)
        for level, compiled in zip(LEVELS, levels, strict=True):
            found = compiled.run("back", values, sizes)
            for name, bar in expected.items():
                allowed = 50 * TOLERANCE[dtype] * np.max(np.abs(bar), initial=0.0)
                text = f"{name} of {title} at {sizes}, optimize={level}"
                np.testing.assert_allclose(found[name], bar, rtol=0, atol=allowed, err_msg=text)


def random_inputs(case: Case, sizes: dict[str, int]) -> Values:
    """Of the gradient, its seeds included."""
    return inputs_of(case.back, case.back.inputs, sizes, seed=0)


def test_targets_choose_the_level() -> None:
    """Kernels of different levels are different kernels, also in the cache, with equal results."""
    N, K = pa.sizes("N K")
    A, x = pa.placeholder((N, K), "A", "float64"), pa.placeholder((K,), "x", "float64")
    loss = pa.tanh(A @ x).sum()
    kernels = [pa.compile(pa.grad(loss, [A, x]), [A, x], target=pa.Target(optimize=level)) for level in LEVELS]
    assert "for" in kernels[0].source and "PA_SIMD" not in kernels[0].source and "PA_PARALLEL" not in kernels[0].source
    assert "PA_SIMD" in kernels[1].source
    rng = np.random.default_rng(0)
    values = rng.normal(size=(5, 3)), rng.normal(size=3)
    for kernel in kernels[1:]:
        for found, expected in zip(kernel(*values), kernels[0](*values), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-14)
