import islpy as isl
import pytest

from polyad.ir.expr import Indirect
from polyad.transforms.rewrite.inverse_access import index_names, inverse_access, is_injective
from tests.programs import GATHER, program


@pytest.mark.parametrize(
    ("access", "inverse"),
    [
        ("[T] -> { S[t, k] -> h[t + 1, k] }", "[T] -> { h[a, b] -> S[a - 1, b] }"),
        ("[T] -> { S[t, k] -> h[k, T - 1 - t] }", "[T] -> { h[a, b] -> S[T - 1 - b, a] }"),
        ("[T] -> { S[k] -> h[0, k] }", "[T] -> { h[a, b] -> S[b] }"),
        ("[T] -> { S[i, k] -> h[i, i + k, k] }", "[T] -> { h[a, b, c] -> S[a, c] }"),
        ("[T] -> { S[] -> h[] }", "[T] -> { h[] -> S[] }"),
    ],
)
def test_translations_are_inverted(access: str, inverse: str) -> None:
    found = inverse_access(isl.MultiAff(access))
    assert found is not None
    assert found.as_map().is_equal(isl.Map(inverse))


@pytest.mark.parametrize(
    "access", ["{ S[t, k] -> h[t + k] }", "{ S[t] -> h[2t] }", "{ S[t] -> h[floor(t/2)] }", "{ S[t, k] -> h[t] }"]
)
def test_other_accesses_are_not(access: str) -> None:
    assert inverse_access(isl.MultiAff(access)) is None


def test_injectivity_is_exact() -> None:
    pairs = isl.Set("{ S[i, j] : 0 <= i < 5 and 0 <= j < 2 }")
    assert is_injective(isl.MultiAff("{ S[i, j] -> a[2i + j] }"), pairs)
    assert not is_injective(isl.MultiAff("{ S[i, j] -> a[i + j] }"), pairs)
    assert is_injective(isl.MultiAff("{ S[i, j] -> a[i] }"), isl.Set("{ S[i, 3] }"))


def test_data_dependent_accesses_are_neither() -> None:
    statement = program(GATHER).statements[0]
    access = next(r.access for r in statement.reads() if isinstance(r.access, Indirect))
    assert inverse_access(access) is None and not is_injective(access, statement.domain)


def test_index_names() -> None:
    access = isl.MultiAff("{ S[t, k] -> h[k, 3, t + 1] }")
    assert index_names(access, ("t", "k"), 3, ("N",)) == ("k", "a1", "t")
    assert index_names(access, ("t", "k"), 3, ("a1",)) == ("k", "a1_1", "t")
