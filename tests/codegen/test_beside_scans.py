"""Folding of arrays that prefix scans touch beside their state: along dimensions on which the scan stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polyad.codegen.certify.certify import certify
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.codegen.storage import storage
from polyad.codegen.storage.beside_scans import beside_scans
from polyad.ops.program_text import parse_program
from polyad.pipeline import compile_program
from polyad.schedule.scheduler import default_schedule
from polyad.semantics.evaluate import evaluate

# In each step a scan along j reads two rows of a that were computed from its states of the step before.
STEPS = """
program steps: [T, N, M] -> { : T >= 1 and N >= 1 and M >= 1 }
  input     x: float64[N, M]
  input     c: float64[M]
  temporary a: float64[T + 1, N, M]
  temporary q: float64[T, N, M]
  output    y: float64[N, M]
  A0: [T, N, M] -> { A0[i, j] : 0 <= i < N and 0 <= j < M }
      a[0, i, j] = x[i, j]
  Q0: [T, N, M] -> { Q0[t, i] : 0 <= t < T and 0 <= i < N }
      q[t, i, 0] = tanh(a[t, i, 0])
  Q1: [T, N, M] -> { Q1[t, i, j] : 0 <= t < T and 0 <= i < N and 1 <= j < M }
      q[t, i, j] = c[j] * q[t, i, j - 1] + a[t, N - 1 - i, j] + a[t, i, j - 1]
  A1: [T, N, M] -> { A1[t, i, j] : 0 <= t < T and 0 <= i < N and 0 <= j < M }
      a[t + 1, i, j] = tanh(q[t, i, M - 1 - j])
  Y: [T, N, M] -> { Y[i, j] : 0 <= i < N and 0 <= j < M }
      y[i, j] = a[T, i, j]
"""


def test_steps_are_folded_where_a_scan_stays_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[dict[str, frozenset[int]]] = []

    def watched(*given: Any) -> dict[str, frozenset[int]]:
        found.append(beside_scans(*given))
        return found[-1]

    monkeypatch.setattr(storage, "beside_scans", watched)
    program = parse_program(STEPS)
    plan = plan_kernel(program, default_schedule(program), CodegenOptions())
    assert found[-1]["a"] == {0}, "along i two elements are read, along j all are"
    assert plan.storage.slots == {"a": {0: 2}, "q": {0: 1}}
    certify(plan)
    run = compile_program(program)
    x = np.random.default_rng(0).normal(size=(3, 700))
    c = np.full(700, 0.5)
    expected = evaluate(program, {"x": x, "c": c}, {"T": 3, "N": 3, "M": 700})["y"]
    np.testing.assert_allclose(run(x, c, T=3), expected, rtol=1e-12)
