"""Numbers of C that are easily another number: unsigned ones that wrap, floats that are written with decimals."""

import numpy as np
import pytest

from polyad.errors import ExtractionError
from polyad.pet.c_program import from_c
from tests.pet.extracted import NEEDS_PET, function_of, refused

pytestmark = NEEDS_PET

UNSIGNED = """
#include <stdint.h>
void f(int n, const unsigned a[n], const unsigned b[n], const int c[n], double x[11][n], uint32_t state[n],
       uint32_t sum[1])
{
#pragma scop
    sum[0] = 0;
    for (int i = 0; i < n; i++) {
        x[0][i] = a[i] - b[i];
        x[1][i] = a[i] * b[i];
        x[2][i] = -a[i];
        x[3][i] = c[i] + a[i];
        x[4][i] = c[i] < a[i];
        x[5][i] = (unsigned)c[i];
        x[6][i] = (a[i] - 1u) / 2;
        x[7][i] = a[i] - b[i] > 0 ? 1 : 2;
        x[8][i] = (int)a[i] - (int)b[i];
        x[9][i] = (unsigned)(i - 2);
        unsigned k;
        k = c[i];
        x[10][i] = k;
        state[i] = state[i] * 1664525u + 1013904223u;
        sum[0] -= a[i];
    }
#pragma endscop
}
"""


@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_unsigned_numbers_wrap_as_in_c(tmp_path):
    (tmp_path / "nest.c").write_text(UNSIGNED)
    a = np.array([0, 1, 7, 2**31, 2**32 - 1], np.uint32)
    b = np.array([1, 5, 2, 2**31 + 3, 2**32 - 1], np.uint32)
    c = np.array([-1, 3, -7, 9, -(2**31)], np.int32)
    state = np.array([0, 1, 123456789, 2**31, 2**32 - 1], np.uint32)
    wide = {name: array.astype(np.int64) for name, array in (("a", a), ("b", b), ("state", state))}
    found = from_c(tmp_path / "nest.c")(n=5, c=c, **wide)
    one, i = np.uint32(1), np.arange(5)
    wanted = [
        a - b,
        a * b,
        -a,
        c.astype(np.uint32) + a,
        c.astype(np.uint32) < a,
        c.astype(np.uint32),
        (a - one) // 2,
        np.where(a == b, 2, 1),
        a.astype(np.int32).astype(np.int64) - b.astype(np.int32),
        (i - 2).astype(np.uint32),
        c.astype(np.uint32),
    ]
    np.testing.assert_array_equal(found["x"], np.array(wanted, np.float64))
    np.testing.assert_array_equal(found["state"], state * np.uint32(1664525) + np.uint32(1013904223))
    assert found["sum"][0] == (-int(a.astype(np.int64).sum())) % 2**32


@pytest.mark.parametrize(
    "body", ["x[i] = a[i] - b[i];", "x[i] = -a[i];", "a[i] *= b[i];", "x[i] = (size_t)i - 2;", "a[i] -= 1;"]
)
def test_unsigned_numbers_of_64_bits_that_may_wrap_are_refused(body):
    parameters = "int n, size_t *a, size_t *b, double *x"
    problem = refused(function_of(f"for (int i = 0; i < n; i++) {body}", parameters, "#include <stddef.h>"))
    assert problem.construct == "unsigned"
    assert problem.line == 6
    too_small = "can be -1" in str(problem) and "which C takes for 18446744073709551615" in str(problem)
    assert too_small != ("*=" in body)
    assert "`long`, by a cast" in str(problem)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("if (-1 != b[i] + 1) x[i] = 1;", "`-1` is -1, which C takes for 4294967295"),
        ("if (b[i] == -1) x[i] = 1;", "`-1` is -1, which C takes for 4294967295"),
        ("x[i] = a[i] > 0u ? 1 : 2;", "`a[i]` can be -1, which C takes for 4294967295"),
        ("x[i] = *a < 0x80000000;", "`a[0]` can be -1, which C takes for 4294967295"),
        ("x[i] = -0x80000000;", "`-0x80000000` is -2147483648, which C takes for 2147483648"),
        ("x[i] = -7u;", "`-7u` is -7, which C takes for 4294967289"),
        ("if (i - 3 < k) x[i] = 1;", "`i - 3` can be -1, for one where i = 2, which C takes for 4294967295"),
        ("x[i] = (i - 3 < k) ? 1 : 2;", "`i - 3` can be -1, for one where i = 2, which C takes for 4294967295"),
        ("for (int j = i - 1; j < k; j++) x[j] = 1;", "`j` can be -1"),
        ("x[(i - 3) / 2u] = 1;", "`i - 3` can be -1"),
        ("if (a[i] < s) x[i] = 1;", "`a[i]` can be -1, which C takes for 18446744073709551615"),
        ("if (k - i > 3) x[i] = 1;", "`k - i` can be -1, for one where k = 0, i = 1, which C takes for 4294967295"),
        (
            "if ((long)(k - i) > 3) x[i] = 1;",
            "`k - i` can be -1, for one where k = 0, i = 1, which C takes for 4294967295",
        ),
    ],
)
def test_numbers_that_conversions_change_are_refused(body, says):
    before = "#include <stdint.h>\n#include <stddef.h>\ntypedef uint32_t tag;"
    text = function_of(
        f"for (int i = 0; i < n; i++) {{ {body} }}",
        "int n, unsigned k, size_t s, double *x, int *a, unsigned *b, tag *t",
        before,
    )
    problem = refused(text)
    assert problem.construct == "unsigned" and says in str(problem)
    assert problem.line == text.splitlines().index("#pragma scop") + 2


