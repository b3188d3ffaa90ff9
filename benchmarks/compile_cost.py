"""CPU seconds of a cold compile: Python, and the C compiler that it starts, of a list of definitions.

    python -m benchmarks compile [--against CHECKOUT] [--rounds N] [NAME ...]

CPU time is what a definition costs on a machine that does other things, too. A first kernel is compiled before, so
that what is done once for a machine (probes of the compiler, the macro-kernel of contractions) is there; then each
definition is compiled in a process and a cache of its own. `--against` compiles the same with the polyad of another
checkout, in turns, and prints ratios; the least of the rounds counts.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEFINITIONS_FILE = ROOT / "benchmarks" / "compile_definitions.py"


def spent() -> list[float]:
    """CPU seconds of this process, and of those that it waited for."""
    uses = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return [use.ru_utime + use.ru_stime for use in uses]


def measure_here(name: str) -> list[float]:
    """CPU seconds that the polyad of this process and its C compiler take for a definition."""
    import runpy

    definitions = runpy.run_path(str(DEFINITIONS_FILE))
    for dtype in ("float32", "float64"):
        definitions["prime"](dtype)
    before = spent()
    definitions["DEFINITIONS"][name]()
    return [after - start for after, start in zip(spent(), before, strict=True)]


def measure(checkout: Path, name: str) -> list[float]:
    """The same in a process of its own with the polyad of a checkout, and with an empty cache."""
    with tempfile.TemporaryDirectory(prefix="polyad-cost-") as cache:
        environment = {**os.environ, "PYTHONPATH": str(checkout), "POLYAD_CACHE_DIR": cache, "POLYAD_VERIFY": ""}
        command = [sys.executable, str(Path(__file__).resolve()), name]
        done = subprocess.run(command, env=environment, cwd=cache, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{name} with {checkout}:\n{done.stderr}")
    times: list[float] = json.loads(done.stdout.splitlines()[-1])
    return times


def main(arguments: Sequence[str]) -> int:
    import runpy

    definitions = runpy.run_path(str(DEFINITIONS_FILE))["DEFINITIONS"]
    parser = argparse.ArgumentParser(prog="python -m benchmarks compile", description="CPU seconds of cold compiles.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(definitions)}; all by default")
    parser.add_argument("--against", metavar="CHECKOUT", type=Path, help="print ratios to the polyad of this folder")
    parser.add_argument("--rounds", type=int, default=2, help="the least of so many counts, default 2")
    options = parser.parse_args(arguments)
    unknown = [n for n in options.names if n not in definitions]
    if unknown:
        parser.error(f"no definition {unknown[0]!r}; there are {', '.join(definitions)}")
    checkouts = [ROOT, *([options.against.resolve()] if options.against else [])]
    print(
        f"{'definition':<28}{'Python':>8}{'C':>8}{'both':>8}" + (f"{'there':>8}{'ratio':>8}" if options.against else "")
    )
    for name in options.names or definitions:
        turns = [[measure(checkout, name) for checkout in checkouts] for _ in range(options.rounds)]
        best = [min((turn[i] for turn in turns), key=sum) for i in range(len(checkouts))]
        row = f"{name:<28}{best[0][0]:8.2f}{best[0][1]:8.2f}{sum(best[0]):8.2f}"
        print(row + "".join(f"{sum(b):8.2f}{sum(best[0]) / sum(b):8.2f}" for b in best[1:]), flush=True)
    return 0


if __name__ == "__main__":
    print(json.dumps(measure_here(sys.argv[1])))
