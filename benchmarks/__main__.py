"""The command line: python -m benchmarks [workload ...] [--peer torch,jax] [--threads 1,2] [--cases ...] [--quick].

`python -m benchmarks compile` measures what compiling costs; see compile_cost.py. With `--peer jax`
it compares first calls of twenty programs; see first_calls.py. `python -m benchmarks c` times
gradients of C functions, beside Enzyme's; see c_programs.py. `python -m benchmarks prices` compares
prices of schedules with what they take; see prices.py. `python -m benchmarks cliffs` finds steps of
time per point between neighbouring sizes and wordings; see cliffs/command.py. `python -m benchmarks busy`
compares all threads with one while another program keeps a core busy; see busy.py.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks import busy, c_programs, compile_cost, first_calls, prices
from benchmarks.cliffs import command as cliffs
from benchmarks.page import write_page
from benchmarks.peers import OWN, PEERS, installed
from benchmarks.record import Run, here
from benchmarks.rounds import Measured, measure
from benchmarks.table import HEADING, changes, failures, row_text, rows
from benchmarks.worker import CLOCKS, find
from benchmarks.workloads import WORKLOADS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m benchmarks", description="Time polyad and its peers in one run.")
    made.add_argument("names", nargs="*", metavar="workload", help=f"{', '.join(WORKLOADS)}; all by default")
    made.add_argument("--peer", metavar="A,B", help="peers to compare with; by default those that are installed")
    made.add_argument("--against", metavar="CHECKOUT", type=Path, help="time the polyad of this folder in turns, too")
    made.add_argument("--threads", default="1", metavar="N,M", help="numbers of threads to run with, default 1")
    made.add_argument("--cases", metavar="A,B", help="only cases whose titles contain all words of one of these")
    made.add_argument("--quick", action="store_true", help="some cases only, in two short rounds")
    made.add_argument("--symbolic", action="store_true", help="tell polyad the sizes when it is called, not before")
    made.add_argument("--rounds", type=int, help="turns of each contender, default 5")
    made.add_argument("--budget", type=float, help="seconds of a turn, default 0.3")
    made.add_argument("--patience", type=float, default=300, help="seconds until a contender is given up, default 300")
    made.add_argument(
        "--clock", choices=CLOCKS, default="wall", help="cpu: for one thread on a machine that others use"
    )
    made.add_argument("--json", metavar="FILE", type=Path, help="write the run to this file, after each case")
    made.add_argument(
        "--page", metavar="FILE", type=Path, nargs="+", help="time nothing: write docs/performance.md from these runs"
    )
    return made


def main() -> int:
    if sys.argv[1:2] == ["compile"]:
        peers_too = any(a.split("=")[0] == "--peer" for a in sys.argv[2:])
        return (first_calls if peers_too else compile_cost).main(sys.argv[2:])
    if sys.argv[1:2] == ["c"]:
        return c_programs.main(sys.argv[2:])
    if sys.argv[1:2] == ["prices"]:
        return prices.main(sys.argv[2:])
    if sys.argv[1:2] == ["busy"]:
        return busy.main(sys.argv[2:])
    if sys.argv[1:2] == ["cliffs"]:
        return cliffs.main(sys.argv[2:])
    made = parser()
    args = made.parse_args()
    if args.page:
        write_page([Run.load(path) for path in args.page], PAGE)
        return 0
    unknown = [n for n in args.names if n not in WORKLOADS]
    if unknown:
        made.error(f"no workload {unknown[0]!r}; there are {', '.join(WORKLOADS)}")
    if args.peer is None:
        peers = [p for p in PEERS if installed(p)]
    else:
        peers = [p for p in args.peer.split(",") if p]
        missing = [p for p in peers if p not in PEERS or not installed(p)]
        if missing:
            made.error(f"peer {missing[0]!r} is not installed or not known; known are {', '.join(PEERS)}")
    rounds = args.rounds or (2 if args.quick else 5)
    budget = args.budget or (0.1 if args.quick else 0.3)
    threads = [int(n) for n in args.threads.split(",")]

    print(HEADING, flush=True)
    measured: list[Measured] = []
    machine = here()
    for name in args.names or WORKLOADS:
        for case in find(name).cases:
            if not (case.quick if args.quick and not args.cases else wanted(case.title, args.cases)):
                continue
            new = measure(
                name,
                replace(case, symbolic=args.symbolic),
                (*OWN, *peers),
                threads,
                rounds,
                budget,
                args.patience,
                args.clock,
                args.against and args.against.resolve(),
            )
            measured += new
            for row in rows(new):
                print(row_text(row), flush=True)
            if args.json:
                Run(machine, tuple(measured)).save(args.json)
    for line in changes(rows(measured)):
        print(line)
    return 1 if failures(rows(measured)) else 0


def wanted(title: str, patterns: str | None) -> bool:
    """Whether a case is one of those asked for: `--cases "H64 f32,H512"`."""
    words = title.split()
    return patterns is None or any(set(p.split()) <= set(words) for p in patterns.split(","))


if __name__ == "__main__":
    sys.exit(main())
