"""Ctrl-C ends a compilation at once, with KeyboardInterrupt, and leaves nothing behind."""

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import islpy as isl
import numpy as np
import pytest

import polyad as pa
from polyad import islx, pipeline
from polyad.codegen import generate

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
import fcntl, signal, sys, termios
import numpy as np
import polyad as pa
from polyad.runtime import progress

fcntl.ioctl(2, termios.TIOCSCTTY, 0)  # so that Ctrl-C on this terminal is meant for this process
signal.signal(signal.SIGINT, signal.default_int_handler)
progress.PATIENCE = 0.0

def slow(x):
    return x * 2.75

try:
    pa.jit(slow, target="c")(np.ones(3))
except KeyboardInterrupt:
    sys.exit("interrupted")
"""

# Compiles as the host's compiler does, but never ends with the kernel; what takes long is a child of a child.
COMPILER = """#!/bin/sh
case "$*" in *slow.c*) sleep 300 & echo $! > "$POLYAD_TEST_PID"; wait;; esac
exec cc "$@"
"""


def read_until(master: int, wanted: str, seconds: float = 60.0) -> str:
    """Return the output of a terminal, up to a text, or to the end of what writes there."""
    shown, end = "", time.monotonic() + seconds
    while wanted not in shown and time.monotonic() < end:
        try:
            data = os.read(master, 4096)
        except OSError:  # the other side is closed
            break
        if not data:
            break
        shown += data.decode()
    return shown


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler called cc")
def test_ctrl_c_on_a_terminal(tmp_path: Path) -> None:
    compiler, noted = tmp_path / "slowcc", tmp_path / "pid"
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    scratch, cache = tmp_path / "scratch", tmp_path / "cache"
    scratch.mkdir()
    own = {
        "CC": str(compiler),
        "TMPDIR": str(scratch),
        "POLYAD_CACHE_DIR": str(cache),
        "POLYAD_TEST_PID": str(noted),
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "120",
    }
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdin=slave,
        stderr=slave,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **own},
        start_new_session=True,
    )
    os.close(slave)
    try:
        shown = read_until(master, "compiling C (5 of 5) ...")
        assert re.search(r"polyad: compiling slow: (simplifying|scheduling|generating C) \(\d of 5\) \.\.\.\r", shown)
        while not (noted.exists() and noted.read_text().strip()):
            time.sleep(0.01)
        pressed = time.monotonic()
        os.write(master, b"\x03")
        rest = read_until(master, "interrupted")
        assert process.wait(30) == 1 and time.monotonic() - pressed < 20
    finally:
        process.kill()
        os.close(master)
    line, said = rest.split("interrupted")[0], "polyad: compiling slow: compiling C (5 of 5) ..."
    assert line.removeprefix("^C") == f"\r{' ' * len(said)}\r", "the line is erased, and nothing else is printed"
    assert not is_running(int(noted.read_text())), "the compiler outlives its caller"
    assert [p.name for p in scratch.iterdir()] == []
    assert slow_again(own | {"CC": "cc"}) == "2.75"


def slow_again(own: dict[str, str]) -> str:
    """Return the output of the function, computed with the cache that was left."""
    script = (
        "import numpy as np, polyad as pa\ndef slow(x): return x * 2.75\nprint(pa.jit(slow, target='c')(np.ones(3))[0])"
    )
    done = subprocess.run([sys.executable, "-c", script], env={**os.environ, **own}, capture_output=True, text=True)
    return done.stdout.strip()


def interrupt() -> None:
    """Ctrl-C, on the main thread."""
    signal.raise_signal(signal.SIGINT)


@pytest.fixture(autouse=True)
def _handler() -> None:
    """A shell starts what it puts into the background with the signal ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


TWO = isl.UnionSet("{ A[]; B[] }")


def swallowed(seen: list[str]) -> None:
    """Ask isl what it answers with an error, and go on as if there were no answer."""
    with islx.interruptible():
        for question in (lambda: TWO.foreach_set(lambda _: interrupt()), lambda: TWO.union(isl.UnionSet("{ C[] }"))):
            try:
                question()
            except isl.Error:
                seen.append("no answer")


def test_what_isl_swallows_is_raised() -> None:
    """islpy prints what its callbacks raise, and isl reports an error, which many read as no answer."""
    seen: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        swallowed(seen)
    assert seen == ["no answer"] * 2
    assert not TWO.union(isl.UnionSet("{ C[] }")).is_empty(), "isl works again"


def test_it_is_not_taken_for_an_error_of_isl() -> None:
    with pytest.raises(KeyboardInterrupt), islx.interruptible():
        TWO.foreach_set(lambda _: interrupt())


def test_handlers_of_others_decide() -> None:
    seen: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        with islx.interruptible():
            interrupt()
            assert not TWO.is_empty()
        interrupt()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with islx.interruptible():
            interrupt()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    assert seen == [signal.SIGINT] * 2


def test_other_threads_compile_too() -> None:
    found: list[object] = []

    def other() -> None:
        with islx.interruptible():
            found.append(TWO.is_empty())

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert found == [False]


@pytest.mark.parametrize("stage", ["prepare", "default_schedule", "plan_kernel"])
def test_a_compilation_is_interrupted_in_any_stage(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The results so far are forgotten, and compiling again works."""
    before = signal.getsignal(signal.SIGINT)
    x = pa.placeholder((7,), "x", "float64")
    y = pa.compute((7,), lambda i: x[i] * 1.625 + {"prepare": 1, "default_schedule": 2, "plan_kernel": 3}[stage])
    module = generate if stage == "plan_kernel" else pipeline
    own = getattr(module, stage)

    def interrupted(*args: object, **kwargs: object) -> object:
        interrupt()
        return own(*args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(module, stage, interrupted)
        with pytest.raises(KeyboardInterrupt):
            pa.compile(y, [x], target="c")
    assert signal.getsignal(signal.SIGINT) is before
    assert pa.compile(y, [x], target="c")(np.zeros(7))[0] in (1, 2, 3)
