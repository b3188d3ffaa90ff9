"""Compiled libraries in the cache, as several processes find them there."""

import os
from pathlib import Path

import numpy as np
import pytest

from polyad.runtime import compiler
from tests.runtime.handmade import handmade, kernel_of

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]


def start_doubling() -> int:
    """The id of a child process that doubles a number by a kernel; it remembers no compiler, but those on disk."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        compiler._find.cache_clear()
        compiler.describe_compiler.cache_clear()
        source = handmade("twice", ["N"], ["x: float64[N]"], ["y: float64[N]"], "    y[0] = 2 * x[0];")
        assert kernel_of(source, "c")(np.array([21.0])).tolist() == [42.0]
        status = 0
    finally:
        os._exit(status)


def ended_well(pid: int) -> bool:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


@pytest.mark.parametrize("damage", [lambda p: p.write_bytes(p.read_bytes()[:300]), lambda p: p.unlink(), None])
def test_a_damaged_library_is_compiled_again(  # type: ignore[no-untyped-def]
    damage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path))

    def run() -> Path:
        assert ended_well(start_doubling())
        (library,) = tmp_path.rglob("*.so")
        return library

    library = run()
    before = library.stat()
    if damage:
        damage(library)
    after = run().stat()
    assert after.st_size == before.st_size
    if damage is None:  # found, not built: the same file
        assert after.st_ino == before.st_ino


def test_processes_compile_the_same_kernel_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path))
    running = [start_doubling() for _ in range(3)]
    assert [ended_well(pid) for pid in running] == [True] * 3
