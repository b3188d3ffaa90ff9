"""Loops that carry one number s from step to step, by s = mul * s + add: which they are, and what mul and add are.

Every value of the body is followed as a linear function of the state before the step (analysis/linear.py). Where that
succeeds, prefix_text.py prints the loop as a prefix scan between vector loops.

What has to hold for the results to be those of the loop:

- behind the loop, memory holds what the loop would have left there: every state that has a place of its own, of those
  that take turns in one place (`in_turn`) the one that has it last;
- before the end of the loop nobody reads these places but by the names that prefix_text.py gives to the states: an
  instance that reads another element of the state's array is none of this kind;
- no step reads from memory what another one writes, but the state;
- what is not finite stays where it is: a chunk with a factor of 0 runs step by step.
"""

from __future__ import annotations

from collections.abc import Mapping

from polyad.analysis.linear import ITSELF, Linear, depends, linear
from polyad.analysis.statement_cost import statement_cost
from polyad.codegen.loops.how import Prefix, Serial
from polyad.codegen.loops.nodes import Instance, LinearState, Loop
from polyad.codegen.loops.statement_accesses import Touch, Touches, cell_of
from polyad.codegen.loops.vector_loops import is_smooth_along
from polyad.ir.affine import Affine
from polyad.ir.statement import Statement
from polyad.machine import Machine

__all__ = ["linear_state", "state_of"]


def linear_state(
    loop: Loop,
    touches: Touches,
    statements: Mapping[str, Statement],
    slots: Mapping[str, Mapping[int, int]],
    machine: Machine,
    strides: bool = False,
) -> LinearState | None:
    """The state of a loop, or None where it is not one of this kind.

    Args:
        loop: a sequential loop, perhaps one that the schedule wants as prefix scans.
        touches: the accesses of all statements.
        statements: by name.
        slots: array -> dimension -> slots of its circular buffer.
        machine: says how many steps are so few that one by one is as fast.
        strides: steps may be far apart in memory.
    """
    if abs(loop.step) != 1 or not isinstance(loop.how, Serial | Prefix) or not isinstance(loop.first, Affine):
        return None
    body = [c for c in loop.body.children if isinstance(c, Instance)]
    if len(body) != len(loop.body.children) or not body or _is_short(loop, machine.long):
        return None
    carried = _carried(loop, body, touches)
    if carried is None:
        return None
    array, _, writer = carried
    for instance in body:
        for touch in touches[instance.statement]:
            turns = _turns(touch, instance, loop, slots)
            if turns > (2 if touch.array == array else 0):
                return None
            if not strides and not is_smooth_along(touch, instance, loop.iterator):
                return None
    in_turn = _turns(touches[writer.statement][0], writer, loop, slots) > 0
    return state_of(loop, touches, statements, in_turn, machine)


def state_of(
    loop: Loop, touches: Touches, statements: Mapping[str, Statement], in_turn: bool, machine: Machine
) -> LinearState | None:
    """The same without asking how arrays are stored, and whether it pays: what follows from the statements.

    Args:
        loop: with nothing but instances in it.
        touches: the accesses of all statements.
        statements: by name.
        in_turn: states take turns in memory.
        machine: says what a division costs: what costs as much is not computed a second time.
    """
    body = [c for c in loop.body.children if isinstance(c, Instance)]
    carried = _carried(loop, body, touches)
    if carried is None:
        return None
    array, before, writer = carried
    after = cell_of(touches[writer.statement][0], writer)
    dtype = statements[writer.statement].body.dtype
    if after is None or "float" not in dtype:
        return None
    return _classified(loop, body, touches, statements, (array, dtype, before, after, writer, in_turn), machine)


def _turns(touch: Touch, instance: Instance, loop: Loop, slots: Mapping[str, Mapping[int, int]]) -> int:
    """In how many places the elements that a loop touches take turns; 0 where each has a place of its own."""
    folded = slots.get(touch.array, {}) if touch.array not in instance.locals else {}
    cell = cell_of(touch, instance) if folded else None
    if cell is None:
        return max(folded.values(), default=0)
    moving = [d for d, i in enumerate(cell) if loop.iterator in i.names()]
    # One index that moves and is not folded tells all steps apart.
    return max((folded[d] for d in moving), default=0) if all(d in folded for d in moving) else 0


def _is_short(loop: Loop, few: int) -> bool:
    """Whether the loop has so few steps that one by one is as fast."""
    trips = (
        (loop.last - loop.first) * loop.step
        if isinstance(loop.first, Affine) and isinstance(loop.last, Affine)
        else None
    )
    return trips is not None and trips.is_constant and trips.constant < few


