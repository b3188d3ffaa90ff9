"""`python -m benchmarks c`: each function of its table is a case of the tests, and who is timed is compared before."""

import importlib.util
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks import c_programs
from benchmarks.c_functions import function, row
from benchmarks.c_functions.enzyme import Gradient
from benchmarks.c_functions.function import function_named
from benchmarks.c_functions.own import Own
from benchmarks.c_functions.plain import Plain
from benchmarks.c_functions.sizes import SIZES
from benchmarks.c_functions.table import HEADING, REASONS, Row, row_text, summary
from tests.export.conftest import needs
from tests.pet.corpus import CASES
from tests.pet.extracted import NEEDS_PET

TINY = {"trisolv": {"n": 20}, "gemm": {"n": 4, "m": 5, "k": 6}, "three_mm": {"N": 4, "M": 6, "K": 5, "L": 7}}
NEEDS_ENZYME = pytest.mark.skipif(importlib.util.find_spec("enzyme_ad") is None, reason="Enzyme is not installed")


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(function, "SIZES", TINY)


def test_functions_are_cases_with_their_sizes() -> None:
    for name, sizes in SIZES.items():
        macros = re.findall(r"^#define (\w+) \d+$", CASES[name].path.read_text(), re.MULTILINE)
        assert sizes.keys() == (CASES[name].sizes.keys() or set(macros))


def test_extents_that_are_macros_are_replaced() -> None:
    made = function_named("three_mm")
    assert "#define M 6\n" in made.text and "#define M 4\n" not in made.text
    assert made.given["B"].shape == (5, 6)


def test_unknown_names_are_wrong_usage() -> None:
    with pytest.raises(SystemExit):
        c_programs.main(["gem"])


def test_what_is_not_installed_is_left_out(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def measured(name: str, threads: int, rounds: int, peers: list[str]) -> Row:
        asked.append((name, threads, list(peers)))
        return Row(name, 2.0, 1.0, 4.0, None, 80, 40)

    monkeypatch.setattr(c_programs, "_measured", measured)
    monkeypatch.setattr(c_programs, "installed", lambda library: False)
    assert c_programs.main(["gemm", "--threads", "2"]) == 0
    first, heading, line, last = capsys.readouterr().out.splitlines()
    assert first.startswith("Enzyme is not installed") and heading == HEADING
    assert line.split() == ["gemm", "2.000", "0.50", "2.00", "0.50"]
    assert last == "gradient over C: median 2.00, least 2.00, greatest 2.00, of 1"
    assert asked == [("gemm", 2, [])]


def test_a_function_that_enzyme_fails_on_is_timed_without(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(c_programs, "installed", lambda library: True)
    monkeypatch.setattr(
        c_programs,
        "_measured",
        lambda name, threads, rounds, peers: None if peers else Row(name, 2.0, 1.0, 4.0, None, 80, 40),
    )
    assert c_programs.main(["gemm"]) == 1
    assert "gemm" in capsys.readouterr().out


def test_what_takes_long_is_explained() -> None:
    fast, slow = Row("adi", 2.0, 1.0, 4.0, 5.0, 80, 40), Row("adi", 2.0, 1.0, 4.0, 3.0, 80, 40)
    assert len(row_text(fast).splitlines()) == 1
    assert row_text(slow).splitlines()[1].strip().startswith("adjoints of all steps")
    assert "no reason is known" in row_text(Row("gemm", 1.0, 1.0, 9.0, None, 80, 40))
    assert REASONS.keys() <= SIZES.keys()


def test_medians() -> None:
    rows = [Row("a", 1.0, 1.0, 2.0, 4.0, 8, 8), Row("b", 1.0, 1.0, 6.0, None, 8, 8), Row("c", 1.0, 1.0, 3.0, 1.0, 8, 8)]
    assert summary(rows) == [
        "gradient over C: median 3.00, least 2.00, greatest 6.00, of 3",
        "gradient over Enzyme's: median 1.75, least 0.50, greatest 3.00, of 2",
    ]
    assert row_text(rows[0]).split() == ["a", "1.000", "1.00", "2.00", "0.50", "1.00"]


@NEEDS_PET
@needs("cc")
@pytest.mark.slow
def test_a_row() -> None:
    found = row.measure("trisolv", 1, 1, [])
    assert found.c > 0 and found.value > 0 and found.gradient > 0 and found.enzyme is None
    assert found.arrays == 8 * (20 * 20 + 2 * 20)


@NEEDS_PET
@NEEDS_ENZYME
@needs("cc")
@pytest.mark.slow
@pytest.mark.parametrize("name", TINY)
def test_enzyme_gives_the_gradients_of_polyad(name: str, tmp_path: Path) -> None:
    made = function_named(name)
    enzyme, own = Gradient(made), Own(made, tmp_path, 1, gradient=True)
    for _ in range(2):  # what is overwritten is put back
        enzyme()
        own()
        assert enzyme.gradients.keys() == set(made.case.wrt)
        for n, array in enzyme.gradients.items():
            np.testing.assert_allclose(array.ravel(), own.results[f"{n}_bar"].ravel(), rtol=1e-9, err_msg=n)


@needs("cc")
def test_differences_say_whose_gradient_is_wrong(tmp_path: Path) -> None:
    made = function_named("gemm")
    plain = Plain(made, tmp_path)
    right = {"A": made.given["alpha"] * np.ones((4, 5)) @ made.given["B"].T}
    only_a = SimpleNamespace(case=SimpleNamespace(wrt=("A",)), given=made.given)
    wrong = {"A": 1.5 * right["A"]}

    def compared(enzyme: dict[str, Any], own: dict[str, Any]) -> str:
        return row._compare_gradients(only_a, plain, enzyme, {"A_bar": own["A"]})  # type: ignore[arg-type]

    assert compared(right, right) == ""
    assert compared(wrong, right).startswith("Enzyme's gradient is wrong")
    with pytest.raises(ArithmeticError, match="A_bar of Enzyme and of polyad differ"):
        compared(right, wrong)
    with pytest.raises(ArithmeticError):
        compared({"A": np.full((4, 6), np.nan)}, wrong)


@NEEDS_PET
@needs("cc")
@pytest.mark.slow
def test_values_that_differ_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plain, "__call__", lambda self: self.values["x"].fill(7.0))
    with pytest.raises(ArithmeticError, match="x of polyad and of C"):
        row.measure("trisolv", 1, 1, [])
