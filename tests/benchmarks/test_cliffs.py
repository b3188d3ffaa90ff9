"""The cliff detector: planted steps and planted slow wordings are found, and its wordings are one program each."""

import numpy as np
import pytest

from benchmarks.cliffs import command, measure
from benchmarks.cliffs.command import PROGRAMS, curves, main
from benchmarks.cliffs.detect import Time, cliffs
from benchmarks.cliffs.measure import measured
from benchmarks.cliffs.program import Program, program

SMOOTH = [
    Time("p", kind, wording, N, per_point)
    for kind in ("value", "gradient")
    for wording in ("formula", "scan")
    for N, per_point in ((31, 1.05), (32, 1.0), (33, 1.1), (63, 0.7), (64, 0.7), (65, 0.72))
]


def planted(*changed: Time) -> list[Time]:
    keys = {(t.kind, t.wording, t.N) for t in changed}
    return [t for t in SMOOTH if (t.kind, t.wording, t.N) not in keys] + list(changed)


def test_what_is_smooth_has_no_cliff() -> None:
    assert cliffs(SMOOTH) == []


def test_a_step_up_and_a_step_down_are_found() -> None:
    up = Time("p", "value", "formula", 33, 1.31)
    (found,) = cliffs(planted(up, Time("p", "value", "scan", 33, 1.29)))
    assert (found.slow, found.fast.N, found.kind) == (up, 32, "step")
    down = Time("p", "value", "formula", 31, 1.4)
    assert [c.slow for c in cliffs(planted(down, Time("p", "value", "scan", 31, 1.2)))] == [down]


def test_beyond_a_gap_only_what_costs_more_is_a_step() -> None:
    cheaper = [
        Time("p", "value", w, N, v / 2) for w in ("formula", "scan") for N, v in ((63, 0.7), (64, 0.7), (65, 0.7))
    ]
    assert cliffs(planted(*cheaper)) == []
    dearer = [Time("p", "value", w, N, 1.5) for w in ("formula", "scan") for N in (63, 64, 65)]
    assert {(c.slow.N, c.fast.N) for c in cliffs(planted(*dearer))} == {(63, 33)}


def test_a_slow_wording_is_found_and_the_worst_comes_first() -> None:
    by_size = ((31, 1.05), (32, 1.0), (33, 1.1), (63, 0.7), (64, 0.7), (65, 0.72))
    slow = [Time("p", "gradient", "scan", N, 3 * v) for N, v in by_size]
    step = Time("p", "value", "scan", 65, 1.4)
    found = cliffs(planted(*slow, step))
    assert [c.slow.kind for c in found] == ["gradient", "value", "value"]
    assert {c.kind for c in found[1:]} == {"wording", "step"}
    assert found[0].ratio == pytest.approx(3.0)
    assert (found[0].slow.wording, found[0].fast.wording) == ("scan", "formula")
    assert "3.00  p gradient" in str(found[0])


def test_there_are_forty_programs_of_three_wordings() -> None:
    every = [make() for make in PROGRAMS.values()]
    assert len(every) >= 40
    assert all(len(p.wordings) == 3 and len(p.sizes) >= 6 for p in every)


def test_wordings_of_unlike_numbers_are_refused() -> None:
    unlike = program("x: 4 N", "N", formula=lambda lib, x: x * x, twice=lambda lib, x: 2.0 * x * x)
    with pytest.raises(AssertionError, match=r"planted value, N = 5: twice"):
        measured("planted", unlike, "value", [5], 0.0)


def test_the_run_fails_where_something_is_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = planted(Time("p", "gradient", "scan", 64, 5.0))
    monkeypatch.setattr(command, "PROGRAMS", {"p": lambda: Program({}, (), {}, (31, 32, 33))})
    monkeypatch.setattr(command, "measured", lambda *_: given)
    assert main(["--only", "p", "--quick"]) == 1
    assert "2 apart by more than 1.3" in capsys.readouterr().out
    monkeypatch.setattr(command, "measured", lambda *_: SMOOTH)
    assert main(["--only", "p", "--quick"]) == 0
    assert curves(SMOOTH)[0].endswith("31: 1.05  32: 1  33: 1.1  63: 0.7  64: 0.7  65: 0.72")


def test_what_seems_to_be_apart_is_timed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: dict[int, int] = {}

    def samples(run: object, budget: float, clock: object) -> list[float]:
        turns[id(run)] = turns.get(id(run), 0) + 1
        return [9.0] if turns[id(run)] <= measure.ROUNDS and id(run) == next(iter(turns)) else [1.0]

    monkeypatch.setattr(measure, "samples_of", samples)
    one = program("x: 4 N", "N", formula=lambda lib, x: x * x, power=lambda lib, x: x**2)
    assert cliffs(measured("planted", one, "value", [5, 6], 0.0)) == []
    assert len(turns) == 4


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_all_wordings_compute_the_same_numbers(name: str) -> None:
    small = PROGRAMS[name]()
    assert all(np.isfinite(t.per_point) for kind in measure.KINDS for t in measured(name, small, kind, [31], 0.0))
