"""Passes over loops keep numbers: loops of random programs, run before and after each pass, by the interpreter."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.certify.certify import execution
from polyad.codegen.certify.memory import WrongError
from polyad.codegen.loops.nodes import Block
from polyad.codegen.loops.text import loops_text
from polyad.codegen.lower.passes import LOOP_PASSES
from polyad.codegen.plan import Plan
from polyad.frontend.compiled import program_of
from polyad.semantics.evaluate import evaluate
from tests.acceptance.strategy_programs import StrategyProgram, strategy_program
from tests.codegen.certify.mutants import mutants, planned
from tests.codegen.certify.test_mutants import refused
from tests.codegen.interpreter.interpreter import interpret

EACH = 14  # mutants of a program


class Sample:
    """A random program, its kernel, inputs, and what has to come out."""

    def __init__(self, number: int, program: StrategyProgram | None = None) -> None:
        program = program or strategy_program(number)
        self.title = program.title
        self.stages: list[tuple[str, Block]] = []
        self.plan = planned(program.program, watch=lambda name, loops: self.stages.append((name, loops)))
        self.sizes = {name: program.sizes[name] for name in self.plan.program.params}
        self.inputs = program.inputs(np.random.default_rng(number))
        self.expected = evaluate(program.program, self.inputs, program.sizes)
        self.random = Random(number)

    def wrong(self, plan: Plan) -> str:
        """Return what is wrong with a kernel; "" for nothing."""
        try:
            outputs = interpret(plan, self.inputs, self.sizes, self.random)
        except WrongError as problem:
            return str(problem)
        for name, values in outputs.items():
            allowed = 1e-5 if values.dtype == np.float32 else 1e-9
            if not np.allclose(values, self.expected[name], rtol=allowed, atol=allowed):
                return f"{name} is {values}, not {self.expected[name]}"
        return ""


def single_sums() -> Sample:
    """Sums in single precision: rows, one after another, and along columns."""
    x, n = pa.placeholder((pa.sizes("N"), 70), "x", "float32"), 3
    program, _ = program_of([pa.sum(x), pa.numpy.sum(x, 1), pa.numpy.sum(x, 0)], [x], "single_sums")
    return Sample(n, StrategyProgram("single sums", program, {"N": n}, 1))


def switched() -> Iterator[Sample]:
    """Loops that end when data say so, and their derivatives: some of their steps are not taken."""
    x, w = pa.placeholder((3,), "x", "float64"), pa.placeholder((3, 3), "w", "float64")
    h = pa.while_loop(lambda h: (h * h).sum() > 0.1, lambda h: pa.tanh(w @ h) / 2, x, max_steps=9)
    program, _ = program_of([(h * h).sum(), *pa.grad((h * h).sum(), [x, w])], [x, w], "ended")
    yield Sample(1, StrategyProgram("an end by data", program, {}, 1))
    ends = [(h * h).sum(), h]
    yield Sample(2, StrategyProgram("values of it", program_of(ends, [x, w], "values")[0], {}, 1))
    rows = pa.placeholder((7, 2, 3), "rows", "float64")
    lengths = 2 + 3 * pa.cast(rows[0, :, 0] > 0, "int64")
    last, ys = pa.scan(lambda h, r: (pa.tanh(h @ w + r),) * 2, rows[0] * 0, rows, lengths=lengths)
    loss = (last * last).sum() + (ys * ys).sum()
    program, _ = program_of([loss, *pa.grad(loss, [rows, w])], [rows, w], "lengths")
    yield Sample(3, StrategyProgram("lengths", program, {}, 1))


def kept(samples: Iterable[Sample]) -> Counter[str]:
    """How often each pass changed the loops, all of which compute what the programs say."""
    changed = Counter[str]()
    for sample in samples:
        # Threads have copies of some arrays from `pointers` on.
        left_out = {"threads"} if sample.plan.storage.copies else set()
        before = ""
        for name, loops in sample.stages:
            text = loops_text(loops)
            if name == "schedule" or name in left_out or text == before:
                continue  # without storage, there are no places
            problem = sample.wrong(replace(sample.plan, loops=loops))
            assert not problem, f"after {name}, {problem} ({sample.title})"
            changed[name] += before != ""
            before = text
    return changed


def judged(numbers: range) -> Iterator[tuple[str, bool, bool, str]]:
    """Mutants of kernels: their kind, whether the certifier and the interpreter find them wrong, and whose they are."""
    random = Random(5)
    for sample in map(Sample, numbers):
        run = execution(sample.plan, sample.sizes, 100_000)
        assert run is not None, sample.title
        every = list(mutants(sample.plan, run.reached))
        for kind, mutant in random.sample(every, min(EACH, len(every))):
            yield kind, refused(mutant, sample.sizes), bool(sample.wrong(mutant)), sample.title


def check_judges(numbers: range) -> Counter[str]:
    """The certifier refuses what the interpreter finds wrong; return how many there were, by kind.

    A loop that goes too far may do what is done again, or add what is 0: the certifier refuses it all the same.
    """
    found = Counter[str]()
    for kind, certifier, interpreter, title in judged(numbers):
        assert certifier or not interpreter, f"a wrong mutant is certified: {kind} in {title}"
        found[kind] += interpreter
        found["only refused"] += certifier and not interpreter
    return found


def test_every_pass_keeps_numbers() -> None:
    assert sum(kept([Sample(0)]).values()) > 2
    assert kept(switched())["switched_nests"] == 3


@pytest.mark.slow
def test_passes_keep_numbers_of_many_programs() -> None:
    changed = kept([*map(Sample, range(1, 44)), single_sums(), *switched()])
    assert {step.name for step in LOOP_PASSES} <= set(changed), changed


def test_mutants_compute_other_numbers() -> None:
    found = check_judges(range(1))
    assert found["only refused"] <= 1 and sum(found.values()) > 10, found


@pytest.mark.slow
def test_many_mutants_compute_other_numbers() -> None:
    found = check_judges(range(1, 24))
    assert found["only refused"] * 20 < sum(found.values()), found
    assert all(found[kind] for kind in ("bounds", "instances", "stores", "sections", "barriers", "slot")), found
