"""The headers that a text of C may include, and where they were looked for: what else it means the same by.

All `#include` of the text count, and those of the headers found, whatever conditions stand around them; each is looked
for in every folder, not in the first one only. So more is listed than is read, never less.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

__all__ = ["SYSTEM_FOLDERS", "included"]

SYSTEM_FOLDERS = (Path("/usr/local/include"), *sorted(Path("/usr/include").glob("*-linux-gnu*")), Path("/usr/include"))
"""Where clang looks by itself on Linux, beside its own headers."""

_INCLUDE = re.compile(
    rb"(?:(?:^|\*/)[ \t]*\#[ \t]*(?:include|include_next|import)\b(?:[ \t]|/\*.*?\*/)*"
    rb"|__has_include(?:_next)?[ \t]*\([ \t]*)"
    rb'(?:"(?P<own>[^"\n]+)"|<(?P<other>[^>\n]+)>|(?P<unnamed>[\w\\]))',
    re.MULTILINE,
)
_UNKNOWN = re.compile(rb"^[ \t]*%:|^[ \t]*\?\?=|\#[ \t]*\\\r?\n", re.MULTILINE)
"""Other ways to write a directive."""


def included(text: bytes, folders: Sequence[Path], complete: bool) -> tuple[str, ...] | None:
    """The places where headers are looked for, each with a checksum of what is there.

    Args:
        text: a file of C.
        folders: where headers are looked for, in addition to the folder of what includes them.
        complete: whether headers that are in none of the folders are nowhere.

    Returns:
        `PATH CHECKSUM`, or `PATH` where nothing is, in the order of the search; None where it cannot be told what is
        included, because only a macro names it.
    """
    found: dict[Path, str] = {}
    waiting: list[tuple[tuple[bytes, ...] | None, Sequence[Path]]] = [(_names(text), folders)]
    while waiting:
        names, places = waiting.pop()
        if names is None:
            return None
        for name in names:
            candidates = [folder / name.decode(errors="surrogateescape") for folder in places]
            for path in candidates:
                if path not in found:
                    checksum, inside = _header(path)
                    found[path] = checksum
                    if checksum:
                        waiting.append((inside, [path.parent, *folders]))
            if not complete and not any(found[path] for path in candidates):
                return None
    return tuple(f"{path} {found[path]}".rstrip() for path in found)


def _header(path: Path) -> tuple[str, tuple[bytes, ...] | None]:
    """The checksum of a file, "" where there is none, and what it includes."""
    try:
        status = path.stat()
        return _read(path, status.st_mtime_ns, status.st_size, status.st_ino)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return "", ()


@lru_cache(maxsize=1024)
def _read(path: Path, changed: int, size: int, number: int) -> tuple[str, tuple[bytes, ...] | None]:
    content = path.read_bytes()
    return hashlib.sha256(content).hexdigest(), _names(content)


def _names(text: bytes) -> tuple[bytes, ...] | None:
    """The names that a text includes; None where it includes what it does not name."""
    if _UNKNOWN.search(text):
        return None
    found = [match["own"] or match["other"] for match in _INCLUDE.finditer(text)]
    return None if None in found else tuple(dict.fromkeys(found))
