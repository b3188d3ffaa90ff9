"""Loops of gradients of C functions: what steps alone order is computed along rows, as C computed the values."""

from __future__ import annotations

import pytest

import polyad as pa
from polyad.passes import prepare
from polyad.schedule.order import recurrence
from polyad.schedule.scheduler import default_schedule
from tests.pet.corpus import CASES
from tests.pet.extracted import NEEDS_PET
from tests.schedule.test_scheduler import loops_around

pytestmark = NEEDS_PET

STATEMENTS = {
    "floyd_warshall": ("path_1_bar_2", "path_1_bar_path_1_3_1", "path_1_bar_3", "path_1_bar_path_1_4_1"),
    "gramschmidt": ("A_1_bar_1", "R_3_bar_A_1_1"),
}
"""Case -> statements along whose second loop an array is contiguous."""


def inner_loops(name: str) -> set[str]:
    case = CASES[name]
    program = prepare(pa.from_c(case.path).grad(case.of, case.wrt).program)
    drawn = default_schedule(program).tree()
    found = [loops_around(drawn, n) for n in STATEMENTS[name]]
    assert all("(reversed)" in loops[0] for loops in found)
    return {loops[-1].split(" for ")[0] for loops in found}


@pytest.mark.parametrize("name", STATEMENTS)
@pytest.mark.quick_cases(1)
def test_backward_steps_run_along_rows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert inner_loops(name) == {"simd"}
    monkeypatch.setattr(recurrence, "_BETTER", 0)  # the first loop that leads on, along columns
    assert inner_loops(name) != {"simd"}
