"""Reverse mode is the transpose of forward mode, and both are the derivative."""

import numpy as np
import pytest

from polyad.ops.program_text import parse_program
from tests import programs
from tests.ad import samples
from tests.ad.derivative_checks import check_derivatives, check_second_order

SIZES = [{"N": 1, "M": 1}, {"N": 3, "M": 2}, {"N": 2, "M": 4}]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("name", samples.ACCESSES)
def test_accesses(name: str, sizes: dict[str, int]) -> None:
    check_derivatives(parse_program(samples.ACCESSES[name]), sizes)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("name", samples.RECURRENCES)
def test_recurrences(name: str, sizes: dict[str, int]) -> None:
    check_derivatives(parse_program(samples.RECURRENCES[name]), sizes)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("op", ["*=", "max=", "min="])
@pytest.mark.parametrize("name", samples.reduction("*="))
def test_reductions(name: str, op: str, sizes: dict[str, int]) -> None:
    check_derivatives(parse_program(samples.reduction(op)[name]), sizes)


@pytest.mark.parametrize("op", ["max=", "min="])
@pytest.mark.parametrize("name", samples.reduction("max="))
def test_ties(name: str, op: str) -> None:
    """Many equal values: both modes choose the same winner."""
    program = parse_program(samples.reduction(op)[name])
    sizes = {"N": 3, "M": 4}
    rng = np.random.default_rng(3)
    inputs = {
        n: rng.integers(0, 2, tuple(e.evaluate(sizes) for e in program.arrays[n].shape)).astype(float)
        for n in program.inputs
    }
    check_derivatives(program, sizes, inputs=inputs, differences=False)


@pytest.mark.parametrize("zeros", [1, 2, 5])
@pytest.mark.parametrize("name", samples.reduction("*="))
def test_zeros_in_products(name: str, zeros: int) -> None:
    program = parse_program(samples.reduction("*=")[name])
    sizes = {"N": 3, "M": 4}
    rng = np.random.default_rng(zeros)
    inputs = {}
    for n in program.inputs:
        value = rng.normal(size=tuple(e.evaluate(sizes) for e in program.arrays[n].shape))
        value.flat[rng.integers(0, value.size, zeros)] = 0.0
        inputs[n] = value
    check_derivatives(program, sizes, inputs=inputs)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        (programs.MATVEC, {"N": 3, "K": 2}),
        (programs.CONV, {"N": 3, "K": 4}),
        (programs.CUMSUM, {"N": 4}),
        (programs.CUMSUM, {"N": 1}),
        (programs.DTW, {"N": 3, "M": 2}),
        (programs.DTW, {"N": 1, "M": 1}),
        (programs.LSTM, {"T": 3, "B": 2, "I": 2, "H": 2}),
        (programs.LSTM, {"T": 1, "B": 1, "I": 1, "H": 1}),
    ],
)
def test_sample_programs(text: str, sizes: dict[str, int]) -> None:
    check_derivatives(programs.program(text), sizes)


def test_gather_with_repeated_indices() -> None:
    program = programs.program(programs.GATHER)
    check_derivatives(program, {"V": 3, "D": 2, "L": 5}, inputs={"ids": np.array([2, 0, 2, 2, 1])})


def test_scatter_is_transposed_to_a_gather() -> None:
    text = samples.vector(
        samples.stmt("S", "i, j", samples.IJ, "y[ids[i], index(j)] += x[i, j] * x[i, j]"),
        "x: float64[N, M]; ids: int64[N]",
        "y: float64[N, M]",
    )
    check_derivatives(parse_program(text), {"N": 4, "M": 2}, inputs={"ids": np.array([3, 0, 3, 3])})


def test_intermediate_arrays_have_total_derivatives() -> None:
    check_derivatives(programs.program(programs.LSTM), {"T": 2, "B": 1, "I": 2, "H": 2}, wrt=["h", "c", "z", "W"])
    check_derivatives(programs.program(programs.CUMSUM), {"N": 4}, wrt=["s", "x"])


@pytest.mark.parametrize(
    ("text", "wrt", "sizes"),
    [
        (programs.LSTM, "W", {"T": 2, "B": 1, "I": 1, "H": 2}),
        (programs.LSTM, "h0", {"T": 2, "B": 1, "I": 1, "H": 2}),
        (programs.DTW, "d", {"N": 2, "M": 2}),
        (programs.GATHER, "table", {"V": 2, "D": 2, "L": 3}),
        (samples.RECURRENCES["nested scans"], "x", {"N": 2, "M": 2}),
        (samples.ACCESSES["sum over all"], "x", {"N": 2, "M": 3}),
        (samples.ACCESSES["unused elements"], "x", {"N": 3, "M": 1}),
        (samples.reduction("*=")["everything"], "x", {"N": 2, "M": 3}),
    ],
)
def test_second_order(text: str, wrt: str, sizes: dict[str, int]) -> None:
    check_second_order(parse_program(text), sizes, wrt)
