"""Headers that are not there: an empty file stands in for each, if the function may do without.

Not where the file decides by `#if` what it says: what such a header defines might decide it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from polyad.errors import ExtractionError
from polyad.pet.c_text.definitions import CText, without_comments
from polyad.pet.libpet.diagnostics import preprocessor_failed
from polyad.runtime.run_tool import scratch_directory

__all__ = ["header_stand_ins"]

_MISSING = re.compile(
    r"fatal error: (?:'(?P<clang>[^'\n]+)' file not found|(?P<gcc>[^:\n]+): No such file or directory)"
)
_CONDITION = re.compile(r"[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|elif|else|endif)\b")
_MOST = 50


@contextlib.contextmanager
def header_stand_ins(
    source: str, folders: Sequence[str], read: Callable[[Sequence[str]], CText]
) -> Iterator[tuple[CText, list[str]]]:
    """Read a file with empty headers for missing ones; yield the text and the folders of headers, theirs included.

    Args:
        source: the file.
        folders: of headers.
        read: looks at the file, with folders of headers.

    Raises:
        ExtractionError: that a header is missing, where something inside says that a name is not known.
    """
    text = read(folders)
    unread = preprocessor_failed(text) if text.problem else None
    if unread is None or _MISSING.search(text.problem) is None or _chooses(source):
        yield text, list(folders)
        return
    missing: list[str] = []
    with scratch_directory() as folder:
        everything = [*folders, str(folder)]
        while (found := _MISSING.search(text.problem)) is not None and len(missing) < _MOST:
            name = found["clang"] or found["gcc"].strip()
            place = (Path(folder) / name).resolve()
            if name in missing or not place.is_relative_to(Path(folder).resolve()):
                break
            missing.append(name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("")
            text = read(everything)
        try:
            yield text, everything
        except ExtractionError as problem:
            needed = problem.construct == "syntax" or (problem.construct or "").endswith("()")
            raise (unread if needed else problem) from problem


def _chooses(source: str) -> bool:
    """Whether `#if` chooses between more than headers; a guard around the whole file does not count."""
    lines = without_comments(source).split("\n")
    depth = 0
    first = next((line for line in lines if line.strip()), "")
    guarded = re.match(r"[ \t]*#[ \t]*ifndef\b", first) is not None
    for line in lines:
        match = _CONDITION.match(line)
        if match is None:
            counts = bool(line.strip()) and not re.match(r"[ \t]*#[ \t]*(?:include|pragma)\b", line)
            if depth > guarded and counts:
                return True
        elif match["word"] in ("if", "ifdef", "ifndef"):
            depth += 1
        elif match["word"] == "endif":
            depth -= 1
    return False
