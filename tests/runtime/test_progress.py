"""Progress: logging, and on a terminal one line, say what is waited for."""

import io
import logging
import re
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import polyad as pa
from polyad.runtime import progress
from polyad.runtime.progress import announced, count_statements, stage


class Terminal(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        count = super().write(text)
        self.written.set()
        return count


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    out = Terminal()
    # Not in `sys`, whose streams pytest sets anew between the fixtures and the test.
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=out))
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    return out


def test_a_long_compilation_is_told_on_a_terminal(terminal: Terminal) -> None:
    with announced("lstm"):
        assert terminal.written.wait(10)
        assert terminal.getvalue() == "polyad: compiling lstm ..."
        with stage("lstm", "scheduling"):
            pass
        with stage("lstm", "certifying"):
            pass
        with stage("lstm", "compiling C", "compiling lstm.c with cc"):
            pass
    assert "\n" not in terminal.getvalue()
    assert shown(terminal) == [
        "polyad: compiling lstm ...",
        "polyad: compiling lstm: scheduling (2 of 4) ...",
        "polyad: compiling lstm: certifying ...",
        "polyad: compiling lstm: compiling C (4 of 4) ...",
        "",
    ]


def shown(terminal: Terminal) -> list[str]:
    """Return the texts of the line, one after the other; each was erased by as many spaces."""
    texts = terminal.getvalue().split("\r")
    for before, spaces in zip(texts[0::2], texts[1::2], strict=False):
        assert spaces == " " * len(before)
    return texts[0::2]


def test_functions_are_traced_first(terminal: Terminal) -> None:
    with announced("lstm", traced=True):
        assert terminal.written.wait(10)
        with stage("lstm", "tracing"):
            pass
    assert shown(terminal)[1] == "polyad: compiling lstm: tracing (1 of 5) ..."


def test_a_long_name_stays_in_one_line(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    with announced("name_" * 20):
        assert terminal.written.wait(10)
    assert [len(text) for text in shown(terminal)] == [29, 0]


def test_many_statements_are_said_to_be_a_loop(terminal: Terminal, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "polyad"), announced("unrolled"):
        assert terminal.written.wait(10)
        count_statements("unrolled", 3000)
    hint = "; it has 3000 statements: a Python loop that repeats a step is one statement as pa.scan"
    assert terminal.getvalue().endswith(f" s{hint}\n") and f"unrolled{hint}" in caplog.messages
    terminal.written.clear()
    with announced("short"):
        assert terminal.written.wait(10)
        count_statements("short", 30)
    assert terminal.getvalue().splitlines()[-1].strip() == ""


def test_the_outermost_compilation_is_told(terminal: Terminal) -> None:
    with announced("outer"):
        with announced("inner"):
            assert terminal.written.wait(10)
        assert "inner" not in terminal.getvalue() and "\n" not in terminal.getvalue()
    assert terminal.getvalue().count("outer") == 1


def test_one_that_fails_erases_its_line(terminal: Terminal) -> None:
    with pytest.raises(ZeroDivisionError), announced("lstm"):
        assert 1 / (not terminal.written.wait(10))
    assert shown(terminal) == ["polyad: compiling lstm ...", ""]


def test_a_quick_one_is_not_told(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    with announced("lstm"):
        pass
    assert terminal.getvalue() == ""
    assert not [t for t in threading.enumerate() if isinstance(t, threading.Timer) and not t.finished.is_set()]


@pytest.mark.parametrize("closed", [False, True])
def test_nothing_is_printed_elsewhere(closed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    out = io.StringIO()
    if closed:
        out.close()
    for stream in (out, None):
        monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stream))
        before = threading.active_count()
        with announced("lstm"):
            assert threading.active_count() == before
    if not closed:
        assert out.getvalue() == ""


def test_stages_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "polyad")
    with pytest.raises(ValueError, match="no"), stage("lstm", "scheduling"):
        raise ValueError("no")
    with stage("lstm", "scheduling"):
        pass
    texts = [r.getMessage() for r in caplog.records]
    assert re.fullmatch(r"lstm: scheduling failed after \d\.\d{3} s", texts[0])
    assert re.fullmatch(r"lstm: scheduling took \d\.\d{3} s", texts[1])


def test_a_compilation_is_logged_stage_by_stage(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    caplog.set_level(logging.DEBUG, "polyad")

    def compiled() -> list[str]:
        caplog.clear()
        pa.jit(told, target=pa.Target("c", optimize=0))(np.ones(3))
        levels = {r.levelname: [] for r in caplog.records}  # type: ignore[var-annotated]
        for r in caplog.records:
            levels[r.levelname].append(re.sub(r"\d+\.\d+", "T", r.getMessage()))
        assert levels["INFO"] == ["compiled told after T s"]
        return levels["DEBUG"]

    stages = ["tracing", "simplifying", "scheduling", "generating C"]
    first = compiled()
    assert first[:4] == [f"told: {name} took T s" for name in stages]
    assert any("compiling told.c with" in text for text in first) and any("linking told.so" in text for text in first)
    assert compiled() == [
        "told: tracing took T s",
        "told: the C comes from the cache",
        "told: the library comes from the cache",
    ]


def told(v):  # type: ignore[no-untyped-def]
    return v * 2.75


def test_nobody_is_told_who_did_not_ask(capfd: pytest.CaptureFixture[str]) -> None:
    with announced("lstm"), stage("lstm", "scheduling"):
        pass
    progress.LOG.warning("no handler of last resort")
    assert capfd.readouterr() == ("", "")
