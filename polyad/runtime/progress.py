"""Telling people what takes how long.

Programs ask through `logging`, under the name `polyad`: DEBUG tells each stage of a compilation with its seconds, INFO
one line a kernel. Who waits at a terminal is told after `PATIENCE` seconds what for; elsewhere nothing is printed.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import time
from collections.abc import Iterator
from typing import TextIO

__all__ = ["LOG", "MANY", "PATIENCE", "announced", "count_statements", "stage"]

LOG = logging.getLogger("polyad")
LOG.addHandler(logging.NullHandler())

PATIENCE = 2.0
"""Seconds that a compilation takes without a word."""

MANY = 300
"""Statements from which on a program looks like a loop of Python that was written out."""


@contextlib.contextmanager
def stage(kernel: str, name: str) -> Iterator[None]:
    """Log the seconds of a stage of a compilation."""
    start = time.perf_counter()
    outcome = "failed after"
    try:
        yield
        outcome = "took"
    finally:
        LOG.debug("%s: %s %s %.3f s", kernel, name, outcome, time.perf_counter() - start)


class _Announcing(threading.local):
    """Whether this thread is in a compilation already, of which the outermost one is told, and what to add to it."""

    nested: bool = False
    hint: str = ""


_STATE = _Announcing()


@contextlib.contextmanager
def announced(kernel: str) -> Iterator[None]:
    """Log the seconds of a compilation, and tell who waits at a terminal."""
    if _STATE.nested:
        yield
        return
    _STATE.nested, _STATE.hint = True, ""
    start = time.perf_counter()
    line = _Line(kernel) if _is_terminal(sys.stderr) else None
    outcome = "gave up on"
    try:
        yield
        outcome = "compiled"
    finally:
        _STATE.nested = False
        seconds = time.perf_counter() - start
        if line is not None:
            line.finish(f"polyad: {outcome} {kernel} after {seconds:.1f} s{_STATE.hint}")
        LOG.info("%s %s after %.3f s", outcome, kernel, seconds)


def count_statements(kernel: str, count: int) -> None:
    """Say what a compilation of very many statements can be spared."""
    if count > MANY:
        _STATE.hint = f"; it has {count} statements: a Python loop that repeats a step is one statement as pa.scan"
        LOG.info("%s%s", kernel, _STATE.hint)


class _Line:
    """The line on the terminal, which appears when patience ends."""

    def __init__(self, kernel: str):
        self.kernel = kernel
        self.out: TextIO = sys.stderr
        self.lock = threading.Lock()
        self.shown = self.done = False
        self.timer = threading.Timer(PATIENCE, self.show)
        self.timer.daemon = True
        self.timer.start()

    def show(self) -> None:
        with self.lock:
            if not self.done:
                self.shown = self.write(f"polyad: compiling {self.kernel} ...")

    def finish(self, text: str) -> None:
        self.timer.cancel()
        with self.lock:
            self.done = True
            if self.shown:
                self.write(f"\r{text}\n")

    def write(self, text: str) -> bool:
        """Whether the terminal was there to be written to."""
        try:
            self.out.write(text)
            self.out.flush()
        except (OSError, ValueError):  # closed in the meantime
            return False
        return True


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except (OSError, ValueError):  # closed
        return False
