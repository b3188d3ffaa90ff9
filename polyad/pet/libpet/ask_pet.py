"""Asking pet: a copy of the file with one loop nest goes to the worker, which is stopped at a time limit."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from polyad.errors import ExtractionError
from polyad.pet.c_text.definitions import CDefinition, CText, ScopRegion
from polyad.pet.c_text.edits import presumed_lines
from polyad.pet.c_text.isolate import isolate
from polyad.pet.libpet.diagnostics import compiler_refuses, no_scop, worker_died
from polyad.pet.libpet.kept_answers import Answer, answered
from polyad.pet.libpet.library import HOW_TO_GET_PET, PetLibrary
from polyad.pet.refusal import refusal
from polyad.runtime.run_tool import scratch_directory

__all__ = ["Options", "seen_by_pet"]

_WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the user for a file.

    Attributes:
        include: folders of headers.
        define: macros.
        time_limit: seconds.
        anew: whether pet is asked although it answered the same before.
    """

    include: Sequence[str]
    define: Sequence[str]
    time_limit: float
    anew: bool = False


def seen_by_pet(
    text: CText,
    definition: CDefinition,
    region: ScopRegion,
    library: PetLibrary,
    options: Options,
    inlined: Mapping[str, str],
    rewritten: str,
) -> dict[str, Any]:
    """Return the scop that pet extracts from one loop nest, as the worker replies it.

    Args:
        text: the file.
        definition: the function.
        region: the loop nest.
        library: which pet.
        options: what the user says about the file.
        inlined: functions whose bodies take the place of their calls: name -> the type that each returns.
        rewritten: what stands in the file's place.

    Raises:
        ExtractionError: it saw nothing, or too much.
    """
    path = Path(text.path)
    source = isolate(rewritten, text, region, inlined)
    content = source.encode("utf-8", errors="surrogateescape")
    with scratch_directory() as folder:
        copy = folder / path.name
        copy.write_bytes(content)
        request = {
            "path": str(copy),
            "function": definition.name,
            "libraries": str(library.folder),
            "headers": str(library.headers) if library.headers is not None else None,
            "include": [str(path.parent), *options.include],
            "define": list(options.define),
        }
        ask = partial(_run_worker, request, options.time_limit)
        code, output, said = ask() if options.anew else answered(request, content, library, _WORKER, ask)
    presumed = presumed_lines(source)
    said = re.sub(
        rf"{re.escape(str(copy))}:(\d+)", lambda m: f"{copy}:{presumed[min(int(m[1]), len(presumed) - 1)]}", said
    ).replace(str(copy), text.path)
    if code is None:
        raise refusal(
            text.path,
            region.first,
            "time limit",
            f"reading the loop nest was stopped after {options.time_limit:g} s; make it smaller, or several of it",
        )
    try:
        reply = json.loads(output)
    except ValueError:
        raise worker_died(text, region, code, said) from None
    if "unloadable" in reply:
        sentence = f"libpet ({library.origin}) cannot be loaded: {reply['unloadable']}; {HOW_TO_GET_PET}"
        raise ExtractionError(f"{text.path}: {sentence}", text.path, construct="pet")
    if (refused := compiler_refuses(said)) is not None:
        raise refused
    starts = _line_starts(content)
    for found in reply["scops"]:
        first = presumed[_line_of(starts, found["span"][0])]
        last = presumed[_line_of(starts, max(found["span"][1] - 1, 0))]
        if first == region.first:
            if last != region.last:
                raise refusal(
                    text.path,
                    region.first,
                    "pragma",
                    f"pet read up to line {last}, where `#pragma endscop` stands at line "
                    f"{region.last}; put both pragmas around whole statements of one block",
                )
            for statement in found["statements"]:
                if 0 < statement["line"] < len(presumed):
                    statement["line"] = presumed[statement["line"]]
            return dict(found)
    raise no_scop(text, region, said, reply["isl"])


def _run_worker(request: dict[str, Any], time_limit: float) -> Answer:
    """Run the worker under a time limit."""
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", str(_WORKER)],
            env={**os.environ, "LC_ALL": "C", "TMPDIR": os.path.dirname(request["path"])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as problem:
        sentence = f"pet runs in a Python of its own, which cannot be started ({sys.executable!r}: {problem.strerror})"
        raise ExtractionError(sentence, request["path"], construct="pet") from problem
    try:
        output, said = process.communicate(json.dumps(request).encode(), timeout=time_limit)
    except subprocess.TimeoutExpired:
        _kill(process)
        return None, "", ""
    except BaseException:
        _kill(process)
        raise
    return process.returncode, output.decode(errors="replace"), said.decode(errors="replace")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the worker and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _line_starts(content: bytes) -> list[int]:
    """Return the offsets of the lines of a file, in bytes."""
    starts = [0]
    while (end := content.find(b"\n", starts[-1])) >= 0:
        starts.append(end + 1)
    return starts


def _line_of(starts: Sequence[int], position: int) -> int:
    """The line of a position, counted from 1."""
    return sum(1 for start in starts if start <= position)
