"""Extraction: which loop nest, with which options, and what goes wrong on the way."""

import time
from pathlib import Path

import islpy as isl
import numpy as np
import pytest

from polyad.errors import ExtractionError
from polyad.pet.extract import extract
from polyad.pet.libpet import ask_pet, library
from polyad.pet.scop import Access, Call, Cast, Number, Operation, nodes
from polyad.pet.trial import describe_pet
from tests.pet.extracted import NEEDS_PET, function_of, refused, seen
from tests.pet.replay import replay

SEVERAL = """
#include <math.h>
static inline double half(double v) { return 0.5 * v; }

void first(int n, double x[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = half(x[i]);
#pragma endscop
}

void bad(int n, double x[n])
{
#pragma scop
    for (int i = 0; i < n; i++) x[i] = (&x[i])[0];
#pragma endscop
}

void twice(int n, double x[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] += 1;
#pragma endscop
#pragma scop
    for (int i = 1; i < n; i++)
        x[i] += x[i - 1];
#pragma endscop
}
"""


def lines_of(text: str, function: str | None = None, scop: int | None = None) -> tuple[int, int]:
    return seen(text, function, scop)[0].lines


@NEEDS_PET
def test_a_loop_nest_is_chosen_by_function_and_number() -> None:
    assert lines_of(SEVERAL, "first") == (7, 10)
    assert lines_of(SEVERAL, "twice", 0) == (22, 25)
    assert lines_of(SEVERAL, "twice", 1) == (26, 29)
    assert lines_of(SEVERAL, scop=3) == (26, 29)


@pytest.mark.parametrize(
    ("function", "scop", "words"),
    [
        (None, None, "4 loop nests are marked in the file, in first, bad, twice (lines 7, 15, 22, 26)"),
        ("twice", None, "choose one by scop=0, 1, ..."),
        ("twice", 2, "scop=2, but there are 2 loop nests"),
        (None, -1, "scop=-1, but there are 4"),
        ("third", None, "no function 'third' is defined; there are half, first, bad, twice"),
    ],
)
@NEEDS_PET
def test_what_there_is_to_choose_is_said(function: str | None, scop: int | None, words: str) -> None:
    assert words in str(refused(SEVERAL, function, scop))


@NEEDS_PET
def test_a_file_without_marks() -> None:
    assert "no loop nest is marked" in str(refused("void f(void) {}\n"))
    assert "x" in seen(function_of("x[0] = 1;").replace("scop", "omp"))[0].arrays
    two = function_of("x[0] = 1;") + function_of("x[0] = 1;").replace("void f(", "void g(")
    assert "name a function by function=" in str(refused(two.replace("scop", "omp")))
    assert "no loop nest is marked" in str(refused(f"#if 0\n{function_of('x[0] = 1;')}\n#endif\n"))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ExtractionError, match=r"none\.c: there is no such file"):
        extract(tmp_path / "none.c")
    with pytest.raises(ExtractionError, match="this is a folder"):
        extract(tmp_path)


@NEEDS_PET
def test_a_header_that_is_not_there(tmp_path: Path) -> None:
    text = function_of("for (int i = 0; i < WIDTH; i++) x[i] = 1;", before='#include "sizes.h"')
    problem = refused(text)
    assert (problem.line, problem.construct) == (1, "header")
    assert "name its folder by include=[...]" in str(problem)
    (tmp_path / "sizes.h").write_text("#define WIDTH 5\n")
    scop, _ = seen(text, include=[tmp_path])
    assert scop.statements[0].domain == isl.Set("{ S_0[i] : 0 <= i < 5 }")


@NEEDS_PET
def test_headers_beside_the_file_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "own.h").write_text("static inline double half(double v) { return v / 2; }\n")
    (folder / "nest.c").write_text(function_of("x[0] = m;", before='#include "own.h"\n#include <stdio.h>'))
    scop, _ = extract(folder / "nest.c")
    assert [s.line for s in scop.statements] == [7]


@NEEDS_PET
def test_macros() -> None:
    text = "#define SIG(T) void f(int n, T x[n])\nSIG(TYPE)\n{\n#pragma scop\nx[N] = 1;\n#pragma endscop\n}\n"
    scop, function = seen(text, define=["TYPE=float", "N=3"])
    assert scop.arrays["x"].type == "float"
    assert [p.type for p in function.parameters] == ["int", "float"]


@NEEDS_PET
def test_bodies_of_functions_take_the_place_of_calls_in_declarations_too() -> None:
    before = "static inline double sq(double v) { return v * v; }"
    scop, _ = seen(
        function_of("const double s = sq(x[0]) /* = */ + 1, *q; x[1] = s;".replace(", *q", ""), before=before)
    )
    assert not any(isinstance(node, Call) for s in scop.statements for node in nodes(s.body))
    assert {"s", "v"} <= scop.arrays.keys()


