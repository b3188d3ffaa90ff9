"""A run as a file: what was measured, when, on which machine, with which versions."""

import datetime
import importlib.metadata
import json
import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.rounds import Measured

__all__ = ["Run", "here"]


@dataclass(frozen=True, slots=True)
class Run:
    """A measurement.

    Attributes:
        machine: what -> text: processor, cores, caches, system, compiler, date, versions.
        measured: one entry a contender, case and number of threads.
    """

    machine: Mapping[str, str]
    measured: tuple[Measured, ...]

    def save(self, path: Path) -> None:
        text = json.dumps({"machine": dict(self.machine), "measured": [asdict(m) for m in self.measured]}, indent=1)
        path.write_text(text + "\n")

    @classmethod
    def load(cls, path: Path) -> "Run":
        found = json.loads(path.read_text())
        return cls(found["machine"], tuple(Measured(**m) for m in found["measured"]))


def here() -> dict[str, str]:
    """This machine, today."""
    libraries = [n for n in ("polyad", "numpy", "torch", "jax") if _version(n)]
    return {
        "date": datetime.date.today().isoformat(),
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "caches": _caches(),
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "compiler": _first_line([os.environ.get("CC", "gcc"), "--version"]),
        "versions": ", ".join(f"{n} {_version(n)}" for n in libraries),
    }


def _version(library: str) -> str | None:
    if library == "polyad":
        from polyad import __version__

        return __version__
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    flags = next((line.split() for line in lines if line.startswith("flags")), [])
    return f"{name} ({'AVX-512' if 'avx512f' in flags else 'AVX2' if 'avx2' in flags else 'no AVX2'})"


def _caches() -> str:
    """Sizes of the first core's caches: "L1 48K, L2 2048K, L3 107520K"."""
    found = []
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            level, kind, size = ((index / n).read_text().strip() for n in ("level", "type", "size"))
        except OSError:
            continue
        if kind != "Instruction":
            found.append(f"L{level} {size}")
    return ", ".join(found) or "unknown"


def _first_line(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"
