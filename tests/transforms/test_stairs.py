"""Triangles with stairs: which contractions get them, what is padded with zeros, and that results stay."""

import re

import numpy as np
import pytest

from polyad.codegen.options import CodegenOptions
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import Strategies
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from polyad.transforms.passes.boxes.stairs import pad_triangles
from polyad.transforms.passes.initialise import initialise
from tests.codegen.compiled import Library, source_of
from tests.transforms.equivalence import assert_same

MASKED = """
program masked: [L, D] -> { : L >= 1 and D >= 1 }
  input     s: float64[L, L]
  input     v: float64[L, D]
  input     r: float64[L, D]
  temporary p: float64[L, L]
  temporary t: float64[L, L]
  output    o: float64[L, D]
  output    v_bar: float64[L, D]
  output    w: float64[L]
  P: [L, D] -> { P[i, j] : 0 <= j <= i < L }
      p[i, j] = exp(s[i, j])
  O: [L, D] -> { O[i, d, j] : 0 <= j <= i < L and 0 <= d < D }
      o[i, d] += p[i, j] * v[j, d]
  V: [L, D] -> { V[j, d, i] : 0 <= j <= i < L and 0 <= d < D }
      v_bar[j, d] += p[i, j] * r[i, d]
  T: [L, D] -> { T[i, j, d] : 0 <= j <= i < L and 0 <= d < D }
      t[i, j] += r[i, d] * v[j, d]
  W: [L, D] -> { W[i, j] : 0 <= j <= i < L }
      w[i] += t[i, j]
"""
STRICT = MASKED.replace("j <= i", "j < i")
BAND = MASKED.replace("j <= i < L", "j <= i < L and i <= j + 100")
SIZES = ({"L": 1, "D": 1}, {"L": 3, "D": 2}, {"L": 64, "D": 1}, {"L": 70, "D": 2})
STARTED = MASKED.replace("  P:", "  T0: [L, D] -> { T0[i, j] : 0 <= j <= i < L }\n      t[i, j] = s[i, j]\n  P:")
SOLVE = """
program solve: [L, D] -> { : L >= 1 and D >= 1 }
  input     a: float64[L, L]
  input     b: float64[L, D]
  temporary c: float64[L, L]
  temporary y: float64[L, D]
  output    x: float64[L, D]
  C: [L, D] -> { C[i, j] : 0 <= j < i < L }
      c[i, j] = 2.0 * a[i, j]
  Y: [L, D] -> { Y[i, d, j] : 0 <= j < i < L and 0 <= d < D }
      y[i, d] += c[i, j] * x[j, d]
  X: [L, D] -> { X[i, d] : 0 <= i < L and 0 <= d < D }
      x[i, d] = b[i, d] - y[i, d]
"""
GIVEN = """
program given: [L, D] -> { : L >= 1 and D >= 1 }
  input     a: float64[L, L]
  input     v: float64[L, D]
  output    o: float64[L, D]
  output    u: float64[L, D]
  O: [L, D] -> { O[i, d, j] : 0 <= j <= i < L and 0 <= d < D }
      o[i, d] += a[i, j] * v[j, d]
  U: [L, D] -> { U[j, d, i] : 0 <= j <= i < L and 0 <= d < D }
      u[j, d] += a[i, j] * v[i, d]
"""
WHOLE = MASKED.replace("  O:", "  Q: [L, D] -> { Q[i, j] : 0 <= i < j < L }\n      p[i, j] = s[i, j]\n  O:")
FEW = MASKED.replace("[L, D] ->", "[D] ->").replace("L >= 1 and ", "").replace("< L", "< 40").replace("L", "40")
TINY_ONE = FEW.replace("40", "20")
CHAIN = """
program chain: [L, D] -> { : L >= 1 and D >= 1 }
  input     q: float64[L, D]
  input     v: float64[L, D]
  temporary t: float64[L, L]
  output    o: float64[L, D]
  T: [L, D] -> { T[i, j, d] : 0 <= j <= i < L and 0 <= d < D }
      t[i, j] += q[i, d] * v[j, d]
  O: [L, D] -> { O[i, d, j] : 0 <= j <= i < L and 0 <= d < D }
      o[i, d] += t[i, j] * v[j, d]
"""


TRIANGLES = [
    pytest.param(MASKED, id="triangle"),
    pytest.param(STRICT, id="strict", marks=pytest.mark.slow),
    pytest.param(STARTED, id="started", marks=pytest.mark.slow),
    pytest.param(BAND, id="band"),
]


@pytest.mark.parametrize("text", TRIANGLES)
@pytest.mark.quick_cases(1)
def test_triangles_become_rectangles_for_each_block(text: str) -> None:
    before = initialise(parse_program(text))
    after = pad_triangles(before)
    drawn = default_schedule(after).tree()
    assert drawn.count("contraction for") == 3
    assert "p_zeros" in {s.name for s in after.statements}, "the operand p has zeros beyond the diagonal"
    assert "contraction" not in default_schedule(before).tree()
    assert_same(before, after, *SIZES)


