"""Recurrences of which one reads in step what another computes: one loop for both, and one step of it in memory."""

from __future__ import annotations

import pytest

from polyad.codegen.certify.certify import certify
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.schedule.scheduler import default_schedule
from polyad.transforms.passes.initialise import initialise
from tests.programs import program
from tests.schedule.execution import violations

TWO = """
program two: [T, N] -> { : T >= 1 and N >= 1 }
  input     p0: float64[N]
  input     W: float64[N, N]
  temporary p: float64[T + 1, N]
  temporary x: float64[T + 1, N]
  output    y: float64[N]
  P0: [T, N] -> { P0[i] : 0 <= i < N }
      p[0, i] = p0[i]
  P: [T, N] -> { P[t, i] : 1 <= t <= T and 0 <= i < N }
      p[t, i] = tanh(p[t - 1, N - 1 - i])
  X0: [T, N] -> { X0[i] : 0 <= i < N }
      x[0, i] = p0[i]
  X: [T, N] -> { X[t, i] : 1 <= t <= T and 0 <= i < N }
      x[t, i] = tanh(x[t - 1, N - 1 - i] * p[t, i])
  Y: [T, N] -> { Y[i] : 0 <= i < N }
      y[i] = x[T, i]
"""

APART = {
    "the last step first": TWO.replace("p[t, i])\n", "p[T + 1 - t, i])\n"),
    "another recurrence reads all of it": TWO.replace(
        "  output    y: float64[N]",
        "  temporary z: float64[T + 2, N]\n  output    y: float64[N]\n"
        "  Z0: [T, N] -> { Z0[i] : 0 <= i < N }\n      z[T + 1, i] = p0[i]\n"
        "  Z: [T, N] -> { Z[t, i] : 1 <= t <= T and 0 <= i < N }\n      z[t, i] = tanh(z[t + 1, N - 1 - i] * p[t, i])",
    ).replace("y[i] = x[T, i]", "y[i] = x[T, i] + z[1, i]"),
    "a large product between them": TWO.replace(
        "  output    y: float64[N]",
        "  temporary q: float64[T + 1, N]\n  output    y: float64[N]\n"
        "  Q: [T, N] -> { Q[t, i, k] : 1 <= t <= T and 0 <= i < N and 0 <= k < N }\n      q[t, i] += W[k, i] * p[t, k]",
    ).replace("p[t, i])\n  Y", "(q[t, i] + p[t, i]))\n  Y"),
    "single numbers": """
program numbers: [T] -> { : T >= 1 }
  input     p0: float64[]
  temporary p: float64[T + 1]
  temporary x: float64[T + 1]
  output    y: float64[]
  P0: [T] -> { P0[] }
      p[0] = p0[]
  P: [T] -> { P[t] : 1 <= t <= T }
      p[t] = tanh(p[t - 1])
  X0: [T] -> { X0[] }
      x[0] = p0[]
  X: [T] -> { X[t] : 1 <= t <= T }
      x[t] = tanh(x[t - 1]) * p[t]
  Y: [T] -> { Y[] }
      y[] = x[T]
""",
}


def test_one_loop_runs_the_steps_of_both() -> None:
    given = program(TWO)
    plan = plan_kernel(given, default_schedule(given), CodegenOptions())
    assert default_schedule(given).tree().count("for t") == 1
    assert plan.storage.slots["p"][0] <= 2
    certify(plan)


@pytest.mark.parametrize("why", APART)
def test_others_have_loops_of_their_own(why: str) -> None:
    given = initialise(program(APART[why]))
    schedule = default_schedule(given)
    assert schedule.tree().count("for t") > 1
    assert not violations(given, schedule, dict.fromkeys(given.params, 3))
