"""C from a program and a schedule: the short list of what happens."""

from __future__ import annotations

from dataclasses import replace

from polyad.codegen.certify.certify import asked, certify
from polyad.codegen.certify.symbolic.prove import QUICK
from polyad.codegen.loops.nodes import Block
from polyad.codegen.names import Names
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import Plan, plan_kernel
from polyad.codegen.source import Argument, Source
from polyad.codegen.storage.memory_plan import MemoryPlan
from polyad.codegen.text.array_text import ArrayText
from polyad.codegen.text.contraction_text import contraction_includes
from polyad.codegen.text.function_text import (
    index_check_lines,
    inside_function,
    kernel_text,
    slot_count,
)
from polyad.codegen.text.header_text import STANDARD_INCLUDES, declarations, head_comment, header_parts
from polyad.codegen.text.loop_text import LoopText
from polyad.codegen.text.once_text import once_functions
from polyad.codegen.text.statement_text import StatementText
from polyad.codegen.text.workspace_text import workspace_slices, workspace_text
from polyad.ir.program import Program
from polyad.machine import MACHINE
from polyad.schedule.schedule import Schedule

__all__ = ["generate", "source_of"]


def generate(program: Program, schedule: Schedule, options: CodegenOptions, loops: Block | None = None) -> Source:
    """Generate C for a program in the order of a schedule, certified where POLYAD_CERTIFY asks for it.

    Args:
        program: every element that has contributions has a definition.
        schedule: the order of execution, legal for the program; its marks say what is parallel.
        options: the target's choices.
        loops: those of `loops_of`, for whoever generates C for several targets; found here when not given.
    """
    plan = plan_kernel(program, schedule, options, loops)
    if most := asked():
        certify(plan, most=most, operations=QUICK)
    return source_of(plan)


def source_of(plan: Plan) -> Source:
    """The C of a plan."""
    program, names, storage, checks = plan.program, plan.names, plan.storage, plan.checks
    known = replace(plan.known, taken={*plan.known.taken})  # new names are no part of the plan
    text = StatementText(
        {**known.statements, **{c.statement.name: c.statement for c in checks.before}},
        ArrayText(program.arrays, names, storage.slots, storage.layouts),
        checks.guarded,
        plan.inside,
        known.indices,
    )
    own = {slot.arrays[0]: slot for slot in storage.memory.slots if slot.copies is not None}
    copies = {
        array: (known.fresh(f"{names.arrays[array]}_copies"), slot_count(own[array], program, names))
        for array in storage.copies
    }
    lines = LoopText(text, copies, MACHINE.scan_steps).block(plan.loops)
    slices = workspace_slices(storage.memory, names, copies)
    unproved = replace(text, text=replace(text.text, names=plan.unproved))
    check_lines = index_check_lines(checks, program, unproved, names.taken())

    arguments = _arguments(program, names, storage.memory)
    parameters = [a for a in arguments if not a.over]
    comment = head_comment(program, parameters, storage.memory, names)
    before, behind = header_parts(program, comment, arguments, storage.memory, names)
    # The C file stands alone: it holds the text of the header, which its own guard keeps from being read twice.
    includes = ['#include "polyad_runtime.h"', *contraction_includes(plan.loops)]
    declared_header = before + "\n".join(includes) + behind
    status = bool(checks.guarded)
    functions = [
        *([inside_function(plan.inside)] if status else []),
        *once_functions(plan.loops, known.statements),
        workspace_text(program, storage.memory, names),
        kernel_text(program, parameters, storage.memory, names, slices, check_lines, lines, status),
    ]
    return Source(
        name=names.function,
        c="\n".join([declared_header, *functions]),
        header=before + STANDARD_INCLUDES + behind,
        cdef=declarations(parameters, names),
        sizes=program.params,
        size_members=tuple(names.params.values()) or ("unused",),
        arguments=arguments,
        memory=storage.memory,
        checks=(*(c.info for c in checks.before), *checks.at_use),
    )


def _arguments(program: Program, names: Names, memory: MemoryPlan) -> tuple[Argument, ...]:
    """Inputs before outputs."""
    ordered = [*((n, False) for n in program.inputs), *((n, True) for n in program.outputs)]
    over = {n: h for n, h in memory.homes.items() if n in program.outputs}
    return tuple(
        Argument(
            n,
            names.arrays[n],
            program.arrays[n].dtype,
            program.arrays[n].shape,
            out,
            over.get(n, "") if out else "",
            not out and n in over.values(),
        )
        for n, out in ordered
    )
