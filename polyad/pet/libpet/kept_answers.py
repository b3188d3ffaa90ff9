"""Answers of libpet, kept on disk with the compiled kernels: starting it and its clang takes 0.3 s each time.

An answer is kept by all that it depends on: the text and the headers that it may include (included.py), the flags,
the libraries, and the worker that asks. Only answers are kept, refusals among them, and no ends of the worker.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from polyad.pet.libpet.included import SYSTEM_FOLDERS, included
from polyad.pet.libpet.library import PetLibrary
from polyad.runtime.cache import digest, open_cache

__all__ = ["Answer", "answered"]

Answer = tuple[int | None, str, str]
"""How the worker ended, None where it was stopped; what it printed; its complaints."""

_KIND = "pet"
_VARIABLES = ("CPATH", "C_INCLUDE_PATH")
"""More folders of headers, for clang."""
_LIBRARIES = ("libpet", "libisl", "libclang", "libLLVM")
_PLACE = "\0"
"""In place of the path of the copy that pet reads, which is another one each time."""


def answered(
    request: Mapping[str, Any], content: bytes, library: PetLibrary, worker: Path, ask: Callable[[], Answer]
) -> Answer:
    """The answer to a request: one that was given before, or else a new one.

    Args:
        request: for the worker.
        content: of the file at the path of the request.
        library: which libpet.
        worker: the program that asks it.
        ask: asks.
    """
    key = _key(request, content, library, worker)
    if key is None:
        return ask()
    cache, place = open_cache(), request["path"]
    kept = cache.load(_KIND, key, {"printed": str, "said": str})
    if kept is not None:
        return 0, kept["printed"].replace(_PLACE, place), kept["said"].replace(_PLACE, place)
    code, printed, said = ask()
    if code == 0 and _is_complete(printed):
        cache.store(_KIND, key, {"printed": printed.replace(place, _PLACE), "said": said.replace(place, _PLACE)})
    return code, printed, said


def _is_complete(printed: str) -> bool:
    """Whether the worker got as far as libpet's answer."""
    try:
        return "scops" in json.loads(printed)
    except ValueError:
        return False


def _key(request: Mapping[str, Any], content: bytes, library: PetLibrary, worker: Path) -> str | None:
    """The place of an answer; None where it cannot be told what it depends on."""
    more = [folder for name in _VARIABLES for folder in os.environ.get(name, "").split(os.pathsep) if folder]
    own = [] if library.headers is None else [str(library.headers)]
    folders = [*map(Path, [*request["include"], *more, *own]), *SYSTEM_FOLDERS]
    # libpet of the wheel looks where clang does on Linux; another one may know more places.
    headers = included(content, folders, complete=library.headers is not None)
    if headers is None:
        return None
    asked = json.dumps([Path(request["path"]).name, request["function"], request["define"]])
    text = content.decode("utf-8", errors="surrogateescape")
    return digest(asked, text, worker.read_text(encoding="utf-8"), *_libraries(library.folder), *headers)


def _libraries(folder: Path) -> list[str]:
    """The libraries that libpet is made of, as far as they lie beside it: they change where they are installed anew."""
    found = sorted(path for name in _LIBRARIES for path in folder.glob(f"{name}[-.]*"))
    statuses = [(path, path.stat()) for path in found]
    return [f"{path} {status.st_size} {status.st_mtime_ns}" for path, status in statuses]
