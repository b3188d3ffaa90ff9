"""Each number of the machine that says how much text, or which copies, are worth it decides something."""

from dataclasses import replace

import pytest

from polyad.codegen.generate import source_of
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.machine import MACHINE, Machine
from polyad.ops.program_text import parse_program
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.transforms.passes.boxes.residues import split_residues
from polyad.transforms.passes.initialise import initialise
from tests.acceptance.strategy_programs import strategy_program
from tests.acceptance.structured import STRUCTURED
from tests.transforms.test_residues import TRANSPOSED


@pytest.mark.parametrize(
    ("name", "value", "program"),
    [
        ("division", 40, "attention"),
        ("exp", 200, "LSTM with checkpoints"),
        ("widest", 32, "conv2d strided"),
        ("tail_vectors", 1, "conv2d strided"),
        ("inlined", 1, "LSTM"),
        ("scan_bytes", 1, "GARCH"),
        ("scan_statements", 1, "GARCH"),
        ("merged", 1, 6),
        ("pieces", 1, 0),
        ("peeled", 1, 25),
        ("light", 1, 80),
        ("terms", 1, 44),
        ("stray_steps", 1, 42),
    ],
)
@pytest.mark.quick_cases(2)
def test_each_number_decides_something(name: str, value: int, program: str | int) -> None:
    """Another machine, another text, of a program that people write, or of one that was drawn."""
    if isinstance(program, str):
        equations, _ = program_of(*STRUCTURED[program].make("float64"), "p")
    else:
        equations = strategy_program(program).program
    usual, other = (c_of(equations, m) for m in (MACHINE, replace(MACHINE, **{name: value})))  # type: ignore[arg-type]
    assert usual != other


def c_of(program: Program, machine: Machine) -> str:
    prepared = prepare(program, machine=machine)
    order = default_schedule(prepared, machine=machine)
    return source_of(plan_kernel(prepared, order, CodegenOptions(machine=machine))).c


def test_classes_of_residues_are_counted() -> None:
    program = initialise(parse_program(TRANSPOSED))
    assert split_residues(program, replace(MACHINE, classes=2)) is not program
    assert split_residues(program, replace(MACHINE, classes=1)) is program
