"""Constructs that cannot be modelled are refused: with their line, and what to write instead."""

import pytest

from polyad.errors import ExtractionError
from tests.pet.extracted import NEEDS_PET, function_of, refused, seen

pytestmark = NEEDS_PET

LOOP = "for (int i = 0; i < n; i++)"

# name -> body, declarations before the function, what stands before the pragma, construct, words of the cure.
IN_TEXT = {
    "goto": (f"{LOOP} {{ if (i > 3) goto out; x[i] = 1; }} out: ;", "goto", "write loops and conditions"),
    "switch": (f"{LOOP} switch (i) {{ case 0: if (x[i] > 0) break; x[i] = 1; }}", "switch", "else if"),
    "while": ("int i = 0; while (x[i] > 0) { x[i] = 1; i++; }", "while", "for (int i = 0; i < n; i++)"),
    "dereference of a sum": (f"{LOOP} *(i + x) = 1;", "*p", "p[0]"),
    "address": (f"{LOOP} x[i] = *(&y[i]);", "*p", "p[0]"),
    "geometric loop": ("for (int i = 1; i < n; i *= 2) x[i] = 1;", "for", "a loop has to count"),
    "unsigned loop without end": ("for (unsigned i = n; i >= 0; i--) x[i] = 1;", "for", "i-- > 0"),
    "loop that jumps its turns": ("int i = 0; while (i < n) { if (i > 3) continue; x[i] = 1; i++; }", "while", "for ("),
    "loop variable that is changed": (
        f"{LOOP} {{ x[i] = 1; if (x[i] > 2) i = i + 1; }}",
        "for",
        "count by another one",
    ),
    "loop variable that jumps": (f"{LOOP} {{ if (x[i] > 2) continue; x[i] = 1; i++; }}", "for", "count by another one"),
    "endless loop": ("for (;;) { x[0] = 1; break; }", "for (;;)", "known end"),
    "initialiser list": ("double w[2] = {[1] = 2}; x[0] = w[1];", "initialiser list", "one assignment for each"),
    "bits": (f"{LOOP} x[i] = y[i & m];", "bit operator", "% 4"),
    "shift": (f"{LOOP} x[i >> m] = y[i];", "bit operator", "/ 2"),
    "string": (f'{LOOP} x[i] = "a"[0];', "string", "write numbers"),
    "sizeof": (f"{LOOP} x[i] = sizeof(double);", "sizeof", "write the number"),
    "static variable": (f"static double s; {LOOP} {{ s = x[i]; x[i] = s; }}", "static", "a parameter"),
    "pointer to an array": (f"double *p = x; {LOOP} p[i] = 1; p = y;", "pointer", "the array and its index"),
    "pointer that changes its array": (f"{LOOP} {{ x[0] = 1; x = y; }}", "pointer", "the array and its index"),
    "cast of a pointer": (f"{LOOP} ((float *)x)[i] = 1;", "cast", "with the type that is meant"),
    "chained assignment": ("int k = 0; x[k] = k = y[0] > 1;", "assignment", "a statement of its own"),
    "increment behind a condition": ("int k = 0; if (n > 1 && x[k++] > 0) y[0] = 1;", "assignment", "of its own"),
    "function without a body": (f"{LOOP} x[i] = g(x[i]);", "g()", "static inline"),
    "function that polyad has not": (f"{LOOP} x[i] = lgamma(x[i]);", "lgamma()", "<math.h>"),
}


@pytest.mark.parametrize(("body", "construct", "cure"), IN_TEXT.values(), ids=IN_TEXT)
def test_what_the_text_shows_is_refused(body: str, construct: str, cure: str) -> None:
    before = "#include <math.h>\ndouble g(double x);"
    problem = refused(function_of(body, before=before))
    assert problem.construct == construct
    assert problem.line == 7
    assert cure in str(problem)


