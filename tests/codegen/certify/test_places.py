"""Places and names that a plan decides on, with one thing wrong: refused at some sizes, and proved for none."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import polyad as pa
from polyad.codegen.certify.certify import certify
from polyad.codegen.certify.symbolic.prove import prove
from polyad.codegen.loops.how import Serial, Threads, Work
from polyad.codegen.loops.nodes import (
    Block,
    Cell,
    Copies,
    Copy,
    CopyPointer,
    Declare,
    Instance,
    Load,
    Loop,
    Node,
    Pack,
    SlotPointer,
)
from polyad.codegen.loops.traversal import map_instances, nodes
from polyad.codegen.lower.index_checks import CheckedIndex
from polyad.codegen.plan import Plan, plan_kernel
from polyad.codegen.storage.memory_plan import Slot
from polyad.codegen.storage.room import ROOM
from polyad.errors import CertificationError
from polyad.frontend.compiled import program_of
from polyad.ir.affine import Affine
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from tests.acceptance.strategy_programs import strategy_program
from tests.codegen.certify import test_whole_nodes as whole_nodes
from tests.codegen.certify.mutants import planned, replaced
from tests.codegen.test_homes import HEAD, SAME
from tests.codegen.test_homes import plan as overwriting
from tests.codegen.test_private import BATCH, PARALLEL

ONE = Affine.of(1)


@cache
def recurrent() -> Plan:
    return whole_nodes.recurrent()[0]


@cache
def copied() -> Plan:
    program = parse_program(BATCH)
    return plan_kernel(program, default_schedule(program), PARALLEL)


@cache
def shared() -> Plan:
    """A batch of scans, a part of it for each thread."""
    return planned(strategy_program(1).program)


@cache
def in_lanes() -> Plan:
    return planned(strategy_program(21).program)


def gathered() -> Plan:
    """An index that callers pass, and one that is computed."""
    N, M = pa.sizes("N M")
    table, ids = pa.placeholder((N,), "table", "float64"), pa.placeholder((M,), "ids", "int64")
    x = pa.placeholder((M, N), "x", "float64")
    loss = pa.numpy.sum(pa.tanh(table[ids])) + pa.numpy.sum(table[pa.numpy.argmax(x, axis=1)])
    return planned(program_of([loss, *pa.grad(loss, [table])], [table, ids, x], "gathered")[0])


def changed(plan: Plan, kind: type[Node], change: Callable[[Any], Node | None]) -> Plan:
    """A plan with another node in the place of the first of a kind that changes."""
    for node in nodes(plan.loops):
        if isinstance(node, kind) and (new := change(node)) is not None:
            tree = replaced(plan.loops, node, new)
            assert tree is not None
            return replace(plan, loops=tree)
    raise AssertionError(f"there is no {kind.__name__}")


def with_slots(plan: Plan, change: Callable[[Slot], Slot | None]) -> Plan:
    """A plan with another slice of the workspace in the place of the first that changes."""
    slots = list(plan.storage.memory.slots)
    number, new = next((n, found) for n, s in enumerate(slots) if (found := change(s)) is not None)
    slots[number] = new
    return replace(plan, storage=replace(plan.storage, memory=replace(plan.storage.memory, slots=tuple(slots))))


def with_homes(plan: Plan, **homes: str) -> Plan:
    found = {**plan.storage.memory.homes, **homes}
    return replace(plan, storage=replace(plan.storage, memory=replace(plan.storage.memory, homes=found)))


def smaller(slot: Slot, by: int) -> Slot:
    return replace(slot, extents=(*slot.extents[:-1], slot.extents[-1] - by))


def of_floats(slot: Slot) -> Slot | None:
    return replace(slot, dtype="float32") if slot.dtype == "float64" else None


def short_panels(plan: Plan) -> Plan:
    names = {n.name for n in nodes(plan.loops) if isinstance(n, Pack)}
    return with_slots(plan, lambda s: smaller(s, 1) if {*s.arrays} & names else None)


def other_slot(node: SlotPointer) -> SlotPointer:
    return replace(node, slot=node.slot + 1)


def alone_twice() -> Plan:
    """A second pointer to a piece: each says that it is alone."""
    plan = recurrent()
    pointer = next(n for n in nodes(plan.loops) if isinstance(n, SlotPointer))
    other = next(a for a in plan.storage.memory.slots[pointer.slot].arrays if a != pointer.array)
    tree = replaced(plan.loops, pointer, pointer, SlotPointer(other, pointer.slot))
    assert tree is not None
    return replace(plan, loops=tree)


def fewer_copies(slot: Slot) -> Slot | None:
    return None if slot.copies is None or slot.arrays == (ROOM,) else replace(slot, copies=slot.copies - 1)


def one_room(slot: Slot) -> Slot | None:
    return replace(slot, copies=None) if slot.arrays == (ROOM,) else None


def in_threads(kind: type[Node]) -> Callable[[], Plan]:
    """A node of a kind in a loop of which several threads have an iteration each."""

    def one(node: Node) -> Loop:
        work = Work(((1, (ONE,)),), 0.0)
        return Loop("twice", Affine.of(0), ONE, 1, Block((node,)), Threads(work, None, Serial()))

    return lambda: changed(recurrent(), kind, one)


def hidden() -> Plan:
    """A C variable with the name of a size."""
    plan = recurrent()
    load = Load("T", Cell("x", (Affine.of(0),) * 3))
    return replace(plan, loops=Block((load, *plan.loops.children)))


def read_by_its_own_value() -> Plan:
    """`double x = f(x)`: in C the x on the right is the new one, not that of the block around."""
    text = """
