import islpy as isl
import pytest

from polyad.ops.program_text import parse_program
from polyad.transforms.passes.eliminate_dead import eliminate_dead
from tests.programs import CONV, CUMSUM, DTW, GATHER, LSTM, MATVEC, program
from tests.transforms.equivalence import assert_same

LAST_STEP = """
program last_step: [T, H] -> { : T >= 1 and H >= 1 }
  input     x: float64[T, H]
  temporary h: float64[T + 1, H]
  temporary dead: float64[T]
  temporary y: float64[T, H]
  temporary e: float64[T, H]
  temporary z: float64[H]
  output    out: float64[H]
  H0: [T, H] -> { H0[k] : 0 <= k < H }
      h[0, k] = 0.0
  H1: [T, H] -> { H1[t, k] : 0 <= t < T and 0 <= k < H }
      h[t + 1, k] = tanh(h[t, k]) + x[t, k]
  D: [T, H] -> { D[t] : 0 <= t < T }
      dead[t] = x[t, 0]
  Y: [T, H] -> { Y[t, k] : 0 <= t < T and 0 <= k < H }
      y[t, k] = exp(h[t + 1, k])
  E: [T, H] -> { E[t, k, j] : 0 <= t < T and 0 <= k < H and 0 <= j < H }
      e[t, k] += y[t, j] * y[t, k]
  Z: [T, H] -> { Z[k] : 0 <= k < H and H < 0 }
      z[k] += e[0, k]
  O: [T, H] -> { O[k] : 0 <= k < H }
      out[k] = e[T - 1, k] + z[k]
"""

# Features do not mix: of the recurrence only feature 0 is needed, at every step.
ONE_FEATURE = """
program one_feature: [T, H] -> { : T >= 1 and H >= 1 }
  input     x: float64[T, H]
  temporary h: float64[T + 1, H]
  output    out: float64[T]
  H0: [T, H] -> { H0[k] : 0 <= k < H }
      h[0, k] = 1.0
  H1: [T, H] -> { H1[t, k] : 0 <= t < T and 0 <= k < H }
      h[t + 1, k] = tanh(h[t, k]) + x[t, k]
  O: [T, H] -> { O[t] : 0 <= t < T }
      out[t] = h[t, 0]
"""

# Step t needs the step before at its neighbours, so that needs spread; the zeros beside all of them are needed by none.
UNREAD = """
program unread: [T, H] -> { : T >= 1 and H >= 1 }
  input     x: float64[H]
  temporary h: float64[T + 1, H + 2]
  output    out: float64[H]
  H0: [T, H] -> { H0[k] : 0 < k <= H }
      h[0, k] = x[k - 1]
  Z: [T, H] -> { Z[t, k] : 0 <= t <= T and k = 0 }
      h[t, k] = 0.0
  R: [T, H] -> { R[t, k] : 0 <= t <= T and k = H + 1 }
      h[t, k] = 0.0
  H1: [T, H] -> { H1[t, k] : 0 <= t < T and 0 < k <= H }
      h[t + 1, k] = tanh(h[t, k]) + h[t, k + 1]
  O: [T, H] -> { O[k] : 0 <= k < H }
      out[k] = h[T, k + 1]
"""

SCATTER = """
program scatter: [N] -> { : N >= 1 }
  input     ids: int64[N]
  input     x: float64[N]
  temporary dx: float64[N]
  temporary y: float64[N, N]
  output    out: float64[]
  A: [N] -> { A[i] : 0 <= i < N }
      dx[i] = x[i] * 2.0
  S: [N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }
      y[ids[i], index(j)] += dx[i] + x[j]
  O: [N] -> { O[] }
      out[] = y[0, 0]
"""


@pytest.mark.parametrize("text", [MATVEC, CONV, CUMSUM, LSTM, DTW, GATHER])
def test_what_is_needed_is_left_alone(text: str) -> None:
    before = program(text)
    assert eliminate_dead(before) is before


@pytest.mark.parametrize("text", [LAST_STEP, ONE_FEATURE, UNREAD, SCATTER])
def test_values_stay(text: str) -> None:
    before = program(text)
    assert_same(before, eliminate_dead(before))


def test_steps_that_only_the_last_output_needs() -> None:
    after = eliminate_dead(program(LAST_STEP))
    assert "dead" not in after.arrays
    for name, dims in (("Y", "t = T - 1 and 0 <= k < H"), ("E", "t = T - 1 and 0 <= k < H and 0 <= j < H")):
        s = after.statement(name)
        expected = f"[T, H] -> {{ {name}[{', '.join(s.dims)}] : T > 0 and {dims} }}"
        assert s.domain.is_equal(isl.Set(expected))
    # The recurrence needs all its steps, though only the last is asked for.
    assert after.statement("H1").domain.is_equal(program(LAST_STEP).statement("H1").domain)


def test_an_empty_sum_is_the_identity() -> None:
    after = eliminate_dead(program(LAST_STEP))
    names = [s.name for s in after.statements]
    assert "Z" not in names and "z_init" in names


def test_needs_of_a_recurrence_are_followed_until_they_settle() -> None:
    after = eliminate_dead(program(ONE_FEATURE))
    h1 = after.statement("H1").domain
    # The last step feeds nobody, and neither does any other feature.
    assert h1.is_equal(isl.Set("[T, H] -> { H1[t, 0] : 0 <= t < T - 1 and H > 0 }"))


def test_constants_that_nothing_reads_go_from_a_recurrence() -> None:
    assert [s.name for s in eliminate_dead(program(UNREAD)).statements] == ["H0", "R", "H1", "O"]


def test_a_scatter_keeps_what_may_reach_a_needed_element() -> None:
    after = eliminate_dead(program(SCATTER))
    s = after.statement("S").domain
    assert s.is_equal(isl.Set("[N] -> { S[i, 0] : 0 <= i < N }"))
    assert after.statement("A").domain.is_equal(program(SCATTER).statement("A").domain)


def test_a_domain_that_stays_whole_needs_all_that_it_reads() -> None:
    """Only even steps of h are read; its domain stays, as it would need a remainder, and so does what odd ones read."""
    before = parse_program(
        """
program parity: [T] -> { : T >= 3 }
  input     x: float64[2 * T]
  temporary h: float64[2 * T]
  temporary g: float64[2 * T]
  output    y: float64[T]
  H0: [T] -> { H0[t] : 0 <= t < 2 }
      h[t] = x[t]
  H: [T] -> { H[t] : 2 <= t < 2 * T }
      h[t] = tanh(h[t - 2]) + g[t]
  G0: [T] -> { G0[t] : 2 <= t < 2 * T and t mod 2 = 0 }
      g[t] = sin(h[t - 2])
  G1: [T] -> { G1[t] : 2 <= t < 2 * T and t mod 2 = 1 }
      g[t] = sin(h[t - 2])
  Y: [T] -> { Y[i] : 0 <= i < T }
      y[i] = h[2 * i]
"""
    )
    assert_same(before, eliminate_dead(before), {"T": 3}, {"T": 5})
