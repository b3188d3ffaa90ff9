"""The plan of a kernel, decided and not yet spelled: loops, storage, names, checks of indices."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from polyad.analysis.contraction import Contractions, contractions_of
from polyad.codegen.index_limits import Total, index_limits
from polyad.codegen.loop_names import name_loops
from polyad.codegen.loops.ast.walk import schedule_loops
from polyad.codegen.loops.contractions import mark_contractions
from polyad.codegen.loops.how import Asked, InRegion
from polyad.codegen.loops.loop_values import Condition, Extreme, Value
from polyad.codegen.loops.nodes import Block, Contraction, Loop, Parts, PrefixScan, Region
from polyad.codegen.loops.nonnegative import at_all_sizes, nonnegative_names, nonnegative_sizes
from polyad.codegen.loops.size_conditions import context_condition
from polyad.codegen.loops.statement_accesses import Touches, touches
from polyad.codegen.loops.text import loops_text
from polyad.codegen.loops.traversal import declared, declared_in_order, nodes
from polyad.codegen.loops.value_ranges import ranges_in, size_ranges
from polyad.codegen.loops.verify import verify_loops
from polyad.codegen.lower.index_checks import IndexChecks, index_checks
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.lower.passes import LOOP_PASSES, LoopPass, lower
from polyad.codegen.names import NARROW, WIDE, Names, program_names
from polyad.codegen.options import CodegenOptions
from polyad.codegen.storage.memory_plan import Slot
from polyad.codegen.storage.storage import Storage, plan_storage
from polyad.errors import DefinitionError
from polyad.ir.affine import Affine
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.schedule.schedule import Schedule
from polyad.schedule.tree.nodes import from_isl, to_isl
from polyad.schedule.tree.placement import MeetingPlace
from polyad.schedule.tree.requests import without_requests

__all__ = ["Plan", "ThreadCopies", "loops_of", "plan_kernel"]

Watch = Callable[[str, Block], None]
"""Is told the name of a step and the loops after it."""


@dataclass(frozen=True, slots=True)
class ThreadCopies:
    """An array of which each thread has a copy.

    Attributes:
        first: identifier of the pointer to the first copy.
        extents: the elements of one copy are their product; none of them is negative.
    """

    first: str
    extents: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A kernel in the loop IR; nothing below it decides anything.

    Attributes:
        program: what is computed.
        loops: what runs.
        storage: where temporaries live.
        names: identifiers of arrays and sizes, and what is known of iterators.
        condition: what the kernel assumes of its sizes, and tests first; None for nothing.
        copies: the arrays of which each thread has a copy.
        checks: of data-dependent indices.
        inside: identifier of the function that tests an index where it is used.
        known: what the passes knew.
        schedule: the order of execution; the loops obey all of its marks that ask.
        limits: what must not be larger than an integer of 32 bits, where loops count with those.
    """

    program: Program
    loops: Block
    storage: Storage
    names: Names
    condition: Condition | None
    copies: Mapping[str, ThreadCopies]
    checks: IndexChecks
    inside: str
    known: StoredProgram
    schedule: Schedule
    limits: tuple[Total, ...] = ()

    @property
    def overwritten(self) -> frozenset[str]:
        """The inputs in whose places others lie."""
        return frozenset(self.storage.memory.homes.values()).intersection(self.program.inputs)


def loops_of(program: Program, schedule: Schedule, contractions: Contractions | None = None) -> Block:
    """The loops that execute a program in the order of a schedule, the same for all targets.

    Args:
        program: every element that has contributions has a definition.
        schedule: the order of execution, legal for the program; its marks say what is parallel.
        contractions: of the program, as the scheduler had them; found here when not given.
    """
    taken = program_names(program).taken()
    dims = {s.name: s.dims for s in program.statements}
    loops = schedule_loops(schedule.unplaced().isl, program.context, dims, taken)
    loops = name_loops(loops, dims, taken)
    return mark_contractions(loops, contractions_of(program) if contractions is None else contractions)