BY_PET = {
    "statement expression": (f"{LOOP} x[i] = ({{ double z = 2; z; }});", "statement expression", "before this one"),
    "assembly": ('asm("nop");', "asm", "write C"),
    "array that is chosen": (f"{LOOP} x[i] = (i > 3 ? x : y)[i];", "expression", "elements of arrays"),
    "sum of pointers": (f"{LOOP} (x + i)[0] = 1;", "expression", "elements of arrays"),
    "name that is not declared": (f"{LOOP} x[i] = zz;", "syntax", "undeclared identifier 'zz'"),
    "missing parenthesis": ("for (int i = 0; i < n; i++ x[i] = 1;", "syntax", "expected ')'"),
    "nothing": ("", "pragma", "no statement"),
    "pointer as a condition": ("if (x == y) x[0] = 1;", "x", "all of its subscripts"),
    "length that data decide": (f"{LOOP} for (int j = 0; j < idx[i]; j++) x[i] += j;", "loop bound", "leave out by"),
    "quadratic bound": ("for (int i = 0; i * i < n; i++) x[i] += 2;", "loop bound", "a sum of sizes"),
    "statement that never runs": (f"{LOOP} {{ x[i] = 1; if (0) x[i] = 2; }}", "statement", "leave it out"),
    "subscript that is negative for some sizes": (
        f"{LOOP} for (int k = 0; k < m; k++) x[i - k] = 1;",
        "subscript",
        "unless `m` is 1 or less",
    ),
    "subscript that is a negative number": ("x[-1] = 1;", "subscript", "begin at 0"),
    "remainder by a size": (f"{LOOP} x[(i + 1) % n] = 1;", "subscript", "k == n - 1 ? 0 : k + 1"),
    "triangle in a row": (f"{LOOP} for (int j = 0; j <= i; j++) x[i * (i + 1) / 2 + j] = 1;", "subscript", "x[n][m]"),
    "row that is too long": (f"{LOOP} for (int j = 0; j <= m; j++) x[i * m + j] = 1;", "subscript", "x[n][m]"),
    "subscript that is negative": (f"{LOOP} x[i - 1] = 1;", "subscript", "begin the loop later"),
    "variable of a loop that is no integer": ("for (double t = 0; t < 1; t += 0.5) x[0] += t;", "expression", "count"),
    "call in a condition": (f"{LOOP} if (long_half(x[i]) > 2) x[i] = 1;", "long_half()", "two statements"),
    "size that changes": (f"n = n - 1; {LOOP} x[i] = 1;", "loop bound", "a variable of its own"),
    "long double": (f"long double s; s = 1; {LOOP} x[i] = s;", "long double", "use float or double"),
}


@pytest.mark.parametrize(("body", "construct", "cure"), BY_PET.values(), ids=BY_PET)
@pytest.mark.quick_cases(4)
def test_what_pet_refuses_or_takes_for_something_else_is_refused(body: str, construct: str, cure: str) -> None:
    before = "static inline double long_half(double v) { double w; w = v; return w / 2; }"
    problem = refused(function_of(body, before=before))
    assert problem.construct == construct
    assert problem.line in (5, 6)
    assert cure in str(problem)


AROUND = {
    "recursion": (
        "double g(double v);\nstatic inline double g(double v) { double w; w = g(v - 1); return w; }",
        "double *x",
        "x[0] = g(x[0]);",
        "recursion",
        "g -> g",
    ),
    "function that is only declared": (
        "static double g(double v);",
        "double *x",
        "x[0] = g(x[0]);",
        "g()",
        "as `static inline`",
    ),
    "return in the middle": (
        "static double g(double v) { double w = 0; if (v > 0) { w = v; return w; } return -v; }",
        "double *x",
        "x[0] = g(x[0]);",
        "return",
        "a ? b : c",
    ),
    "pointer in a function": (
        "static inline void g(int n, double *a) { double *b = n > 2 ? a : a + 1; b[0] = 1; }",
        "int n, double *x",
        "g(n, x);",
        "pointer",
        "the array and its index",
    ),
    "struct": ("struct pair { double a; int b; };", "struct pair *x", "x[0].a = 1;", "struct", "numbers of one type"),
    "union": ("typedef union { double a; int b; } both;", "int n, both x[n]", "x[0].a = 1;", "union", "arrays"),
    "complex": ("", "int n, double _Complex z[n]", "z[0] = 2;", "double _Complex", "complex numbers"),
    "volatile": ("", "volatile double *x", "x[0] = 2;", "volatile", "use a copy"),
    "pointers to pointers": ("", "double **x", "x[0][0] = 2;", "pointers to pointers", "x[n][m]"),
    "array of pointers": ("", "int n, double *x[n]", "x[0][0] = 2;", "pointers to pointers", "x[n][m]"),
    "any number of parameters": ("", "double *x, ...", "x[0] = 2;", "...", "describes"),
    "word of isl": ("", "int max, double *x", "for (int i = 0; i < max; i++) x[i] = 2;", "max", "something else"),
    "word of isl in capitals": ("", "int n, double *Rat", "Rat[0] = 2;", "Rat", "something else"),
    "name of pet's": ("", "int n, double *__pet_test_0", "__pet_test_0[0] = 2;", "__pet_test_0", "something else"),
    "array outside of the function": ("double w[3];", "double *x", "x[0] = w[1];", "w", "make it a parameter"),
    "size outside of the function": ("int N;", "double *x", "for (int i = 0; i < N; i++) x[i] = 1;", "N", "#define"),
    "function pointer": (
        "",
        "double *x, double (*g)(double)",
        "x[0] = g(x[0]);",
        "pointer",
        "where a number is expected",
    ),
}


