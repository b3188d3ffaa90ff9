"""The child process of a search: it runs functions that it is told, until its parent has no more of them."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import Any

from polyad.tuning.child import read_frame, write_frame

__all__ = ["main"]

_LOOK = 0.5
"""Seconds between looks whether the parent is still there."""


def main() -> None:
    """Answer calls until the input ends."""
    calls, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing that is printed gets between answers
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    while True:
        try:
            function, arguments = read_frame(calls)
        except EOFError:
            return
        try:
            answer: tuple[tuple[str, ...] | None, Any] = None, function(*arguments)
        except Exception as problem:
            kinds = tuple(kind.__name__ for kind in type(problem).__mro__)
            answer = kinds, str(problem) or type(problem).__name__
        write_frame(answers, answer)


def _end_with(parent: int) -> None:
    """Leave nothing behind when the parent is killed, whatever the main thread is doing."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)
