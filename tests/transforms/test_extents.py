from polyad.ir.program import Program
from polyad.transforms.rewrite.extents import dimension_range
from tests.programs import program

TEXT = """
program p: [N, M] -> {{ : N >= 1 and M >= 0 }}
  input     x: float64[N + M]
  output    y: float64[N + M, N]
  S: [N, M] -> {{ S[i, j] : {domain} }}
      y[{write}] = x[j]
"""


def found(domain: str, column: int, write: str = "i, j") -> tuple[str, ...] | None:
    p: Program = program(TEXT.format(domain=domain, write=write))
    result = dimension_range(p.statements[0], column, p.arrays, p.context)
    return result and tuple(map(str, result))


def test_boxes_and_triangles() -> None:
    assert found("1 <= i <= N and 0 <= j < i", 0) == ("1", "N")
    assert found("1 <= i <= N and 0 <= j < i", 1) == ("0", "N")


def test_an_extent_that_may_be_negative_is_taken_from_an_array() -> None:
    assert found("0 <= i < N - 3 and 0 <= j < N", 0) == ("0", "M + N")
    assert found("2 <= i < N - 3 and 0 <= j < N", 0, "N - i, j") == ("-M + 1", "M + N")


def test_pieces_with_different_bounds_too() -> None:
    assert found("0 <= i < N and 0 <= j < N and (i < M or i < 2)", 0) == ("0", "M + N")


def test_an_extent_that_is_large_enough_where_no_array_says_one() -> None:
    assert found("0 <= i < N - 3 and 0 <= j < N", 0, "i + j, j") == ("0", "N - 1")  # N is 1 at least
    assert found("-2 <= i < N - 3 and 0 <= j < N", 0, "i + j + 2, j") == ("-2", "N - 1")
    assert found("0 <= i < N and 0 <= j < N and (i < M or i < 2)", 0, "i + j, j") == ("0", "N")


def test_none_where_an_extent_may_be_anything_below_zero() -> None:
    assert found("0 <= i < N - M and 0 <= j < N", 0, "i + j, j") is None