@pytest.mark.parametrize(("before", "parameters", "body", "construct", "cure"), AROUND.values(), ids=AROUND)
def test_what_stands_around_a_loop_nest_is_refused(
    before: str, parameters: str, body: str, construct: str, cure: str
) -> None:
    problem = refused(function_of(body, parameters, before))
    assert problem.construct == construct
    assert problem.line > 0
    assert cure in str(problem)


@pytest.mark.parametrize(
    ("outside", "cure"),
    [
        ("set(n, x); n = n - 1;", "put the pragma before it"),
        ("static int last; x[0] = 1; set(n, y);", "put the pragma before it"),
        ("set(n, x);", "put the pragma before it"),
        ("set(n, &x[1]);", "put the pragma before it"),
        ("set(n, y); if (n == 0) return;", "may end before"),
        ("if (n == 0) { y[0] = 1; return; }", "may end before"),
        ("double *p = n > 2 ? x : y;", "the array and its index"),
        ("int k = idx[0]; set(k, y);", "behind `#pragma scop`"),
    ],
)
def test_what_happens_before_the_loop_nest_is_not_forgotten(outside: str, cure: str) -> None:
    uses = {"double": "p[0] = 1;", "int": "for (int i = 0; i < k; i++) x[i] = 1;"}
    body = uses.get(outside.split()[0], "for (int i = 0; i < n; i++) x[i] = 2;")
    assert cure in str(refused(function_of(body, outside=outside, before="void set(int n, double *x);")))


@pytest.mark.parametrize(
    ("before", "behind", "cure"),
    [
        ("for (int t = 0; t < 3; t++) {", "}", "in a loop or under a condition"),
        ("if (n > 3) {", "}", "in a loop or under a condition"),
        ("{", "x[0] *= 2; }", "put the pragma behind it"),
    ],
)
def test_the_function_does_what_the_loop_nest_does(before: str, behind: str, cure: str) -> None:
    text = function_of("x[0] = x[0] + 1;").replace("#pragma scop", f"{before}\n#pragma scop")
    assert cure in str(refused(text.replace("#pragma endscop", f"#pragma endscop\n{behind}")))


def test_what_does_not_matter_may_stand_around_a_loop_nest() -> None:
    text = function_of("s = 0; for (i = 0; i < n; i++) s += x[i];", outside="int i = 0; double s = n; log(x[0]); {")
    text = text.replace("void f", "double log(double);\ndouble f").replace(
        "endscop", "endscop\n } s = s * 2; return s;"
    )
    scop, function = seen(text)
    assert len(scop.statements) == 2
    assert function.returned == ""


def test_pragmas_come_in_pairs() -> None:
    good = function_of("x[0] = 1;")
    assert "has no `#pragma endscop`" in str(refused(good.replace("#pragma endscop", "")))
    assert "has no `#pragma scop`" in str(refused(good.replace("#pragma scop", "")))
    unbalanced = "for (int i = 0; i < n; i++) {\n x[i] = 1;\n#pragma endscop\n }\n#pragma scop\n x[0] = 2;"
    problem = refused(function_of(unbalanced))
    assert problem.construct == "pragma"
    assert "other braces than the `#pragma scop` of line 5" in str(problem)


def test_loop_nests_that_pet_would_read_beyond_their_pragma() -> None:
    text = "void f(int n, double *x)\n{\n#pragma scop\n for (int i = 0; i < n; i++)\n#pragma endscop\n x[i] = 1;\n}\n"
    assert refused(text).construct in ("pragma", "syntax")


def test_pragmas_stand_in_one_function() -> None:
    text = "#pragma scop\nvoid f(double *x)\n{\nx[0] = 1;\n}\n#pragma endscop\n"
    assert "inside of one function" in str(refused(text))


@pytest.mark.slow
def test_expressions_that_nest_too_deeply_end_in_an_error() -> None:
    deep = "(" * 20000 + "x[0]" + " + 1)" * 20000
    with pytest.raises(ExtractionError, match=r"nest\.c:\d+"):
        seen(function_of(f"x[0] = {deep};"))
