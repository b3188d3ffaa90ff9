"""Prefix scans as events: blocks of steps, in which vector loops run around the scan.

What the two loops do step by step, they do for each step of a block at once; so steps are taken for iterations that
run at the same time, and no cell may be touched by two of them. The state goes from step to step in no cell: it is
read once before the first step, and what reads it in a step reads no memory. States that take turns in their places
are there behind the loop only, those before and after its last step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from polyad.analysis.linear import At, leaves
from polyad.codegen.certify.symbolic.events import NotModelledError
from polyad.codegen.certify.symbolic.recorder import Here, Recorder
from polyad.codegen.loops.how import How, Vector
from polyad.codegen.loops.instance import Instance, variable_of
from polyad.codegen.loops.isl_words import isl_value
from polyad.codegen.loops.loop_values import Value
from polyad.codegen.loops.nodes import LinearState, PrefixScan
from polyad.codegen.loops.statement_accesses import Touch, cell_of
from polyad.ir.affine import Affine
from polyad.ir.expr import reads

__all__ = ["record_scan"]

Declare = Callable[[Here, str], Here]


def record_scan(recorder: Recorder, node: PrefixScan, here: Here, position: int, declare: Declare) -> int:
    """The events of a scan; the last position that it takes.

    Raises:
        NotModelledError: it is not known to do what its loop does.
    """
    state, loop = node.state, node.state.loop
    simple = isinstance(loop.first, Affine) and isinstance(loop.last, Affine) and abs(loop.step) == 1
    if not simple or here.section is not None:
        raise NotModelledError("a prefix scan begins at the least of several numbers, or in a region")
    _check_state(recorder, state)
    low, high = loop.limits
    some = here.under(f"{isl_value(low, here.words)} <= {isl_value(high, here.words)}")
    at_first = _at(state.before, loop.iterator, loop.first)
    title = f"the scan over {loop.iterator}"
    recorder.access(some, "read", title, state.array, at_first, 2 * position)
    begin = len(recorder.events)
    sums = [frozenset(_sums(how, here)) for how in (node.first, node.second)]
    inside = here.inside(loop, position + 1).concurrent(recorder.number(), sums[0] | sums[1])
    known = recorder.plan.known.touches
    position = position + 2
    one = inside.concurrent(recorder.number(), sums[0])
    for instance in state.first:
        write = known[instance.statement][0]
        if instance.declares:
            one = declare(one, variable_of(instance.locals[write.array]))
        recorder.statement(one, instance, position)
        position += 1
    for leaf in (*leaves(state.update.mul), *leaves(state.update.add)):
        _leaf(recorder, state, leaf, one, position)
    position += 1
    if node.part == "totals":  # what it runs runs again behind it, and is the program's then
        return position
    kept = [variable_of(i.locals[known[i.statement][0].array]) for i in state.kept]
    two = inside.concurrent(recorder.number(), sums[1])
    two = replace(two, scope={**two.scope, **{name: one.scope[name] for name in kept}})
    for instance in state.second:
        two = _second(recorder, node, instance, two, position, declare)
        position += 1
    recorded = {e.name for e in recorder.events[begin:]}
    done = {i.number for i in (*state.first, *state.second)}
    for instance in (c for c in loop.body.children if isinstance(c, Instance)):
        if instance.number not in done or instance.number == state.writer.number:
            if known[instance.statement][0].kind == "contribute":
                raise NotModelledError(f"{instance.statement} adds to something, and stands in no loop of a scan")
            recorder.executed(inside, instance)
    if state.in_turn:
        piece = recorder.cells.place(state.array).piece
        if any(e.piece == piece for e in recorder.events if e.name in recorded):
            raise NotModelledError("states that take turns in memory are read there")
        _in_turn(recorder, state, some, replace(inside, constructs=here.constructs), position)
    return position + 3


def _at(index: Sequence[Affine], iterator: str, value: Value) -> tuple[Affine, ...]:
    """An index at one step."""
    assert isinstance(value, Affine), "loops with other bounds are not modelled"
    return tuple(i.substitute({iterator: value}) for i in index)


def _sums(how: How, here: Here) -> set[str]:
    names = [s.local for s in how.sums] if isinstance(how, Vector) else []
    if any(n not in here.scope for n in names):
        raise NotModelledError("a scan sums into what is not declared before it")
    return {here.scope[n].name for n in names}


def _check_state(recorder: Recorder, state: LinearState) -> None:
    """The state after a step is the one before the next, and the writer makes the one of the other."""
    write = recorder.plan.known.touches[state.writer.statement][0]
    if write.kind != "define" or write.array != state.array or cell_of(write, state.writer) != state.after:
        raise NotModelledError("a scan carries another element than its state")
    following = {state.loop.iterator: Affine.of(state.loop.iterator) + state.loop.step}
    if tuple(i.substitute(following) for i in state.before) != state.after:
        raise NotModelledError("the state after a step of a scan is not the one before the next")
    body = [i for i in state.loop.body.children if isinstance(i, Instance)]
    for instance in body:
        for touch in recorder.plan.known.touches[instance.statement][1:]:
            if touch.array == state.array and touch.array not in instance.locals:
                index = cell_of(touch, instance)
                if index not in (state.before, state.after) or (index == state.before) != (
                    instance.number in state.carried
                ):
                    raise NotModelledError("a scan reads another element of its states")
    if state.writer.locals.get(state.array) is not None:
        raise NotModelledError("the state of a scan is a variable")


def _leaf(recorder: Recorder, state: LinearState, leaf: At, here: Here, position: int) -> None:
    """The reads of a factor or a term."""
    instance = state.instance(leaf)
    own = {id(t.access): t for t in recorder.plan.known.touches[instance.statement][1:]}
    for read in reads(leaf.expr):
        recorder.touch(here, "read", instance, own[id(read.access)], 2 * position)


def _second(
    recorder: Recorder, node: PrefixScan, instance: Instance, here: Here, position: int, declare: Declare
) -> Here:
    """A statement behind the scan of a block."""
    state = node.state
    write, *others = recorder.plan.known.touches[instance.statement]
    if instance.number == state.writer.number:
        if not state.in_turn:
            recorder.touch(here, "define", instance, write, 2 * position + 1)
        return here
    if instance.declares:
        here = declare(here, variable_of(instance.locals[write.array]))
    for touch in others:
        if not _is_state(state, instance, touch):
            recorder.touch(here, "read", instance, touch, 2 * position)
    recorder.touch(here, "define" if write.kind == "define" else "contribute", instance, write, 2 * position + 1)
    recorder.executed(here, instance)
    return here


def _is_state(state: LinearState, instance: Instance, touch: Touch) -> bool:
    """Whether a read finds a state of the scan, and nothing in memory."""
    if touch.array != state.array or touch.array in instance.locals:
        return False
    return instance.number in state.carried or state.in_turn


def _in_turn(recorder: Recorder, state: LinearState, some: Here, inside: Here, position: int) -> None:
    """States in their places behind the loop: any, then those of the last step."""
    loop = state.loop
    if state.array in some.scope:
        raise NotModelledError("a thread has a copy of states that take turns")
    for index in (state.before, state.after):
        recorder.access(inside, "put", "a block of the scan", state.array, index, 2 * position)
        recorder.claimless.add(recorder.events[-1].name)
    for k, index in enumerate((state.before, state.after)):
        own = _at(index, loop.iterator, loop.last)
        recorder.access(some, "define", "the last step of the scan", state.array, own, 2 * (position + 1 + k))
