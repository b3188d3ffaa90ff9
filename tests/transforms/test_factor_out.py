"""Factors of sums are taken out of them: the same values, and derivatives that sum over less."""

from dataclasses import replace

import numpy as np
import pytest

from polyad.ad.reverse import reverse
from polyad.ir.program import Program
from polyad.semantics.evaluate import evaluate
from polyad.semantics.points import points
from polyad.transforms.rewrite.factor_out import factor_out
from tests.programs import CONV, GATHER, LSTM, program
from tests.transforms.equivalence import assert_same, random_inputs

SUM = """
program p: [M, N, K] -> {{ : M >= 0 and N >= 0 and K >= 0 }}
  input     alpha: float64[]
  input     d: float64[M + 4]
  input     e: float64[K + 4]
  input     A: float64[M + 4, K + 4]
  input     B: float64[K + 4, N + 4]
  output    C: float64[M + 4, N + 4]
  S: [M, N, K] -> {{ S[i, j, k] : {domain} }}
      C[{write}] {equation}
"""
BOX = "0 <= i < M and 0 <= j < N and 0 <= k < K"


def of(equation: str, domain: str = BOX, write: str = "i, j") -> Program:
    return program(SUM.format(equation=equation, domain=domain, write=write))


TAKEN = {
    "a scalar": (of("+= alpha[] * A[i, k] * B[k, j]"), "C_sum[i, j] += mul(A[i, k], B[k, j])"),
    "a number and a row": (of("+= d[i] * A[i, k] * 2.0 * -B[k, j]"), "C_sum[i, j] += mul(A[i, k], B[k, j])"),
    "a triangle": (
        of("+= alpha[] * A[i, k] * B[k, j]", f"{BOX} and j <= i and k <= j"),
        "C_sum[i, j] += mul(A[i, k], B[k, j])",
    ),
    "from an offset": (
        of("+= alpha[] * A[i, k] * B[k, j]", "2 <= i < M and 1 <= j < N and 0 <= k < K"),
        "C_sum[",
    ),
    "a transposed result": (
        of("+= d[j + 1] * A[j, k] * B[k, i]", BOX.replace("M", "min(M, N)").replace("j < N", "j < M"), write="j, i"),
        "C_sum[",
    ),
    "a sum over two": (of("+= alpha[] * A[i, k] * B[k, j] * d[i]", write="i, 0"), "C_sum[i] += "),
    "one factor left": (of("+= alpha[] * e[k]"), "C_sum[i, j] += e[k]"),
}


@pytest.mark.parametrize("name", TAKEN)
def test_values_stay(name: str) -> None:
    before, line = TAKEN[name]
    after = factor_out(before)
    assert line in str(after), after
    for sizes in ((1, 1, 1), (0, 2, 3), (3, 0, 2), (4, 3, 0), (5, 4, 3)):
        assert_same(before, after, dict(zip("MNK", sizes, strict=True)))


@pytest.mark.parametrize(
    "equation",
    [
        "+= A[i, k] * B[k, j]",
        "+= 2.0 * A[i, k] * B[k, j]",
        "+= alpha[] * A[i, k] + B[k, j]",
        "+= e[k] * A[i, k] * B[k, j]",
        "max= alpha[] * A[i, k] * B[k, j]",
        "*= alpha[] * A[i, k] * B[k, j]",
        "+= alpha[] * d[i]",
    ],
)
def test_what_stays(equation: str) -> None:
    before = of(equation)
    assert factor_out(before) is before


@pytest.mark.parametrize("text", [CONV, LSTM, GATHER])
def test_programs_without_such_factors_are_left_alone(text: str) -> None:
    before = program(text)
    assert factor_out(before) is before


def test_the_derivative_by_a_factor_sums_over_what_is_left() -> None:
    before = TAKEN["a scalar"][0]
    derivatives = [reverse(p, {"C": None}, ["alpha", "A"]) for p in (before, factor_out(before))]
    sizes = {"M": 4, "N": 3, "K": 5}
    terms, values = [], []
    for made in derivatives:
        adjoints = [made.arrays[n] for n in ("alpha", "A")]
        found = replace(made.program, outputs=("C", *adjoints))
        by_alpha = [s for s in found.statements if s.array == adjoints[0]]
        terms.append(sum(len(points(s.domain, sizes)) for s in by_alpha))
        results = evaluate(found, random_inputs(before, sizes), sizes)
        values.append([results[n] for n in ("C", *adjoints)])
    assert terms == [4 * 3 * 5, 4 * 3]
    for expected, got in zip(*values, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12)
