"""From schedule trees to named loops: directions, marks, pieces, and what reductions become."""

import re
from dataclasses import replace

import islpy as isl
import pytest

from polyad.codegen.generate import generate
from polyad.codegen.loops.how import Parallel
from polyad.codegen.loops.loop_values import Choice, Compare, Extreme, add, scale, substitute_value
from polyad.codegen.loops.nodes import Block, Cell, Instance, Loop
from polyad.codegen.loops.statement_accesses import touches
from polyad.codegen.options import CodegenOptions
from polyad.codegen.storage.inside import owned
from polyad.ir.affine import Affine
from polyad.ir.program import Program
from polyad.machine import MACHINE
from polyad.ops.program_text import parse_program
from polyad.schedule.schedule import Schedule

SUM = """
program total: [N, K] -> { : N >= 1 and K >= 1 }
  input     x: float64[N, K]
  output    y: float64[N]
  Z: [N, K] -> { Z[i] : 0 <= i < N }
      y[i] = 0.0
  S: [N, K] -> { S[i, k] : 0 <= i < N and 0 <= k < K }
      y[i] += x[i, k]
"""

N, T = Affine.of("N"), Affine.of("t")


def text_of(
    outer: str, inner: str, marks: tuple[str, str] = ("parallel", "simd"), text: str = SUM, openmp: bool = True
) -> str:
    """The C of SUM with both loops given as functions of i and k, and marked."""
    program = parse_program(text)
    below = f'{{ schedule: "[N, K] -> [{{ S[i, k] -> [({inner})] }}]" }}'
    order = (
        '{ sequence: [ { filter: "[N, K] -> { Z[i] }" }, '
        f'{{ filter: "[N, K] -> {{ S[i, k] }}", child: {{ mark: "{marks[1]}", child: {below} }} }} ] }}'
    )
    rows = f"[N, K] -> [{{ S[i, k] -> [({outer})]; Z[i] -> [({outer})] }}]"
    band = f'{{ mark: "{marks[0]}", child: {{ schedule: "{rows}", child: {order} }} }}'
    return c_of(program, f'{{ domain: "{program.domain()}", child: {band} }}', openmp)


def c_of(program: Program, tree: str, openmp: bool = True) -> str:
    schedule = Schedule(isl.Schedule.read_from_str(isl.DEFAULT_CONTEXT, tree))
    return generate(program, schedule, CodegenOptions(openmp=openmp, machine=replace(MACHINE, thread_start=10.0))).c


def test_loops_have_the_names_of_the_statements() -> None:
    text = text_of("i", "k")
    assert "for (int64_t i = 0; i < N; i += 1) {" in text
    assert "for (int64_t k = 0; k < K; k += 1) {" in text


def test_a_reversed_schedule_is_a_descending_loop() -> None:
    text = text_of("-i", "K - 1 - k")
    assert "for (int64_t i = N - 1; i >= 0; i -= 1) {" in text
    assert "for (int64_t k = K - 1; k >= 0; k -= 1) {" in text
    assert "y_sum += x[i * K + k];" in text


def test_a_shifted_schedule_counts_as_the_statements_do() -> None:
    assert "for (int64_t i = 0; i < N; i += 1) {" in text_of("i + 7", "k")


def test_strides_and_tiles() -> None:
    text = text_of("i", "floor(k/4)")
    assert "for (int64_t k_tile = 0; k_tile < (K + 3) / 4; k_tile += 1) {" in text


def test_marks_become_pragmas() -> None:
    text = text_of("i", "k")
    assert "PA_PARALLEL_FOR_IF(2.0 * (double)N * (double)K + (double)N > 10.0)\n  for (int64_t i" in text
    assert "PA_SIMD_REDUCTION(+, y_sum)\n    for (int64_t k" in text


def test_nested_parallel_loops_emit_one() -> None:
    assert text_of("i", "k", ("parallel", "parallel")).count("PA_PARALLEL_FOR_IF") == 1


