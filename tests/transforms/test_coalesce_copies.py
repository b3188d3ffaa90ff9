import pytest

from polyad.ops.program_text import parse_program
from polyad.transforms.passes.coalesce_copies import coalesce_copies
from tests.programs import CONV, CUMSUM, DTW, GATHER, LSTM, MATVEC, program
from tests.transforms.equivalence import assert_same

SCAN = """
program scan: [T, H] -> { : T >= 1 and H >= 1 }
  input     x: float64[T, H]
  input     h0: float64[H]
  input     U: float64[H, H]
  temporary h: float64[T + 1, H]
  temporary h_new: float64[T, H]
  temporary z: float64[T, H]
  temporary z_copy: float64[T, H]
  temporary l: float64[]
  output    ys: float64[T, H]
  output    loss: float64[]
  H0: [T, H] -> { H0[k] : 0 <= k < H }
      h[0, k] = h0[k]
  H1: [T, H] -> { H1[t, k] : 0 <= t < T and 0 <= k < H }
      h[t + 1, k] = h_new[t, k]
  Z: [T, H] -> { Z[t, k, j] : 0 <= t < T and 0 <= k < H and 0 <= j < H }
      z[t, k] += U[k, j] * h[t, j]
  Z2: [T, H] -> { Z2[t, k] : 0 <= t < T and 0 <= k < H }
      z_copy[t, k] = z[t, k]
  H2: [T, H] -> { H2[t, k] : 0 <= t < T and 0 <= k < H }
      h_new[t, k] = tanh(z_copy[t, k]) + x[t, k]
  Y: [T, H] -> { Y[t, k] : 0 <= t < T and 0 <= k < H }
      ys[t, k] = h_new[t, k]
  L: [T, H] -> { L[k] : 0 <= k < H }
      l[] += h_new[T - 1, k] + 1.0
  O: [T, H] -> { O[] }
      loss[] = l[]
"""

REDUCED_STATE = """
program reduced_state: [T, H] -> { : T >= 1 and H >= 1 }
  input     U: float64[H, H]
  temporary h: float64[H, T + 1]
  temporary h_new: float64[T, H]
  output    y: float64[H]
  H0: [T, H] -> { H0[k] : 0 <= k < H }
      h[k, 0] = 1.0
  N: [T, H] -> { N[t, k, j] : 0 <= t < T and 0 <= k < H and 0 <= j < H }
      h_new[t, k] += U[k, j] * h[j, t]
  H1: [T, H] -> { H1[k, t] : 0 <= t < T and 0 <= k < H }
      h[k, t + 1] = h_new[t, k]
  Y: [T, H] -> { Y[k] : 0 <= k < H }
      y[k] = h[k, T]
"""

# Nobody reads the final state from h, so its copy is dead; the history is read from h_new.
HISTORY = """
program history: [T] -> { : T >= 1 }
  input     x: float64[T]
  temporary h: float64[T + 1]
  temporary h_new: float64[T]
  output    loss: float64[]
  H0: [T] -> { H0[] }
      h[0] = 0.5
  H1: [T] -> { H1[t] : 0 <= t < T - 1 }
      h[t + 1] = h_new[t]
  H2: [T] -> { H2[t] : 0 <= t < T }
      h_new[t] = tanh(h[t] + x[t])
  L: [T] -> { L[t] : 0 <= t < T }
      loss[] += h_new[t] * x[t]
"""

# The last element of h_new has no place of its own in h: it is written, or read as the identity.
NO_ROOM = {
    "short": HISTORY.replace("h: float64[T + 1]", "h: float64[T]"),
    "written": HISTORY.replace("  L:", "  H3: [T] -> { H3[] }\n      h[T] = 2.0\n  L:"),
    "output": HISTORY.replace("  output    loss", "  output    h: float64[T + 1]\n  output    loss").replace(
        "  temporary h: float64[T + 1]\n", ""
    ),
}

# Each copy has a reason to stay: it takes a part only; the target gets more; the types differ.
STAYS = """
program stays: [N] -> { : N >= 2 }
  input     x: float64[N]
  temporary a: float64[N]
  temporary b: float64[N]
  temporary c: float64[N]
  output    part: float64[N]
  output    more: float64[N]
  output    half: float32[N]
  A: [N] -> { A[i] : 0 <= i < N }
      a[i] = sin(x[i])
  P: [N] -> { P[i] : 0 <= i < N - 1 }
      part[i] = a[i]
  P1: [N] -> { P1[i] : i = N - 1 }
      part[i] = 0.0
  B: [N] -> { B[i] : 0 <= i < N }
      b[i] = cos(x[i])
  M: [N] -> { M[i] : 0 <= i < N }
      more[i] = b[i]
  M1: [N] -> { M1[i] : 0 <= i < N - 1 }
      more[i] += b[i + 1]
  C: [N] -> { C[i] : 0 <= i < N }
      c[i] = exp(x[i])
  H: [N] -> { H[i] : 0 <= i < N }
      half[i] = cast_float32(c[i])
"""


