"""Loop variables and subscripts of 32 bits: the same results, at sizes at which nothing overflows, and no others."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings

import polyad as pa
from polyad.codegen import plan as planning
from polyad.codegen.certify.read_back.read_back import read_back
from polyad.codegen.generate import source_of
from polyad.codegen.index_limits import MOST, Total, refused
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import Plan, plan_kernel
from polyad.errors import CertificationError
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.transforms.passes.initialise import initialise
from tests.codegen.certify.read_back.kernels import PROGRAMS
from tests.codegen.compiled import Library, generated
from tests.codegen.counting import TooLargeError, count
from tests.machines import THREADS, with_threads
from tests.random_programs import random_inputs, random_program

NARROW = CodegenOptions(machine=THREADS, index="int32")


def planned(program: pa.Program, simplified: bool = True) -> Plan:
    machine = with_threads(THREADS)
    prepared = prepare(program, ALL, machine) if simplified else initialise(program)
    return plan_kernel(
        prepared, default_schedule(prepared, ALL, machine), CodegenOptions(True, ALL, machine, False, "int32")
    )


def largest(plan: Plan, given: Mapping[str, int], grown: str) -> dict[str, int]:
    """The sizes with one of them as large as the limits allow."""
    low, high = 1, 2**40
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if refused(plan.limits, {**given, grown: middle}) else (middle, high)
    return {**given, grown: low}


def counted(plan: Plan) -> int:
    c, name = source_of(plan).c, plan.names.function
    found = 0 if plan.program.params else count(c, name, {})
    for grown in plan.program.params:
        for other in (1, 2, 57, 40_000):
            given = dict.fromkeys(plan.program.params, other)
            if refused(plan.limits, {**given, grown: other}) is None:
                members = {plan.names.params[n]: v for n, v in largest(plan, given, grown).items()}
                found += count(c, name, members)
    return found


def overflows(plan: Plan) -> bool:
    try:
        counted(plan)
    except TooLargeError:
        return True
    return False


@pytest.mark.parametrize("title", PROGRAMS)
@pytest.mark.quick_cases(6)
def test_nothing_overflows_at_the_largest_sizes(title: str) -> None:
    plan = planned(PROGRAMS[title]())
    assert counted(plan) > 0
    assert read_back(plan, source_of(plan).c).statements


@given(random_program())
@settings(max_examples=25)
def test_random_programs_count_no_further(program: object) -> None:
    plan = planned(program)  # type: ignore[arg-type]
    counted(plan)
    read_back(plan, source_of(plan).c)


@pytest.mark.parametrize("left_out", ["positions", "iterators"])
def test_a_limit_that_is_left_out_is_found(left_out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = planning.index_limits

    def wrong(*args: object) -> tuple[Total, ...]:
        limits = right(*args)  # type: ignore[arg-type]
        few = (t for limit in limits for t in limit.terms)
        kept = tuple(t for t in few if (len(t[1]) < 2) == (left_out == "positions") and t[1])
        return (Total(kept[:1]),)

    monkeypatch.setattr(planning, "index_limits", wrong)
    assert any(overflows(planned(program())) for program in PROGRAMS.values())


@given(random_program())
@settings(max_examples=10)
@pytest.mark.slow
def test_results_are_those_of_64_bits(program: object) -> None:
    prepared = initialise(program)  # type: ignore[arg-type]
    narrow, wide = (Library(generated(prepared, o)) for o in (NARROW, CodegenOptions(machine=THREADS)))
    for sizes in ({"N": 1, "M": 1}, {"N": 4, "M": 3}):
        inputs = random_inputs(prepared, sizes)
        found, wanted = (library.run(sizes, inputs) for library in (narrow, wide))
        for name in prepared.outputs:
            np.testing.assert_array_equal(found[name], wanted[name])


def test_the_reader_finds_another_type() -> None:
    plan = planned(PROGRAMS["mixed"]())
    c = source_of(plan).c
    assert "(int64_t)" in c  # a value that is computed further with has 64 bits
    head, body = c[: c.rindex("int mixed(")], c[c.rindex("int mixed(") :]
    for words, others in (
        ("for (pa_index32 ", "for (int64_t "),
        ("const pa_index32 N", "const int64_t N"),
        ("(int64_t)", "(pa_index32)"),
    ):
        assert words in body
        with pytest.raises(CertificationError):
            read_back(plan, head + body.replace(words, others))
    with pytest.raises(CertificationError):
        read_back(plan, head.replace("pa_reach(1, N)", "1") + body)


def test_what_is_too_large_is_refused() -> None:
    N, M = pa.sizes("N M")
    x = pa.placeholder((N, M), name="x", dtype="float32")
    narrow = pa.Target("c", index="int32")
    with pytest.raises(
        pa.CompileError, match=rf"doubled: Target\(index='int32'\) counts to {MOST}, .* leave out index="
    ):
        pa.compile({"doubled": x * 2}, [x], name="doubled", target=narrow, sizes={"N": 2**16, "M": 2**16})
    made = pa.compile({"made": pa.compute((N, M), lambda i, j: i - j)}, [], name="made", target=narrow)
    with pytest.raises(pa.CallError, match=r"at N = 65536, M = 65536 this kernel up to N \* M \+ .*without index="):
        made(N=2**16, M=2**16)
    kernel = pa.compile({"doubled": x * 2}, [x], name="doubled", target=narrow)
    np.testing.assert_array_equal(kernel(np.ones((3, 2), "float32"))["doubled"], np.full((3, 2), 2, "float32"))
    assert "pa_index32" in kernel.source
    assert kernel.certify().text is not None
    with pytest.raises(pa.CallError, match="expected 'int64' or 'int32'"):
        pa.Target(index="int16")  # type: ignore[arg-type]
