"""The record of the machine: what C takes for granted agrees with it, and nobody keeps numbers of their own."""

import re
from dataclasses import fields, replace
from typing import Any

import pytest

import polyad as pa
import polyad_c
from polyad.machine import MACHINE, TINY, Machine
from polyad.targets.flags import compile_flags


def test_blocks_of_the_runtime_header_are_those_of_the_machine() -> None:
    header = polyad_c.header("polyad_runtime.h")
    for name, own in (("PA_SCAN_STEPS", MACHINE.scan_steps), ("PA_PIECE", MACHINE.piece)):
        found = re.search(rf"#define {name} (\d+)", header)
        assert found is not None and int(found[1]) == own


def test_contractions_take_threads_in_c_where_the_machine_says_so() -> None:
    header = polyad_c.header("polyad_contraction.h")
    found = re.search(r"#define PA_WORTH (\S+)", header)
    assert found is not None and float(found[1]) == MACHINE.shared_contraction
    own, tiny = (compile_flags(pa.Target(machine=m), True) for m in (MACHINE, TINY))
    assert {*tiny} - {*own} == {"-DPA_WORTH=0.0", "-DPA_PIECE=2"} and {*own} <= {*tiny}


def test_tiny_says_something_of_everything() -> None:
    same = {f.name for f in fields(Machine) if getattr(TINY, f.name) == getattr(MACHINE, f.name)}
    assert same <= {"lanes"}, "a wavefront pays where other loops have fewer iterations than this, as all small ones"


def test_the_machine_is_part_of_the_target() -> None:
    """Kernels for two machines are two kernels in the cache."""
    assert repr(pa.Target(machine=TINY)) != repr(pa.Target())
    x = pa.placeholder((9,), "x", "float64")
    y = pa.recurrence((9,), lambda y, i: pa.select(i > 0, 0.5 * y[i - 1], 0.0) + x[i], name="y", dtype="float64")
    small, large = (pa.compile(y, [x], target=pa.Target(machine=m)) for m in (TINY, MACHINE))
    assert "pa_scan_" in small.source and "pa_scan_" not in large.source


@pytest.mark.parametrize(
    "wrong", [{"stair": 0}, {"parts": (0, 4)}, {"thread_start": -1.0}, {"long": "8"}, {"scan_steps": 512}]
)
def test_numbers_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(pa.CallError, match=rf"Machine\({name}=") as caught:
        replace(MACHINE, **wrong)
    assert caught.value.argument == name
