"""The table of NumPy's types: what it accepts keeps every value, and the rest says what to do."""

import re

import numpy as np
import pytest

from polyad.errors import DTypeError
from polyad.ir.element_types import ACCEPTED, ELEMENT_TYPES, accepted_type, element_type, first_inexact, instead_of


@pytest.mark.parametrize("name", [n for n in ACCEPTED if n != "bfloat16"])
def test_accepted_types_keep_every_value(name: str) -> None:
    given, kept = np.dtype(name), np.dtype(ACCEPTED[name])
    assert ACCEPTED[name] in ELEMENT_TYPES
    assert np.can_cast(given, kept, "safe")
    extremes = np.finfo(given) if given.kind == "f" else np.iinfo(given) if given.kind in "iu" else None
    for value in (extremes.min, extremes.max) if extremes else (False, True):
        assert kept.type(value) == given.type(value)
    assert accepted_type(given.newbyteorder(">")) == ACCEPTED[name]


@pytest.mark.parametrize(
    ("dtype", "cure"),
    [
        (np.uint64, r"y.astype\('int64'\), if all values are below 2\*\*63"),
        (np.complex128, "y.real and y.imag"),
        (object, "lists of different lengths"),
        ("U3", "text is no number"),
        ("M8[s]", r"y.astype\('int64'\)"),
        ([("a", "f4")], "float32, float64, int32"),
    ],
)
def test_other_types_say_what_to_do(dtype: object, cure: str) -> None:
    assert accepted_type(np.dtype(dtype)) is None  # type: ignore[arg-type]
    assert re.search(cure, instead_of(np.dtype(dtype), "y"))  # type: ignore[arg-type]


def test_names_of_element_types() -> None:
    assert element_type(np.float32, "here") == element_type("f4", "here") == "float32"
    assert element_type(bool, "here", "bool") == "bool"
    for wrong, text in (
        ("flaot32", "flaot32"),
        (None, "None"),
        (bool, "bool"),
    ):
        with pytest.raises(DTypeError, match=f"here: element type .*{text}"):
            element_type(wrong, "here")


@pytest.mark.parametrize(
    ("values", "dtype", "position"),
    [
        ([0, 2**53, -(2**53)], "float64", None),
        ([0, 2**53 + 1], "float64", (1,)),
        ([[2**62, -(2**63)], [2**53 + 2, 2**63 - 1]], "float64", (1, 1)),
        ([2**24 + 1], "float32", (0,)),
        ([2**24 + 2], "float32", None),
        ([], "float64", None),
        (2**53 + 1, "float64", ()),
        ([2**53 + 1], "int64", None),
    ],
)
def test_first_inexact_integer(values: object, dtype: str, position: tuple[int, ...] | None) -> None:
    assert first_inexact(np.array(values, np.int64), np.dtype(dtype)) == position


def test_first_inexact_agrees_with_conversion() -> None:
    rng = np.random.default_rng(0)
    for bits in range(50, 63):
        values = rng.integers(-(2**bits), 2**bits, 200)
        found = first_inexact(values, np.dtype("float64"))
        rounded = [n for n, v in enumerate(values) if int(float(v)) != v]
        assert found == ((rounded[0],) if rounded else None)
    assert first_inexact(np.array([2**63, 2**64 - 1], np.uint64), np.dtype("float64")) == (1,)