program f: [N] -> { : N >= 1 }
  input x: float64[N]
  temporary a: float64[]
  temporary b: float64[N]
  output y: float64[N]
  A: [N] -> { A[] }
      a[] = exp(x[0])
  B: [N] -> { B[i] : 0 <= i < N }
      b[i] = a[] + x[i]
  Y: [N] -> { Y[i] : 0 <= i < N }
      y[i] = b[i] * b[i]
"""
    program = parse_program(text)
    plan = plan_kernel(program, default_schedule(program), PARALLEL)
    names = {"A": {"a": "b"}, "B": {"a": "b", "b": "b"}}

    def one(node: Instance) -> Instance:
        return replace(node, locals=names.get(node.statement, node.locals))

    assert {"a", "b"} <= {*plan.storage.memory.variables}
    return replace(plan, loops=Block(tuple(map_instances(one, n) for n in plan.loops.children)))


def without_tests(at_use: bool) -> Plan:
    plan = gathered()
    checks = plan.checks
    assert checks.before and checks.guarded
    return replace(plan, checks=replace(checks, guarded={}) if at_use else replace(checks, before=()))


def with_wrong_test(part: str) -> Plan:
    """A test of an index that lets one pass that is too large, or leaves an instance out."""
    plan = gathered()

    def one(check: CheckedIndex) -> CheckedIndex:
        statement = check.statement
        fewer = replace(statement, domain=statement.domain.subtract(statement.domain.lexmax()))
        return replace(check, extent=check.extent + 1) if part == "extent" else replace(check, statement=fewer)

    return replace(plan, checks=replace(plan.checks, before=tuple(map(one, plan.checks.before))))


def negative() -> Plan:
    """An iterator that C divides as if it was 0 or more begins below."""
    plan = whole_nodes.summed()[0]
    loop = next(n for n in nodes(plan.loops) if isinstance(n, Loop))
    value = replace(plan.names.value, nonnegative=plan.names.value.nonnegative | {"below"})
    names = replace(plan.names, value=value)
    before = Loop("below", Affine.of(-1), Affine.of(-1), 1, Block(()))
    return replace(plan, names=names, loops=Block((before, *plan.loops.children))) if loop else plan


WRONG: dict[str, tuple[Callable[[], Plan], str]] = {
    "elements of other bytes": (lambda: with_slots(recurrent(), of_floats), "in a piece of float32"),
    "an input that nobody may overwrite": (
        lambda: with_homes(recurrent(), **{recurrent().storage.memory.slots[0].arrays[0]: "x"}),
        "which nobody may overwrite",
    ),
    "an input that another output may overwrite": (
        lambda: with_homes(overwriting(HEAD + SAME), y="z"),
        "no output that callers find there",
    ),
    "a pointer to another piece": (lambda: changed(recurrent(), SlotPointer, other_slot), "in which it does not lie"),
    "a pointer that is not alone": (alone_twice, "two pointers lead to piece"),
    "the first copy for all": (
        lambda: changed(copied(), CopyPointer, lambda n: replace(n, copy="")),
        "all threads and lanes have the first copy",
    ),
    "one copy for all": (
        lambda: changed(copied(), Copy, lambda n: replace(n, iteration=Affine.of(0))),
        "may write it|may read it",
    ),
    "a copy too far": (
        lambda: changed(copied(), Copy, lambda n: replace(n, iteration=n.iteration + 1)),
        "is the copy of iteration",
    ),
    "fewer copies than threads": (
        lambda: changed(copied(), Copies, lambda n: replace(n, count=n.count - 1)),
        "another number of copies",
    ),
    "memory for fewer copies": (lambda: with_slots(copied(), fewer_copies), "another number of copies"),
    "panels too short": (lambda: short_panels(recurrent()), "do not fit into their memory"),
    "panels filled by several threads": (in_threads(Pack), "may write it"),
    "room too small": (
        lambda: with_slots(recurrent(), lambda s: smaller(s, 64) if s.arrays == (ROOM,) else None),
        "more memory than it has",
    ),
    "one room for several threads": (lambda: with_slots(shared(), one_room), "several threads have one memory"),
    "a lane less": (
        lambda: changed(in_lanes(), Declare, lambda n: replace(n, lanes=n.lanes - 1)),
        "and none of number",
    ),
    "a variable read as it is declared": (read_by_its_own_value, "finds nothing that was written"),
    "a variable that hides a size": (hidden, "hides another name"),
    "an index that nobody tests": (lambda: without_tests(False), "which nobody tests"),
    "an index that nobody tests at its use": (lambda: without_tests(True), "which nobody tests"),
    "a test that lets too much pass": (lambda: with_wrong_test("extent"), "which nobody tests"),
    "a test that leaves something out": (lambda: with_wrong_test("instances"), "which nobody tests"),
    "a negative iterator": (negative, "C takes it for 0 or more"),
}


@pytest.mark.parametrize("title", WRONG)
def test_it_is_refused(title: str) -> None:
    make, why = WRONG[title]
    plan = make()
    with pytest.raises(CertificationError, match=why):
        certify(plan, most=20_000)
    assert not prove(plan).proved


@pytest.mark.parametrize("make", [recurrent, copied, shared, in_lanes, gathered])
@pytest.mark.quick_cases(2)
def test_without_it_they_are_right(make: Callable[[], Plan]) -> None:
    assert certify(make(), most=20_000).sizes and prove(make()).proved


def test_an_array_is_no_larger_than_its_home() -> None:
    plan = overwriting(HEAD + SAME)
    arrays = plan.program.arrays
    longer = {**arrays, "y": replace(arrays["y"], shape=(Affine.of("N") + 1,))}
    wrong = replace(plan, program=replace(plan.program, arrays=longer))
    certify(wrong)  # the element that is too far is none of anybody
    assert not prove(wrong).proved
