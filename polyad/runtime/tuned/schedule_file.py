"""Schedule files: the moves of a schedule that was measured, for one program, its sizes, its target and a machine.

    <folder>/<key>.json   {"polyad_schedule": FORMAT, "kernel", "key", "machine", "base", "moves", ..., "checksum"}

The key is a digest of the equations without names, of the target, of the machine and of the format. `base` is one of
the schedule that the moves begin at, and of the equations it runs: another version of polyad may find another one,
which the moves are not for. Nothing in a file is run: its moves are transforms, and what they make is proved legal.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from polyad.errors import ScheduleError
from polyad.ir.program import Program
from polyad.ir.settled import settled
from polyad.ir.without_names import program_without_names
from polyad.islx import LOCK
from polyad.runtime.cache import digest
from polyad.runtime.cpu import this_cpu, usable_threads
from polyad.runtime.tuned.tuning import Tuning
from polyad.schedule.moves.move_text import as_moves, moves_to_lists
from polyad.schedule.moves.places import moves_with_names, moves_without_names, schedule_without_names
from polyad.schedule.schedule import Schedule
from polyad.targets.target import Target
from polyad.transforms.passes.canonical_order import canonical_order
from polyad.transforms.rewrite.fix_sizes import fix_sizes

__all__ = ["FORMAT", "Place", "place_of", "read_tuning", "schedule_folder", "write_tuning"]

FORMAT = 1
"""Of the file; another one where what it holds, or what it means, changes."""


@dataclass(frozen=True, slots=True)
class Place:
    """The file for a program on this machine.

    Attributes:
        path: of the file.
        machine: this one, as text.
        base: digest of what the moves begin at.
        program: the one that is scheduled, whose names are put into the moves.
    """

    path: Path
    machine: str
    base: str
    program: Program


def schedule_folder() -> Path | None:
    """The folder that POLYAD_SCHEDULES names; None where it is not set."""
    named = os.environ.get("POLYAD_SCHEDULES", "")
    with contextlib.suppress(RuntimeError):  # there is no such home directory
        return Path(named).expanduser() if named else None
    return Path(named)


def place_of(
    folder: Path, definition: Program, sizes: Mapping[str, int], target: Target, program: Program, base: Schedule
) -> Place:
    """The file for what is compiled.

    Args:
        folder: where schedule files are.
        definition: what is compiled, before any pass.
        sizes: those that are fixed.
        target: what for.
        program: what is scheduled.
        base: its schedule without any moves.
    """
    machine = f"{this_cpu().identity}; {usable_threads() if target.openmp else 1} threads"
    with LOCK:
        equations = program_without_names(canonical_order(settled(fix_sizes(definition, sizes))))
        begin = digest(program_without_names(program), schedule_without_names(base, program))
    key = digest("schedule", str(FORMAT), equations, repr(target), machine)
    return Place(folder / f"{key}.json", machine, begin, program)


def write_tuning(place: Place, tuning: Tuning, kernel: str) -> Tuning:
    """Write a file, in place of one that is there; returns the record that names it.

    Raises:
        ScheduleError: it cannot be written.
    """
    data = {
        "polyad_schedule": FORMAT,
        "kernel": kernel,
        "key": place.path.stem,
        "machine": place.machine,
        "base": place.base,
        "moves": moves_to_lists(moves_without_names(tuning.moves, place.program)),
        "calls": [str(move) for move in tuning.moves],
        "before": tuning.before,
        "after": tuning.after,
        "certificate": tuning.certificate,
    }
    text = json.dumps({**data, "checksum": _checksum(data)}, indent=1) + "\n"
    try:
        place.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=place.path.parent, prefix=".tmp-")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(temporary, place.path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as problem:
        raise ScheduleError(f"the schedule file {place.path} cannot be written: {problem.strerror}") from problem
    return replace(tuning, file=str(place.path))


def read_tuning(place: Place) -> Tuning | None:
    """The record in a file, its moves with the names of the program; None where there is no file.

    Raises:
        ScheduleError: the file does not fit; the message says why.
    """
    try:
        data = json.loads(place.path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise ScheduleError(f"it cannot be read: {problem.strerror}") from problem
    except (ValueError, RecursionError) as problem:
        raise ScheduleError(f"it is no schedule file: {problem}") from problem
    if not isinstance(data, dict) or "polyad_schedule" not in data:
        raise ScheduleError("it is no schedule file")
    if data["polyad_schedule"] != FORMAT:
        raise ScheduleError(f"it is of format {data['polyad_schedule']!r:.20}, and this polyad reads format {FORMAT}")
    given = data.pop("checksum", None)
    if given != _checksum(data):
        raise ScheduleError("it was edited, or not written to its end: its checksum is another one")
    if data.get("key") != place.path.stem or data.get("machine") != place.machine:
        raise ScheduleError("it is for another program, other sizes, another target or another machine")
    if data.get("base") != place.base:
        raise ScheduleError("its moves begin at another schedule, that of another version of polyad")
    return _record(data, place)


def _record(data: Mapping[str, Any], place: Place) -> Tuning:
    moves = moves_with_names(as_moves(data.get("moves")), place.program)
    before, after, certificate = data.get("before"), data.get("after"), data.get("certificate")
    if not isinstance(before, float) or not isinstance(after, float) or not isinstance(certificate, str):
        raise ScheduleError("it is no schedule file: times or certificate are missing")
    return Tuning(moves, before, after, certificate=certificate, file=str(place.path))


def _checksum(data: Mapping[str, Any]) -> str:
    return digest(json.dumps(data, sort_keys=True))
