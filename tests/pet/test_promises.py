"""Promises of callers of C functions: pointers to rows, extents, absent arguments; and functions without pragmas."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from polyad.cli import main
from polyad.errors import CallError, DifferentiationError, ExtractionError
from polyad.pet.c_program import from_c
from tests.pet.extracted import NEEDS_PET
from tests.pet.style import STYLES

pytestmark = NEEDS_PET

ROWS = STYLES / "matmul_rows.c"
CALLER = """
#include "matmul_rows_grad.h"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    double a0[] = {1, 2}, a1[] = {3, 4}, b0[] = {5, 6}, b1[] = {7, 8}, c0[2], c1[2];
    double s0[] = {1, 0}, s1[] = {0, 1}, g0[2], g1[2];
    double *a[] = {a0, a1}, *b[] = {b0, b1}, *c[] = {c1, c0}, *s[] = {s0, s1}, *g[] = {g1, g0};
    void *workspace = malloc(matmul_rows_grad_workspace(2, 2, 2));
    int status = matmul_rows_grad(a, b, c, 2, 2, 2, s, g, workspace);
    printf("%d %g %g %g %g %g %g %g %g", status, c1[0], c1[1], c0[0], c0[1], g1[0], g1[1], g0[0], g0[1]);
    return 0;
}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "text.c"
    path.write_text(text)
    return path


def test_rows_go_in_and_out_as_pointers(tmp_path: Path) -> None:
    """c = a b, and the gradient of c[0][0] + c[1][1] by a; the caller's rows lie anywhere."""
    arguments = [
        "grad",
        str(ROWS),
        "--function",
        "matmul_rows",
        "--of",
        "c",
        "--wrt",
        "a",
        "-o",
        str(tmp_path),
        "--source-only",
    ]
    assert main(arguments) == 0
    (tmp_path / "caller.c").write_text(CALLER)
    files = ["caller.c", "matmul_rows_grad.c", "matmul_rows_grad_kernel.c"]
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", *files, "-o", "caller", "-lm"], cwd=tmp_path, check=True)
    found = subprocess.run([str(tmp_path / "caller")], capture_output=True, text=True, check=True).stdout
    assert found == "0 19 22 43 50 5 7 6 8"


def test_pointers_to_pointers_need_a_promise(tmp_path: Path) -> None:
    path = written(tmp_path, ROWS.read_text().replace("#pragma polyad noalias a, b, c", ""))
    with pytest.raises(ExtractionError, match="#pragma polyad noalias a"):
        from_c(path)
    assert from_c(path, assume_noalias=["a", "b", "c"]).inputs == ("a", "b")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"assume_noalias": "z"}, "no parameter of `matmul_rows`"),
        ({"assume_noalias": 3}, "expected a name"),
        ({"shapes": {"a": ("n",)}}, "2 dimensions, and 1 extents are promised"),
        ({"shapes": ["a"]}, "expected a dict"),
        ({"absent": "1x"}, "is no name"),
    ],
)
def test_promises_that_mean_nothing(options: dict[str, object], words: str) -> None:
    with pytest.raises(ExtractionError, match=words):
        from_c(ROWS, **options)  # type: ignore[arg-type]


def test_a_pragma_that_is_not_known(tmp_path: Path) -> None:
    path = written(tmp_path, "#pragma polyad restrict x\nvoid f(double *x) { x[0] = 1; }\n")
    with pytest.raises(ExtractionError, match=r"text\.c:1: `#pragma polyad restrict x` is not known"):
        from_c(path)


def test_a_row_that_is_left_is_refused_when_called() -> None:
    strip = from_c(STYLES / "strip.c")
    with pytest.raises(CallError):
        strip(n=2, m=3, ld=2, x=np.ones(4))


def test_what_was_read_as_absent_is_not_given() -> None:
    made = from_c(STYLES / "absent_bias.c", absent=("bias", "sum"))
    with pytest.raises(CallError, match="bias is given, and was read as absent"):
        made(n=1, m=1, x=np.ones(1), w=np.ones(1), bias=np.ones(1))


