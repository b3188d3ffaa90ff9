"""The text itself: golden files, compilers without complaint, names, numbers."""

import math
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from polyad.codegen.names import Spelling, c_name
from polyad.codegen.source import Source
from polyad.codegen.text.code import ATOM, Code, call, cast, code, conditional, infix, subscript, word
from polyad.codegen.text.expression_text import constant_code
from polyad.codegen.text.integer_text import affine_code, integer_code, linear_index
from polyad.codegen.text.line_text import WIDTH, names_in, printed
from polyad.ir.affine import Affine
from tests import programs
from tests.codegen.compiled import COMPILERS, STRICT, compile_only, source_of
from tests.codegen.samples import CASES, INDICES, INFERENCE
from tests.compilers import has_openmp
from tests.programs_gradient import LSTM_GRADIENT

GOLDEN = Path(__file__).parent / "golden"
CONVERSIONS = ("-Wconversion", "-Wsign-conversion", "-Wdouble-promotion")
GOLDEN_SAMPLES = {"matvec": programs.MATVEC, "inference": INFERENCE, "indices": INDICES}

FLAGS = [
    ("-std=c99", "-O2", "-fopenmp"),
    ("-std=c99", "-O2"),
    ("-std=c99", "-O2", "-fopenmp-simd", "-DPA_OPENMP_SIMD"),
    ("-std=c11", "-O0", "-fopenmp"),
    ("-x", "c++", "-std=c++11", "-O2", "-fopenmp"),
    ("-x", "c++", "-std=c++17", "-O1"),
]


@pytest.mark.parametrize("name", GOLDEN_SAMPLES)
def test_golden(name: str, update_golden: bool) -> None:
    """The text of three samples, to be read by people when it changes."""
    source = source_of(GOLDEN_SAMPLES[name])[1]
    for suffix, text in ((".c", source.c), (".h", source.header)):
        path = GOLDEN / f"{name}{suffix}"
        if update_golden:
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, "if the change is meant: pytest --update-golden"


def test_comments_say_what_c_says() -> None:
    """Also where C has other names, and above each copy of an equation."""
    c = once(CASES["names"][0]).c
    assert "/* S1: int_[auto_] += exp_[auto_, c1] */" in c
    assert "/* S4: status_[sizes_] = pa_x_[c0 - sizes_ - 1] */" in c
    blocked = once(programs.MATVEC).c
    assert "/* S: y[i_tile] += A[i_tile, k] * x[k] */" in blocked and "/* S: y[i] += A[i, k] * x[k] */" in blocked


@cache
def once(text: str) -> Source:
    """Its C, generated for the first of the compilers that read it."""
    return source_of(text)[1]


def complain(compiler: str, flags: tuple[str, ...], *how: str) -> None:
    """Fail with what a compiler says of sources, and of headers, with all warnings on."""
    if compiler == "clang" and "-fopenmp" in flags and not has_openmp(compiler):
        pytest.skip("this clang has no OpenMP library")
    texts = dict.fromkeys([*GOLDEN_SAMPLES.values(), *(text for text, _ in CASES.values())])
    sources = [once(text) for text in ((*texts, LSTM_GRADIENT) if "-O2" in flags and "c++" not in flags else texts)]
    # Each one stands in front of the others under some flags, so it has to include what it needs.
    first = (FLAGS.index(flags) * len(COMPILERS) + COMPILERS.index(compiler)) % len(sources)
    together = "\n".join(s.c for s in (*sources[first:], *sources[:first]))
    compile_only(together, compiler, (*flags, *how, *STRICT, *(() if "c++" in flags else CONVERSIONS)), link=False)
    headers = "".join(2 * s.header for s in (*sources[first:], *sources[:first]))
    compile_only(headers, compiler, (*flags, *how, *STRICT, "-Wno-empty-translation-unit"), link=False)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("flags", FLAGS, ids=" ".join)
@pytest.mark.quick_cases(2)
def test_compilers_have_nothing_to_say(compiler: str, flags: tuple[str, ...]) -> None:
    complain(compiler, flags, "-fsyntax-only")


@pytest.mark.parametrize("compiler", [c if c == "gcc" else pytest.param(c, marks=pytest.mark.slow) for c in COMPILERS])
@pytest.mark.parametrize(
    "flags", [FLAGS[0], *(pytest.param(f, marks=pytest.mark.slow) for f in FLAGS[1:])], ids=lambda f: " ".join(f)
)
@pytest.mark.slow
def test_optimisers_have_nothing_to_say(compiler: str, flags: tuple[str, ...]) -> None:
    """Some warnings need to know where values come from."""
    complain(compiler, flags)


@pytest.mark.parametrize("word", ["int", "class", "exp", "y0", "j1f", "pa_x", "PA_SIMD", "status", "NULL", "restrict"])
def test_taken_names_get_an_underscore(word: str) -> None:
    assert c_name(word) == f"{word}_"


@pytest.mark.parametrize(
    ("word", "name"), [("h", "h"), ("h_bar", "h_bar"), ("_x", "v_x"), ("9", "v9"), ("größe", "gr__e")]
)
def test_other_names(word: str, name: str) -> None:
    assert c_name(word) == name


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        (0.1, "float32", "0.1f"),
        (0.1, "float64", "0.1"),
        (1.0, "float32", "1.0f"),
        (-2.0, "float64", "(-2.0)"),
        (1e-30, "float32", "1.0e-30f"),
        (1e30, "float64", "1.0e+30"),
        (math.inf, "float64", "(double)INFINITY"),
        (-math.inf, "float32", "(-INFINITY)"),
        (1e300, "float32", "INFINITY"),
        (math.nan, "float64", "(double)NAN"),
        (7, "int32", "7"),
        (-(2**31), "int32", "INT32_MIN"),
        (-(2**63), "int64", "INT64_MIN"),
        (2**40, "int64", "INT64_C(1099511627776)"),
        (True, "bool", "1"),
    ],
)
def test_constants(value: float, dtype: str, text: str) -> None:
    assert constant_code(value, dtype).within(ATOM).text == text


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_constants_read_back_exactly(seed: int, dtype: str) -> None:
    rng = np.random.default_rng(seed)
    value = np.dtype(dtype).type(rng.normal() * 10.0 ** rng.integers(-30, 30))
    text = constant_code(float(value), dtype).text.strip("f")
    assert np.dtype(dtype).type(text) == value


