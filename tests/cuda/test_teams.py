"""Teams of blocks that run the steps of a recurrence: the same bits for any team, and the proofs that one block has."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import optree
import pytest

import polyad as pa
from polyad.codegen import launch_shape
from polyad.codegen.certify.certify import certify
from polyad.codegen.certify.read_back import launches
from polyad.codegen.certify.symbolic.prove import prove
from polyad.codegen.cuda import launch_text, step_products
from polyad.codegen.loops.nodes import Share
from polyad.codegen.loops.traversal import nodes
from polyad.errors import CertificationError
from polyad.kernel import Kernel
from polyad.machine.device import Limits
from polyad.runtime.codegen_options import language_of
from polyad.runtime.cuda.driver import find_driver
from tests.cuda.device import agrees, in_order, kernel_of, same_values, target
from tests.cuda.test_certified import changed, code, meetings, planned, read_back
from tests.cuda.test_programs import arrays, lstm

pnp = pa.numpy

OWN = launch_shape.DEVICE.own_shared

TEAMS = {
    "one block for each row": (Limits(), 1 << 20),
    "clusters": (Limits(), 64),
    "clusters with several rows": (Limits(5, cluster=2), 64),
    "blocks that count": (Limits(24, cluster=1), 64),
    "few blocks that count, of several rows": (Limits(4, OWN + 12000, 1), 64),
    "no room": (Limits(4, OWN, 2), 64),
}
"""Limits of a device, and the work that one more block of a team is worth."""


def rnn(x: Any, W: Any, h0: Any) -> Any:
    h, _ = pa.scan(lambda h, row: (pa.tanh(h @ W + row), None), h0, x)
    return pnp.sum(h * h)


def lone(x: Any, W: Any, h0: Any) -> Any:
    """A recurrence of one row."""
    _, hs = pa.scan(lambda h, row: ((new := pa.tanh(W @ h + row)), new), h0, x)
    return pnp.sum(hs * hs)


def gru(x: Any, W: Any, U: Any, V: Any, h0: Any) -> Any:
    def step(h: Any, row: Any) -> Any:
        z, r = pa.sigmoid(row @ W + h @ U), pa.sigmoid(row @ W - h @ U)
        new = (1.0 - z) * pa.tanh((r * h) @ V + row @ W) + z * h
        return new, new

    _, hs = pa.scan(step, h0, x)
    return pnp.sum(hs * hs)


def of(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    return pa.value_and_grad(function, argnums=tuple(range(count)))


def lstm_arrays(T: int, B: int, H: int, dtype: str = "float64") -> list[np.ndarray]:
    return arrays((T, B, H), (H, 4 * H), (H, 4 * H), (4 * H,), (B, H), (B, H), dtype=dtype)


CASES: dict[str, tuple[Callable[..., Any], list[np.ndarray]]] = {
    "LSTM": (of(lstm, 6), lstm_arrays(3, 5, 33)),
    "LSTM in float32": (of(lstm, 6), lstm_arrays(2, 9, 40, "float32")),
    "tanh": (of(rnn, 3), arrays((3, 6, 70), (70, 70), (6, 70))),
    "one row": (of(lone, 3), arrays((4, 45), (45, 45), (45,))),
    "GRU": (of(gru, 5), arrays((2, 3, 34), (34, 34), (34, 34), (34, 34), (3, 34))),
}


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Callable[[Limits, int], None]:
    """Set the limits of the device, and the work that is worth one more block of a team."""

    def limited(limits: Limits, work: int) -> None:
        monkeypatch.setattr(find_driver(), "limits", limits)
        monkeypatch.setattr(launch_shape, "DEVICE", replace(launch_shape.DEVICE, member_work=work))

    return limited


@pytest.fixture
def small_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make products of sums of three terms."""
    monkeypatch.setattr(step_products, "DEVICE", replace(step_products.DEVICE, terms=3))


