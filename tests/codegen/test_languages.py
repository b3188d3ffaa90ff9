"""Kernels in another language: a target brings passes, strategies and a printer of its own, and nothing else."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.codegen import generate, languages
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.passes import prepare
from polyad.runtime.codegen_options import codegen_options, language_of
from polyad.schedule.scheduler import default_schedule
from polyad.targets.target import TARGETS
from tests.codegen.python_language import NAME, PYTHON, TARGET, function


def recurrence(x: Any, w: Any) -> Any:
    h, _ = pa.scan(lambda h, row: (pa.tanh(w @ h + row), None), x[0], x)
    return pa.numpy.sum(h * h)


def products(x: Any, w: Any) -> Any:
    return pa.numpy.sum(pa.numpy.maximum(x @ w.T, 0.0) @ w)


def running(x: Any, w: Any) -> Any:
    return pa.numpy.sum(pa.numpy.cumsum(x, axis=0) * x) + pa.numpy.max(w)


def written(program: Program, target: pa.Target) -> str:
    """Return a program as a target writes it."""
    prepared = prepare(program, target.strategies, target.machine)
    order = default_schedule(prepared, target.strategies, target.machine)
    return generate.generate(prepared, order, codegen_options(target), language=language_of(target)).c


@pytest.mark.parametrize("loss", [recurrence, products, running], ids=lambda f: f.__name__)
@pytest.mark.quick_cases(1)
def test_gradients_in_python(loss: Callable[[Any, Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(languages.LANGUAGES, NAME, PYTHON)  # type: ignore[arg-type]
    monkeypatch.setitem(TARGETS, NAME, TARGET)
    T, N = pa.sizes("T N")
    x, w = pa.placeholder((T, N), "x", "float64"), pa.placeholder((N, N), "w", "float64")
    value = loss(x, w)
    outputs = [value, *pa.grad(value, [x, w])]
    text = written(program_of(outputs, [x, w], "kernel")[0], pa.Target(NAME))
    assert "for t in range" in text or "for i in range" in text
    rng = np.random.default_rng(1)
    given = rng.normal(size=(5, 3)), rng.normal(size=(3, 3))
    found = [np.full(shape, np.nan) for shape in ((), (5, 3), (3, 3))]
    function(text, "kernel")(*(5, 3), *given, *found)
    for here, there in zip(found, pa.compile(outputs, [x, w], name="kernel")(*given), strict=True):
        np.testing.assert_allclose(here, there, rtol=1e-12)


def test_strategies_are_those_that_a_target_has_a_use_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TARGETS, NAME, TARGET)
    strategies = pa.Target(NAME, optimize=3).strategies
    assert not strategies.parallel and not strategies.region and strategies.order and strategies.circular
    assert not pa.Target(NAME, optimize=0).strategies.order
