"""C from a program and a schedule: the short list of what happens."""

from __future__ import annotations

from dataclasses import replace

from polyad.codegen.loops.ast_walk import schedule_loops
from polyad.codegen.loops.contractions import mark_contractions
from polyad.codegen.loops.loop_names import name_loops
from polyad.codegen.loops.nodes import Block
from polyad.codegen.loops.nonnegative import nonnegative_names, nonnegative_sizes
from polyad.codegen.loops.statement_accesses import touches
from polyad.codegen.loops.traversal import declared, declared_in_order
from polyad.codegen.lower.index_checks import index_checks
from polyad.codegen.lower.lowering import Lowering
from polyad.codegen.lower.passes import lower
from polyad.codegen.names import Names, program_names
from polyad.codegen.options import CodegenOptions
from polyad.codegen.source import Argument, Source
from polyad.codegen.storage.storage import plan_storage
from polyad.codegen.text.array_text import ArrayText
from polyad.codegen.text.contraction_text import contraction_includes
from polyad.codegen.text.function_text import (
    index_check_lines,
    inside_function,
    kernel_text,
    slot_count,
    workspace_pointers,
)
from polyad.codegen.text.header_text import STANDARD_INCLUDES, declarations, head_comment, header_text
from polyad.codegen.text.loop_text import LoopText
from polyad.codegen.text.once_text import once_functions
from polyad.codegen.text.statement_text import StatementText
from polyad.codegen.text.workspace_text import workspace_text
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.machine import MACHINE
from polyad.schedule.schedule import Schedule

__all__ = ["generate", "loops_of"]


def loops_of(program: Program, schedule: Schedule) -> Block:
    """The loops that execute a program in the order of a schedule, the same for all targets.

    Args:
        program: every element that has contributions has a definition.
        schedule: the order of execution, legal for the program; its marks say what is parallel.
    """
    taken = program_names(program).taken()
    dims = {s.name: s.dims for s in program.statements}
    loops = schedule_loops(schedule.isl, program.context, dims, taken)
    loops = name_loops(loops, dims, taken)
    return mark_contractions(loops, {s.name: s for s in program.statements})


def generate(program: Program, schedule: Schedule, options: CodegenOptions, loops: Block | None = None) -> Source:
    """Generate C for a program in the order of a schedule.

    Args:
        program: every element that has contributions has a definition.
        schedule: the order of execution, legal for the program; its marks say what is parallel.
        options: the target's choices.
        loops: those of `loops_of`, for whoever generates C for several targets; found here when not given.
    """
    tree = schedule.isl
    names = program_names(program)
    accesses = touches(program)
    statements = {s.name: s for s in program.statements}

    loops = loops_of(program, schedule) if loops is None else loops
    taken = names.taken() | declared(loops)
    storage = plan_storage(
        program, tree, loops, accesses, names, taken, options.strategies, options.openmp, options.machine
    )
    names = replace(names, arrays=names.arrays | {n: n for n in storage.beside})
    unknown = names  # of these, nothing is known yet: where sizes are tested, and in the loops that test indices
    sizes = nonnegative_sizes(program.params, program.context)
    places = {n: i for i, n in enumerate(dict.fromkeys((*program.params, *declared_in_order(storage.loops))))}
    names = replace(names, nonnegative=nonnegative_names(storage.loops, sizes), places=places)
    checks = index_checks(program)

    inside = unique_name(f"{names.function}_inside", taken)
    taken.add(inside)
    known = Lowering(
        program.arrays,
        statements,
        accesses,
        names.arrays,
        frozenset(program.params),
        checks.guarded,
        storage.slots,
        storage.layouts,
        storage.memory,
        storage.users,
        storage.copies,
        options,
        taken,
    )
    lowered = lower(storage.loops, known)
    text = StatementText(
        statements | {c.statement.name: c.statement for c in checks.before},
        ArrayText(program.arrays, names, storage.slots, storage.layouts),
        checks.guarded,
        inside,
    )
    own = {slot.arrays[0]: slot for slot in storage.memory.slots if slot.copies is not None}
    copies = {
        array: (known.fresh(f"{names.arrays[array]}_copies"), slot_count(own[array], program, names))
        for array in storage.copies
    }
    lines = LoopText(text, copies, MACHINE.scan_steps).block(lowered)
    pointers = workspace_pointers(storage.memory, names, copies)
    unproved = replace(text, text=replace(text.text, names=unknown))
    check_lines = index_check_lines(checks, program, unproved, names.taken())

    arguments = _arguments(program, names)
    comment = head_comment(program, arguments, storage.memory, names)
    header = header_text(program, comment, arguments, storage.memory, names)
    # The C file stands alone: it holds the text of the header, which its own guard keeps from being read twice.
    includes = ['#include "polyad_runtime.h"', *contraction_includes(lines)]
    declared_header = header.replace(STANDARD_INCLUDES, "\n".join(includes))
    status = bool(checks.guarded)
    functions = [
        *([inside_function(inside)] if status else []),
        *once_functions(lowered, statements),
        workspace_text(program, storage.memory, names),
        kernel_text(program, arguments, storage.memory, names, pointers, check_lines, lines, status),
    ]
    return Source(
        name=names.function,
        c="\n".join([declared_header, *functions]),
        header=header,
        cdef=declarations(arguments, names),
        sizes=program.params,
        size_members=tuple(names.params.values()) or ("unused",),
        arguments=arguments,
        memory=storage.memory,
        checks=(*(c.info for c in checks.before), *checks.at_use),
    )


def _arguments(program: Program, names: Names) -> tuple[Argument, ...]:
    """Inputs before outputs."""
    ordered = [*((n, False) for n in program.inputs), *((n, True) for n in program.outputs)]
    return tuple(
        Argument(n, names.arrays[n], program.arrays[n].dtype, program.arrays[n].shape, out) for n, out in ordered
    )
