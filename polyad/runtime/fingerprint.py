"""The fingerprint of this polyad, for cache keys: while it is developed, its version stays and its files change."""

from __future__ import annotations

import importlib.metadata
from functools import lru_cache
from pathlib import Path

from polyad._version import __version__
from polyad.runtime.cache import digest

__all__ = ["fingerprint"]


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Text that changes when the code of polyad or the version of isl does."""
    package = Path(__file__).resolve().parents[1]
    files = []
    for path in sorted(package.rglob("*.py")):
        status = path.stat()
        files.append(f"{path.relative_to(package)} {status.st_size} {status.st_mtime_ns}")
    return digest(__version__, importlib.metadata.version("islpy"), *files)
