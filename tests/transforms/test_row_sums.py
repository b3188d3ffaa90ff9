import pytest

from polyad.codegen.options import CodegenOptions
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.transforms.passes.initialise import initialise
from polyad.transforms.passes.sums.row_sums import row_sums
from tests.codegen.compiled import source_of
from tests.transforms.equivalence import assert_same

ERRORS = """
program errors: [N, M] -> { : N >= 1 and M >= 1 }
  input     x: float64[N, M]
  input     y: float64[N, M]
  temporary e: float64[N, M]
  output    loss: float64[]
  output    x_bar: float64[N, M]
  E: [N, M] -> { E[i, j] : 0 <= i < N and 0 <= j < M }
      e[i, j] = x[i, j] - y[i, j]
  L: [N, M] -> { L[k, r] : 0 <= k < N and 0 <= r < M }
      loss[] += e[k, r] * e[k, r]
  G: [N, M] -> { G[i, j] : 0 <= i < N and 0 <= j < M }
      x_bar[i, j] = e[i, j] + e[i, j]
"""


def test_rows_are_summed_where_they_are_computed() -> None:
    before = initialise(parse_program(ERRORS))
    after = row_sums(before)
    assert str(after.arrays["loss_rows"]) == "loss_rows: float64[N]"
    assert after.statement("L").array == "loss_rows" and after.statement("loss_rows_sum").dims == ("k",)
    assert_same(before, after)
    inner = initialise(parse_program(ERRORS.replace("0 <= k < N", "1 <= k < N - 1")))
    assert_same(inner, row_sums(inner), {"N": 4, "M": 3}, {"N": 2, "M": 3})
    drawn = default_schedule(after).tree()
    assert drawn.count("parallel for i") == 1 and drawn.index("E[") < drawn.index("L[") < drawn.index("loss_rows_sum[")
    _, source = source_of(str(after), CodegenOptions())
    sizes = {"N": 100, "M": 1000}
    assert source.memory.workspace_bytes(sizes) < 2 * 8 * (100 + 1000), "the errors of one row, and the sums"


@pytest.mark.parametrize(
    "text",
    [
        ERRORS.replace("r < M", "r < 63").replace("M >= 1", "M >= 63"),  # short rows
        ERRORS.replace("r < M", "r <= k and r < M"),  # a triangle
        ERRORS.replace("loss[] += e[k, r] * e[k, r]", "loss[] += x[k, r] * x[k, r]"),  # of inputs
        ERRORS.replace("loss[] += e[k, r] * e[k, r]", "loss[] += e[k, M - 1 - r]"),  # in another order
        ERRORS.replace("loss[] += e[k, r] * e[k, r]", "loss[] max= e[k, r] * e[k, r]"),
        ERRORS.replace("e[i, j] = x[i, j] - y[i, j]", "e[i, j] += x[i, j] - y[i, j]"),
    ],
)
def test_what_stays(text: str) -> None:
    program = parse_program(text)
    assert row_sums(program) is program
