"""Nothing is read, or loaded, that somebody else may have written."""

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from polyad.runtime import cache as cache_module
from polyad.runtime.cache import LAYOUT, Cache, open_cache
from polyad.runtime.compiler import describe_compiler, find_compiler
from polyad.runtime.private_files import opened_folder, publish, read_private
from tests.runtime.handmade import handmade, kernel_of

NOBODY = 65534
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture
def umask() -> Iterator[Callable[[int], int]]:
    before = os.umask(0o022)
    os.umask(before)
    yield os.umask
    os.umask(before)


@pytest.mark.parametrize("mask", [0, 0o002, 0o022, 0o077])
def test_modes_at_every_level(mask: int, tmp_path: Path, umask: Callable[[int], int]) -> None:
    umask(mask)
    cache = Cache(tmp_path / "missing" / "parents" / "cache")
    cache.store("programs", "k", {"answer": 42})
    built = tmp_path / "built.so"
    built.write_bytes(b"library")
    cache.store_library("k", built)
    made = sorted((tmp_path / "missing").rglob("*"))
    assert len(made) == 8
    assert {mode(p) for p in [tmp_path / "missing", *made] if p.is_dir()} == {0o700}
    assert {mode(p) for p in made if p.is_file()} == {0o600}


def other_owner(path: Path) -> None:
    os.chown(path, NOBODY, -1, follow_symlinks=False)


def writable_by_group(path: Path) -> None:
    path.chmod(mode(path) | 0o020)


def writable_by_all(path: Path) -> None:
    path.chmod(mode(path) | 0o002)


