"""Distances in memory as polynomials in the sizes."""

from polyad.codegen.names import Spelling
from polyad.codegen.text.polynomial_text import polynomial_code
from polyad.ir.affine import Affine
from polyad.ir.polynomials import Polynomial, polynomial, product, total

B, H = Affine.of("B"), Affine.of("H")


def text(value: Polynomial, *sizes: str) -> str:
    places = {n: i for i, n in enumerate(sizes or ("B", "H"))}
    return polynomial_code(value, Spelling({}, frozenset(), places)).text


def test_products_and_sums_are_multiplied_out() -> None:
    row = product(polynomial(B + 1), polynomial(H * 4 - 2))
    assert row == {("B", "H"): 4, ("B",): -2, ("H",): 4, (): -2}
    assert text(row) == "4 * B * H - 2 * B + 4 * H - 2"
    assert text(row, "H", "B") == "4 * H * B + 4 * H - 2 * B - 2"
    assert total([row, product(row, {(): -1})]) == {}
    assert product(polynomial(H), polynomial(B)) == product(polynomial(B), polynomial(H))


def test_text_of_small_ones() -> None:
    assert text({}) == "0"
    assert text({(): 1}) == "1"
    assert text(polynomial(H * -1)) == "-H"
    assert text(polynomial(H - 3)) == "H - 3"


def test_what_is_no_sum_of_sizes_is_one_factor() -> None:
    half = polynomial(H // 2 + 1)
    assert half[()] == 1 and len(half) == 2
    assert text(product(half, polynomial(B))) == "B * pa_floordiv_i64(H, 2) + B"


def test_quotients_have_the_c_names_of_sizes() -> None:
    half = polynomial(Affine.of("for") // 2)
    assert polynomial_code(half, Spelling({"for": "for_"}, frozenset({"for"}))).text == "for_ / 2"
