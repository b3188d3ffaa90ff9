"""Outputs and time steps in the places of inputs: where it is proved, where it is not, and what the certifier says."""

from __future__ import annotations

import numpy as np
import pytest

from polyad.codegen.certify.certify import certify
from polyad.codegen.loops.traversal import instances
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import Plan, plan_kernel
from polyad.codegen.storage import homes
from polyad.errors import CertificationError
from polyad.ir.json_text import from_json, to_json
from polyad.ir.program import Program
from polyad.kernel import Kernel
from polyad.ops.program_text import parse_program
from polyad.pipeline import compile_program
from polyad.schedule.scheduler import default_schedule
from polyad.transforms.passes.initialise import initialise

HEAD = """
program f: [N] -> { : N >= 0 }
  input x: float64[N]
  input z: float64[N]
  output y: float64[N]
  in_place y: x
"""
SAME = "  S: [N] -> { S[i] : 0 <= i < N }\n      y[i] = mul(x[i], z[i])\n"
TURNED = "  S: [N] -> { S[i] : 0 <= i < N }\n      y[i] = mul(x[N - 1 - i], z[i])\n"
BEFORE = """
  S: [N] -> { S[i] : 0 < i < N }
      y[i] = mul(x[i - 1], z[i])
  R: [N] -> { R[i = 0] : N > 0 }
      y[0] = 1
"""
SUM = """
  R: [N] -> { R[i] : 0 <= i < N }
      y[i] = x[i]
  S: [N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }
      y[i] += mul(z[i], z[j])
"""
SWEEPS = """
program f: [T, N] -> { : T >= 0 and N >= 0 }
  input x: float64[N]
  temporary s: float64[T + 1, N]
  output y: float64[N]
  in_place y: x
  A: [T, N] -> { A[i] : 0 <= i < N }
      s[0, i] = x[i]
  B: [T, N] -> { B[t, i = 0] : 0 <= t < T and N > 0 }
      s[t + 1, 0] = x[0]
  S: [T, N] -> { S[t, i] : 0 <= t < T and 0 < i < N - 1 }
      s[t + 1, i] = add(s[t + 1, i - 1], s[t, i + 1])
  E: [T, N] -> { E[t, i] : 0 <= t < T and i = N - 1 and N > 1 }
      s[t + 1, N - 1] = x[N - 1]
  Y: [T, N] -> { Y[i] : 0 <= i < N }
      y[i] = s[T, i]
"""
SAMPLES = """
program f: [E, N, M] -> { : E >= 1 and N >= 1 and M >= 0 }
  input x: float64[N, M]
  temporary s: float64[E, N, M]
  output y: float64[M]
  A: [E, N, M] -> { A[j] : 0 <= j < M }
      s[0, 0, j] = x[0, j]
  B: [E, N, M] -> { B[e, j] : 0 < e < E and 0 <= j < M }
      s[e, 0, j] = add(mul(0.5, s[e - 1, N - 1, j]), x[0, j])
  S: [E, N, M] -> { S[e, i, j] : 0 <= e < E and 0 < i < N and 0 <= j < M }
      s[e, i, j] = add(mul(0.5, s[e, i - 1, j]), x[i, j])
  Y: [E, N, M] -> { Y[j] : 0 <= j < M }
      y[j] = s[E - 1, N - 1, j]
"""
"""What is changed for one sample after the other, in several rounds."""
LATER = SAMPLES.replace("y[j] = s[E - 1, N - 1, j]", "y[j] = s[E - 1, 0, j]")

