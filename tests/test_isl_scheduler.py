import islpy as isl
import pytest

from polyad import isl_scheduler
from polyad.isl_scheduler import find_schedule, has_order

DOMAINS = {"time": isl.Set("[N] -> { time[t] : 0 <= t < N }"), "and": isl.Set("[N] -> { and[t] : 0 <= t < N }")}
FORWARD = [
    ("time", "and", isl.Map("[N] -> { time[t] -> and[t + 1] : 0 <= t < N - 1 }")),
    ("and", "time", isl.Map("[N] -> { and[t] -> time[t] : 0 <= t < N }")),
]
ROUND = [*FORWARD, ("time", "and", isl.Map("[N] -> { time[t] -> and[t] : 0 <= t < N }"))]
POSITIVE = isl.Set("[N] -> { : N >= 3 }")


@pytest.mark.parametrize("small", [0, 100])
def test_the_child_finds_what_this_process_finds(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isl_scheduler, "SMALL", small)
    assert has_order(DOMAINS, FORWARD, POSITIVE)
    assert not has_order(DOMAINS, ROUND, POSITIVE)


def test_what_was_asked_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    run = isl_scheduler.subprocess.run
    monkeypatch.setattr(isl_scheduler, "SMALL", 0)
    monkeypatch.setattr(isl_scheduler.subprocess, "run", lambda *a, **k: started.append(a) or run(*a, **k))
    isl_scheduler._answer.cache_clear()
    renamed = [(f"{a} again", f"{b} again", m) for a, b, m in FORWARD]
    for _ in range(2):
        assert has_order(DOMAINS, FORWARD, POSITIVE)
        assert has_order({f"{n} again": d for n, d in DOMAINS.items()}, renamed, POSITIVE), "names decide nothing"
    assert len(started) == 1
    assert not has_order(DOMAINS, ROUND, POSITIVE)
    assert len(started) == 2


def test_names_decide_nothing() -> None:
    found = find_schedule(DOMAINS, FORWARD, options={"outer_coincidence": 1})
    assert found is not None and "time" not in str(found) and "N" not in str(found)


def test_options_are_put_back() -> None:
    before = isl.DEFAULT_CONTEXT.get_schedule_outer_coincidence()
    find_schedule(DOMAINS, FORWARD, options={"outer_coincidence": 1 - before})
    assert isl.DEFAULT_CONTEXT.get_schedule_outer_coincidence() == before


def test_a_process_that_cannot_be_started_is_no_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isl_scheduler, "SMALL", 0)
    monkeypatch.setattr("sys.executable", "")
    assert find_schedule(DOMAINS, FORWARD) is None
    monkeypatch.setattr("sys.executable", "python-of-nobody")
    assert find_schedule(DOMAINS, FORWARD) is None


@pytest.mark.slow
def test_a_search_without_end_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    # Endless only in the child, where isl would be asked.
    monkeypatch.setattr(isl_scheduler, "SMALL", 0)
    monkeypatch.setattr(isl_scheduler, "SECONDS", 1)
    monkeypatch.setattr(isl_scheduler, "_CHILD", isl_scheduler._CHILD.replace("print(", "while True: pass\nprint("))
    assert find_schedule(DOMAINS, FORWARD) is None
