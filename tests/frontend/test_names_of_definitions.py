"""Definitions are called what the program text calls them, and their dimensions after the sizes."""

from typing import Any

import pytest

import polyad as pa
from polyad import numpy as pn
from polyad.frontend.axis_hints import axis_hints
from polyad.frontend.compiled import program_of

T, B, H = pa.sizes("T B H")
X = pa.placeholder((T, B, H), "x")


def doubled(x: pa.Tensor) -> Any:
    return x * 2


def doubled_in_two_steps(x: pa.Tensor) -> Any:
    result = x * 2
    return result


def statements(*outputs: pa.Tensor) -> set[str]:
    """The names that generated code uses."""
    program, _ = program_of(list(outputs), None, "test")
    return {s.name for s in program.statements}


def test_the_operation_that_is_assigned_has_the_name() -> None:
    z = pa.exp(X) * 2
    assert z.name == "z"
    assert statements(z) == {"z", "exp"}


def test_functions_pass_the_question_on() -> None:
    direct = doubled(X)
    stored = doubled_in_two_steps(X)
    turned = X.T
    part = X[0]
    best = X.max(axis=0)
    assert [t.name for t in (direct, stored, turned, part, best)] == ["direct", "stored", "turned", "part", "best"]


def test_unpacked_parts_have_their_names() -> None:
    first, second = pn.split(pn.concatenate([X, X]), 2)
    assert (first.name, second.name) == ("first", "second")


def test_an_annotated_or_augmented_variable_is_a_variable() -> None:
    total: pa.Tensor = X + 1
    total += X
    assert total.name == "total"
    assert statements(total) == {"total", "total_1"}


@pytest.mark.parametrize(
    ("shape", "names"),
    [
        ((T, B, H), ["t", "b", "h"]),
        ((4 * H, H), ["h", "i"]),
        ((T + 1, 3, 5), ["t", "i", "j"]),
        ((T + B,), ["i"]),
        ((pa.sizes("n"), pa.sizes("IN")), ["i", "j"]),
    ],
)
def test_dimensions_are_the_small_letters_of_sizes(shape: tuple[Any, ...], names: list[str]) -> None:
    assert axis_hints(pn.dimensions.extents(pa.placeholder(shape, "y"))) == names
