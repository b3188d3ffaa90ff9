"""Programs nobody thought of, and the gradients of others, on the device."""

from collections.abc import Iterator

import numpy as np
import pytest

import polyad as pa
from polyad.ir.program import Program
from polyad.pipeline import compile_program
from tests.acceptance.random_definitions import random_definition
from tests.acceptance.test_random_programs import DEFINITION_SIZES, TEXT_SIZES, drawn
from tests.cuda.device import same_values, target
from tests.random_programs import random_inputs, random_program

CHUNK = 5
TEXTS = DEFINITIONS = 3
"""Chunks; more seeds were tried by hand."""


def equations(chunk: int) -> Iterator[tuple[Program, tuple[dict[str, int], ...], dict[str, int]]]:
    for program in drawn(random_program(most=2), CHUNK, chunk):
        yield program, TEXT_SIZES, {}


def gradients(chunk: int) -> Iterator[tuple[Program, tuple[dict[str, int], ...], dict[str, int]]]:
    for d in drawn(random_definition(most=3), CHUNK, chunk):
        value = pa.numpy.sum(d.output)
        kernel = pa.compile([value, *pa.grad(value, d.floats)], [*d.inputs], target="c")
        yield kernel.definition, DEFINITION_SIZES, d.fixed


def check(program: Program, every: tuple[dict[str, int], ...], fixed: dict[str, int], seed: int) -> None:
    kernel = compile_program(program, target())
    assert kernel.certify().text is not None
    for sizes in every:
        known = {n: v for n, v in {**sizes, **fixed}.items() if n in program.params}
        given = random_inputs(program, {**sizes, **fixed}, seed)
        arrays = [np.asarray(given[name]) for name in program.inputs]
        same_values(kernel, *arrays, **known)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(TEXTS))
def test_equations(chunk: int) -> None:
    for program, every, fixed in equations(chunk):
        check(program, every, fixed, chunk)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(DEFINITIONS))
def test_gradients(chunk: int) -> None:
    for program, every, fixed in gradients(chunk):
        check(program, every, fixed, chunk)
