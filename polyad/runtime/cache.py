"""The cache on disk: small JSON records and compiled libraries, safe under many processes and killed ones.

    <directory>/v2/<kind>/<key>.json           {"key": "<kind>/<key>", "checksum": of key and payload, "payload": {...}}
    <directory>/v2/libraries/<key>-<sum>.so    a library, named by its content; the record <key>.json holds the full sum

Nothing is ever changed in place: a file is written under a temporary name beside its final one and then renamed, which
is atomic. Two processes that build the same thing at once both succeed and the later one wins. A record or library that
does not match its checksum (a full disk, a lost power supply), is that of another key, or is no plain file, counts as
absent and is built again, which is also why no fsync is needed.

A checksum keeps out accidents, not people: who may write here could replace both. So nothing is used that others may
write (private_files.py): a directory like that is left alone, and a private one takes its place.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import functools
import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyad.runtime.private_files import TEMPORARY, opened_folder, publish, read_private, refuse_foreign

__all__ = ["Cache", "clear_cache", "default_directory", "digest", "open_cache"]

LAYOUT = "v2"
SIZE_LIMIT = 1 << 30
"""Bytes that the cache may hold before the entries used longest ago are removed."""

PRUNED_EACH = SIZE_LIMIT >> 8
"""Bytes of libraries that a process stores between two looks at all entries, the first of which is at its first one."""

_unseen: dict[Path, int] = {}  # directory -> bytes of libraries stored since this process looked at all entries
_FORMER_LAYOUTS = ("v1",)
_ABANDONED = 24 * 3600.0  # seconds after which a temporary file belongs to nobody any more
_DESCRIPTORS = Path("/proc/self/fd")  # where Linux lets a path begin at an open folder


def digest(*parts: str) -> str:
    """A key from texts: 40 hexadecimal digits that differ when any part differs."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]


