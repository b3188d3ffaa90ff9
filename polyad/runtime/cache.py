"""The cache on disk: small JSON records and compiled libraries, safe under many processes and killed ones.

    <directory>/v1/<kind>/<key>.json           {"checksum": sha256 of the payload's text, "payload": {...}}
    <directory>/v1/libraries/<key>-<sum>.so    a library, named by its content; the record <key>.json holds the full sum

Nothing is ever changed in place: a file is written under a temporary name beside its final one and then renamed, which
is atomic. Two processes that build the same thing at once both succeed and the later one wins. A record or library that
does not match its checksum (a full disk, a lost power supply) counts as absent and is built again, which is also why
no fsync is needed.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Cache", "clear_cache", "default_directory", "digest", "open_cache"]

LAYOUT = "v1"
SIZE_LIMIT = 1 << 30
"""Bytes that the cache may hold before the entries used longest ago are removed."""

_ABANDONED = 24 * 3600.0  # seconds after which a temporary file belongs to nobody any more
_TEMPORARY = ".tmp-"


def digest(*parts: str) -> str:
    """A key from texts: 40 hexadecimal digits that differ when any part differs."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]


def default_directory() -> Path:
    """POLYAD_CACHE_DIR, else the `polyad` folder where this system keeps caches."""
    named = os.environ.get("POLYAD_CACHE_DIR")
    if named:
        return Path(named).expanduser().absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "polyad"
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG rule: a relative path is to be ignored.
    base = Path(xdg) if os.path.isabs(xdg) else Path.home() / ".cache"
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

    def load(self, kind: str, key: str) -> dict[str, Any] | None:
        """The payload of a record, or None when it is absent or damaged."""
        path = self._record(kind, key)
        try:
            record = json.loads(path.read_bytes())
            payload = record["payload"]
            if record["checksum"] != _checksum_of(payload):
                return None
        except (OSError, ValueError, KeyError, TypeError):
            return None
        _touch(path)
        return payload if isinstance(payload, dict) else None

    def store(self, kind: str, key: str, payload: Mapping[str, Any]) -> None:
        """Write a record; a full or read-only disk costs the entry, not the call."""
        data = json.dumps({"checksum": _checksum_of(payload), "payload": payload}, sort_keys=True).encode()
        with contextlib.suppress(OSError):
            _publish(data, self._record(kind, key))

    def library(self, key: str) -> Path | None:
        """The compiled library of that key, verified byte by byte, or None.

        Loading a truncated library kills the process rather than failing, so it has to be looked at before.
        """
        record = self.load("libraries", key)
        if record is None:
            return None
        checksum = str(record.get("sha256"))
        path = self._library(key, checksum)
        try:
            if hashlib.sha256(path.read_bytes()).hexdigest() != checksum:
                return None
        except OSError:
            return None
        _touch(path)
        return path

    def store_library(self, key: str, built: Path) -> Path:
        """Keep a library that was just built; returns where it stands.

        Raises:
            OSError: the disk is full or read-only.
        """
        data = built.read_bytes()
        checksum = hashlib.sha256(data).hexdigest()
        path = self._library(key, checksum)
        _publish(data, path)
        # The record comes last: whoever reads it finds the library complete.
        self.store("libraries", key, {"sha256": checksum})
        self.prune(SIZE_LIMIT)
        return path

    def discard(self, kind: str, key: str) -> None:
        """Forget a record (and the library that it points to can no longer be found)."""
        with contextlib.suppress(OSError):
            self._record(kind, key).unlink()

    def files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """All files of the cache with their status, temporary ones included."""
        for path in (self.directory / LAYOUT).glob("*/*"):
            with contextlib.suppress(OSError):  # removed by another process in between
                yield path, path.stat()

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
            if not path.name.startswith(_TEMPORARY):
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
        shutil.rmtree(self.directory / LAYOUT, ignore_errors=True)

    def _record(self, kind: str, key: str) -> Path:
        return self.directory / LAYOUT / kind / f"{key}.json"

    def _library(self, key: str, checksum: str) -> Path:
        return self.directory / LAYOUT / "libraries" / f"{key}-{checksum[:16]}.so"


def open_cache() -> Cache:
    """The cache of this process, as the environment says at the moment.

    Where the directory cannot be written, a private temporary one is used, with one warning for each such directory.
    """
    return _open(default_directory())


def clear_cache() -> None:
    """Remove everything that polyad keeps on disk; kernels that exist go on working."""
    open_cache().clear()


@functools.cache
def _open(directory: Path) -> Cache:
    cache = Cache(directory)
    try:
        # Libraries are loaded from here, so nobody else may write to it.
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        _publish(b"", directory / LAYOUT / "probes" / "writable")
    except OSError as problem:
        private = Path(tempfile.mkdtemp(prefix="polyad-"))
        atexit.register(_remove_private, private, os.getpid())
        warnings.warn(
            f"the cache directory {directory} cannot be written ({problem.strerror or problem}); compiled kernels are "
            "kept for this process only. Set POLYAD_CACHE_DIR to a directory that can be written.",
            RuntimeWarning,
            stacklevel=3,
        )
        return Cache(private, persistent=False)
    return cache


def _remove_private(directory: Path, owner: int) -> None:
    if os.getpid() == owner:  # a forked child leaves the folder to its parent
        shutil.rmtree(directory, ignore_errors=True)


def _checksum_of(payload: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()


def _publish(data: bytes, path: Path) -> None:
    """Write a file so that others see either nothing of it or all of it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=_TEMPORARY, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _touch(path: Path) -> None:
    """Note the use: many file systems do not keep times of access."""
    with contextlib.suppress(OSError):
        os.utime(path)


def _remove(path: Path, size: int) -> int:
    try:
        path.unlink()
    except OSError:
        return 0
    return size
