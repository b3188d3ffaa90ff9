"""Values that programs of C loop nests keep: dear functions for the gradient, and one step of a border."""

import pytest

import polyad as pa
from polyad.ir.expr import Read
from polyad.pet.c_program import from_c
from tests.pet.corpus import CASES
from tests.pet.extracted import NEEDS_PET

pytestmark = NEEDS_PET


@pytest.mark.parametrize(("name", "function", "times"), [("soft_dtw", "exp(", 3), ("adbench_lstm", "tanh(", 3)])
@pytest.mark.quick_cases(1)
def test_gradients_evaluate_dear_functions_no_more_often(name: str, function: str, times: int) -> None:
    """A derivative rule that uses the result finds it stored."""
    case = CASES[name]
    made = from_c(case.path)
    assert str(made.program).count(function) == times
    assert str(made.grad(case.of, case.wrt).program).count(function) == times


def test_borders_go_from_step_to_step() -> None:
    """An element of a border is read from the input once, and then from the step before."""
    program = from_c(CASES["heat_3d"].path).program
    for array in ("A_1", "B_1"):
        start, border, inside = (s for s in program.statements if s.array == array)
        assert [r.array for r in start.reads()] == [array[0]]
        (read,) = border.reads()
        assert isinstance(border.body, Read) and read.array == array
        assert "[a0, a1, a2, a3] -> " + array + "[(-1 + a0), (a1), (a2), (a3)]" in str(read.access)
        assert all(r.array in {"A_1", "B_1", "c"} for r in inside.reads())


def test_steps_before_the_last_are_forgotten() -> None:
    kernel = pa.compile(from_c(CASES["heat_3d"].path), target="c")
    few, many = (kernel.memory_plan(steps=steps, n=20).total_bytes for steps in (5, 500))
    assert few == many < 5 * 8 * 20**3