def default_directory() -> Path:
    """POLYAD_CACHE_DIR, else the `polyad` folder where this system keeps caches.

    Raises:
        OSError: it is said to be in a home directory, and there is none.
    """
    named = os.environ.get("POLYAD_CACHE_DIR")
    try:
        if named:
            return Path(named).expanduser().absolute()
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "polyad"
        xdg = os.environ.get("XDG_CACHE_HOME", "")
        # The XDG rule: a relative path is to be ignored.
        base = Path(xdg) if os.path.isabs(xdg) else Path.home() / ".cache"
    except RuntimeError as problem:
        raise OSError(errno.ENOENT, "there is no such home directory", named or "~") from problem
    return base / "polyad"


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache in one directory.

    Attributes:
        directory: the folder that holds the kinds of entries.
        persistent: False for a private temporary folder that goes with the process.
    """

    directory: Path
    persistent: bool = True

    def load(self, kind: str, key: str, types: Mapping[str, type] | None = None) -> dict[str, Any] | None:
        """The payload of a record, or None when it is absent, damaged, or not what was asked for.

        Args:
            kind: which folder it is in.
            key: its name there.
            types: members that the payload must have, with the types of their values.
        """
        name = f"{key}.json"
        try:
            with opened_folder(self.directory, LAYOUT, kind) as folder:
                record = json.loads(read_private(folder, name))
                payload = record["payload"]
                if record["key"] != f"{kind}/{key}" or record["checksum"] != _checksum_of(kind, key, payload):
                    return None
                if not all(type(payload[member]) is wanted for member, wanted in (types or {}).items()):
                    return None
                _touch(folder, name)
        except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
            return None
        return payload if isinstance(payload, dict) else None

    def store(self, kind: str, key: str, payload: Mapping[str, Any]) -> None:
        """Write a record; a full or read-only disk costs the entry, not the call."""
        record = {"key": f"{kind}/{key}", "checksum": _checksum_of(kind, key, payload), "payload": payload}
        with contextlib.suppress(OSError), opened_folder(self.directory, LAYOUT, kind, create=True) as folder:
            publish(folder, f"{key}.json", json.dumps(record, sort_keys=True).encode())

    def library(self, key: str) -> Path | None:
        """Return the compiled library of that key, verified byte by byte, or None."""
        with self.pinned_library(key) as found:
            return None if found is None else self.directory / LAYOUT / "libraries" / found.name

    @contextlib.contextmanager
    def pinned_library(self, key: str) -> Iterator[Path | None]:
        """The same as a path to load it from while the context lasts.

        Loading a truncated library kills the process rather than failing, and loading runs code, so it is looked at
        before. On Linux the path leads through the open folder that was checked: what is loaded is then what was read,
        even where somebody may rename a folder further up.
        """
        record = self.load("libraries", key, {"sha256": str})
        path = None
        with contextlib.ExitStack() as stack:
            if record is not None:
                name = _library_name(key, record["sha256"])
                with contextlib.suppress(OSError):
                    folder = stack.enter_context(opened_folder(self.directory, LAYOUT, "libraries"))
                    if hashlib.sha256(read_private(folder, name)).hexdigest() == record["sha256"]:
                        _touch(folder, name)
                        place = _DESCRIPTORS / str(folder)
                        path = (place if place.exists() else self.directory / LAYOUT / "libraries") / name
            yield path

    def store_library(self, key: str, built: Path) -> Path:
        """Keep a library that was just built; returns where it stands.

        Raises:
            OSError: the disk is full or read-only.
        """
        data = built.read_bytes()
        checksum = hashlib.sha256(data).hexdigest()
        name = _library_name(key, checksum)
        with opened_folder(self.directory, LAYOUT, "libraries", create=True) as folder:
            publish(folder, name, data)
        # The record comes last: whoever reads it finds the library complete.
        self.store("libraries", key, {"sha256": checksum})
        _unseen[self.directory] = _unseen.get(self.directory, PRUNED_EACH) + len(data)
        if _unseen[self.directory] >= PRUNED_EACH:  # to look at ten thousand entries takes as long as to compile one
            _unseen[self.directory] = 0
            self.prune(SIZE_LIMIT)
        return self.directory / LAYOUT / "libraries" / name

    def discard(self, kind: str, key: str) -> None:
        """Forget a record (and the library that it points to can no longer be found)."""
        with contextlib.suppress(OSError), opened_folder(self.directory, LAYOUT, kind) as folder:
            os.unlink(f"{key}.json", dir_fd=folder)

    def check(self) -> None:
        """See whether entries can be kept here, and nobody else can write to any folder of them.

        Raises:
            OSError: one of these is not so.
        """
        with opened_folder(self.directory, LAYOUT, create=True) as layout:
            for kind in os.listdir(layout):
                status = os.stat(kind, dir_fd=layout, follow_symlinks=False)
                path = self.directory / LAYOUT / kind
                if not stat.S_ISDIR(status.st_mode):
                    raise OSError(errno.ENOTDIR, "it is not a folder", str(path))
                refuse_foreign(status, path)
        with opened_folder(self.directory, LAYOUT, "probes", create=True) as folder:
            publish(folder, "writable", b"")

    def files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """All files of the cache with their status, temporary ones included."""
        for path in (self.directory / LAYOUT).glob("*/*"):
            with contextlib.suppress(OSError):  # removed by another process in between
                yield path, path.lstat()

    def size(self) -> tuple[int, int]:
        """(bytes, number of records)."""
        found = list(self.files())
        return sum(status.st_size for _, status in found), sum(path.suffix == ".json" for path, _ in found)

    def prune(self, max_bytes: int) -> int:
        """Remove the entries used longest ago until at most `max_bytes` remain; returns the bytes removed.

        A library in use stays usable: it is in memory already, or its user notices and builds it again.
        """
        now = time.time()
        kept: list[tuple[float, int, Path]] = []
        removed = 0
        for path, status in self.files():
            if not path.name.startswith(TEMPORARY):
                kept.append((status.st_mtime, status.st_size, path))
            elif now - status.st_mtime > _ABANDONED:  # left by a process that was killed
                removed += _remove(path, status.st_size)
        total = sum(size for _, size, _ in kept)
        for _, size, path in sorted(kept):
            if total <= max_bytes:
                break
            removed += _remove(path, size)
            total -= size
        return removed

    def clear(self) -> None:
        """Remove all entries."""
        for layout in (LAYOUT, *_FORMER_LAYOUTS):
            shutil.rmtree(self.directory / layout, ignore_errors=True)


def open_cache() -> Cache:
    """The cache of this process, as the environment says at the moment.

    Where the directory cannot be written, or somebody else may have written to it, a private temporary one is used,
    with one warning for each such directory.
    """
    try:
        return _open(default_directory())
    except OSError as problem:  # there is no such directory at all
        return _private(str(problem.filename), str(problem.strerror))


def clear_cache() -> None:
    """Remove everything that polyad keeps on disk; kernels that exist go on working."""
    open_cache().clear()


@functools.cache
def _open(directory: Path) -> Cache:
    cache = Cache(directory)
    try:
        cache.check()
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename and str(problem.filename) != str(directory) else ""
        return _private(str(directory), f"{where}{problem.strerror or problem}")
    return cache


@functools.cache
def _private(directory: str, why: str) -> Cache:
    """A cache for this process in place of one that cannot be used."""
    warnings.warn(
        f"the cache directory {directory} is not used ({why}); compiled kernels are kept for this process only. Set "
        "POLYAD_CACHE_DIR to a directory that belongs to you and that nobody else can write.",
        RuntimeWarning,
        stacklevel=4,
    )
    try:
        private = Path(tempfile.mkdtemp(prefix="polyad-"))
    except OSError:  # nothing can be kept: every entry is absent
        return Cache(Path(os.devnull), persistent=False)
    atexit.register(_remove_private, private, os.getpid())
    return Cache(private, persistent=False)


def _remove_private(directory: Path, owner: int) -> None:
    if os.getpid() == owner:  # a forked child leaves the folder to its parent
        shutil.rmtree(directory, ignore_errors=True)


def _library_name(key: str, checksum: str) -> str:
    return f"{key}-{checksum[:16]}.so"


def _checksum_of(kind: str, key: str, payload: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps([kind, key, payload], sort_keys=True).encode()).hexdigest()


def _touch(folder: int, name: str) -> None:
    """Note the use: many file systems do not keep times of access."""
    with contextlib.suppress(OSError):
        os.utime(name, dir_fd=folder, follow_symlinks=False)


def _remove(path: Path, size: int) -> int:
    try:
        path.unlink()
    except OSError:
        return 0
    return size
