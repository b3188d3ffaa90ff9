"""Cost of gradients of C functions: time over that of the function itself, time over Enzyme's, and memory.

The functions are those of the tests, at sizes that take some milliseconds (c_functions/sizes.py). They are compiled
with `-O3 -march=native`. Who is timed writes into arrays that are there; turns alternate, and the least time counts.
Values and gradients of all are compared before.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.c_functions.sizes import SIZES
from benchmarks.c_functions.table import HEADING, Row, row_text, summary
from benchmarks.peers import installed

__all__ = ["main"]

PEERS = ("c", "enzyme")

_STACK = 1 << 30  # bytes; local arrays of the functions are large, and Enzyme has a second one for each
_PATIENCE = 600  # seconds
_ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str]) -> int:
    """Print the table; 1 where a function could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks c", description="Gradients of C functions.")
    parser.add_argument("names", nargs="*", metavar="FUNCTION", help=f"{', '.join(SIZES)}; all by default")
    parser.add_argument("--threads", type=int, default=1, help="of polyad's kernels, default 1; C and Enzyme have one")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each contender, default 7")
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=list(PEERS), help="besides polyad, default all")
    options = parser.parse_args(arguments)
    unknown = [n for n in options.names if n not in SIZES]
    if unknown:
        parser.error(f"no function {', '.join(unknown)}; there are {', '.join(SIZES)}")
    peers = [p for p in options.peers if p != "c"]  # all times are told in that of C
    if "enzyme" in peers and not installed("enzyme_ad"):
        peers.remove("enzyme")
        print("Enzyme is not installed: no times of it (pip install enzyme-ad)")
    print(HEADING)
    found: list[Row] = []
    whole = True
    for name in options.names or SIZES:
        row = _measured(name, options.threads, options.rounds, peers)
        if row is None and peers:
            row, whole = _measured(name, options.threads, options.rounds, []), False
        if row is None:
            whole = False
        else:
            found.append(row)
            print(row_text(row), flush=True)
    for line in summary(found):
        print(line)
    return 0 if whole else 1


def _measured(name: str, threads: int, rounds: int, peers: Sequence[str]) -> Row | None:
    """A row; None where there is none, and a line on the standard error says why."""
    command = [sys.executable, "-m", "benchmarks.c_functions.row", name, str(threads), str(rounds), *peers]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "JAX_PLATFORMS": "cpu"}
    if threads > 1:
        environment["OMP_PROC_BIND"] = "true"  # else both threads may stay on one core for a while
    try:
        done = subprocess.run(
            command,
            cwd=_ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
            preexec_fn=_room_on_the_stack,
        )
    except subprocess.TimeoutExpired:
        print(f"{name:16} no end after {_PATIENCE} s", file=sys.stderr)
        return None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        why = lines[-1] if lines else f"status {done.returncode}"
        print(f"{name:16} {'with Enzyme: ' * bool(peers)}{why}", file=sys.stderr)
        return None
    return Row(**json.loads(done.stdout.splitlines()[-1]))


def _room_on_the_stack() -> None:
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    soft = _STACK if hard == resource.RLIM_INFINITY else min(_STACK, hard)
    resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))
