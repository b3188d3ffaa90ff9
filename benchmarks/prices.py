"""Prices against measurements: python -m benchmarks prices [workload ...].

Each case is compiled with all optimisations, and with each that changes something left out; each of these kernels is
timed on one thread, by its CPU time, and priced (`polyad.schedule.price`). Of two schedules of one program of which one
is faster by more than `APART`, the cheaper one ought to be the faster one: how often that is so is printed.
"""

import argparse
import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from benchmarks.with_polyad import Polyad
from benchmarks.worker import CLOCKS, find, samples_of
from benchmarks.workloads import WORKLOADS
from polyad.schedule import price
from polyad.schedule.strategies import Strategies
from polyad.targets.target import Target

__all__ = ["Priced", "agreement", "main", "priced"]

APART = 1.3
LEFT_OUT = "order fuse sink contraction jam layout points wavefront prefix time_tiles rows".split()
"""The strategies that are left out, one at a time. Without `simd` a compiler makes vectors of its own."""


@dataclass(frozen=True, slots=True)
class Priced:
    """A schedule of a program.

    Attributes:
        program: workload and case.
        without: the strategy that was left out.
        seconds: measured.
        price: instructions.
    """

    program: str
    without: str
    seconds: float
    price: float


def priced(names: Sequence[str], budget: float) -> Iterator[Priced]:
    """Time and price the schedules of the first small case of each workload, in `budget` seconds each."""
    for name in names:
        workload = find(name)
        contender = next((c for c in workload.contenders.values() if isinstance(c, Polyad)), None)
        case = next((c for c in workload.cases if c.quick), workload.cases[0])
        if contender is None:
            continue
        seen = set()
        for without in ("", *LEFT_OUT):
            kernel = contender.kernel(replace(case, symbolic=False), target=_without(without))
            if kernel.source in seen:
                continue
            seen.add(kernel.source)
            arrays = list(contender.inputs(case).values())
            seconds = min(samples_of(partial(kernel, *arrays), budget, CLOCKS["cpu"]))
            yield Priced(f"{name} {case.title}", without, seconds, price(kernel).total)


def _without(strategy: str) -> Any:
    """The default target without one of the strategies."""

    class Less(Target):
        """A target whose text, a part of the keys of caches, says what it leaves out."""

        @property
        def strategies(self) -> Strategies:
            every = Target.strategies.fget(self)  # type: ignore[attr-defined]
            return replace(every, **{strategy: False}) if strategy else every

        def __repr__(self) -> str:
            return f"{Target.__repr__(self)} without {strategy}"

    return Less("openmp")


def agreement(found: Sequence[Priced]) -> tuple[int, list[tuple[Priced, Priced]]]:
    """(pairs that differ, those of them in which the cheaper one is the slower one)."""
    pairs, wrong = 0, []
    for a, b in itertools.combinations(found, 2):
        slow, fast = (a, b) if a.seconds > b.seconds else (b, a)
        if a.program == b.program and slow.seconds > APART * fast.seconds:
            pairs += 1
            if slow.price <= fast.price:
                wrong.append((slow, fast))
    return pairs, wrong


def main(arguments: Sequence[str]) -> int:
    """Print each schedule, then how often prices agree with measurements."""
    made = argparse.ArgumentParser(prog="python -m benchmarks prices", description="Prices against measurements.")
    made.add_argument("names", nargs="*", metavar="workload", help=f"{', '.join(WORKLOADS)}; all by default")
    made.add_argument("--budget", type=float, default=0.3, help="seconds for each schedule, default 0.3")
    args = made.parse_args(arguments)
    unknown = [n for n in args.names if n not in WORKLOADS]
    if unknown:
        made.error(f"no workload {unknown[0]!r}; there are {', '.join(WORKLOADS)}")
    os.environ["OMP_NUM_THREADS"] = "1"
    found = []
    for one in priced(args.names or list(WORKLOADS), args.budget):
        found.append(one)
        left_out = f"without {one.without or 'nothing':12}"
        print(f"{one.program:40} {left_out} {one.seconds * 1e3:9.3f} ms {one.price:9.3g}", flush=True)
    pairs, wrong = agreement(found)
    share = f", {1 - len(wrong) / pairs:.0%}" if pairs else ""
    print(f"{pairs} pairs more than {APART} times apart; the cheaper one is faster in {pairs - len(wrong)}{share}")
    for slow, fast in wrong:
        print(
            f"  {slow.program}: without {slow.without or 'nothing'} is slower than without {fast.without or 'nothing'}"
        )
    return 0
