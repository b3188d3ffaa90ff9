"""Storage of temporaries, decided last: C variables, circular buffers, shared workspace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.codegen.loops.contractions import shape_of
from polyad.codegen.loops.nodes import Block, Cell, Contraction, Guard, Loop, Operand, Pack, Shape, Share
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.names import Names
from polyad.codegen.options import CodegenOptions
from polyad.codegen.storage.accumulators import accumulate
from polyad.codegen.storage.beside_scans import beside_scans, totals_slot
from polyad.codegen.storage.folding import fold
from polyad.codegen.storage.homes import Homes, find_homes, in_few_steps, without
from polyad.codegen.storage.in_place import TakingOver
from polyad.codegen.storage.inside import always_inside, owned
from polyad.codegen.storage.layouts import Layout, layouts
from polyad.codegen.storage.lifetimes import accessed, share, users
from polyad.codegen.storage.memory_plan import MemoryPlan, Slot
from polyad.codegen.storage.moments import Moments
from polyad.codegen.storage.overwriting import overwrite
from polyad.codegen.storage.packing import pack_outside
from polyad.codegen.storage.private import Private, private
from polyad.codegen.storage.room import room_slot
from polyad.codegen.storage.scalars import scalarise
from polyad.codegen.storage.schedule_rows import Occurrence, occurrences
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.names import unique_name
from polyad.ir.program import Program

__all__ = ["Storage", "plan_storage"]

FOLDING_OPERATIONS = 20_000_000
"""What isl may spend on folding, in its own elementary operations; beyond that arrays stay unfolded (some seconds)."""


@dataclass(frozen=True, slots=True, eq=False)
class Storage:
    """The decisions.

    Attributes:
        loops: the loops with C variables in place.
        slots: array -> dimension -> number of slots of its circular buffer.
        layouts: the arrays that are stored skewed.
        memory: the workspace.
        users: array in the workspace -> the top-level nests that use it.
        beside: what the workspace holds beside temporaries: packed operands, the room of contractions.
        copies: the arrays of which each thread has a copy.
        wider: arrays that have larger extents than the program says, as they lie in the place of others.
        gone: statements that copied elements to where they lie, and left the loops.
    """

    loops: Block
    slots: dict[str, dict[int, int]]
    layouts: dict[str, Layout]
    memory: MemoryPlan
    users: dict[str, list[int]]
    beside: tuple[str, ...]
    copies: dict[str, Private]
    wider: Mapping[str, Array]
    gone: frozenset[str]


def plan_storage(
    program: Program,
    schedule: isl.Schedule,
    loops: Block,
    touches: Touches,
    names: Names,
    taken: set[str],
    options: CodegenOptions,
) -> Storage:
    """Decide on all temporaries.

    Args:
        program: the program.
        schedule: its schedule tree.
        loops: the loops of the schedule, iterators named.
        touches: the accesses of all statements.
        names: the C names.
        taken: all identifiers in use, iterators included; those of new variables are added.
        options: the target's choices; without strategies every temporary has memory of its own.
    """
    strategies, machine = options.strategies, options.machine
    temporaries = [a for a in program.arrays.values() if a.is_temporary]
    candidates = {a.name: names.arrays[a.name] for a in temporaries} if strategies.scalars else {}
    loops, variables = scalarise(loops, candidates, touches)

    def fresh(array: str, reduction: str) -> str:
        name = unique_name(f"{names.arrays[array]}_{reduction}", taken)
        taken.add(name)
        return name

    def inside(cell: Cell, around: tuple[Loop | Guard | Share, ...]) -> bool:
        exists = always_inside(cell, program.arrays[cell.array], around, program.context, program.params)
        return exists and owned(cell, [n for n in around if not isinstance(n, Guard)], touches)

    loops = accumulate(loops, touches, fresh, inside)
    stored = [a for a in temporaries if a.name not in variables]
    found = _paths(program, schedule)
    whole = beside_scans(loops, touches, program, machine, strategies.nested)
    homes = Homes(loops)
    if strategies.circular and strategies.overlay:
        homes = find_homes(loops, program, touches, [a for a in stored if a.name not in whole], options.machine)
    gone = homes.gone
    loops = without(loops, gone)
    program = replace(program, arrays={**program.arrays, **homes.wider})
    stored = [a for a in stored if a.name not in homes.of]
    slots = _folded([a for a in stored if a.name not in whole], found, touches) if strategies.circular else {}
    if strategies.circular:
        around = _folded([a for a in stored if whole.get(a.name)], found, touches)
        slots |= {name: own for name, own in around.items() if own.keys() <= whole[name]}
        few, copied = in_few_steps(loops, program, touches, [a for a in stored if a.name not in whole], slots)
        slots |= few
        gone |= copied
        loops = without(loops, copied)
    slots |= homes.slots
    rest = [a for a in stored if a.name not in slots]
    skewed = layouts(rest, found, touches) if strategies.wavefront else {}
    if strategies.circular and strategies.wavefront:
        others = [a for a in rest if a.name not in skewed and a.name not in whole]
        slots |= _folded(others, found, touches, slanted=True)

    def shape(node: Contraction) -> Shape | None:
        return shape_of(node, program.arrays, slots, skewed)

    def there(b: Operand, around: Sequence[Loop]) -> bool:
        return always_inside(Cell(b.array, b.index), program.arrays[b.array], around, program.context, program.params)

    loops = overwrite(loops, program, touches, lambda node: shape(node) is not None)
    panels: tuple[Slot, ...] = ()
    if strategies.pack:
        loops, panels = pack_outside(loops, shape, there, touches, lambda array: fresh(array, "panels"), program.params)
    lives = users(loops, [a.name for a in stored], touches)
    plain = [a.name for a in stored if a.name not in skewed]
    copies = private(loops, plain, lives, touches) if strategies.private else {}
    for array, copy in copies.items():
        slots[array] = {**slots.get(array, {}), copy.axis: 1}
    extents = {a.name: tuple(Affine.of(slots.get(a.name, {}).get(d, e)) for d, e in enumerate(a.shape)) for a in stored}
    # Each nest declares the pointers of shared slots for itself; what stands outside of nests has no such place.
    loose = [c for c in loops.children if not isinstance(c, Loop | Guard | Block | Share | Contraction | Pack)]
    alone = frozenset().union(*(accessed(c, touches) for c in loose)) if strategies.overlay else program.arrays.keys()

    # A prefix scan runs statements for many steps at once, and not all of them in the order of the body.
    apart = {a.name for a in stored} - skewed.keys() - whole.keys() - copies.keys()
    taking = TakingOver(Moments(loops, program, touches), {n: slots.get(n, {}) for n in apart})
    shared = share(program.arrays, extents, {a: n for a, n in lives.items() if a not in copies}, alone, taking.over)
    lives |= shared.users
    if copied := taking.copies(shared.of):
        gone |= copied
        kept = [without(Block((nest,)), copied).children for nest in loops.children]
        places = {old: new for new, old in enumerate(n for n, nest in enumerate(kept) if nest)}
        loops = Block(tuple(node for nest in kept for node in nest))
        lives = {name: [places[n] for n in nests if n in places] for name, nests in lives.items()}
        copies = {name: replace(copy, nest=places[copy.nest]) for name, copy in copies.items()}
    own = [Slot((a,), program.arrays[a].dtype, _without(extents[a], c.axis), c.count) for a, c in copies.items()]
    room = room_slot(loops, shape, options.openmp, machine)
    totals = totals_slot(loops) if strategies.nested else None
    more = (*panels, *(slot for slot in (room, totals) if slot is not None))
    memory = MemoryPlan((*shared.slots, *own, *more), variables, {**homes.of, **shared.of})
    beside = tuple(slot.arrays[0] for slot in more)
    return Storage(loops, slots, skewed, memory, lives, beside, copies, homes.wider, gone)


def _without(extents: tuple[Affine, ...], axis: int) -> tuple[Affine, ...]:
    return extents[:axis] + extents[axis + 1 :]


def _paths(program: Program, schedule: isl.Schedule) -> list[Occurrence]:
    """The paths of the schedule tree; none when it is too involved."""
    try:
        with islx.bounded_operations(FOLDING_OPERATIONS):
            return occurrences(schedule, program)
    except islx.OperationLimitError:
        return []


def _folded(
    stored: list[Array], found: list[Occurrence], touches: Touches, slanted: bool = False
) -> dict[str, dict[int, int]]:
    """The circular buffers; none when the sets of the schedule tree are too involved."""
    try:
        with islx.bounded_operations(FOLDING_OPERATIONS):
            return fold(stored, found, touches, slanted) if found else {}
    except islx.OperationLimitError:
        return {}
