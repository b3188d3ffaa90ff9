"""No kernel with one thing wrong is proved for all sizes; some are wrong at large sizes only."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

import polyad as pa
from polyad.codegen.certify.certify import certify, execution
from polyad.codegen.certify.symbolic.prove import OPERATIONS, prove
from polyad.codegen.loops.loop_values import Compare, Extreme
from polyad.codegen.loops.nodes import Block, Guard, Instance, Loop
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.plan import Plan
from polyad.errors import CertificationError
from polyad.frontend.compiled import program_of
from polyad.ir.affine import Affine
from tests.acceptance.strategy_programs import strategy_program
from tests.codegen.certify import test_whole_nodes as whole_nodes
from tests.codegen.certify.mutants import mutants, planned, replaced
from tests.codegen.certify.symbolic.test_proved import stencil
from tests.codegen.certify.test_planted import PLANTED

EACH = 14  # mutants of a program


def refused(plan: Plan, sizes: dict[str, int]) -> bool:
    try:
        certify(plan, sizes)
    except CertificationError:
        return True
    return False


def judged(plan: Plan, sizes: dict[str, int], each: int, seed: int = 0) -> Counter[str]:
    """Mutants of a kernel that is proved: `refused` are those that fail at these sizes."""
    found = Counter[str]()
    run = execution(plan, sizes, 100_000)
    if run is None or not prove(plan).proved:
        return found
    every = [*mutants(plan, run.reached), *whole_nodes.mutants(plan)]
    for what, mutant in Random(seed).sample(every, min(each, len(every))):
        answer = prove(mutant)
        if refused(mutant, sizes):
            assert not answer.proved, what
            found["refused"] += 1
            if answer.sizes is not None:
                found["with sizes"] += 1
        else:
            found["right"] += 1
    return found


@pytest.mark.parametrize("make", whole_nodes.KINDS)
@pytest.mark.quick_cases(1)
def test_no_whole_node_with_one_thing_wrong_is_proved(make: Callable[[], tuple[Plan, dict[str, int]]]) -> None:
    found = judged(*make(), each=14)
    assert found["refused"] > 4 and found["with sizes"], found


def programs(numbers: range) -> Counter[str]:
    found = Counter[str]()
    for number in numbers:
        program = strategy_program(number)
        plan = planned(program.program)
        found += judged(plan, {n: program.sizes[n] for n in plan.program.params}, EACH, number)
    return found


def test_no_mutant_is_proved() -> None:
    found = programs(range(9, 12))
    assert found["refused"] > 20, found


@pytest.mark.slow
def test_none_of_many_mutants_is_proved() -> None:
    found = programs(range(13, 80))
    assert found["refused"] > 300 and found["right"] < 0.1 * found["refused"], found


def large_only(plan: Plan) -> Plan:
    """The last loop ends at 500."""
    loop = [n for n in nodes(plan.loops) if isinstance(n, Loop)][-1]
    last = Extreme("min", (loop.last, Affine.of(500))) if loop.step > 0 else loop.last
    tree = replaced(plan.loops, loop, replace(loop, last=last))
    assert tree is not None
    return replace(plan, loops=tree)


def test_a_mutant_that_is_wrong_at_large_sizes_only_is_refused() -> None:
    """The sizes at which the proof fails are looked at."""
    plan = stencil()
    assert prove(plan).proved
    wrong = large_only(plan)
    assert certify(wrong).sizes  # small ones, up to 280
    answer = prove(wrong)
    assert not answer.proved and answer.sizes is not None and answer.sizes["N"] > 280
    with pytest.raises(CertificationError, match="never runs"):
        certify(wrong, operations=OPERATIONS)


def test_a_statement_that_is_left_out_at_one_large_size_is_refused() -> None:
    plan = stencil()
    instance = [n for n in nodes(plan.loops) if isinstance(n, Instance)][-1]
    guard = Guard(Compare("!=", Affine.of("N"), Affine.of(301)), Block((instance,)))
    tree = replaced(plan.loops, instance, guard)
    assert tree is not None
    wrong = replace(plan, loops=tree)
    assert certify(wrong).sizes
    with pytest.raises(CertificationError, match="N = 301"):
        certify(wrong, operations=OPERATIONS)


@pytest.mark.parametrize("title", PLANTED)
@pytest.mark.quick_cases(2)
def test_no_planted_defect_is_proved(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make: Callable[[], Plan]
    make, module, name, wrong = PLANTED[title]
    monkeypatch.setattr(module, name, wrong)
    monkeypatch.delenv("POLYAD_VERIFY", raising=False)  # which finds two of them before
    assert not prove(make()).proved


def test_a_buffer_that_is_too_short_at_large_sizes_only_is_refused() -> None:
    """300 slots are enough for every size that is tried, and for 301 elements they are not."""
    N = pa.sizes("N", min=1)
    x = pa.placeholder((N,), "x", "float64")
    y = pa.tanh(x)
    plan = planned(program_of([pa.numpy.flip(y) * pa.numpy.sum(y * y)], [x], "scaled")[0])
    assert prove(plan).proved
    (array, number), *others = plan.known.places.items()
    assert not others
    storage = plan.storage
    slots = tuple(
        replace(s, extents=(Affine.of(300),)) if n == number else s for n, s in enumerate(storage.memory.slots)
    )
    wrong = replace(
        plan, storage=replace(storage, slots={array: {0: 300}}, memory=replace(storage.memory, slots=slots))
    )
    assert certify(wrong).sizes
    with pytest.raises(CertificationError, match="N = 301"):
        certify(wrong, operations=OPERATIONS)


def test_an_input_that_is_too_short_is_not_proved() -> None:
    N = pa.sizes("N", min=1)
    x = pa.placeholder((N,), "x", "float64")
    plan = planned(program_of([pa.tanh(x)], [x], "shorter")[0])
    assert prove(plan).proved
    arrays = plan.program.arrays
    shorter = {**arrays, "x": replace(arrays["x"], shape=(Affine.of("N") - 1,))}
    answer = prove(replace(plan, program=replace(plan.program, arrays=shorter)))
    assert not answer.proved and answer.reason.endswith("leaves x") and answer.sizes == {"N": 1}
