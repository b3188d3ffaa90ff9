"""Derivatives given by the user."""

import numpy as np
import pytest

from polyad.ad.overrides import Override
from polyad.ad.reverse import reverse
from polyad.errors import DifferentiationError
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.semantics.evaluate import evaluate
from tests.ad import samples
from tests.ad.derivative_checks import asking_derivative

PROGRAM = samples.vector(
    samples.stmt("A", "i", samples.I, "a[i] = x[i] * x[i]")
    + samples.stmt("Y", "i", samples.I, "y[i] = sin(a[i]) + x[i]")
).replace("  output", "  temporary a: float64[N]\n  output")

# The rule of the user: a_bar[i] = 10 head[i] a[i]; the arrays of the program are declared so that it can be read.
RULE = samples.vector(
    samples.stmt("R", "i", samples.I, "res[i] = 10.0 * head[i] * a[i]"),
    "head: float64[N]; a: float64[N]",
    "res: float64[N]",
)


def rule(cut: frozenset[str] = frozenset()) -> Override:
    foreign = parse_program(RULE)
    arrays = {n: foreign.arrays[n] for n in ("head", "res")}
    return Override("y", "a", foreign.statements, arrays, "head", "res", cut)


def gradient(program: Program, *overrides: Override, directions: tuple[Affine, ...] = ()) -> np.ndarray:
    found, (bar,) = asking_derivative(reverse(program, {"y": None}, ["x"], overrides, directions), ["x"])
    return evaluate(found, {"x": np.array([0.5, 2.0, -1.0])}, {"N": 3, "M": 1})[bar]


def test_the_rule_replaces_the_direct_read_only() -> None:
    x = np.array([0.5, 2.0, -1.0])
    np.testing.assert_allclose(gradient(parse_program(PROGRAM), rule()), 10 * x**2 * 2 * x + 1)


def test_a_rule_in_every_direction() -> None:
    x = np.array([0.5, 2.0, -1.0])
    rows = gradient(parse_program(PROGRAM), rule(), directions=(Affine.of("N"),))
    np.testing.assert_allclose(rows, np.diag(10 * x**2 * 2 * x + 1))


def test_a_cut_array_is_not_differentiated_through() -> None:
    x = np.array([0.5, 2.0, -1.0])
    np.testing.assert_allclose(gradient(parse_program(PROGRAM), Override(cut=frozenset({"a"}))), np.ones(3))
    # Cutting the result too leaves what the rule gives to a, which ends there.
    np.testing.assert_allclose(gradient(parse_program(PROGRAM), rule(frozenset({"y"}))), 10 * x**2 * 2 * x)


def test_the_names_of_a_rule_do_not_clash() -> None:
    text = (
        PROGRAM.replace("x: float64[N]", "x: float64[N]\n  input res: float64[N]")
        .replace("Y[i]", "R[i]")
        .replace("Y:", "R:")
    )
    program = parse_program(text)
    found = reverse(program, {"y": None}, ["x"], [rule()]).program
    names = [s.name for s in found.statements]
    assert len(set(names)) == len(names)
    assert found.arrays["res"].role == "input"


def test_a_rule_of_the_wrong_shape_is_refused() -> None:
    program = parse_program(PROGRAM)
    wrong = rule()
    arrays = {**wrong.arrays, "res": Array("res", (Affine.of("M"),), "float64")}
    with pytest.raises(DifferentiationError, match=r"d y / d a gives res: float64\[M\].*a: float64\[N\]"):
        reverse(program, {"y": None}, ["x"], [Override("y", "a", wrong.statements, arrays, "head", "res")])
    with pytest.raises(DifferentiationError, match="has no array 'b'"):
        reverse(program, {"y": None}, ["x"], [Override("y", "b", wrong.statements, wrong.arrays, "head", "res")])
