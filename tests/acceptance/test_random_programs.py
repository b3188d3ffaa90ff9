"""Programs nobody thought of, through the whole path: compiled values, derivatives and storage.

Programs are drawn from fixed seeds and compiled a chunk at a time with one run of the compiler, for a machine on which
everything pays at these extents. The slow suite also draws longer ones for either machine, which it shrinks.
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from polyad.machine import MACHINE, TINY, Machine
from tests.acceptance.compiled_checks import Case, Compiled, check, check_value
from tests.acceptance.native_batch import NativeBatch
from tests.acceptance.random_definitions import Definition, random_definition
from tests.random_programs import random_program

CHUNK = 15
TEXTS, DEFINITIONS = 10, 4  # chunks: 210 programs
QUICK_TEXTS, QUICK_DEFINITIONS = 1, 0  # of which the quick suite runs these, the slow one the others

TEXT_SIZES = ({"N": 1, "M": 1}, {"N": 2, "M": 3}, {"N": 5, "M": 4})
DEFINITION_SIZES = ({"T": 1, "N": 1}, {"T": 3, "N": 2}, {"T": 5, "N": 4})
EVALUATED = 7  # product of the sizes up to which the evaluator is asked: it is slow


def drawn(strategy: st.SearchStrategy[Any], count: int, number: int) -> list[Any]:
    """The first `count` examples of a strategy for a seed."""
    found: list[Any] = []

    @seed(number)
    @settings(max_examples=count, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(strategy)
    def collect(example: Any) -> None:
        found.append(example)

    collect()
    return found


def of_definition(d: Definition) -> Case:
    return Case.of_tensors(str(d), [d.output], d.inputs)


def check_all(compiled: Compiled, every: tuple[dict[str, int], ...], fixed: dict[str, int], number: int) -> None:
    for sizes in ({**s, **fixed} for s in every):
        check(compiled, sizes, seed=number)
        product = 1
        for n in sizes.values():
            product *= n
        if product <= EVALUATED:
            check_value(compiled, sizes, seed=number)


def chunks(count: int, quick: int) -> list[Any]:
    """Chunk numbers; those beyond the quick ones are marked slow."""
    return [n if n < quick else pytest.param(n, marks=pytest.mark.slow) for n in range(count)]


@pytest.mark.parametrize("chunk", chunks(TEXTS, QUICK_TEXTS))
def test_equations(chunk: int) -> None:
    """Equations over integer sets."""
    batch = NativeBatch(machine=TINY)
    found = [Compiled.add(Case.of_program(p), batch) for p in drawn(random_program(most=2), CHUNK, chunk)]
    batch.build()
    for number, compiled in enumerate(found):
        check_all(compiled, TEXT_SIZES, {}, number)


@pytest.mark.parametrize("chunk", chunks(DEFINITIONS, QUICK_DEFINITIONS))
def test_definitions(chunk: int) -> None:
    """compute, recurrence, scan and array operations."""
    batch = NativeBatch(machine=TINY)
    chosen = drawn(random_definition(most=2), CHUNK, chunk)
    found = [Compiled.add(of_definition(d), batch) for d in chosen]
    batch.build()
    for number, (compiled, definition) in enumerate(zip(found, chosen, strict=True)):
        check_all(compiled, DEFINITION_SIZES, definition.fixed, number)


def alone(
    case: Case, every: tuple[dict[str, int], ...], fixed: dict[str, int], number: int, optimize: int, machine: Machine
) -> None:
    batch = NativeBatch(optimize, machine=machine)
    compiled = Compiled.add(case, batch)
    batch.build()
    check_all(compiled, every, fixed, number)


MACHINES = st.sampled_from([TINY, MACHINE])
SLOW: Callable[[Any], Any] = settings(max_examples=60, suppress_health_check=list(HealthCheck))


@pytest.mark.slow
@SLOW
@given(random_program(most=5), st.integers(0, 1000), st.sampled_from([0, 3]), MACHINES)
def test_longer_equations(program: Any, number: int, optimize: int, machine: Machine) -> None:
    alone(Case.of_program(program), TEXT_SIZES, {}, number, optimize, machine)


@pytest.mark.slow
@SLOW
@given(random_definition(most=4), st.integers(0, 1000), st.sampled_from([0, 3]), MACHINES)
def test_longer_definitions(definition: Definition, number: int, optimize: int, machine: Machine) -> None:
    alone(of_definition(definition), DEFINITION_SIZES, definition.fixed, number, optimize, machine)
