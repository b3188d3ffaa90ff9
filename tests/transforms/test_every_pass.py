"""Every pass on random programs: valid after each step, the same values, and every pass had enough to do.

The programs are those of tests/aimed_programs.py on the machine TINY; the list is PASSES, so a new pass is met here
without a word, and these tests fail until some construction makes it do something.
"""

import os
from collections import Counter

import numpy as np
import pytest

from polyad.errors import PolyadError
from polyad.ir.program import Program
from polyad.machine import TINY
from polyad.passes import PASSES, Pass, prepare
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from tests.aimed_programs import AIMS, SIZES, aimed
from tests.transforms.equivalence import random_inputs

CHUNK = 16  # programs; two chunks give each construction three turns, or more
CHUNKS = 36
QUICK = 2  # chunks of the quick suite
ENOUGH = 30  # times that each pass changes a program


@pytest.mark.parametrize("chunk", [n if n < QUICK else pytest.param(n, marks=pytest.mark.slow) for n in range(CHUNKS)])
@pytest.mark.quick_cases(1)
def test_values_stay_through_every_pass(chunk: int) -> None:
    assert os.environ["POLYAD_VERIFY"] == "1", "the verifier runs after every pass"
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        check(aimed(number), SIZES[number % len(SIZES)])


def check(program: Program, sizes: dict[str, int]) -> None:
    """After each pass that changes the program the evaluator finds the values of before."""
    verify(program)
    inputs = random_inputs(program, sizes)
    expected = evaluate(program, inputs, sizes)

    def watch(step: Pass, before: Program, after: Program) -> None:
        if changes(before, after):
            found = evaluate(after, inputs, sizes)
            for output, values in expected.items():
                told = f"{output} after {step.name} at {sizes}, from\n{before}\nto\n{after}"
                np.testing.assert_allclose(found[output], values, rtol=1e-11, atol=1e-12, err_msg=told)

    prepare(program, machine=TINY, watch=watch)


def changes(before: Program, after: Program) -> bool:
    return before is not after and str(before) != str(after)


def test_every_pass_is_aimed_at() -> None:
    always = {"canonical_order", "name_statements", "initialise"}
    # Those for GPUs: test_gpu_passes.py.
    assert {p.name for p in PASSES if p.switch != "nested"} == AIMS.keys() | always


@pytest.mark.slow
def test_every_pass_has_enough_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLYAD_VERIFY")  # as above
    fired: Counter[str] = Counter()
    for number in range(CHUNKS * CHUNK):
        prepare(aimed(number), machine=TINY, watch=lambda step, b, a: fired.update([step.name] * changes(b, a)))
    assert {p.name: fired[p.name] for p in PASSES if p.switch != "nested" and fired[p.name] < ENOUGH} == {}


def test_a_wrong_pass_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check can fail: a pass that loses the last statement is reported by name, by the verifier."""

    def forgetful(program: Program) -> Program:
        return program.with_statements(program.statements[:-1])

    monkeypatch.setattr("polyad.passes.PASSES", (*PASSES[:3], Pass(forgetful), *PASSES[3:]))
    with pytest.raises((PolyadError, AssertionError)) as failure:
        check(aimed(0), SIZES[0])
    assert "forgetful" in str(failure.value) + " ".join(getattr(failure.value, "__notes__", ()))
