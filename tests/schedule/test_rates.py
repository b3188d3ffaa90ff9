"""Recurrences whose statements run at different rates, and those in which many statements are a wrong start."""

import pytest

import polyad as pa
from polyad.errors import ScheduleError
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.passes import prepare
from polyad.schedule.nests import nest
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.state.problem import Problem
from polyad.schedule.tree.nodes import Node
from tests.programs import program
from tests.schedule.execution import violations

# The adjoint of a scan of which every second state is read: its pieces count by k for step 2 k (and 2 k + 1).
EVERY_SECOND = """
program every_second: {{ : }}
  temporary a: float64[{n}]
  temporary c: float64[{n} + 1]
  output    x: float64[{n}]
  {odd}: {{ {odd}[t] : 0 <= 2t + 1 < {n} }}
      a[2 * t + 1] = c[2 * t + 2]
  {even}: {{ {even}[t] : 0 <= 2t < {n} }}
      a[2 * t] = c[2 * t + 1] + 1.0
  {carry}: {{ {carry}[t] : 0 <= t < {n} }}
      c[t] = 0.5 * a[t]
  last: {{ last[t] : t = {n} }}
      c[t] = 0.0
  S: {{ S[t] : 0 <= t < {n} }}
      x[t] = a[t]
"""


def check(p: Program) -> None:
    s = default_schedule(p)
    s.check(p)
    assert not violations(p, s, {})


@pytest.mark.parametrize("n", [3, 4, 5, 9])
@pytest.mark.parametrize("names", ["A B C", "C B A", "B C A"])
def test_a_loop_that_breaks_no_cycle_is_given_up(n: int, names: str) -> None:
    # -t in step for all is legal between few instances, and leaves the cycle inside.
    odd, even, carry = names.split()
    check(program(EVERY_SECOND.format(n=n, odd=odd, even=even, carry=carry)))


def test_gradients_of_losses_on_some_states() -> None:
    """In text without lines, as `python -c` has it: what intermediates are called decides nothing."""
    text = "pa.numpy.sum(pa.scan(lambda h, v: (0.5 * h + v,) * 2, x[0], x)[1]{0})"
    parts = ("[::2]", "[1::2]", "[::3]")
    for n in (3, 4):
        total = eval("lambda x: " + " + ".join(text.format(p) for p in parts), {"pa": pa})
        x = pa.placeholder((n,), "x", "float64")
        gradient, _ = program_of(pa.grad(total(x), [x]), [x], "gradient")
        prepared = prepare(gradient)
        default_schedule(prepared).check(prepared)


def test_wrong_starts_leave_enough_to_search_from_the_right_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seventeen statements in one cycle; those with the fewest loops run in one iteration of the loop looked for."""
    monkeypatch.setattr("polyad.schedule.order.recurrence.isl_rows", None)  # it would take minutes
    monkeypatch.delenv("POLYAD_VERIFY")

    def step(u: pa.Tensor, _: None) -> tuple[pa.Tensor, None]:
        inside = 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        return pa.numpy.pad(inside, ((1, 1), (1, 1))), None

    x = pa.placeholder((4, 5), "x", "float64")
    last, _ = pa.scan(step, x, None, length=3, checkpoint=pa.checkpoint.every(2))
    gradient, _ = program_of(pa.grad(pa.numpy.sum(last**2), [x]), [x], "gradient")
    prepared = prepare(gradient)
    default_schedule(prepared).check(prepared)


def test_segments_that_are_kept_are_told(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    asked: list[bool] = []

    def nested(problem: Problem) -> Node:
        asked.append(any(e.kind == "memory" for e in problem.edges))
        if asked[-1]:
            raise ScheduleError("no order of execution was found")
        return nest(problem)

    monkeypatch.setattr("polyad.schedule.scheduler.nest", nested)
    x = pa.placeholder((4,), "x", "float64")
    last, _ = pa.scan(lambda h, v: (pa.sin(h) * v, None), x[0], x, checkpoint=pa.checkpoint.every(2))
    gradient, _ = program_of(pa.grad(last, [x]), [x], "gradient")
    with caplog.at_level("WARNING", logger="polyad"):
        default_schedule(prepare(gradient))
    assert asked == [True, False] and "gradient: segments cannot run one at a time" in caplog.text
