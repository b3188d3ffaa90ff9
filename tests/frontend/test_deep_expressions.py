"""Expressions that nest deeper than Python calls do are refused in words."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.ir.expr import size
from tests.frontend.run import value_of


def deep(x: Any, times: int) -> Any:
    for _ in range(times):
        x = pa.sin(x) * 2.0
    return x


def test_the_body_of_a_definition() -> None:
    x = pa.placeholder((3,), "x", "float64")
    with pytest.raises(pa.DefinitionError, match=r"test_deep_expressions.py:\d+: 'y': an expression nests hundreds"):
        pa.compute((3,), lambda i: deep(x[i], 2000), name="y")
    with pytest.raises(pa.DefinitionError, match=r"'r': an expression nests .* pa.scan"):
        pa.recurrence((3,), lambda r, i: pa.select(i == 0, x[0], deep(r[i - 1], 2000)), "r", "float64")


def test_a_recursion_of_the_users_own_stays_one() -> None:
    def endless(i: Any) -> Any:
        return endless(i)

    with pytest.raises(RecursionError):
        pa.compute((3,), endless, name="y")


def test_a_variable_that_is_read_hundreds_of_times() -> None:
    """Its adjoint has as many terms; they do not nest in one expression. y = x a^n + b (1 + a + ... + a^(n - 1))."""
    n = 100
    x, a, b = (pa.placeholder((2,), name, "float64") for name in "xab")
    y = x
    for _ in range(n):
        y = y * a + b
    values = {"x": np.array([1.0, 2.0]), "a": np.array([0.5, 0.99]), "b": np.array([3.0, -1.0])}
    powers = values["a"] ** np.arange(n + 1)[:, None]
    slopes = np.arange(1, n + 1)[:, None] * powers[:-1]
    by_a = values["x"] * slopes[-1] + values["b"] * slopes[:-1].sum(axis=0)
    wanted = [powers[n], by_a, powers[:-1].sum(axis=0)]
    gradient = pa.grad(pa.sum(y), [x, a, b])
    assert max(size(s.body) for s in gradient[1].definition.statements) < 64 * 4
    for found, expected in zip(value_of(gradient, **values), wanted, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-11)
