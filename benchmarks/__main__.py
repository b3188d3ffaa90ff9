"""The command line: python -m benchmarks [--peer torch,jax] [--threads 1,2] [names...]."""

import argparse
import sys

from benchmarks.peers import OWN, PEERS, installed
from benchmarks.report import report

WORKLOADS = ("lstm", "call_overhead", "compile_time")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Time polyad and its peers in one run.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"workloads: {', '.join(WORKLOADS)}; all by default")
    parser.add_argument("--peer", metavar="A,B", help="peers to compare with; by default those that are installed")
    parser.add_argument("--threads", default="1", metavar="N,M", help="numbers of threads to run with, default 1")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each contender, default 5")
    parser.add_argument("--budget", type=float, default=0.3, help="seconds of a turn, default 0.3")
    args = parser.parse_args()

    unknown = [n for n in args.names if n not in WORKLOADS]
    if unknown:
        parser.error(f"no workload {unknown[0]!r}; there are {', '.join(WORKLOADS)}")
    if args.peer is None:
        peers = [p for p in PEERS if installed(p)]
    else:
        peers = [p for p in args.peer.split(",") if p]
        missing = [p for p in peers if p not in PEERS or not installed(p)]
        if missing:
            parser.error(f"peer {missing[0]!r} is not installed or not known; known are {', '.join(PEERS)}")

    good = True
    for threads in map(int, args.threads.split(",")):
        for name in args.names or WORKLOADS:
            good &= report(name, (*OWN, *peers), threads, args.rounds, args.budget)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
