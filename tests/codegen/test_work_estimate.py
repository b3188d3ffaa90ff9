"""How much work a loop nest is, said in C where the loop begins: by what is known there."""

from polyad.codegen.loops.how import Work
from polyad.codegen.loops.loop_values import Choice, Compare
from polyad.codegen.loops.nodes import Block, Instance, Let, Loop
from polyad.codegen.loops.work_estimate import work_estimate
from polyad.ir.affine import Affine
from polyad.machine import MACHINE
from polyad.ops.program_text import parse_program

PROGRAM = parse_program(
    """
program rows: [N] -> { : N >= 1 }
  input     x: float64[N]
  output    y: float64[N]
  S: [N] -> { S[i] : 0 <= i < N }
      y[i] = x[i] * x[i]
"""
)
STATEMENTS = {s.name: s for s in PROGRAM.statements}
N, START, ONE = Affine.of("N"), Affine.of("start"), Affine.of(1)


def inner() -> Loop:
    """for (i = start; i <= N - 1; ++i), start being 1 here and N / 2 there."""
    return Loop("i", START, N - 1, 1, Block((Instance(0, "S", (Affine.of("i"),)),)))


FIRST = Let("start", Choice(Compare(">=", N, ONE), ONE, N - 7))


def names(work: Work) -> set[str]:
    return {name for _, factors in work.terms for factor in factors for name in factor.names()}


def test_integers_named_inside_are_not_mentioned() -> None:
    outer = Loop("t", Affine.of(0), N - 1, 1, Block((FIRST, inner())))
    assert names(work_estimate([(outer, ())], STATEMENTS, MACHINE, 0.0)) == {"N"}


def test_integers_named_between_a_region_and_its_loop_are_not_mentioned() -> None:
    outer = Loop("t", Affine.of(0), N - 1, 1, Block((FIRST, inner())))
    assert names(work_estimate([(inner(), (outer, FIRST))], STATEMENTS, MACHINE, 0.0)) == {"N"}
    assert names(work_estimate([(inner(), (outer,))], STATEMENTS, MACHINE, 0.0)) == {"N", "start"}
