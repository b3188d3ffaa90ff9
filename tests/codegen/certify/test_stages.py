"""Random programs are right after each pass over their loops, not only after the last: a pass that errs is named."""

from dataclasses import replace

import pytest

from polyad.codegen.certify.certify import certify
from polyad.codegen.loops.nodes import Block
from polyad.codegen.loops.text import loops_text
from polyad.codegen.lower.passes import LOOP_PASSES
from polyad.errors import CertificationError
from tests.acceptance.strategy_programs import StrategyProgram, strategy_program
from tests.codegen.certify.mutants import planned


def stages(program: StrategyProgram) -> int:
    """How many different loops the passes make of a program, all of which are right."""
    found: list[tuple[str, Block]] = []
    plan = planned(program.program, watch=lambda name, loops: found.append((name, loops)))
    # Threads have copies of some arrays from `pointers` on.
    passes = {step.name for step in LOOP_PASSES} - ({"threads"} if plan.storage.copies else set())
    sizes = {name: program.sizes[name] for name in plan.program.params}
    for name, loops in found:
        if name in passes:
            try:
                certify(replace(plan, loops=loops), sizes)
            except CertificationError as problem:
                raise AssertionError(f"{program.title}, after {name}: {problem}") from problem
    return len({loops_text(loops) for _, loops in found})


def test_every_stage_is_right() -> None:
    assert sum(stages(strategy_program(n)) for n in range(2)) > 10


@pytest.mark.slow
def test_every_stage_of_many_programs_is_right() -> None:
    assert sum(stages(strategy_program(n)) for n in range(2, 66)) > 300
