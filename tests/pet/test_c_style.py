"""C as people write it becomes the C that pet reads: lines keep their numbers, and the function its meaning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from polyad.errors import CallError, ExtractionError
from polyad.pet.c_program import from_c
from polyad.pet.c_style.called_functions import inline_helpers
from polyad.pet.c_style.calls_in_conditions import values_in_conditions
from polyad.pet.c_style.elements import elements_of_arrays
from polyad.pet.c_style.listed_values import lists_as_assignments
from polyad.pet.c_style.moved_pointers import integers_for_pointers
from polyad.pet.c_style.named_constants import constants_as_macros
from polyad.pet.c_style.plain_integers import plain_integers
from polyad.pet.c_style.row_pointers import without_row_pointers
from polyad.pet.c_style.sizes.exact_quotients import quotients_as_sizes
from polyad.pet.c_style.whole_function import take_in
from polyad.pet.c_text.definitions import CDefinition, CText, ScopRegion, read_c_text
from polyad.pet.c_text.edits import edited, line_starts, matching, presumed_lines
from polyad.pet.c_text.parse import parse_definition
from polyad.pet.c_text.tables import find_tables
from polyad.pet.c_tree.nodes import spelled
from tests.pet.extracted import NEEDS_PET
from tests.pet.style import STYLES

Change = Callable[[str, CText, CDefinition, ScopRegion], str]


def read(folder: Path, source: str) -> tuple[CText, CDefinition, ScopRegion]:
    path = folder / "text.c"
    path.write_text(source)
    text = read_c_text(path)
    definition = text.functions["f"]
    return text, definition, text.regions_of(definition)[0]


def changed(folder: Path, change: Change, source: str) -> str:
    return change(source, *read(folder, source))


def nest(body: str, before: str = "", outside: str = "", head: str = "void f(int n, double *x, double *y)") -> str:
    return f"{before}\n{head}\n{{\n{outside}\n#pragma scop\n{body}\n#pragma endscop\n}}\n"


def elements(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    return elements_of_arrays(source, text, definition)


def rows(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    return without_row_pointers(source, text, definition)


@pytest.mark.parametrize(
    ("change", "body", "instead"),
    [
        (
            plain_integers,
            "x[(size_t)n + 1] = (int)n; x[(int)y[0]] = (float)n;",
            "x[n + 1] = n; x[(int)y[0]] = (float)n;",
        ),
        (plain_integers, "if ((unsigned)(n - 1) < 3) x[0] = 1;", "if ((unsigned)(n - 1) < 3) x[0] = 1;"),
        (
            plain_integers,
            "x[0] = abs(2 * n); x[1] = abs(y[0]);",
            "x[0] = ((2 * n) < 0 ? -(2 * n) : (2 * n)); x[1] = abs(y[0]);",
        ),
        (rows, "double *p = x + n, *q = &y[2]; p[1] = *q * *(p + 3);", "; x[(n) + (1)] = y[2] * x[(n) + ( 3)];"),
        (rows, "double *p = x; p[1] = 2; p++;", "double *p = x; p[1] = 2; p++;"),
        (rows, "double *p = x + n; n = 1; p[0] = 2;", "double *p = x + n; n = 1; p[0] = 2;"),
        (rows, "double *p = x + n; if (p) p[0] = 2;", "double *p = x + n; if (p) p[0] = 2;"),
        (rows, "double *p = x + n, s; p[0] = 2;", "double *p = x + n, s; p[0] = 2;"),
        (elements, "*x = 2 * *y + n * *x;", "x[0] = 2 * y[0] + n * x[0];"),
        (elements, "*(x + 2 * n) = (*y) * y[1];", "x[ 2 * n] = (y[0]) * y[1];"),
        (elements, "x[0] = n * x[1]; /* *x */", "x[0] = n * x[1]; /* *x */"),
        (elements, "*x++ = 1; *(n + x) = 1;", "*x++ = 1; *(n + x) = 1;"),
        (elements, "*(x + (n > 2)) = *(x + n ? 1 : 2);", "*(x + (n > 2)) = *(x + n ? 1 : 2);"),
        (lists_as_assignments, "double v[2] = { *x, n };", "double v[2]; v[0] = *x; v[1] = n;"),
        (
            lists_as_assignments,
            "const float v[2][2] = { { 1 }, { 2, 3 } };",
            " float v[2][2]; v[0][0] = 1; v[0][1] = 0; v[1][0] = 2; v[1][1] = 3;",
        ),
    ],
)
def test_statements_are_rewritten(tmp_path: Path, change: Change, body: str, instead: str) -> None:
    source = nest(body, before="#include <stddef.h>")
    expected = source.replace(body, instead)
    assert changed(tmp_path, change, source) == expected


HELPERS = """static double a(double v) { return v; }
static float b(float v)
{
    float w = 2 * v;
    if (v > 1)
        return w;
    else if (v < -1) return -w;
    return a(v);
}
static int loop(int k) { return loop(k); }
"""


def test_helpers_become_inline_with_one_return(tmp_path: Path) -> None:
    found = changed(tmp_path, inline_helpers, nest("x[0] = b(y[0]) + loop(2);", before=HELPERS))
    assert "inline static double a(double v) { return v; }\n" in found
    assert "float w = 2 * v; return ((v > 1) ? (float)(w) : ((v < (-1)) ? (float)(-w) : (float)(a(v))));" in found
    assert found.count("\n") == nest("x[0] = b(y[0]) + loop(2);", before=HELPERS).count("\n")


def test_calls_in_conditions_become_values(tmp_path: Path) -> None:
    before = "static double sq(double v) { return v * v; }\nstatic float g(float w) { return sq(w) + 1; }"
    found = changed(tmp_path, values_in_conditions, nest("if (g(x[0]) > 2) x[0] = g(y[0]);", before=before))
    assert "if (g_value(x[0]) > 2) x[0] = g(y[0]);" in found
    assert "#define sq_value(v) ((double)(((double)(v)) * ((double)(v))))\n#line 2\n" in found
    assert "#define g_value(w) ((float)(sq_value(((float)(w))) + 1))\n#line 3\n" in found


def test_constants_become_macros(tmp_path: Path) -> None:
    before = (
        "static const double gain = 2;\nconst int N = 1 << 3;\nenum { A, B = 4, C };\nconst double unused = 1;\n"
        "static double variable = 2;\nconst float taken = 2.5f;\nvoid other(int taken) {}"
    )
    body = "for (int i = 0; i < N; i++) x[i] = gain * C + A + variable + taken;"

    def change(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
        return constants_as_macros(source, text)

    found = changed(tmp_path, change, nest(body, before))
    macros = [line for line in found.split("\n") if line.startswith("#define")]
    assert macros == ["#define gain ((double)(2))", "#define N (8)", "#define A (-1 + 1)", "#define C ((4) + 1)"]


def test_tables_are_numbers_that_nobody_writes(tmp_path: Path) -> None:
    before = (
        "static const float w[2][2] = { { 1, 2 }, { 3 } };\nconst int k[] = { 1 + 2, -4 / 3 };\n"
        "double free_[1] = { 2 };\n"
    )
    outside = "double own[2] = { 0.5 }; double set[1] = { 3 }; double odd[1] = { 1.0 };"
    body = "set[0] = 2; x[0] = w[0][1] + k[1] + own[0] + free_[0];"
    text, definition, _ = read(tmp_path, nest(body, before, outside))
    found = find_tables(text, [parse_definition(text, definition)])
    assert {name: (t.shape, t.values) for name, t in found.items()} == {
        "w": ((2, 2), (1, 2, 3, 0)),
        "k": ((2,), (3, -1)),
        "own": ((2,), (0.5, 0)),
        "odd": ((1,), (1.0,)),
    }


def test_pragmas_move_as_far_as_needed(tmp_path: Path) -> None:
    head = "double f(int n, const double *x, double *y)"
    outside = "    int i;\n    double other = 2;\n    double s = 0;\n    use(n);\n    double t = s + n;\n"
    source = nest("for (i = 0; i < n; i++) t += x[i];", outside=outside, head=head)
    source = source.replace(
        "endscop\n", "endscop\n    s = 2 * t;\n    other = 3;\n    y[0] = s;\n    use(n);\n    return s;\n"
    )
    text, definition, region = read(tmp_path, source)
    found, returned = take_in(source, text, definition, region, "double")
    lines = [line.strip() for line in found.split("\n")]
    inside = lines[lines.index("#pragma scop") + 1 : lines.index("#pragma endscop")]
    assert returned == ""  # a call stands before `return`
    assert [line for line in inside if line and not line.startswith("#line")] == [
        "double t = s + n;",
        "for (i = 0; i < n; i++) t += x[i];",
        "s = 2 * t;",
        "other = 3;",
        "y[0] = s;",
    ]


@NEEDS_PET
def test_lines_keep_their_numbers(tmp_path: Path) -> None:
    source = """
