"""Extents that are products and sums of sizes, calls that callers speak of, and `switch`."""

from __future__ import annotations

from math import prod
from pathlib import Path

import numpy as np
import pytest

from polyad.cli import main
from polyad.errors import CallError, ExtractionError
from polyad.pet.c_program import from_c
from polyad.pet.checked.polynomials import Monomial, Polynomial
from polyad.pet.checked.sums_of_sizes import in_sums, sums_in, written_out
from polyad.pet.derived import Derived, factors_of, size_of
from tests.pet.extracted import NEEDS_PET
from tests.pet.style import STYLES

SIZES = ("n", "m", "k")


def value(polynomial: Polynomial, sizes: dict[str, int], others: list[int]) -> int:
    """The number that a polynomial is, with sums as sizes."""

    def size(name: str) -> int:
        return sum(f * prod(sizes[s] for s in names) for names, f in factors_of(name).items())

    return sum(f * prod(map(size, m.sizes)) * prod(others[i] for i in m.others) for m, f in polynomial.items())


def times(one: Polynomial, other: Polynomial) -> Polynomial:
    found: dict[Monomial, int] = {}
    for a, f in one.items():
        for b, g in other.items():
            found[a * b] = found.get(a * b, 0) + f * g
    return {m: f for m, f in found.items() if f}


@pytest.mark.parametrize("seed", range(40))
def test_polynomials_with_sums_are_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)

    def linear() -> Polynomial:
        terms = {Monomial((s,)): int(rng.integers(-2, 3)) for s in SIZES}
        return {m: f for m, f in {Monomial(): int(rng.integers(-3, 4)), **terms}.items() if f}

    inner, outer = linear(), linear()
    subscript: dict[Monomial, int] = {Monomial((), (1,)): 1}
    index = {Monomial((), (0,)): 1, **linear()}
    for product in (times(index, inner), times(times({Monomial((), (2,)): 1}, inner), outer)):
        for monomial, factor in product.items():
            subscript[monomial] = subscript.get(monomial, 0) + factor
    subscript = {m: f for m, f in subscript.items() if f}
    changed = in_sums(subscript, sums_in([subscript]))
    for _ in range(5):
        sizes = {s: int(v) for s, v in zip(SIZES, rng.integers(0, 9, len(SIZES)), strict=True)}
        others = [int(v) for v in rng.integers(0, 9, 3)]
        assert value(changed, sizes, others) == value(subscript, sizes, others)
        part = {m: f for m, f in linear().items() if not m.others}
        assert value(written_out(part), sizes, others) == value(part, sizes, others)


def test_rows_of_a_sum_are_found() -> None:
    i, n = Monomial((), (0,)), Monomial(("n",))
    rows = times({i: 1, Monomial(): -1, n: 1}, {n: 1, Monomial(): 2})  # (i - 1 + n) (n + 2)
    assert sums_in([rows]) == ["(2 + n)"]
    inside = Monomial(("(2 + n)",), (0,))
    assert in_sums(rows, ["(2 + n)"])[inside] == 1
    # n + 1 is less than a row, and no row less one.
    assert in_sums({n: 1, Monomial(): 1}, ["(2 + n)"]) == {n: 1, Monomial(): 1}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("n", (1, ("n",))),
        ("2 * n", (2, ("n",))),
        ("(n + 2)", (1, ("(2 + n)",))),
        ("2 * n + 4", (2, ("(2 + n)",))),
        ("n - 1", (1, ("(-1 + n)",))),
        ("m + n", (1, ("(m + n)",))),
        ("7", (7, ())),
        ("n * m", None),
        ("n / 2", None),
    ],
)
def test_extents_are_sums(text: str, found: tuple[int, tuple[str, ...]] | None) -> None:
    assert size_of(text) == found


def test_derived_numbers() -> None:
    assert Derived("*", ("(2 + n)", "m")).value({"n": 3, "m": 4}) == 20
    assert Derived("*", ("(2 + n)", "m")).names == ["m", "n"]
    assert Derived("/", ("n", "m")).value({"n": 6, "m": 4}) is None
    assert Derived("/", ("n", "m")).value({"n": 6, "m": 3}) == 2


def written(folder: Path, text: str) -> Path:
    path = folder / "text.c"
    path.write_text(text)
    return path


@NEEDS_PET
def test_sizes_at_which_subscripts_leave_their_rows_are_refused(tmp_path: Path) -> None:
    made = from_c(
        written(
            tmp_path,
            "void f(int n, int m, int k, const double *x, double *y)\n{\n    for (int i = 0; i < n; i++)\n"
            "        for (int j = 0; j < k; j++)\n            y[i * m + j] = x[j];\n}\n",
        )
    )
    given = {"n": 2, "m": 3, "x": np.arange(2.0), "y": np.zeros(6)}
    np.testing.assert_array_equal(made(k=2, **given)["y"], [0, 1, 0, 0, 1, 0])
    with pytest.raises(CallError, match="k <= m"):
        made(k=4, **{**given, "x": np.arange(4.0)})


@NEEDS_PET
def test_rows_that_overlap_in_all_calls_are_refused(tmp_path: Path) -> None:
    """Windows that begin at each element: there are no rows of one."""
    text = "    for (int i = 0; i < n; i++)\n        for (int j = 0; j <= m; j++)\n            y[i * m + j] += x[j];\n"
    with pytest.raises(ExtractionError, match="what its dimensions are cannot be proved"):
        from_c(written(tmp_path, f"void f(int n, int m, const double *x, double *y)\n{{\n{text}}}\n"))


@NEEDS_PET
def test_products_come_from_sizes_or_from_arrays() -> None:
    made = from_c(STYLES / "all_cells.c")
    x, s = np.arange(12.0), np.ones(12)
    np.testing.assert_array_equal(made(N=1, M=2, x=x, s=s, dt=2.0)["x"], x + 2)
    np.testing.assert_array_equal(made(x=x, s=s, dt=2.0)["x"], x + 2)
    with pytest.raises(CallError, match="must be N_M = 20"):
        made(N=2, M=3, x=x, s=s, dt=2.0)


@NEEDS_PET
def test_calls_that_nobody_speaks_of_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "".join(
        line
        for line in (STYLES / "thomas.c").read_text().splitlines(keepends=True)
        if not line.startswith("#pragma polyad")
    )
    path = written(tmp_path, text)
    with pytest.raises(ExtractionError, match="#pragma polyad ignore"):
        from_c(path, "thomas")
    made = from_c(path, "thomas", memory="numbers", ignore=["fail", "give_back"])
    assert made.outputs == ("u",)
    options = ["grad", str(path), "--function", "thomas", "--of", "u", "--wrt", "r", "-o", str(tmp_path)]
    assert main([*options, "--source-only", "--memory", "numbers", "--ignore", "fail,give_back"]) == 0
    assert "thomas_grad.c" in capsys.readouterr().out
    with pytest.raises(ExtractionError, match="ignore: '1x' is no name"):
        from_c(path, "thomas", ignore="1x")
    with pytest.raises(ExtractionError, match=r"memory=3: expected a name"):
        from_c(path, "thomas", memory=3)  # type: ignore[arg-type]


@NEEDS_PET
def test_a_break_under_a_condition_leaves_a_switch(tmp_path: Path) -> None:
    text = "    for (int i = 0; i < n; i++) switch (i) { case 0: if (x[i] > 0) break; x[i] = 1; }\n"
    with pytest.raises(ExtractionError, match=r"text\.c:3: `switch`"):
        from_c(written(tmp_path, f"void f(int n, double *x)\n{{\n{text}}}\n"))