@pytest.mark.parametrize("text", [MATVEC, CONV, CUMSUM, LSTM, DTW, GATHER, STAYS])
def test_copies_with_a_reason_stay(text: str) -> None:
    before = program(text)
    assert coalesce_copies(before) is before


@pytest.mark.parametrize("text", [SCAN, REDUCED_STATE])
def test_values_stay(text: str) -> None:
    before = program(text)
    assert_same(before, coalesce_copies(before))


def test_the_step_writes_the_state() -> None:
    after = coalesce_copies(program(SCAN))
    text = str(after)
    assert {"h_new", "z", "l"}.isdisjoint(after.arrays)
    assert "h[t + 1, k] = add(tanh(z_copy[t, k]), x[t, k])" in text
    # The output is a copy of the state, and does not become the state: h may be folded along time, ys may not.
    assert "ys[t, k] = h[t + 1, k]" in text
    assert "loss[] += add(h[T, k], 1.0)" in text


def test_a_reduction_goes_directly_into_a_transposed_state() -> None:
    after = coalesce_copies(program(REDUCED_STATE))
    assert "h[k, t + 1] += mul(U[k, j], h[j, t])" in str(after)
    assert "h_new" not in after.arrays


def test_kept_arrays_stay() -> None:
    assert "h_new" in coalesce_copies(program(SCAN), keep={"h_new"}).arrays


def test_a_dead_copy_of_the_last_state_leaves_its_place() -> None:
    before = program(HISTORY)
    after = coalesce_copies(before)
    assert [s.name for s in after.statements] == ["H0", "H2", "L"]
    assert "h[t + 1] = tanh(add(h[t], x[t]))" in str(after) and "mul(h[t + 1], x[t])" in str(after)
    assert_same(before, after)


@pytest.mark.parametrize("name", sorted(NO_ROOM))
def test_the_place_of_the_last_state_is_taken(name: str) -> None:
    before = program(NO_ROOM[name])
    assert {s.name for s in coalesce_copies(before).statements} == {s.name for s in before.statements}


def test_elements_that_are_not_copied_need_a_place_each() -> None:
    """a[3, 0] and a[3, 1] would both go to h[3], where the copy would take a[3, 0]."""
    before = parse_program(
        """
program rest: [N] -> { : N >= 1 }
  input     x: float64[4, 2]
  temporary a: float64[4, 2]
  temporary h: float64[4]
  output    y: float64[2]
  A: [N] -> { A[i, k] : 0 <= i < 2 and k = 0 }
      a[i, k] = exp(x[i, k])
  B: [N] -> { B[i, k] : i = 3 and 0 <= k < 2 }
      a[i, k] = exp(x[i, k])
  C: [N] -> { C[i] : 0 <= i < 2 }
      h[i] = a[i, 0]
  Y: [N] -> { Y[i] : 0 <= i < 2 }
      y[i] = h[i] + a[3, i]
"""
    )
    assert_same(before, coalesce_copies(before))
    alone = parse_program(str(before).replace("0 <= k <= 1", "k = 0").replace("a[3, i]", "a[3, 0]"))
    after = coalesce_copies(alone)
    assert "a" not in {s.array for s in after.statements}
    assert_same(alone, after)


# H[s + 1] is written nowhere else than from h: as h[s + 1, 0] it would keep all of h for two segments.
LEVELS = """
program levels: [S] -> { : S >= 1 }
  input     x: float64[S, 4]
  temporary H: float64[S]
  temporary h: float64[S, 5]
  output    y: float64[S]
  H0: [S] -> { H0[] }
      H[0] = 1.0
  h0: [S] -> { h0[s] : 0 <= s < S }
      h[s, 0] = H[s]
  h1: [S] -> { h1[s, t] : 0 <= s < S and 0 <= t < 4 }
      h[s, t + 1] = tanh(h[s, t] + x[s, t])
  H1: [S] -> { H1[s] : 0 <= s < S - 1 }
      H[s + 1] = h[s, 4]
  Y: [S] -> { Y[s] : 0 <= s < S }
      y[s] = h[s, 4]
"""


def test_the_state_of_an_outer_loop_stays_apart() -> None:
    before = parse_program(LEVELS)
    after = coalesce_copies(before)
    assert "H" in {s.array for s in after.statements}
    assert_same(before, after, {"S": 3})
    # What starts a recurrence and is none itself is its first state.
    started = parse_program(LEVELS.replace("H[s + 1] = h[s, 4]", "H[s + 1] = x[s, 3]"))
    assert "H" not in {s.array for s in coalesce_copies(started).statements}
