"""Expressions that nest deeper than Python calls do are refused in words."""

from typing import Any

import pytest

import polyad as pa


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