def test_the_result_starts_from_zeros_where_nobody_reads_it() -> None:
    (found,) = (s for s in pad_triangles(initialise(parse_program(MASKED))).statements if s.name == "t_init")
    assert "floor" in str(found.domain), "the zeros that were there reach to the end of the block"
    names = [s.name for s in pad_triangles(initialise(parse_program(STARTED))).statements]
    assert "t_zeros" in names, "other definitions keep their domain"


@pytest.mark.parametrize("text", [SOLVE, WHOLE, TINY_ONE], ids=["recurrence", "whole", "small"])
def test_what_has_no_place_for_zeros_stays(text: str) -> None:
    """A solve needs its own results, values may stand beyond the diagonal, and small triangles gain nothing."""
    before = initialise(parse_program(text))
    after = pad_triangles(before)
    operands = {"c_zeros", "a_part_zeros", "p_zeros"} & {s.name for s in after.statements}
    assert not operands
    if text in (SOLVE, TINY_ONE):
        assert after is before
    else:
        assert_same(before, after, {"L": 70, "D": 2})


def test_of_an_input_the_triangle_is_copied_next_to_zeros() -> None:
    """Once for both products: what stands in the other half is the caller's, and is not read."""
    before = initialise(parse_program(GIVEN))
    after = pad_triangles(before)
    assert default_schedule(after).tree().count("contraction for") == 2
    assert {n for n in after.arrays if n.startswith("a_")} == {"a_part"}
    assert_same(before, after, *SIZES)
    inputs = {"a": np.triu(np.full((70, 70), np.nan), 1) + np.tri(70), "v": np.ones((70, 2))}
    assert np.isfinite(evaluate(after, inputs, {"L": 70, "D": 2})["o"]).all()


def test_what_lies_beyond_the_border_of_an_input_is_no_part_of_its_copy() -> None:
    """A filter that begins at the diagonal: zeros stand before its first element, and frames are for that."""
    text = GIVEN.replace("a: float64[L, L]", "a: float64[L]").replace("a[i, j]", "a[i - j]")
    before = initialise(parse_program(text))
    after = pad_triangles(before)
    verify(after)
    assert_same(before, after, {"L": 2, "D": 1}, {"L": 70, "D": 2})


def test_a_result_that_is_an_operand_too_is_computed_in_an_array_of_its_own() -> None:
    """Causal scores times values: zeros beyond the diagonal for the second product, numbers there in the first."""
    before = initialise(parse_program(CHAIN))
    after = pad_triangles(before)
    assert default_schedule(after).tree().count("contraction for") == 2
    assert "t_box" in after.arrays
    assert_same(before, after, *SIZES)


@pytest.mark.parametrize("text", [FEW, FEW.replace("40", "90")], ids=["box", "stairs"])
def test_triangles_of_few_rows_become_boxes(text: str) -> None:
    before = initialise(parse_program(text))
    after = pad_triangles(before)
    assert default_schedule(after).tree().count("contraction for") == 3
    assert_same(before, after, {"D": 2})


def test_a_narrow_band_of_few_rows_is_no_box() -> None:
    text = FEW.replace("j <= i < 40", "j <= i < 40 and i <= j + 3")
    before = initialise(parse_program(text))
    assert pad_triangles(before) is before


def test_it_is_part_of_contractions() -> None:
    after = pad_triangles(initialise(parse_program(MASKED)))
    assert "contraction" not in default_schedule(after, Strategies.at_level(1)).tree()


@pytest.mark.parametrize("text", TRIANGLES)
@pytest.mark.quick_cases(1)
def test_compiled(text: str) -> None:
    """No result depends on what the workspace held; nothing fills a result that the products overwrite."""
    program, source = source_of(str(pad_triangles(initialise(parse_program(text)))), CodegenOptions())
    assert len(re.findall(r"pa_contract_(?:share_)?f64\(", source.c)) == 3
    assert ("v_bar_init" in source.c) == (text is STRICT), "in a strict triangle the last row has no product"
    random = np.random.default_rng(0)
    for sizes in (*SIZES, {"L": 200, "D": 33}):
        length, depth = sizes["L"], sizes["D"]
        inputs = {"s": random.normal(size=(length, length))}
        inputs |= {n: random.normal(size=(length, depth)) for n in ("v", "r")}
        found = Library(source).run(sizes, inputs)
        expected = _expected(text, **inputs)
        if length < 64:
            for name, values in evaluate(program, inputs, sizes).items():
                np.testing.assert_allclose(expected[name], values, rtol=1e-11, atol=1e-11)
        for name, values in found.items():
            np.testing.assert_allclose(values, expected[name], rtol=1e-11, atol=1e-11)


def _expected(text: str, s: np.ndarray, v: np.ndarray, r: np.ndarray) -> dict[str, np.ndarray]:
    lower = np.tril(np.ones_like(s), -1 if text is STRICT else 0)
    lower *= np.triu(lower, -100) if text is BAND else 1
    p, t = lower * np.exp(s), lower * (r @ v.T + (s if text is STARTED else 0))
    return {"o": p @ v, "v_bar": p.T @ r, "w": t.sum(1)}
