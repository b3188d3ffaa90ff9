"""Programs that `python -m benchmarks compile` compiles; what it costs is for the benchmark to say."""

import runpy
from pathlib import Path

import pytest

from benchmarks import compile_cost
from benchmarks.compile_definitions import DEFINITIONS


def test_there_are_twenty_three_definitions() -> None:
    assert len(DEFINITIONS) == 23


def test_the_file_is_run_with_any_polyad() -> None:
    """It is read by path, and imports nothing of this project but polyad."""
    text = compile_cost.DEFINITIONS_FILE.read_text(encoding="utf-8")
    assert "benchmarks" not in text.split('"""', 2)[2]
    assert set(runpy.run_path(str(compile_cost.DEFINITIONS_FILE))["DEFINITIONS"]) == set(DEFINITIONS)


@pytest.mark.slow
def test_python_and_the_compiler_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    python, compiler = compile_cost.measure(Path(compile_cost.ROOT), "square")
    assert python > 0 and compiler > 0, "without a compiler running there would be no time of children"


def test_a_name_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        compile_cost.main(["nothing"])
    assert "no definition 'nothing'" in capsys.readouterr().err