def test_names_that_are_not_there_name_the_file() -> None:
    with pytest.raises(DifferentiationError, match=r"matmul_rows\.c:2: of='z'"):
        from_c(ROWS).grad("z", "a")


def test_headers_that_are_missing(tmp_path: Path) -> None:
    needless = '#include "layers.h"\nvoid f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = LIMIT; }\n'
    assert from_c(written(tmp_path, needless.replace("LIMIT", "2"))).outputs == ("x",)
    with pytest.raises(ExtractionError, match=r"layers\.h"):
        from_c(written(tmp_path, needless))
    chosen = '#include "layers.h"\n#ifdef TWICE\n#define BY 2\n#else\n#define BY 1\n#endif\n'
    with pytest.raises(ExtractionError, match=r"layers\.h"):
        from_c(written(tmp_path, chosen + needless.replace("LIMIT", "BY").split("\n", 1)[1]))


def test_a_product_of_data_that_bounds_a_loop_is_said_to(tmp_path: Path) -> None:
    head = "void f(int b, int h, const int *s, double *x)\n{\n"
    text = f"{head}    for (int k = 0; k < b; k++)\n        for (int j = 0; j < h * s[k]; j++)\n"
    with pytest.raises(ExtractionError, match=r"text\.c:4: how often this loop runs is decided by"):
        from_c(written(tmp_path, text + "            x[k * h + j] = 1;\n}\n"))


def test_lines_of_a_function_without_pragmas_are_those_of_the_file(tmp_path: Path) -> None:
    text = "void f(int n, double *x)\n{\n    double s = 0;\n    for (int i = 0; i < n; i++)\n        x[i] = s | 1;\n}\n"
    with pytest.raises(ExtractionError, match=r"text\.c:5"):
        from_c(written(tmp_path, text))


def test_a_quotient_of_sizes_needs_a_promise(tmp_path: Path) -> None:
    text = (STYLES / "group_norm.c").read_text()
    path = written(tmp_path, text.replace("#pragma polyad multiple C=G", ""))
    with pytest.raises(ExtractionError, match=r"text\.c:\d: .*#pragma polyad multiple C=G"):
        from_c(path)
    made = from_c(path, multiples={"C": "G"})
    given = {"x": np.arange(6.0), "m": 1}
    np.testing.assert_allclose(made(C=6, G=2, **given)["mean"], [1.0, 4.0])
    with pytest.raises(CallError, match="C is 6 and G is 4, but C was said to be a multiple of G"):
        made(C=6, G=4, **given)
    with pytest.raises(CallError, match="G is 0"):
        made(C=6, G=0, **given)
    with pytest.raises(CallError, match="G is missing; C_over_G is C / G"):
        made(C=6, **given)


IN_BLOCKS = """void f(int n, int s, const double *x, double *y)
{
    for (int j = 0; j < n; STEP) {
        BODY
    }
}
"""


def test_a_loop_in_blocks_needs_a_promise(tmp_path: Path) -> None:
    text = IN_BLOCKS.replace("STEP", "j += s").replace("BODY", "y[j / s] = x[j];")
    with pytest.raises(ExtractionError, match=r"text\.c:\d: .*#pragma polyad multiple n=s"):
        from_c(written(tmp_path, text))
    made = from_c(written(tmp_path, text), multiples={"n": "s"})
    np.testing.assert_array_equal(made(n=6, s=2, x=np.arange(6.0))["y"], [0, 2, 4])
    with pytest.raises(CallError, match="n is 5 and s is 2"):
        made(n=5, s=2, x=np.arange(5.0))


def test_a_loop_in_blocks_knows_what_is_computed_from_indices(tmp_path: Path) -> None:
    body = "for (int r = 0; r < s; r++) { int at = j + r * n; y[at / s] = x[at]; }"
    path = written(tmp_path, IN_BLOCKS.replace("STEP", "j += s").replace("BODY", body))
    made = from_c(path, multiples={"n": "s"})
    np.testing.assert_array_equal(made(n=4, s=2, x=np.arange(8.0))["y"], [0, 2, 4, 6])


