"""How large the caches of this machine are, as the operating system tells."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

__all__ = ["cache_sizes", "caches_below"]

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_SYSCTL = {2: ("hw.perflevel0.l2cachesize", "hw.l2cachesize"), 3: ("hw.l3cachesize",)}


def cache_sizes() -> dict[int, int]:
    """Level -> bytes, of the caches that hold data, from the second level on; empty where the system does not tell."""
    if sys.platform == "darwin":
        found = {level: next(filter(None, map(_sysctl, names)), 0) for level, names in _SYSCTL.items()}
        return {level: size for level, size in found.items() if size}
    core = min(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    return caches_below(Path(f"/sys/devices/system/cpu/cpu{core}/cache"))


def caches_below(folder: Path) -> dict[int, int]:
    """The same of one core, as Linux writes it: a folder for each cache, with files `level`, `type` and `size`."""
    found: dict[int, int] = {}
    for cache in sorted(folder.glob("index*")):
        try:
            level, kind, size = ((cache / name).read_text("ascii").strip() for name in ("level", "type", "size"))
        except (OSError, ValueError):
            continue
        number = re.fullmatch(r"(\d+)([KMG]?)", size)
        if kind in ("Data", "Unified") and level.isdecimal() and int(level) > 1 and number is not None:
            found[int(level)] = int(number[1]) * _UNITS[number[2]]
    return {level: size for level, size in found.items() if size}


def _sysctl(name: str) -> int:
    try:
        answer = subprocess.run(["sysctl", "-n", name], capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return 0
    return int(answer.stdout) if answer.stdout.strip().isdecimal() else 0
