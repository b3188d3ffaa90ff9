import islpy as isl
import numpy as np
import pytest

from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from polyad.transforms.passes.simplify import simplify
from polyad.transforms.rewrite.affine_conditions import condition_set, split_affine_selects
from tests.programs import CONV, CUMSUM, DTW, GATHER, LSTM, MATVEC, program
from tests.transforms.equivalence import assert_same

PAD = """
program pad: [N] -> { : N >= 1 }
  input     x: float64[N]
  output    y: float64[N + 2]
  S: [N] -> { S[i] : 0 <= i < N + 2 }
      y[i] = select(and(le(1, index(i)), le(index(i), index(N))), x[i - 1], 0.0)
"""

TRIANGLE = """
program triangle: [N] -> { : N >= 1 }
  input     x: float64[N, N]
  output    y: float64[N]
  S: [N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }
      y[i] += select(le(index(j), index(i)), x[i, j] + 0.0, 0.0) * 1.0
"""

MASKED = """
program masked: [N] -> { : N >= 1 }
  input     x: float64[N]
  output    y: float64[N]
  S: [N] -> { S[i] : 0 <= i < N }
      y[i] = select(and(gt(x[i], 0.0), not(eq(index(i % 3), 1))), x[i], cast_float64(lt(index(2*i), index(N))))
"""

NOTHING = """
program nothing: [N] -> { : N >= 1 }
  input     x: float64[N]
  output    y: float64[N]
  D: [N] -> { D[i] : i = 0 }
      y[i] = x[i]
  S: [N] -> { S[i] : 0 < i < N }
      y[i] += x[i] * 0.0
"""

GATHER_AT = """
program gather_at: [N] -> { : N >= 2 }
  input     x: float64[N]
  input     ids: int64[N]
  output    y: float64[N]
  S: [N] -> { S[i] : 0 <= i < N }
      y[i] = x[select(lt(index(i), 1), ids[i], index(i) - 1)]
"""


@pytest.mark.parametrize("text", [MATVEC, CONV, CUMSUM, LSTM, DTW, GATHER])
def test_what_is_simple_is_left_alone(text: str) -> None:
    before = program(text)
    assert simplify(before) is before


@pytest.mark.parametrize("text", [TRIANGLE, MASKED, NOTHING, GATHER_AT])
def test_values_stay(text: str) -> None:
    before = program(text)
    assert_same(before, simplify(before), {"N": 2}, {"N": 7})


def test_padding_becomes_two_definitions() -> None:
    # Before, the read of x[-1] is written down though its value is never used: only the result is a valid program.
    after = simplify(program(PAD))
    verify(after)
    np.testing.assert_array_equal(evaluate(after, {"x": [3.0, 4.0]})["y"], [0, 3, 4, 0])
    inner, border = after.statements
    assert (inner.name, border.name) == ("S", "S_1")
    assert str(inner.domain) == "[N] -> { S[i] : 0 < i <= N }"
    assert str(border.domain) == "[N] -> { S_1[i = 1 + N]; S_1[i = 0] }"


def test_zero_under_a_sum_becomes_a_smaller_domain() -> None:
    after = simplify(program(TRIANGLE))
    assert len(after.statements) == 1
    assert "y[i] += x[i, j]\n" in str(after)
    # A triangle: half of the square.
    assert str(after.statements[0].domain) == "[N] -> { S[i, j] : i < N and 0 <= j <= i }"


def test_data_dependent_parts_of_a_condition_stay() -> None:
    after = simplify(program(MASKED))
    assert "select(gt(x[i], 0.0), x[i], 1.0)" in str(after)
    assert "index" not in str(after)


def test_elements_that_lose_all_contributions_are_still_defined() -> None:
    after = simplify(program(NOTHING))
    assert [s.name for s in after.statements] == ["D", "y_init"]
    assert str(after.statements[1].domain) == "[N] -> { y_init[a0] : 0 < a0 < N }"


def test_an_index_that_is_affine_on_a_piece_becomes_an_affine_access() -> None:
    text = str(simplify(program(GATHER_AT)))
    assert "y[i] = x[ids[i]]" in text and "y[i] = x[i - 1]" in text


def test_condition_sets() -> None:
    s = program(MASKED).statements[0]
    condition = s.body.cond
    assert condition_set(condition, s.space()) is None
    negated = condition_set(condition.args[1], s.space())
    assert negated is not None
    assert negated.is_equal(isl.Set("[N] -> { S[i] : i mod 3 != 1 }"))


def test_pieces_avoid_taken_names() -> None:
    s = program(PAD).statements[0]
    assert [p.name for p in split_affine_selects(s, {"S_1"})] == ["S", "S_2"]
