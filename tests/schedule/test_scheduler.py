"""The shape of default schedules: which loops, in which order, around which statements."""

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import islpy as isl
import pytest

from polyad.ir.affine import Affine
from polyad.schedule.choose import fusion
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.state.equalities import single_dim
from polyad.schedule.strategies import ALL, Strategies
from tests.counted_calls import calls_made
from tests.programs import program
from tests.schedule.samples import SAMPLES

LOOPS = replace(ALL, contraction=False, share=False)
"""Everything but the macro-kernel: all statements have loops of their own or of each other."""


def tree(name: str, strategies: Strategies = ALL) -> str:
    return default_schedule(program(SAMPLES[name]), strategies).tree()


def loops_around(text: str, statement: str) -> list[str]:
    """The loops around a statement in a drawn tree, outermost first."""
    stack: list[tuple[int, str]] = []
    for line in text.splitlines():
        indent = re.match(r"[ │├└─]*", line).end()  # type: ignore[union-attr]  # matches every line
        stack = [(i, w) for i, w in stack if i < indent]
        words = line[indent:]
        if words.startswith(f"{statement}["):
            return [w for _, w in stack]
        stack.append((indent, words))
    raise AssertionError(f"{statement} is not in the tree")


def test_lstm_gradient() -> None:
    text = tree("lstm_gradient")
    assert text.split("loss_init")[1] == LSTM_GRADIENT_BACKWARD
    # In both recurrences each thread has its part of the batch for all steps; the adjoint's time is reversed.
    for statement in ("Shu", "Sz", "Si", "Sc", "Sh"):
        assert loops_around(text, statement)[:2] == ["share for b", "for t"]
    for statement in ("c_bar_tc", "z_bar_i", "h_bar_u"):
        assert loops_around(text, statement)[:2] == ["share for b", "for t (reversed)"]
    # Inside of a step the contraction is over the whole part, and so are the gates, which have one loop.
    assert loops_around(text, "Shu")[2:] == ["contraction for b", "for n", "for j"]
    assert loops_around(text, "h_bar_u")[2:] == ["contraction for b", "for j", "for n"]
    assert loops_around(text, "Sh")[2:] == ["for b", "simd for k"]
    assert text.count("Si[t, b, k]") == 1 and loops_around(text, "Si") == loops_around(text, "Sh")
    # The input projection and the gradients of x, W, U are one contraction each over all steps.
    assert loops_around(text, "Sxw") == ["contraction for t", "for b", "for n", "for i"]
    assert loops_around(text, "W_bar_x") == ["contraction for n", "for i", "for t", "for b"]
    assert loops_around(text, "U_bar_h") == ["contraction for n", "for j", "for t", "for b"]
    assert loops_around(text, "x_bar_w") == ["contraction for t", "for b", "for i", "for n"]


LSTM_GRADIENT_BACKWARD = """[]
parts for t
└─ for b
   └─ simd for k
      └─ Sl[t, b, k]
parallel for t
└─ for b
   └─ simd for k
      └─ h_bar_init[t, b, k]
parallel for t
└─ for b
   └─ simd for k
      └─ h_bar_l[t, b, k]
share for b
└─ for t (reversed)
   ├─ for b
   │  └─ simd for k
   │     └─ c_bar_init[t, b, k]
   ├─ for b
   │  └─ simd for k
   │     ├─ c_bar_tc[t, b, k]
   │     ├─ c_bar_c[t, b, k]
   │     ├─ z_bar_i[t, b, k]
   │     ├─ z_bar_f[t, b, k]
   │     ├─ z_bar_g[t, b, k]
   │     └─ z_bar_o[t, b, k]
   └─ contraction for b
      └─ for j
         └─ for n
            └─ h_bar_u[t, b, j, n]
parallel for n
└─ simd for i
   └─ W_bar_init[n, i]
contraction for n
└─ for i
   └─ for t
      └─ for b
         └─ W_bar_x[n, i, t, b]
parallel for n
└─ simd for j
   └─ U_bar_init[n, j]
contraction for n
└─ for j
   └─ for t
      └─ for b
         └─ U_bar_h[n, j, t, b]
parallel for n
└─ b_bar_init[n]
for t
└─ jam 8 for b
   └─ simd for n
      └─ b_bar_z[n, t, b]
parallel for t
└─ for b
   └─ simd for i
      └─ x_bar_init[t, b, i]
contraction for t
└─ for b
   └─ for i
      └─ for n
         └─ x_bar_w[t, b, i, n]
"""


