"""Contractions that overwrite their result: no nest of zeros where the first one covers what it would fill."""

import numpy as np
import pytest

from polyad.codegen.options import CodegenOptions
from polyad.ops.program_text import parse_program
from polyad.semantics.evaluate import evaluate
from polyad.transforms.passes.initialise import initialise
from tests.codegen.compiled import Library, source_of
from tests.codegen.samples import INFERENCE
from tests.machines import LOOPS_IN_THREADS

PRODUCT = """
program p: [M, N, K] -> { : M >= 1 and N >= 1 and K >= 1 }
  input     a: float64[M, K]
  input     b: float64[K, N]
  output    c: float64[M, N]
  S: [M, N, K] -> { S[i, j, k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }
      c[i, j] += a[i, k] * b[k, j]
"""
IDENTITY = "  c_init: [M, N, K] -> { c_init[i, j] : 0 <= i < M and 0 <= j < N }\n      c[i, j] = 0.0\n  S:"
SECOND = """  R: [M, N, K] -> { R[i, j, k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }
      c[i, j] += b[k, j] * a[i, K - 1 - k]
"""
COPY = """  copy: [M, N, K] -> { copy[i, j] : 0 <= i < M and 0 <= j < N }
      d[i, j] = c[i, j]
"""

COVERED = {
    "product": PRODUCT,
    "with the identity written out": PRODUCT.replace("  S:", IDENTITY),
    "the first of two": PRODUCT + SECOND,
    "read afterwards": PRODUCT.replace("  S:", "  output    d: float64[M, N]\n  S:") + COPY,
}
NOT_COVERED = {
    "a sum that may be empty": PRODUCT.replace("K >= 1", "K >= 0"),
    "rows that are left out": PRODUCT.replace("0 <= i < M and", "1 <= i < M and"),
    "every second column": PRODUCT.replace("0 <= j < N and", "0 <= j < N and j mod 2 = 0 and"),
    "part of a larger array": PRODUCT.replace("c: float64[M, N]", "c: float64[M, N + 1]"),
    "a value to begin with": PRODUCT.replace("  S:", IDENTITY.replace("= 0.0", "= 1.5")),
    "a bias": PRODUCT.replace("  S:", IDENTITY.replace("= 0.0", "= b[0, j]")),
}


def check(text: str) -> str:
    """The text of the function after its arguments are checked; its results are right, whatever the memory held."""
    program, source = source_of(text, CodegenOptions(machine=LOOPS_IN_THREADS))
    library = Library(source)
    random = np.random.default_rng(0)
    for m, n, k in ((1, 1, 1), (3, 5, 2), (20, 30, 17)):
        inputs = {"a": random.standard_normal((m, k)), "b": random.standard_normal((k, n))}
        sizes = {"M": m, "N": n, "K": k}
        expected = evaluate(program, inputs, sizes)
        for name, values in library.run(sizes, inputs).items():
            np.testing.assert_allclose(values, expected[name], rtol=1e-12, atol=1e-12)
    return source.c.split("return POLYAD_ERROR_WORKSPACE;")[1]


@pytest.mark.parametrize("name", COVERED)
@pytest.mark.quick_cases(2)
def test_no_zeros_where_a_contraction_covers_them(name: str) -> None:
    body = check(COVERED[name])
    assert "= 0.0;" not in body
    first, *others = [line for line in body.splitlines() if "pa_contract_" in line]
    assert first.endswith("1.0, 0, &pa_space);")
    assert all(line.endswith("1.0, 1, &pa_space);") for line in others)
    assert len(others) == (1 if name == "the first of two" else 0)


@pytest.mark.parametrize("name", NOT_COVERED)
@pytest.mark.quick_cases(2)
def test_what_is_not_covered_is_filled_first(name: str) -> None:
    body = check(NOT_COVERED[name])
    assert "c_init: c[i, j]" in body or "c_init: c[i, a1]" in body
    assert ", 0, &pa_space);" not in body.split("pa_contract_", 1)[-1].split("\n", 1)[0]


def test_an_empty_sum_is_zero() -> None:
    _, source = source_of(NOT_COVERED["a sum that may be empty"])
    made = Library(source).run({"M": 2, "N": 3, "K": 0}, {"a": np.zeros((2, 0)), "b": np.zeros((0, 3))})
    assert (made["c"] == 0.0).all()


def test_two_results_are_each_overwritten() -> None:
    text = PRODUCT.replace("  S:", "  output    d: float64[M, N]\n  S:") + SECOND.replace("c[i, j] +=", "d[i, j] +=")
    body = check(text)
    assert "= 0.0;" not in body and body.count("1.0, 0, &pa_space);") == 2


def test_inside_of_loops_elements_are_filled() -> None:
    """A contraction in a loop covers a slice: the strategy asks for whole arrays, outside of loops."""
    c = source_of(INFERENCE)[1].c
    assert "z_init" in c and "1.0f, 1, &pa_space);" in c


def test_programs_stay_as_they_are() -> None:
    """The program holds the zeros: what is left out is the text."""
    program = initialise(parse_program(PRODUCT))
    assert {s.name for s in program.statements} == {"c_init", "S"}


STEPS = """
program steps: [M, N, T] -> { : M >= 1 and N >= 1 and T >= 1 }
  input     a: float64[T, M]
  input     w: float64[N, M, N]
  output    h: float64[T + 1, M, N]
  S0: [M, N, T] -> { S0[i, j] : 0 <= i < M and 0 <= j < N }
      h[0, i, j] = a[0, i]
  I: [M, N, T] -> { I[t, i, j] : 0 <= t < T and 0 <= i < M and 0 <= j < N }
      h[t + 1, i, j] = 0.0
  S: [M, N, T] -> { S[t, i, j, k] : 0 <= t < T and 0 <= i < M and 0 <= j < N and 0 <= k < N }
      h[t + 1, i, j] += h[t, i, k] * w[j, 0, k]
"""


@pytest.mark.parametrize("filled", ["0 <= i < M and 0 <= j < N", "0 <= i < M and 1 <= j < N"])
def test_inside_of_loops_too(filled: str) -> None:
    """In each step, where what is filled is what is summed; the rest has to be filled elsewhere."""
    text = STEPS.replace(
        "I[t, i, j] : 0 <= t < T and 0 <= i < M and 0 <= j < N", f"I[t, i, j] : 0 <= t < T and {filled}"
    )
    if "1 <=" in filled:
        text += "  J: [M, N, T] -> { J[t, i] : 0 <= t < T and 0 <= i < M }\n      h[t + 1, i, 0] = a[t, i]\n"
    program, source = source_of(text, CodegenOptions(machine=LOOPS_IN_THREADS))
    body = source.c.split("return POLYAD_ERROR_WORKSPACE;")[1]
    random = np.random.default_rng(0)
    inputs = {"a": random.standard_normal((3, 5)), "w": random.standard_normal((4, 5, 4))}
    sizes = {"M": 5, "N": 4, "T": 3}
    found = Library(source).run(sizes, inputs)
    np.testing.assert_allclose(found["h"], evaluate(program, inputs, sizes)["h"], rtol=1e-12)
    assert "pa_contract_" in body
    assert ("= 0.0;" in body) == ("1 <=" in filled)