# The border goes from step to step: what a sweep reads beside itself was copied before it, in the same step.
STEP_BY_STEP = SWEEPS.replace("= x[0]", "= s[t, 0]").replace("= x[N - 1]", "= s[t, N - 1]")
SET_ONCE = STEP_BY_STEP.replace("E[t, i] : 0 <= t < T and", "E[t, i] : 0 <= t < T and t != 2 and").replace(
    "  Y:", "  F: [T, N] -> { F[i] : T > 2 and i = N - 1 and N > 1 }\n      s[3, N - 1] = 1\n  Y:"
)
OWN_STEPS = """
program f: [T, N] -> { : T >= 1 and N >= 2 }
  input x: float64[N]
  temporary s: float64[T + 1, N]
  output y: float64[N]
  A: [T, N] -> { A[i] : 0 <= i < N }
      s[0, i] = x[i]
  B: [T, N] -> { B[t, i] : 0 <= t < T and i = N - 1 }
      s[t + 1, N - 1] = s[t, N - 1]
  S: [T, N] -> { S[t, i] : 0 <= t < T and 0 <= i < N - 1 }
      s[t + 1, i] = add(s[t, i], s[t, i + 1])
  Y: [T, N] -> { Y[i] : 0 <= i < N }
      y[i] = s[T, i]
"""


def plan(text: str) -> Plan:
    program = initialise(parse_program(text))
    options = CodegenOptions()
    return plan_kernel(program, default_schedule(program, options.strategies), options)


@pytest.mark.parametrize("text", [HEAD + SAME, HEAD + SUM, SWEEPS])
def test_an_output_lies_where_the_input_lay(text: str) -> None:
    found = plan(text)
    assert found.storage.memory.homes["y"] == "x"
    assert not found.storage.memory.slots
    certify(found)


def test_steps_lie_in_one_place_and_copies_to_it_leave_the_loops() -> None:
    found = plan(SWEEPS)
    assert found.storage.memory.homes == {"y": "x", "s": "x"}
    assert found.storage.gone == {"A", "B", "E", "Y"}
    assert {i.statement for i in instances(found.loops)} == {"S"}


def test_steps_along_two_dimensions_lie_in_one_place() -> None:
    found = plan(SAMPLES)
    assert found.storage.slots == {"s": {0: 1, 1: 1}}
    assert found.storage.memory.homes == {"s": "y"} and not found.storage.memory.slots
    certify(found)
    run = kernel(SAMPLES)
    x = np.arange(20.0).reshape(4, 5)
    s = np.zeros(5)
    for row in [*x, *x, *x]:
        s = 0.5 * s + row
    assert np.array_equal(run(x, E=3), s)


LATE = """
program late: [N] -> { : N >= 1 }
  input     x: float64[N]
  temporary s: float64[N, N]
  output    y: float64[N]
  A: [N] -> { A[t, i] : t = 0 and 0 <= i < N }
      s[0, i] = tanh(x[i])
  S: [N] -> { S[t, i] : 0 < t < N and 0 <= i < N }
      s[t, i] = tanh(add(s[t - 1, i], x[t]))
  Y: [N] -> { Y[i] : 0 <= i < N }
      y[i] = s[N - 1, i]
"""


def test_what_becomes_an_output_lies_there_from_the_beginning() -> None:
    found = plan(LATE)
    assert found.storage.memory.homes == {"s": "y"} and not found.storage.memory.slots
    assert not found.overwritten, "no input is"
    certify(found)
    run = kernel(LATE)
    for n in (1, 2, 7):
        x = np.linspace(-1, 1, n)
        s = np.tanh(x)
        for t in range(1, n):
            s = np.tanh(s + x[t])
        np.testing.assert_allclose(run(x), s, rtol=1e-14)


def test_an_output_of_an_early_step_is_no_place_for_all() -> None:
    found = plan(LATE.replace("y[i] = s[N - 1, i]", "y[i] = s[0, i]"))
    assert found.storage.memory.homes == {}
    certify(found)


def test_a_step_that_is_read_later_keeps_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    found = plan(LATER)
    assert found.storage.slots["s"].get(1) is None
    certify(found)
    monkeypatch.setattr(homes, "share_places", lambda *_: True)
    with pytest.raises(CertificationError):
        certify(plan(LATER))


def test_what_goes_from_step_to_step_is_one_element() -> None:
    found = plan(STEP_BY_STEP)
    assert found.storage.memory.homes == {"y": "x", "s": "x"}
    assert found.storage.gone == {"A", "B", "E", "Y"}
    certify(found)


