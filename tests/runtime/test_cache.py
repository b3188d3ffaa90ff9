import multiprocessing
import os
import stat
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
from polyad.runtime.cache import LAYOUT, SIZE_LIMIT, Cache, clear_cache, default_directory, digest, open_cache

WRITERS = 4
ROUNDS = 50


def record_file(cache: Cache, kind: str, key: str) -> Path:
    return cache.directory / LAYOUT / kind / f"{key}.json"


def test_what_is_stored_is_loaded(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.load("programs", "k") is None
    cache.store("programs", "k", {"a": [1, 2.5, "x"], "b": None})
    assert cache.load("programs", "k") == {"a": [1, 2.5, "x"], "b": None}
    cache.discard("programs", "k")
    assert cache.load("programs", "k") is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b"41", b"42"),
        lambda data: b"[1]",
        lambda data: b'"text"',
        lambda data: b"\xff\xfe" + data,
    ],
)
def test_damaged_records_count_as_absent(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    cache = Cache(tmp_path)
    cache.store("programs", "k", {"answer": 41})
    path = record_file(cache, "programs", "k")
    path.write_bytes(damage(path.read_bytes()))
    assert cache.load("programs", "k") is None


def test_libraries_are_verified_before_they_are_loaded(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    built = tmp_path / "built.so"
    built.write_bytes(b"\x7fELF" + bytes(1000))
    path = cache.store_library("k", built)
    assert cache.library("k") == path
    assert path.read_bytes() == built.read_bytes()
    path.write_bytes(built.read_bytes()[:500])
    assert cache.library("k") is None
    assert cache.store_library("k", built) == cache.library("k")
    path.unlink()
    assert cache.library("k") is None


def _write_many(directory: str, seed: int) -> None:
    cache = Cache(Path(directory))
    for i in range(ROUNDS):
        cache.store("programs", "shared", {"writer": seed, "round": i, "padding": "x" * 20_000})


def test_several_processes_write_the_same_key(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    writers = [context.Process(target=_write_many, args=(str(tmp_path), i)) for i in range(WRITERS)]
    for writer in writers:
        writer.start()
    cache = Cache(tmp_path)
    seen = 0
    while any(writer.is_alive() for writer in writers):
        record = cache.load("programs", "shared")
        seen += record is not None
        # A rename is atomic: once there is a record, there is always a whole one.
        assert record is not None or seen == 0
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    final = cache.load("programs", "shared")
    assert final is not None
    assert final["round"] == ROUNDS - 1
    assert not list(tmp_path.rglob(".tmp-*"))


def test_pruning_removes_what_was_used_longest_ago(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for age, key in enumerate("abcd"):
        cache.store("programs", key, {"padding": "x" * 1000})
        os.utime(record_file(cache, "programs", key), (1000 + age, 1000 + age))
    assert cache.load("programs", "a") is not None  # a use makes it the newest
    size, records = cache.size()
    assert records == 4
    removed = cache.prune(size // 2)
    assert removed == size // 2
    assert [key for key in "abcd" if cache.load("programs", key)] == ["a", "d"]


def test_pruning_removes_what_killed_processes_left(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store("programs", "k", {"answer": 41})
    folder = record_file(cache, "programs", "k").parent
    (folder / ".tmp-old").write_text("half a rec")
    (folder / ".tmp-new").write_text("half a rec")
    two_days_ago = time.time() - 2 * 24 * 3600
    os.utime(folder / ".tmp-old", (two_days_ago, two_days_ago))
    cache.prune(1 << 20)
    assert sorted(p.name for p in folder.iterdir()) == [".tmp-new", "k.json"]


def test_entries_are_looked_at_once_for_many_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    monkeypatch.setattr(Cache, "prune", lambda self, max_bytes: looks.append(max_bytes))
    monkeypatch.setattr("polyad.runtime.cache.PRUNED_EACH", 1000)
    built = tmp_path / "built.so"
    built.write_bytes(bytes(400))
    for key, expected in zip("abcdefg", (1, 1, 1, 2, 2, 2, 3), strict=True):
        Cache(tmp_path).store_library(key, built)
        assert looks == [SIZE_LIMIT] * expected
    Cache(tmp_path / "other").store_library("a", built)
    assert len(looks) == 4, "another directory is another cache"


def test_keys_depend_on_every_part_and_on_where_it_ends() -> None:
    keys = {digest("a", "b"), digest("ab"), digest("a", "b", ""), digest("b", "a"), digest('a", "b')}
    assert len(keys) == 5
    assert digest("a", "b") == digest("a", "b")


def test_the_directory_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "mine"))
    assert default_directory() == tmp_path / "mine"
    monkeypatch.delenv("POLYAD_CACHE_DIR")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_directory() == tmp_path / "xdg" / "polyad"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_directory() == tmp_path / ".cache" / "polyad"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_directory() == tmp_path / "Library" / "Caches" / "polyad"


def test_the_directory_is_private(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    assert stat.S_IMODE(open_cache().directory.stat().st_mode) == 0o700


def test_an_unwritable_directory_is_replaced_and_said_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    (tmp_path / "file").write_text("not a directory")
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "file" / "cache"))
    first = open_cache()
    assert not first.persistent
    first.store("programs", "k", {"answer": 41})
    assert open_cache().load("programs", "k") == {"answer": 41}
    (warning,) = [w for w in recwarn if w.category is RuntimeWarning]
    assert "POLYAD_CACHE_DIR" in str(warning.message)


def test_clearing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    cache = open_cache()
    cache.store("programs", "k", {"answer": 41})
    clear_cache()
    assert cache.load("programs", "k") is None
    cache.store("programs", "k", {"answer": 42})
    assert cache.load("programs", "k") == {"answer": 42}


def test_another_order_of_arguments_is_another_kernel() -> None:
    """Kernels are found by the text of their programs, which says the order of inputs and outputs."""
    x, y = pa.placeholder((2,), "x"), pa.placeholder((2,), "y")
    zero, one = np.zeros(2, np.float32), np.ones(2, np.float32)
    for inputs, given in (([x, y], (one, zero)), ([y, x], (zero, one))):
        assert pa.compile(pa.exp(x) - y, inputs, name="ordered")(*given).tolist() == [pytest.approx(np.e)] * 2
    double, half = x * 2, x / 2
    for outputs, wanted in (([double, half], [2.0, 0.5]), ([half, double], [0.5, 2.0])):
        assert [result[0] for result in pa.compile(outputs, [x], name="ordered_results")(one)] == wanted
