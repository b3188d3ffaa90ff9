"""Loops run the instances of their program, each and no others, also where isl's code generator loses some."""

from dataclasses import replace

import islpy as isl
import numpy as np
import pytest

import polyad as pa
from polyad.codegen.loops.ast import coverage
from polyad.codegen.loops.ast.coverage import lost
from polyad.codegen.loops.ast.walk import _visiting, domain_loops
from polyad.codegen.loops.loop_values import Compare, add
from polyad.codegen.loops.nodes import Guard, Loop
from polyad.codegen.loops.traversal import expand, nodes
from polyad.codegen.plan import loops_of
from polyad.errors import ScheduleError
from polyad.frontend.compiled import program_of
from polyad.ir.affine import Affine
from polyad.machine import TINY
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import Strategies
from polyad.semantics.evaluate import evaluate
from polyad.transforms.passes.boxes.stairs import _last_rounded
from tests.acceptance.native_batch import NativeBatch

# Of these six, isl (0.27) visits four: one k for each j.
SIX = isl.Set("{ S[j, k] : 0 <= j <= 4 and 0 <= k <= 2 and 6*floor((-1 + 2j + 3k)/6) <= -5 + 2j + 3k }")
ANY = isl.Set("{ : }")


def test_what_is_lost_is_seen_and_found_again() -> None:
    whole = isl.UnionSet.from_set(SIX)
    assert lost(_visiting(SIX, ANY), whole, ANY) == ["S"]
    loops = domain_loops(SIX, ANY, ("j", "k"))
    assert lost(loops, whole, ANY) == []
    assert any(isinstance(n, Guard) for n in nodes(loops))


def test_loops_that_lose_instances_of_the_larger_set_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "_quotient_test", lambda *_: Compare("==", Affine.of(0), Affine.of(1)))
    with pytest.raises(ScheduleError, match="loses instances of S, which has quotients in its domain"):
        domain_loops(SIX, ANY, ("j", "k"))


def test_loops_without_losses_stay() -> None:
    even = isl.Set("[N] -> { S[j] : 0 <= j < N and j mod 2 = 0 }")
    loops = domain_loops(even, isl.Set("[N] -> { : N >= 0 }"), ("j",))
    assert not any(isinstance(n, Guard) for n in nodes(loops))


def test_a_gradient_through_repeat_reshape_and_a_stride() -> None:
    """Each element of what is repeated has one, two or three readers: the sum over them is over such a set."""
    a = pa.placeholder((5,), "a", "float64")
    m = pa.numpy
    rows = m.stack([a, m.sin(a)], 0)
    read = m.reshape(m.repeat(m.tanh(rows) * rows, 3, 0), (3, 10))[:, 0::3]
    program = program_of([m.sum(read), *pa.grad(m.sum(read), [a])], [a], "repeated")[0]
    inputs = {"a": np.linspace(-1.0, 1.0, 5)}
    expected = evaluate(program, inputs, {})
    for machine in (pa.machine.MACHINE, TINY):
        batch = NativeBatch(machine=machine)
        (number,) = batch.add(program)
        batch.build()
        for name, values in batch.run(number, inputs, {}).items():
            np.testing.assert_allclose(values, expected[name], rtol=1e-12, err_msg=name)


def test_a_set_whose_quotients_isl_has_not_worked_out() -> None:
    """Of such a set the code generator of stairs asks which dimension is rounded to blocks."""
    unknown = isl.Set(
        "{ A[i, j] : exists e, f : 3e <= i and i <= 3e + j and 2f <= e + j <= 2f + 1 and 0 <= i, j <= 9 }"
    )
    assert _last_rounded(unknown) in (-1, 0, 1)


def test_tiles_are_looked_at_too() -> None:
    program = parse_program(
        """
program tiles: [N] -> { : N >= 1 }
  input     x: float64[N, N]
  output    y: float64[N, N]
  S: [N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }
      y[i, j] = x[i, j]
"""
    )
    schedule = default_schedule(program, Strategies.at_level(0)).tile(("S", "i"), (4, 4))
    loops = loops_of(program, schedule)
    orders = schedule.isl.get_map()
    assert lost(loops, program.domain(), program.context, orders) == []
    inner = next(
        n for n in nodes(loops) if isinstance(n, Loop) and not any(isinstance(c, Loop) for c in n.body.children)
    )
    short = replace(inner, last=add(inner.last, Affine.of(-1)))
    wrong = expand(lambda n: [short] if n is inner else None, loops)
    assert lost(wrong, program.domain(), program.context, orders) == ["S"]
    assert lost(wrong, program.domain(), program.context) == [], "without quotients, nothing is looked at"
