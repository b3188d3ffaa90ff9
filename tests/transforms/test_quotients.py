"""Quotients and remainders in indices: which statements count by both, and that values stay."""

import pytest

from polyad.ops.program_text import parse_program
from polyad.transforms.passes.boxes.quotients import split_quotients
from tests.transforms.equivalence import assert_same

HEAD = """
program p: [N] -> { : N >= 1 }
  input     x: float64[N, 4]
  input     u: float64[4 * N]
  output    y: float64[4 * N]
"""
SPLIT = {
    "rows": "S: [N] -> { S[j] : 0 <= j < 4 * N }\n      y[j] = x[j // 4, j % 4]",
    "shifted": "S: [N] -> { S[j] : 0 <= j < 4 * N - 2 }\n      y[j] = x[(j + 2) // 4, (j + 2) % 4]\n"
    "  R: [N] -> { R[j] : 4 * N - 2 <= j < 4 * N }\n      y[j] = 0.0",
    "backwards": "S: [N] -> { S[j] : 0 <= j < 4 * N }\n      y[j] = x[(4 * N - 1 - j) // 4, 0] * u[j]",
    "fine and coarse": "S: [N] -> { S[j] : 0 <= j < 4 * N }\n      y[j] = x[j // 4, j % 2] + u[j // 2]",
    "value": "S: [N] -> { S[j] : 0 <= j < 4 * N }\n      y[j] = index(j % 4) * u[j]",
    "part of a row": "S: [N] -> { S[j] : 1 <= j < 4 * N }\n      y[j] = x[j // 4, j % 4]\n"
    "  R: [N] -> { R[j] : j = 0 }\n      y[j] = 0.0",
    "two dimensions": "S: [N] -> { S[j, k] : 0 <= j < 4 * N and 0 <= k < 4 }\n      y[j] += x[(j + k) // 8, 0]",
    "overlapping rows": "S: [N] -> { S[j, k] : 0 <= j < N and 0 <= k < 4 }\n      y[j] += x[(3 * j + k) // 6, 0]",
    "sum": "S: [N] -> { S[j, k] : 0 <= j < 4 * N and 0 <= k < 4 * N }\n      y[j] += x[k // 4, k % 4] * u[j]",
}
KEPT = {
    "recurrence": "S: [N] -> { S[j] : j = 0 }\n      y[j] = x[0, 0]\n"
    "  T: [N] -> { T[j] : 1 <= j < 4 * N }\n      y[j] = y[j - 1] * x[j // 4, j % 4]",
    "in steps": "S: [N] -> { S[j, k] : 0 <= j < 4 * N and 0 <= k < 4 }\n      y[j] += x[(2 * j + 3 * k) // 20, 0]",
    "short rows": "S: [N] -> { S[j, k] : 0 <= j and 0 <= k < 3 and 3 * j + k < 4 * N }\n"
    "      y[3 * j + k] = x[(3 * j + k) // 4, (3 * j + k) % 4]",
}


@pytest.mark.parametrize("name", SPLIT)
def test_what_is_split(name: str) -> None:
    before = parse_program(HEAD + "  " + SPLIT[name] + "\n")
    after = split_quotients(before)
    assert len(after.statements[0].dims) > len(before.statements[0].dims)
    reads = [str(r.access) for s in after.statements for r in s.reads()]
    if name not in ("backwards", "value"):
        assert not any("floor" in r for r in reads), reads
    assert_same(before, after, {"N": 1}, {"N": 3})
    assert split_quotients(after) is after or name == "backwards"


@pytest.mark.parametrize("name", KEPT)
def test_what_stays(name: str) -> None:
    before = parse_program(HEAD + "  " + KEPT[name] + "\n")
    assert split_quotients(before) is before