def test_lstm_gradient_in_loops() -> None:
    text = tree("lstm_gradient", LOOPS)
    assert text.split("loss_init")[1] == LSTM_GRADIENT_BACKWARD_IN_LOOPS
    # The batch is parallel and outermost in both recurrences; the adjoint's time is reversed.
    for statement in ("Shu", "Sz", "Si", "Sc", "Sh"):
        assert loops_around(text, statement)[:2] == ["parallel for b", "for t"]
    for statement in ("c_bar_tc", "z_bar_i", "h_bar_u"):
        assert loops_around(text, statement)[:2] == ["parallel for b", "for t (reversed)"]
    # The input projection and the gradients of x, W, U, b have loops of their own.
    assert loops_around(text, "Sxw") == ["parallel for t", "jam 4 for b", "jam 4 for n", "simd for i"]
    blocks = ["parallel for n (tiles of 16)", "for t (tiles of 8)", "jam 4 for n"]
    assert loops_around(text, "W_bar_x") == [*blocks, "lanes for i", "for t", "for b"]
    assert loops_around(text, "U_bar_h") == [*blocks, "lanes for j", "for t", "for b"]
    blocks = ["parallel for t", "for n (tiles of 256)", "jam 4 for b"]
    assert loops_around(text, "x_bar_w") == [*blocks, "lanes for i", "for n"]
    # One loop over the gates, one over the contraction with its identity and its sum.
    assert text.count("Si[t, b, k]") == 1 and loops_around(text, "Si") == loops_around(text, "Sh")
    assert loops_around(text, "hu_init") == loops_around(text, "Sz")
    assert loops_around(text, "Sz") == ["parallel for b", "for t", "jam 8 for n"]


