import pytest

from polyad.ir.program import Program
from polyad.transforms.passes.initialise import initialise
from polyad.transforms.passes.merge_contributions import accumulate
from tests.programs import CONV, CUMSUM, DTW, GATHER, LSTM, MATVEC, program
from tests.transforms.equivalence import assert_same

OVERLAP = """
program overlap: [T, H] -> { : T >= 1 and H >= 1 }
  input     x: float64[T, H]
  temporary g: float64[T + 1, H]
  temporary m: float64[T]
  output    out: float64[T + 1, H]
  A: [T, H] -> { A[t, k] : 0 <= t < T and 0 <= k < H }
      g[t + 1, k] += x[t, k]
  B: [T, H] -> { B[t, k] : 0 <= t < T and 0 <= k < H }
      g[t, k] += 2.0 * x[t, k]
  C: [T, H] -> { C[t, k] : 0 <= t <= T and 0 <= k < H }
      out[t, k] = g[t, k] + m[0]
  M: [T, H] -> { M[t, k] : 0 <= t < T and 0 <= k < H }
      m[t] max= x[t, k]
"""

# Nothing reaches the middle elements, and the output has to hold something there.
GAP = """
program gap: [N] -> { : N >= 1 }
  input     x: int64[N]
  output    y: int64[5*N + 2]
  output    z: int32[N]
  A: [N] -> { A[i] : 0 <= i < N }
      y[i] += x[i]
  B: [N] -> { B[i] : 0 <= i < N }
      y[i + 3*N + 1] += x[i] * 2
  Z: [N] -> { Z[i, j] : 0 <= i < N and 0 <= j < i }
      z[i] min= cast_int32(x[j])
"""


def implied(program: Program) -> list[str]:
    """Arrays some of whose contributed elements have no definition."""
    result = []
    for name, writers in program.writers().items():
        for s in (s for s in writers if s.reduction is not None):
            left = s.write_relation().range().intersect_params(program.context)
            for d in (d for d in writers if d.reduction is None):
                left = left.subtract(d.write_relation().range())
            if not left.is_empty():
                result.append(name)
    return result


@pytest.mark.parametrize("text", [CUMSUM, DTW])
def test_programs_without_contributions_are_left_alone(text: str) -> None:
    before = program(text)
    assert initialise(before) is before


@pytest.mark.parametrize("text", [MATVEC, CONV, LSTM, GATHER, OVERLAP, GAP])
def test_values_stay_and_no_identity_is_implied(text: str) -> None:
    before = program(text)
    after = initialise(before)
    assert_same(before, after)
    assert implied(before) and not implied(after)


def test_a_contribution_that_reaches_each_element_once_becomes_the_definition() -> None:
    after = initialise(program(OVERLAP))
    assert after.statement("A").reduction is None
    assert after.statement("B").reduction == "sum"
    assert str(after.statement("g_init").domain) == "[T, H] -> { g_init[t = 0, k] : 0 <= k < H }"
    assert "m[t] = -inf" in str(after)


def test_existing_definitions_are_what_accumulation_starts_from() -> None:
    after = initialise(accumulate(program(LSTM)))
    assert [s.name for s in after.statements if s.name.endswith("_init")] == ["loss_init"]


def test_gaps_of_outputs_are_filled() -> None:
    after = initialise(program(GAP))
    assert after.statement("A").reduction is None and after.statement("B").reduction is None
    fills = [s for s in after.statements if s.name.startswith("y_init")]
    assert [s.name for s in fills] == ["y_init", "y_init_1"]
    assert fills[0].domain.set_tuple_name("y").is_disjoint(fills[1].domain.set_tuple_name("y"))
    assert "z[i] = int32(2147483647)" in str(after)
