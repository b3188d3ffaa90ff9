"""Tools run under a time limit, and nothing of them is left when it is over."""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from polyad.errors import CallError, CompileError
from polyad.runtime.run_tool import TIME_LIMIT, run_tool, scratch_directory, time_limit


def test_what_it_printed(tmp_path: Path) -> None:
    assert run_tool(["sh", "-c", "echo out; echo err >&2; pwd"], tmp_path) == f"out\nerr\n{tmp_path}"


def test_failures_carry_command_and_output() -> None:
    with pytest.raises(CompileError, match="status 3") as caught:
        run_tool(["sh", "-c", "echo no; exit 3"])
    assert caught.value.output == "no"
    assert caught.value.command == "sh -c 'echo no; exit 3'"
    for command in (["no-such-tool"], ["sh", "-c", "a\0b"]):
        with pytest.raises(CompileError, match="could not run"):
            run_tool(command)


@pytest.mark.parametrize(("text", "seconds"), [("", TIME_LIMIT), ("2.5", 2.5), ("0", None), (" 7 ", 7.0)])
def test_the_limit_is_the_users(monkeypatch: pytest.MonkeyPatch, text: str, seconds: float | None) -> None:
    monkeypatch.setenv("POLYAD_COMPILE_TIMEOUT", text)
    assert time_limit() == seconds


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "inf"])
def test_wrong_limits_are_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("POLYAD_COMPILE_TIMEOUT", text)
    with pytest.raises(CallError, match=r"POLYAD_COMPILE_TIMEOUT.*expected a number of seconds"):
        run_tool(["true"])


# gcc starts cc1: what has to go is the child of the child. It tells its number and then never ends.
HANGS = 'echo started; sh -c "echo \\$\\$ > $0; exec sleep 1000" & wait'


def ends(pid: int) -> bool:
    """Whether a process that was killed is gone; the system takes a moment."""
    for _ in range(500):
        listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
        if not listed.stdout.strip() or listed.stdout.startswith("Z"):
            return True
        time.sleep(0.01)
    return False


def test_a_compiler_that_hangs_is_stopped_with_its_children(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POLYAD_COMPILE_TIMEOUT", "0.5")
    with pytest.raises(CompileError, match=r"(?s)stopped after 0.5 s.*set POLYAD_COMPILE_TIMEOUT to more") as caught:
        run_tool(["sh", "-c", HANGS, str(tmp_path / "pid")])
    assert caught.value.output == "started"
    assert ends(int((tmp_path / "pid").read_text()))


def test_an_interrupted_compiler_is_stopped_with_its_children(tmp_path: Path) -> None:
    pid = tmp_path / "pid"

    def interrupt() -> None:
        while not pid.exists() or not pid.read_text().endswith("\n"):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    # A shell starts what it puts into the background with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            run_tool(["sh", "-c", HANGS, str(pid)])
    finally:
        signal.signal(signal.SIGINT, before)
    thread.join()
    assert ends(int(pid.read_text()))


def test_no_room_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="set TMPDIR"), scratch_directory() as folder:
        (folder / ("x" * 300)).write_text("")
    assert not folder.exists()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    with pytest.raises(CompileError, match="set TMPDIR"), scratch_directory():
        pass