enum { WIDTH = 3 };
static double twice(double v)
{
    if (v > 2)
        return 3 * v;
    return 2 * v;
}
double f(int n, const double *x, double *y)
{
    if (n < 1)
        return 0;
    double s = 0, t;
    t = 2;
#pragma scop
    for (int i = 0; i < n; i++)
        s += twice(x[i]) * WIDTH;
#pragma endscop
    *y = s;
    s = s * t;
    return s;
}
"""
    (tmp_path / "f.c").write_text(source)
    made = from_c(tmp_path / "f.c")
    lines = {s.where.rpartition(":")[2] for s in made.statements if s.where}
    assert lines == {"12", "13", "14", "17", "19", "20", "21"}
    wrong = source.replace("    s = s * t;", "    s = s * t + y[n - 1] + x[n];")
    (tmp_path / "f.c").write_text(wrong.replace("const double *x", "const double x[n]"))
    with pytest.raises(ExtractionError, match=r"f\.c:20: x\[3\] is read at n = 3, which is outside of x\[3\]"):
        from_c(tmp_path / "f.c")
    (tmp_path / "f.c").write_text(source.replace("*y = s;", "*y = nothing;"))
    with pytest.raises(ExtractionError, match=r"f\.c:19: use of undeclared identifier 'nothing'"):
        from_c(tmp_path / "f.c")


@NEEDS_PET
def test_guards_are_conditions(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(
        "double f(int n, const double x[n])\n{\n    if (n < 2) {\n        return -1;\n    }\n    if (x[1] > 3)\n"
        "        return x[1];\n#pragma scop\n    double s = x[0];\n#pragma endscop\n    return s;\n}\n"
    )
    made = from_c(tmp_path / "f.c")
    for x, value in (([], -1), ([5.0], -1), ([2.0, 4.0], 4), ([2.0, 3.0], 2)):
        assert made(n=len(x), x=np.array(x))["returned"] == [value]


@NEEDS_PET
@pytest.mark.parametrize("before", ["", "#include <math.h>\n\n"])
@pytest.mark.parametrize("line_end", ["", "\n"])
@pytest.mark.quick_cases(2)
def test_statements_on_the_line_of_the_brace(tmp_path: Path, before: str, line_end: str) -> None:
    text = (
        f"{before}double f(int n,\n  const double x[n]) {{ double s = 0; int k = 3; /* {{ */{line_end}\n  k = k + 1;\n"
        "#pragma scop\n    for (int i = 0; i < n; i++) s += k * x[i];\n#pragma endscop\n    return s; }\n"
    )
    (tmp_path / "f.c").write_text(text)
    assert from_c(tmp_path / "f.c")(n=3, x=np.arange(3.0))["returned"] == [12]
    (tmp_path / "f.c").write_text(text.replace("s += k", "s += nothing"))
    wrong = text[: text.index("s += k")].count("\n") + 1
    with pytest.raises(ExtractionError, match=rf"f\.c:{wrong}: use of undeclared identifier 'nothing'"):
        from_c(tmp_path / "f.c")


@NEEDS_PET
@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_ends_of_files(tmp_path: Path, end: str) -> None:
    """The last line may have no end, also where the function is one line."""
    text = "void f(int n, const double x[n], double y[n]) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }"
    for source in (text, text.replace("{ ", "{\n").replace("; }", ";\n}")):
        (tmp_path / "f.c").write_text(source + end)
        np.testing.assert_array_equal(from_c(tmp_path / "f.c", function="f")(n=3, x=np.arange(3.0))["y"], [0, 2, 4])


@NEEDS_PET
def test_a_function_that_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(nest("double s = x[0]; s = s * 2;"))
    with pytest.raises(ExtractionError, match=r"f\.c:5: `f` leaves nothing behind"):
        from_c(tmp_path / "f.c")


@NEEDS_PET
def test_sizes_at_which_unsigned_numbers_pass_0_are_none(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(
        "void f(unsigned long n, const double x[n], double y[n])\n{\n#pragma scop\n"
        "    for (unsigned long i = 0; i < n - 1; i++)\n        y[i] = x[i + 1];\n#pragma endscop\n}\n"
    )
    made = from_c(tmp_path / "f.c")
    assert "18446744073709551615" not in str(made.program)
    assert "4294967295" not in str(made.program)
    y = made(n=3, x=np.arange(3.0), y=np.zeros(3))["y"]
    np.testing.assert_array_equal(y, [1, 2, 0])
    with pytest.raises(CallError):
        made(n=0, x=np.zeros(0), y=np.zeros(0))


@NEEDS_PET
def test_integers_are_no_sums_of_fractions(tmp_path: Path) -> None:
    head = "void f(int n, const int *k, const double *x, int y[3])"
    (tmp_path / "f.c").write_text(nest("for (int i = 0; i < n; i++) y[k[i]] += x[i];", head=head))
    with pytest.raises(ExtractionError, match=r"f\.c:6: y holds integers"):
        from_c(tmp_path / "f.c")
    (tmp_path / "f.c").write_text(nest("for (int i = 0; i < n; i++) y[0] += x[i];", head=head))
    found = from_c(tmp_path / "f.c")(n=2, x=np.array([-0.5, -0.5]), y=np.array([7, 1, 1], np.int32))
    np.testing.assert_array_equal(found["y"], [5, 1, 1])


@NEEDS_PET
def test_extents_do_not_follow_from_what_data_choose(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(
        nest(
            "for (int i = 0; i < n; i++) y[i] = 0;\nfor (int i = 0; i < n; i++) y[k[i]] += x[i];",
            head="void f(int n, const int *k, const double *x, double *y, double *unused)",
        )
    )
    found = from_c(tmp_path / "f.c")(n=3, k=np.array([1, 1, 0], np.int32), x=np.array([1.0, 2, 4]))
    np.testing.assert_array_equal(found["y"], [4, 3, 0])


def test_edits() -> None:
    source = "one\ntwo (three)\nfour\n"
    assert edited(source, [(0, 3, "1"), (4, 15, "2")]) == "1\n2\nfour\n"
    assert edited(source, [(0, 15, "1")]) == "1\n\nfour\n"
    assert matching(source, source.index("(")) == source.index(")")
    assert matching("(()", 0) == -1
    marked = "a\n#line 7\nb\nc\n"
    assert presumed_lines(marked) == [0, 1, 2, 7, 8, 9]
    assert [marked[line_starts(marked)[n]] for n in (1, 7, 8)] == ["a", "b", "c"]


def test_files_beside_a_rewritten_one_are_found(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("#define ONE 1\n")
    source = '#include "own.h"\nvoid f(double *x)\n{\n#pragma scop\n    *x = ONE;\n#pragma endscop\n}\n'
    (tmp_path / "text.c").write_text(source)
    text = read_c_text(tmp_path / "text.c", source=source.replace("*x = ", "x[0] = "))
    assert not text.problem
    assert "x[0] = 1;" in text.functions["f"].text
    assert text.functions["f"].file == str(tmp_path / "text.c")


@NEEDS_PET
def test_conditions_keep_subscripts_inside(tmp_path: Path) -> None:
    head = "void f(int n, int m, const double x[n], double y[n])"
    inside = ("i + 1 < n ? x[i + 1] : 0", "i + 1 >= n || y[i] > 0 ? 0 : x[i + 1]", "!(i < n - 1) ? 0 : x[i + 1]")
    for value in inside:
        (tmp_path / "f.c").write_text(nest(f"for (int i = 0; i < n; i++) y[i] = {value};", head=head))
        from_c(tmp_path / "f.c")
    outside = ("i + 1 <= n ? x[i + 1] : 0", "i + 1 < n || y[i] > 0 ? x[i + 1] : 0", "i < n - 1 ? 0 : x[i + 1]")
    for value in outside:
        (tmp_path / "f.c").write_text(nest(f"for (int i = 0; i < n; i++) y[i] = {value};", head=head))
        with pytest.raises(ExtractionError, match=r"f\.c:6: x\[3\] is read at n = 3, i = 2, which is outside"):
            from_c(tmp_path / "f.c")
    (tmp_path / "f.c").write_text(nest("for (int i = 0; i <= n; i++) y[i] = x[0];", head=head))
    with pytest.raises(ExtractionError, match=r"y\[3\] is written at n = 3"):
        from_c(tmp_path / "f.c")


@NEEDS_PET
def test_a_flag_is_true_or_false(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(
        "#include <stdbool.h>\n"
        + nest("for (int i = 0; i < n; i++) if (twice) y[i] = 2 * x[i], x[i] = 0; else y[i] = x[i];", head=FLAGGED)
    )
    program = from_c(tmp_path / "f.c")
    for flag in (True, np.bool_(True), 1):
        assert program(n=2, twice=flag, x=np.ones(2))["y"].tolist() == [2, 2]
    assert program(n=2, twice=False, x=np.ones(2))["y"].tolist() == [1, 1]


FLAGGED = "void f(int n, bool twice, double x[n], double y[n])"


@NEEDS_PET
@pytest.mark.parametrize(
    ("was", "instead"),
    [
        ("out[i] = now[i] - 2 * then[i];", "out[i] = a[i] - 2 * then[i];"),
        ("double b[n]", "double b[n + 1]"),
        ("*spare;", "*spare = out; spare[0] = 1;"),
        ("double *out)\n{", "double *out)\n{\n    double *third = a; third[0] = 1;"),
        ("*spare;", "*spare, *stays = now + 1; out[0] = stays[0];"),
    ],
)
def test_pointers_that_change_places_and_are_not_alone_are_refused(was: str, instead: str, tmp_path: Path) -> None:
    """Elements may only change places where they are named through these pointers, and are as many."""
    text = (STYLES / "swapped.c").read_text()
    assert was in text
    path = tmp_path / "text.c"
    path.write_text(text.replace(was, instead))
    with pytest.raises(ExtractionError, match="makes a second name for elements"):
        from_c(path)


def test_integers_for_pointers_stand_in_the_order_of_the_parameters(tmp_path: Path) -> None:
    """The text is the same in every process: sets of names are not."""
    names = ["u", "c", "w", "b", "x", "a", "v"]
    head = f"void f(int n, {', '.join(f'double *{p}' for p in names)})"
    moves = " ".join(f"*{p}++ = 1;" for p in reversed(names))
    text, definition, _ = read(tmp_path, nest(f"for (int i = 0; i < n; i++) {{ {moves} }}", head=head))
    tree = parse_definition(text, definition)
    assert integers_for_pointers(tree)
    assert [d.name for d in tree.body.block_items[: len(names)]] == [f"{p}_at" for p in names]


@pytest.mark.parametrize(("step", "known"), [("i++", True), ("k += n", False)])
def test_a_quotient_is_of_a_value_that_stays(step: str, known: bool, tmp_path: Path) -> None:
    """A step of a loop that declares another index changes `k` like any other statement."""
    body = f"for (int j = 0; j < n; j += s) {{ int k = n; for (int i = 0; k < m; {step}) y[(k + j) / s] = x[j]; }}"
    text, definition, _ = read(tmp_path, nest(body, head="void f(int n, int m, int s, double *x, double *y)"))
    tree = parse_definition(text, definition)
    quotients_as_sizes(tree, {"n": ("s",)})
    assert ("y[n_over_s + j_block]" in spelled(tree)) == known
