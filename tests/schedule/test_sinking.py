from dataclasses import replace

import numpy as np
import pytest

import polyad as pa
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.transforms.passes.initialise import initialise
from tests.programs import program
from tests.schedule.execution import violations
from tests.schedule.samples import LSTM_FORWARD
from tests.schedule.test_scheduler import LOOPS, loops_around, tree

LEAPFROG = """
program leapfrog: [T, N] -> { : T >= 6 and N >= 1 }
  input     g: float64[N]
  input     c: float64[N]
  input     w: float64[T + 1, N]
  temporary w_bar: float64[T + 1, N]
  output    c_bar: float64[N]
  output    u_bar: float64[N]
  A: [T, N] -> { A[i] : 0 <= i < N }
      w_bar[T, i] = g[i]
  B: [T, N] -> { B[i] : 0 <= i < N }
      w_bar[T - 1, i] = c[i] * w_bar[T, i]
  R: [T, N] -> { R[t, i] : 1 <= t <= T - 2 and 0 <= i < N }
      w_bar[t, i] = c[i] * w_bar[t + 1, i] - w_bar[t + 2, i]
  Z: [T, N] -> { Z[i] : 0 <= i < N }
      w_bar[0, i] = -w_bar[2, i]
  C: [T, N] -> { C[i, t] : 1 <= t <= T and 0 <= i < N }
      c_bar[i] += w_bar[t, i] * w[t - 1, i]
  U: [T, N] -> { U[i] : 0 <= i < N }
      u_bar[i] = w_bar[0, i] + w_bar[1, i]
"""
"""The adjoint of w[t] = c w[t - 1] - w[t - 2]: its first two steps and its last one stand outside of the recurrence."""


def test_a_forward_scan_takes_its_projection_and_its_outputs_in() -> None:
    for name in ("lstm_forward", "lstm_last"):
        text = tree(name, LOOPS)
        assert loops_around(text, "xw_init") == ["parallel for b", "for t", "jam 8 for n"]
        assert loops_around(text, "Sxw") == [*loops_around(text, "xw_init"), "simd for i"]
        # One contraction a step, over each thread's part of the batch, where contractions are made.
        assert loops_around(tree(name), "xw_init") == ["share for b", "for t", "for b", "simd for n"]
        assert loops_around(tree(name), "Sxw") == ["share for b", "for t", "contraction for b", "for n", "for i"]
    assert loops_around(tree("lstm_forward", LOOPS), "Sy") == ["parallel for b", "for t", "simd for k"]
    assert loops_around(tree("lstm_forward"), "Sy") == ["share for b", "for t", "for b", "simd for k"]
    # The last state is read after the scan: that keeps one slot, not the history.
    assert loops_around(tree("lstm_last"), "Sy") == ["parallel for b", "simd for k"]


def test_a_stored_history_keeps_everything_outside() -> None:
    # Sl sums over the batch, so it cannot join the parallel loop: the states are stored, and the projection stays out.
    for name in ("lstm", "lstm_gradient"):
        text = tree(name, LOOPS)
        assert loops_around(text, "Sl") == ["parts for t", "for b", "simd for k"]
        assert loops_around(text, "Sxw") == ["parallel for t", "jam 4 for b", "jam 4 for n", "simd for i"]
        assert loops_around(tree(name), "Sl") == ["parts for t", "for b", "simd for k"]
        assert loops_around(tree(name), "Sxw") == ["contraction for t", "for b", "for n", "for i"]


def test_a_second_reader_of_the_projection_keeps_it_outside() -> None:
    text = LSTM_FORWARD.replace(
        "  output    ys: float64[T, B, H]", "  output    ys: float64[T, B, H]\n  output    copy: float64[B, 4*H]"
    )
    text += "  Copy: [T, B, I, H] -> { Copy[b, n] : 0 <= b < B and 0 <= n < 4H }\n      copy[b, n] = xw[0, b, n]\n"
    drawn = default_schedule(program(text), LOOPS).tree()
    assert loops_around(drawn, "Sxw") == ["parallel for t", "jam 4 for b", "jam 4 for n", "simd for i"]
    assert loops_around(drawn, "Sy") == ["parallel for b", "for t", "simd for k"]
    drawn = default_schedule(program(text)).tree()
    assert loops_around(drawn, "Sxw") == ["contraction for t", "for b", "for n", "for i"]
    assert loops_around(drawn, "Sy") == ["share for b", "for t", "for b", "simd for k"]


