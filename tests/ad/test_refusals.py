"""Programs that cannot be differentiated are refused in words, never approximated."""

import pytest

from polyad.ad.forward import tangent
from polyad.ad.reverse import reverse
from polyad.errors import DifferentiationError, NotDifferentiableError
from polyad.ops.program_text import parse_program
from tests import programs
from tests.ad import samples
from tests.ad.derivative_checks import with_seeds


def test_integers_have_no_derivative() -> None:
    program = programs.program(programs.GATHER)
    with pytest.raises(NotDifferentiableError, match=r"ids: int64\[L\] has no derivative.*cast"):
        reverse(program, {"loss": None}, ["ids"])
    with pytest.raises(NotDifferentiableError, match="ids"):
        tangent(program, {"ids": None}, ["loss"])


def test_arrays_that_do_not_exist() -> None:
    program = programs.program(programs.MATVEC)
    with pytest.raises(DifferentiationError, match="'mv' has no array 'z' to differentiate; it has A, x, y"):
        reverse(program, {"z": None}, ["x"])
    with pytest.raises(DifferentiationError, match="no array 'v'"):
        tangent(program, {"x": "v"}, ["y"])


def test_a_cotangent_of_the_wrong_shape() -> None:
    program = with_seeds(programs.program(programs.MATVEC), {"x": "seed"})
    with pytest.raises(
        DifferentiationError, match=r"the cotangent of y: float64\[N\].*shape \[N\]; seed: float64\[K\]"
    ):
        reverse(program, {"y": "seed"}, ["A"])
    with pytest.raises(
        DifferentiationError, match=r"the identity as cotangent of y.*directions of its shape, not \[K\]"
    ):
        reverse(program, {"y": None}, ["A"], directions=program.arrays["x"].shape)


def test_products_over_gaps() -> None:
    text = samples.vector(
        samples.stmt("S", "i, j", f"{samples.IJ} and j % 2 = 0", "y[i] *= x[i, j]"), "x: float64[N, M]"
    )
    with pytest.raises(
        DifferentiationError, match=r"S on .*not a contiguous range of 'j'; write the product as nested"
    ):
        reverse(parse_program(text), {"y": None}, ["x"])


def test_products_along_a_diagonal() -> None:
    text = samples.vector(
        samples.stmt("S", "i, j, k", f"{samples.IJ} and 0 <= k < M", "y[i + j + k] *= x[i, j]"),
        "x: float64[N, M]",
        "y: float64[N + 2*M]",
    )
    with pytest.raises(DifferentiationError, match="runs along a product and also chooses its element"):
        reverse(parse_program(text), {"y": None}, ["x"])


def test_data_dependent_products() -> None:
    text = samples.vector(samples.stmt("S", "i", samples.I, "y[ids[i]] *= x[i]"), "x: float64[N]; ids: int64[N]")
    with pytest.raises(DifferentiationError, match="chosen by data with prod; only sums"):
        reverse(parse_program(text), {"y": None}, ["x"])
