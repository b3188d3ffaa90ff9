"""Copies for each thread of arrays that live within one iteration of a parallel loop."""

from dataclasses import replace

import numpy as np
import pytest

from polyad.codegen.generate import generate
from polyad.codegen.generate import source_of as write_down
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.semantics.evaluate import evaluate
from tests.codegen.compiled import Library, source_of
from tests.codegen.threads import threads
from tests.machines import LOOPS_IN_THREADS

# Both are read in another order of their dimensions than they are written in, so no C variables will do.
BATCH = """
program batch: [B, N] -> { : B >= 1 and N >= 1 }
  input     x: float64[B, N, N]
  temporary a: float64[B, N, N]
  temporary c: float64[B, N, N]
  output    y: float64[B, N, N]
  A: [B, N] -> { A[b, i, j] : 0 <= b < B and 0 <= i < N and 0 <= j < N }
      a[b, i, j] = exp(x[b, i, j])
  C: [B, N] -> { C[b, i, j] : 0 <= b < B and 0 <= i < N and 0 <= j < N }
      c[b, i, j] = a[b, j, i] + x[b, i, j]
  Y: [B, N] -> { Y[b, i, j] : 0 <= b < B and 0 <= i < N and 0 <= j < N }
      y[b, i, j] = a[b, j, i] * c[b, j, i]
"""
LATER = BATCH.replace("a[b, j, i] *", "a[0, j, i] *")
SHIFTED = BATCH.replace("a: float64[B", "a: float64[B + 3").replace("a[b,", "a[b + 3,")
PARALLEL = CodegenOptions(machine=LOOPS_IN_THREADS)


def copied(text: str, options: CodegenOptions = PARALLEL) -> list[str]:
    """The arrays of which each thread has a copy."""
    source = source_of(text, options)[1]
    return sorted(a for slot in source.memory.slots if slot.copies is not None for a in slot.arrays)


def test_what_one_iteration_needs_is_copied() -> None:
    assert copied(BATCH) == ["a", "c"]
    assert copied(SHIFTED) == ["a", "c"]
    text = source_of(BATCH, PARALLEL)[1].c
    assert "double *PA_RESTRICT a = PA_COPY(double, a_copies, copy, N * N);" in text
    assert "a[i * N + j] = " in text, "the loop over b is no dimension of the copy"


def test_what_other_iterations_need_is_not() -> None:
    assert "a" not in copied(LATER)


def test_writing_a_plan_down_leaves_it_as_it_is() -> None:
    program = parse_program(BATCH)
    plan = plan_kernel(program, default_schedule(program), PARALLEL)
    assert write_down(plan).c == write_down(plan).c


def test_the_switch() -> None:
    program = source_of(BATCH)[0]
    without = replace(ALL, private=False)
    source = generate(program, default_schedule(program, without), CodegenOptions(strategies=without))
    assert not source.memory.by_threads and "pa_cop" not in source.c


@pytest.mark.parametrize("text", [BATCH, SHIFTED, LATER], ids=["batch", "shifted", "later"])
@pytest.mark.parametrize("number", [1, 2, 3, 8])
@pytest.mark.quick_cases(4)
def test_results_do_not_depend_on_the_number_of_threads(text: str, number: int) -> None:
    program, source = source_of(text, PARALLEL)
    library = Library(source)
    sizes = {"B": 5, "N": 4}
    inputs = {"x": np.random.default_rng(0).normal(size=(5, 4, 4))}
    expected = evaluate(program, inputs, sizes)
    with threads(library.path, number):
        found = library.run(sizes, inputs)
        assert library.workspace_bytes(sizes) == source.workspace_bytes(sizes, number)
    np.testing.assert_allclose(found["y"], expected["y"], rtol=1e-12)


def test_there_are_no_more_copies_than_iterations_and_threads() -> None:
    source = source_of(BATCH, PARALLEL)[1]
    sizes = {"B": 5, "N": 100}
    used = [source.memory.at(sizes, number)["a"] for number in (1, 2, 5, 100)]
    assert used == [-(-80000 // 64) * 64 * copies for copies in (1, 2, 5, 5)]


def test_without_threads_there_is_one_copy() -> None:
    program, source = source_of(BATCH, CodegenOptions(openmp=False))
    library = Library(source, flags=("-std=c99", "-O1"))
    sizes = {"B": 5, "N": 4}
    inputs = {"x": np.random.default_rng(0).normal(size=(5, 4, 4))}
    assert library.workspace_bytes(sizes) == source.workspace_bytes(sizes)
    np.testing.assert_allclose(library.run(sizes, inputs)["y"], evaluate(program, inputs, sizes)["y"], rtol=1e-12)