@NEEDS_PET
def test_integers_that_only_count_are_dropped() -> None:
    body = "int i, j = 0, k; k = n; for (i = 0; i < n; i++) { for (j = 0; j < m; j++) x[i] += k; }"
    scop, _ = seen(function_of(body))
    assert scop.arrays.keys() == {"x"}
    assert len(scop.statements) == 1
    assert isl.UnionSet.from_set(scop.statements[0].domain) == scop.schedule.get_domain()


@NEEDS_PET
def test_integers_that_data_decide_stay() -> None:
    scop, _ = seen(function_of("int k; k = 0; for (int i = 0; i < n; i++) if (x[i] > 0) k = k + 1; y[0] = k;"))
    assert "k" in scop.arrays


@NEEDS_PET
def test_increments_are_assignments() -> None:
    scop, _ = seen(function_of("x[0]++; --x[1];"))
    assert [s.body.op for s in scop.statements if isinstance(s.body, Operation)] == ["add_assign", "sub_assign"]


@NEEDS_PET
def test_conditions_that_data_decide_are_known_for_all_instances() -> None:
    """Also behind a `break`, where C does not compute them: there the loop has ended."""
    scop, _ = seen(function_of("for (int i = 0; i < n; i++) { if (x[i] > 2) break; if (y[i]) y[i] = 1; }"))
    conditions = [s for s in scop.statements if isinstance(s.body, Operation) and s.body.op == "assign"][:2]
    for statement in scop.statements:
        target = statement.body.arguments[0] if isinstance(statement.body, Operation) else None
        if isinstance(target, Access) and target.array.startswith("__pet_test_"):
            assert not statement.guards
    assert len(conditions) == 2


@NEEDS_PET
def test_masks_of_integers() -> None:
    scop, _ = seen(function_of("for (int i = 0; i < n; i++) if (idx[i] > 3 && idx[i + 1] < i || i == 4) x[i] = 1;"))
    (statement,) = scop.statements
    assert statement.domain.params().is_subset(isl.Set("[n] -> { : n > 0 }").align_params(statement.domain.get_space()))
    ((condition, wanted),) = statement.guards
    assert wanted == 1
    assert {node.array for node in nodes(condition) if isinstance(node, Access)} == {"idx"}


@NEEDS_PET
def test_arithmetic_keeps_its_types() -> None:
    """Integers of 32 bits, signed, have -32; numbers have 0. Casts are spelled as in C."""
    scop, _ = seen(function_of("x[0] = 1 / 2 * y[0] + (int)y[1] / 2 + (float)(m / 2) + m / 2.5f + (unsigned int)y[2];"))
    found = list(nodes(scop.statements[0].body))
    assert [(n.type, n.bits) for n in found if isinstance(n, Cast)] == [
        ("int", -32),
        ("float", 0),
        ("unsigned int", 32),
    ]
    assert [n.bits for n in found if isinstance(n, Operation) and n.op == "div"] == [-32, -32, 0]
    assert [n.text for n in found if isinstance(n, Number) and n.bits == 0] == ["2.5f"]


@NEEDS_PET
def test_loops_may_use_a_name_again() -> None:
    scop, _ = seen(function_of("for (int i = 0; i < n; i++) { for (int i = 0; i < m; i++) x[i] += i; x[i] = i; }"))
    assert [s.domain.dim(isl.dim_type.set) for s in scop.statements] == [2, 1]


@NEEDS_PET
def test_truth_values_are_sizes_of_two_values() -> None:
    scop, _ = seen(function_of("if (b) x[0] = 1;", "_Bool b, double *x"))
    assert scop.context == isl.Set("[b] -> { : 0 <= b <= 1 }")


@NEEDS_PET
def test_labels_name_statements() -> None:
    scop, _ = seen(function_of("for (int i = 0; i < n; i++) upd: x[i] = 1;"))
    assert [s.name for s in scop.statements] == ["upd"]


@NEEDS_PET
def test_a_worker_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import subprocess, time\nsubprocess.Popen(['sleep', '60'])\ntime.sleep(60)\n")
    monkeypatch.setattr(ask_pet, "_WORKER", slow)
    start = time.monotonic()
    problem = refused(function_of("x[0] = 1;"), time_limit=0.5)
    assert time.monotonic() - start < 20
    assert problem.construct == "time limit"
    assert "stopped after 0.5 s" in str(problem)


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("os.kill(os.getpid(), 11)", "ran out of stack"),
        ("os.abort()", "ended with status -6"),
        ("os.kill(os.getpid(), 9)", "was killed while it read this loop nest"),
        ("print(1 / 0)", "Zero"),
    ],
)
@NEEDS_PET
def test_a_worker_that_dies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, does: str, words: str) -> None:
    dying = tmp_path / "dying.py"
    dying.write_text(f"import os, resource\nresource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n{does}\n")
    monkeypatch.setattr(ask_pet, "_WORKER", dying)
    assert words in str(refused(function_of("x[0] = 1;")))