def link_to_open_folder(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    writable_by_all(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


CHANGES = [pytest.param(other_owner, marks=as_root), writable_by_group, writable_by_all, link_to_open_folder]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("level", ["", LAYOUT, f"{LAYOUT}/libraries", f"{LAYOUT}/probes"])
def test_folders_of_others_are_left_alone(
    change: Callable[[Path], None], level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "cache")
    cache.store("programs", "k", {"answer": 42})
    cache.store("probes", "k", {"answer": 42})
    (tmp_path / "built.so").write_bytes(b"library")
    cache.store_library("k", tmp_path / "built.so")
    change(cache.directory / level)
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(cache.directory))
    with pytest.warns(RuntimeWarning, match=r"is not used .*POLYAD_CACHE_DIR"):
        private = open_cache()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert open_cache() is private
    assert not private.persistent
    assert private.directory != cache.directory
    assert private.load("programs", "k") is None
    assert mode(private.directory) == 0o700
    assert sorted(tmp_path.rglob("*")) == before


def test_a_link_to_a_folder_of_ones_own_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Home directories are small, and people put caches elsewhere."""
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "cache").symlink_to(tmp_path / "real")
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert open_cache().persistent


@pytest.mark.parametrize(
    ("value", "why"), [("~nobody-by-that-name/x", "there is no such home directory"), ("/proc/cache", "is not used")]
)
def test_impossible_directories(value: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", value)
    with pytest.warns(RuntimeWarning, match=why):
        assert not open_cache().persistent


def test_no_room_for_a_private_one_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    with pytest.warns(RuntimeWarning, match="is not used"):
        cache = open_cache()
    cache.store("programs", "k", {})
    assert cache.load("programs", "k") is None
    assert cache.library("k") is None
    with pytest.raises(NotADirectoryError):
        cache.store_library("k", tmp_path / "file")


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def link_to_file(path: Path) -> None:
    path.rename(path.with_name("target"))
    path.symlink_to(path.with_name("target"))


def link_to_device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/full")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


FILES = [*CHANGES[:3], fifo, link_to_file, link_to_device, folder]


@pytest.mark.parametrize("change", FILES)
def test_odd_records_count_as_absent(change: Callable[[Path], None], tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store("programs", "k", {"answer": 42})
    path = tmp_path / LAYOUT / "programs" / "k.json"
    change(path)
    assert cache.load("programs", "k") is None
    cache.store("programs", "k", {"answer": 43})
    assert cache.load("programs", "k") == (None if path.is_dir() else {"answer": 43})


@pytest.mark.parametrize("change", FILES)
def test_odd_libraries_count_as_absent(change: Callable[[Path], None], tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    (tmp_path / "built.so").write_bytes(b"library")
    change(cache.store_library("k", tmp_path / "built.so"))
    assert cache.library("k") is None


def signed(kind: str, key: str, payload: object) -> bytes:
    """A record that nobody can tell from one of polyad's."""
    checksum = cache_module._checksum_of(kind, key, payload)  # type: ignore[arg-type]
    return json.dumps({"key": f"{kind}/{key}", "checksum": checksum, "payload": payload}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"payload": ' + b"[" * 900 + b"]" * 900 + b"}",
        b"null",
        b"[]",
        b'{"payload": {}}',
        signed("probes", "k", {}),
        signed("probes", "k", []),
        signed("probes", "k", None),
        signed("probes", "k", {"answer": "42"}),
        signed("probes", "k", {"answer": True}),
        signed("probes", "other", {"answer": 42}),
        signed("programs", "k", {"answer": 42}),
    ],
    ids=range(13),
)
def test_records_that_are_none_count_as_absent(data: bytes, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    with opened_folder(tmp_path, LAYOUT, "probes", create=True) as place:
        publish(place, "k.json", data)
    assert cache.load("probes", "k", {"answer": int}) is None
    cache.store("probes", "k", {"answer": 42})
    assert cache.load("probes", "k", {"answer": int}) == {"answer": 42}


def test_a_record_belongs_to_its_key(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store("programs", "mine", {"answer": 42})
    records = tmp_path / LAYOUT / "programs"
    shutil.copy(records / "mine.json", records / "yours.json")
    assert cache.load("programs", "mine") == {"answer": 42}
    assert cache.load("programs", "yours") is None


def test_an_empty_record_about_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    command = find_compiler().command
    describe_compiler.cache_clear()
    expected = describe_compiler(command)
    (record,) = (tmp_path / "cache" / LAYOUT / "probes").glob("*.json")
    record.write_bytes(signed("probes", record.stem, {}))
    describe_compiler.cache_clear()
    assert describe_compiler(command) == expected


PLANTED = """
#include <stdio.h>
static void __attribute__((constructor)) planted(void) { puts("planted"); fflush(stdout); }
int victim(void) { return 0; }
"""
VICTIM = handmade("victim", ["N"], ["x: float64[N]"], ["y: float64[N]"], "    y[0] = 2 * x[0];")


def plant(cache: Path, library: Path) -> None:
    """Replace the library in a cache by one that runs code when it is loaded, with the record to fit."""
    (record,) = cache.glob(f"{LAYOUT}/libraries/*.json")
    (former,) = cache.glob(f"{LAYOUT}/libraries/*.so")
    former.unlink()
    data = library.read_bytes()
    checksum = hashlib.sha256(data).hexdigest()
    target = former.with_name(f"{record.stem}-{checksum[:16]}.so")
    target.write_bytes(data)
    target.chmod(0o600)
    record.write_bytes(signed("libraries", record.stem, {"sha256": checksum}))


def given_away(cache: Path) -> None:
    for path in [cache, *cache.rglob("*")]:
        other_owner(path)


@pytest.fixture(scope="module")
def planted_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted")
    (folder / "planted.c").write_text(PLANTED)
    subprocess.run([*find_compiler().command, "-shared", "-fPIC", "planted.c", "-o", "p.so"], cwd=folder, check=True)
    return folder / "p.so"


@pytest.mark.filterwarnings("ignore:the cache directory")
@pytest.mark.parametrize(
    ("change", "opened"),
    [
        pytest.param(given_away, False, marks=as_root),
        pytest.param(given_away, True, marks=as_root),
        (writable_by_all, False),
        (writable_by_all, True),
        (None, True),  # last: a process loads it once
    ],
)
def test_planted_code_does_not_run(
    change: Callable[[Path], None] | None,
    opened: bool,
    planted_library: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    kernel = kernel_of(VICTIM, "c")
    plant(tmp_path / "cache", planted_library)
    if change is not None:
        change(tmp_path / "cache")
    if not opened:  # by this process, whose later looks at a directory that it knows must find out, too
        cache_module._open.cache_clear()
    kernel._load()
    # What the user himself wrote is believed: so it is seen that planted code would run.
    assert capfd.readouterr().out == ("" if change else "planted\n")
    if change:
        assert kernel(np.array([21.0])).tolist() == [42.0]


def test_what_is_loaded_is_what_was_read(tmp_path: Path) -> None:
    """Whoever may rename a folder further up can not put another library in place between the two."""
    cache = Cache(tmp_path / "cache")
    (tmp_path / "built.so").write_bytes(b"library")
    cache.store_library("k", tmp_path / "built.so")
    with cache.pinned_library("k") as found:
        assert found is not None
        shutil.copytree(tmp_path / "cache", tmp_path / "other")
        (tmp_path / "cache").rename(tmp_path / "moved")
        (tmp_path / "other").rename(tmp_path / "cache")
        for path in (tmp_path / "cache").rglob("*.so"):
            path.write_bytes(b"planted")
        if sys.platform == "linux":
            assert found.read_bytes() == b"library"


def test_reading_keeps_no_descriptors(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    (tmp_path / "built.so").write_bytes(b"library")
    cache.store_library("k", tmp_path / "built.so")
    count = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    for key in ("k", "missing"):
        for _ in range(3):
            cache.library(key)
            cache.load("nothing", key)
            with pytest.raises(FileNotFoundError), opened_folder(tmp_path / "missing"):
                pass
    with opened_folder(tmp_path) as place, pytest.raises(OSError, match="not a plain file"):
        read_private(place, LAYOUT)
    if sys.platform == "linux":
        assert len(os.listdir("/proc/self/fd")) == count


def test_a_kernel_compiles_without_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path))
    tmp_path.chmod(0o777)
    source = handmade("doubled", ["N"], ["x: float64[N]"], ["y: float64[N]"], "    y[0] = 2 * x[0];")
    with pytest.warns(RuntimeWarning, match=r"others may write to it \(mode 0777\)"):
        assert kernel_of(source, "c")(np.array([21.0])).tolist() == [42.0]
    assert not list(tmp_path.iterdir())
