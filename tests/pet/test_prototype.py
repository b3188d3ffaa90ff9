"""Prototypes: types, extents, constness, whatever way they are written."""

from pathlib import Path

import pytest

from polyad.errors import ExtractionError
from polyad.pet.c_text.definitions import CText, read_c_text
from polyad.pet.prototype import Function, Parameter, read_function


def read(folder: Path, text: str) -> CText:
    path = folder / "nest.c"
    path.write_text(text)
    return read_c_text(path)


def prototype(folder: Path, declaration: str, before: str = "", body: str = "") -> Function:
    text = read(folder, f"{before}\n{declaration}\n{{\n{body}\n}}\n")
    return read_function(text, text.functions["f"])


def parameter(folder: Path, declaration: str, before: str = "") -> Parameter:
    return prototype(folder, f"void f({declaration})", before).parameters[-1]


@pytest.mark.parametrize(
    ("declaration", "type_", "shape", "const"),
    [
        ("double x", "double", (), False),
        ("const float x", "float", (), True),
        ("double *x", "double", ("",), False),
        ("double *restrict x", "double", ("",), False),
        ("const double *x", "double", ("",), True),
        ("double x[]", "double", ("",), False),
        ("int n, double x[n]", "double", ("n",), False),
        ("int n, int m, double x[restrict static n + 1][m][4]", "double", ("n + 1", "m", "4"), False),
        ("int m, const double (*A)[m]", "double", ("", "m"), True),
        ("int m, float (*restrict A)[2 * m][3]", "float", ("", "2 * m", "3"), False),
        ("unsigned n", "unsigned int", (), False),
        ("long unsigned int n", "unsigned long", (), False),
        ("short int n", "short", (), False),
        ("long long n", "long long", (), False),
        ("signed char n", "signed char", (), False),
        ("_Bool b", "_Bool", (), False),
    ],
)
def test_parameters(tmp_path: Path, declaration: str, type_: str, shape: tuple[str, ...], const: bool) -> None:
    found = parameter(tmp_path, declaration)
    assert (found.type, found.shape, found.const) == (type_, shape, const)
    assert found.by_value == (not shape)
    assert found.rank == len(shape)


@pytest.mark.parametrize(
    ("before", "declaration", "type_", "shape"),
    [
        ("#include <stddef.h>", "size_t n", "unsigned long", ()),
        ("#include <stdint.h>", "const int64_t *n", "long", ("",)),
        ("typedef double real; typedef real number;", "number x[3]", "double", ("3",)),
        ("enum color { RED };", "enum color c", "int", ()),
        ("typedef double vector[3];", "int n, vector x[n]", "double", ("n", "3")),
        ("#define DATA_TYPE float\n#define D2(x, n, m) x[n][m]", "int n, DATA_TYPE D2(x, n, n)", "float", ("n", "n")),
        ("typedef int __attribute__((aligned(8))) wide;", "wide n", "int", ()),
    ],
)
def test_names_of_types(tmp_path: Path, before: str, declaration: str, type_: str, shape: tuple[str, ...]) -> None:
    found = parameter(tmp_path, declaration, before)
    assert (found.type, found.shape) == (type_, shape)


def test_functions(tmp_path: Path) -> None:
    found = prototype(tmp_path, "static inline double f(int n, double x[n])", body="double s = 0; return s;")
    assert (found.name, found.result, found.returned, found.line) == ("f", "double", "", 2)
    assert found.locals == {"s"}
    assert prototype(tmp_path, "void f(void)").parameters == ()
    assert prototype(tmp_path, "void __attribute__((noinline)) f()").parameters == ()


@pytest.mark.parametrize(
    "declaration",
    "double **x; double *x[3]; struct s x; union u *x; long double x; double _Complex *x; void (*g)(int); "
    "volatile int *x; _Atomic int x; int n, ...; __int128 x".split("; "),
)
def test_types_that_are_refused(tmp_path: Path, declaration: str) -> None:
    before = "struct s { int a; }; union u { int a; };"
    with pytest.raises(ExtractionError, match=r"nest\.c:2") as caught:
        parameter(tmp_path, declaration, before)
    assert caught.value.line == 2


def test_functions_and_marks_are_found(tmp_path: Path) -> None:
    text = read(
        tmp_path,
        """#include <stdio.h>
        struct point { int a; } origin = { 1 };
        static const double w[2] = { 1, 2 };
        int g(int a); /* int h(void) { #pragma scop } */
        static inline __attribute__((always_inline)) int h(int a) { if (a) { return 1; } return 2; }
        #define BEGIN(name) void name(int n) {
        BEGIN(f)
        #pragma scop
        n = '{' + sizeof("}");
        #pragma endscop
        }
        int (*table[2])(int);
        """,
    )
    own = [name for name, function in text.functions.items() if function.file == text.path]
    assert own == ["h", "f"]
    assert {"origin", "w", "g", "table"} <= text.variables.keys()
    assert [(r.first, r.last) for r in text.regions] == [(8, 10)]
    assert text.marked() == ["f"]
    assert "size_t" in text.types


def test_what_is_no_c_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExtractionError, match=r"nest\.c:2: `f` cannot be read as C99 \(Invalid expression\)"):
        prototype(tmp_path, "void f(int n)", body="n = = 1;")
