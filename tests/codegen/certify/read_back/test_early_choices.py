"""Elements that data choose are read early only behind the tests of their own indices."""

from typing import Any

import pytest

import polyad as pa
from polyad.codegen.certify.read_back.terms import unchecked

INDEX, OTHER = ("element", "p", "i"), ("element", "q", "i")
CHOSEN = ("element", "a", INDEX)
NESTED = ("element", "a", ("element", "p", OTHER))


def inside(*indices: Any) -> Any:
    calls = tuple(("call", "f_inside", ((index, "int64_t"), ("n", ""), ("&status", "int *"))) for index in indices)
    return calls[0] if len(calls) == 1 else ("&&", calls)


@pytest.mark.parametrize(
    "term",
    [
        ("if", inside(INDEX), CHOSEN, 0.0),
        ("if", inside(INDEX, OTHER), CHOSEN, 0.0),
        ("*", ("if", inside(INDEX), CHOSEN, 0.0), 2.0),
    ],
)
def test_elements_behind_their_tests(term: Any) -> None:
    assert CHOSEN not in unchecked(term)


@pytest.mark.parametrize(
    "term",
    [
        CHOSEN,
        ("if", inside(OTHER), CHOSEN, 0.0),  # another index is tested
        ("if", ("compare", "<", INDEX, 3), CHOSEN, 0.0),  # no test of the kernel
        ("if", ("call", "outside", ((INDEX, "int64_t"),)), CHOSEN, 0.0),
        ("if", inside(INDEX), 0.0, CHOSEN),  # the side where the test says no
        ("+", ("if", inside(INDEX), CHOSEN, 0.0), CHOSEN),
    ],
)
def test_elements_that_stand_free(term: Any) -> None:
    assert CHOSEN in unchecked(term)


def test_indices_of_indices_are_looked_at() -> None:
    assert ("element", "p", OTHER) in unchecked(("if", inside(("element", "p", OTHER), OTHER), NESTED, 0.0))


def test_a_condition_and_a_side_that_read_one_checked_element() -> None:
    x, at = pa.placeholder((4,), "x", "float64"), pa.placeholder((3,), "at", "float64")
    chosen = x[pa.numpy.argsort(at)]
    y = pa.numpy.where(chosen > 0.0, pa.numpy.where(chosen > 1.0, chosen * 2.0, chosen), 0.0)
    certificate = pa.compile(y, [x, at], target="c").certify()
    assert certificate.text is not None and certificate.text.statements
