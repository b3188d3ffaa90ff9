"""Records go to JSON and come back, by the types of their fields."""

import json
from typing import Any

import pytest

from polyad.codegen.record_json import as_json, from_json
from polyad.codegen.source import Argument, IndexCheck
from polyad.codegen.storage.memory_plan import MemoryPlan, Slot
from polyad.ir.affine import Affine

N = Affine.of("N")
HALF = (3 * N + 1) // 4 * 2 - 5  # a quotient, a coefficient and a constant

RECORDS = [
    HALF,
    Argument("x", "x_", "float32", (N, HALF), False, overwritten=True),
    IndexCheck("table", 0, HALF, "ids[t]", True),
    Slot(("a", "b"), "float64", (), None),
    Slot(("a",), "uint8", (N,), HALF),
    MemoryPlan((Slot(("a",), "bool", (N,), N),), ("c", "d"), {"h": "x"}),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_what_is_written_is_read_back(record: Any) -> None:
    data = json.loads(json.dumps(as_json(record)))
    assert from_json(type(record), data) == record


def test_an_expression_is_names_and_numbers() -> None:
    quotient = {"numerator": {"terms": [["N", 3]], "constant": 1}, "divisor": 4}
    assert as_json(HALF) == {"terms": [[quotient, 2]], "constant": -5}


@pytest.mark.parametrize("data", [{}, None, [], 3, {"arrays": ["a"], "dtype": "bool", "extents": 3, "copies": None}])
def test_what_is_no_record_is_refused(data: Any) -> None:
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        from_json(Slot, data)
