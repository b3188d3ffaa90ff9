"""Functions for a child process that does what candidates may do."""

import os
import signal
import time
from typing import Any

import numpy as np

from polyad.tuning import bench
from polyad.tuning.bench import Built, Moves

__all__ = [
    "build_that_crashes",
    "build_that_hangs",
    "compare_that_eats",
    "crash",
    "eat",
    "hang",
    "printed",
    "quit_early",
]


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def hang() -> None:
    while True:
        time.sleep(0.01)


def eat(count: int) -> int:
    return int(np.ones(count, np.uint8).sum())


def quit_early() -> None:
    os._exit(3)


def printed(value: Any) -> Any:
    print("a line that is no answer", flush=True)
    return value


def build_that_crashes(moves: Moves) -> Built:
    """Crash at every candidate that jams."""
    if any(move.name == "jam" for move in moves):
        crash()
    return bench.build(moves)


def build_that_hangs(moves: Moves) -> Built:
    """Hang at every candidate that jams."""
    if any(move.name == "jam" for move in moves):
        hang()
    return bench.build(moves)


def compare_that_eats(old: Moves, new: Moves, seconds: float) -> tuple[list[float], list[float]]:
    """Take all memory at every candidate that jams."""
    if any(move.name == "jam" for move in new):
        eat(1 << 40)
    return bench.compare(old, new, seconds)
