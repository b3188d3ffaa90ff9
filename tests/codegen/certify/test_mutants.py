"""Kernels with one thing wrong are refused; what is not refused computes the same as before."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from polyad.codegen.certify.certify import certify, execution
from polyad.codegen.generate import source_of
from polyad.codegen.plan import Plan
from polyad.errors import CertificationError
from polyad.machine import TINY
from polyad.semantics.evaluate import evaluate
from tests.acceptance.native_batch import NativeBatch
from tests.acceptance.strategy_programs import StrategyProgram, strategy_program
from tests.codegen.certify.mutants import mutants, planned
from tests.transforms.equivalence import random_inputs

EACH = 14  # mutants of a program


def refused(plan: Plan, sizes: dict[str, int]) -> bool:
    try:
        certify(plan, sizes)
    except CertificationError:
        return True
    return False


def computes(program: StrategyProgram, plan: Plan, sizes: dict[str, int]) -> None:
    """Run the C of a plan in memory full of garbage, on two threads."""
    batch = NativeBatch(machine=TINY)
    batch.sources.append(source_of(plan))
    batch.build()
    inputs = random_inputs(program.program, sizes)
    expected = evaluate(program.program, inputs, program.sizes)
    for name, values in batch.run(0, inputs, sizes, 2).items():
        np.testing.assert_allclose(values, expected[name], rtol=1e-9, atol=1e-9, err_msg=f"{program.title}: {name}")


def judged(numbers: range) -> tuple[Counter[str], Counter[str]]:
    """How many mutants were refused, by kind, and how many of them were none."""
    found, same = Counter[str](), Counter[str]()
    random = Random(3)
    for number in numbers:
        program = strategy_program(number)
        plan = planned(program.program)
        sizes = {name: program.sizes[name] for name in plan.program.params}
        run = execution(plan, sizes, 100_000)
        assert run is not None, program.title
        every = list(mutants(plan, run.reached))
        for kind, mutant in random.sample(every, min(EACH, len(every))):
            if refused(mutant, sizes):
                found[kind] += 1
                continue
            # These may change nothing: a bound of what is cut off elsewhere, a buffer longer than it has to be, a slot
            # for two arrays of which one takes over from the other.
            assert kind in ("bounds", "modulus", "slot"), f"{program.title}: {kind}"
            same[kind] += 1
            if kind != "slot":  # the pointers of the C were placed before
                computes(program, mutant, sizes)
    return found, same


def test_mutants_are_refused() -> None:
    found, same = judged(range(3))
    assert sum(found.values()) > 20 and sum(same.values()) < 5, (found, same)


@pytest.mark.slow
def test_many_mutants_are_refused() -> None:
    found, same = judged(range(3, 44))
    assert sum(found.values()) > 350 and found["slot"] > 4 * same["slot"], (found, same)
    assert all(found[kind] for kind in ("bounds", "instances", "stores", "sections", "barriers", "slot", "modulus")), (
        found
    )
