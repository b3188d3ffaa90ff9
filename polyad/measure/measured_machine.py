"""The machine that was measured here: kept in the cache for one CPU and one compiler, used where it is asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from polyad.errors import CallError
from polyad.machine import MACHINE, Machine
from polyad.measure.caches import cache_sizes
from polyad.measure.probe import Times, take_times
from polyad.runtime.cache import Cache, digest, open_cache
from polyad.runtime.compiler import Compiler, find_compiler
from polyad.runtime.cpu import this_cpu

__all__ = ["MEASURED", "Measured", "find_measured", "keep", "measure", "measured_machine", "numbers_of"]

_KIND = "machines"
_FORMAT = "1"
"""Part of the key: another one where what is measured, or how, changes."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One of the numbers that vary.

    Attributes:
        name: of the number in `Machine`.
        unit: what it counts.
        meaning: a line for the table.
    """

    name: str
    unit: str
    meaning: str


MEASURED = (
    Measured("cache", "bytes", "found again in a core's cache: half of the second level"),
    Measured("outgrown", "bytes", "gone from that cache before it is used again: all of it"),
    Measured("shared_cache", "bytes", "found again by all cores: half of the last level"),
    Measured("division", "additions", "as long as a division, both in vectors"),
    Measured("exp", "additions", "as long as an exp, both in vectors"),
    Measured("thread_start", "additions", "done while threads start"),
    Measured("thread_meeting", "additions", "done while threads that run meet"),
    Measured("shared_contraction", "products", "of a contraction worth threads: five times their start"),
)
"""The numbers, in the order of the table. All others follow from how code is made, not from the machine."""

_STARTS = MACHINE.shared_contraction / MACHINE.thread_start


def measure(compiler: Compiler) -> dict[str, float]:
    """Name -> number, of those that could be found out.

    Raises:
        CompileError: the compiler does not work, or what it makes does not run.
    """
    return numbers_of(cache_sizes(), take_times(compiler))


def numbers_of(caches: Mapping[int, int], times: Times) -> dict[str, float]:
    """Return the numbers that follow from the caches, level -> bytes, and from times.

    What is timed is rounded to two digits, as it never comes out the same; it is what kernels are kept by.
    """
    found: dict[str, float] = {}
    if 2 in caches:
        found |= {"cache": caches[2] // 2, "outgrown": caches[2]}
    if caches:
        found["shared_cache"] = caches[max(caches)] // 2
    found["division"] = max(1, round(times.division))
    found["exp"] = max(2, round(times.exp))
    if times.start is not None:
        start = _two_digits(times.start / times.addition)
        found |= {"thread_start": start, "shared_contraction": _STARTS * start}
    if times.meeting is not None:
        found["thread_meeting"] = _two_digits(times.meeting / times.addition)
    return found


def _two_digits(value: float) -> float:
    return float(f"{value:.1e}")


def keep(compiler: Compiler, numbers: Mapping[str, float]) -> Cache | None:
    """Write the numbers into the cache; None where they will not be found there, as it cannot be written."""
    cache = open_cache()
    cache.store(_KIND, _key(compiler), {"numbers": dict(numbers)})
    return cache if cache.persistent and _kept(cache, compiler) is not None else None


def measured_machine() -> Machine:
    """The machine with the numbers that `python -m polyad.machine` measured, for `Target(machine=)`.

    Nothing is measured here, and no kernel is built for this machine unless it is in its target: what a program
    computes, to the last bit, does not depend on what is in a cache.

    Raises:
        CallError: nothing was measured for this CPU and this compiler.
        CompileError: there is no compiler.
    """
    compiler = find_compiler()
    found = find_measured(compiler)
    if found is None:
        raise CallError(
            f"nothing was measured yet for {this_cpu().model or 'this CPU'} and {compiler.version}: run "
            "`python -m polyad.machine` once, or leave out machine=, which needs no measuring",
            "machine",
        )
    return found


def find_measured(compiler: Compiler) -> Machine | None:
    """The same; None where nothing was measured."""
    return _kept(open_cache(), compiler)


def _kept(cache: Cache, compiler: Compiler) -> Machine | None:
    record = cache.load(_KIND, _key(compiler), {"numbers": dict})
    return None if record is None else _machine(record["numbers"])


def _machine(numbers: Mapping[str, Any]) -> Machine | None:
    """The machine of a record; None where it holds anything else than numbers that were measured."""
    if not numbers.keys() <= {m.name for m in MEASURED}:
        return None
    if not all(type(n) in (int, float) and math.isfinite(n) for n in numbers.values()):
        return None
    try:
        return replace(MACHINE, **numbers)
    except CallError:
        return None


def _key(compiler: Compiler) -> str:
    return digest(_FORMAT, this_cpu().identity, compiler.identity)
