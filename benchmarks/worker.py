"""One contender in a process of its own."""

import gc
import importlib
import multiprocessing
import time
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from benchmarks.peers import announce_threads, keep_to_cores
from benchmarks.workload import Case, Workload

__all__ = ["Worker"]

_SHORTEST = 2e-4  # seconds; calls shorter than this are timed several at once


def find(workload: str) -> Workload:
    found: Workload = importlib.import_module(f"benchmarks.{workload}").WORKLOAD
    return found


def _serve(pipe: Connection, workload: str, contender: str, case: Case, threads: int) -> None:
    """The process: set up, send the result of the first run, then time as asked."""
    keep_to_cores(threads)
    try:
        start = time.perf_counter()
        run = find(workload).contenders[contender](case)
        result = run()
        seconds = time.perf_counter() - start
    except Exception as problem:  # anything that a library may raise becomes a line of the report
        pipe.send(f"{type(problem).__name__}: {problem}")
        return
    arrays = result if isinstance(result, list | tuple) else [result]
    pipe.send(([np.asarray(a) for a in arrays], seconds))
    while budget := pipe.recv():
        pipe.send(_time(run, budget))


def _time(run: Any, budget: float) -> list[float]:
    """Seconds per call, as many samples as fit into `budget` seconds; at least one."""
    gc.disable()
    start = time.perf_counter()
    run()  # warms up the caches, and tells how long a call takes
    once = time.perf_counter() - start
    calls = max(1, int(_SHORTEST / once))
    samples = [once] if once > budget else []
    while time.perf_counter() - start < budget:
        before = time.perf_counter()
        for _ in range(calls):
            run()
        samples.append((time.perf_counter() - before) / calls)
    gc.enable()
    return samples


class Worker:
    """A contender that is set up and waits to be timed.

    Attributes:
        arrays: what its first run returned.
        first_seconds: how long set-up and first run took, compilation included.
        error: why there is nothing to time, or None.
    """

    def __init__(self, workload: str, contender: str, case: Case, threads: int):
        context = multiprocessing.get_context("spawn")  # a forked child would inherit the libraries of its parent
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, workload, contender, case, threads), daemon=True)
        announce_threads(threads)
        self._process.start()
        theirs.close()
        self.arrays: list[Any] = []
        self.first_seconds = 0.0
        self.error: str | None = None
        self.samples: list[float] = []
        try:
            answer = self._pipe.recv()
        except EOFError:
            answer = "the process died"
        if isinstance(answer, str):
            self.error = answer
        else:
            self.arrays, self.first_seconds = answer

    def time(self, budget: float) -> None:
        """Take samples for about `budget` seconds."""
        self._pipe.send(budget)
        self.samples += self._pipe.recv()

    def stop(self) -> None:
        if self.error is None:
            self._pipe.send(0.0)
        self._process.join()
