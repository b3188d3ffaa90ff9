"""Sizes from shapes: what is found, what is refused, and how fast."""

import islpy as isl
import pytest

from polyad.errors import CallError
from polyad.ir.affine_text import parse_affine
from polyad.ir.array import Array
from polyad.semantics.sizes import SizeSolver
from tests import programs
from tests.counted_calls import calls_made
from tests.programs import program


def array(name, *shape):
    return Array(name, tuple(parse_affine(e) for e in shape), "float64", "input")


def solve(arrays, shapes, known=None, context=None):
    params = sorted(set().union(*(e.names() for a in arrays for e in a.shape)) | set(known or ()))
    return SizeSolver(arrays, params, isl.Set(context) if context else None).solve(shapes, known)


@pytest.mark.parametrize(
    ("arrays", "shapes", "expected"),
    [
        ([array("x", "N")], {"x": (5,)}, {"N": 5}),
        ([array("x", "N", "N")], {"x": (5, 5)}, {"N": 5}),
        ([array("x", "4*H")], {"x": (12,)}, {"H": 3}),
        ([array("x", "2*N + 3*K"), array("w", "K")], {"x": (17,), "w": (3,)}, {"K": 3, "N": 4}),
        ([array("x", "N - 1")], {"x": (4,)}, {"N": 5}),
        ([array("x", "10 - N")], {"x": (4,)}, {"N": 6}),
        ([array("y", "(N + 1) // 2"), array("x", "N")], {"y": (3,), "x": (5,)}, {"N": 5}),
        ([array("y", "K + N // 2"), array("x", "N")], {"y": (9,), "x": (5,)}, {"K": 7, "N": 5}),
        ([array("s"), array("x", "3", "N")], {"s": (), "x": (3, 0)}, {"N": 0}),
    ],
)
def test_sizes_are_found(arrays, shapes, expected):
    assert solve(arrays, shapes) == expected


def test_sizes_given_by_name():
    x = array("x", "N + K")
    assert solve([x], {"x": (7,)}, {"K": 3}) == {"K": 3, "N": 4}
    assert solve([x], {"x": (7,)}, {"K": 3, "N": 4}) == {"K": 3, "N": 4}
    assert solve([array("x", "N")], {"x": (7,)}, {"M": 2}) == {"M": 2, "N": 7}


@pytest.mark.parametrize(
    ("arrays", "shapes", "known", "context", "message"),
    [
        (
            [array("x", "N"), array("y", "2*N")],
            {"x": (5,), "y": (9,)},
            None,
            None,
            r"y has shape \(9,\), but dimension 0 must be 2 \* N = 10 \(N = 5 from x\); expected y: float64\[2 \* N\]",
        ),
        (
            [array("x", "3", "N")],
            {"x": (2, 5)},
            None,
            None,
            r"argument x has shape \(2, 5\), but dimension 0 must be 3;",
        ),
        (
            [array("x", "4*H")],
            {"x": (13,)},
            None,
            None,
            r"x has 13 elements in dimension 0, which must be 4 \* H: no integer",
        ),
        (
            [array("x", "N")],
            {"x": (5, 1)},
            None,
            None,
            r"argument x has 2 dimensions, shape \(5, 1\); expected x: float64\[N\]",
        ),
        ([array("x", "N")], {"x": ()}, None, None, r"argument x has 0 dimensions, shape \(\)"),
        ([array("x", "N")], {}, None, None, r"argument x is missing; expected x: float64\[N\]"),
        (
            [array("x", "N + K")],
            {"x": (5,)},
            None,
            None,
            r"size K does not follow from the shapes .*: pass it by name, K=\.\.\.",
        ),
        ([array("x", "N // 2")], {"x": (5,)}, None, None, r"size N does not follow"),
        (
            [array("x", "N")],
            {"x": (5,)},
            {"N": 4},
            None,
            r"argument x has shape \(5,\), .* = 4 \(N = 4 given by name\)",
        ),
        ([array("x", "N")], {"x": (0,)}, None, "[N] -> { : N >= 1 }", r"sizes N = 0 \(from x\) do not satisfy N >= 1"),
        ([array("x", "N")], {"x": (6,)}, None, "[N] -> { : N mod 4 = 0 }", r"N = 6 \(from x\) do not satisfy .* == 0"),
        ([array("x", "N")], {"x": (6,)}, None, "[N] -> { : N < 3 or N > 9 }", r"do not satisfy .* or "),
    ],
)
def test_what_does_not_fit_is_named(arrays, shapes, known, context, message):
    with pytest.raises(CallError, match=message):
        solve(arrays, shapes, known, context)


def test_the_error_carries_the_argument():
    with pytest.raises(CallError) as info:
        solve([array("x", "N"), array("y", "N")], {"x": (5,), "y": (6,)})
    assert info.value.argument == "y"


@pytest.mark.parametrize(
    ("context", "good", "bad"),
    [
        ("[N] -> { : N >= 1 }", [1, 5], [0]),
        ("[N] -> { : N mod 4 = 0 }", [0, 8], [1, 6]),
        ("[N] -> { : N = 3 }", [3], [2, 4]),
        ("[N] -> { : N < 3 or N > 9 }", [0, 2, 10], [3, 9]),
        ("[N] -> { : 1 = 0 }", [], [0, 1]),
        ("[N] -> { : }", [0, 7], []),
    ],
)
def test_the_context_is_checked(context, good, bad):
    solver = SizeSolver([array("x", "N")], ("N",), isl.Set(context))
    for n in good:
        assert solver.solve({"x": (n,)}) == {"N": n}
    for n in bad:
        with pytest.raises(CallError, match="do not satisfy"):
            solver.solve({"x": (n,)})


def test_what_an_lstm_is_called_with_is_solved_in_one_step():
    """Every call of a kernel pays for this."""
    p = program(programs.LSTM)
    sizes = {"T": 3, "B": 2, "I": 5, "H": 4}
    arrays = [p.arrays[n] for n in p.inputs]
    shapes = {a.name: tuple(e.evaluate(sizes) for e in a.shape) for a in arrays}
    solver = SizeSolver(arrays, p.params, p.context)
    assert solver.solve(shapes) == sizes
    assert calls_made(lambda: solver.solve(shapes)) < 10
