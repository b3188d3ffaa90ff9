"""Every workload at tiny sizes: its gradient agrees with central differences, its results with those of the peers."""

import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from benchmarks.peers import library_of
from benchmarks.rounds import apart
from benchmarks.with_polyad import Polyad
from benchmarks.worker import find
from benchmarks.workload import Case
from benchmarks.workloads import WORKLOADS

LARGE = (
    "lstm",
    "layer_norm_lstm",
    "gru_rnn",
    "adbench_lstm",
    "adbench_gmm",
    "scalar_states",
    "attention",
    "heat",
    "wave",
)
"""Many statements, so they are compiled in seconds."""


def tiny_cases() -> Iterator[Any]:
    """Each workload in each of its variants once, in double precision."""
    for name in WORKLOADS:
        workload = find(name)
        seen = set()
        for case in workload.cases:
            variant = case.kind, *case.sizes
            if variant not in seen and isinstance(next(iter(workload.contenders.values())), Polyad):
                seen.add(variant)
                sizes = {size: workload.tiny.get(size, 3) for size in case.sizes}
                tiny = replace(case, sizes=sizes, dtype="float64")
                marks = [pytest.mark.slow] if name in LARGE else []
                yield pytest.param(name, tiny, id=f"{name} {tiny.title}", marks=marks)


def along(arrays: dict[str, Any], directions: dict[str, Any], step: float) -> list[Any]:
    return [a + step * directions[n] if n in directions else a for n, a in arrays.items()]


@pytest.mark.parametrize(("name", "case"), list(tiny_cases()))
@pytest.mark.quick_cases(2)
def test_gradients_are_those_of_the_values(name: str, case: Case) -> None:
    polyad = next(iter(find(name).contenders.values()))
    assert isinstance(polyad, Polyad)
    kernel, arrays = polyad.kernel(case), polyad.inputs(case)
    rng = np.random.default_rng(1)
    directions = {n: rng.normal(size=arrays[n].shape) for n in polyad.wrt(case)}
    _, *gradients = kernel(*arrays.values())
    slope = sum(np.vdot(g, d) for g, d in zip(gradients, directions.values(), strict=True))
    high, low = (kernel(*along(arrays, directions, step))[0] for step in (1e-5, -1e-5))
    assert slope == pytest.approx((high - low) / 2e-5, rel=1e-6, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "case"), list(tiny_cases()))
def test_peers_have_the_same_results(name: str, case: Case) -> None:
    own, *others = find(name).contenders.items()
    set_up = own[1](case)
    expected = set_up.arrays(set_up.call())
    for contender, made in others:
        # torch.compile takes long, and computes what the contender without it does.
        if importlib.util.find_spec(library_of(contender)) and not contender.endswith("compile"):
            ready = made(case)
            assert apart(ready.arrays(ready.call()), expected) < 1e-10, contender


@pytest.mark.slow
@pytest.mark.parametrize(("name", "case"), list(tiny_cases()))
def test_sizes_may_be_told_at_the_call(name: str, case: Case) -> None:
    set_up = next(iter(find(name).contenders.values()))
    fixed, symbolic = (set_up(replace(case, symbolic=s)) for s in (False, True))
    assert apart(symbolic.arrays(symbolic.call()), fixed.arrays(fixed.call())) < 1e-12
