"""Every refusal of a C text says the line, the construct and the cure, also those that come late."""

from pathlib import Path

import numpy as np
import pytest

from polyad.errors import ExtractionError
from polyad.pet.c_program import from_c
from tests.pet.extracted import NEEDS_PET, function_of

pytestmark = NEEDS_PET

LOOP = "for (int i = 0; i < n; i++)"
HEADERS = "#include <assert.h>\n#include <errno.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>"

# name -> body, construct, words of the cure; the body stands on line 10.
BODIES = {
    "loop that stays": ("for (int i = 0; i < n; i += 0) x[i] = 1;", "for", "add 1"),
    "loop that stays, otherwise": ("for (int i = 0; i < n; i = i - 0) x[i] = 1;", "for", "add 1"),
    "loop that misses its bound": ("for (int i = 0; i != n; i += 2) x[i] = 1;", "loop bound", "compare by `<`"),
    "loop that runs away": ("for (int i = 0; i < n; i--) x[0] += 1;", "loop bound", "never ends, at n = 1"),
    "counter of a byte": ("for (unsigned char i = 0; i < n; i++) x[i] = 1;", "loop bound", "at n = 256"),
    "counter of two bytes": ("for (unsigned short i = 0; i < n; i++) x[i] = 1;", "loop bound", "at n = 65536"),
    "assert": (f"{LOOP} assert(x[i] > 0);", "assert", "NDEBUG"),
    "errno": (f"{LOOP} x[i] = errno;", "errno", "behind the loop nest"),
    "NAN": (f"{LOOP} x[i] = NAN;", "NAN", "0.0 / 0.0"),
    "printf": (f'{LOOP} printf("%f", x[i]);', "printf()", "behind the loop nest"),
    "malloc": (f"{LOOP} {{ double *p = malloc(8 * n); p[0] = x[i]; }}", "malloc()", "double p[n];"),
    "cast to char": (f"{LOOP} x[i] = (char)y[i];", "cast", "use double or int"),
    "value that was never set": (f"double s; {LOOP} s += x[i]; y[0] = s;", "s", "give it one first"),
    "length that nothing says": (f"{LOOP} x[i] = y[idx[i]];", "y", "double y[n]"),
    "element that data choose": (f"{LOOP} x[idx[i]] = y[i];", "x", "double x[n]"),
    "comparison as a statement": (f"{LOOP} x[i] == y[i];", "statement", "x[i] = ..."),
    "variable of two bytes": (f"{LOOP} {{ short k; k = y[i]; x[i] = k; }}", "short", "use double"),
}


def problem_of(text: str, tmp_path, **options) -> ExtractionError:
    (tmp_path / "nest.c").write_text(text)
    with pytest.raises(ExtractionError) as caught:
        from_c(tmp_path / "nest.c", **options)
    assert str(tmp_path / "nest.c") in str(caught.value)
    assert caught.value.file == str(tmp_path / "nest.c")
    return caught.value


@pytest.mark.parametrize(("body", "construct", "cure"), BODIES.values(), ids=BODIES)
@pytest.mark.quick_cases(4)
def test_a_body_is_refused_with_its_line(body, construct, cure, tmp_path):
    problem = problem_of(function_of(body, before=HEADERS), tmp_path)
    assert problem.construct == construct
    assert problem.line in (9, 10)  # of a variable, the line at which the loop nest begins
    assert cure in str(problem)


PARAMETERS = {
    "no elements": ("int n, double x[0]", "x[0] = 1;", "subscript", "outside of x[0]"),
    "extent of a product": ("int n, int m, double x[n * m]", f"{LOOP} x[i] = 1;", "x", "`n * m`"),
    "bytes": ("int n, char *a, double *x", f"{LOOP} a[i] = x[i];", "char", "use double"),
    "truth values": ("int n, _Bool *a, double *x", f"{LOOP} a[i] = x[i];", "_Bool", "use double"),
    "typedef of a complex number": ("cplx *z", "z[0] = 1;", "_Complex double", "complex numbers"),
}


@pytest.mark.parametrize(("parameters", "body", "construct", "cure"), PARAMETERS.values(), ids=PARAMETERS)
def test_a_parameter_is_refused_with_its_line(parameters, body, construct, cure, tmp_path):
    before = "#include <complex.h>\ntypedef double complex cplx;"
    problem = problem_of(function_of(body, parameters, before), tmp_path)
    assert sorted(problem.construct.split()) == sorted(construct.split())
    assert problem.line in (3, 6, 7)
    assert cure in str(problem)


def test_what_assert_leaves_is_no_statement(tmp_path):
    body = f"{LOOP} {{ assert(y[i] > 0); x[i] = 2; }}"
    (tmp_path / "nest.c").write_text(function_of(body, before=HEADERS))
    assert from_c(tmp_path / "nest.c", define=["NDEBUG"]).outputs == ("x",)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("memcpy(y, x, n);", "how many elements it moves is not said"),
        ("memcpy(y, x, n * sizeof(float));", "`sizeof` is that of something else"),
        ("memcpy(y, f, n * sizeof(double));", "it copies float to double"),
        ("memset(y, 1, n * sizeof(double));", "bytes other than 0"),
        ("memmove(y + k, y + n, n * sizeof(double));", "which of the two places"),
        ("memcpy(y, x, sizeof(y));", "`sizeof y` is not that of a local array"),
    ],
)
def test_bytes_that_are_no_elements(call: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "text.c"
    path.write_text(
        "#include <string.h>\nvoid f(int n, const double *x, const float *f, double *y)\n{\n"
        f"    for (int k = 0; k < n; k++) {{\n        {call}\n        y[k] += x[k] + f[k];\n    }}\n}}\n"
    )
    with pytest.raises(ExtractionError, match=rf"text\.c:5: .*{words}"):
        from_c(path)


def test_rows_of_other_lengths_are_not_those_of_an_array(tmp_path: Path) -> None:
    """Elements for rows of m - 1 are no two rows of m + 1."""
    path = tmp_path / "text.c"
    path.write_text(
        "#include <string.h>\nvoid f(int m, const double *x, double *y)\n{\n    double a[3][m + 1], b[3][m + 1];\n"
        "    for (int i = 0; i < 3; i++)\n        for (int j = 0; j < m + 1; j++) {\n"
        "            a[i][j] = 0;\n            b[i][j] = x[j];\n        }\n"
        "    memcpy(a, b, 2 * (m - 1) * sizeof(double));\n"
        "    for (int j = 0; j < m + 1; j++)\n        y[j] = a[1][j];\n}\n"
    )
    with pytest.raises(ExtractionError, match=r"text\.c:10: .*how many rows it moves is not said"):
        from_c(path)
    path.write_text(path.read_text().replace("(m - 1)", "(m + 1)"))
    np.testing.assert_array_equal(from_c(path)(m=1, x=np.array([3.0, 4.0]))["y"], [3.0, 4.0])


def test_extents_that_strides_speak_of_are_named(tmp_path: Path) -> None:
    path = tmp_path / "text.c"
    path.write_text(
        "void f(int n, int m, int k, const double *x, double *y)\n{\n    for (int i = 0; i < n; i++)\n"
        "        for (int j = 0; j <= m; j++)\n            y[i * m + j] = x[j] * k;\n}\n"
    )
    with pytest.raises(ExtractionError, match=r"text\.c:5: .*`#pragma polyad shape y=n,m` .*`double y\[n\]\[m\]`"):
        from_c(path)
