"""Statements that share loops although no dependence joins them."""

from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import Strategies

FRAMED = """
program framed: [N] -> { : N >= 3 }
  input     x: float64[N, N]
  output    y: float64[N, N]
  output    z: float64[N, N]
  Y: [N] -> { Y[i, j] : 0 < i < N - 1 and 0 < j < N - 1 }
      y[i, j] = x[i, j - 1] + x[i, j + 1]
  L: [N] -> { L[i] : 0 < i < N - 1 }
      y[i, 0] = 0.0
  R: [N] -> { R[i] : 0 < i < N - 1 }
      y[i, N - 1] = 0.0
  T: [N] -> { T[j] : 0 <= j < N }
      y[0, j] = 0.0
  B: [N] -> { B[j] : 0 <= j < N }
      y[N - 1, j] = 0.0
  Z: [N] -> { Z[i, j] : 0 <= i < N and 0 <= j < N }
      z[i, j] = x[i, j] * x[i, j]
"""


def test_pieces_of_an_array_share_the_loops_over_what_they_have_in_common() -> None:
    program = parse_program(FRAMED)
    drawn = default_schedule(program).tree().splitlines()
    rows = next(k for k, line in enumerate(drawn) if line.endswith("parallel for i"))
    inside = drawn[rows + 1 : rows + 5]
    assert [line.split("─ ")[1] for line in inside] == ["simd for j", "Y[i, j]", "L[i]", "R[i]"]
    assert "\n".join(drawn).count("for i") == 2, "readers of one element stay apart outside of other loops"


def test_without_fusion_each_piece_has_loops_of_its_own() -> None:
    drawn = default_schedule(parse_program(FRAMED), Strategies.at_level(0)).tree()
    assert drawn.count("for i") == 4


def moments(count: int) -> str:
    """Sums of the powers of x, and one of another length."""
    lines = ["program moments: [N] -> { : N >= 2 }", "  input     x: float64[N]", "  output    last: float64[]"]
    lines += [f"  output    m{k}: float64[]" for k in range(count)]
    for k in range(count):
        power = " * ".join(["x[i]"] * (k + 1))
        lines += [f"  Z{k}: [N] -> {{ Z{k}[] }}", f"      m{k}[] = 0.0"]
        lines += [f"  M{k}: [N] -> {{ M{k}[i] : 0 <= i < N }}", f"      m{k}[] += {power}"]
    lines += ["  ZL: [N] -> { ZL[] }", "      last[] = 0.0"]
    return "\n".join([*lines, "  L: [N] -> { L[i] : 1 <= i < N }", "      last[] += x[i]"])


def test_sums_of_the_same_elements_share_a_loop() -> None:
    """At most eight of them: more need more registers than there are."""
    for count, loops in ((3, 1), (8, 1), (9, 2)):
        drawn = default_schedule(parse_program(moments(count))).tree()
        assert drawn.count("for i") == loops + 1, "the sum over fewer elements stays apart"
    assert default_schedule(parse_program(moments(3)), Strategies.at_level(0)).tree().count("for i") == 4
