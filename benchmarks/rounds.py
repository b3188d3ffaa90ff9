"""Time all contenders of a case in turn."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers import BEFORE, library_of
from benchmarks.worker import Worker, find
from benchmarks.workload import Case

__all__ = ["Measured", "apart", "measure"]


@dataclass(frozen=True, slots=True)
class Measured:
    """The times of one contender on one case; a run is a list of these.

    Attributes:
        workload, case, threads, contender: which.
        median, low, high: seconds a call, and the quartiles.
        compile_seconds: until machine code was there, nothing kept from earlier runs in case of polyad.
        workspace_bytes: scratch memory of a call, where known exactly.
        grown_bytes: by how much the process grew during a call.
        apart: largest difference from a peer's results in double precision, relative to the largest element of each
            array; None where there is nothing to compare with, infinite where shapes differ.
        error: why there are no times, or None.
    """

    workload: str
    case: str
    threads: int
    contender: str
    median: float = 0.0
    low: float = 0.0
    high: float = 0.0
    compile_seconds: float = 0.0
    workspace_bytes: int | None = None
    grown_bytes: int | None = None
    apart: float | None = None
    error: str | None = None


def measure(
    workload: str,
    case: Case,
    libraries: Sequence[str],
    threads: Sequence[int],
    rounds: int,
    budget: float,
    patience: float,
    clock: str = "wall",
    checkout: Path | None = None,
) -> list[Measured]:
    """Time a case, all contenders and numbers of threads in turn.

    Args:
        workload: the name of its module.
        case: one of its cases.
        libraries: those to run.
        threads: cores each contender may use.
        rounds: how often each of them has its turn.
        budget: seconds of a turn.
        patience: seconds after which a contender is given up.
        clock: "wall" or "cpu", see `benchmarks.worker.CLOCKS`.
        checkout: the folder of a polyad that is a contender, too, named `before`.
    """
    names = [n for n in find(workload).contenders if library_of(n) in libraries]
    peers = [n for n in names if library_of(n) != "polyad"]
    if checkout:
        names.append(BEFORE)
    workers = [Worker(workload, name, case, n, patience, clock, checkout) for n in threads for name in names]
    reference = _reference(workload, case, peers, patience)
    for turn in range(rounds):
        first = turn % len(workers)
        for worker in workers[first:] + workers[:first]:
            worker.time(budget)
    for worker in workers:
        worker.stop()
    return [_measured(workload, case, w, reference) for w in workers]


def _reference(workload: str, case: Case, names: Sequence[str], patience: float) -> list[Any] | None:
    """Return the results of the first peer that can compute in double precision; None where there is none."""
    for name in names:
        if not name.endswith("compile"):
            worker = Worker(workload, name, replace(case, dtype="float64"), 1, patience)
            worker.stop()
            if worker.error is None:
                return worker.arrays
    return None


def _measured(workload: str, case: Case, worker: Worker, reference: Sequence[np.ndarray] | None) -> Measured:
    which = workload, case.title, worker.threads, worker.name
    if worker.error is not None:
        return Measured(*which, error=worker.error)
    low, high = np.quantile(worker.samples, [0.25, 0.75])
    return Measured(
        *which,
        median=statistics.median(worker.samples),
        low=float(low),
        high=float(high),
        compile_seconds=worker.compile_seconds,
        workspace_bytes=worker.workspace_bytes,
        grown_bytes=worker.grown_bytes,
        apart=None if reference is None else apart(worker.arrays, reference),
    )


def apart(arrays: Sequence[np.ndarray], reference: Sequence[np.ndarray]) -> float:
    """The largest difference of two contenders' results, relative to the largest element of each array."""
    if [a.shape for a in arrays] != [b.shape for b in reference]:
        return float("inf")
    pairs = zip(arrays, reference, strict=True)
    found = [float(np.abs(a - b).max(initial=0) / max(np.abs(b).max(initial=0), 1e-300)) for a, b in pairs]
    return float(np.max(found, initial=0.0))  # not max(): that drops NaN
