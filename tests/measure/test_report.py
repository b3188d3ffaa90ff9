"""`python -m polyad.machine`: a table, a line on how to use it, and status 1 where nothing can be measured or kept."""

import subprocess
import sys
from pathlib import Path

import pytest

import polyad as pa
from polyad.errors import CompileError
from polyad.machine import MACHINE
from polyad.measure import report
from polyad.measure.report import main, table
from polyad.runtime.compiler import Compiler

NUMBERS = {"cache": 1 << 19, "outgrown": 1 << 20, "shared_cache": 3 << 19, "division": 3, "exp": 12}


def test_the_table_has_a_line_for_each_number() -> None:
    assert table(NUMBERS).splitlines()[:6] == [
        "number                default  measured  what it means",
        "cache                   1 MiB   512 KiB  bytes found again in a core's cache: half of the second level",
        "outgrown                2 MiB     1 MiB  bytes gone from that cache before it is used again: all of it",
        "shared_cache           16 MiB   1.5 MiB  bytes found again by all cores: half of the last level",
        "division                    4         3  additions as long as a division, both in vectors",
        "exp                        20        12  additions as long as an exp, both in vectors",
    ]
    assert "thread_start          200 000         -  " in table(NUMBERS)
    assert "the default stands" in table(NUMBERS)
    everything = {**NUMBERS, "thread_start": 1e5, "thread_meeting": 1e4, "shared_contraction": 5e5}
    assert "the default stands" not in table(everything)


def test_measured_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(report, "measure", lambda compiler: NUMBERS)
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert "polyad.Target(machine=polyad.measured_machine())" in printed and str(tmp_path) in printed
    assert pa.measured_machine().exp == 12 and pa.measured_machine().thread_start == MACHINE.thread_start


def test_as_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler there is one line of message, and no traceback."""
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    command = [sys.executable, "-m", "polyad.machine"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and not done.stdout
    assert done.stderr.startswith("polyad: no C compiler was found") and done.stderr.count("\n") == 1
    assert (
        "usage: python -m polyad.machine"
        in subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    )


def test_what_does_not_compile_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def measure(compiler: Compiler) -> dict[str, float]:
        raise CompileError("the C compiler failed\n  gcc measure.c")

    monkeypatch.setattr(report, "measure", measure)
    assert main([]) == 1
    assert capsys.readouterr().err == "polyad: the C compiler failed gcc measure.c\n"


@pytest.mark.filterwarnings("ignore:the cache directory:RuntimeWarning")
def test_what_cannot_be_kept_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(report, "measure", lambda compiler: NUMBERS)
    assert main([]) == 1
    told = capsys.readouterr()
    assert "512 KiB" in told.out and "not kept" in told.err