def bits(kernel: Kernel, given: list[np.ndarray], seed: int = 0) -> bytes:
    with in_order(seed):
        return b"".join(np.asarray(a).tobytes() for a in optree.tree_leaves(Kernel.__call__(kernel, *given)))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.quick_cases(2)
def test_all_teams_have_the_same_bits(name: str, limit: Callable[[Limits, int], None]) -> None:
    same_for_all_teams(*CASES[name], 2, limit)


def same_for_all_teams(function: Any, given: Any, teams: int, limit: Callable[[Limits, int], None]) -> None:
    """A function has right values, and the same bits at all settings; `teams`: one launch forwards, one backwards."""
    kernel = kernel_of(function, *given, arch="compute_90")
    shapes = [launch for launch in kernel.code.launches if launch.over == "teams"]
    assert len(shapes) == teams
    same_values(kernel, *given)
    wanted, kinds = bits(kernel, given), set()
    for limits, work in TEAMS.values():
        limit(limits, work)
        for shape in shapes:
            geometry = shape.geometry({}, limits)
            kinds.add((geometry.members > 1, geometry.counts))
        assert bits(kernel, given) == wanted == bits(kernel, given, seed=3)
    assert kinds == {(False, False), (True, False), (True, True)}


@pytest.mark.parametrize("sizes", [(0, 2, 33), (1, 1, 33), (2, 1, 32), (1, 4, 64)])
@pytest.mark.quick_cases(1)
def test_sizes_that_are_given_later(sizes: tuple[int, int, int], limit: Callable[[Limits, int], None]) -> None:
    T, B, H = pa.sizes("T B H", min=0)
    x, h0 = pa.placeholder((T, B, H), "x", "float64"), pa.placeholder((B, H), "h0", "float64")
    W = pa.placeholder((H, H), "W", "float64")
    loss = rnn(x, W, h0)
    kernel = pa.compile([loss, *pa.grad(loss, [x, W, h0])], [x, W, h0], target=target(arch="compute_90"))
    assert [launch.over for launch in kernel.code.launches].count("teams") == 2
    t, b, h = sizes
    given = arrays((t, b, h), (h, h), (b, h))
    limit(Limits(8, cluster=4), 64)
    same_values(kernel, *given)


def meets(kernel: Kernel) -> list[int]:
    """How often the threads of a team meet in a step, for each launch of teams."""
    texts = re.split(r"\nPA_\w*KERNEL ", kernel.code.c)[1:]
    return [len(re.findall(r"\n *PA_TEAM_MEET", t)) for t in texts if "PA_TEAM(" in t]


@pytest.mark.parametrize(("name", "forwards", "backwards"), [("LSTM", 2, 2), ("tanh", 1, 2), ("GRU", 2, 3)])
def test_few_meetings(name: str, forwards: int, backwards: int) -> None:
    function, given = CASES[name]
    kernel = kernel_of(function, *given)
    assert meets(kernel) == [forwards, backwards]


def test_neighbours_meet() -> None:
    """A phase that reads what another iteration of the phase before has written comes behind a meeting."""

    def shifted(h: Any, w: Any) -> Any:
        def step(h: Any, _: None) -> Any:
            z = pa.tanh(h * w)
            return h + pnp.roll(z, 1, axis=-1), None

        last, _ = pa.scan(step, h, None, length=3)
        return pnp.sum(last * last)

    given = arrays((2, 40), (40,))
    kernel = kernel_of(pa.value_and_grad(shifted, argnums=(0, 1)), *given)
    same_values(kernel, *given)
    assert kernel.code.c.count("PA_MEET") >= 2
    kernel.certify()


def test_launches_do_not_grow_with_the_steps() -> None:
    few, many = (kernel_of(of(lstm, 6), *lstm_arrays(T, 4, 32)) for T in (2, 50))
    assert len(few.code.launches) == len(many.code.launches) <= 17


