"""Statements as contractions: operands, scale, and which dimensions each array uses."""

import pytest

from polyad.analysis.contraction import SumOfProducts, contraction_of, matrix_product_of, sums_products
from polyad.ir.statement import Statement
from polyad.ops.program_text import parse_program
from tests.programs import LSTM, program

MATRICES = {"a": "P, M, K", "b": "P, K, N", "d": "K", "s": "", "c": "P, M, N"}


def statement(equation: str, dtypes: str = "float64 float64 float64") -> Statement:
    """A sum over p, i, j, k; `dtypes`: of a, b and c."""
    types = dict(zip("abc", dtypes.split(), strict=True))
    arrays = [f"  {'output' if n == 'c' else 'input'} {n}: {types.get(n, 'float64')}[{s}]" for n, s in MATRICES.items()]
    domain = "0 <= p < P and 0 <= i < M and 0 <= j < N and 0 <= k < K"
    lines = ["program q: [P, M, N, K] -> { : P >= 1 and M >= 1 and N >= 1 and K >= 1 }", "  input ids: int64[M]"]
    lines += [*arrays, f"  S: [P, M, N, K] -> {{ S[p, i, j, k] : {domain} }}", f"      {equation}"]
    return parse_program("\n".join(lines)).statement("S")


def contraction(equation: str, dtypes: str = "float64 float64 float64") -> SumOfProducts:
    found = contraction_of(statement(equation, dtypes))
    assert found is not None
    return found


def test_dimensions_are_grouped_by_who_uses_them() -> None:
    found = contraction("c[p, i, j] += a[p, i, k] * b[p, k, j]")
    assert (found.batch, found.rows, found.columns, found.sums) == ({"p"}, {"i"}, {"j"}, {"k"})
    assert (found.c_dims, found.a_dims, found.b_dims) == (set("pij"), set("pik"), set("pkj"))
    swapped = contraction("c[p, i, j] += b[p, k, j] * a[p, i, k]")
    assert (swapped.rows, swapped.columns, swapped.a.array) == ({"j"}, {"i"}, "b")
    window = contraction("c[0, i, j] += a[0, i + k, p] * b[p, k, j]")
    assert (window.batch, window.rows, window.columns, window.sums) == (set(), {"i"}, {"j"}, {"p", "k"})


@pytest.mark.parametrize(
    ("body", "scale"),
    [
        ("a[p, i, k] * b[p, k, j]", 1.0),
        ("-(a[p, i, k] * b[p, k, j])", -1.0),
        ("(-a[p, i, k]) * b[p, k, j] * 3.0", -3.0),
        ("0.5 * a[p, i, k] * (-(-b[p, k, j]) * 3.0)", 1.5),
        ("2.0 * (a[p, i, k] * -1.0 * b[p, k, j])", -2.0),
    ],
)
def test_numbers_and_signs_are_one_factor(body: str, scale: float) -> None:
    found = contraction(f"c[p, i, j] += {body}")
    assert (found.a.array, found.b.array, found.scale) == ("a", "b", scale)
    assert [*found.statement.reads()] == [found.a, found.b], "the reads of the statement, not copies"


def test_factors_that_are_one_element_are_weights() -> None:
    found = contraction("c[p, i, j] += s[] * a[p, i, k] * 2.0 * d[0] * b[p, k, j] * s[]")
    assert [w.array for w in found.weights] == ["s", "d", "s"]
    assert (found.a.array, found.b.array, found.scale) == ("a", "b", 2.0)
    assert found.sums == {"k"} and found.fits_kernel


@pytest.mark.parametrize(
    "equation",
    [
        "c[p, i, j] += a[p, i, k] * b[p, k, j] * d[k]",
        "c[p, i, j] += a[p, i, k] * s[]",
        "c[p, i, j] += a[p, i, k]",
        "c[p, i, j] += a[p, i, k] * b[p, k, j] + a[p, i, k]",
        "c[p, i, j] += tanh(a[p, i, k] * b[p, k, j])",
        "c[p, i, j] += a[p, i, k] / b[p, k, j]",
        "c[p, i, j] *= a[p, i, k] * b[p, k, j]",
        "c[p, i, j] max= a[p, i, k] * b[p, k, j]",
        "c[p, i, j] += a[index(p), ids[i], index(k)] * b[p, k, j]",
        "c[index(p), ids[i], index(j)] += a[p, i, k] * b[p, k, j]",
    ],
)
def test_refused(equation: str) -> None:
    assert contraction_of(statement(equation)) is None


def test_a_matrix_product_has_rows_and_columns() -> None:
    assert matrix_product_of(statement("c[p, i, j] += a[p, i, k] * b[p, k, j]")) is not None
    assert matrix_product_of(statement("c[p, i, 0] += a[p, i, k] * b[p, k, j]")) is None
    assert matrix_product_of(statement("c[p, i, j] += a[p, i, k] * a[p, i, j]")) is None


def test_the_macro_kernel_takes_one_type_and_even_steps() -> None:
    equation = "c[p, i, j] += a[p, i, k] * b[p, k, j]"
    assert contraction(equation).fits_kernel
    assert contraction(equation, "float32 float32 float32").fits_kernel
    assert not contraction(equation, "int64 int64 int64").fits_kernel
    assert not contraction("c[p, i, j] += a[p, i // 2, k] * b[p, k, j]").fits_kernel
    assert not contraction("c[p, i // 2, j] += a[p, i, k] * b[p, k, j]").fits_kernel


def test_sums_of_products_have_any_number_of_factors() -> None:
    assert sums_products(statement("c[p, i, j] += a[p, i, k] * b[p, k, j] * d[k]"))
    assert sums_products(statement("c[p, i, j] += a[index(p), ids[i], index(k)] * b[p, k, j]"))
    assert not sums_products(statement("c[p, i, j] += 2.0 * a[p, i, k]"))
    assert not sums_products(statement("c[p, i, j] *= a[p, i, k] * b[p, k, j]"))
    by_name = {s.name: s for s in program(LSTM).statements}
    assert sums_products(by_name["Shu"]) and sums_products(by_name["Sl"]) and not sums_products(by_name["Sc"])
