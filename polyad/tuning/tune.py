"""`pa.tune`: a kernel, or a function, with the fastest schedule that was found by measuring."""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from polyad.errors import CallError, ScheduleError
from polyad.frontend.functions import TracedFunction
from polyad.frontend.pytrees import flatten
from polyad.frontend.tensor import Tensor
from polyad.ir.json_text import to_json
from polyad.islx import LOCK
from polyad.kernel import Kernel
from polyad.pipeline import compile_program
from polyad.runtime.cpu import usable_threads
from polyad.runtime.plans import Plans
from polyad.runtime.progress import LOG, TerminalLine, is_terminal
from polyad.runtime.tuned.schedule_file import place_of, schedule_folder, write_tuning
from polyad.runtime.tuned.tuning import Tuning
from polyad.schedule.moves.order import work_of
from polyad.schedule.schedule import Schedule
from polyad.tuning.bench import Setup
from polyad.tuning.laboratory import Laboratory
from polyad.tuning.search import INTERRUPTED, DroppedError, EndedError, Found, Moves, RefusedError, search

__all__ = ["tune"]

ROOM = 2 << 30
"""Bytes that a candidate, and the compiler that makes it, may take in any case."""

MORE = 4
"""Times the memory of a call that a candidate may take besides."""

Tuned = TypeVar("Tuned", Kernel, TracedFunction)


def tune(
    kernel: Tuned, /, *args: Any, seconds: float = 30.0, save: str | os.PathLike[str] | None = None, **kwargs: Any
) -> Tuned:
    """Look for a faster schedule by measuring, and return the kernel with the best one.

    Candidates are a transform of the schedule each (docs/guide/tuning.md). Every one is proved legal, compiled and
    certified in a process of its own before it is run; its calls and those of the best one so far are measured in
    turns. It takes that one's place if its median is smaller, and the middle halves of both do not meet. Ctrl-C ends
    the search and returns the best one so far.

    Args:
        kernel: a kernel, or a function (`jit`, `grad`, ...), which is called with the arguments first.
        args: arguments of a call: what is measured.
        seconds: how long to search.
        save: the folder that a schedule file is written to; None for the one that POLYAD_SCHEDULES names, if it does.
        kwargs: further arguments of the call.

    Returns:
        A kernel that computes the same, with another schedule where one was faster, and `kernel.tuning`, the record. Of
        a function the same function: from now on it calls such a kernel, `function.kernel`, for arguments like these.

    Raises:
        CallError: that is no kernel, or one of a GPU; a wrong argument.
        ScheduleError: the folder cannot be written to.
    """
    _check_seconds(seconds)
    if isinstance(kernel, TracedFunction):
        _check_result(kernel, kernel(*args, **kwargs))
        used = kernel.kernel
        assert used is not None  # it was just called
        arrays = [*kernel.program_and_inputs(*args, **kwargs)[1].values()]
        kernel.exchange(used, _tuned(used, arrays, {}, seconds, save))
        return kernel
    if not isinstance(kernel, Kernel):
        raise CallError(
            f"pa.tune: expected a kernel (pa.compile) or a function (pa.jit, pa.grad, ...), not {kernel!r:.60}",
            "kernel",
        )
    return _tuned(kernel, args, kwargs, seconds, save)


