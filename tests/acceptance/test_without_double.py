"""Kernels of float32 for machines that have no arithmetic of double mention none."""

import re
from collections.abc import Iterator

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.certify.read_back.read_back import read_back
from polyad.codegen.generate import source_of
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.errors import CallError
from polyad.frontend.compiled import program_of
from polyad.machine import MACHINE, Machine
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from tests.acceptance.structured import STRUCTURED

SINGLE = Machine(wide_bytes=4)


def doubles(c: str) -> Iterator[str]:
    """The lines with double, or with a number of that type, behind the declarations."""
    body = re.sub(
        r"/\*.*?\*/", "", c[c.index("#endif\n\nsize_t ") if "#endif\n\nsize_t " in c else 0 :], flags=re.DOTALL
    )
    for line in body.splitlines():
        if re.search(r"\bdouble\b|_f64\b|(?<![\w.])\d+\.\d*(e[-+]?\d+)?(?![\w.])", line):
            yield line


@pytest.mark.parametrize("name", STRUCTURED)
@pytest.mark.quick_cases(4)
def test_kernels_of_float32(name: str) -> None:
    program, _ = program_of(*STRUCTURED[name].make("float32"), "p")
    for machine, openmp in ((SINGLE, True), (SINGLE, False)):
        prepared = prepare(program, machine=machine)
        order = default_schedule(prepared, machine=machine)
        plan = plan_kernel(prepared, order, CodegenOptions(openmp=openmp, machine=machine))
        c = source_of(plan).c
        read_back(plan, c)
        assert not [*doubles(c)]


def test_the_usual_machine_adds_up_in_double() -> None:
    program, _ = program_of(*STRUCTURED["LSTM"].make("float32"), "p")
    prepared = prepare(program)
    c = source_of(plan_kernel(prepared, default_schedule(prepared), CodegenOptions(machine=MACHINE))).c
    assert [*doubles(c)]


def test_sums_in_blocks_are_as_good_as_float32_allows() -> None:
    x = np.random.default_rng(0).uniform(size=1_000_000).astype("float32")
    exact = x.astype("float64").sum()
    found = pa.jit(pa.numpy.sum, target=pa.Target("c", machine=SINGLE))(x)
    assert abs(found - exact) <= 2e-4 * exact
    with pytest.raises(CallError, match=r"wide_bytes=2\): expected 8, or 4"):
        Machine(wide_bytes=2)