def test_without_a_batch_the_loss_joins_the_scan() -> None:
    text = """
program rnn: [T, H] -> { : T >= 1 and H >= 1 }
  input     x: float64[T, H]
  input     h0: float64[H]
  temporary h: float64[T + 1, H]
  output    loss: float64[]
  S0: [T, H] -> { S0[k] : 0 <= k < H }
      h[0, k] = h0[k]
  S: [T, H] -> { S[t, k] : 0 <= t < T and 0 <= k < H }
      h[t + 1, k] = tanh(h[t, k] + x[t, k])
  loss_init: [T, H] -> { loss_init[] }
      loss[] = 0.0
  L: [T, H] -> { L[t, k] : 1 <= t <= T and 0 <= k < H }
      loss[] += h[t, k]
"""
    drawn = default_schedule(program(text)).tree()
    assert loops_around(drawn, "L")[0] == "for t (L 1 earlier)" == loops_around(drawn, "S")[0]
    assert drawn.count("for t") == 1


def test_identities_move_in_beside_their_contributions() -> None:
    text = tree("lstm_gradient")
    assert loops_around(text, "c_bar_init")[:2] == ["share for b", "for t (reversed)"]
    assert loops_around(tree("lstm_gradient", LOOPS), "c_bar_init")[:2] == ["parallel for b", "for t (reversed)"]
    # h_bar gets contributions before the recurrence too: its identity has to be there first.
    assert loops_around(text, "h_bar_init") == ["parallel for t", "for b", "simd for k"]


def test_what_sums_begin_with_moves_in_beside_them() -> None:
    """A product over all steps keeps the states; the sums of a step need no more memory than a step has."""
    text = """
program rnn: [T, H] -> { : T >= 1 and H >= 1 }
  input     b: float64[T + 1, H]
  input     U: float64[H, H]
  temporary z: float64[T + 1, H]
  temporary h: float64[T + 1, H]
  output    y: float64[H, H]
  S0: [T, H] -> { S0[k] : 0 <= k < H }
      h[0, k] = b[0, k]
  Z: [T, H] -> { Z[t, k] : 1 <= t <= T and 0 <= k < H }
      z[t, k] = b[t, k]
  R: [T, H] -> { R[t, k, j] : 1 <= t <= T and 0 <= k < H and 0 <= j < H }
      z[t, k] += U[k, j] * h[t - 1, j]
  S: [T, H] -> { S[t, k] : 1 <= t <= T and 0 <= k < H }
      h[t, k] = tanh(z[t, k])
  Y: [T, H] -> { Y[k, j, t] : 1 <= t <= T and 0 <= k < H and 0 <= j < H }
      y[k, j] += h[t, k] * h[t - 1, j]
"""
    drawn = default_schedule(initialise(program(text))).tree()
    assert loops_around(drawn, "Y")[0] != "for t"
    assert loops_around(drawn, "Z")[0] == loops_around(drawn, "R")[0] == "for t"
    dear = text.replace("z[t, k] = b[t, k]", "z[t, k] = exp(tanh(b[t, k]))")
    drawn = default_schedule(initialise(program(dear))).tree()
    assert loops_around(drawn, "Z")[0] == "parallel for t"  # in one large loop, as the input's part of gates is


