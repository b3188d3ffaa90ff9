"""A proof for all sizes, as far as isl finds one in the time that it has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.codegen.certify.decided import check_decided
from polyad.codegen.certify.memory import WrongError
from polyad.codegen.certify.symbolic.copies import copied
from polyad.codegen.certify.symbolic.events import Event, NotModelledError
from polyad.codegen.certify.symbolic.flow import ReachingWrites, flow_of, last_writes
from polyad.codegen.certify.symbolic.instances import check_instances
from polyad.codegen.certify.symbolic.loops import Walk
from polyad.codegen.certify.symbolic.races import check_races
from polyad.codegen.certify.symbolic.recorder import Here, OutsideError, Recorder
from polyad.codegen.certify.symbolic.refused import UnprovedError
from polyad.codegen.certify.symbolic.sums import check_sums
from polyad.codegen.loops.nodes import (
    Block,
    Contraction,
    Guard,
    Launch,
    Loop,
    Node,
    Pack,
    Parts,
    PrefixScan,
    Region,
    Share,
    Single,
)
from polyad.codegen.plan import Plan
from polyad.ir.affine import Affine
from polyad.ir.expr import Indirect

__all__ = ["OPERATIONS", "QUICK", "Answer", "prove"]

OPERATIONS = 10_000_000
"""What isl may spend on a step of the proof, in its own elementary operations: a second or two for most kernels."""

QUICK = 1_000_000
"""The same wherever C is generated and certified: a fraction of a second."""

STEPS = {"instances": 20, "flow": 5}
"""Parts of it for the steps of which isl's operations are long ones, if there are many: those on unions of sets."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of an attempted proof.

    Attributes:
        proved: for all sizes of the program.
        reason: why not, where it is not.
        sizes: at which the proof fails, where it does: the loops may still be right.
    """

    proved: bool
    reason: str = ""
    sizes: dict[str, int] | None = None


def prove(plan: Plan, operations: int = OPERATIONS) -> Answer:
    """Prove that the loops of a plan do what its program says, at all sizes of its context."""
    try:
        check_decided(plan)
        _prove(plan, operations)
    except WrongError as problem:
        return Answer(False, str(problem))
    except islx.OperationLimitError:
        return Answer(False, "it takes isl too long")
    except NotModelledError as problem:
        return Answer(False, str(problem), _sizes(plan, problem.outside) if isinstance(problem, OutsideError) else None)
    except UnprovedError as problem:
        return Answer(False, str(problem), _sizes(plan, problem.sizes))
    except isl.Error as problem:
        return Answer(False, f"isl refuses it: {problem}")
    return Answer(True)


def _sizes(plan: Plan, where: isl.Set) -> dict[str, int] | None:
    """Small sizes out of a set of them."""
    try:
        with islx.bounded_operations(OPERATIONS):
            found = islx.witness(where.params().intersect(plan.program.context.params()), ())
    except islx.OperationLimitError:
        return None
    return None if found is None else {n: v for n, v in found[1].items() if n in plan.program.params}


def _prove(plan: Plan, operations: int) -> None:
    with islx.bounded_operations(operations):
        recorder = Recorder(plan, 2 * _deepest(plan.loops) + 1)
        walk = Walk(recorder)
        _given(recorder)
        walk.block(plan.loops, Here())
        _returned(recorder, 2 * walk.position + 10)
    with islx.bounded_operations(operations // STEPS["instances"]):
        check_instances(recorder)
    pieces: dict[object, list[Event]] = {}
    for event in recorder.events:
        pieces.setdefault(event.piece, []).append(event)
    writes = []
    for events in pieces.values():
        with islx.bounded_operations(operations // STEPS["flow"]):
            writes.append(last_writes(events))
    with islx.bounded_operations(operations):
        flow = flow_of(recorder.events, writes, copied(recorder, recorder.events), recorder.pairs, recorder.claimless)
        for events in pieces.values():
            check_races(events, recorder.barriers, recorder.length)
        for array in dict.fromkeys(e.array for e in recorder.events if e.kind == "contribute"):
            name = recorder.arrays[array]
            having = _having(name, recorder.events, flow)
            check_sums(having, flow, recorder.cells.place(array).space, name, recorder.length)


def _having(name: str, events: Iterable[Event], flow: ReachingWrites) -> list[Event]:
    """The events with elements of an array in their cells, and those that begin with them."""
    begun = {m.get_tuple_name(isl.dim_type.in_) for m in islx.maps(flow.starts)}
    return [
        e
        for e in events
        if e.name in begun or any(m.get_tuple_name(isl.dim_type.out) == name for m in islx.maps(flow.claims[e.name]))
    ]


def _deepest(node: Node) -> int:
    """How many loops are inside of each other."""
    match node:
        case Block(children):
            return max(map(_deepest, children), default=0)
        case Loop(body=body) | Share(body=body):
            return 1 + _deepest(body)
        case Guard(then=then, otherwise=otherwise):
            return max(_deepest(then), 0 if otherwise is None else _deepest(otherwise))
        case Region(body=body) | Single(body) | Launch(body):
            return _deepest(body)
        case Contraction(nest=nest) | Pack(contraction=Contraction(nest=nest)):
            return _deepest(nest)
        case Parts(loop=loop):
            return _deepest(loop)
        case PrefixScan(state=state):
            return _deepest(state.loop)
        case _:
            return 0


def _boxed(recorder: Recorder, array: str) -> isl.Set:
    """{ [index] } of all elements of an array."""
    shape = recorder.plan.program.arrays[array].shape
    dims = [f"e{d}" for d in range(len(shape))]
    limits = " and ".join(f"0 <= {d} < {e.render(str, _quotient)}" for d, e in zip(dims, shape, strict=True)) or "true"
    found = isl.Set(f"[{recorder.params}] -> {{ q[{', '.join(dims)}] : {limits} }}")
    return found.intersect_params(recorder.plan.program.context)


def _quotient(numerator: str, divisor: int) -> str:
    return f"floor(({numerator})/{divisor})"


def _given(recorder: Recorder) -> None:
    """The caller passes what is overwritten."""
    for array in sorted(recorder.plan.overwritten):
        _all(recorder, "define", "the caller", array, -1, _boxed(recorder, array))


def _returned(recorder: Recorder, position: int) -> None:
    """The caller finds the outputs."""
    program = recorder.plan.program
    for output in program.outputs:
        for statement in program.statements:
            if statement.array == output:
                write = statement.write.may if isinstance(statement.write, Indirect) else statement.write.as_map()
                domain = statement.domain.intersect_params(program.context)
                _all(recorder, "read", "the caller", output, position, domain.apply(write))


def _all(recorder: Recorder, kind: str, title: str, array: str, position: int, where: isl.Set) -> None:
    """An access to elements of an array in memory."""
    place = recorder.cells.place(array)
    extra = [f"e{d}" for d in range(len(recorder.plan.program.arrays[array].shape))]
    cell = [_text(i) for i in place.index([Affine.of(e) for e in extra])]
    assert kind in ("define", "read")
    recorder.record(
        Here(),
        "define" if kind == "define" else "read",
        title,
        place.space,
        cell,
        place.piece,
        array,
        extra,
        position,
        where,
        extra,
    )


def _text(value: Affine) -> str:
    return value.render(str, _quotient)