LSTM_GRADIENT_BACKWARD_IN_LOOPS = """[]
parts for t
└─ for b
   └─ simd for k
      └─ Sl[t, b, k]
parallel for t
└─ for b
   └─ simd for k
      └─ h_bar_init[t, b, k]
parallel for t
└─ for b
   └─ simd for k
      └─ h_bar_l[t, b, k]
parallel for b
└─ for t (reversed)
   ├─ simd for k
   │  └─ c_bar_init[t, b, k]
   ├─ simd for k
   │  ├─ c_bar_tc[t, b, k]
   │  ├─ c_bar_c[t, b, k]
   │  ├─ z_bar_i[t, b, k]
   │  ├─ z_bar_f[t, b, k]
   │  ├─ z_bar_g[t, b, k]
   │  └─ z_bar_o[t, b, k]
   └─ jam 8 for n
      └─ simd for j
         └─ h_bar_u[t, b, j, n]
parallel for n
└─ simd for i
   └─ W_bar_init[n, i]
parallel for n (tiles of 16)
└─ for t (tiles of 8)
   └─ jam 4 for n
      └─ lanes for i
         └─ for t
            └─ for b
               └─ W_bar_x[n, i, t, b]
parallel for n
└─ simd for j
   └─ U_bar_init[n, j]
parallel for n (tiles of 16)
└─ for t (tiles of 8)
   └─ jam 4 for n
      └─ lanes for j
         └─ for t
            └─ for b
               └─ U_bar_h[n, j, t, b]
parallel for n
└─ b_bar_init[n]
for t
└─ jam 8 for b
   └─ simd for n
      └─ b_bar_z[n, t, b]
parallel for t
└─ for b
   └─ simd for i
      └─ x_bar_init[t, b, i]
parallel for t
└─ for n (tiles of 256)
   └─ jam 4 for b
      └─ lanes for i
         └─ for n
            └─ x_bar_w[t, b, i, n]
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "matvec",
            "parallel for i (tiles of 8)\n└─ jam 8 for i\n   ├─ y_init[i]\n   └─ simd for k\n      └─ S[i, k]\n",
        ),
        ("conv", "parallel for i\n├─ y_init[i]\n└─ for k\n   └─ S[i, k]\n"),
        ("cumsum", "S0[i]\nprefix 256 for i\n└─ S1[i]\n"),
        ("columns", "parallel for k\n└─ first[k]\nfor t\n└─ simd for k\n   └─ S[t, k]\n"),
        ("gather", "loss_init[]\nparts for t\n└─ simd for j\n   └─ S[t, j]\n"),
        (
            "matmul_dot",
            "parallel for i\n└─ simd for j\n   └─ C_init[i, j]\n"
            "contraction for i\n└─ for j\n   └─ for k\n      └─ C_upd[i, j, k]\n"
            "parallel for i\n└─ simd for j\n   └─ S[i, j]\n",
        ),
        ("transposed", "parallel for i/q\n└─ for j/p\n   ├─ S[i, j]\n   └─ R[p, q]\n"),
        ("nested", "first[]\nfor t\n├─ begin[t]\n├─ for k\n│  └─ step[t, k]\n└─ end[t]\n"),
        ("retimed", "p0[]\nprefix 256 for t (P 1 later)\n├─ Q[t]\n└─ P[t]\nq0[]\n"),
        (
            "forward_substitution",
            "for i\n├─ acc_init[i]\n├─ simd for j\n│  └─ A[i, j]\n└─ X[i]\n",
        ),
    ],
)
def test_small_trees(name: str, expected: str) -> None:
    assert tree(name) == expected


def test_a_wavefront_is_one_skewed_loop_around_a_vector_loop() -> None:
    assert loops_around(tree("dtw"), "Sij") == ["for i + j", "simd for j"]


def test_a_contraction_in_loops_is_joined_by_what_shares_all_loops_of_its_result() -> None:
    assert tree("matmul_dot", LOOPS) == (
        "parallel for i (tiles of 4)\n└─ jam 4 for i\n   └─ jam 4 for j\n      ├─ C_init[i, j]\n"
        "      ├─ simd for k\n      │  └─ C_upd[i, j, k]\n      └─ S[i, j]\n"
    )


FUNCTION_OF_SUMS = """
program sums: [N, M] -> { : N >= 1 and M >= 1 }
  input     A: float64[N, M]
  input     x: float64[M]
  temporary s: float64[N]
  output    y: float64[N]
  Z: [N, M] -> { Z[i] : 0 <= i < N }
      s[i] = 0.0
  S: [N, M] -> { S[i, k] : 0 <= i < N and 0 <= k < M }
      s[i] += A[i, k] * x[k]
  Y: [N, M] -> { Y[i] : 0 <= i < N }
      y[i] = BODY
"""


def test_functions_of_sums_run_in_vectors_of_their_own() -> None:
    """A function beside jammed rows of sums would be computed row by row; arithmetic may be."""
    function = default_schedule(program(FUNCTION_OF_SUMS.replace("BODY", "tanh(s[i])"))).tree()
    assert loops_around(function, "S")[-3:] == ["parallel for i (tiles of 8)", "jam 8 for i", "simd for k"]
    assert loops_around(function, "Y") == ["parallel for i"], "smooth, and so a vector loop, too"
    plain = default_schedule(program(FUNCTION_OF_SUMS.replace("BODY", "s[i] + 1.0"))).tree()
    assert loops_around(plain, "Y")[-1] == "jam 8 for i"


CHOSEN = """
program chosen: [N] -> { : N >= 1 }
  input     ids: int64[N]
  input     x: float64[N]
  temporary g: float64[N]
  output    y: float64[N]
  G: [N] -> { G[i] : 0 <= i < N }
      g[i] = x[READ] * 2.0
  Y: [N] -> { Y[i] : 0 <= i < N }
      y[i] = BODY
