"""Extraction: a C file, a function, one of its loop nests -> what pet saw of it, and the function's prototype."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from polyad.errors import ExtractionError
from polyad.pet.c_text import CText, Definition, Region, read_c_text
from polyad.pet.diagnostics import no_scop, preprocessor_failed, worker_died
from polyad.pet.library import PetLibrary, find_pet
from polyad.pet.parse import SyntaxProblem, parse_definition
from polyad.pet.prototype import Function, read_function
from polyad.pet.read_scop import read_scop
from polyad.pet.refusal import refusal
from polyad.pet.scop import Scop

__all__ = ["extract"]

_WORKER = Path(__file__).with_name("worker.py")


def extract(
    path: str | os.PathLike[str],
    function: str | None = None,
    scop: int | None = None,
    *,
    include: Sequence[str | os.PathLike[str]] = (),
    define: Sequence[str] = (),
    time_limit: float = 30.0,
) -> tuple[Scop, Function]:
    """A loop nest of a C file, and the function around it.

    Args:
        path: the file.
        function: the function, where several have loop nests.
        scop: which of the function's loop nests, counted from 0; of all in the file where no function is named.
        include: folders of headers, as for `-I`.
        define: macros, `NAME` or `NAME=VALUE`, as for `-D`.
        time_limit: seconds after which reading is given up.

    Raises:
        ExtractionError: the file has no such loop nest, or it cannot be modelled.
    """
    file = Path(path)
    _check_arguments(file, time_limit)
    library = find_pet()
    folders = [os.fspath(folder) for folder in include]
    text = read_c_text(file, folders, define)
    if text.problem:
        raise preprocessor_failed(text)
    definition, region = _choose(text, function, scop)
    tree, problem = None, None
    try:
        tree = parse_definition(text, definition)
    except SyntaxProblem as caught:
        problem = caught  # clang says better what is wrong with it, if it finds the same
    found = _seen_by_pet(text, definition, region, library, folders, define, time_limit)
    if problem is not None:
        raise problem
    return read_scop(found, text.path, (region.first, region.last)), read_function(text, definition, tree)


def _check_arguments(file: Path, time_limit: float) -> None:
    """Refuse what would make pet abort."""
    if not file.is_file():
        what = "this is a folder" if file.is_dir() else "there is no such file"
        raise ExtractionError(f"{file}: {what}; give the path of a C file", str(file), construct="file")
    if not time_limit > 0:
        raise ExtractionError(f"time_limit={time_limit!r}: expected a positive number of seconds", str(file))


def _choose(text: CText, function: str | None, scop: int | None) -> tuple[Definition, Region]:
    """The function and the loop nest that are asked for."""
    if not text.regions:
        raise ExtractionError(
            f"{text.path}: no loop nest is marked; put `#pragma scop` before and `#pragma endscop` behind it",
            text.path,
            construct="pragma",
        )
    regions = text.regions
    if function is not None:
        if function not in text.functions:
            defined = [name for name, f in text.functions.items() if f.file == text.path]
            raise ExtractionError(
                f"{text.path}: no function {function!r} is defined; there are {', '.join(defined) or 'none'}", text.path
            )
        regions = text.regions_of(text.functions[function])
        if not regions:
            raise refusal(
                text.path,
                text.functions[function].first,
                "pragma",
                f"`{function}` has no loop nest between `#pragma scop` and "
                f"`#pragma endscop`; these have: {', '.join(text.marked()) or 'none'}",
            )
    if scop is None and len(regions) > 1:
        where = f"`{function}`" if function is not None else f"the file, in {', '.join(text.marked())}"
        lines = ", ".join(str(r.first) for r in regions)
        ask = "scop=0, 1, ..." if function is not None or len(text.marked()) < 2 else "function='...'"
        raise ExtractionError(
            f"{text.path}: {len(regions)} loop nests are marked in {where} (lines {lines}); choose one by {ask}",
            text.path,
            regions[0].first,
        )
    number = scop or 0
    if not 0 <= number < len(regions):
        raise ExtractionError(
            f"{text.path}: scop={number}, but there are {len(regions)} loop nests, counted from 0", text.path
        )
    region = regions[number]
    definition = text.function_at(region)
    if definition is None or not region.last <= definition.last:
        raise refusal(
            text.path,
            region.first,
            "pragma",
            "the pragmas do not stand inside of one function; put both around the statements of a block",
        )
    return definition, region


def _seen_by_pet(
    text: CText,
    definition: Definition,
    region: Region,
    library: PetLibrary,
    include: Sequence[str],
    define: Sequence[str],
    time_limit: float,
) -> dict[str, Any]:
    """What pet saw of one region.

    Raises:
        ExtractionError: nothing, or too much.
    """
    # Where it is the first of its function, no other loop nest of the file can get in the way.
    alone = text.regions_of(definition)[0] == region
    request = {
        "path": text.path,
        "function": definition.name if alone else None,
        "libraries": str(library.folder),
        "headers": str(library.headers) if library.headers is not None else None,
        "include": list(include),
        "define": list(define),
    }
    code, output, said = _run_worker(request, time_limit)
    if code is None:
        raise refusal(
            text.path,
            region.first,
            "time limit",
            f"reading the loop nest was stopped after {time_limit:g} s; make it smaller, or "
            "give more time by time_limit=...",
        )
    try:
        reply = json.loads(output)
    except ValueError:
        raise worker_died(text, region, code, said) from None
    starts = _line_starts(Path(text.path).read_bytes())
    for found in reply["scops"]:
        first = _line_of(starts, found["span"][0])
        last = _line_of(starts, max(found["span"][1] - 1, 0))
        if first == region.first:
            if last != region.last:
                raise refusal(
                    text.path,
                    region.first,
                    "pragma",
                    f"pet read up to line {last}, where `#pragma endscop` stands at line "
                    f"{region.last}; put both pragmas around whole statements of one block",
                )
            return dict(found)
    raise no_scop(text, region, said, reply["isl"])


def _run_worker(request: dict[str, Any], time_limit: float) -> tuple[int | None, str, str]:
    """Run the worker under a time limit.

    Returns:
        Its exit status, None where it was stopped; what it printed; its complaints.
    """
    process = subprocess.Popen(
        [sys.executable, "-P", str(_WORKER)],
        env={**os.environ, "LC_ALL": "C"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
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
    """Where in a file each line starts, in bytes."""
    starts = [0]
    while (end := content.find(b"\n", starts[-1])) >= 0:
        starts.append(end + 1)
    return starts


def _line_of(starts: Sequence[int], position: int) -> int:
    """The line of a position, counted from 1."""
    return sum(1 for start in starts if start <= position)
