"""Moves print as calls, are saved and made again byte for byte, and are found without looking at names."""

import random

import pytest

import polyad as pa
from polyad.ir.program import Program
from polyad.ir.without_names import program_without_names
from polyad.passes import prepare
from polyad.schedule.moves.move import ARGUMENTS, Move, replay
from polyad.schedule.moves.move_text import moves_from_json, moves_to_json
from polyad.schedule.moves.neighbours import neighbours, proposed_moves
from polyad.schedule.moves.places import moves_with_names, moves_without_names, schedule_without_names
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.transforms import TRANSFORMS
from polyad.transforms.passes.canonical_order import canonical_order
from tests import programs
from tests.renamed import Renaming, shuffled_program

SAMPLES = ("MATVEC", "CONV", "CUMSUM", "LSTM", "DTW", "GATHER")


def sample(name: str) -> Program:
    return programs.program(getattr(programs, name))


def scheduled(program: Program) -> tuple[Program, Schedule]:
    prepared = prepare(program)
    return prepared, default_schedule(prepared)


def some(moves: list[tuple[Move, Schedule]], count: int) -> list[tuple[Move, Schedule]]:
    return random.Random(0).sample(moves, min(count, len(moves)))


def test_every_transform_has_its_arguments() -> None:
    assert ARGUMENTS.keys() == TRANSFORMS.keys()


def test_a_move_is_the_call_that_it_prints() -> None:
    _, s = scheduled(sample("MATVEC"))
    for move, changed in neighbours(s):
        assert str(eval(str(move), {"s": s})) == str(changed)
    assert str(Move("interchange", (("C", "i", 1), ("j", "i")))) == 's.interchange(("C", "i", 1), ("j", "i"))'
    assert str(Move("reorder", (("C",),))) == 's.reorder(("C",))'


@pytest.mark.parametrize("name", SAMPLES)
def test_neighbours_are_other_schedules_each_once(name: str) -> None:
    _, s = scheduled(sample(name))
    texts = [str(changed) for _, changed in neighbours(s)]
    assert len({str(s), *texts}) == 1 + len(texts)
    assert len(texts) > 3


@pytest.mark.parametrize("name", SAMPLES)
def test_neighbours_are_the_same_each_time(name: str) -> None:
    _, s = scheduled(sample(name))
    again = Schedule.from_yaml(str(s))
    assert [(m, str(c)) for m, c in neighbours(s)] == [(m, str(c)) for m, c in neighbours(again)]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", SAMPLES)
def test_names_decide_nothing(name: str, seed: int) -> None:
    plain = sample(name)
    renamed = Renaming.of(plain, seed, shuffled=True).program
    assert program_without_names(canonical_order(plain)) == program_without_names(canonical_order(renamed))
    (a, s), (b, t) = scheduled(plain), scheduled(renamed)
    assert program_without_names(a) == program_without_names(b)
    assert schedule_without_names(s, a) == schedule_without_names(t, b)
    assert moves_without_names(proposed_moves(s), a) == moves_without_names(proposed_moves(t), b)
    # Two steps deep: the names of loops in tiles, in fused nests and in copies of a body.
    for (move, changed), (other, there) in zip(some(neighbours(s), 6), some(neighbours(t), 6), strict=True):
        assert moves_without_names([move], a) == moves_without_names([other], b)
        assert schedule_without_names(changed, a) == schedule_without_names(there, b)
        assert moves_without_names(proposed_moves(changed), a) == moves_without_names(proposed_moves(there), b)


@pytest.mark.parametrize("name", SAMPLES)
def test_other_programs_have_other_texts(name: str) -> None:
    plain = program_without_names(canonical_order(sample(name)))
    others = [program_without_names(canonical_order(sample(other))) for other in SAMPLES if other != name]
    assert plain not in others
    floats = programs.program(getattr(programs, name).replace("float64", "float32"))
    assert program_without_names(canonical_order(floats)) != plain


@pytest.mark.parametrize("name", SAMPLES)
def test_saved_moves_are_made_again_byte_for_byte(name: str) -> None:
    program, s = scheduled(sample(name))
    rng = random.Random(1)
    moves: list[Move] = []
    changed = s
    for _ in range(3):
        move, changed = rng.choice(neighbours(changed))
        moves.append(move)
    text = moves_to_json(moves)
    read = moves_from_json(text)
    assert read == tuple(moves)
    assert moves_to_json(read) == text
    assert str(replay(read, Schedule.from_yaml(str(s)))) == str(changed)
    assert moves_with_names(moves_without_names(moves, program), program) == tuple(moves)


def test_moves_of_another_program_with_other_names_make_the_same_loops() -> None:
    plain = sample("LSTM")
    renamed = Renaming.of(plain, 7).program
    (a, s), (b, t) = scheduled(plain), scheduled(renamed)
    for move, changed in some(neighbours(s), 20):
        moves = moves_with_names(moves_without_names([move], a), b)
        assert schedule_without_names(replay(moves, t), b) == schedule_without_names(changed, a)


def test_listing_statements_otherwise_changes_nothing() -> None:
    plain = sample("LSTM")
    other = shuffled_program(plain, random.Random(5))
    assert program_without_names(canonical_order(plain)) == program_without_names(canonical_order(other))


def test_illegal_neighbours_are_told_by_the_proof() -> None:
    program, s = scheduled(sample("CUMSUM"))
    legal = {str(m): c.is_legal(program) for m, c in neighbours(s)}
    assert not legal['s.reverse(("s_1", "i"))']  # a running sum
    assert legal['s.split(("s_1", "i"), 16)']


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        "[[]]",
        '[["jam"], ["melt", ["S", "i"]]]',
        '[["jam", ["S", "i"], 4, 4]]',
        '[["jam", ["S", "i"], 4.5]]',
        '[["jam", ["S", "i"], true]]',
        '[["jam", {"S": "i"}, 4]]',
        f'[["jam", {"[" * 5000}{"]" * 5000}]]',
        '[["__class__"]]',
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(pa.ScheduleError):
        moves_from_json(text)


@pytest.mark.parametrize(
    "move",
    [
        Move("jam", ()),
        Move("jam", (("S", "i"), "four")),
        Move("jam", (("nobody", "i"), 4)),
        Move("jam", (("S", "i"), 4, 4)),
        Move("settled", ()),
        Move("interchange", (("S", "i"), 3)),
        Move("reorder", (3,)),
    ],
)
def test_moves_that_do_not_fit_are_refused(move: Move) -> None:
    _, s = scheduled(sample("MATVEC"))
    with pytest.raises(pa.ScheduleError):
        move.apply(s)


@pytest.mark.parametrize(
    "move",
    [
        Move("jam", ("S", 4)),
        Move("settled", ()),
        Move("reorder", ((3,),)),
        Move("interchange", (("s0", "i0"), ("i7", "i0"))),
        Move("jam", (("s99", "i0"), 4)),
    ],
)
def test_places_that_a_program_does_not_have_are_refused(move: Move) -> None:
    program, _ = scheduled(sample("MATVEC"))
    with pytest.raises(pa.ScheduleError):
        moves_with_names([move], program)
