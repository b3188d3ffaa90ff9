"""CPU seconds of first calls: polyad's, its C compiler's, and those of a peer that is given the same program.

    python -m benchmarks compile --peer jax [--rounds N] [NAME ...]

Each first call has a process of its own and an empty cache, after the call of a small product, which starts what a
library starts once: probes of the compiler and the kernel of contractions here, threads there. Importing is not counted
with it, and printed by itself.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.compile_cost import spent
from benchmarks.first_call_programs import PROGRAMS, array
from benchmarks.shared_words import WORDS

__all__ = ["compare", "first_call", "main"]

ROOT = Path(__file__).resolve().parents[1]


def measure_here(library: str, name: str) -> list[list[float]]:
    """CPU seconds of importing a library and of a first call, each of this process and of those it waited for."""
    program, start = PROGRAMS[name], spent()
    words = WORDS[library]()
    imported = spent()
    small = array(24, 24)
    words.call(lambda a, b: a @ b, 0, (small, small))
    before = spent()
    words.call(lambda *arrays: program.function(words, *arrays), program.variables, program.arrays)
    return [_between(start, imported), _between(before, spent())]


def _between(start: Sequence[float], end: Sequence[float]) -> list[float]:
    return [b - a for a, b in zip(start, end, strict=True)]


def first_call(library: str, name: str) -> list[list[float]]:
    """The same in a process of its own, with an empty cache."""
    with tempfile.TemporaryDirectory(prefix="polyad-first-") as cache:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "POLYAD_CACHE_DIR": cache, "POLYAD_VERIFY": ""}
        environment.pop("JAX_COMPILATION_CACHE_DIR", None)
        command = [sys.executable, "-m", "benchmarks.first_calls", library, name]
        done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{name} with {library}:\n{done.stderr}")
    times: list[list[float]] = json.loads(done.stdout.splitlines()[-1])
    return times


def compare(names: Sequence[str], peer: str, rounds: int) -> None:
    """Print the table: the least of some rounds in turns, ratios, their median and the greatest."""
    print(f"{'first call':<20}{'Python':>8}{'C':>8}{'both':>8}{peer:>8}{'ratio':>8}")
    ratios, imports = [], []
    for name in names:
        turns = [(first_call("polyad", name), first_call(peer, name)) for _ in range(rounds)]
        ours = min((own for (_, own), _ in turns), key=sum)
        theirs = min(sum(other) for _, (_, other) in turns)
        imports += [(sum(own), sum(other)) for (own, _), (other, _) in turns]
        ratios.append((sum(ours) / theirs, name))
        print(f"{name:<20}{ours[0]:8.2f}{ours[1]:8.2f}{sum(ours):8.2f}{theirs:8.2f}{ratios[-1][0]:8.2f}", flush=True)
    most, where = max(ratios)
    print(f"median {statistics.median(r for r, _ in ratios):.2f}, greatest {most:.2f} ({where})")
    print(f"importing: {min(i for i, _ in imports):.2f}, {peer} {min(i for _, i in imports):.2f}")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks compile", description="CPU seconds of first calls.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(PROGRAMS)}; all by default")
    parser.add_argument("--peer", choices=[n for n in WORDS if n != "polyad"], required=True, help="the other library")
    parser.add_argument("--rounds", type=int, default=1, help="the least of so many counts, default 1")
    options = parser.parse_args(arguments)
    unknown = [n for n in options.names if n not in PROGRAMS]
    if unknown:
        parser.error(f"no program {unknown[0]!r}; there are {', '.join(PROGRAMS)}")
    compare(options.names or list(PROGRAMS), options.peer, options.rounds)
    return 0


if __name__ == "__main__":
    print(json.dumps(measure_here(*sys.argv[1:3])))
