"""Kernels that were right, with one thing wrong: a bound, a barrier, a slot, a write."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from polyad.codegen.loops.how import Divided
from polyad.codegen.loops.loop_values import add
from polyad.codegen.loops.nodes import Barrier, Block, CopyPointer, Guard, Instance, Load, Loop, Node, Single, Store
from polyad.codegen.loops.traversal import expand, nodes
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import Plan, plan_kernel
from polyad.ir.affine import Affine
from polyad.ir.program import Program
from polyad.machine import TINY, Machine
from polyad.passes import prepare
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from tests.machines import with_threads

__all__ = ["MUTATIONS", "mutants", "planned"]


def planned(
    program: Program,
    machine: Machine = TINY,
    watch: Callable[[str, Block], None] | None = None,
    change: Callable[[Schedule], Schedule] = lambda s: s,
) -> Plan:
    """A program as it is compiled for threads.

    Args:
        program: any.
        machine: says what pays.
        watch: is told the name of each pass and the loops after it.
        change: of the schedule.
    """
    prepared = prepare(program, ALL, machine)
    schedule = change(default_schedule(prepared, ALL, machine))
    return plan_kernel(prepared, schedule, CodegenOptions(True, ALL, with_threads(machine)), watch=watch)


def replaced(root: Block, target: Node, *by: Node) -> Block | None:
    """The tree with other nodes in the place of one, None where it is inside of what stands as a whole."""
    found = []

    def one(node: Node) -> tuple[Node, ...] | None:
        if node is not target:
            return None
        found.append(node)
        return by

    tree = expand(one, root)
    return tree if found else None


def bounds(plan: Plan, reached: set[int]) -> Iterator[Block | None]:
    """One iteration more, or less. What is left over after blocks has no iteration more where there are none."""
    for loop in nodes(plan.loops):
        guarded = isinstance(loop, Loop) and any(isinstance(n, Guard) for n in nodes(loop))
        if isinstance(loop, Loop) and not guarded and any(id(n) in reached for n in nodes(loop.body)):
            for step in (loop.step, -loop.step):
                yield replaced(plan.loops, loop, replace(loop, last=add(loop.last, Affine.of(step))))


def instances(plan: Plan, reached: set[int]) -> Iterator[Block | None]:
    """A statement that does not run: initialisations among them."""
    for node in nodes(plan.loops):
        if isinstance(node, Instance) and id(node) in reached:
            yield replaced(plan.loops, node)


def stores(plan: Plan, reached: set[int]) -> Iterator[Block | None]:
    """A sum that is not written back."""
    for node in nodes(plan.loops):
        if isinstance(node, Store) and id(node) in reached:
            yield replaced(plan.loops, node)


def loads(plan: Plan, reached: set[int]) -> Iterator[Block | None]:
    """The neighbour of an element that is read before a loop."""
    for node in nodes(plan.loops):
        if isinstance(node, Load) and node.cell.index and id(node) in reached:
            *index, last = node.cell.index
            yield replaced(plan.loops, node, replace(node, cell=replace(node.cell, index=(*index, last + 1))))


def sections(plan: Plan, reached: set[int]) -> Iterator[Block | None]:
    """Let all threads do the work of one."""
    for node in nodes(plan.loops):
        if isinstance(node, Single) and any(id(n) in reached for n in nodes(node)):
            yield replaced(plan.loops, node, node.body)


def barriers(plan: Plan, reached: set[int]) -> Iterator[Block | None]:
    """Threads that do not wait."""
    for node in nodes(plan.loops):
        if isinstance(node, Barrier) and id(node) in reached:
            yield replaced(plan.loops, node)
        if isinstance(node, Loop) and isinstance(node.how, Divided) and node.how.wait and id(node) in reached:
            yield replaced(plan.loops, node, replace(node, how=replace(node.how, wait=False)))


def copies(plan: Plan, reached: set[int]) -> Iterator[Block | None]:
    """A copy that each thread had of an array, common to all."""
    for node in nodes(plan.loops):
        if isinstance(node, CopyPointer) and id(node) in reached:
            yield replaced(plan.loops, node)


MUTATIONS = {f.__name__: f for f in (bounds, instances, loads, stores, sections, barriers, copies)}


def mutants(plan: Plan, reached: set[int]) -> Iterator[tuple[str, Plan]]:
    """Plans with one thing wrong."""
    for name, mutate in MUTATIONS.items():
        for tree in mutate(plan, reached):
            if tree is not None:
                yield name, replace(plan, loops=tree)
    yield from moduli(plan)
    yield from shared_slots(plan)


def moduli(plan: Plan) -> Iterator[tuple[str, Plan]]:
    """A circular buffer with a slot less."""
    slots = plan.storage.slots
    for array, folded in slots.items():
        for d, count in folded.items():
            if count > 1:
                less = {**slots, array: {**folded, d: count - 1}}
                yield "modulus", replace(plan, storage=replace(plan.storage, slots=less))


def shared_slots(plan: Plan) -> Iterator[tuple[str, Plan]]:
    """Two arrays of one nest in one slot."""
    memory, users = plan.storage.memory, plan.storage.users
    alone = {s.arrays[0]: n for n, s in enumerate(memory.slots) if len(s.arrays) == 1 and s.copies is None}
    for a, b in zip(list(alone)[:-1], list(alone)[1:], strict=True):
        if memory.slots[alone[a]].extents == memory.slots[alone[b]].extents and {*users.get(a, ())} & {
            *users.get(b, ())
        }:
            known = replace(plan.known)
            known.places[b] = alone[a]
            yield "slot", replace(plan, known=known)