"""


def test_functions_run_in_vectors_beside_what_data_choose() -> None:
    """No vector reads elements that are tested one by one; arithmetic may go along, and so may what is not chosen."""
    for read, body, around in (
        ("ids[i]", "tanh(g[i])", ["simd for i"]),
        ("ids[i]", "g[i] + 1.0", []),
        ("i", "tanh(g[i])", []),
    ):
        text = default_schedule(program(CHOSEN.replace("READ", read).replace("BODY", body))).tree()
        assert (text.count("for i") == 2) == bool(around), text


def test_two_sequential_loops_are_one_permutable_band() -> None:
    s = default_schedule(program(SAMPLES["dtw"]), replace(ALL, wavefront=False, prefix=False))
    assert loops_around(s.tree(), "Sij") == ["for i", "for j"]
    band = 'schedule: "[N, M] -> [{ Sij[i, j] -> [(i)] }, { Sij[i, j] -> [(j)] }]"'
    lines = [line.strip() for line in str(s).splitlines()]
    assert lines[lines.index(band) + 1] == "permutable: 1"


def test_a_recurrence_that_needs_skewing_gets_it_from_isl() -> None:
    assert loops_around(tree("skewed"), "S") == ["for i + j", "simd for j"]


def test_stencil_is_parallel_inside_of_time() -> None:
    assert loops_around(tree("heat"), "S") == ["region for t", "parallel for i", "simd for j"]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_program_gives_the_same_schedule(name: str) -> None:
    assert str(default_schedule(program(SAMPLES[name]))) == str(default_schedule(program(SAMPLES[name])))


@pytest.mark.slow
def test_schedules_do_not_depend_on_the_process() -> None:
    code = (
        "from polyad.schedule.scheduler import default_schedule\n"
        "from tests.programs import program\n"
        "from tests.schedule.samples import SAMPLES\n"
        "print(default_schedule(program(SAMPLES['lstm_gradient'])))"
    )
    root = Path(__file__).parents[2]
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1 and texts != {""}


@pytest.mark.parametrize("name", [n for n in SAMPLES if n not in ("heat", "skewed")])
def test_generated_loops_test_nothing(name: str) -> None:
    p = program(SAMPLES[name])
    ast = isl.AstBuild.from_context(p.context).node_from_schedule(default_schedule(p).isl)
    text = ast.to_C_str()
    assert "if (" not in text and "floord" not in text, text


def _chain(n: int) -> str:
    lines = ["program chain: [N, M] -> { : N >= 1 and M >= 1 }", "  input a0: float64[N, M]"]
    lines += [f"  temporary a{i}: float64[N, M]" for i in range(1, n)] + [f"  output a{n}: float64[N, M]"]
    for i in range(1, n + 1):
        lines += [
            f"  S{i}: [N, M] -> {{ S{i}[i, j] : 0 <= i < N and 0 <= j < M }}",
            f"      a{i}[i, j] = sin(a{i - 1}[i, j])",
        ]
    return "\n".join(lines)


def test_pointwise_chains_share_all_loops() -> None:
    text = default_schedule(program(_chain(8))).tree()
    assert text.count("for") == 2 and loops_around(text, "S8") == ["parallel for i", "simd for j"]


def test_the_work_of_scheduling_grows_about_linearly() -> None:
    def work(statements: int) -> int:
        p = program(_chain(statements))
        return calls_made(lambda: default_schedule(p))

    assert work(80) < 5 * work(20)


def test_who_joins_a_growing_cluster_is_asked_only_what_may_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each join of a loop that was written out asked for the loops of all statements that were joined before."""
    asked = 0

    def counted(row: Affine, dims: Sequence[str]) -> tuple[str, int] | None:
        nonlocal asked
        asked += 1
        return single_dim(row, dims)

    monkeypatch.setattr(fusion, "single_dim", counted)
    found = []
    for statements in (10, 40):
        default_schedule(program(_chain(statements)))
        found.append(asked)
        asked = 0
    assert found[1] < 6 * found[0], found


def test_scheduling_the_lstm_gradient_does_not_blow_up() -> None:
    p = program(SAMPLES["lstm_gradient"])
    assert calls_made(lambda: default_schedule(p)) < 1_000_000