def test_what_is_set_in_between_is_not() -> None:
    found = plan(SET_ONCE)
    assert "E" not in found.storage.gone or found.storage.memory.homes.get("s") == "x"
    certify(found)
    run = kernel(SET_ONCE)
    for T, N in ((2, 4), (3, 4), (6, 5)):
        x = np.arange(1.0, N + 1)
        s = np.zeros((T + 1, N))
        s[0] = x
        for t in range(T):
            s[t + 1, 0], s[t + 1, N - 1] = s[t, 0], 1.0 if t == 2 else s[t, N - 1]
            for i in range(1, N - 1):
                s[t + 1, i] = s[t + 1, i - 1] + s[t, i + 1]
        assert np.array_equal(run(x, T=T), s[T]), (T, N)


def test_a_temporary_of_one_step_needs_no_copies_either() -> None:
    found = plan(OWN_STEPS)
    certify(found)
    x = np.arange(5.0)
    s = x.copy()
    for _ in range(3):
        s[:-1] = s[:-1] + s[1:]
    assert np.array_equal(kernel(OWN_STEPS)(x, T=3), s)


@pytest.mark.parametrize("text", [TURNED, BEFORE])
def test_what_is_read_later_keeps_its_memory(text: str) -> None:
    found = plan(HEAD + text)
    assert not found.storage.memory.homes
    certify(found)


@pytest.mark.parametrize("text", [HEAD + TURNED, HEAD + BEFORE])
def test_the_certifier_refuses_a_place_that_is_overwritten_too_early(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(homes, "share_places", lambda *_: True)
    wrong = plan(text)
    assert wrong.storage.memory.homes == {"y": "x"}
    with pytest.raises(CertificationError, match=r"reads x|may write it|may read it"):
        certify(wrong)


def test_the_certifier_refuses_a_copy_that_would_have_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    found = plan(SWEEPS)
    monkeypatch.setitem(found.storage.slots, "s", {})  # each step has a place of its own after all
    with pytest.raises(CertificationError, match="does not lie where"):
        certify(found)


def kernel(text: str) -> Kernel:
    return compile_program(parse_program(text))


def test_a_call_copies_the_input_unless_it_is_what_is_filled() -> None:
    run = kernel(HEAD + SAME)
    x, z = np.arange(5.0), np.full(5, 2.0)
    assert np.array_equal(run(x, z), 2 * x)
    assert np.array_equal(x, np.arange(5.0)), "the caller's array is as it was"
    own = x.copy()
    assert run(own, z, out=own) is own
    assert np.array_equal(own, 2 * x)
    other = np.empty(5)
    assert run(x, z, out=other) is other
    assert np.array_equal(other, 2 * x)


def test_arrays_that_overlap_in_another_way_are_read_before_they_are_written() -> None:
    run = kernel(HEAD + SAME)
    memory = np.arange(12.0)
    z = np.arange(1.0, 6.0)
    for start in range(7):
        own = memory.copy()
        expected = own[3:8] * z
        assert np.array_equal(run(own[3:8], z, out=own[start : start + 5]), expected), start
    own = np.arange(5.0)
    assert np.array_equal(run(own, own, out=own), np.arange(5.0) ** 2), "it is z, too"
    wide = np.arange(10.0)
    assert np.array_equal(run(wide[::2], z, out=wide[::2]), np.arange(0.0, 10.0, 2.0) * z)


def test_the_c_function_has_one_parameter_for_both() -> None:
    code = kernel(HEAD + SAME).code
    assert "double *x, const double *z, void *workspace" in code.header
    assert "@param[in,out] x" in code.header
    assert [a.name for a in code.parameters] == ["x", "z"]
    assert type(code).from_dict(code.to_dict()) == code


def test_programs_say_what_may_be_overwritten_and_are_read_back() -> None:
    program: Program = parse_program(SWEEPS)
    for again in (parse_program(str(program)), from_json(to_json(program))):
        assert again.in_place == {"y": "x"}
        assert str(again) == str(program)


def test_kernels_of_handed_out_memory_stay_within_it() -> None:
    run = kernel(SWEEPS)
    use = run.memory_plan(T=7, N=100)
    assert use.total_bytes == 0
    assert use["s"] == use["y"] == 0
