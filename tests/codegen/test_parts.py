"""Large sums are made of parts, whose number does not depend on the threads."""

from dataclasses import replace

import numpy as np
import pytest

from polyad.codegen.certify.certify import certify
from polyad.codegen.generate import generate
from polyad.codegen.loops.nodes import Parts
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.semantics.evaluate import evaluate
from polyad.transforms.passes.initialise import initialise
from tests.codegen.compiled import Library, source_of
from tests.codegen.threads import threads
from tests.machines import THREADS
from tests.transforms.equivalence import random_inputs

SUMS = """
program sums: [N, M] -> { : N >= 0 and M >= 0 }
  input     x: float64[N, M]
  input     y: float64[N, M]
  output    total: float64[]
  output    most: float64[]
  S: [N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }
      total[] += x[i, j] * y[i, j]
  L: [N, M] -> { L[i, j] : 0 <= i < N and 0 <= j < M }
      most[] max= x[i, j]
"""

# A sum that starts from a number, over a range that begins with another size than 0, as integers and in a triangle.
OTHERS = """
program others: [N, M] -> { : 0 <= M <= N }
  input     x: float64[N]
  input     n: int64[N]
  output    total: float64[]
  output    count: int64[]
  output    product: float64[]
  B: [N, M] -> { B[] }
      total[] += 3.0
  S: [N, M] -> { S[i] : M <= i < N }
      total[] += x[i]
  C: [N, M] -> { C[i, j] : 0 <= i < N and 0 <= j < i }
      count[] += n[j]
  P: [N, M] -> { P[i] : 0 <= i < N }
      product[] *= 1.0 + 0.01 * x[i]
"""


def always(text: str, openmp: bool = True, **strategies: bool):
    return source_of(text, CodegenOptions(openmp, replace(ALL, **strategies), THREADS))


@pytest.mark.parametrize("text", [SUMS, OTHERS], ids=["sums", "others"])
@pytest.mark.parametrize("openmp", [False, True])
def test_parts_are_the_sum(text: str, openmp: bool) -> None:
    program, source = always(text, openmp)
    assert "PA_PARTS" in source.c
    library = Library(source)
    for sizes in ({"N": 0, "M": 0}, {"N": 1, "M": 1}, {"N": 5, "M": 3}, {"N": 100, "M": 33}):
        inputs = random_inputs(program, sizes)
        expected, found = evaluate(program, inputs, sizes), library.run(sizes, inputs)
        for name, value in expected.items():
            np.testing.assert_allclose(found[name], value, rtol=1e-12, atol=1e-12)


def test_sums_of_one_loop_share_its_parts() -> None:
    _, source = always(SUMS)
    assert source.c.count("const int64_t parts = ") == 1
    assert "total_parts[part] = total_part;" in source.c and "PA_PARALLEL_FOR_IF(parts > 1)" in source.c


def test_small_sums_and_those_in_parallel_loops_are_not_divided() -> None:
    small = SUMS.replace("N >= 0 and M >= 0", "N = 10 and M = 10").replace("< N", "< 10").replace("< M", "< 10")
    assert "PA_PARTS" not in source_of(small, CodegenOptions())[1].c
    rows = SUMS.replace("total: float64[]", "total: float64[N]").replace("total[]", "total[i]")
    assert "total_parts" not in always(rows)[1].c
    assert "PA_PARTS" not in always(SUMS, parts=False)[1].c


def test_threads_change_no_bit() -> None:
    _, source = always(SUMS)
    library = Library(source)
    rng = np.random.default_rng(0)
    values = rng.normal(size=(100, 33)) * 10.0 ** rng.integers(-8, 8, (100, 33))
    inputs = {"x": values, "y": rng.normal(size=(100, 33))}
    results = []
    for number in (1, 2, 3, 8):
        with threads(library.path, number):
            results.append(library.run({"N": 100, "M": 33}, inputs)["total"].tobytes())
    assert len(set(results)) == 1


@pytest.mark.parametrize("dim", ["i", "j"])
def test_jammed_loops_in_parts_and_around_them(dim: str) -> None:
    """A user may jam what would be a loop in parts, or one inside of it: no mark is left when C is written."""
    program = initialise(parse_program(SUMS))
    schedule = default_schedule(program, replace(ALL, jam=False, rows=False)).jam(("S", dim), 2)
    plan = plan_kernel(program, schedule, CodegenOptions(machine=THREADS))
    assert certify(plan).sizes
    inputs = random_inputs(program, {"N": 5, "M": 7})
    found = Library(generate(program, schedule, CodegenOptions(machine=THREADS))).run({"N": 5, "M": 7}, inputs)
    np.testing.assert_allclose(found["total"], np.sum(inputs["x"] * inputs["y"]), rtol=1e-12)
    parts = [s.array for n in nodes(plan.loops) if isinstance(n, Parts) for s in n.sums]
    assert ("total" in parts) == (dim == "j")
