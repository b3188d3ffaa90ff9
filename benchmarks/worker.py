"""One contender in a process of its own."""

import atexit
import gc
import importlib
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.memory import peak_growth
from benchmarks.peers import BEFORE, environment, keep_to_cores, library_of, load
from benchmarks.workload import Case, Ready, Workload

__all__ = ["CLOCKS", "Worker", "find", "samples_of"]

CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}
"""How time is told; "cpu" counts what the processor did for the process, all its threads added up."""

_SHORTEST = 2e-4  # seconds; calls shorter than this are timed several at once


def find(workload: str) -> Workload:
    found: Workload = importlib.import_module(f"benchmarks.workloads.{workload}").WORKLOAD
    return found


def _contenders(workload: str) -> Mapping[str, Callable[[Case], Ready]]:
    """Those of a workload; another checkout is given the definition that is first, which is one of polyad."""
    known = find(workload).contenders
    return {**known, BEFORE: next(iter(known.values()))}


def _check_is_from(checkout: Path | None) -> None:
    """Whether what is imported is the polyad of that folder."""
    found = Path(importlib.import_module("polyad").__file__ or "").resolve()
    if checkout is None or checkout.resolve() not in found.parents:
        raise ImportError(f"{checkout} holds no polyad; {found} was imported")


def _own_cache() -> None:
    """A cache of compiled kernels for this process alone, so that no earlier run helps."""
    folder = tempfile.mkdtemp(prefix="polyad-benchmark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["POLYAD_CACHE_DIR"] = folder


def _serve(
    pipe: Connection, workload: str, contender: str, case: Case, threads: int, clock: str, checkout: Path | None
) -> None:
    """The process: set up, send the result of the first call, then time as asked."""
    keep_to_cores(threads)
    try:
        if contender == BEFORE:
            sys.path.insert(0, str(checkout))
        if library_of(contender) in ("polyad", BEFORE):
            _own_cache()
        load(contender)
        if contender == BEFORE:
            _check_is_from(checkout)
        start = time.perf_counter()
        ready = _contenders(workload)[contender](case)
        arrays = ready.arrays(ready.call())
        seconds = time.perf_counter() - start
        grown = peak_growth(ready.call)
    except Exception as problem:  # anything that a library may raise becomes a line of the report
        pipe.send(f"{type(problem).__name__}: {problem}")
        return
    compiled = seconds if ready.compile_seconds is None else ready.compile_seconds
    pipe.send((arrays, compiled, ready.workspace_bytes, grown))
    del arrays
    while budget := pipe.recv():
        pipe.send(samples_of(ready.call, budget, CLOCKS[clock]))


def samples_of(run: Any, budget: float, clock: Callable[[], float]) -> list[float]:
    """Seconds per call, as many samples as fit into `budget` seconds; at least one."""
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    before = clock()
    run()  # warms up the caches, and tells how long a call takes
    once = clock() - before
    calls = max(1, int(_SHORTEST / max(once, 1e-9)))
    samples = [once] if time.perf_counter() - start > budget else []
    while time.perf_counter() - start < budget:
        before = clock()
        for _ in range(calls):
            run()
        samples.append((clock() - before) / calls)
    gc.enable()
    return samples


class Worker:
    """A contender that is set up and waits to be timed.

    Attributes:
        name, threads: which contender, on how many threads.
        arrays: what its first call returned.
        compile_seconds: how long it took until machine code was there; set-up and first call where nobody can tell.
        workspace_bytes: scratch memory of a call, where it is known exactly.
        grown_bytes: growth of the process during a call.
        error: why there is nothing to time, or None.
    """

    def __init__(
        self,
        workload: str,
        contender: str,
        case: Case,
        threads: int,
        patience: float,
        clock: str = "wall",
        checkout: Path | None = None,
    ):
        context = multiprocessing.get_context("spawn")  # a forked child would inherit the libraries of its parent
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, workload, contender, case, threads, clock, checkout), daemon=True
        )
        self._patience = patience
        before = dict(os.environ)
        os.environ.update(environment(contender, threads))
        self._process.start()
        os.environ.clear()
        os.environ.update(before)
        theirs.close()
        self.name, self.threads = contender, threads
        self.arrays: list[Any] = []
        self.compile_seconds = 0.0
        self.workspace_bytes: int | None = None
        self.grown_bytes: int | None = None
        self.error: str | None = None
        self.samples: list[float] = []
        if answer := self._answer("set-up"):
            self.arrays, self.compile_seconds, self.workspace_bytes, self.grown_bytes = answer

    def _answer(self, what: str) -> Any:
        """Return the process's answer; None, and `error` is set, where it says nothing in time or nothing good."""
        try:
            answer = self._pipe.recv() if self._pipe.poll(self._patience) else f"{what} took over {self._patience:g} s"
        except EOFError:
            answer = "the process died"
        if isinstance(answer, str):
            self.error = answer
            self._process.kill()
            return None
        return answer

    def time(self, budget: float) -> None:
        """Take samples for about `budget` seconds."""
        if self.error is None:
            self._pipe.send(budget)
            self.samples += self._answer("timing") or []

    def stop(self) -> None:
        """End the process."""
        if self.error is None:
            self._pipe.send(0.0)
        self._process.join()