def test_no_time_at_all(tmp_path: Path) -> None:
    (tmp_path / "nest.c").write_text(function_of("x[0] = 1;"))
    with pytest.raises(ExtractionError, match="a positive number of seconds"):
        extract(tmp_path / "nest.c", time_limit=0)


@NEEDS_PET
def test_no_compiler_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    text = function_of("x[0] = m; /* #pragma scop */", before="#include <stddef.h> // void g() {\n#define K 3")
    scop, function = seen(text)
    assert [s.line for s in scop.statements] == [7]
    assert [p.name for p in function.parameters] == ["n", "m", "x", "y", "idx"]


def test_a_folder_without_libpet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POLYAD_PET", str(tmp_path))
    with pytest.raises(ExtractionError, match=r"no libpet in this folder; pip install 'polyad\[pet\]'"):
        library.find_pet()
    assert describe_pet()[0] == ""
    assert "POLYAD_PET" in describe_pet()[1]


def test_a_folder_with_another_libpet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "libpet.so").write_text("no library")
    monkeypatch.setenv("POLYAD_PET", str(tmp_path))
    found, problem = describe_pet()
    assert found == ""
    assert f"reads loop nests in C, but {tmp_path}, from POLYAD_PET does not" in problem


def test_no_libpet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLYAD_PET", raising=False)
    monkeypatch.setattr(library, "_WHEEL", "polyad_no_such_wheel")
    with pytest.raises(ExtractionError, match=r"pip install 'polyad\[pet\]' brings it for x86-64 Linux"):
        library.find_pet()


@NEEDS_PET
def test_another_libpet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the wheel, named by hand: without the headers beside it."""
    folder = library.find_pet().folder
    monkeypatch.setenv("POLYAD_PET", str(folder))
    assert library.find_pet().headers is None
    assert seen(function_of("x[0] = 1;"))[0].statements


def test_a_libpet_that_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "libpet.so").write_text("nothing that can be loaded")
    (tmp_path / "libisl.so").write_text("neither")
    monkeypatch.setenv("POLYAD_PET", str(tmp_path))
    problem = refused(function_of("x[0] = 1;"))
    assert problem.construct == "pet"
    assert "cannot be loaded" in str(problem)
    assert "Traceback" not in str(problem)


@NEEDS_PET
def test_a_temporary_folder_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/no/such/folder")
    assert seen(function_of("x[0] = 1;"))[0].statements


@NEEDS_PET
@pytest.mark.parametrize("terms", [420, 1500])
def test_expressions_that_nest_too_deeply(terms: int) -> None:
    problem = refused(function_of(f"x[0] = {' + '.join(['y[0]'] * terms)};"))
    assert problem.construct == "expression"
    assert problem.line == 5
    assert "variables of their own" in str(problem)


@NEEDS_PET
@pytest.mark.parametrize("macro", ["1x=2", "a b=2", "", 3])
def test_macros_that_are_none(macro: object) -> None:
    problem = refused_anywhere(define=[macro])
    assert f"define={macro!r}: expected NAME or NAME=VALUE" in problem


@NEEDS_PET
@pytest.mark.parametrize("scop", ["0", 0.0, True])
def test_numbers_of_loop_nests_that_are_none(scop: object) -> None:
    assert f"scop={scop!r}: expected which loop nest" in refused_anywhere(scop=scop)


@NEEDS_PET
def test_one_folder_and_one_macro(tmp_path: Path) -> None:
    (tmp_path / "nest.h").write_text("#define TWO (VALUE)\n")
    scop, _ = seen(function_of("x[0] = TWO;", before='#include "nest.h"'), include=tmp_path, define="VALUE=2")
    assert scop.statements


def refused_anywhere(**options: object) -> str:
    with pytest.raises(ExtractionError) as caught:
        seen(function_of("x[0] = 1;"), **options)  # type: ignore[arg-type]
    return str(caught.value)


@NEEDS_PET
def test_what_inlined_functions_return_is_kept_apart() -> None:
    """pet calls what `sq(y[0])` gives and what `sq(v)` gives inside of `chain` by one name, at the same time."""
    before = """static inline double sq(double v) { return v * v; }
    static inline double chain(double v) { double a = sq(v), b = 2; return sq(a) + b; }"""
    text = function_of("y[0] = chain(x[0]) + sq(y[0]);", before=before)
    assert text.count("\n") == 9
    scop, function = seen(text)
    after = replay(scop, function, {"n": 1, "m": 1, "x": np.array([3.0]), "y": np.array([5.0]), "idx": np.array([0])})
    assert after["y"] == [3.0**4 + 2 + 25]