def _check_seconds(seconds: object) -> None:
    """Refuse what is no time.

    Raises:
        CallError: it is no number above 0.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise CallError(
            f"pa.tune(seconds={seconds!r:.60}): expected a number of seconds above 0, such as 30", "seconds"
        )


def _check_result(function: TracedFunction, result: Any) -> None:
    """Refuse a call that defined something and computed nothing.

    Raises:
        CallError: there is a tensor in its result.
    """
    if any(isinstance(leaf, Tensor) for leaf in flatten(result)[0]):
        raise CallError(f"pa.tune: {function.__name__} was called with tensors; give it arrays to compute with", "args")


def _tuned(
    kernel: Kernel, args: Sequence[Any], kwargs: Mapping[str, Any], seconds: float, save: str | os.PathLike[str] | None
) -> Kernel:
    """The kernel with the best schedule, and its record."""
    if kernel.target.backend.language != "c":
        raise CallError(
            f"pa.tune: {kernel.name} is for {kernel.target.name!r}, whose kernels are not tuned; expected one for 'c' "
            "or 'openmp'",
            "kernel",
        )
    folder = _folder(kernel, save)
    arrays, sizes = kernel.given(args, kwargs)
    kernel(*arrays, **sizes)  # arguments that it refuses are refused here
    own = str(kernel.schedule) if kernel.code.in_order else None
    begin: Moves = kernel.tuning.moves if kernel.tuning is not None and own is None else ()
    given = None if own is None else Schedule.from_yaml(own)
    base = compile_program(kernel.definition, kernel.target, kernel.fixed, given, moves=())
    known = _all_sizes(kernel, arrays, sizes)
    with LOCK:
        definition = to_json(kernel.definition)
    setup = Setup(definition, kernel.target, kernel.fixed, own, tuple(arrays), sizes, _memory(kernel, known))
    laboratory = Laboratory(setup, seconds)
    try:
        with _shown(kernel.name, laboratory, seconds) as say:
            machine = kernel.target.machine
            work = work_of(base.program, known, machine)
            threads = usable_threads()

            def price(schedule: Schedule) -> float:
                return schedule.price(base, threads=threads, **known).total

            found = search(base.schedule, begin, laboratory, work, say, machine, price)
        tuning = _record(found, begin, laboratory, seconds)
    except (RefusedError, DroppedError, EndedError) as problem:
        raise CallError(f"pa.tune: {kernel.name} does not run in a process of its own: {problem}", "kernel") from None
    finally:
        laboratory.close()
    best = compile_program(kernel.definition, kernel.target, kernel.fixed, given, kernel.unflatten, moves=tuning.moves)
    if folder is not None and tuning.moves:
        place = place_of(folder, kernel.definition, kernel.fixed, kernel.target, base.program, base.schedule)
        tuning = write_tuning(place, tuning, kernel.name)
    best.tuning = tuning
    LOG.info("%s: %s", kernel.name, tuning)
    return best


def _record(found: Found, begin: Moves, laboratory: Laboratory, seconds: float) -> Tuning:
    """The record, with times measured once more; without moves that were faster by chance."""
    moves, before, after = found.moves, found.first, found.seconds
    if moves != begin and INTERRUPTED not in found.log:
        try:
            laboratory.extend(seconds)
            old, new = laboratory.compare(begin, moves)
            before, after = median(old), median(new)
        except (DroppedError, EndedError, KeyboardInterrupt) as problem:
            LOG.debug("times were not measured once more: %r", problem)
    if after > before:
        found.log.append("what was found is not faster when it is measured once more")
        moves, after, found.certificate = begin, before, ""
    counts = found.counts
    return Tuning(
        moves,
        before,
        after,
        counts["timed"],
        counts["refused"],
        counts["dropped"],
        counts["alike"],
        found.certificate,
        tuple(found.log),
    )


def _folder(kernel: Kernel, save: str | os.PathLike[str] | None) -> Path | None:
    """The folder for a schedule file; None where none is asked for.

    Raises:
        CallError: that is no path, or the kernel has a schedule of its own.
        ScheduleError: it cannot be written to.
    """
    if save is not None and not isinstance(save, str | os.PathLike):
        raise CallError(f"pa.tune(save={save!r:.60}): expected a folder", "save")
    if save is not None and kernel.code.in_order:
        raise CallError(
            f"pa.tune(save={os.fspath(save)!r}): {kernel.name} has a schedule of its own, and schedule files change "
            "the default one; leave save= out, and keep the result with kernel.schedule.save",
            "save",
        )
    folder = schedule_folder() if save is None else Path(save)
    if folder is None or kernel.code.in_order:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as problem:
        where = "POLYAD_SCHEDULES" if save is None else "save="
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise ScheduleError(
            f"pa.tune: no schedule file can be written in {folder}, the folder of {where}: {why}; name another one"
        ) from problem
    return folder


def _all_sizes(kernel: Kernel, arrays: Sequence[Any], sizes: Mapping[str, int]) -> dict[str, int]:
    """The sizes of a call."""
    inputs = [a for a in kernel.code.arguments if not a.is_output]
    outputs = [a for a in kernel.code.arguments if a.is_output]
    return Plans(kernel.code, inputs, outputs).sizes(tuple(a.shape for a in arrays), sizes)


def _memory(kernel: Kernel, sizes: Mapping[str, int]) -> int:
    """Bytes that a candidate may take."""
    code = kernel.code
    call = sum(a.bytes(sizes) for a in code.arguments) + code.workspace_bytes(sizes, usable_threads())
    return ROOM + MORE * call


@contextmanager
def _shown(kernel: str, laboratory: Laboratory, seconds: float) -> Iterator[Any]:
    """Show how far the search is, in one line on a terminal, which is gone when it is over."""
    line = TerminalLine() if is_terminal(sys.stderr) else None

    def say(found: Found) -> None:
        gain = f"{found.first / found.seconds:.2f} times as fast"
        text = (
            f"polyad: tuning {kernel}: {seconds - laboratory.left():.0f} of {seconds:g} s, {found.tried} tried, {gain}"
        )
        LOG.debug("%s", text)
        if line is not None:
            line.write(f"{text} ...")

    try:
        yield say
    finally:
        if line is not None:
            line.write("")
