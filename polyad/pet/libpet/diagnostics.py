"""Diagnostics of pet and clang in the user's words: where, what, and what to write instead."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass

from polyad.errors import ExtractionError
from polyad.pet.c_text.definitions import CText, ScopRegion
from polyad.pet.refusal import TOO_DEEP, refusal

__all__ = ["compiler_refuses", "no_scop", "preprocessor_failed", "worker_died"]


@dataclass(frozen=True, slots=True)
class _Complaint:
    """One message: `file:line:column: kind: sentence`."""

    file: str
    line: int
    kind: str
    sentence: str
    source: str  # the line that it is about, as clang shows it


_COMPLAINT = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):(?:\d+:)? (?P<kind>fatal error|error|warning): (?P<sentence>.*)$"
)


def preprocessor_failed(text: CText) -> ExtractionError:
    """The error for a file that the C preprocessor does not read."""
    for complaint in _complaints(text.problem):
        if complaint.kind != "warning":
            return _refusal(complaint)
    said = [line.strip() for line in text.problem.splitlines() if line.strip()]
    shown = next((line for line in said if "error" in line.lower()), said[0] if said else "it says nothing")
    return ExtractionError(f"{text.path}: the C preprocessor failed: {shown}", text.path, construct="preprocessor")


def compiler_refuses(said: str) -> ExtractionError | None:
    """The error for a file that is no C, if only behind the loop nest; None where it is.

    Args:
        said: what was printed to standard error.
    """
    return next((_refusal(complaint) for complaint in _complaints(said) if complaint.kind != "warning"), None)


def no_scop(text: CText, region: ScopRegion, said: str, isl: str | None) -> ExtractionError:
    """The error for a region of which pet gave nothing.

    Args:
        text: the file.
        region: the loop nest.
        said: what was printed to standard error.
        isl: the last complaint of isl, if there was one.
    """
    if (refused := compiler_refuses(said)) is not None:
        return refused
    complaints = list(_complaints(said))
    # What pet says comes before what clang warns of, which may be our doing: `return s;` is an assignment by now.
    complaints.sort(key=lambda c: (not _is_pets(c), not region.first <= c.line <= region.last))
    for complaint in complaints:
        return _refusal(complaint)
    unplaced = next((line for line in said.splitlines() if line.startswith(("error:", "fatal error:"))), "")
    reason = f" ({isl or unplaced})" if isl or unplaced else ""
    return refusal(
        text.path,
        region.first,
        "loop nest",
        f"pet could not read this loop nest and did not say why{reason}; common reasons are "
        "a function that is called and is not `static inline`, pointers in such a function, and subscripts or bounds "
        "that are no sums of loop variables and sizes",
    )


def worker_died(text: CText, region: ScopRegion, code: int, said: str) -> ExtractionError:
    """The error for a worker that ended without a reply."""
    if code == -signal.SIGSEGV:
        return refusal(
            text.path,
            region.first,
            "recursion",
            "pet ran out of stack on this loop nest: does a function that it calls call "
            "itself, or does an expression nest thousands of operations? Write a loop, or several statements",
        )
    if code == -signal.SIGKILL:
        sentence = "pet was killed while it read this loop nest; is there no memory left? Make the loop nest smaller"
        return refusal(text.path, region.first, "pet", sentence)
    if "RecursionError" in said:
        return refusal(text.path, region.first, "expression", TOO_DEEP)
    return refusal(
        text.path,
        region.first,
        "pet",
        f"pet ended with status {code} on this loop nest:\n{said.strip()[-2000:]}",
    )


def _complaints(said: str) -> Iterator[_Complaint]:
    lines = said.splitlines()
    for i, line in enumerate(lines):
        match = _COMPLAINT.match(line)
        if match is not None:
            source = re.sub(r"^\s*\d+ \| ", "", lines[i + 1]).strip() if i + 1 < len(lines) else ""
            yield _Complaint(match["file"], int(match["line"]), match["kind"], match["sentence"], source)


# What pet says, what its line holds -> the construct, and a sentence of ours. The first that fits.
_SAYINGS = (
    (
        "",
        "({",
        "statement expression",
        "`({ ... })` is not modelled; write its statements before this one",
    ),
    ("", "asm", "asm", "assembly is not modelled; write C"),
    ("", "_Generic", "_Generic", "`_Generic` is not modelled; write the expression that is meant"),
    ("return statement", "", "return", "`return` is only modelled as the last statement of a function"),
    ("unary operator", "", "operator", "this operator is not modelled; use arithmetic and elements of arrays"),
    ("binary operator", "", "operator", "this operator is not modelled; use arithmetic and elements of arrays"),
    ("type of statement", "", "statement", "this statement is not modelled; write loops, conditions and assignments"),
    (
        "unsupported",
        "for (;",
        "for",
        "a loop has to begin where it is written: write `for (int i = 4 * (n / 4); i < n; i++)` for what others left",
    ),
    ("missing increment", "", "for", "a loop has to count: write `for (int i = 0; i < n; i++)`"),
    (
        "unsupported",
        "",
        "expression",
        "this is not modelled; write arithmetic, elements of arrays and loops that count",
    ),
    (
        "not supported",
        "",
        "expression",
        "this is not modelled; write arithmetic, elements of arrays and loops that count",
    ),
)


def _is_pets(complaint: _Complaint) -> bool:
    return any(said and said in complaint.sentence for said, *_ in _SAYINGS)


def _refusal(complaint: _Complaint) -> ExtractionError:
    """The error for a complaint."""
    sentence, construct = complaint.sentence, "syntax"
    if "file not found" in sentence or "No such file" in sentence:
        sentence, construct = f"{sentence}; name its folder by include=[...]", "header"
    elif complaint.kind == "warning":
        for said, held, construct_, ours in _SAYINGS:
            if said in sentence and held in complaint.source:
                sentence, construct = ours, construct_
                break
    shown = f"\n  {complaint.source}" if complaint.source else ""
    return refusal(complaint.file, complaint.line, construct, f"{sentence}{shown}")
