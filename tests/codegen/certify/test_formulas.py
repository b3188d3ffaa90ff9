"""Nodes that compute something else than their statements do are refused, and proved for no sizes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import polyad as pa
from polyad.codegen.certify.certify import certify
from polyad.codegen.certify.symbolic.prove import prove
from polyad.codegen.loops.contractions import perfect_nest
from polyad.codegen.loops.how import LaneSum, Serial, Vector
from polyad.codegen.loops.loop_values import Compare
from polyad.codegen.loops.nodes import (
    Block,
    Contraction,
    ContractionAxis,
    Guard,
    Loop,
    Node,
    Operand,
    Parts,
    PrefixScan,
    Shape,
)
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import Plan, loops_of, plan_kernel
from polyad.codegen.storage.memory_plan import Slot
from polyad.codegen.storage.room import BYTE, ROOM, room_bytes
from polyad.errors import CertificationError
from polyad.ir.affine import Affine
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import Strategies
from tests.codegen.certify.symbolic.test_proved import plan_of, rows
from tests.codegen.certify.test_places import changed
from tests.codegen.certify.test_whole_nodes import kept, recurrent, scanned, summed


def changed_state(plan: Plan, change: Callable[[Any], Any]) -> Plan:
    return changed(plan, PrefixScan, lambda n: replace(n, state=change(n.state)))


def other_operator(node: Any) -> Any:
    """A loop whose lanes, or parts, are put together by another operator."""
    if isinstance(node, Parts):
        first, *others = node.sums
        other = "max" if first.reduction == "sum" else "sum"
        return replace(node, sums=(replace(first, reduction=other), *others))
    if isinstance(node.how, Vector) and node.how.sums:
        sums = tuple(LaneSum(s.local, "max" if s.reduction == "sum" else "sum", s.dtype) for s in node.how.sums)
        return replace(node, how=replace(node.how, sums=sums))
    return None


def without_lanes(node: Parts) -> Parts | None:
    """Lanes of one part that add to one variable."""
    how = node.loop.how
    return replace(node, loop=replace(node.loop, how=replace(how, sums=()))) if isinstance(how, Vector) else None


def backwards(node: Parts) -> Parts:
    return replace(node, loop=replace(node.loop, first=node.loop.last, last=node.loop.first, step=-1))


def read_inside() -> Plan:
    """Whoever reads a sum in the last iteration of the loop that adds it up finds that of one lane."""
    N, M = pa.sizes("N M")
    x = pa.placeholder((N, M), "x", "float64")
    plan = plan_of([pa.tanh(pa.numpy.sum(x * x, axis=1))], [x])

    def inwards(node: Loop) -> Loop | None:
        for k, inner in enumerate(node.body.children[:-1]):
            if isinstance(inner, Loop) and isinstance(inner.how, Vector) and inner.how.sums:
                user = node.body.children[k + 1]
                last = Guard(Compare("==", Affine.of(inner.iterator), Affine.of("M") - 1), Block((user,)))
                new = replace(inner, body=Block((*inner.body.children, last)))
                children = (*node.body.children[:k], new, *node.body.children[k + 2 :])
                return replace(node, body=Block(children))
        return None

    return changed(plan, Loop, inwards)


def told(plan: Plan, **other: Any) -> Plan:
    """Return a plan with another shape for the macro-kernel."""

    def one(node: Contraction) -> Contraction:
        assert node.shape is not None
        return replace(node, shape=replace(node.shape, **other))

    return changed(plan, Contraction, one)


def as_contraction(text: str, c: tuple[int, int], starts: tuple[Operand, Operand, Operand]) -> Plan:
    """A sum over k in rows i and columns j of N by N operands as a contraction, which polyad would not take it for."""
    program, none = parse_program(text), Strategies.at_level(0)
    schedule = default_schedule(program, none)
    plan = plan_kernel(program, schedule, CodegenOptions(False, none))
    nests = [perfect_nest(n) if isinstance(n, Loop) else None for n in loops_of(program, schedule).children]
    place, found = next((p, f) for p, f in enumerate(nests) if f is not None and len(f[0]) == 3)
    loops = {loop.iterator: replace(loop, how=Serial()) for loop in found[0]}
    i, j, k = (loops[n] for n in "ijk")
    N, one, still, number = {("N",): 1}, {(): 1}, dict[Any, int](), Affine.of("N")
    strides = {0: still, 1: one}
    shape = Shape(
        rows=(ContractionAxis((i,), number, (strides[c[0]], N, still)),),
        columns=(ContractionAxis((j,), number, (strides[c[1]], still, one)),),
        sums=(ContractionAxis((k,), number, (still, one, N)),),
        c=starts[0],
        a=starts[1],
        b=starts[2],
        scale=1.0,
        weights=(),
        dtype="float64",
    )
    inner: Node = found[1]
    for loop in (k, j, i):
        inner = replace(loop, body=Block((inner,)))
    assert isinstance(inner, Loop)
    tree = (*plan.loops.children[:place], Contraction(inner, None, shape=shape), *plan.loops.children[place + 1 :])
    room = Slot((ROOM,), BYTE, (Affine.of(room_bytes(None, None, 8, packed=False, direct=False)),))
    memory = replace(plan.storage.memory, slots=(*plan.storage.memory.slots, room))
    return replace(plan, loops=Block(tree), storage=replace(plan.storage, memory=memory))


OVERLAPPING = """
program f: [N] -> { : N >= 1 }
  input a: float64[N, N]
  input b: float64[N, N]
  output c: float64[2 * N]
  I: [N] -> { I[i] : 0 <= i < 2 * N }
      c[i] = 0
  S: [N] -> { S[i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < N }
      c[i + j] += mul(a[i, k], b[k, j])
"""


def overlapping() -> Plan:
    """Several rows and columns add to one element, of which the macro-kernel would keep one."""
    i, j, k = map(Affine.of, "ijk")
    starts = Operand("c", (i + j,)), Operand("a", (i, k)), Operand("b", (k, j))
    return as_contraction(OVERLAPPING, (1, 1), starts)


def twice(node: PrefixScan) -> PrefixScan:
    """Two buffers of one name."""
    return replace(node, names={**node.names, "mul": node.names["add"]})


WRONG: dict[str, tuple[Callable[[], Plan], str]] = {
    "lanes put together in another way": (lambda: changed(rows(), Loop, other_operator), "are put together by"),
    "parts put together in another way": (lambda: changed(summed()[0], Parts, other_operator), "are put together by"),
    "lanes of a part with one variable": (lambda: changed(summed()[0], Parts, without_lanes), "may write it|may read"),
    "parts of a loop backwards": (lambda: changed(summed()[0], Parts, backwards), "that C has no parts of"),
    "a sum read in its loop": (read_inside, "is used in the loop that adds it up"),
    "another factor": (lambda: told(recurrent()[0], scale=2.0), "times 2.0"),
    "other bytes": (lambda: told(recurrent()[0], dtype="float32"), "sums float32"),
    "overlapping sums": (overlapping, "adds row"),
    "another kind of scan": (
        lambda: changed(scanned()[0], PrefixScan, lambda n: replace(n, kind="sum")),
        "of kind sum",
    ),
    "another state": (
        lambda: changed_state(
            scanned()[0], lambda s: replace(s, update=replace(s.update, mul=s.update.add, add=s.update.mul))
        ),
        "takes a state to another one",
    ),
    "numbers that stand nowhere": (
        lambda: changed(scanned()[0], PrefixScan, lambda n: replace(n, standing=frozenset({"mul"}))),
        "where",
    ),
    "what is not kept": (
        lambda: changed(kept()[0], PrefixScan, lambda n: replace(n, kept={}) if n.kept else None),
        "in buffers, and needs",
    ),
    "one buffer twice": (lambda: changed(scanned()[0], PrefixScan, twice), "have one name"),
}


@pytest.mark.parametrize("title", WRONG)
def test_it_is_refused(title: str) -> None:
    make, why = WRONG[title]
    plan = make()
    with pytest.raises(CertificationError, match=why):
        certify(plan, most=20_000)
    assert not prove(plan).proved


def test_a_contraction_reads_no_element_that_it_adds_to() -> None:
    """Its nest would: rows follow each other there, and the macro-kernel has an order of its own."""
    text = """
program f: [N] -> { : N >= 1 }
  input b: float64[N, N]
  output c: float64[N + 1, N]
  I: [N] -> { I[i, j] : 0 <= i <= N and 0 <= j < N }
      c[i, j] = 1
  S: [N] -> { S[i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < N }
      c[i + 1, j] += mul(c[i, k], b[k, j])
"""
    i, j, k = map(Affine.of, "ijk")
    plan = as_contraction(text, (0, 1), (Operand("c", (i + 1, j)), Operand("c", (i, k)), Operand("b", (k, j))))

    def strides(node: Contraction) -> Contraction:
        assert node.shape is not None
        (row,) = node.shape.rows
        first = replace(row, strides=({("N",): 1}, *row.strides[1:]))
        return replace(node, shape=replace(node.shape, rows=(first,)))

    wrong = changed(plan, Contraction, strides)
    with pytest.raises(CertificationError, match=r"may write it|may read it"):
        certify(wrong)
    assert not prove(wrong).proved
