"""Statements that join the loop of a prefix scan: the loops of the schedule, and the results of the kernels."""

import re

import pytest

from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.transforms.passes.initialise import initialise
from tests.codegen.test_prefix import check

# A value that needs its whole history later, as a gradient does.
FORWARD = """
program forward: [T] -> { : T >= 1 }
  input     x: float64[T]
  input     a: float64[2]
  temporary e: float64[T]
  output    h: float64[T + 1]
  temporary y: float64[T]
  output    loss: float64[3]
  H0: [T] -> { H0[] }
      h[0] = 0.5
  E: [T] -> { E[t] : 0 <= t < T }
      e[t] = exp(x[t])
  H: [T] -> { H[t] : 0 <= t < T - 1 }
      h[t + 1] = a[0] * h[t] + e[t]
  HT: [T] -> { HT[] }
      h[T] = 0.0
  Y: [T] -> { Y[t] : 0 <= t < T }
      y[t] = log(h[t] * h[t] + 1.0)
  L: [T] -> { L[t] : 0 <= t < T }
      loss[0] += y[t] + e[t]
  L1: [T] -> { L1[t] : 0 <= t < T }
      loss[1] += h[t]
  L2: [T] -> { L2[t] : 0 <= t < T }
      loss[2] += x[t] * h[t]
"""

# The first state is computed from what the scan reads; time runs backwards.
FIRST = """
program first: [T] -> { : T >= 1 }
  input     x: float64[T]
  input     r: float64[T]
  temporary e: float64[T]
  output    h: float64[T]
  output    y: float64[T]
  E: [T] -> { E[t] : 0 <= t < T }
      e[t] = exp(x[t])
  H0: [T] -> { H0[t] : t = T - 1 }
      h[t] = e[t]
  H: [T] -> { H[t] : 0 <= t < T - 1 }
      h[t] = h[t + 1] + e[t]
  Y: [T] -> { Y[t] : 0 <= t < T }
      y[t] = r[t] * h[t]
"""


def tree(text: str) -> str:
    """The default schedule, after its proof."""
    program = initialise(parse_program(text))
    schedule = default_schedule(program)
    schedule.check(program)
    return schedule.tree()


def runs_with(drawn: str, *names: str) -> bool:
    """Whether statements share one outermost loop."""
    groups = [re.findall(r"(\w+)\[", part) for part in re.split(r"\n(?=\w)", drawn)]
    return any(set(names) <= set(group) for group in groups)


def test_producers_consumers_and_sums_join() -> None:
    drawn = tree(FORWARD)
    assert runs_with(drawn, "H", "E", "Y", "L", "L1", "L2")
    text = check(FORWARD)
    assert "pa_scan_decay_up_f64" in text
    # One vector loop with a variable for each sum; y and e live within a step.
    assert "reduction(+ : loss_sum, loss_sum_1, loss_sum_2)" in text
    assert "double y = pa_log_f64" in text and "e_kept[t - t_0] = e;" in text


def test_the_first_state_joins_with_what_it_reads() -> None:
    drawn = tree(FIRST)
    assert runs_with(drawn, "H", "E", "H0", "Y")
    assert "pa_scan_sum_down_f64" in check(FIRST)


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("e[t] = exp(x[t])", "e[t] = exp(x[T - 1 - t])", "E"),  # against the order of memory
        ("loss[1] += h[t]", "loss[1] += h[T - 1 - t]", "L1"),  # needs all states
        ("log(h[t] * h[t] + 1.0)", "log(h[t] * h[T] + 1.0)", "Y"),  # needs what follows the loop
    ],
)
def test_what_is_out_of_step_stays_outside(old: str, new: str, name: str) -> None:
    drawn = tree(FORWARD.replace(old, new).replace("h[T] = 0.0", "h[T] = h[T - 1]"))
    assert not runs_with(drawn, "H", name)
    check(FORWARD.replace(old, new))


@pytest.mark.parametrize(
    "body",
    [
        "tanh(a[0] * h[t]) + e[t]",
        "a[0] * h[t] * h[t] + e[t]",
        "select(gt(x[t], 0.0), h[t], 0.0) * a[0] + e[t]",  # a state that is cut off is no product with 0
    ],
)
def test_other_recurrences_stay_alone(body: str) -> None:
    """They run step by step: what joined them would lose its vectors."""
    drawn = tree(FORWARD.replace("a[0] * h[t] + e[t]", body))
    assert not runs_with(drawn, "H", "Y") and "prefix" not in drawn


def test_short_scans_stay_as_they_are() -> None:
    drawn = tree(FORWARD.replace("T >= 1", "T = 40"))
    assert not runs_with(drawn, "H", "Y")