def test_a_loop_of_one_iteration_is_not_parallel() -> None:
    """isl leaves such a loop out; its mark says nothing of the next one, a sum that may be made of parts."""
    one = SUM.replace("0 <= i < N", "i = 0").replace("float64[N]", "float64[1]")
    assert not re.findall(r"PA_PARALLEL.*", text_of("i", "k", text=one))
    parts = text_of("i", "k", ("parallel", "parts simd"), text=one)
    assert re.findall(r"PA_PARALLEL.*", parts) == ["PA_PARALLEL_FOR_IF(parts > 1)"]


_VECTOR_REDUCTIONS = [
    ("+=", "+, y_sum"),
    ("*=", "*, y_prod"),
    ("max=", "pa_maximum, y_max"),
    ("min=", "pa_minimum, y_min"),
]


@pytest.mark.parametrize(("op", "clause"), _VECTOR_REDUCTIONS)
def test_vector_reductions(op: str, clause: str) -> None:
    """OpenMP's own maximum would drop nan; that of the runtime header does not."""
    assert f"PA_SIMD_REDUCTION({clause})" in text_of("i", "k", text=SUM.replace("+=", op))


def test_maxima_of_integers_are_reduced_by_operators_of_openmp() -> None:
    text = text_of("i", "k", text=SUM.replace("+=", "max=").replace("float64", "int64"))
    assert "PA_SIMD_REDUCTION(max, y_max)" in text


def test_two_reductions_in_one_vector_loop() -> None:
    text = SUM.replace("output    y", "output    w: float64[N]\n  output    y")
    text += "  V: [N, K] -> { V[i] : 0 <= i < N }\n      w[i] = 1.0\n"
    text += "  P: [N, K] -> { P[i, k] : 0 <= i < N and 0 <= k < K }\n      w[i] *= x[i, k]\n"
    program = parse_program(text)
    tree = (
        f'{{ domain: "{program.domain()}", child: {{ schedule: "[N, K] -> [{{ S[i, k] -> [(i)]; Z[i] -> [(i)]; V[i] -> '
        '[(i)]; P[i, k] -> [(i)] }]", child: { sequence: [ { filter: "[N, K] -> { Z[i] }" }, { filter: "[N, K] -> '
        '{ V[i] }" }, { filter: "[N, K] -> { S[i, k]; P[i, k] }", child: { mark: "simd", child: { schedule: "[N, K] -> '
        '[{ S[i, k] -> [(k)]; P[i, k] -> [(k)] }]", child: { sequence: [ { filter: "[N, K] -> { S[i, k] }" }, '
        '{ filter: "[N, K] -> { P[i, k] }" } ] } } } } ] } } }'
    )
    assert "PA_PRAGMA_SIMD(omp simd reduction(+ : y_sum) reduction(* : w_prod))" in c_of(program, tree)


def test_one_thread_has_no_parallel_loops() -> None:
    assert "PA_PARALLEL" not in text_of("i", "k", openmp=False)


def test_elements_of_another_thread_are_not_stored_back() -> None:
    """The loop may turn out to be empty; then storing what was loaded undoes what another thread did meanwhile."""
    program = parse_program(SUM)
    inner = Loop("k", Affine.of(0), Affine.of("i") - 5, 1, Block((Instance(0, "S", (Affine.of("i"), Affine.of("k"))),)))
    other = Instance(1, "Z", (Affine.of("i") + 1,))
    cell = Cell("y", (Affine.of("i"),))

    def around(*body: Loop | Instance) -> list[Loop]:
        return [Loop("i", Affine.of(0), N - 1, 1, Block(body), Parallel())]

    assert owned(cell, around(inner), touches(program))
    assert not owned(cell, around(inner, other), touches(program))


def test_bounds_keep_their_meaning_under_arithmetic() -> None:
    bound = Extreme("min", (N, T + 3))
    assert add(bound, Affine.of(1)) == Extreme("min", (N + 1, T + 4))
    assert scale(bound, -1) == Extreme("max", (-N, -T - 3))
    assert add(bound, Extreme("min", (N, T))) == Extreme(
        "min", tuple(Extreme("min", (N + x, T + 3 + x)) for x in (N, T))
    )
    choice = Choice(Compare("<", T, N), T, N)
    assert substitute_value(choice, {"t": N - 1}) == Choice(Compare("<", N - 1, N), N - 1, N)
