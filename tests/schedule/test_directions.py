from polyad.ir.affine import Affine
from polyad.schedule.state.directions import loop_direction

i, j, k = (Affine.of(n) for n in "ijk")


def test_a_plain_loop_moves_along_its_dimension() -> None:
    assert loop_direction(("i", "j"), [i], j) == {"i": 0, "j": 1}
    assert loop_direction(("i", "j"), [], i * -1) == {"i": -1, "j": 0}


def test_inside_of_a_wavefront_two_dimensions_move() -> None:
    assert loop_direction(("i", "j"), [i + j], j) == {"i": -1, "j": 1}
    assert loop_direction(("i", "j"), [i * 2 + j + 5], i) == {"i": 1, "j": -2}
    assert loop_direction(("i", "j", "k"), [i + j, j], k) == {"i": 0, "j": 0, "k": 1}
    assert loop_direction(("i", "j", "k"), [i + j], j) == {"i": -1, "j": 1, "k": 0}


def test_no_direction() -> None:
    assert loop_direction(("i", "j"), [i, j], i + j) is None  # a single iteration
    assert loop_direction(("i", "j"), [i * 2 + j], j) is None  # i would move by half a step
