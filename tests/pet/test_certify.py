"""Kernels of C programs are certified as they were compiled: their texts read back as what they were made from."""

from functools import cache

import pytest

import polyad as pa
from polyad.pet.c_program import CProgram, from_c
from polyad.schedule.schedule import Schedule
from tests.pet.corpus import CASES, Case
from tests.pet.extracted import NEEDS_PET

pytestmark = NEEDS_PET

UNION = ("fdtd_2d", "lstm")
"""Whose sizes are those of a union, which isl lists in another order when it has read it."""

IN_ORDER_OF_C = ("gemm", "mvt", "durbin", "periodic")
"""Whose order in C names instances with conditions: parameters stand in these alone."""


@cache
def program(name: str) -> CProgram:
    return from_c(CASES[name].path)


@pytest.mark.parametrize("name", UNION)
@pytest.mark.quick_cases(1)
def test_sizes_of_several_pieces_are_tested_in_one_order(name: str) -> None:
    made = program(name)
    assert pa.compile(made).certify(**dict.fromkeys(made.sizes, 2)).sizes


@pytest.mark.parametrize("name", IN_ORDER_OF_C)
@pytest.mark.quick_cases(1)
def test_the_order_of_c_is_certified(name: str) -> None:
    made = program(name)
    assert pa.compile(made, schedule=made.schedule).certify(**dict.fromkeys(made.sizes, 3)).sizes


@pytest.mark.parametrize("name", IN_ORDER_OF_C)
def test_the_order_of_c_reads_back(name: str) -> None:
    order = program(name).schedule
    assert order is not None
    again = Schedule.from_yaml(str(order))
    assert str(again) == str(order) and again.isl.get_map().is_equal(order.isl.get_map())


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_kernel_is_certified(case: Case) -> None:
    """The value in two orders, and the gradient; at more sizes where they are compiled (test_programs.py)."""
    made = program(case.name)
    kernels = [pa.compile(made), pa.compile(made, schedule=made.schedule), pa.compile(made.grad(case.of, case.wrt))]
    for kernel in kernels:
        assert kernel.certify(**dict.fromkeys(kernel.code.sizes, 2)).sizes
