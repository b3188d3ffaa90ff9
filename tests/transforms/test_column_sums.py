import pytest

from polyad.ops.program_text import parse_program
from polyad.transforms.passes.initialise import initialise
from polyad.transforms.passes.sums.column_sums import column_sums
from tests.transforms.equivalence import assert_same

COLUMNS = """
program columns: [N, M] -> { : N >= 0 and M >= 1 }
  input  x: float32[N, M]
  output s: float32[M]
  S: [N, M] -> { S[j, i] : 0 <= i < N and 0 <= j < M }
      s[j] += x[i, j] * x[i, j]
"""


def test_columns_are_summed_by_blocks_of_rows() -> None:
    before = initialise(parse_program(COLUMNS))
    after = column_sums(before)
    assert str(after.arrays["s_wide"]) == "s_wide: float64[M]"
    assert after.statement("S").array == "s_rows" and after.statement("S").dims == ("b", "j", "i")
    assert after.arrays["s_rows"].shape[0].evaluate({"N": 65, "M": 1}) == 3
    for sizes in ({"N": 0, "M": 2}, {"N": 1, "M": 1}, {"N": 32, "M": 2}, {"N": 70, "M": 3}):
        assert_same(before, after, sizes)


@pytest.mark.parametrize(
    "text",
    [
        COLUMNS.replace("float32", "float64"),
        COLUMNS.replace("i < N", "i < 32").replace("N >= 0", "N >= 32"),  # few rows
        COLUMNS.replace("s[j]", "s[i]").replace("s: float32[M]", "s: float32[N]"),  # along rows
        COLUMNS.replace("s[j] +=", "s[j] max="),
        COLUMNS.replace("0 <= i < N", "j <= i < N"),  # a triangle
        COLUMNS.replace("x[i, j] * x[i, j]", "x[i, 0]"),
    ],
)
def test_what_stays(text: str) -> None:
    program = initialise(parse_program(text))
    assert column_sums(program) is program


SEVERAL = """
program columns: [N, K, M] -> { : N >= 0 and K >= 0 and M >= 1 }
  input  x: float32[N, K, M]
  output s: float32[M]
  S: [N, K, M] -> { S[j, i, k] : 0 <= i < N and 0 <= k < K and 0 <= j < M }
      s[j] += x[i, k, j]
"""


def test_a_sum_over_two_dimensions_has_one_row_for_each_block_of_one() -> None:
    before = initialise(parse_program(SEVERAL))
    after = column_sums(before)
    assert [str(e) for e in after.arrays["s_rows"].shape[1:]] == ["N", "M"]
    for sizes in ({"N": 3, "K": 33, "M": 2}, {"N": 0, "K": 2, "M": 1}, {"N": 2, "K": 0, "M": 1}):
        assert_same(before, after, sizes)


def test_a_vector_along_the_sum_is_no_matrix() -> None:
    text = COLUMNS.replace("x[i, j] * x[i, j]", "y[i] * x[i, j]").replace(
        "  output", "  input  y: float32[N]\n  output"
    )
    before = initialise(parse_program(text))
    after = column_sums(before)
    assert "s_rows" in after.arrays
    assert_same(before, after, {"N": 70, "M": 3})
