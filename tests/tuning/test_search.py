"""The search with times of our own: what it takes, what it leaves, in which order, and how it ends."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from polyad.passes import prepare
from polyad.schedule.moves.move import Move, replay
from polyad.schedule.moves.order import candidates
from polyad.schedule.moves.places import moves_without_names
from polyad.schedule.scheduler import default_schedule
from polyad.tuning.bench import Built, Moves
from polyad.tuning.noise import is_faster, is_hopeless
from polyad.tuning.search import DroppedError, EndedError, Found, RefusedError, search
from tests import programs
from tests.renamed import Renaming

PROGRAM = prepare(programs.program(programs.MATVEC))
BASE = default_schedule(PROGRAM)
WORK = {s.name: 1000 for s in PROGRAM.statements}
CONSTANT = (1.0, 1.01, 0.99, 1.0, 1.02, 0.98)


def scaled(factor: float) -> list[float]:
    return [factor * t for t in CONSTANT]


class Clocked:
    """Trials whose times are a function of the moves, and which end after so many."""

    def __init__(self, seconds: Callable[[Moves], float], most: int = 10**6):
        self.seconds, self.most = seconds, most
        self.built: list[Moves] = []
        self.compared: list[tuple[Moves, Moves]] = []

    def build(self, moves: Moves) -> Built:
        if len(self.built) >= self.most:
            raise EndedError
        self.built.append(moves)
        schedule = replay(moves, BASE)
        if not schedule.is_legal(PROGRAM):
            raise RefusedError("illegal")
        return Built(str(schedule), f"proved {len(moves)}")

    def compare(self, old: Moves, new: Moves) -> tuple[Sequence[float], Sequence[float]]:
        self.compared.append((old, new))
        return scaled(self.seconds(old)), scaled(self.seconds(new))


def found(trials: Clocked, begin: Moves = (), work: dict[str, int] | None = None) -> Found:
    return search(BASE, begin, trials, WORK if work is None else work, lambda _: None)


def names(moves: Moves) -> list[str]:
    return [move.name for move in moves]


def test_the_fastest_is_found_step_by_step() -> None:
    def seconds(moves: Moves) -> float:
        return 1.0 - 0.3 * ("jam" in names(moves)) - 0.3 * ("tile" in names(moves))

    trials = Clocked(seconds, 200)
    best = found(trials)
    assert {"jam", "tile"} <= {*names(best.moves)}
    assert best.seconds == pytest.approx(0.4, rel=0.05) and best.first == pytest.approx(1.0, rel=0.05)
    assert best.certificate == f"proved {len(best.moves)}"
    assert best.tried == len(trials.built) - 1
    assert len(best.log) == 2 and all("times as fast" in line for line in best.log)
    assert replay(best.moves, BASE).is_legal(PROGRAM)


def test_nothing_is_taken_that_is_not_faster() -> None:
    best = found(Clocked(lambda moves: 1.0, 60))
    assert best.moves == () and best.log == []
    assert best.counts["timed"] > 10 and best.counts["refused"] > 0


def test_every_candidate_is_compared_with_the_best_one_so_far() -> None:
    def seconds(moves: Moves) -> float:
        return 0.9 ** len(moves)

    trials = Clocked(seconds, 20)
    found(trials)
    best: Moves = ()
    for old, new in trials.compared[1:]:
        assert old == best
        best = new if seconds(new) < 0.98 * seconds(old) else best


def test_a_hill_is_crossed_when_there_is_nothing_else() -> None:
    """All single moves lose; the beam goes on from the one that loses least."""

    def seconds(moves: Moves) -> float:
        match names(moves):
            case ["reverse", *_, "split"]:
                return 0.5
            case ["reverse"]:
                return 1.05
            case _:
                return 1.5 if moves else 1.0

    best = found(Clocked(seconds, 400))
    assert names(best.moves)[0] == "reverse" and names(best.moves)[-1] == "split"


def test_crashed_ones_are_dropped_with_a_line() -> None:
    class Crashing(Clocked):
        def build(self, moves: Moves) -> Built:
            if "jam" in names(moves):
                raise DroppedError("crashed (SIGSEGV)")
            return super().build(moves)

    best = found(Crashing(lambda moves: 1.0, 80))
    assert best.counts["dropped"] == len(best.log) > 0
    assert all("jam" in line and "crashed (SIGSEGV)" in line for line in best.log)


def test_nothing_is_run_of_which_nothing_is_proved() -> None:
    class Unproved(Clocked):
        def build(self, moves: Moves) -> Built:
            return replace(super().build(moves), proved="jam" not in names(moves))

    trials = Unproved(lambda moves: 0.9 ** len(moves), 40)
    best = found(trials)
    assert best.moves and "jam" not in names(best.moves)
    assert any("could not be certified" in line for line in best.log)
    assert not any("jam" in names(new) for _, new in trials.compared)


def test_ctrl_c_keeps_the_best_so_far() -> None:
    class Interrupted(Clocked):
        def compare(self, old: Moves, new: Moves) -> tuple[Sequence[float], Sequence[float]]:
            if len(self.compared) == 6:
                raise KeyboardInterrupt
            return super().compare(old, new)

    best = found(Interrupted(lambda moves: 0.9 ** len(moves)))
    assert best.moves and best.log[-1] == "interrupted"


def test_the_same_code_is_measured_once() -> None:
    class Alike(Clocked):
        def build(self, moves: Moves) -> Built:
            return Built("the same", super().build(moves).certificate)

    best = found(Alike(lambda moves: 0.5 ** len(moves), 40))
    assert best.moves == () and best.counts["timed"] == 0 and best.counts["alike"] > 0


def test_it_begins_where_it_is_told() -> None:
    begin = (candidates(BASE, WORK)[0][0],)
    best = found(Clocked(lambda moves: 1.0, 5), begin)
    assert best.moves == begin


def test_it_ends_when_there_is_nothing_left() -> None:
    assert search(BASE, (), OneMove(), {}, lambda _: None).moves == ()


class OneMove:
    """Trials that know nothing of two moves."""

    def build(self, moves: Moves) -> Built:
        if len(moves) > 1:
            raise RefusedError("far enough")
        return Built(str(moves), "")

    def compare(self, old: Moves, new: Moves) -> tuple[Sequence[float], Sequence[float]]:
        return scaled(1.0), scaled(1.0)


def test_busy_statements_and_likely_kinds_come_first() -> None:
    program = prepare(programs.program(programs.LSTM))
    base = default_schedule(program)
    busy = program.statements[-1].name
    work = {s.name: 10_000 if s.name == busy else 10 for s in program.statements}
    first = candidates(base, work)[0][0]
    assert first.arguments[0][0] == busy  # type: ignore[index]
    tried = candidates(base, work)[:7]
    assert candidates(base, work, tried)[-7:] == tried


def test_a_loop_on_threads_gives_them_to_another_one_in_one_go() -> None:
    statement = next(s for s in PROGRAM.statements if len(s.dims) == 2)
    threaded = BASE.unmark().parallel((statement.name, statement.dims[0]))
    pairs = [steps for steps in candidates(threaded, WORK) if len(steps) == 2]
    assert pairs
    for steps in pairs:
        assert names(steps) == ["sequential", "parallel"]
        replay(steps, threaded)


@pytest.mark.parametrize("name", ["MATVEC", "LSTM", "DTW"])
def test_names_decide_nothing(name: str) -> None:
    plain = programs.program(getattr(programs, name))
    found = []
    for program in (plain, Renaming.of(plain, 3, shuffled=True).program):
        prepared = prepare(program)
        work = {s.name: n // 2 for n, s in enumerate(prepared.statements)}
        steps = candidates(default_schedule(prepared), work)
        found.append([moves_without_names(s, prepared) for s in steps])
    assert found[0] == found[1]


def test_noise_is_told_from_a_difference() -> None:
    assert is_faster(scaled(1.0), scaled(0.9))
    assert not is_faster(scaled(1.0), scaled(1.0))
    assert not is_faster(scaled(1.0), scaled(1.1))
    assert not is_faster(scaled(1.0), scaled(0.99))  # the middle halves meet
    assert not is_faster([1.0] * 4, [0.1] * 4)  # too few
    assert not is_faster([1.0] * 6, [0.5, 0.5, 0.5, 0.5, 2.0, 2.0])  # a quarter of the calls is slow
    assert is_faster([1.0, 1.0, 1.0, 1.0, 1.0, 50.0], [0.9] * 6)  # somebody else used the machine once
    assert not is_faster([1.0] * 6, [float("inf")] * 6)
    assert is_hopeless([1.0, 1.1, 1.0], [1.2, 1.3, 1.2])
    assert not is_hopeless([1.0, 1.1], [1.2, 1.3])
    assert not is_hopeless([1.0, 1.25, 1.0], [1.2, 1.3, 1.2])


def test_moves_are_values() -> None:
    assert Move("jam", (("S", "i"), 4)) == Move("jam", (("S", "i"), 4))
    assert len({Move("jam", (("S", "i"), 4)), Move("jam", (("S", "i"), 4))}) == 1