def test_weights_stay_where_nothing_writes_them() -> None:
    def learning(x: Any, W: Any, h0: Any) -> Any:
        """The weights change from step to step."""

        def step(carry: Any, row: Any) -> Any:
            h, W = carry
            new = pa.tanh(h @ W + row)
            return (new, W * 0.9), None

        (h, _), _ = pa.scan(step, (h0, W), x)
        return pnp.sum(h)

    given = arrays((3, 4, 33), (33, 33), (4, 33))
    changes, stays = kernel_of(learning, *given), kernel_of(rnn, *given)
    assert "PA_KEPT(0)" in stays.code.c
    assert "PA_KEPT" not in changes.code.c
    same_values(changes, *given)


def window(W: Any) -> Any:
    """Each step reads the weights from its own row and column on: others in each, though nothing writes them."""
    n = W.shape[0]
    k = pa.reduce_axis(n, name="k")

    def body(s: Any, t: Any, j: Any) -> Any:
        total = pa.sum(pa.select(k >= t, s[t - 1, k] * W[k, j], 0.0), axis=k)
        return pa.select(t == 0, W[0, j], pa.select(j >= t, pa.tanh(total), 0.5))

    return pnp.sum(pa.recurrence((n, n), body, name="s"))


def test_weights_of_a_window_that_moves_do_not_stay(small_products: None) -> None:
    kernel = agrees(window, *arrays((7, 7)))
    assert "PA_PASSING" in kernel.code.c and "PA_KEPT" not in kernel.code.c
    agrees(pa.grad(window), *arrays((7, 7)))


