"""`python -m benchmarks c`: each function of its table is a case of the tests, and a row is what was measured."""

import pytest

from benchmarks import c_programs
from benchmarks.c_programs import SIZES, main
from tests.pet.corpus import CASES
from tests.pet.extracted import NEEDS_PET


def test_functions_are_cases_with_their_sizes() -> None:
    for name, sizes in SIZES.items():
        assert CASES[name].sizes.keys() == sizes.keys()


def test_unknown_names_are_wrong_usage() -> None:
    with pytest.raises(SystemExit):
        main(["gem"])


@NEEDS_PET
@pytest.mark.slow
def test_a_row(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_programs, "SIZES", {"trisolv": {"n": 20}})
    assert main(["trisolv", "--rounds", "1"]) == 0
    heading, row, last = capsys.readouterr().out.splitlines()
    assert heading.split()[0] == "function" and row.split()[0] == "trisolv" and len(row.split()) == 5
    assert all(float(number) > 0 for number in row.split()[1:]) and last.startswith("gradient over C: median")
