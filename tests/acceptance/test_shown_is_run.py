"""Schedules show what runs: without a mark, sums and recurrences are added up one by one."""

import re

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.generate import source_of
from polyad.codegen.loops.nodes import Contraction, Parts, PrefixScan, Region
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.machine import TINY
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from tests.acceptance.strategy_programs import strategy_program
from tests.machines import with_threads

REASSOCIATED = re.compile(r"pa_scan_\w+\(|PA_PARTS\]")


@pytest.mark.parametrize("number", range(30))
@pytest.mark.quick_cases(1)
def test_a_plan_obeys_all_marks_of_its_schedule(number: int) -> None:
    """The scheduler asks for more than loops can do; the schedule of the plan has what they do."""
    program = prepare(strategy_program(number).program, ALL, TINY)
    options = CodegenOptions(machine=with_threads(TINY))
    plan = plan_kernel(program, default_schedule(program, ALL, TINY), options)
    again = plan_kernel(program, plan.schedule, options)
    assert again.schedule is plan.schedule
    assert source_of(again).c == source_of(plan).c
    words = {word for line in plan.schedule.tree().splitlines() for word in line.split()}
    assert ("parts" in words) == any(isinstance(n, Parts) for n in nodes(plan.loops))
    assert ("prefix" in words) == any(isinstance(n, PrefixScan) for n in nodes(plan.loops))
    assert ("region" in words) == any(isinstance(n, Region) for n in nodes(plan.loops))
    assert ("contraction" in words) == any(isinstance(n, Contraction) for n in nodes(plan.loops))


def steps(length: int, width: int) -> pa.Kernel:
    u0 = pa.placeholder((width, width), "u0", "float64")
    u, _ = pa.scan(lambda u, _: (0.5 * u + pa.tanh(pa.numpy.transpose(u)), None), u0, None, length=length)
    return pa.compile([u], [u0], name="turned")


def test_threads_start_once_where_the_schedule_says_so() -> None:
    usual = steps(9, 300)
    assert "region for" in usual.schedule.tree() and "PA_PARALLEL_IF(" in usual.source
    u0 = pa.placeholder((300, 300), "u0", "float64")
    u, _ = pa.scan(lambda u, _: (0.5 * u + pa.tanh(pa.numpy.transpose(u)), None), u0, None, length=9)
    marked = usual.schedule.tree().splitlines()
    statement = next(line for line in usual.program.statements if len(line.dims) == 3)
    own = usual.schedule.unmark((statement.name, statement.dims[0]))
    assert "region" not in own.tree() and own.tree().count("parallel") == usual.schedule.tree().count("parallel") > 0
    each = pa.compile([u], [u0], name="turned", schedule=own)
    assert "PA_PARALLEL_IF(" not in each.source and "PA_PARALLEL_FOR" in each.source, marked
    value = np.random.default_rng(1).normal(size=(300, 300))
    np.testing.assert_array_equal(each(value), usual(value))


def test_a_mark_that_does_not_pay_is_not_shown() -> None:
    """Ninety additions a step are no work for two threads."""
    small = steps(9, 3)
    assert "region" not in small.schedule.tree() and "PA_PARALLEL_IF(" not in small.source


def test_a_schedule_of_ones_own_is_run_as_it_is() -> None:
    length = pa.sizes("N")
    x = pa.placeholder((length,), name="x", dtype="float64")
    h = pa.recurrence((length,), lambda h, t: pa.select(t == 0, x[0], 0.5 * h[t - 1] + x[t]), name="h", dtype="float64")
    outputs = [pa.numpy.sum(h * h), pa.numpy.sum(x * x)]
    usual = pa.compile(outputs, [x], name="energies")
    assert "prefix 256 for" in usual.schedule.tree() and "parts simd for" in usual.schedule.tree()
    assert len(REASSOCIATED.findall(usual.source)) >= 2
    plain = pa.compile(outputs, [x], name="energies", schedule=usual.schedule.unmark())
    assert not REASSOCIATED.search(plain.source)
    own = pa.compile(outputs, [x], name="energies", schedule=plain.schedule.prefix(("h_1", "t"), 16))
    assert "prefix 16 for" in own.schedule.tree() and "parts" not in own.schedule.tree()
    values = np.random.default_rng(0).standard_normal(1000)
    for kernel in (plain, own):
        np.testing.assert_allclose(kernel(values), usual(values), rtol=1e-12)
