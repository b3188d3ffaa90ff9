"""Time of one function: C, polyad and Enzyme in turn, in a process of its own.

`python -m benchmarks.c_functions.row NAME THREADS ROUNDS PEERS` writes a row as JSON. Enzyme ends the process where it
finds what it cannot differentiate; that is why there is one.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.c_functions.enzyme import Gradient
from benchmarks.c_functions.function import Function, function_named
from benchmarks.c_functions.own import Own
from benchmarks.c_functions.plain import Plain
from benchmarks.c_functions.table import Row

__all__ = ["measure"]

_AGREE = 1e-6  # relative to the largest element


def measure(name: str, threads: int, rounds: int, peers: Sequence[str]) -> Row:
    """Time a function; turns of the contenders alternate, the least time counts.

    Raises:
        ArithmeticError: two contenders give different numbers.
    """
    function = function_named(name)
    with tempfile.TemporaryDirectory(prefix="polyad_benchmark_") as scratch:
        folder = Path(scratch)
        plain = Plain(function, folder)
        value, gradient = (Own(function, folder, threads, gradient) for gradient in (False, True))
        contenders: list[Callable[[], None]] = [plain, value, gradient]
        plain()
        for kernel in (value, gradient):
            _compare(kernel.results, plain.values, "polyad", "C")
        note = ""
        if "enzyme" in peers:
            enzyme = Gradient(function)
            enzyme()
            _compare(enzyme.values, plain.values, "Enzyme", "C")
            note = _compare_gradients(function, plain, enzyme.gradients, gradient.results)
            contenders += [enzyme] * (not note)
        times = _least(contenders, rounds)
    arrays = sum(function.given[p.name].nbytes for p in function.parameters if p.is_array)
    return Row(name, *times[:3], times[3] if len(times) > 3 else None, arrays, gradient.workspace_bytes, note)


def _compare(found: Mapping[str, Any], expected: Mapping[str, Any], who: str, whom: str) -> None:
    """Raise if the arrays that both have differ."""
    for name in found.keys() & expected.keys():
        one, other = np.ravel(found[name]), np.ravel(expected[name])
        scale = np.abs(other).max(initial=0) or 1.0
        apart = float(np.abs(one - other).max(initial=0) / scale)
        if not apart <= _AGREE:
            raise ArithmeticError(f"{name} of {who} and of {whom} differ by {apart:.1e} of the largest element")


def _compare_gradients(function: Function, plain: Plain, enzyme: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """Nothing where both gradients are the same; that Enzyme's is wrong, where differences of the C function say so.

    Raises:
        ArithmeticError: polyad's is no better.
    """
    try:
        _compare({f"{n}_bar": a for n, a in enzyme.items()}, own, "Enzyme", "polyad")
    except ArithmeticError:
        rng = np.random.default_rng(0)
        steps = {n: rng.normal(size=np.shape(function.given[n])) for n in function.case.wrt}
        slope = plain.slope(steps)
        theirs, ours = (
            sum(float(np.vdot(found[of(n)], step)) for n, step in steps.items())
            for found, of in ((enzyme, str), (own, "{}_bar".format))
        )
        if not 1000 * abs(ours - slope) < abs(theirs - slope):
            raise
        return f"Enzyme's gradient is wrong: along a line {theirs:.6g}, differences say {slope:.6g}, polyad {ours:.6g}"
    return ""


def _least(contenders: Sequence[Callable[[], None]], rounds: int) -> list[float]:
    """The least milliseconds of each."""
    best = [float("inf")] * len(contenders)
    for turn in range(rounds + 1):
        for n, call in enumerate(contenders):
            start = time.perf_counter()
            call()
            milliseconds = 1e3 * (time.perf_counter() - start)
            if turn:  # the first one fills caches
                best[n] = min(best[n], milliseconds)
    return best


if __name__ == "__main__":
    _name, _threads, _rounds, *_peers = sys.argv[1:]
    print(json.dumps(asdict(measure(_name, int(_threads), int(_rounds), _peers))))
