"""Telling people what takes how long.

Programs ask through `logging`, under the name `polyad`: DEBUG tells each stage of a compilation with its seconds, INFO
one line a kernel. Who waits at a terminal sees after `PATIENCE` seconds in which stage it is, in a line that is gone
when it is over; elsewhere nothing is printed. Ctrl-C ends a compilation, in whichever stage it is.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from typing import TextIO

from polyad.islx import interruptible

__all__ = ["LOG", "MANY", "PATIENCE", "STAGES", "TerminalLine", "announced", "count_statements", "is_terminal", "stage"]

LOG = logging.getLogger("polyad")
LOG.addHandler(logging.NullHandler())

PATIENCE = 2.0
"""Seconds that a compilation takes without a word."""

MANY = 300
"""Statements from which on a program looks like a loop of Python that was written out."""

STAGES = ("tracing", "simplifying", "scheduling", "generating C", "compiling C")
"""Of a compilation, in order; the first one of functions only."""


@contextlib.contextmanager
def stage(kernel: str, name: str, detail: str = "") -> Iterator[None]:
    """Log the seconds of a stage of a compilation.

    Args:
        kernel: what is compiled.
        name: one of `STAGES`, or another one in between.
        detail: what is logged in place of the name.
    """
    start = time.perf_counter()
    outcome = "failed after"
    if _STATE.line is not None:
        _STATE.line.enter(name)
    try:
        yield
        outcome = "took"
    finally:
        LOG.debug("%s: %s %s %.3f s", kernel, detail or name, outcome, time.perf_counter() - start)


class _Announcing(threading.local):
    """The compilation that this thread is in.

    Attributes:
        nested: whether it is in one already, of which the outermost one is told.
        hint: what to tell of it.
        line: where on the terminal.
    """

    nested: bool = False
    hint: str = ""
    line: _Line | None = None


@contextlib.contextmanager
def announced(kernel: str, *, traced: bool = False) -> Iterator[None]:
    """Log the seconds of a compilation, and tell who waits at a terminal.

    Args:
        kernel: what is compiled.
        traced: whether its function is traced first.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    if _STATE.nested:
        yield
        return
    _STATE.nested, _STATE.hint = True, ""
    start = time.perf_counter()
    _STATE.line = _Line(kernel, STAGES if traced else STAGES[1:]) if is_terminal(sys.stderr) else None
    outcome = "gave up on"
    try:
        with interruptible():
            yield
        outcome = "compiled"
    finally:
        line, hint = _STATE.line, _STATE.hint
        _STATE.nested, _STATE.line = False, None
        seconds = time.perf_counter() - start
        if line is not None:
            line.finish(f"polyad: {outcome} {kernel} after {seconds:.1f} s; {hint}\n" if hint else "")
        LOG.info("%s %s after %.3f s", outcome, kernel, seconds)


def count_statements(kernel: str, count: int) -> None:
    """Say what a compilation of very many statements can be spared."""
    if count > MANY:
        _STATE.hint = f"it has {count} statements: a Python loop that repeats a step is one statement as pa.scan"
        LOG.info("%s; %s", kernel, _STATE.hint)


class TerminalLine:
    """A line on the terminal in whose place another one can be written."""

    def __init__(self) -> None:
        self.out: TextIO = sys.stderr
        self.width = 0  # of what is shown

    def write(self, text: str) -> None:
        """Put a text in place of what is shown, as far as there is room in a line."""
        erased = f"\r{' ' * self.width}\r" if self.width else ""
        if not text.endswith("\n"):
            text = text[: shutil.get_terminal_size().columns - 1]
        with contextlib.suppress(OSError, ValueError):  # the terminal was closed in the meantime
            self.out.write(f"{erased}{text}")
            self.out.flush()
        self.width = len(text)


class _Line:
    """The line on the terminal, which appears when patience ends."""

    def __init__(self, kernel: str, stages: tuple[str, ...]):
        self.kernel, self.stages = kernel, stages
        self.line = TerminalLine()
        self.lock = threading.Lock()
        self.stage = ""
        self.shown = self.done = False
        self.timer = threading.Timer(PATIENCE, self.show)
        self.timer.daemon = True
        self.timer.start()

    def show(self) -> None:
        """Patience has ended."""
        with self.lock:
            if not self.done:
                self.shown = True
                self.line.write(self.text())

    def enter(self, name: str) -> None:
        """A stage begins."""
        with self.lock:
            self.stage = name
            if self.shown:
                self.line.write(self.text())

    def text(self) -> str:
        """The kernel that is compiled, and in which of how many stages it is."""
        place = f" ({self.stages.index(self.stage) + 1} of {len(self.stages)})" if self.stage in self.stages else ""
        return f"polyad: compiling {self.kernel}{self.stage and f': {self.stage}'}{place} ..."

    def finish(self, text: str) -> None:
        """Erase the line; a text that is to stay comes in its place."""
        self.timer.cancel()
        with self.lock:
            self.done = True
            if self.shown:
                self.line.write("")
                self.line.write(text)


_STATE = _Announcing()


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody waits at a stream."""
    try:
        return stream is not None and stream.isatty()
    except (OSError, ValueError):  # closed
        return False