def test_conversions_that_change_nothing_are_proved_to_be_none(tmp_path):
    body = """for (int i = 0; i < n; i++) {
        if (i - 3 >= 0 && i - 3 < k) x[0][i] = 1;
        if (a[i] >= 0 && a[i] < s) x[1][i] = 1;
        for (int j = i; j >= 0; j--) if (i - j < k) x[2][i] += 1;
        if ((int)s - 1 < i) x[3][i] = 1;
        if ((int)(k - 3) < i) x[4][i] = 1;
        if (i > 2) { if (i - 3 < k) x[5][i] = 1; } else x[5][i] = 2;
        if (i == 0) continue;
        if (i - 1 < k) x[6][i] = 1;
    }"""
    parameters = "int n, unsigned k, size_t s, const int a[n], double x[7][n]"
    (tmp_path / "nest.c").write_text(function_of(body, parameters, "#include <stddef.h>"))
    i, a, k, s = np.arange(6), np.array([-1, 0, 1, 2, 3, -7], np.int32), 2, 0
    found = from_c(tmp_path / "nest.c")(n=6, k=k, s=s, a=a, x=np.zeros((7, 6)))["x"]
    wanted = [
        (i >= 3) & (i - 3 < k),
        (a >= 0) & (a < s),
        np.minimum(i + 1, k),
        s - 1 < i,
        k - 3 < i,
        np.where(i > 2, i - 3 < k, 2),
        (i > 0) & (i - 1 < k),
    ]
    np.testing.assert_array_equal(found, np.array(wanted, np.float64))