@pytest.mark.parametrize(
    ("step", "body"),
    [
        ("j++", "if (j / s > 1) break; y[j] = x[j / s];"),  # the break would leave one block
        ("j++", "y[j / s] = x[j]; j += 1;"),
        ("j++", "{ int j = 3; y[j / s] = x[j]; }"),
        ("j += s", "int at = j; at += 1; y[(at - 1) / s] = x[j];"),  # what it was set to first says nothing
        ("j += s", "for (int i = 0; i < s; i++) y[(j + i) / s] = x[j + i];"),  # no multiple
    ],
)
def test_what_is_no_loop_in_blocks_stays_as_it_is(tmp_path: Path, step: str, body: str) -> None:
    """And is refused then, since a size divides in it."""
    with pytest.raises(ExtractionError):
        from_c(written(tmp_path, IN_BLOCKS.replace("STEP", step).replace("BODY", body)), multiples={"n": "s"})


def test_a_loop_that_counts_without_signs_is_none_over_blocks(tmp_path: Path) -> None:
    """Of its index, 1 less than 0 is a large number."""
    text = IN_BLOCKS.replace("STEP", "j += s").replace("BODY", "y[j / s] = j - 1 < 4 ? x[j] : 0;")
    for kinds in (
        ("int j", "unsigned j"),
        ("int n, int s", "int n, unsigned s"),
        ("int n, int s", "size_t n, size_t s"),
    ):
        with pytest.raises(ExtractionError):
            from_c(written(tmp_path, "#include <stddef.h>\n" + text.replace(*kinds)), multiples={"n": "s"})
    made = from_c(written(tmp_path, text), multiples={"n": "s"})
    np.testing.assert_array_equal(made(n=8, s=2, x=np.arange(1.0, 9.0))["y"], [1, 3, 5, 0])


@pytest.mark.parametrize(
    ("multiples", "words"),
    [({"C": "z"}, "`z`, which is no parameter"), ({"C": 3}, "expected a name"), (["C"], "expected a dict")],
)
def test_multiples_that_mean_nothing(multiples: object, words: str) -> None:
    with pytest.raises(ExtractionError, match=words):
        from_c(STYLES / "group_norm.c", multiples=multiples)  # type: ignore[arg-type]


QUOTIENTS = """
#include "group_norm_grad.h"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    double x[] = {1, 2, 3, 5}, y[4], mean[2], seed[] = {1, 10}, x_bar[4];
    void *workspace = malloc(group_norm_grad_workspace(2, 4, 1));
    printf("%d ", group_norm_grad(2, 4, 1, x, y, mean, seed, x_bar, workspace));
    printf("%g %g %g %g ", mean[0], mean[1], x_bar[0], x_bar[2]);
    printf("%d ", group_norm_grad_workspace(3, 4, 1) == (size_t)-1);
    printf("%d ", group_norm_grad_workspace(0, 4, 1) == (size_t)-1);
    printf("%d", group_norm_grad(3, 4, 1, x, y, mean, seed, x_bar, workspace) == POLYAD_ERROR_SIZE);
    return 0;
}
"""


def test_an_exported_function_looks_at_quotients(tmp_path: Path) -> None:
    from_c(STYLES / "group_norm.c").grad("mean", "x").export(tmp_path, source_only=True)
    (tmp_path / "caller.c").write_text(QUOTIENTS)
    files = ["caller.c", "group_norm_grad.c", "group_norm_grad_kernel.c"]
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", *files, "-o", "caller", "-lm"], cwd=tmp_path, check=True)
    found = subprocess.run([str(tmp_path / "caller")], capture_output=True, text=True, check=True).stdout
    assert found == "0 1.5 4 0.5 5 1 1 1"
