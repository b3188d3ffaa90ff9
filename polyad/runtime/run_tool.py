"""Running the tools of a build (compiler, linker, `ar`) under a time limit.

A compiler that hangs would hang the user's program, so every tool runs in a process group of its own, and the whole
group is killed when the time is over or the caller is interrupted: gcc's children do the work, and outlive gcc.
"""

from __future__ import annotations

import contextlib
import math
import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from polyad.errors import CallError, CompileError

__all__ = ["TIME_LIMIT", "run_tool", "scratch_directory", "time_limit"]

TIME_LIMIT = 600.0
"""Seconds that one run of a tool may take where POLYAD_COMPILE_TIMEOUT says nothing else."""

_VARIABLE = "POLYAD_COMPILE_TIMEOUT"


def time_limit() -> float | None:
    """Seconds that one run of a tool may take; None for any time, which POLYAD_COMPILE_TIMEOUT=0 asks for.

    Raises:
        CallError: the variable holds no number of seconds.
    """
    text = os.environ.get(_VARIABLE, "").strip()
    if not text:
        return TIME_LIMIT
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise CallError(f"{_VARIABLE}={text!r}: expected a number of seconds such as 60, or 0 for no limit", _VARIABLE)
    return seconds or None


def run_tool(command: Sequence[str], directory: Path | None = None) -> str:
    """Run a tool with its messages in English.

    Args:
        command: the program and its arguments.
        directory: where it runs; the current one when None.

    Returns:
        What it printed.

    Raises:
        CompileError: it could not be run, failed, or took longer than `time_limit`.
    """
    shown = shlex.join(command)
    limit = time_limit()
    try:
        process = subprocess.Popen(
            command,
            cwd=directory,
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as problem:  # ValueError: a NUL in an argument
        raise CompileError(f"could not run the compiler: {problem}\n  {shown}", shown, str(problem)) from problem
    try:
        data, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired as expired:
        _kill(process)
        printed = (expired.output or b"").decode(errors="replace").strip()
        raise CompileError(
            f"the C compiler was stopped after {limit:g} s:\n  {shown}\n{printed}\n"
            f"set {_VARIABLE} to more seconds (0: no limit), or compile with Target(optimize=1)",
            shown,
            printed,
        ) from None
    except BaseException:
        _kill(process)
        raise
    output: str = data.decode(errors="replace").strip()
    if process.returncode != 0:
        raise CompileError(f"the C compiler failed (status {process.returncode}):\n  {shown}\n{output}", shown, output)
    return output


@contextlib.contextmanager
def scratch_directory() -> Iterator[Path]:
    """A folder to compile in, which is gone afterwards.

    Raises:
        CompileError: it cannot be made, or what is written there does not fit.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="polyad-", ignore_cleanup_errors=True) as folder:
            yield Path(folder)
    except OSError as problem:
        raise CompileError(
            f"compiling needs room in a temporary folder: {problem}; set TMPDIR to a directory that can be written"
        ) from problem


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    # What it left in the pipe is not read: a grandchild in yet another group might hold it open.
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
