"""Statements and loops as people write them become those that pet reads: on the function's tree, printed once."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

from polyad.pet.c_program import from_c
from polyad.pet.c_text.definitions import read_c_text
from polyad.pet.c_text.parse import parse_definition
from polyad.pet.c_tree.closed_forms import atom, closed_form, number
from polyad.pet.c_tree.plain_function import plain_function
from polyad.pet.c_tree.printed import expression_text
from tests.pet.extracted import NEEDS_PET, function_of, refused
from tests.pet.random_statements import both, random_body
from tests.pet.style import STYLES

HEAD = "#include <stddef.h>\ndouble f(int n, int m, double *x, double *y, int *p, unsigned u)\n{\n"


def rewritten(folder: Path, body: str, head: str = HEAD) -> str | None:
    """The body of a function as it is printed, None where it stays as it was."""
    path = folder / "text.c"
    path.write_text(f"{head}{body}\n}}\n")
    text = read_c_text(path)
    found = plain_function(path.read_text(), text, text.functions["f"])
    if found is None:
        return None
    path.write_text(found.source)
    assert found.holds(read_c_text(path))
    inside = found.source[found.source.index("{") + 1 : found.source.rindex("}")]
    return " ".join(inside.split())


EFFECTS = {
    "x[m--] = y[++n];": "int m_left = m; int n_left = n; n_left = n + 1; x[m] = y[n + 1]; m_left = m - 1;",
    "x[0] = y[n - 1] = 2 * y[0];": "y[n - 1] = 2 * y[0]; x[0] = y[n - 1];",
    "x[0] = x[1] += 3;": None,
    "if (n > 2) x[0] = x[1] = 3;": "if (n > 2) { x[1] = 3; x[0] = x[1]; }",
    "x[0] = y[1], y[n] = 2; x[1] = 1;": "x[0] = y[1]; y[n] = 2; x[1] = 1;",
    "double d; if ((d = x[n]) > 0) y[0] = d;": "double d; d = x[n]; if (d > 0) { y[0] = d; }",
    "double a = 1, b; x[0] = a;": None,
    "int k = 0; y[0] = n ? x[k++] : 0;": "int k = 0; if (n) { y[0] = x[0]; k = 0 + 1; } else { y[0] = 0; }",
    "double s = 0, d; s += (d = x[0]) * 2;": "double s = 0; double d; d = x[0]; s += d * 2;",
    "double a, b = 2; a = b = b + 1;": "double a; double b = 2; b = b + 1; a = b;",
    "int k = 0; return x[k++];": "int k = 0; k = 0 + 1; return x[1 - 1];",
}
"""Body -> its statements, None where they stay."""

OPEN = {
    "twice": "int k = 0; x[k] = y[k++];",
    "in its own value": "int k = 0; k = k++ + 1;",
    "two steps": "int k = 0; x[0] = y[k++] * y[k++];",
    "behind a condition": "int k = 0; if (n > 2 && x[k++] > 0) y[0] = 1;",
    "an element that is read": "x[x[0] > 1] = x[0] = 1;",
    "a float that is counted": "double d = 0.1; if (d++ > 0) x[0] = d;",
    "a pointer": "*x++ = 1;",
}
"""What C leaves open, or what has no place for a statement: it stays."""

LOOPS = {
    "for (int i = n; i-- > 0;) x[i] = 1;": (
        "{ int i = n; for (int turn = 0; turn < n; turn++) { i = (n - turn) - 1; x[(n - turn) - 1] = 1; } }"
    ),
    "int i = n; while (i > 0) { x[0] += i; i--; }": (
        "int i = n; for (int turn = 0; turn < n; turn++) { x[0] += n - turn; i--; }"
    ),
    "int i = n; while (x[0] > 0) { x[0] += i; i--; }": None,
    "int i = x[0]; while (i > 0) { x[0] += i; i--; }": None,
    "int i = 1; while (i < n) { x[i] = 1; i *= 2; }": None,
    "int i = 0; while (i < n) { if (i == 2) continue; x[0] += i; i++; }": None,
    "int i = 0; do x[i++] = 1; while (i < n);": (
        "int i = 0; for (int turn = 0; turn < ((n - 1) > 0 ? n - 1 : 0) + 1; turn++) { x[turn] = 1; i = turn + 1; }"
    ),
    "for (int i = 0; i < n && x[i] > 0; i++) y[i] = 1;": (
        "for (int i = 0; i < n; i++) { if (!(x[i] > 0)) { break; } y[i] = 1; }"
    ),
    "int k = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[k++] = 1;": (
        "int k = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) "
        "{ y[(i * m) + j] = 1; k = ((i * m) + j) + 1; } }"
    ),
    "int k = 0; for (int i = 0; i < n; i++) if (x[i] > 0) y[k++] = 1;": (
        "int k = 0; for (int i = 0; i < n; i++) { if (x[i] > 0) { y[k] = 1; k = k + 1; } }"
    ),
    "int k = 0; for (int i = 0; i < n; i++) { if (x[i] > 0) break; k++; y[k] = 1; } y[k] = 2;": (
        "int k = 0; for (int i = 0; i < n; i++) { if (x[i] > 0) { break; } k++; y[i + 1] = 1; } y[k] = 2;"
    ),
    "for (int i = 0, j = n - 1; i < j; i++, j--) x[i] = x[j];": (
        "{ int i = 0; int j = n - 1; for (int turn = 0; (2 * turn) < (n - 1); turn++) "
        "{ x[turn] = x[(n - turn) - 1]; i++; j--; } }"
    ),
}

RETURNS = {
    "for (int i = 0; i < n; i++) if (x[i] > 0) return i; return n;": (
        "int ended = 0; double value = 0; for (int i = 0; i < n; i++) { if (x[i] > 0) "
        "{ value = i; ended = 1; break; } } if (!ended) { value = n; ended = 1; } return value;"
    ),
    "if (n < 1) return 0; x[0] = 1; return x[0];": None,
}

BITS = {
    "x[0] = p[0] & 3;": "x[0] = (p[0] >= 0) ? (p[0] % 4) : (3 - (((-p[0]) - 1) % 4));",
    "x[0] = u >> 2;": "x[0] = u / 4;",
    "x[0] = (n > 2) & (m > 3);": "x[0] = (n > 2) && (m > 3);",
    "x[1 << 3] = 1;": "x[8] = 1;",
    "x[0] = p[0] & m;": None,
    "x[0] = ~u;": None,
}


@pytest.mark.parametrize(("body", "expected"), [*EFFECTS.items(), *LOOPS.items(), *RETURNS.items(), *BITS.items()])
def test_statements_become_those_that_pet_reads(tmp_path: Path, body: str, expected: str | None) -> None:
    found = rewritten(tmp_path, body)
    if expected is None:
        assert found is None
        return
    text = f"{HEAD}{expected}\n}}\n"
    path = tmp_path / "expected.c"
    path.write_text(text)
    there = read_c_text(path)
    body_text = expression_text(parse_definition(there, there.functions["f"]).body)
    path.write_text(f"{HEAD}{found}\n}}\n")
    there = read_c_text(path)
    assert expression_text(parse_definition(there, there.functions["f"]).body) == body_text


@pytest.mark.parametrize("body", OPEN.values(), ids=OPEN)
def test_what_c_leaves_open_stays(tmp_path: Path, body: str) -> None:
    assert rewritten(tmp_path, body) is None


def test_lines_keep_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "text.c"
    loop = "    for (int i = 0; i < n; i++)\n        x[k++] =\n            1;\n"
    body = f"    int k = 0;\n\n#pragma scop\n{loop}#pragma endscop\n"
    path.write_text(f"{HEAD}{body}    return\n 2;\n}}\nint last;\n")
    text = read_c_text(path)
    found = plain_function(path.read_text(), text, text.functions["f"])
    assert found is not None
    path.write_text(found.source)
    again = read_c_text(path)
    assert again.regions == text.regions
    assert again.functions["f"].last == text.functions["f"].last
    assert again.variables["last"].first == text.variables["last"].first
    lines = found.source.split("\n")
    assert "x[i] = 1" in lines[7] and "for (" in lines[6] and "return 2" in lines[10]


def test_macros_that_would_be_expanded_twice_leave_the_function_alone(tmp_path: Path) -> None:
    path = tmp_path / "text.c"
    path.write_text(f"double t(int k);\n#define t(k) t(k) + 1\n{HEAD}int k = 0; x[k++] = t(n);\n}}\n")
    text = read_c_text(path)
    found = plain_function(path.read_text(), text, text.functions["f"])
    assert found is not None
    path.write_text(found.source)
    assert not found.holds(read_c_text(path))


def test_polynomials() -> None:
    n, m = atom("n"), atom("m")
    product = (n + number(2)) * (m - n)
    assert product - n * m == m.times(2) - n.times(2) - n * n
    assert (n - n).constant == 0
    assert expression_text((n * m - number(3)).node()) == "(m * n) - 3"
    assert closed_form(None, {}) is None


@pytest.mark.slow
@NEEDS_PET
def test_small_integers_are_taken_as_they_are_by_an_exported_gradient(tmp_path: Path) -> None:
    made = from_c(STYLES / "pixels.c").grad("shown", "gain")
    made.export(tmp_path)
    n, rng = 9, np.random.default_rng(0)
    img, w = rng.integers(0, 256, n).astype(np.uint8), np.array([-7, 0, 3], np.int8)
    gain, shown, shown_bar = rng.normal(size=3), np.zeros(n), rng.normal(size=n)
    expected = made(n=n, img=img, w=w, gain=gain, shown=shown, shown_bar=shown_bar[: n - 1])["gain_bar"]
    library = ctypes.CDLL(str(next(tmp_path.glob("*.so"))))
    library.pixels_grad_workspace.restype = ctypes.c_size_t
    found, room = np.zeros(3), np.zeros(library.pixels_grad_workspace(n), np.uint8)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (img, w, gain, shown, shown_bar, found, room)]
    assert library.pixels_grad(n, *pointers) == 0
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@NEEDS_PET
def test_loops_without_a_bound_say_what_to_write() -> None:
    problem = refused(function_of("int i = 0; while (x[i] > 0) { x[i] = 1; i++; }"))
    assert "if (!(...)) break;" in str(problem)


@pytest.mark.parametrize("seed", range(150, 200))
@pytest.mark.quick_cases(15)
def test_random_functions_compute_the_same_as_they_are_and_as_printed(tmp_path: Path, seed: int) -> None:
    found = both(tmp_path, random_body(seed))
    assert found is None or found[0] == found[1]


@pytest.mark.parametrize("terms", [3, 3000])
def test_a_tree_belongs_to_who_asks_for_it(tmp_path: Path, terms: int) -> None:
    path = tmp_path / "text.c"
    path.write_text(f"double f(double x)\n{{\nreturn {' + '.join(['x'] * terms)};\n}}\n")
    text = read_c_text(path)
    first, second = (parse_definition(text, text.functions["f"]) for _ in range(2))
    first.decl.name, first.body.block_items[0].expr.op = "g", "-"
    for tree in (second, parse_definition(text, text.functions["f"])):
        assert (tree.decl.name, tree.body.block_items[0].expr.op) == ("f", "+")
        assert (tree.decl.coord.line, tree.body.block_items[0].coord.line) == (1, 3)