def test_weight_gradients_without_a_batch_are_products_outside_of_the_scan() -> None:
    """Inside, each step would write all of W_bar; the states are stored for that, and x_bar is one product too."""
    text = """
program rnn: [T, H] -> { : T >= 1 and H >= 1 }
  input     z_bar_in: float64[T, H]
  input     x: float64[T, H]
  input     W: float64[H, H]
  temporary z_bar: float64[T + 1, H]
  output    W_bar: float64[H, H]
  output    x_bar: float64[T, H]
  S0: [T, H] -> { S0[k] : 0 <= k < H }
      z_bar[0, k] = 1.0
  S: [T, H] -> { S[t, k] : 0 <= t < T and 0 <= k < H }
      z_bar[t + 1, k] = tanh(z_bar[t, k]) * z_bar_in[t, k]
  W_bar_init: [T, H] -> { W_bar_init[j, k] : 0 <= j < H and 0 <= k < H }
      W_bar[j, k] = 0.0
  D: [T, H] -> { D[j, k, t] : 0 <= t < T and 0 <= j < H and 0 <= k < H }
      W_bar[j, k] += z_bar[t + 1, j] * x[t, k]
  x_bar_init: [T, H] -> { x_bar_init[t, k] : 0 <= t < T and 0 <= k < H }
      x_bar[t, k] = 0.0
  X: [T, H] -> { X[t, k, j] : 0 <= t < T and 0 <= j < H and 0 <= k < H }
      x_bar[t, k] += z_bar[t + 1, j] * W[j, k]
"""
    drawn = default_schedule(program(text)).tree()
    assert loops_around(drawn, "D") == ["contraction for j", "for k", "for t"]
    assert loops_around(drawn, "X") == ["contraction for t", "for k", "for j"]


def test_sums_join_a_scan_that_lacks_a_few_of_their_steps() -> None:
    drawn = default_schedule(initialise(parse_program(LEAPFROG))).tree()
    assert loops_around(drawn, "C")[0] == "for t (reversed)" == loops_around(drawn, "R")[0]
    for outside in ("A", "B", "Z", "U"):
        assert "for t (reversed)" not in loops_around(drawn, outside)
    # Where it lacks more, they stay in a loop of their own.
    later = LEAPFROG.replace("1 <= t <= T - 2", "1 <= t <= T - 3").replace("program leapfrog", "program later")
    later = later.replace("  R:", "  D: [T, N] -> { D[i] : 0 <= i < N }\n      w_bar[T - 2, i] = c[i]\n  R:")
    drawn = default_schedule(initialise(parse_program(later))).tree()
    assert loops_around(drawn, "C")[0] != loops_around(drawn, "R")[0]


# x joins a, which then needs all of b; y may not join b any more, which would need all of a.
CROSSWISE = """
program crosswise: [T, B] -> {{ : T >= 1 and B >= 1 }}
  input     u: float64[T, B]
  temporary a: float64[T + 1, B]
  temporary b: float64[T + 1, B]
  output    x: float64[T, B]
  output    y: float64[T, B]
  A0: [T, B] -> {{ A0[i] : 0 <= i < B }}
      a[0, i] = 0.0
  A: [T, B] -> {{ A[t, i] : 0 <= t < T and 0 <= i < B }}
      a[t + 1, i] = tanh(a[t, B - 1 - i] + u[t, i])
  B0: [T, B] -> {{ B0[i] : 0 <= i < B }}
      b[0, i] = 0.0
  B: [T, B] -> {{ B[t, i] : 0 <= t < T and 0 <= i < B }}
      b[t + 1, i] = tanh(b[t, B - 1 - i] - u[t, i])
  X: [T, B] -> {{ X[t, i] : 0 <= t < T and 0 <= i < B }}
      x[t, i] = a[t, i] * {0}
  Y: [T, B] -> {{ Y[t, i] : 0 <= t < T and 0 <= i < B }}
      y[t, i] = b[t, i] * {1}
"""


@pytest.mark.parametrize("through", ["a third", "each other"])
def test_what_has_joined_one_recurrence_counts_for_the_next(through: str) -> None:
    if through == "each other":
        text = CROSSWISE.format("b[T, i]", "a[T, i]")
    else:
        text = CROSSWISE.format("c[i]", "a[T, i]").replace(
            "  output    x", "  temporary c: float64[B]\n  output    x", 1
        )
        text += "  C: [T, B] -> { C[i] : 0 <= i < B }\n      c[i] = sin(b[T, i])\n"
    p = program(text)
    s = default_schedule(p)
    s.check(p)
    assert not violations(p, s, {"T": 3, "B": 2})


