"""A child may crash, hang, eat memory and print: the parent says so, and goes on."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from polyad.tuning.child import Child, FailedError, LostError
from tests.tuning import misbehaving

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def child() -> Iterator[Child]:
    made = Child()
    yield made
    made.close()


def test_calls_are_answered(child: Child) -> None:
    assert child.call(misbehaving.printed, [1, 2]) == [1, 2]
    large = bytes(3 << 20)
    assert child.call(misbehaving.printed, large, timeout=60.0) == large


def test_exceptions_come_back_by_name(child: Child) -> None:
    with pytest.raises(FailedError, match=r"negative dimensions|allocate|Unable") as caught:
        child.call(misbehaving.eat, 1 << 60)
    assert "Exception" in caught.value.kind
    assert child.call(misbehaving.printed, 3) == 3


def test_a_crash_is_told(child: Child) -> None:
    with pytest.raises(LostError, match="SIGSEGV"):
        child.call(misbehaving.crash)
    with pytest.raises(LostError):
        child.call(misbehaving.printed, 3)


def test_an_early_end_is_told(child: Child) -> None:
    with pytest.raises(LostError, match="status 3"):
        child.call(misbehaving.quit_early)


def test_an_endless_loop_is_ended(child: Child) -> None:
    assert child.call(misbehaving.printed, 1) == 1
    start = time.monotonic()
    with pytest.raises(LostError, match=r"longer than 0\.2 s"):
        child.call(misbehaving.hang, timeout=0.2)
    assert time.monotonic() - start < 10.0


def test_nothing_is_left_behind_when_the_parent_is_killed() -> None:
    script = (
        "from polyad.tuning.child import Child; from tests.tuning import misbehaving; import os; c = Child();"
        "print(c.call(os.getpid), flush=True); c.call(misbehaving.hang)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=ROOT, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    end = time.monotonic() + 30.0
    while time.monotonic() < end and _runs(child):
        time.sleep(0.1)
    assert not _runs(child)


def _runs(process: int) -> bool:
    try:
        os.kill(process, signal.SIG_DFL)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not (status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] == "Z")
