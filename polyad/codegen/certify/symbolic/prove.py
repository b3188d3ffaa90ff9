"""A proof for all sizes, as far as isl finds one in the time that it has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.codegen.certify.symbolic.events import Event, NotModelledError
from polyad.codegen.certify.symbolic.flow import elements, found_elements
from polyad.codegen.certify.symbolic.instances import check_instances
from polyad.codegen.certify.symbolic.loops import Walk
from polyad.codegen.certify.symbolic.races import check_races
from polyad.codegen.certify.symbolic.recorder import Here, OutsideError, Recorder
from polyad.codegen.certify.symbolic.refused import UnprovedError
from polyad.codegen.certify.symbolic.sums import check_sum
from polyad.codegen.loops.nodes import Block, Contraction, Guard, Loop, Node, Pack, Parts, Region, Share, Single
from polyad.codegen.loops.statement_accesses import Touch
from polyad.codegen.plan import Plan
from polyad.ir.affine import Affine
from polyad.ir.expr import Indirect, Read

__all__ = ["OPERATIONS", "Answer", "prove"]

OPERATIONS = 5_000_000
"""What isl may spend on a kernel, in its own elementary operations: about a second."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found.

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
        with islx.bounded_operations(operations):
            _prove(plan)
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


def _prove(plan: Plan) -> None:
    recorder = Recorder(plan, 2 * _deepest(plan.loops) + 1)
    walk = Walk(recorder)
    _given(recorder)
    walk.block(plan.loops, Here())
    _returned(recorder, 2 * walk.position + 10)
    check_instances(recorder)
    origins = _origins(recorder)
    flow = isl.UnionMap("{ }")
    pieces: dict[object, list[Event]] = {}
    for event in recorder.events:
        pieces.setdefault(event.piece, []).append(event)
    for events in pieces.values():
        flow = flow.union(found_elements(events, origins))
        check_races(events, recorder.barriers, recorder.length)
    arrays: dict[str, list[Event]] = {}
    for event in recorder.events:
        arrays.setdefault(event.array, []).append(event)
    for array, events in arrays.items():
        if any(e.kind == "contribute" for e in events):
            if origins is not None and not elements(events, None).intersect_range(origins.domain()).is_empty():
                raise NotModelledError(f"something is added to copies that never run, of {array}")
            memory = {recorder.cells.place(array).space}
            check_sum(array, events, flow, recorder.length, {e.space for e in events} != memory)


def _deepest(node: Node) -> int:
    """How many loops are inside of each other."""
    match node:
        case Block(children):
            return max(map(_deepest, children), default=0)
        case Loop(body=body) | Share(body=body):
            return 1 + _deepest(body)
        case Guard(then=then, otherwise=otherwise):
            return max(_deepest(then), 0 if otherwise is None else _deepest(otherwise))
        case Region(body=body) | Single(body=body):
            return _deepest(body)
        case Contraction(nest=nest) | Pack(contraction=Contraction(nest=nest)):
            return _deepest(nest)
        case Parts(loop=loop):
            return _deepest(loop)
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
    for array in dict.fromkeys(recorder.plan.storage.memory.homes.values()):
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


def _origins(recorder: Recorder) -> isl.UnionMap | None:
    """{ element -> the one that lies there }, of copies that never run.

    Raises:
        NotModelledError: they do not lie in one place.
    """
    found: list[isl.Map] = []
    plan = recorder.plan
    for name in plan.storage.gone:
        statement = plan.program.statement(name)
        if not isinstance(statement.body, Read) or statement.reduction is not None:
            raise NotModelledError(f"{name} is no copy, and never runs")
        write, read, *_ = plan.known.touches[name]
        cells = []
        relations = []
        for touch in (write, read):
            place = recorder.cells.place(touch.array)
            index = _plain(touch)
            texts = [[_text(i) for i in place.index(index)], [_text(i) for i in index]]
            domain = statement.domain.intersect_params(plan.program.context)
            cells.append(recorder.map(statement.dims, name, place.space, texts[0]).intersect_domain(domain))
            element = recorder.map(statement.dims, name, recorder.arrays[touch.array], texts[1])
            relations.append(element.intersect_domain(domain))
        new, old = cells
        if new.get_tuple_name(isl.dim_type.out) != old.get_tuple_name(isl.dim_type.out) or not new.is_equal(old):
            raise NotModelledError(f"what {name} copies does not lie where its copy is")
        found.append(relations[0].reverse().apply_range(relations[1]))
    return _union(found)


def _union(found: Iterable[isl.Map]) -> isl.UnionMap | None:
    maps = list(found)
    return islx.union_map(maps) if maps else None


def _plain(touch: Touch) -> list[Affine]:
    index = [i for i in touch.index if i is not None]
    if len(index) < len(touch.index):
        raise NotModelledError("data choose an element of a copy")
    return index
