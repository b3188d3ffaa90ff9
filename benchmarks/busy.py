"""Threads beside other work: python -m benchmarks busy [workload ...] [--quick].

While a program keeps one core busy, each case runs on all cores and on one, in turns. A kernel on several threads that
waits for the one that shares its core should not take more than 1.3 times as long as on one thread: where it does, the
run fails.
"""

import argparse
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from benchmarks.worker import Worker, find
from benchmarks.workloads import WORKLOADS

__all__ = ["LIMIT", "Beside", "beside", "busy_neighbour", "main"]

LIMIT = 1.3
"""Time on all threads / time on one thread, at most."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A case beside other work.

    Attributes:
        case: workload and case.
        one, all: seconds of a call on one thread, and on all; medians.
    """

    case: str
    one: float
    all: float

    @property
    def ratio(self) -> float:
        return self.all / self.one

    @property
    def fails(self) -> bool:
        return self.ratio > LIMIT

    def __str__(self) -> str:
        told = "  too slow" if self.fails else ""
        return f"{self.case:44} {self.one * 1e3:9.3f} ms {self.all * 1e3:9.3f} ms {self.ratio:6.2f}{told}"


def _spin(core: int) -> None:
    os.sched_setaffinity(0, {core})
    while True:
        pass


@contextmanager
def busy_neighbour() -> Iterator[None]:
    """A process that never rests, on the first core that this one may use: one thread is kept to the last."""
    core = min(os.sched_getaffinity(0))
    process = multiprocessing.get_context("spawn").Process(target=_spin, args=(core,), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


def beside(names: Sequence[str], threads: int, quick: bool, budget: float, rounds: int) -> Iterator[Beside]:
    """Time polyad's cases beside the neighbour."""
    for name in names:
        workload = find(name)
        for case in workload.cases:
            if quick and not case.quick:
                continue
            workers = [Worker(name, next(iter(workload.contenders)), case, n, 300) for n in (1, threads)]
            if not any(w.error for w in workers):
                for _ in range(rounds):
                    for worker in workers:
                        worker.time(budget)
                yield Beside(f"{name} {case.title}", *(median(w.samples) for w in workers))
            for worker in workers:
                worker.stop()


def main(arguments: Sequence[str]) -> int:
    """Print each case; 1 where one of them fails."""
    made = argparse.ArgumentParser(prog="python -m benchmarks busy", description="Threads beside other work.")
    made.add_argument("names", nargs="*", metavar="workload", help=f"{', '.join(WORKLOADS)}; all by default")
    made.add_argument("--quick", action="store_true", help="some cases only")
    made.add_argument("--budget", type=float, default=0.3, help="seconds of a turn, default 0.3")
    made.add_argument("--rounds", type=int, default=3, help="turns, default 3")
    args = made.parse_args(arguments)
    unknown = [n for n in args.names if n not in WORKLOADS]
    if unknown:
        made.error(f"no workload {unknown[0]!r}; there are {', '.join(WORKLOADS)}")
    threads = len(os.sched_getaffinity(0))
    if threads < 2:
        made.error("there is one core only")
    print(f"{'beside a program on one core':44} {'1 thread':>12} {f'{threads} threads':>12}  ratio", flush=True)
    failed = 0
    with busy_neighbour():
        for found in beside(args.names or list(WORKLOADS), threads, args.quick, args.budget, args.rounds):
            failed += found.fails
            print(found, flush=True)
    print(f"{failed} on {threads} threads take more than {LIMIT} times as long as on one")
    return 1 if failed else 0
