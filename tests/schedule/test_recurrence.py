from dataclasses import replace

import pytest

from polyad.errors import ScheduleError
from polyad.schedule.order.isl_rows import isl_rows
from polyad.schedule.order.joint_recurrences import clusters_of
from polyad.schedule.order.recurrence import RecurrenceLoop, recurrence_loops
from polyad.schedule.state.cycles import is_cyclic
from polyad.schedule.state.problem import Problem, problem_of
from polyad.schedule.strategies import ALL, Strategies
from tests.programs import program
from tests.schedule.samples import SAMPLES


def recurrences(name: str, strategies: Strategies = ALL) -> list[Problem]:
    problem = problem_of(program(SAMPLES[name]), strategies)
    return [problem.only(c.names) for c in clusters_of(problem) if c.recurrence]


def rows(loop: RecurrenceLoop) -> dict[str, str]:
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


def test_what_is_large_is_computed_in_the_step_that_reads_it() -> None:
    """A step earlier would be legal too, and keep the pairs of two steps."""
    (pairs,) = recurrences("pairs")
    (loop,) = recurrence_loops(pairs)
    assert rows(loop) == {"F": "t + 1", "v_init": "t", "V": "t", "P": "t"}


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


# The parts of a state need nothing of each other: a border that goes from step to step, the inside, and what runs at
# small sizes only.
PARTS = """
program parts: [T, N] -> { : T >= 1 and N >= 1 }
  input x: float64[N]
  temporary s: float64[T + 1, N]
  output y: float64[N]
  A: [T, N] -> { A[i] : 0 <= i < N }
      s[0, i] = x[i]
  S: [T, N] -> { S[t, i] : 0 <= t < T and 0 < i < N - 1 and N > 3 }
      s[t + 1, i] = add(s[t, i], 1.0)
  B: [T, N] -> { B[t, i] : 0 <= t < T and N > 3 and i = N - 1 }
      s[t + 1, i] = s[t, i]
  C: [T, N] -> { C[t, i] : 0 <= t < T and N > 3 and i = 0 }
      s[t + 1, i] = mul(s[t, i], 0.5)
  D: [T, N] -> { D[t, i] : 0 <= t < T and N <= 3 and 0 <= i < N }
      s[t + 1, i] = s[t, i]
  Y: [T, N] -> { Y[i] : 0 <= i < N }
      y[i] = s[T, i]
"""


def test_recurrences_of_one_array_that_need_nothing_of_each_other_run_in_one_loop() -> None:
    (found,) = (c for c in clusters_of(problem_of(program(PARTS))) if c.recurrence)
    assert set(found.names) == {"S", "B", "C", "D"}
    assert set(rows(found.loops[0]).values()) == {"t"}


def test_recurrences_of_outputs_stay_apart() -> None:
    text = PARTS.replace("temporary s", "output s")
    assert len([c for c in clusters_of(problem_of(program(text))) if c.recurrence]) == 4