def test_data_are_converted_as_in_c(tmp_path):
    body = """for (int i = 0; i < n; i++) {
        x[0][i] = b[i] == -1 ? 1 : 2;
        x[1][i] = b[i] < -3;
        x[2][i] = a[i] < b[i];
        x[3][i] = b[i] / 3u - (a[i] > 0 ? b[i] : 7 * b[i]);
        b[i] = a[i] > 0 ? b[i] : -1;
    }"""
    (tmp_path / "nest.c").write_text(function_of(body, "int n, unsigned b[n], const int a[n], double x[4][n]"))
    b = np.array([2**32 - 1, 2**32 - 3, 2**32 - 4, 0, 5], np.uint32)
    a = np.array([-1, 3, -(2**31), 7, 0], np.int32)
    found = from_c(tmp_path / "nest.c")(n=5, a=a, b=b.astype(np.int64))
    chosen = np.where(a > 0, b, np.uint32(7) * b).astype(np.uint32)
    wanted = [np.where(b == 2**32 - 1, 1, 2), b < 2**32 - 3, a.astype(np.uint32) < b, b // np.uint32(3) - chosen]
    np.testing.assert_array_equal(found["x"], np.array(wanted, np.float64))
    np.testing.assert_array_equal(found["b"], np.where(a > 0, b, 2**32 - 1))


def test_numbers_of_the_sign_of_the_data_are_not(tmp_path):
    body = "x[i] = (a[i] > -3) + 2 * (b[i] == 7u) + 4 * ((int)b[i] > -1) + 8 * (0u < b[i]) + -0x7fffffff;"
    text = function_of(f"for (int i = 0; i < n; i++) {body}", "int n, double *x, const int *a, const unsigned *b")
    (tmp_path / "nest.c").write_text(text)
    found = from_c(tmp_path / "nest.c")(n=3, a=np.array([-4, -3, 5], np.int32), b=np.array([7, 0, 7]))
    np.testing.assert_array_equal(found["x"] + 0x7FFFFFFF, [14, 4, 15])


@pytest.mark.parametrize("kind", ["unsigned", "size_t"])
def test_unsigned_variables_that_get_negative_numbers_are_refused(kind):
    body = f"for (int i = 0; i < n; i++) {{ {kind} k; k = i - 2; x[i] = k; }}"
    problem = refused(function_of(body, before="#include <stddef.h>"))
    assert problem.construct == "unsigned"
    assert "`i - 2` can be -1, for one where i = 1" in str(problem)
    assert "make an unsigned variable an `int`" in str(problem)


def test_counts_of_64_bits_are_accepted(tmp_path):
    body = "for (size_t i = 0; i < n; i++) { x[i] = y[p[i] + 1]; if (x[i] > 5) k += 1; } count[0] = k;"
    parameters = "size_t n, double x[n], double y[n], const size_t p[n], double count[1]"
    text = function_of(f"size_t k; k = 0; {body}", parameters, "#include <stddef.h>")
    (tmp_path / "nest.c").write_text(text)
    found = from_c(tmp_path / "nest.c")(n=3, y=np.array([5.0, 6.0, 7.0]), p=np.array([0, 1, 0]))
    np.testing.assert_array_equal(found["x"], [6.0, 7.0, 6.0])
    assert found["count"] == 3


def test_decimals_of_floats_are_the_nearest_floats(tmp_path):
    parameters = "int n, double x[n], float y[n]"
    body = "for (int i = 0; i < n; i++) { float k; k = 0.3; y[i] = 0.7; x[i] = 0.1f + k + (float)0.2; }"
    (tmp_path / "nest.c").write_text(function_of(body, parameters))
    found = from_c(tmp_path / "nest.c")(n=1)
    assert found["x"][0] == float(np.float32(0.1) + np.float32(0.3) + np.float32(0.2))
    assert found["y"][0] == np.float32(0.7)


@pytest.mark.parametrize("kind", ["short", "char", "unsigned char", "_Bool"])
def test_integers_that_hold_less_than_int_are_refused(kind):
    body = f"for (int i = 0; i < n; i++) {{ {kind} k; k = i * 30000; x[i] = k; }}"
    problem = refused(function_of(body))
    assert problem.construct == kind
    assert "use double, int or int64_t" in str(problem)


@pytest.mark.parametrize("number", ["0.1L", "0.5l", "1e-3L"])
def test_numbers_of_long_double_are_refused(number, tmp_path):
    (tmp_path / "nest.c").write_text(function_of(f"for (int i = 0; i < n; i++) x[i] = {number} * y[i];"))
    with pytest.raises(ExtractionError, match=f"nest.c:6: `{number}` is a long double") as caught:
        from_c(tmp_path / "nest.c")
    assert caught.value.construct == "long double"


def test_files_that_are_no_c_behind_the_loop_nest_are_refused():
    text = function_of("for (int i = 0; i < n; i++) x[i] = 1;")
    problem = refused(text + "int g(void) { return 1 + ; }\n")
    assert problem.line == text.count("\n") + 1
    assert "expected expression" in str(problem)


@pytest.mark.parametrize("body", ["x[i] = i / 0;", "x[i] = i % (1 - 1);", "x[i] = idx[i] / 0;"])
def test_integers_that_are_divided_by_0_are_refused(body, tmp_path):
    (tmp_path / "nest.c").write_text(function_of(f"for (int i = 0; i < n; i++) {body}"))
    with pytest.raises(ExtractionError, match=r"nest.c:6: an integer is divided by 0") as caught:
        from_c(tmp_path / "nest.c")
    assert caught.value.line == 6


@pytest.mark.parametrize("body", ["int k; k = INFINITY; x[0] = k;", "x[0] = (int)1e300;", "x[0] = (long)-INFINITY;"])
def test_numbers_that_no_integer_is_are_refused(body, tmp_path):
    (tmp_path / "nest.c").write_text(function_of(body, before="#include <math.h>"))
    with pytest.raises(ExtractionError, match=r"nest.c:6: .* is made an integer") as caught:
        from_c(tmp_path / "nest.c")
    assert caught.value.construct == "cast"


def test_logarithms_and_powers_of_whole_numbers_are_whole(tmp_path):
    body = """for (int i = 0; i < n; i++) {
        a[i] = floor(log2(x[i])); b[i] = (int)log10(y[i]); c[i] = (int)exp2(i); d[i] = floorf(log2f(x[i]));
        e[i] = log2(y[i]) + log10(x[i]) + exp2(y[i] / 1e15);
    }"""
    parameters = (
        "int n, const double x[n], const double y[n], double a[n], double b[n], double c[n], double d[n], double e[n]"
    )
    (tmp_path / "nest.c").write_text(function_of(body, parameters, "#include <math.h>"))
    program = from_c(tmp_path / "nest.c")
    powers = np.arange(16.0)
    x, y = 2.0**powers, 10.0**powers
    x[0], y[0] = 3.0, 99.0
    found = program(n=16, x=x, y=y)
    np.testing.assert_array_equal(found["a"], [1, *powers[1:]])
    np.testing.assert_array_equal(found["b"], [1, *powers[1:]])
    np.testing.assert_array_equal(found["c"], 2.0**powers)
    np.testing.assert_array_equal(found["d"], [1, *powers[1:]])
    np.testing.assert_allclose(found["e"], np.log2(y) + np.log10(x) + 2 ** (y / 1e15), rtol=1e-15)
    gradient = program.grad("e", ["x", "y"])(n=16, x=x, y=y, e_bar=np.ones(16))
    np.testing.assert_allclose(gradient["x_bar"], 1 / (x * np.log(10)), rtol=1e-14)
    wanted = 1 / (y * np.log(2)) + 2 ** (y / 1e15) * np.log(2) / 1e15
    np.testing.assert_allclose(gradient["y_bar"], wanted, rtol=1e-14)


def test_logarithms_of_no_powers_are_those_of_c(tmp_path):
    body = "for (int i = 0; i < n; i++) { x[i] = log2(y[i]); z[i] = log10(y[i]); }"
    (tmp_path / "nest.c").write_text(
        function_of(body, "int n, double x[n], double y[n], double z[n]", "#include <math.h>")
    )
    y = np.array([np.inf, 0.0, -1.0, np.nan, 5e-324, 1.7e308, 1.0])
    found = from_c(tmp_path / "nest.c")(n=7, y=y)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(found["x"], np.log2(y), rtol=1e-15)
        np.testing.assert_allclose(found["z"], np.log10(y), rtol=1e-15)


def test_unsigned_elements_that_data_choose_are_counted(tmp_path):
    body = "for (int i = 0; i < n; i++) h[p[i]] += 1;"
    (tmp_path / "nest.c").write_text(function_of(body, "int n, unsigned h[n], const int p[n]"))
    found = from_c(tmp_path / "nest.c")(n=4, h=np.zeros(4, np.int64), p=np.array([1, 1, 3, 1], np.int32))
    np.testing.assert_array_equal(found["h"], [0, 3, 0, 1])


def test_parameters_may_define_their_type(tmp_path):
    body = "for (int i = 0; i < n; i++) x[i] = 2.0 * kind;"
    (tmp_path / "nest.c").write_text(function_of(body, "int n, enum kind { A, B } kind, double x[n]"))
    np.testing.assert_array_equal(from_c(tmp_path / "nest.c")(n=2, kind=1)["x"], [2.0, 2.0])


def test_unsigned_numbers_are_compared_in_conditions(tmp_path):
    body = """for (int i = 0; i < n; i++) {
        x[i] = 0; y[i] = 0;
        if (a[i] < 3 && a[i] > 0) x[i] = 1;
        if (a[i] > b[i]) y[i] = 1;
    }"""
    parameters = "int n, unsigned a[n], unsigned b[n], double x[n], double y[n]"
    (tmp_path / "nest.c").write_text(function_of(body, parameters))
    a, b = np.array([0, 2, 3, 9, 2**31]), np.array([1, 2, 7, 4, 5])
    found = from_c(tmp_path / "nest.c")(n=5, a=a, b=b)
    np.testing.assert_array_equal(found["x"], (a < 3) & (a > 0))
    np.testing.assert_array_equal(found["y"], a > b)


def test_signed_data_are_not_compared_with_unsigned_ones():
    body = "for (int i = 0; i < n; i++) if (b[i] > a[i]) x[i] = 1;"
    problem = refused(function_of(body, "int n, int *a, unsigned *b, double *x"))
    assert problem.construct == "unsigned"
    assert "`a[i]` can be -1, which C takes for 4294967295" in str(problem)
    assert "a cast of the unsigned side" in str(problem)


EVERY_SECOND = """
void f({type} n, const double x[n], double y[n])
{{
#pragma scop
    for ({type} i = 0; i < n; i += 2)
        y[i] += x[i] * x[i];
#pragma endscop
}}
"""


@pytest.mark.parametrize("unsigned", ["unsigned", "unsigned long"])
@pytest.mark.parametrize("n", [0, 1, 4, 5])
def test_unsigned_counters_of_steps(tmp_path, unsigned, n):
    """At the largest number of its type, such a loop never ends: no array has as many elements."""
    (tmp_path / "nest.c").write_text(EVERY_SECOND.format(type=unsigned))
    x, y = np.arange(1.0, n + 1), np.ones(n)
    found = from_c(tmp_path / "nest.c")(n=n, x=x, y=y.copy())
    np.testing.assert_array_equal(found["y"], np.where(np.arange(n) % 2 == 0, 1 + x * x, 1))