TWO_RECURRENCES = """
program gradient: [T] -> { : T >= 3 }
  input     a: float64[T]
  input     b: float64[T]
  input     r: float64[T]
  temporary h: float64[T + 1]
  temporary h_bar: float64[T + 1]
  output    loss: float64[]
  output    a_bar: float64[T]
  output    b_bar: float64[T]
  H0: [T] -> { H0[] }
      h[0] = 0.0
  H: [T] -> { H[t] : 0 <= t < T }
      h[t + 1] = a[t] * h[t] + b[t]
  L: [T] -> { L[t] : 0 <= t < T }
      loss[] += r[t] * h[t + 1]
  G0: [T] -> { G0[] }
      h_bar[T] = 0.0
  G: [T] -> { G[t] : 0 <= t < T }
      h_bar[t] = (h_bar[t + 1] + r[t]) * a[t]
  B: [T] -> { B[t] : 0 <= t < T }
      b_bar[t] = h_bar[t + 1] + r[t]
  A: [T] -> { A[t] : 0 <= t < T }
      a_bar[t] = h[t] * b_bar[t]
"""


@pytest.mark.parametrize("first", ["primal", "adjoint"])
def test_a_reader_of_two_recurrences_joins_the_one_that_needs_it(first: str) -> None:
    """A reads h, and b_bar, an output: in the adjoint's loop it would keep all of h."""
    read = parse_program(TWO_RECURRENCES)
    if first == "adjoint":
        forward = ("H0", "H", "L")
        read = replace(read, statements=tuple(sorted(read.statements, key=lambda s: s.name in forward)))
    text = default_schedule(initialise(read)).tree()
    (scan,) = (part for part in text.split("for t")[1:] if " H[t]" in part)
    assert " A[t]" in scan, text


HEAT = """
program heat: [T, N] -> { : T >= 6 and N >= 6 }
  input     a: float64[N]
  temporary u: float64[T + 1, N]
  output    y: float64[N]
  A: [T, N] -> { A[i] : 0 <= i < N }
      u[0, i] = a[i]
  B: [T, N] -> { B[t] : 0 <= t < T }
      u[t + 1, 0] = 0.0
  C: [T, N] -> { C[t] : 0 <= t < T }
      u[t + 1, N - 1] = 0.0
  U: [T, N] -> { U[t, i] : 0 <= t < T and 1 <= i < N - 1 }
      u[t + 1, i] = u[t, i + 1] + u[t, i - 1]
  Y: [T, N] -> { Y[i] : 0 <= i < N }
      y[i] = u[T, i]
MORE"""


@pytest.mark.parametrize(
    "more",
    [
        "",
        "  output h: float64[T]\n  H: [T, N] -> { H[t] : 0 <= t < T }\n      h[T - 1 - t] = u[t + 1, 0] + u[T, 1]\n",
    ],
    ids=["the last step is read", "all steps are read"],
)
def test_borders_move_in(more: str) -> None:
    """The border of all steps would else be kept, although only the last one is read afterwards."""
    program = parse_program(HEAT.replace("MORE", more))
    schedule = default_schedule(program)
    text = schedule.tree()
    assert loops_around(text, "B")[0] == loops_around(text, "U")[0]
    assert not violations(program, schedule, {"T": 6, "N": 7})


def test_a_stencil_with_borders_of_zeros_keeps_two_steps() -> None:
    """Forward and backward: the workspace does not grow with the number of steps."""

    def f(steps: int) -> int:
        def loss(u: pa.Tensor) -> pa.Tensor:
            def step(u: pa.Tensor, _: None) -> tuple[pa.Tensor, None]:
                near = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
                return pa.numpy.pad(0.5 * u[1:-1, 1:-1] + 0.125 * near, 1), None

            last, _ = pa.scan(step, u, None, length=steps)
            return pa.numpy.sum(last * last)

        u = pa.placeholder((16, 16), "u", "float64")
        value = loss(u)
        kernel = pa.compile([value, *pa.grad(value, [u])], inputs=[u])
        given = np.random.default_rng(0).standard_normal((16, 16))
        kernel.check(given)
        return kernel.code.workspace_bytes({})

    assert f(20) == f(40) < 5 * 16 * 16 * 8
