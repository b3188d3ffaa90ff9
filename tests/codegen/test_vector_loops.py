"""Vector loops that ask for the widest vectors."""

import re
from dataclasses import replace

import numpy as np
import pytest

from polyad.codegen.options import CodegenOptions
from polyad.machine import MACHINE
from polyad.schedule.strategies import ALL
from polyad.semantics.evaluate import evaluate
from tests.codegen.compiled import Library, source_of

EACH = """
program each: [N] -> { : N >= 100 }
  input     x: float64[N, N]
  output    y: float64[N, N]
  S: [N] -> { S[i, k] : 0 <= i < N and 0 <= k < COUNT }
      y[i, k] = x[i, k] * x[i, k]
"""

TOTAL = """
program total: [N] -> { : N >= 1000 }
  input     x: float64[N, N]
  output    y: float64[N]
  Z: [N] -> { Z[i] : 0 <= i < N }
      y[i] = 0.0
  S: [N] -> { S[i, k] : 0 <= i < N and 0 <= k < COUNT }
      y[i] += x[i, k]
"""


def pragmas(text: str, count: str, dtype: str) -> list[str]:
    _, source = source_of(text.replace("COUNT", count).replace("float64", dtype))
    return [line.strip() for line in source.c.splitlines() if "SIMD" in line]


@pytest.mark.parametrize(("dtype", "suffix"), [("float32", "f32"), ("float64", "f64")])
def test_long_loops_take_the_widest_vectors(dtype: str, suffix: str) -> None:
    assert pragmas(EACH, "64", dtype) == [f"PA_SIMD_WIDE({suffix})"]
    assert pragmas(EACH, "N", dtype) == [f"PA_SIMD_WIDE({suffix})"]


@pytest.mark.parametrize("count", ["14", "63", "i"])
def test_short_and_triangular_loops_do_not(count: str) -> None:
    assert pragmas(EACH, count, "float64") == ["PA_SIMD"]


def test_integers_and_mixed_types_do_not() -> None:
    mixed = EACH.replace("x: float64", "x: int64").replace("x[i, k] * x[i, k]", "cast_float64(x[i, k])")
    assert pragmas(EACH, "N", "int64") == ["PA_SIMD"]
    assert pragmas(mixed, "N", "float64") == ["PA_SIMD"]


def test_reductions_must_be_known_to_be_longer() -> None:
    """Adding up the lanes takes longer the more there are."""
    found = [[line for line in pragmas(TOTAL, count, "float64") if "+" in line] for count in ("256", "255", "N")]
    wide, short, unknown = (" ".join(lines) for lines in found)
    assert "WIDE" in wide
    assert "WIDE" not in short and "WIDE" not in unknown


PRODUCT = """
program product: [N] -> { : N >= 1 }
  input     A: float64[N, N]
  input     B: float64[N, N]
  output    C: float64[N, N]
  Z: [N] -> { Z[i, j] : 0 <= i < N and 0 <= j < N }
      C[i, j] = 0.0
  S: [N] -> { S[i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < COUNT }
      C[i, j] += A[i, k] * B[ROW]
"""


def product(count: str, row: str, vector_bytes: int = 64) -> str:
    options = CodegenOptions(
        strategies=replace(ALL, contraction=False), machine=replace(MACHINE, vector_bytes=vector_bytes)
    )
    text = PRODUCT.replace("COUNT", count).replace("ROW", row)
    return source_of(text if count == "N" else text.replace("N >= 1", f"N >= {count}"), options)[1].c


def test_several_sums_need_not_be_as_long() -> None:
    """Sixteen of them share what they load: they wait for multiplications, of which wide vectors make more."""
    for count, wide in (("64", True), ("63", False)):
        several = [line for line in product(count, "j, k").splitlines() if "C_sum_0_0," in line]
        assert several
        assert all(("PA_WIDE_f64" in line) == wide for line in several)


def test_lanes_of_many_sums_are_one_vector() -> None:
    """Also where results are stored; of few sums, shorter vectors make two chains of additions each."""
    for width in (64, 32):
        loops = re.findall(r"(\S+)\n *for \(int64_t lane .*\n((?:.*;\n)+)", product("N", "k, j", width))
        sums = [body.count("\n") for _, body in loops]
        assert {1, 4, 16} == set(sums)
        for (pragma, _), count in zip(loops, sums, strict=True):
            assert pragma == ("PA_SIMD_WIDE(f64)" if count == 16 and width == 64 else "PA_SIMD")


def test_compilers_are_told_that_triangular_sums_have_terms() -> None:
    """Else gcc 12 forgets, in the part of a thread, that these are vector loops."""
    for count, told in (("i + 1", True), ("N", False)):
        _, source = source_of(TOTAL.replace("COUNT", count))
        lines = [line.strip() for line in source.c.splitlines()]
        start = lines.index("for (int64_t i = 0; i < N; i += 1) {")
        assert lines[start - 1].startswith("PA_PARALLEL_FOR_IF")
        assert (lines[start + 1] == "PA_ASSUME(i >= 0);") == told


FIRST = """
program first: [N] -> { : N >= 1 }
  input     x: float32[N]
  input     top: float32[]
  output    at: int64[]
  Z: [N] -> { Z[] }
      at[] = 9223372036854775807
  S: [N] -> { S[k] : 0 <= k < N }
      at[] min= select(lt(x[k], top[]), 9223372036854775807, index(k))
"""


def test_integers_are_reduced_in_lanes() -> None:
    """As in the derivative of a maximum, which asks for the first element that is one."""
    program, source = source_of(FIRST)
    assert "PA_SIMD_REDUCTION(min, at_" in source.c
    x = np.random.default_rng(0).normal(size=1000).astype(np.float32)
    for n in (1, 7, 1000):
        inputs = {"x": x[:n], "top": x[:n].max()[...]}
        found = Library(source).run({"N": n}, inputs)["at"]
        assert found == x[:n].argmax() == evaluate(program, inputs, {"N": n})["at"]
