"""The command `python -m polyad.machine`: what was measured as a table, and how to use it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from polyad.errors import PolyadError
from polyad.machine import MACHINE
from polyad.measure.measured_machine import MEASURED, keep, measure
from polyad.runtime.compiler import find_compiler
from polyad.runtime.cpu import this_cpu

__all__ = ["main", "table"]

_WHY = "no such cache is reported, there is one thread only, or others use the cores: try again when they do not"
_USE = "polyad.Target(machine=polyad.measured_machine())"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, keep.

    Args:
        argv: the arguments after the module's name; those of the process when None.

    Returns:
        The exit status: 0, or 1 where nothing can be measured or kept (one line on stderr).
    """
    parser = argparse.ArgumentParser(
        prog="python -m polyad.machine",
        description="Measure the few numbers that vary between machines, and keep them for kernels whose target asks.",
    )
    parser.parse_args(argv)
    try:
        compiler = find_compiler()
        numbers = measure(compiler)
    except PolyadError as problem:
        print(f"polyad: {' '.join(str(problem).split())}", file=sys.stderr)
        return 1
    print(f"CPU       {this_cpu().architecture} {this_cpu().model}\ncompiler  {compiler.version}\n\n{table(numbers)}\n")
    kept = keep(compiler, numbers)
    if kept is None:
        print("polyad: the cache cannot be written, so this is not kept; see `polyad doctor`", file=sys.stderr)
        return 1
    print(f"Kept in {kept.directory}. Kernels are built for the defaults unless their target says: {_USE}")
    return 0


def table(numbers: Mapping[str, float]) -> str:
    """A line for each number that varies: its name, the default, what was measured, what it means."""
    rows = [("number", "default", "measured", "what it means")]
    for m in MEASURED:
        found = _spelled(numbers[m.name], m.unit) if m.name in numbers else "-"
        rows.append((m.name, _spelled(getattr(MACHINE, m.name), m.unit), found, f"{m.unit} {m.meaning}"))
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    lines = [
        f"{name:<{widths[0]}}  {usual:>{widths[1]}}  {found:>{widths[2]}}  {meaning}"
        for name, usual, found, meaning in rows
    ]
    if any(m.name not in numbers for m in MEASURED):
        lines += ["", f"-: the default stands, as {_WHY}"]
    return "\n".join(lines)


def _spelled(value: float, unit: str) -> str:
    """1 MiB, 200 000, 4."""
    if unit == "bytes":
        for name, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
            if value >= size:
                return f"{value / size:.3g} {name}"
    return f"{round(value):,}".replace(",", " ")
