from polyad.ops.program_text import parse_program
from polyad.transforms.passes.initialise import initialise
from polyad.transforms.rewrite.sums.part_sums import part_sums
from tests.transforms.equivalence import assert_same

# Twelve numbers in three parts of four: their maximum, and sums of which one has two contributions.
NUMBERS = """
program numbers: [] -> {  :  }
  input     x: float64[12]
  input     w: float64[5]
  output    top: float64[]
  output    sums: float64[5]
  T: { T[p, i] : 0 <= p < 3 and 0 <= i < 4 }
      top[] max= x[4 * p + i]
  S0: { S0[k] : 0 <= k < 2 }
      sums[k] = w[k]
  A: { A[p, k, i] : 0 <= p < 3 and 0 <= i < 4 and 0 <= k < 3 }
      sums[k] += x[4 * p + i] * w[k]
  B: { B[p, k, i] : 0 <= p < 3 and i = 0 and 1 <= k < 4 }
      sums[k] += x[4 * p + i]
"""


def test_each_part_has_sums_of_its_own() -> None:
    before = initialise(parse_program(NUMBERS))
    after = part_sums(before, {"T", "A", "B"}, 3)
    assert [str(a) for a in after.arrays.values() if a.is_temporary] == [
        "top_parts: float64[3]",
        "sums_parts: float64[3, 5]",
    ]
    assert {n: after.statement(n).array for n in ("T", "A", "B")} == {
        "T": "top_parts",
        "A": "sums_parts",
        "B": "sums_parts",
    }
    assert after.statement("top_parts_sum").reduction == "max" and after.statement("sums_parts_sum").reduction == "sum"
    assert after.statement("sums_parts_sum").domain.count_val().to_python() == 3 * 4, "elements nobody adds to stay out"
    assert_same(before, after, {})


def test_only_what_is_asked_for() -> None:
    before = initialise(parse_program(NUMBERS))
    after = part_sums(before, {"T"}, 3)
    assert list(after.arrays) == [*before.arrays, "top_parts"]
    assert_same(before, after, {})
