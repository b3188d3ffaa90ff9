"""Sums of elements that a short inner loop reads backwards: gcc 12 unrolls it and adds some of them twice."""

from itertools import product

import numpy as np
import pytest

from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.schedule.strategies import ALL, Strategies
from polyad.semantics.evaluate import evaluate
from tests.acceptance.native_batch import NativeBatch
from tests.codegen.compiled import source_of

TEXT = """
program backwards: {{ : }}
  input     x: {dtype}[{rows}, {columns}]
  input     y: {dtype}[{rows}, {columns}]
  temporary s: {dtype}[]
  output    z: {dtype}[]
  S0: {{ S0[] }}
      s[] = {dtype}(0.0)
  S: {{ S[k, r] : 0 <= k < {rows} and 0 <= r < {columns} }}
      s[] += {term}
  Z: {{ Z[] }}
      z[] = s[] * {dtype}(0.5)
"""
BACK = "{columns} - 1 - r"
TERMS = {
    "one": f"x[k, {BACK}]",
    "a product": f"x[k, {BACK}] * y[k, {BACK}]",
    "a square": f"x[k, {BACK}] * x[k, {BACK}]",
    "everything": f"x[{{rows}} - 1 - k, {BACK}] * y[k, {BACK}]",
}


def program(term: str, dtype: str, rows: int, columns: int) -> Program:
    spelled = TERMS[term].format(rows=rows, columns=columns)
    return parse_program(TEXT.format(dtype=dtype, rows=rows, columns=columns, term=spelled))


def agree(optimize: int, strategies: Strategies, shapes: list[tuple[int, int]], dtypes: tuple[str, ...]) -> None:
    """They give what the evaluator says; the numbers are small integers, which are added up without rounding."""
    batch, rng = NativeBatch(optimize, strategies), np.random.default_rng(0)
    every = [program(t, d, *s) for t, d, s in product(TERMS, dtypes, shapes)]
    numbers = [batch.add(p)[0] for p in every]
    batch.build()
    for p, number in zip(every, numbers, strict=True):
        shape = [e.constant for e in p.arrays["x"].shape]
        inputs = {n: rng.integers(0, 60, shape).astype(p.arrays[n].dtype) for n in p.inputs}
        np.testing.assert_array_equal(batch.run(number, inputs, {})["z"], evaluate(p, inputs, {})["z"], f"{p}")


def test_default_target() -> None:
    agree(3, ALL, [(3, 2), (4, 3)], ("float64", "float32"))


@pytest.mark.slow
@pytest.mark.parametrize(("optimize", "level"), [(2, 2), (2, 0), (3, 0), (3, 3)])
def test_all_levels(optimize: int, level: int) -> None:
    agree(optimize, Strategies.at_level(level), list(product((1, 3, 4), (2, 3, 4, 8))), ("float32", "float64"))


def test_only_what_runs_backwards_stays_rolled() -> None:
    assert "PA_ROLLED" in source_of(str(program("one", "float64", 3, 2)))[1].c
    forwards = str(program("one", "float64", 3, 2)).replace("x[k, -r + 1]", "x[k, r]")
    assert "x[k, r]" in forwards and "PA_ROLLED" not in source_of(forwards)[1].c
