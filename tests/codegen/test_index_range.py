"""The range of an index: which need no test, and that words which wrap around say nothing but their type."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.lower import index_range
from polyad.codegen.lower.index_range import Ranges
from polyad.ir.expr import Expr
from polyad.ops import apply, cast, const
from tests.ops.expressions import variable

ALL = 2**32 - 1
U, I, J = variable("x", "uint32"), variable("y", "int32"), variable("x", "int64")


def word(value: int) -> Expr:
    return const(value, "uint32")


CASES: dict[str, tuple[Expr, tuple[int | None, list[int]]]] = {
    "a word": (U, (0, [ALL])),
    "a remainder": (apply("mod", U, word(10)), (0, [9])),
    "less than a remainder": (apply("sub", apply("mod", U, word(10)), word(3)), (0, [ALL])),
    "a wider one": (cast(apply("mod", U, word(10)), "int64"), (0, [9])),
    "a signed one": (cast(apply("mod", U, word(10)), "int32"), (0, [9])),
    "too large a one": (cast(apply("mod", U, word(3 * 10**9)), "int32"), (None, [])),
    "of what may be negative": (cast(apply("minimum", J, const(5, "int64")), "uint32"), (0, [ALL])),
    "of what is negative": (cast(apply("maximum", I, const(-5, "int32")), "uint32"), (0, [ALL])),
    "of what is none": (
        cast(apply("minimum", apply("maximum", I, const(0, "int32")), const(9, "int32")), "uint32"),
        (0, [9]),
    ),
    "a mask": (apply("bitwise_and", I, const(7, "int32")), (0, [7])),
    "a negative mask": (apply("bitwise_and", I, const(-8, "int32")), (None, [])),
    "a shift": (apply("right_shift", I, const(3, "int32")), (None, [])),
}


@pytest.mark.parametrize("name", CASES)
def test_ranges(name: str) -> None:
    expr, (low, highs) = CASES[name]
    found, above = Ranges({}, ()).range(expr)
    assert found == low and [h.constant for h in above] == highs


@pytest.mark.parametrize("name", ["too large a one", "of what is negative"])
def test_a_conversion_that_keeps_every_range_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_range, "limits", lambda dtype: (-(2**63), 2**63))
    with pytest.raises(AssertionError):
        test_ranges(name)


def test_what_is_known_to_be_inside_is_not_tested() -> None:
    x, u = pa.placeholder((10,), "x", "float64"), pa.placeholder((20,), "u", "uint32")

    def checks(index: Any) -> int:
        return len(pa.compile(x[index], [x, u]).code.checks)

    assert checks(u % 10) == checks((u >> 3) % 10) == checks((u % 7).astype("int32")) == checks(u & 7) == 0
    assert checks(u) == checks(u % 10 - 3) == checks(u & 15) == 1
    values, given = np.arange(10.0), np.arange(20, dtype=np.uint32) + 2**31
    assert pa.compile(x[u % 10], [x, u])(values, given).tolist() == values[given % 10].tolist()
    with pytest.raises(pa.CallError, match=r"index out of range.*4294967295"):
        pa.compile(x[u % 10 - 3], [x, u])(values, np.full(20, 12, np.uint32))
