"""Time all contenders of a workload in turn, and print a table."""

import statistics
from collections.abc import Sequence

import numpy as np

from benchmarks.worker import Worker, find
from benchmarks.workload import Case

__all__ = ["disagreement", "report", "time_text"]


def report(workload: str, libraries: Sequence[str], threads: int, rounds: int, budget: float) -> bool:
    """Run a workload on some libraries and print its table; returns whether all of them ran and agree.

    Args:
        workload: the name of its module.
        libraries: those to run.
        threads: cores each contender may use.
        rounds: how often each of them has its turn.
        budget: seconds of a turn.
    """
    declared = find(workload)
    names = [n for n in declared.contenders if n.split()[0] in libraries]
    good = True
    print(f"\n{workload}: {declared.about}; {threads} thread{'s' * (threads > 1)}")
    print(f"{'case':28} {'contender':16} {'median':>11} {'spread':>8} {'ratio':>7} {'first run':>10}")
    for case in declared.cases:
        workers = {n: Worker(workload, n, case, threads) for n in names}
        running = {n: w for n, w in workers.items() if w.error is None}
        for _ in range(rounds):
            for worker in running.values():
                worker.time(budget)
        for worker in running.values():
            worker.stop()
        for name, worker in workers.items():
            good &= _line(case, name, worker, next(iter(workers.values())), declared.rtol)
    return good


def _line(case: Case, name: str, worker: Worker, own: Worker, rtol: float) -> bool:
    """Print a contender's line of the table; `own` is the contender that all are compared with."""
    title = " ".join(f"{size}{value}" for size, value in case.items())
    if worker.error is not None:
        print(f"{title:28} {name:16} {worker.error}")
        return False
    median = statistics.median(worker.samples)
    low, high = np.quantile(worker.samples, [0.25, 0.75])
    ratio = f"{median / statistics.median(own.samples):7.2f}" if own.samples else "      -"
    wrong = None if own.error else disagreement(worker, own, rtol)
    note = f"   {wrong}" if wrong else ""
    print(
        f"{title:28} {name:16} {time_text(median):>11} {100 * (high - low) / median:6.1f} % {ratio} "
        f"{worker.first_seconds:8.2f} s{note}",
        flush=True,
    )
    return wrong is None


def disagreement(worker: Worker, own: Worker, rtol: float) -> str | None:
    """What is wrong with the results, or None."""
    if len(worker.arrays) != len(own.arrays):
        return f"{len(worker.arrays)} results for {len(own.arrays)}"
    for n, (a, b) in enumerate(zip(worker.arrays, own.arrays, strict=True)):
        if a.shape != b.shape:
            return f"result {n} has shape {a.shape}, not {b.shape}"
        apart = np.abs(a - b).max(initial=0) / max(np.abs(b).max(initial=0), 1e-30)
        if not apart <= rtol:
            return f"result {n} is off by {apart:.1e}"
    return None


def time_text(value: float) -> str:
    """A time with the unit people would use for it."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if value >= scale:
            return f"{value / scale:.3f} {unit}"
    return f"{value / 1e-6:.3f} us"
