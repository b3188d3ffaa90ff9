"""The adjoint identity on programs nobody thought of."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from tests.ad.derivative_checks import asking_derivative, check_derivatives, vjp
from tests.random_programs import random_inputs, random_program

SIZES = st.sampled_from([{"N": 1, "M": 1}, {"N": 2, "M": 3}, {"N": 3, "M": 1}, {"N": 4, "M": 2}])


@settings(max_examples=30)
@given(random_program(), SIZES)
def test_the_generator_makes_valid_programs(program: Program, sizes: dict[str, int]) -> None:
    verify(program)
    evaluate(program, random_inputs(program, sizes), sizes)


@settings(max_examples=70)
@given(random_program(), SIZES, st.integers(0, 1000))
def test_adjoint_identity(program: Program, sizes: dict[str, int], seed: int) -> None:
    # maximum and select are not smooth everywhere, so differences are left to the samples.
    check_derivatives(program, sizes, inputs=random_inputs(program, sizes, seed), differences=False, seed=seed)


@pytest.mark.slow
@settings(max_examples=500)
@given(random_program(most=6), SIZES, st.integers(0, 1000))
def test_adjoint_identity_of_longer_programs(program: Program, sizes: dict[str, int], seed: int) -> None:
    check_derivatives(program, sizes, inputs=random_inputs(program, sizes, seed), differences=False, seed=seed)


@settings(max_examples=15)
@given(random_program(most=3), SIZES, st.integers(0, 1000))
def test_adjoint_identity_of_adjoints(program: Program, sizes: dict[str, int], seed: int) -> None:
    """Reverse mode makes a program like any other: differentiate it again, in both modes."""
    again, _ = asking_derivative(vjp(program, ["x", "w"]), ["x", "w"])
    inputs = random_inputs(again, sizes, seed)
    check_derivatives(again, sizes, wrt=["x", "w"], inputs=inputs, differences=False, seed=seed)


def test_a_reader_in_conditions_only_may_come_later() -> None:
    """w_bar = select(w x > x, x, 0) reads w in its condition only: no derivative passes, and no order follows."""
    program = parse_program(
        """
        program conditions: [N] -> { : N > 0 }
          input x: float64[N]
          input w: float64[N]
          output v: float64[]
          S: [N] -> { S[] }
              v[] = maximum(x[0], x[0] * w[0])
        """
    )
    again, _ = asking_derivative(vjp(program, ["x", "w"]), ["x", "w"])
    inputs = random_inputs(again, {"N": 1}, 0)
    check_derivatives(again, {"N": 1}, wrt=["x", "w"], inputs=inputs, differences=False, seed=0)