def _carried(loop: Loop, body: list[Instance], touches: Touches) -> tuple[str, tuple[Affine, ...], Instance] | None:
    """(state, element read, its writer): the one array whose elements are read a step after they are written."""
    writers: dict[str, list[Instance]] = {}
    for instance in body:
        write = touches[instance.statement][0]
        writers.setdefault(write.array, []).append(instance)
    found: dict[str, tuple[Affine, ...]] = {}
    for position, instance in enumerate(body):
        for touch in touches[instance.statement][1:]:
            if touch.array not in writers:
                continue
            (writer, *others) = writers[touch.array]
            write = touches[writer.statement][0]
            here, there = cell_of(touch, instance), cell_of(write, writer)
            if others or write.kind != "define" or here is None or there is None:
                return None
            if here == there and body.index(writer) < position:
                continue
            step_before = {loop.iterator: Affine.of(loop.iterator) - loop.step}
            if touch.array in instance.locals or here != tuple(i.substitute(step_before) for i in there):
                return None
            if found.setdefault(touch.array, here) != here:
                return None
    if len(found) != 1:
        return None
    ((array, before),) = found.items()
    return array, before, writers[array][0]


def _classified(
    loop: Loop,
    body: list[Instance],
    touches: Touches,
    statements: Mapping[str, Statement],
    state: tuple[str, str, tuple[Affine, ...], tuple[Affine, ...], Instance, bool],
    machine: Machine,
) -> LinearState | None:
    """Follow the state through the body; None where that fails."""
    array, dtype, before, after, writer, in_turn = state
    known: dict[str, Linear | None] = {}
    reading: set[int] = set()
    free: list[Instance] = []
    bound: list[Instance] = []
    for place, instance in enumerate(body):
        statement = statements[instance.statement]
        own = touches[instance.statement]
        carried = any(t.array == array and t.kind == "read" and cell_of(t, instance) == before for t in own)
        if carried and any(t.array == array and t.kind == "read" and cell_of(t, instance) != before for t in own):
            return None
        if statement.reduction is not None and own[0].array not in instance.locals:
            return None
        values = {**known, array: ITSELF} if carried else known
        if not depends(statement.body, values):
            free.append(instance)
            continue
        if carried:
            reading.add(instance.number)
        bound.append(instance)
        if statement.reduction is None:
            known[own[0].array] = linear(statement.body, values, place)
    update = known.get(array)
    if update is None:
        return None
    kept = [i for i in free if not _is_local(i, touches)]
    results = [i for i in bound if i is not writer and not _is_local(i, touches)]
    second = _with_needed(body, results, touches, [*results, writer])
    asked = [i for i in second if i in free]
    dear = tuple(i for i in asked if statement_cost(statements[i.statement], machine) >= machine.division)
    second = _with_needed([i for i in body if i not in dear], results, touches, [*results, writer])
    first = _with_needed(free, [*kept, *_leading_to(writer, bound, touches), *dear], touches, [*kept, *dear])
    carrying = frozenset(reading)
    return LinearState(loop, array, dtype, before, after, writer, in_turn, update, carrying, first, second, dear)


def _is_local(instance: Instance, touches: Touches) -> bool:
    """Whether all that it does is to declare a C variable."""
    return instance.declares and touches[instance.statement][0].array in instance.locals


def _leading_to(writer: Instance, bound: list[Instance], touches: Touches) -> list[Instance]:
    """The writer of the state, and those whose values stand in the next state."""
    found, wanted = [writer], {t.array for t in touches[writer.statement][1:]}
    for instance in reversed(bound[: bound.index(writer)]):
        if touches[instance.statement][0].array in wanted:
            found.append(instance)
            wanted |= {t.array for t in touches[instance.statement][1:]}
    return found


def _with_needed(
    body: list[Instance], by: list[Instance], touches: Touches, kept: list[Instance]
) -> tuple[Instance, ...]:
    """`kept`, and the instances of `body` whose C variables `by` reads, directly or through each other, in order."""
    wanted = {t.array for i in by for t in touches[i.statement][1:]}
    found = {i.number for i in kept}
    for instance in reversed(body):
        if _is_local(instance, touches) and touches[instance.statement][0].array in wanted:
            found.add(instance.number)
            wanted |= {t.array for t in touches[instance.statement][1:]}
    return tuple(i for i in body if i.number in found)
