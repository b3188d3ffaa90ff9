"""Transposed accesses, enumerated: every pair of an element and an instance that touches it exactly once."""

import itertools
import random

import islpy as isl
import pytest

from polyad.ad.transpose_access import transpose_access

N = 5

COUPLED = [
    ("i mod 2, floor(j / 3)", "i = j"),
    ("floor(i / 2), floor(j / 3), k mod 2", "i = j and j = k"),
    ("i mod 2, j mod 2", "i + j = 4"),
    ("floor(i / 2), k mod 3", "i = k and j = 1"),
    ("i mod 2, 3 * k", "j = 2i"),
    ("floor(i / 3), floor(j / 3)", "i = 2j"),
]


def check(index: str, condition: str) -> None:
    inside = f"0 <= i < N and 0 <= j < N and 0 <= k < N{condition and ' and '}{condition}"
    access = isl.MultiAff(f"[N] -> {{ S[i, j, k] -> a[{', '.join(f'({e})' for e in index.split(', '))}] }}")
    domain, context = isl.Set(f"[N] -> {{ S[i, j, k] : {inside} }}"), isl.Set("[N] -> { : N >= 0 }")
    rank = access.dim(isl.dim_type.out)
    element = tuple(f"e{i}" for i in range(rank))
    pieces = transpose_access(access, domain, ("i", "j", "k"), element, (), context)

    fixed = f"[N] -> {{ : N = {N} }}"
    found: list[tuple[int, ...]] = []
    for piece in pieces:
        pairs = piece.instance.as_map().intersect_domain(piece.domain).intersect_params(isl.Set(fixed))
        pairs.wrap().foreach_point(lambda point: found.append(coordinates(point)))
    named = [(at[:rank], at[-3:]) for at in found]
    wanted = [
        (at[3:], at[:3])
        for at in points(access.as_map().intersect_domain(domain).intersect_params(isl.Set(fixed)).wrap())
    ]
    assert sorted(named) == sorted(wanted), (index, condition)


def coordinates(point: isl.Point) -> tuple[int, ...]:
    count = point.to_set().dim(isl.dim_type.set)
    return tuple(int(point.get_coordinate_val(isl.dim_type.set, i).to_python()) for i in range(count))


def points(inside: isl.Set) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    inside.foreach_point(lambda point: found.append(coordinates(point)))
    return found


@pytest.mark.parametrize(("index", "condition"), COUPLED)
def test_dimensions_that_the_domain_couples(index: str, condition: str) -> None:
    """Each of two dimensions follows from the other, and neither from the element."""
    check(index, condition)


def test_random_accesses() -> None:
    draw = random.Random(3)
    parts = ["i", "j + k", "2i", "i mod 2", "floor(j / 3)", "k mod 3", "floor((i + j) / 2)", "j", "0", "i - k", "3 * k"]
    ties = ["i = j", "i + j = 4", "i = 2k", "k = 1", "i <= j", "i mod 2 = 0", "j = i + k"]
    for count, ties_of in itertools.product((1, 2, 3), (0, 1, 2)):
        for _ in range(12):
            check(", ".join(draw.sample(parts, count)), " and ".join(draw.sample(ties, ties_of)))
