"""The abilities of this machine's processor: code for "native" must not be loaded on another one."""

from __future__ import annotations

import functools
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Cpu", "this_cpu", "usable_cores", "usable_threads"]

# In the order in which each includes the ones before, as far as generated code is concerned.
_VECTOR_FEATURES = ("sse2", "sse4_2", "avx", "fma", "avx2", "avx512f", "avx512_bf16", "asimd", "neon", "sve", "sve2")


@dataclass(frozen=True, slots=True)
class Cpu:
    """A processor.

    Attributes:
        architecture: "x86_64", "aarch64", "arm64", ...
        model: its name as sold.
        features: the instruction sets that the operating system reports, sorted.
    """

    architecture: str
    model: str
    features: tuple[str, ...]

    @property
    def identity(self) -> str:
        """Text that differs between processors which need different native code."""
        return " ".join((self.architecture, self.model, *self.features))

    @property
    def vector_features(self) -> tuple[str, ...]:
        """The vector instruction sets among the features."""
        return tuple(f for f in _VECTOR_FEATURES if f in self.features)


@functools.cache
def this_cpu() -> Cpu:
    """The processor of this machine, as far as the system tells."""
    architecture = platform.machine()
    if sys.platform == "darwin":
        model = _sysctl("machdep.cpu.brand_string")
        features = f"{_sysctl('machdep.cpu.features')} {_sysctl('machdep.cpu.leaf7_features')}".lower().split()
        if architecture == "arm64":
            features.append("neon")
        return Cpu(architecture, model, tuple(sorted(set(features))))
    fields = _cpuinfo()
    model = fields.get("model name", "") or " ".join(
        f"{name} {fields[name]}" for name in ("CPU implementer", "CPU part", "CPU variant") if name in fields
    )
    features = (fields.get("flags") or fields.get("Features") or "").split()
    return Cpu(architecture, model or platform.processor(), tuple(sorted(set(features))))


def usable_cores() -> int:
    """The cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def usable_threads() -> int:
    """How many threads OpenMP would start, for where no library of it can be asked."""
    asked = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return int(asked) if asked.isdigit() and int(asked) else usable_cores()


def _cpuinfo() -> dict[str, str]:
    """The fields of the first processor in /proc/cpuinfo."""
    fields: dict[str, str] = {}
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return fields
    for line in text.splitlines():
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), value.strip())
    return fields


def _sysctl(name: str) -> str:
    try:
        answer = subprocess.run(["sysctl", "-n", name], capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return answer.stdout.strip()
