"""The command: draws programs, has them judged, shrinks and keeps what fails, and says what was seen."""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

__all__ = ["again", "main", "names"]

# Set before NumPy and OpenMP are loaded: threads of theirs would take the cores from each other.
for _name, _value in {
    "OMP_WAIT_POLICY": "passive",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_DYNAMIC": "false",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}.items():
    os.environ.setdefault(_name, _value)

from tests.campaign.classes import CLASSES  # noqa: E402 - the environment comes first
from tests.campaign.pool import judge_all  # noqa: E402
from tests.campaign.program import Program  # noqa: E402
from tests.campaign.shrink import TRIES, keep, shrink  # noqa: E402
from tests.campaign.trial import Verdict, cpu_seconds  # noqa: E402

BATCH = 24
SHRUNK = 2  # failures of one class and kind that are made short; it takes a minute each
PEER_EVERY = 10  # of so many batches, one is judged by JAX too


def names(count: int, seed: int, classes: Sequence[str]) -> Iterator[str]:
    """Names of programs, the classes in turn."""
    for n in range(count):
        yield f"{classes[n % len(classes)]}/{seed}/{n // len(classes)}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("--programs", type=int, default=200, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="the same seed draws the same programs everywhere")
    parser.add_argument("--class", dest="classes", action="append", choices=sorted(CLASSES), help="of this class only")
    parser.add_argument("--only", action="append", help="the program of this name (class/seed/number)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--seconds", type=float, default=None, help="stop after this time")
    parser.add_argument("--keep", type=Path, default=None, help="write failures, shrunk, into this folder")
    parser.add_argument("--show", action="store_true", help="print the programs and do nothing else")
    return parser


def _drawn(name: str) -> Program:
    return CLASSES[name.split("/")[0]](name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; 0 when nothing failed."""
    given = _parser().parse_args(arguments)
    wanted = given.only or list(names(given.programs, given.seed, given.classes or list(CLASSES)))
    if given.show:
        for name in wanted:
            program = _drawn(name)
            print(f"# {name}  {program.extents}  {program.options}\n{program.text}")
        return 0
    if given.jobs > 1:
        return _by_several(given, wanted)
    start, found, failures = time.monotonic(), Counter[tuple[str, str]](), 0
    judged: Counter[str] = Counter()
    symbolic = 0
    refusals: Counter[str] = Counter()
    fallbacks: Counter[str] = Counter()
    kept: Counter[tuple[str, str]] = Counter()
    for number, first in enumerate(range(0, len(wanted), BATCH)):
        if given.seconds is not None and time.monotonic() - start > given.seconds:
            print(f"stopped by the clock after {first} programs")
            break
        batch = [_drawn(name) for name in wanted[first : first + BATCH]]
        by_name = {p.name: p for p in batch}
        for name, verdict in judge_all(batch, peer=bool(given.only) or number % PEER_EVERY == 0).items():
            found[by_name[name].label, verdict.kind] += 1
            judged.update(verdict.peers.split())
            fallbacks.update([verdict.fallback] if verdict.fallback else [])
            if verdict.kind == "refused":
                refusals[
                    f"{verdict.signature}: {verdict.detail[:150]}"
                    if verdict.signature not in " ".join(refusals)
                    else verdict.signature
                ] += 1
            if verdict.failed or (given.only and verdict.kind != "right"):
                failures += verdict.failed
                print(f"{verdict.kind}: {name}: {verdict.detail}", flush=True)
            if verdict.failed and given.keep is not None:
                kept[by_name[name].label, verdict.signature] += 1
                alike = kept[by_name[name].label, verdict.signature] > SHRUNK
                _keep(by_name[name], verdict, given.keep, tries=0 if alike else TRIES)
        symbolic += sum(p.options.symbolic and not p.options.front for p in batch)
        if number % 10 == 9 or given.keep is not None:
            print(f"# {first + len(batch)} programs, {cpu_seconds():.0f} s of CPU", flush=True)
    _summary(found, judged, refusals)
    print(f"{symbolic} programs with symbolic sizes, of which {sum(fallbacks.values())} ran at fixed ones")
    for why, n in fallbacks.most_common():
        print(f"fixed {n:6}  {why}")
    return 1 if failures else 0


def _keep(program: Program, verdict: Verdict, folder: Path, tries: int) -> None:
    path = keep(shrink(program, verdict, tries), verdict, folder)
    print(f"  kept as {path}", flush=True)


def _summary(found: Counter[tuple[str, str]], judged: Counter[str], refusals: Counter[str]) -> None:
    kinds = sorted({kind for _, kind in found}, key=lambda k: (k != "right", k))
    print(f"{'class':14}" + "".join(f"{kind:>9}" for kind in kinds))
    for label in [*CLASSES, "all"]:
        row = [sum(n for (c, k), n in found.items() if k == kind and label in (c, "all")) for kind in kinds]
        if any(row):
            print(f"{label:14}" + "".join(f"{n:>9}" for n in row))
    print("judged by " + ", ".join(f"{who}: {n}" for who, n in sorted(judged.items())))
    for signature, n in refusals.most_common(12):
        print(f"refused {n:4}  {signature}")
    print(f"{cpu_seconds():.0f} s of CPU for {sum(found.values())} programs")


def _by_several(given: argparse.Namespace, wanted: Sequence[str]) -> int:
    """Share the programs among processes; each prints its own summary."""
    children = []
    for job in range(given.jobs):
        child = os.fork()
        if child == 0:
            rest = [f"--only={name}" for name in wanted[job :: given.jobs]]
            options = ["--keep", str(given.keep)] if given.keep else []
            options += ["--seconds", str(given.seconds)] if given.seconds else []
            os._exit(main([*rest, *options]))
        children.append(child)
    statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    sys.stdout.flush()
    return max(statuses)


def again(program: Program) -> None:
    """Judge one program with every reference and print what comes out; what kept failures call."""
    verdict = judge_all([program], peer=True)[program.name]
    print(f"{verdict.kind}: {verdict.detail or verdict.peers}")
    sys.exit(verdict.failed)
