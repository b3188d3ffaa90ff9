"""python -m benchmarks cliffs [--only NAME,...] [--quick]: where a size more, or other words, cost more.

Each program of `PROGRAMS` is written in three wordings that compute the same numbers. Its value and its gradient are
timed at sizes around the limits of vectors, register blocks and caches; a step of more than 1.3 for each point between
neighbouring sizes, or wordings that are further apart than 1.3, makes the run fail.
"""

import argparse
import os
from collections.abc import Sequence

from benchmarks.cliffs.detect import Time, cliffs
from benchmarks.cliffs.measure import KINDS, measured
from benchmarks.cliffs.products import PRODUCTS
from benchmarks.cliffs.recurrent import RECURRENT
from benchmarks.cliffs.reductions import REDUCTIONS

__all__ = ["PROGRAMS", "curves", "main"]

PROGRAMS = {make.__name__: make for make in (*RECURRENT, *REDUCTIONS, *PRODUCTS)}


def curves(times: Sequence[Time]) -> list[str]:
    """A line for each wording: nanoseconds a point, size by size."""
    lines: dict[str, list[str]] = {}
    for t in times:
        lines.setdefault(f"{t.program} {t.kind} {t.wording}", []).append(f"{t.N}: {t.per_point:.3g}")
    return [f"{which:42} {'  '.join(points)}" for which, points in lines.items()]


def main(arguments: Sequence[str]) -> int:
    """Print the curves, then what is apart, the worst first; 1 where there is any such thing."""
    made = argparse.ArgumentParser(prog="python -m benchmarks cliffs", description="Steps of size, and of wording.")
    made.add_argument("--only", metavar="A,B", help=f"{', '.join(PROGRAMS)}; all by default")
    made.add_argument("--quick", action="store_true", help="gradients at three sizes")
    made.add_argument("--budget", type=float, default=0.01, help="seconds for a turn of each kernel, default 0.01")
    args = made.parse_args(arguments)
    names = args.only.split(",") if args.only else list(PROGRAMS)
    unknown = [n for n in names if n not in PROGRAMS]
    if unknown:
        made.error(f"no program {unknown[0]!r}; there are {', '.join(PROGRAMS)}")
    os.environ["OMP_NUM_THREADS"] = "1"
    found: list[Time] = []
    for name in names:
        program = PROGRAMS[name]()
        middle = len(program.sizes) // 2
        sizes = program.sizes[middle - 1 : middle + 2] if args.quick else program.sizes
        for kind in KINDS[1:] if args.quick else KINDS:
            times = measured(name, program, kind, sizes, args.budget)
            found += times
            print(*curves(times), sep="\n", flush=True)
    apart = cliffs(found)
    print(f"\n{len(names)} programs; {len(apart)} apart by more than 1.3", *apart, sep="\n")
    return 1 if apart else 0
