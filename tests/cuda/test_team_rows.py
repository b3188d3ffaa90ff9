"""Recurrences whose steps have products and sums that threads share, as cells with normalised gates, run as teams."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.certify.certify import certify
from polyad.codegen.cuda import block_sums
from polyad.codegen.loops.how import Divided
from polyad.codegen.loops.nodes import Loop
from polyad.codegen.loops.traversal import nodes
from polyad.errors import CertificationError
from polyad.machine.device import Limits
from tests.cuda.device import kernel_of
from tests.cuda.test_certified import changed, meetings, planned, read_back
from tests.cuda.test_programs import arrays
from tests.cuda.test_teams import limit, of, same_for_all_teams, small_products

__all__ = ["limit", "small_products"]

pnp = pa.numpy


def normed(v: Any, gain: Any) -> Any:
    centred = v - pnp.mean(v, axis=-1, keepdims=True)
    return gain * centred / pa.sqrt(pnp.mean(centred * centred, axis=-1, keepdims=True) + 1e-5)


def peephole_lstm(x: Any, W: Any, U: Any, gain: Any, peep: Any, h0: Any, c0: Any) -> Any:
    """An LSTM whose gates are normalised, and see the cell through peepholes."""
    H = h0.shape[-1]

    def step(carry: Any, row: Any) -> Any:
        h, c = carry
        z = row @ W + h @ U
        i, f, g, o = (normed(z[..., n * H : (n + 1) * H], gain[n * H : (n + 1) * H]) for n in range(4))
        i, f = pa.sigmoid(i + peep[:H] * c), pa.sigmoid(f + peep[H : 2 * H] * c)
        c = f * c + i * pa.tanh(g)
        h = pa.sigmoid(o + peep[2 * H :] * c) * pa.tanh(c)
        return (h, c), h

    _, hs = pa.scan(step, (h0, c0), x)
    return pnp.sum(hs * hs)


def simple(x: Any, W: Any, h0: Any) -> Any:
    """One product and two normalised halves a step."""
    H = h0.shape[-1]

    def step(h: Any, row: Any) -> Any:
        z = h @ W
        return pa.tanh(pa.nn.layer_norm(z[..., :H]) + row) * pa.nn.layer_norm(z[..., H:]), None

    h, _ = pa.scan(step, h0, x)
    return pnp.sum(h * h)


def cell_arrays(T: int, B: int, H: int, dtype: str = "float64") -> list[np.ndarray]:
    return arrays((T, B, H), (H, 4 * H), (H, 4 * H), (4 * H,), (3 * H,), (B, H), (B, H), dtype=dtype)


CASES: dict[str, tuple[Callable[..., Any], list[np.ndarray]]] = {
    "simple": (of(simple, 3), arrays((3, 5, 40), (40, 80), (5, 40))),
    "peephole LSTM": (of(peephole_lstm, 7), cell_arrays(2, 3, 33)),
    "in float32": (peephole_lstm, cell_arrays(3, 6, 48, "float32")),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.quick_cases(1)
def test_all_teams_have_the_same_bits(name: str, limit: Callable[[Limits, int], None]) -> None:
    same_for_all_teams(*CASES[name], 1 if name == "in float32" else 2, limit)


@pytest.mark.parametrize(("name", "forwards", "backwards"), [("simple", 2, 2), ("peephole LSTM", 2, 2)])
def test_a_team_meets_around_products_and_blocks_meet_in_rows(name: str, forwards: int, backwards: int) -> None:
    """At most three meetings of the team in a step; sums and what needs them are a block's."""
    kernel = kernel_of(CASES[name][0], *CASES[name][1])
    texts = [t for t in re.split(r"\nPA_\w*KERNEL ", kernel.code.c)[1:] if "PA_TEAM(" in t]
    assert [len(re.findall(r"\n *PA_TEAM_MEET", t)) for t in texts] == [forwards, backwards]
    assert all("PA_TEAM_BLOCK" in t and "pa_block_sum" in t and re.search(r"\n *PA_MEET", t) for t in texts)
    assert all("PA_KEPT(0)" in t for t in texts), "weights stay"


def test_teams_with_rows_are_certified_and_not_without_a_meeting(
    small_products: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(block_sums, "DEVICE", replace(block_sums.DEVICE, terms=3))
    plan, source = planned(kernel_of(of(simple, 3), *arrays((3, 2, 3), (3, 6), (2, 3))))
    rows = [n for n in nodes(plan.loops) if isinstance(n, Loop) and isinstance(n.how, Divided) and n.how.blocks]
    assert len(rows) == 2
    certify(plan)
    read_back(plan, source)
    refused = 0
    mutants = [*meetings(plan)]
    for mutant in mutants:
        try:
            certify(mutant)
        except CertificationError:
            refused += 1
    assert refused == len(mutants) == 14, "of a team, around its products, and of blocks: each is needed"


MUTATIONS = {
    "every block runs every row": changed(r"\bPA_TEAM_BLOCK\b", "0"),
    "threads for blocks": changed(r"\bPA_TEAM_BLOCKS\b", "PA_TEAM_THREADS"),
    "a team's threads in a row": changed(r"\bPA_THREAD\b", "PA_TEAM_THREAD"),
    "a meeting of teams in a row": changed(r"\bPA_MEET\b", "PA_TEAM_MEET"),
    "a meeting of blocks for the team's": changed(r"\bPA_TEAM_MEET\b", "PA_MEET"),
}


@pytest.mark.parametrize("what", MUTATIONS)
def test_a_text_that_says_something_else_is_refused(what: str) -> None:
    plan, source = planned(kernel_of(*(CASES["simple"][0], *CASES["simple"][1])))
    read_back(plan, source)
    texts = [*MUTATIONS[what](source.c)]
    assert texts
    for text in texts:
        with pytest.raises(CertificationError):
            read_back(plan, replace(source, c=text))
