from dataclasses import replace

import pytest

from polyad.errors import ScheduleError
from polyad.schedule.order.groups import clusters_of
from polyad.schedule.order.isl_rows import isl_rows
from polyad.schedule.order.recurrence import Loop, recurrence_loops
from polyad.schedule.state.cycles import is_cyclic
from polyad.schedule.state.problem import Problem, problem_of
from polyad.schedule.strategies import ALL, Strategies
from tests.programs import program
from tests.schedule.samples import SAMPLES


def recurrences(name: str, strategies: Strategies = ALL) -> list[Problem]:
    problem = problem_of(program(SAMPLES[name]), strategies)
    return [problem.only(c.names) for c in clusters_of(problem) if c.recurrence]


def rows(loop: Loop) -> dict[str, str]:
    return {n: str(r) for n, r in loop.rows.items()}


def test_acyclic_statements_are_no_recurrence() -> None:
    assert recurrences("matvec") == []
    assert not is_cyclic(problem_of(program(SAMPLES["matmul_dot"])).only(["C_upd"]))


def test_adjoint_runs_backwards_without_being_told() -> None:
    _, adjoint = recurrences("lstm_gradient")
    batch, time = recurrence_loops(adjoint)
    assert batch.coincident and set(rows(batch).values()) == {"b"}
    assert not time.coincident and set(rows(time).values()) == {"-t"}


def test_loops_of_two_dimensions_are_permutable() -> None:
    (dtw,) = recurrences("dtw", replace(ALL, wavefront=False))
    first, second = recurrence_loops(dtw)
    assert (rows(first), rows(second)) == ({"Sij": "i"}, {"Sij": "j"})
    assert first.permutable and not first.coincident and not second.coincident


def test_statements_are_retimed_by_constants() -> None:
    (both,) = recurrences("retimed")
    (loop,) = recurrence_loops(both)
    assert rows(loop) == {"P": "t + 1", "Q": "t"}


def test_distances_need_not_be_constant() -> None:
    (solve,) = recurrences("forward_substitution")
    assert [rows(loop) for loop in recurrence_loops(solve)] == [{"A": "i", "X": "i"}]


def test_isl_is_asked_where_no_single_dimension_will_do() -> None:
    (skewed,) = recurrences("skewed")
    assert [rows(loop) for loop in recurrence_loops(skewed)] == [{"S": "i + j"}]


def test_isl_rows_agree_with_ours_on_time() -> None:
    _, adjoint = recurrences("lstm_gradient")
    found = isl_rows(adjoint)
    assert {str(r) for row in found for r in row.values()} == {"b", "-t"}


def test_a_search_that_is_cut_off_is_an_error_and_isl_recovers(monkeypatch: pytest.MonkeyPatch) -> None:
    (skewed,) = recurrences("skewed")
    with monkeypatch.context() as patch:
        patch.setattr("polyad.isl_scheduler.OPERATIONS", 10)
        assert isl_rows(skewed) == []
        with pytest.raises(ScheduleError, match="no order of execution was found for the recurrence of S"):
            recurrence_loops(skewed)
    assert [rows(loop) for loop in recurrence_loops(skewed)] == [{"S": "i + j"}]