SPELL = Spelling({}, frozenset())


def test_affine_code() -> None:
    t, n, h = Affine.of("t"), Affine.of("n"), Affine.of("H")
    cases = {
        t + 1: "t + 1",
        n - t - 1: "n - t - 1",
        4 - t: "4 - t",
        -t: "-t",
        h * 2 + t: "2 * H + t",
        (t + 1) // 2: "pa_floordiv_i64(t + 1, 2)",
        Affine.of(-3): "-3",
    }
    for value, text in cases.items():
        assert affine_code(value, SPELL).text == text
        assert affine_code(value, SPELL).names == value.names()


def test_linear_index() -> None:
    t, i, b, h = Affine.of("t"), Affine.of("i"), Affine.of("B"), Affine.of("H")

    def text(index: list[Affine | int], extents: list[Affine | int]) -> str:
        return linear_index([*map(Affine.of, index)], [*map(Affine.of, extents)], SPELL).text

    assert text([t + 1, i, t], [b, b, h]) == "((t + 1) * B + i) * H + t"
    assert text([0, i, 0], [b, b, h * 4]) == "i * (4 * H)"
    assert text([i, -i], [b, h]) == "i * H + (-i)"
    assert text([1, i], [2, b]) == "B + i"
    assert text([], []) == "0"
    assert text([0], [b]) == "0"


def test_integers_do_not_overflow_in_the_compiler() -> None:
    assert integer_code(-(2**31)).within(ATOM).text == "(-INT64_C(2147483648))"
    assert integer_code(-5).within(ATOM).text == "(-5)"


a, b, c = (word(n, n) for n in "abc")


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (infix("-", infix("-", a, b), c), "a - b - c"),
        (infix("-", a, infix("-", b, c)), "a - (b - c)"),
        (infix("*", infix("+", a, b), infix("/", b, c)), "(a + b) * (b / c)"),
        (infix("+", infix("*", a, b), infix("%", b, c)), "a * b + b % c"),
        (infix("||", infix("&&", a, b), infix("<", a, infix("+", b, c))), "(a && b) || a < b + c"),
        (cast("T", infix("*", cast("T", a), b)), "(T)((T)a * b)"),
        (infix("==", infix("<", a, b), c), "(a < b) == c"),
        (conditional(infix("<", a, b), infix("+", a, b), conditional(c, a, b)), "a < b ? a + b : (c ? a : b)"),
        (call("f", conditional(a, b, c), infix("+", a, b)), "f(a ? b : c, a + b)"),
        (code("{x} += {1} {0};", a, infix("+", b, c), x=subscript("x", a)), "x[a] += b + c a;"),
    ],
)
def test_parentheses_stand_where_they_are_needed(found: Code, text: str) -> None:
    assert found.text == text
    assert found.names == set(re.findall("[abc]", text))


def test_lines_in_lines_stand_deeper() -> None:
    assert printed(["for {", [code("{};", a), "{", [code("{};", b)], "}", ""], "}"]) == [
        *("for {", "  a;", "  {", "    b;", "  }", "", "}")
    ]
    assert names_in(["c {", [code("{};", a), "{", [b], "}"], "}"]) == {"a", "b"}


def test_long_lines_break_before_operators_and_not_in_subscripts() -> None:
    terms = [subscript(f"name{i}", infix("+", infix("*", word(f"(i + {i})"), a), b)) for i in range(12)]
    line = code("z = {};", infix("+", *terms))
    pieces = printed([line])
    assert all(len(p) <= WIDTH for p in pieces)
    assert all(p.strip().startswith("+ name") for p in pieces[1:])
    assert " ".join(p.strip() for p in pieces) == line.text


LONG = """
program long: [A, B, C] -> { : A >= 1 and B >= 1 and C >= 1 }
  input     x: float64[A, B, C]
  temporary z: float64[A, B, C]
  output    y: float64[A, B, C]
  Z: [A, B, C] -> { Z[i, j, k] : 0 <= i < A and 0 <= j < B and 0 <= k < C }
      z[i, j, k] = exp(x[i, j, k])
  Y: [A, B, C] -> { Y[i, j, k] : 0 <= i < A and 0 <= j < B and 0 <= k < C }
      y[i, j, k] = z[A - 1 - i, B - 1 - j, C - 1 - k]
"""


def test_a_step_through_the_workspace_that_takes_two_lines() -> None:
    """The last step was left out by its last line, which is half of it where it is long."""
    text = re.sub(r"\b([ABC])\b", r"a_rather_long_name_of_a_size_\1", LONG)
    c = source_of(text)[1].c
    assert "slots" in c and "pa_times(pa_times(pa_times(sizeof(double), a_rather_long_name_of_a_size_A)," in c
    code = re.sub(r"/\*.*?\*/", "", c, flags=re.DOTALL)
    for statement in code.split(";"):
        if "offset" in statement or "pa_times" in statement:
            assert statement.count("(") == statement.count(")"), statement
