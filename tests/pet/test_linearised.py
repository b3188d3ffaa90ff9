"""Linear subscripts get the dimensions that they stand for, where that can be proved."""

import islpy as isl
import pytest

from polyad.pet.scop import Access, nodes
from tests.pet.extracted import NEEDS_PET, function_of, seen

pytestmark = NEEDS_PET

ROWS = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"

# subscript of `A` -> its dimensions, and the extents of all but the first.
RECOVERED = {
    "rows": (f"{ROWS} A[i * m + j] = 1;", "[(i), (j)]", ("", "m")),
    "columns first": (f"{ROWS} A[j * n + i] = 1;", "[(j), (i)]", ("", "n")),
    "from the end": (f"{ROWS} A[i * m + (m - 1 - j)] = 1;", "[(i), (-1 + m - j)]", ("", "m")),
    "row before": (f"{ROWS} if (i > 0) A[(i - 1) * m + j] = 1;", "[(-1 + i), (j)]", ("", "m")),
    "three dimensions": (
        f"{ROWS} for (int k = 0; k < p; k++) A[(i * m + j) * p + k] = 1;",
        "[(i), (j), (k)]",
        ("", "m", "p"),
    ),
    "three dimensions, multiplied out": (
        f"{ROWS} for (int k = 0; k < p; k++) A[k + p * j + i * p * m] = 1;",
        "[(i), (j), (k)]",
        ("", "m", "p"),
    ),
    "groups in a row": (
        f"{ROWS} for (int g = 0; g < 4; g++) A[i * 4 * m + g * m + j] = 1;",
        "[(4i + g), (j)]",
        ("", "m"),
    ),
    "pairs": (f"{ROWS} for (int c = 0; c < 2; c++) A[(i * m + j) * 2 + c] = 1;", "[(i), (2j + c)]", ("", "2 * m")),
    "unsigned": (f"{ROWS} A[(unsigned long)i * m + j] = 1;", "[(i), (j)]", ("", "m")),
}


@pytest.mark.parametrize(("body", "index", "shape"), RECOVERED.values(), ids=RECOVERED)
def test_dimensions_are_recovered(body: str, index: str, shape: tuple[str, ...]) -> None:
    scop, function = seen(function_of(body, "int n, int m, int p, double *A"))
    (access,) = [n for s in scop.statements for n in nodes(s.body) if isinstance(n, Access)]
    assert str(access.index).split("A", 1)[1].strip(" }") == index
    assert function.parameters[-1].shape == shape
    assert function.parameters[-1].flat
    assert scop.arrays["A"].extent.dim(isl.dim_type.set) == len(shape)


def test_all_subscripts_of_an_array_agree() -> None:
    body = f"{ROWS} A[i * m + j] = A[j] + A[i * m];"
    scop, _ = seen(function_of(body, "int n, int m, double *A"))
    found = [str(n.index) for s in scop.statements for n in nodes(s.body) if isinstance(n, Access)]
    assert [text.split("A", 1)[1].strip(" }") for text in found] == ["[(i), (j)]", "[(0), (j)]", "[(i), (0)]"]


def test_rows_that_data_choose() -> None:
    body = f"{ROWS} A[idx[i] * m + j] += 1;"
    scop, function = seen(function_of(body, "int n, int m, double *A, const int *idx"))
    access = next(n for s in scop.statements for n in nodes(s.body) if isinstance(n, Access))
    assert access.index.dim(isl.dim_type.out) == 2
    (row,) = access.arguments
    assert isinstance(row, Access)
    assert row.array == "idx"
    assert function.parameters[2].shape == ("", "m")


def test_the_first_extent_follows_from_the_number_of_elements() -> None:
    _, function = seen(function_of(f"{ROWS} A[i * m + j] = 1;", "int n, int m, double A[m * (n)]"))
    assert function.parameters[-1].shape == ("n", "m")
    _, function = seen(function_of(f"{ROWS} A[i * m + j] = 1;", "int n, int m, double A[n * m + 1]"))
    assert function.parameters[-1].shape == ("", "m")


def test_arrays_of_one_dimension_stay() -> None:
    _, function = seen(function_of(f"{ROWS} A[4 * i + j] = 1;", "int n, int m, double *A"))
    assert function.parameters[-1].shape == ("",)
    assert not function.parameters[-1].flat
