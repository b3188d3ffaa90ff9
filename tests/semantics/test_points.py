"""Points of sets at given sizes: the fast ways agree with isl."""

import islpy as isl
import pytest

from polyad.semantics.points import at_sizes, columns, coordinates, points

SETS = [
    ("{ S[] }", {}),
    ("[N] -> { S[] : N > 5 }", {"N": 3}),
    ("[N] -> { S[i] : 0 <= i < N }", {"N": 0}),
    ("[N] -> { S[i, j] : 0 <= i < N and -2 <= j < 2N }", {"N": 4}),
    ("[N] -> { S[i, j] : 0 <= i < N and i <= j < 2N }", {"N": 4}),
    ("[N] -> { S[i, j] : 0 <= j < N and j <= i <= j + 3 }", {"N": 4}),  # i is bounded by j only
    ("{ S[i, j] : 0 <= i < 10 and 3j >= -i and 2j <= i }", {}),
    ("{ S[i, j] : -10 <= i < 10 and 3j = i }", {}),
    ("{ S[i, j] : -10 <= i < 10 and -3j = i }", {}),
    ("{ S[i, j] : -10 <= i < 10 and -10 <= j <= 10 and 3j = 2i + 1 }", {}),
    ("[N] -> { S[i] : 0 <= i < N and i mod 3 = 1 }", {"N": 40}),
    ("[N] -> { S[i, j] : 0 <= i < N and 2j = i and -5 <= 5j }", {"N": 20}),
    ("[N] -> { S[i, j] : 0 <= i < N and 0 <= j < N and (2i = 3j + 1 or j < i) }", {"N": 8}),
    ("[N, K] -> { A[p, i, k] : p = 2i + 3k and 0 <= i < N and 0 <= k < K }", {"N": 5, "K": 4}),
    ("[N, K] -> { A[p, i, k] : p = 2i + 3k and 0 <= i < N and 0 <= k < K and p mod 3 = 1 }", {"N": 5, "K": 4}),
    ("[N, K] -> { A[i, j, k] : 0 <= k < K and 0 <= i < N and 0 <= j <= i }", {"N": 5, "K": 4}),
]


def points_by_isl(domain, sizes):
    fixed = at_sizes(domain, sizes)
    n = fixed.dim(isl.dim_type.set)
    found = []
    fixed.foreach_point(
        lambda p: found.append(tuple(p.get_coordinate_val(isl.dim_type.set, i).to_python() for i in range(n)))
    )
    return sorted(found)


@pytest.mark.parametrize(("text", "sizes"), SETS)
def test_points_agree_with_isl(text, sizes):
    domain = isl.Set(text)
    expected = points_by_isl(domain, sizes)
    assert points(domain, sizes) == expected
    found = [at for some in coordinates(domain, sizes, most=3) for at in zip(*some, strict=True)]
    assert not domain.dim(isl.dim_type.set) or sorted(set(found)) == expected


def test_sizes_that_the_set_does_not_mention_are_ignored():
    assert points(isl.Set("[N] -> { S[i] : 0 <= i < N }"), {"N": 2, "M": 7}) == [(0,), (1,)]


def test_columns_leave_the_last_dimension_as_a_range():
    (basic,) = isl.Set("{ S[i, j] : 0 <= i <= 2 and i <= j <= 2 }").get_basic_sets()
    assert list(columns(basic)) == [((0,), range(3)), ((1,), range(1, 3)), ((2,), range(2, 3))]


def test_columns_refuse_what_is_not_nested_loops():
    (inner,) = isl.Set("{ S[i, j] : 0 <= j <= 2 and j <= i <= j + 2 }").get_basic_sets()
    assert columns(inner) is None
    (strided,) = isl.Set("{ S[i] : exists e : i = 3e and 0 <= i <= 9 }").get_basic_sets()
    assert columns(strided) is None