def plan_kernel(
    program: Program,
    schedule: Schedule,
    options: CodegenOptions,
    loops: Block | None = None,
    watch: Watch | None = None,
    contractions: Contractions | None = None,
    passes: Sequence[LoopPass] = LOOP_PASSES,
    meetings: frozenset[MeetingPlace] = frozenset(),
) -> Plan:
    """Decide on everything that a kernel does.

    Where loops cannot do what marks ask for (tree/marks.py), the plan is that of the schedule without those marks.
    With POLYAD_VERIFY=1 the verifier runs on the loops wherever `watch` is told of them.

    Args:
        program: every element that has contributions has a definition. Plans of equal texts are equal where program
            and schedule are settled, as `prepare` and `default_schedule` leave them.
        schedule: the order of execution, legal for the program; its marks say what is parallel.
        options: the target's choices.
        loops: those of `loops_of`, for whoever plans for several targets; found here when not given.
        watch: is told of the loops as they come from the schedule, after storage, and after each pass.
        contractions: of the program, as the scheduler had them; found here when not given.
        passes: from the loops of storage to those that are printed, in order (generate.py).
        meetings: where threads of a GPU meet, besides the places that marks of the schedule name.

    Raises:
        DefinitionError: the verifier found a defect; a note names the step.
        CompileError: loops that count with 32 bits would have to count further.
    """
    meetings |= schedule.meetings()
    schedule = schedule.unplaced()
    names = program_names(program)
    accesses = touches(program)
    told = _watched(program, accesses, watch, last=passes[-1].name)
    loops = loops_of(program, schedule, contractions) if loops is None else loops
    told("schedule", loops)
    taken = names.taken() | declared(loops)
    storage = plan_storage(program, schedule.isl, loops, accesses, names, taken, options)
    given, program = program, replace(program, arrays={**program.arrays, **storage.wider})
    told("storage", storage.loops)
    names = replace(
        names,
        arrays=names.arrays
        | {array: names.arrays[home] for array, home in storage.memory.homes.items()}
        | {n: n for n in storage.beside},
    )
    checks = index_checks(program, names.taken())
    every = Block((storage.loops, *(check.loops for check in checks.before)))
    sizes = nonnegative_sizes(program.params, program.context)
    places = {n: i for i, n in enumerate(dict.fromkeys((*program.params, *declared_in_order(every))))}
    nonnegative = nonnegative_names(every, sizes)
    index = WIDE if options.index == "int64" else NARROW
    value = replace(names.value, nonnegative=nonnegative, places=places, index=index)
    names = replace(names, value=value if options.machine.wide == "float64" else replace(value, counted="float"))
    inside = unique_name(f"{names.function}_inside", taken)
    taken.add(inside)
    ranges = ranges_in(storage.loops, size_ranges(program.context))
    known = StoredProgram(program, accesses, names, checks.guarded, storage, options, taken, meetings, ranges)
    lowered = lower(storage.loops, known, passes, told)
    refused = _asked(loops, options.openmp) - _asked(lowered, options.openmp)
    if refused:
        tree = without_requests(from_isl(schedule.isl.get_root().child(0)), refused)
        order = Schedule(to_isl(schedule.isl.get_domain(), tree)).settled()
        if not refused <= _regions(loops):
            return plan_kernel(given, order, options, None, watch, contractions, passes, meetings)
        schedule = order  # memory is planned alike for loops with regions and without
    copies = {
        slot.arrays[0]: ThreadCopies(known.fresh(f"{names.arrays[slot.arrays[0]]}_copies"), _extents(slot, program))
        for slot in storage.memory.slots
        if slot.arrays[0] in storage.copies
    }
    condition = context_condition(program.context)
    limits = () if index == WIDE else index_limits(lowered, known, checks)
    return Plan(program, lowered, storage, names, condition, copies, checks, inside, known, schedule, limits)


def _extents(slot: Slot, program: Program) -> tuple[Value, ...]:
    """The extents of a slot, 0 in place of those that may be negative."""
    zero = Affine.of(0)
    return tuple(
        e if at_all_sizes(e, program.params, program.context) else Extreme("max", (e, zero)) for e in slot.extents
    )


def _asked(loops: Block, openmp: bool) -> frozenset[int | None]:
    """The numbers of marks that ask, of loops that are to obey, or do; without threads, nothing is said of regions."""
    found = []
    for node in nodes(loops):
        match node:
            case Region() | Loop(how=InRegion()) if not openmp:
                pass
            case Loop(how=how) if isinstance(how, Asked):
                found.append(how.mark)
            case Parts() | PrefixScan() | Region() | Contraction():
                found.append(node.mark)
            case _:
                pass
    return frozenset(found)


def _regions(loops: Block) -> frozenset[int | None]:
    """The numbers of marks that ask for regions of threads."""
    return frozenset(n.how.mark for n in nodes(loops) if isinstance(n, Loop) and isinstance(n.how, InRegion))


def _watched(program: Program, accesses: Touches, watch: Watch | None, last: str) -> Watch:
    """Whoever watches, behind the verifier where that is wanted; `last`: the last step."""
    verifies = os.environ.get("POLYAD_VERIFY") == "1"

    def told(step: str, loops: Block) -> None:
        if verifies:
            try:
                verify_loops(loops, program, accesses, last=step == last)
            except DefinitionError as error:
                error.add_note(f"found by the verifier after {step}; the loops were:\n{loops_text(loops)}")
                raise
        if watch is not None:
            watch(step, loops)

    return told
