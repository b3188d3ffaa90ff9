from pathlib import Path

import pytest

from polyad.inspect.doctor import Finding, can_run, diagnose, report
from polyad.runtime import compiler as compiler_module
from polyad.runtime.compiler import describe_compiler


@pytest.fixture(autouse=True)
def fresh_answers():  # type: ignore[no-untyped-def]
    """Compilers come and go in these tests, so nothing is remembered from one to the next."""
    compiler_module._find.cache_clear()
    describe_compiler.cache_clear()
    yield
    compiler_module._find.cache_clear()
    describe_compiler.cache_clear()


def find(what: str) -> Finding:
    (found,) = [f for f in diagnose() if f.what == what]
    return found


def test_what_is_missing_says_how_to_get_it() -> None:
    for finding in diagnose():
        assert finding.found or finding.cure, finding.what


def test_the_report_has_a_verdict() -> None:
    good = [Finding("polyad", "1.0"), Finding("torch", "", "pip install torch")]
    assert report(good) == (
        "ok      polyad  1.0\nabsent  torch   not found\n                -> pip install torch\n\n"
        "polyad can run kernels here\n"
    )
    assert report([Finding("C compiler", "", "install gcc", needed=True)]).endswith(
        "polyad cannot run kernels here: C compiler\n"
    )


def test_no_compiler_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = find("C compiler")
    assert found.mark == "missing"
    assert "apt install gcc" in found.cure
    assert find("cmake").mark == "absent"


def test_a_compiler_without_openmp_is_explained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = compiler_module.find_compiler().command[0]
    lame = tmp_path / "lame-cc"
    lame.write_text(f'#!/bin/sh\nfor a in "$@"; do [ "$a" = -fopenmp ] && exit 1; done\nexec {real} "$@"\n')
    lame.chmod(0o755)
    monkeypatch.setenv("CC", str(lame))
    assert find("OpenMP").mark == "absent"
    assert "libomp" in find("OpenMP").cure
    assert "no OpenMP; from CC" in find("C compiler").found


def test_a_compiler_for_another_machine_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = compiler_module.find_compiler().command[0]
    made = 'while [ $# -gt 1 ]; do [ "$1" = -o ] && case "$2" in *.so) printf elsewhere > "$2";; esac; shift; done'
    cross = tmp_path / "cross-cc"
    cross.write_text(f'#!/bin/sh\n{real} "$@" || exit 1\n{made}\n')
    cross.chmod(0o755)
    assert find("compiled code").mark == "ok"
    monkeypatch.setenv("CC", str(cross))
    found = find("compiled code")
    assert found.mark == "missing"
    assert "for this machine? Set CC" in found.cure
    assert not can_run([found])


@pytest.mark.filterwarnings("ignore:the cache directory:RuntimeWarning")
def test_a_cache_that_cannot_be_written_is_explained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert "set POLYAD_CACHE_DIR" in find("cache").cure
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    assert str(tmp_path / "cache") in find("cache").found


def test_threads_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert find("threads").found.startswith("3 (OMP_NUM_THREADS)")
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert "one a core" in find("threads").found
