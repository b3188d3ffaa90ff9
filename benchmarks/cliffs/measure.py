"""Times of programs in all wordings and sizes, on one thread, by the clock of the processor."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from benchmarks.cliffs.detect import Time, cliffs
from benchmarks.cliffs.program import Program
from benchmarks.with_polyad import placeholders
from benchmarks.worker import CLOCKS, samples_of

__all__ = ["KINDS", "compiled", "measured"]

KINDS = ("value", "gradient")
ROUNDS = 3
AGAIN = 6
"""Rounds for those that seem to be apart: another program on the machine is no cliff."""


def compiled(program: Program, wording: str, kind: str, N: int) -> Any:
    """The kernel of a wording: the array, or half the sum of its squares with gradients for all arrays of numbers."""
    import polyad as pa

    tensors = placeholders(program.inputs(N))
    result = program.wordings[wording](pa, *tensors.values())
    if kind == "value":
        return pa.compile(result, list(tensors.values()), name=wording)
    loss = 0.5 * pa.numpy.sum(result * result)
    wanted = [t for n, t in tensors.items() if not n.startswith("i_")]
    return pa.compile([loss, *pa.grad(loss, wanted)], list(tensors.values()), name=wording)


def measured(name: str, program: Program, kind: str, sizes: Sequence[int], budget: float) -> list[Time]:
    """The least times of all wordings at these sizes, whose numbers are compared.

    Args:
        name, program: which one.
        kind: one of KINDS.
        sizes: values of N.
        budget: seconds for a turn of a kernel.

    Raises:
        AssertionError: two wordings are not the same program.
    """
    calls: dict[tuple[str, int], Callable[[], Any]] = {}
    for N in sizes:
        arrays = list(program.inputs(N).values())
        first: Any = None
        for wording in program.wordings:
            kernel = compiled(program, wording, kind, N)
            results = kernel(*arrays)
            results = [np.array(a) for a in (results if isinstance(results, list | tuple) else [results])]
            first = first or results
            _check(f"{name} {kind}, N = {N}: {wording}", results, first)
            calls[wording, N] = partial(kernel, *arrays, out=results if len(results) > 1 else results[0])
    least = dict.fromkeys(calls, float("inf"))

    def times() -> list[Time]:
        return [Time(name, kind, w, N, least[w, N] * 1e9 / program.count(N)) for w, N in calls]

    for turn in range(ROUNDS + AGAIN):
        which = list(calls) if turn < ROUNDS else _suspects(times())
        for key in which:
            least[key] = min(least[key], *samples_of(calls[key], budget, CLOCKS["cpu"]))
    return times()


def _suspects(times: Sequence[Time]) -> list[tuple[str, int]]:
    return list(dict.fromkeys((t.wording, t.N) for c in cliffs(times) for t in (c.slow, c.fast)))


def _check(what: str, results: Sequence[Any], first: Sequence[Any]) -> None:
    for mine, theirs in zip(results, first, strict=True):
        most = float(np.max(np.abs(theirs))) or 1.0
        np.testing.assert_allclose(mine / most, theirs / most, rtol=0, atol=2e-3, err_msg=what)