def test_a_window_that_stays_is_refused(small_products: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader asks for itself: here the generator's own question is answered wrongly."""
    plan, _ = planned(kernel_of(window, *arrays((7, 7))))

    def wrong(launch: Any, known: Any) -> Any:
        return {loop: n for n, loop in enumerate(step_products.products(launch))}

    monkeypatch.setattr(launch_text, "rooms", wrong)
    monkeypatch.setattr(launches, "rooms", wrong)
    source = language_of(target()).source(plan)
    assert "PA_KEPT(0)" in source.c
    with pytest.raises(CertificationError, match="stays from step to step"):
        read_back(plan, source)


def test_a_meeting_less_is_refused(small_products: None) -> None:
    kernel = kernel_of(of(rnn, 3), *arrays((3, 2, 3), (3, 3), (2, 3)))
    plan, _ = planned(kernel)
    assert any(isinstance(n, Share) for n in nodes(plan.loops))
    certify(plan)
    mutants = [m for m in meetings(plan) if len([n for n in nodes(m.loops) if isinstance(n, Share)]) == 2]
    refused = 0
    for mutant in mutants:
        with suppress(CertificationError):
            certify(mutant)
            continue
        refused += 1
    assert refused == len(mutants) >= 3


MUTATIONS = {
    "another team": changed(r"pa_team_first\(0", "pa_team_first(1"),
    "no more teams": changed(r"pa_team_last", "pa_team_first"),
    "one thread of each block": changed(r"\bPA_TEAM_THREAD\b", "PA_THREAD"),
    "no meeting": changed(r"\n *PA_TEAM_MEET", ""),
    "a meeting of blocks": changed(r"PA_TEAM_MEET", "PA_MEET"),
    "what passes stays": changed(r"PA_PASSING", "PA_KEPT(0)"),
    "another room": changed(r"PA_KEPT\(0\)", "PA_KEPT(1)"),
    "more rooms": changed(r"PA_ROOMS\(1\)", "PA_ROOMS(2)"),
    "a product of a block": changed(r"PA_TEAM_PRODUCT", "PA_BLOCK_PRODUCT"),
    "other terms": changed(r"pa_terms = pa_s0", "pa_terms = pa_c0"),
    "other rows": changed(r"= i_first \+ pa_m", "= pa_m"),
    "another operand": changed(r"PA_STEP_ROWS\(", "PA_STEP_COLUMNS("),
    "no start": changed(r"= PA_STEP_START;", "= 0.0;"),
    "no sum": changed(r" \+ PA_STEP_SUM", ""),
    "a sign": changed(r" \+ PA_STEP_SUM", " - PA_STEP_SUM"),
    "another kernel": changed(r"PA_PRODUCTS_KERNEL", "PA_KERNEL"),
    "another team's words": changed(r"PA_TEAM\(pa_meetings, pa_blocks\)", "PA_TEAM(pa_meetings, 1)"),
}


def test_a_text_that_says_something_else_is_refused() -> None:
    plan, source = planned(kernel_of(of(lstm, 6), *lstm_arrays(2, 3, 33)))
    read_back(plan, source)
    tried = set()
    for what, mutants in MUTATIONS.items():
        for text in mutants(source.c):
            assert code(text) != code(source.c)
            tried.add(what)
            with pytest.raises(CertificationError):
                read_back(plan, replace(source, c=text))
    assert tried == MUTATIONS.keys() - {"what passes stays"}


def test_a_host_that_is_told_something_else_is_refused() -> None:
    plan, source = planned(kernel_of(of(lstm, 6), *lstm_arrays(2, 3, 33)))
    place = next(n for n, launch in enumerate(source.launches) if launch.over == "teams")
    team = source.launches[place]

    def wrong() -> Iterator[Any]:
        yield replace(team, over="blocks")
        yield replace(team, counts=())
        yield replace(team, parameters=team.parameters[:-1])

    for shape in wrong():
        launches = (*source.launches[:place], shape, *source.launches[place + 1 :])
        with pytest.raises(CertificationError):
            read_back(plan, replace(source, launches=launches))


@pytest.mark.parametrize(
    ("rows", "columns", "terms", "limits", "members", "counts"),
    [
        (1, 64, 64, Limits(), 1, False),
        (16, 512, 128, Limits(), 4, False),
        (64, 1024, 256, Limits(), 8, False),
        (64, 2048, 512, Limits(), 32, True),
        (1, 4096, 1024, Limits(), 128, True),
        (64, 1024, 256, Limits(cluster=1), 8, True),
        (64, 1024, 256, Limits(multiprocessors=2, cluster=1), 1, False),
    ],
)
def test_geometry(rows: int, columns: int, terms: int, limits: Limits, members: int, counts: bool) -> None:
    affine = launch_shape.Affine.of
    product = launch_shape.ProductShape((affine(columns),), (affine(terms),), 4, True)
    shape = launch_shape.LaunchShape("k", (), "teams", (affine(rows),), (), True, (), (product,))
    found = shape.geometry({}, limits)
    assert (found.members, found.counts) == (members, counts)
    assert found.blocks % members == 0 and found.blocks <= limits.multiprocessors
    assert 0 <= found.room <= limits.shared - OWN


def test_one_team_does_all_once(limit: Callable[[Limits, int], None]) -> None:
    """A kernel that knows no clusters takes each block of one for a team of its own."""
    function, given = CASES["one row"]
    kernel = kernel_of(function, *given)  # of compute_80
    assert "PA_LONE_TEAM" in kernel.code.c
    limit(Limits(), 16)
    same_values(kernel, *given)


def test_teams_are_proved_for_all_sizes_and_not_without_a_meeting(small_products: None) -> None:
    T, B, H = pa.sizes("T B H")
    x, h0 = pa.placeholder((T, B, H), "x", "float64"), pa.placeholder((B, H), "h0", "float64")
    W = pa.placeholder((H, H), "W", "float64")
    loss = rnn(x, W, h0)
    kernel = pa.compile([loss, *pa.grad(loss, [x, W, h0])], [x, W, h0], target=target())
    plan, _ = planned(kernel)
    assert len([n for n in nodes(plan.loops) if isinstance(n, Share)]) == 2
    assert prove(plan).proved
    mutants = [*meetings(plan)]
    assert len(mutants) >= 3
    assert not any(prove(mutant).proved for mutant in mutants)
