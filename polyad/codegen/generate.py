"""From a program and a schedule to text: the languages that kernels are written in, and how one is written in C.

A language is a list of loop passes, which ends in loops that its printer has words for, and the printer. What is in
front of the passes is common to all: the loops of the schedule, storage, names, checks of indices (plan.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from polyad.analysis.contraction import Contractions
from polyad.codegen.certify.certify import asked, certify
from polyad.codegen.certify.read_back.read_back import TextProof, read_back
from polyad.codegen.certify.symbolic.prove import QUICK
from polyad.codegen.loops.nodes import Block
from polyad.codegen.lower.index_checks import IndexChecks
from polyad.codegen.lower.passes import LOOP_PASSES, LoopPass
from polyad.codegen.names import Names
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import Plan, plan_kernel
from polyad.codegen.source import Argument, IndexCheck, Source
from polyad.codegen.storage.memory_plan import MemoryPlan
from polyad.codegen.text.array_text import ArrayText
from polyad.codegen.text.contraction_text import contraction_includes
from polyad.codegen.text.equation_text import readable
from polyad.codegen.text.function_text import (
    index_check_lines,
    inside_function,
    kernel_text,
)
from polyad.codegen.text.header_text import STANDARD_INCLUDES, declarations, head_comment, header_parts
from polyad.codegen.text.loop_text import LoopText
from polyad.codegen.text.nest_text import nest_lines
from polyad.codegen.text.once_text import once_functions
from polyad.codegen.text.routine_text import with_routines
from polyad.codegen.text.statement_text import StatementText
from polyad.codegen.text.workspace_text import workspace_slices, workspace_text
from polyad.ir.program import Program
from polyad.machine import MACHINE
from polyad.schedule.schedule import Schedule

__all__ = ["C", "Language", "arguments_of", "generate", "source_of", "statement_text", "told"]


@dataclass(frozen=True, slots=True)
class Language:
    """The language that kernels are written in.

    Attributes:
        passes: from the loops of storage to those that are written down, in order.
        source: writes a plan down.
        read_back: proves that a text is what a plan asks for; None where nobody can.
        schedule: the one that a kernel shows: that of the plan, with what else its loops are; None where that is all.
    """

    passes: tuple[LoopPass, ...]
    source: Callable[[Plan], Source]
    read_back: Callable[[Plan, Source], TextProof] | None = None
    schedule: Callable[[Plan], Schedule] | None = None

    def plan(
        self,
        program: Program,
        schedule: Schedule,
        options: CodegenOptions,
        loops: Block | None = None,
        contractions: Contractions | None = None,
    ) -> Plan:
        """The plan of a program: of its schedule alone, where its loops have all meetings that marks say.

        So the schedule that a kernel shows is planned as the kernel was. Marks that somebody has changed are followed.

        Args:
            program: as for `plan_kernel`, with what follows.
            schedule: the order of execution.
            options: the target's choices.
            loops: those of `loops_of`.
            contractions: of the program.
        """
        found = plan_kernel(program, schedule.unplaced(), options, loops, contractions=contractions, passes=self.passes)
        if self.schedule is None or not schedule.meetings() or str(self.schedule(found)) == str(schedule):
            return found
        return plan_kernel(program, schedule, options, loops, contractions=contractions, passes=self.passes)


def generate(
    program: Program,
    schedule: Schedule,
    options: CodegenOptions,
    loops: Block | None = None,
    language: Language | None = None,
) -> Source:
    """Generate code for a program in the order of a schedule, certified where POLYAD_CERTIFY asks for it.

    Args:
        program: every element that has contributions has a definition.
        schedule: the order of execution, legal for the program; its marks say what is parallel.
        options: the target's choices.
        loops: those of `loops_of`, for whoever generates code for several targets; found here when not given.
        language: what it is written in; C when not given.
    """
    language = language or C
    plan = language.plan(program, schedule, options, loops)
    source = language.source(plan)
    if most := asked():
        certify(plan, most=most, operations=QUICK)
        if language.read_back is not None:
            language.read_back(plan, source)
    return source


def source_of(plan: Plan) -> Source:
    """The C of a plan."""
    program, names, memory, checks = plan.program, plan.names, plan.storage.memory, plan.checks
    text = statement_text(plan)
    slices = workspace_slices(memory, names, plan.copies)
    check_lines = index_check_lines(checks, text)

    arguments = arguments_of(program, names, memory)
    parameters = [a for a in arguments if not a.over]
    lines, routines = with_routines(plan, parameters, LoopText(text, plan.copies, MACHINE.scan_steps, nest_lines))
    comment = head_comment(plan.condition, parameters, memory, names)
    before, behind = header_parts(plan.condition, comment, arguments, memory, names)
    # The C file stands alone: it holds the text of the header, which its own guard keeps from being read twice.
    includes = ['#include "polyad_runtime.h"', *contraction_includes(plan.loops)]
    declared_header = before + "\n".join(includes) + behind
    status = bool(checks.guarded)
    functions = [
        *([inside_function(plan.inside)] if status else []),
        *once_functions(plan.loops, plan.known.statements),
        *routines,
        workspace_text(plan.condition, memory, names.wide(), limits=plan.limits),
        kernel_text(plan.condition, parameters, memory, names, slices, check_lines, lines, status),
    ]
    return Source(
        name=names.function,
        c="\n".join([declared_header, *functions]),
        header=before + STANDARD_INCLUDES + behind,
        cdef=declarations(parameters, names),
        sizes=program.params,
        size_members=tuple(names.params.values()) or ("unused",),
        arguments=arguments,
        memory=memory,
        checks=told(checks),
        in_order=plan.known.options.in_order,
        limits=plan.limits,
    )


def statement_text(plan: Plan) -> StatementText:
    """Return what spells the statements of a plan, those that check indices included."""
    return StatementText(
        {**plan.known.statements, **{c.statement.name: c.statement for c in plan.checks.before}},
        ArrayText(plan.program.arrays, plan.names, plan.storage.slots, plan.storage.layouts),
        plan.checks.guarded,
        plan.inside,
        plan.known.indices,
    )


def told(checks: IndexChecks) -> tuple[IndexCheck, ...]:
    """The checks that callers are told of."""
    return tuple(
        IndexCheck(i.array, i.dimension, i.extent, readable(i.index, i.dims), i.before)
        for i in (*(c.info for c in checks.before), *checks.at_use)
    )


def arguments_of(program: Program, names: Names, memory: MemoryPlan) -> tuple[Argument, ...]:
    """The arguments of the call, inputs before outputs."""
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


C = Language(LOOP_PASSES, source_of, lambda plan, source: read_back(plan, source.c))
