"""Kernels after moves compute what they did before, and are certified."""

import random

import numpy as np
import pytest

from polyad.errors import ScheduleError
from polyad.kernel import Kernel
from polyad.pipeline import compile_program
from polyad.schedule.moves.move import Move, replay
from polyad.schedule.moves.neighbours import proposed_moves
from tests import programs

SAMPLES = ("CUMSUM", "MATVEC", "DTW", "CONV", "LSTM")


def legal_walk(kernel: Kernel, seed: int, steps: int) -> tuple[Move, ...]:
    """Some legal moves after each other."""
    rng = random.Random(seed)
    schedule, moves = kernel.schedule, list[Move]()
    while len(moves) < steps:
        move = rng.choice(proposed_moves(schedule))
        try:
            changed = move.apply(schedule)
        except ScheduleError:
            continue
        if changed.is_legal(kernel.program):
            schedule = changed
            moves.append(move)
    assert str(replay(moves, kernel.schedule)) == str(schedule)
    return tuple(moves)


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SAMPLES)
def test_moves_change_no_result(name: str, seed: int) -> None:
    program = programs.program(getattr(programs, name))
    plain = compile_program(program, "openmp", moves=())
    moves = legal_walk(plain, seed, 3)
    moved = compile_program(program, "openmp", moves=moves)
    sizes = dict.fromkeys(plain.code.sizes, 3) | {"N": 21, "K": 5, "T": 4}
    known = {n: sizes[n] for n in plain.code.sizes}
    rng = np.random.default_rng(seed)
    inputs = [
        rng.standard_normal([e.evaluate(known) for e in a.shape]).astype(a.dtype)
        for a in plain.code.arguments
        if not a.is_output
    ]
    want, got = plain(*inputs), moved(*inputs)
    for a, b in zip(want if isinstance(want, tuple) else [want], got if isinstance(got, tuple) else [got], strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-10, atol=1e-12)
    moved.certify()
