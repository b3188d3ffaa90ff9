"""Polynomials: products are multiplied out, sums gathered."""

from hypothesis import given
from hypothesis import strategies as st

from polyad.ir.affine import Affine
from polyad.ir.polynomials import Polynomial, gathered, polynomial, product, total

B, H = Affine.of("B"), Affine.of("H")
AFFINE = st.tuples(*[st.integers(-5, 5)] * 3).map(lambda c: B * c[0] + H * c[1] + c[2])


def at(value: Polynomial, sizes: dict[str, int]) -> int:
    result = 0
    for factors, coefficient in value.items():
        for factor in factors:
            assert isinstance(factor, str)
            coefficient *= sizes[factor]
        result += coefficient
    return result


@given(AFFINE, AFFINE, AFFINE, st.integers(-9, 9), st.integers(-9, 9))
def test_values_are_those_of_the_parts(a: Affine, b: Affine, c: Affine, x: int, y: int) -> None:
    sizes = {"B": x, "H": y}
    p, q, r = map(polynomial, (a, b, c))
    assert at(total([product(p, q), r]), sizes) == at(p, sizes) * at(q, sizes) + at(r, sizes)
    assert product(p, q) == product(q, p)
    assert all(total([product(p, q), r]).values()), "terms that cancel are gone"
    assert total([product(p, q), product(product(p, {(): -1}), q)]) == {}


def test_terms_of_any_kind_are_gathered() -> None:
    assert gathered([("x", 2), ("y", 1), ("x", -2), ("y", 3)]) == {"y": 4}
