"""Parallel loops around recurrences that are run in one part per thread: where they are made, and what is legal."""

from dataclasses import replace

import pytest

from polyad.errors import IllegalScheduleError
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.schedule.tree.nodes import Band, Mark, Node, from_isl, map_nodes, to_isl
from tests.codegen.samples import INFERENCE
from tests.programs import program
from tests.schedule.execution import read_instance, times, violations
from tests.schedule.samples import COLUMNS, LSTM_FORWARD, SAMPLES
from tests.schedule.test_scheduler import loops_around

# Each element of the batch has weights of its own: nothing is gained by taking several elements together.
WEIGHTS_OF_THE_BATCH = INFERENCE.replace("U: float32[H, H]", "U: float32[B, H, H]").replace("U[k, j]", "U[b, k, j]")


def with_share(schedule: Schedule, dim: str) -> Schedule:
    """The mark `share` on all bands of one loop over `dim`, in place of other marks."""

    def change(node: Node) -> Node:
        match node:
            case Mark(_, Band() as band) if _runs_over(band, dim):
                return Mark("share", band)
            case Mark(_, Mark() as inner):
                return inner  # the band below was marked already
            case Band() if _runs_over(node, dim):
                return Mark("share", node)
            case _:
                return node

    return Schedule(to_isl(schedule.isl.get_domain(), map_nodes(from_isl(schedule.isl.get_root().child(0)), change)))


def _runs_over(band: Band, dim: str) -> bool:
    return band.size == 1 and f"({dim})]" in str(band.partial)


def test_a_batch_of_recurrences_with_a_contraction_is_shared() -> None:
    drawn = default_schedule(program(INFERENCE)).tree()
    assert loops_around(drawn, "Su") == ["share for b", "for t", "contraction for b", "for k", "for j"]
    for statement in ("z_init", "Sh"):
        assert loops_around(drawn, statement) == ["share for b", "for t", "for b", "simd for k"]


@pytest.mark.parametrize("off", ["share", "contraction", "parallel"])
def test_the_switches_are_obeyed(off: str) -> None:
    drawn = default_schedule(program(INFERENCE), replace(ALL, **{off: False})).tree()
    assert "share" not in drawn
    assert loops_around(drawn, "Sh")[:2] == ["for b" if off == "parallel" else "parallel for b", "for t"]


def test_without_a_contraction_over_the_batch_there_is_a_parallel_loop() -> None:
    pointwise = INFERENCE.replace("h[t, b, j] * U[k, j]", "h[t, b, k]").replace(", j] :", "] :")
    pointwise = pointwise.replace(" and 0 <= j < H", "")
    for text in (pointwise, WEIGHTS_OF_THE_BATCH):
        drawn = default_schedule(program(text)).tree()
        assert "share" not in drawn
        assert loops_around(drawn, "Sh")[:2] == ["parallel for b", "for t"]


def test_a_state_for_the_whole_batch_cannot_be_shared() -> None:
    """A mean over the batch ties its elements in every step."""
    text = LSTM_FORWARD.replace(
        "  temporary tc: float64[T, B, H]", "  temporary tc: float64[T, B, H]\n  temporary m: float64[T, H]"
    )
    text = text.replace("= go[t, b, k] * tc[t, b, k]", "= go[t, b, k] * tc[t, b, k] + m[t, k]")
    size = "[T, B, I, H] -> {"
    text += (
        f"  m_init: {size} m_init[t, k] : 0 <= t < T and 0 <= k < H }}\n      m[t, k] = 0.0\n"
        f"  Sm: {size} Sm[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }}\n      m[t, k] += tc[t, b, k]\n"
    )
    p = program(text)
    schedule = default_schedule(p)
    schedule.check(p)
    assert "share" not in schedule.tree()


@pytest.mark.parametrize("name", ["lstm_gradient", "lstm_forward", "lstm_last"])
def test_shared_schedules_keep_dependences_instance_by_instance(name: str) -> None:
    p = program(SAMPLES[name])
    s = default_schedule(p)
    assert "share for b" in s.tree()
    s.check(p)
    sizes = {"T": 2, "B": 2, "I": 1, "H": 2}
    assert not violations(p, s, sizes)
    time = times(s, sizes)
    assert len(set(time.values())) == len(time)
    assert Schedule.from_yaml(str(s)).tree() == s.tree()


def test_a_shared_loop_that_carries_a_dependence_is_refused_with_both_instances() -> None:
    p = program(COLUMNS)
    s = default_schedule(p)
    with_share(s, "k").check(p)
    wrong = with_share(s, "t")
    assert "share for t" in wrong.tree()
    with pytest.raises(IllegalScheduleError, match="share") as caught:
        wrong.check(p)
    source, sink = read_instance(caught.value.source_instance), read_instance(caught.value.sink_instance)
    assert source[0] == sink[0] == "S" and source[1][0] + 1 == sink[1][0] and source[1][1] == sink[1][1]
    assert caught.value.source_instance in str(caught.value) and caught.value.sink_instance in str(caught.value)
    assert not wrong.is_legal(p)


def test_a_shared_time_is_refused_in_a_gradient() -> None:
    p = program(SAMPLES["lstm_gradient"])
    wrong = with_share(default_schedule(p, replace(ALL, share=False, contraction=False, parallel=False)), "t")
    with pytest.raises(IllegalScheduleError):
        wrong.check(p)
