"""The CUDA C++ of a plan: a kernel for each launch; runtime/cuda launches them, and for C the host of host/ does."""

from __future__ import annotations

from dataclasses import replace

from polyad.codegen.certify.read_back.launches import read_launches_back
from polyad.codegen.cuda.early_loads import early_loads
from polyad.codegen.cuda.host.host_text import front_bytes, host_texts
from polyad.codegen.cuda.launch_text import AT_USE, STATUS, KernelText, LaunchText
from polyad.codegen.cuda.launches import check_launch, launches
from polyad.codegen.cuda.placing import placed_schedule
from polyad.codegen.cuda.plain_loops import plain_loops
from polyad.codegen.cuda.products_apart import products_apart
from polyad.codegen.generate import Language, arguments_of, statement_text, told
from polyad.codegen.launch_shape import ALIGNMENT
from polyad.codegen.loops.nodes import Instance, Launch
from polyad.codegen.loops.value_text import condition_words
from polyad.codegen.lower.index_checks import CheckedIndex
from polyad.codegen.lower.passes import LoopPass
from polyad.codegen.lower.pointers import pointers
from polyad.codegen.lower.prefix_scans import prefix_scans
from polyad.codegen.lower.subtotals import subtotals
from polyad.codegen.plan import Plan
from polyad.codegen.source import Source
from polyad.codegen.text.code import code, declare, infix, word
from polyad.codegen.text.equation_text import readable
from polyad.codegen.text.header_text import head_comment
from polyad.codegen.text.integer_text import ZERO
from polyad.codegen.text.line_text import Lines, function_text
from polyad.codegen.text.nest_text import nest_lines
from polyad.codegen.text.statement_text import StatementText

__all__ = ["CUDA", "source_of"]


def source_of(plan: Plan) -> Source:
    """The CUDA C++ of a plan."""
    program, names, checks = plan.program, plan.names, plan.checks
    told_checks = told(checks)
    memory = plan.storage.memory
    statements = replace(statement_text(plan), status=AT_USE)
    arguments = arguments_of(program, names, memory)
    text = LaunchText(statements, {}, 0, nest_lines, touches=plan.known.touches)
    kernels = KernelText(
        names.function,
        text,
        [a for a in arguments if not a.over],
        names.params,
        memory.slots,
        bool(checks.before),
        plan.known,
    )
    made = [
        kernels.launch(number, check_launch(check.loops), _test(statements, check))
        for number, check in enumerate(checks.before)
    ]
    for launch in plan.loops.children:
        assert isinstance(launch, Launch), "the last pass makes launches"
        made.append(kernels.launch(len(made), launch))
    comment = head_comment(plan.condition, kernels.arguments, memory, names, called=False)
    shapes = tuple(shape for shape, _ in made)
    memory = replace(memory, alignment=ALIGNMENT, front=front_bytes(bool(told_checks), shapes))
    host, header = host_texts(plan, arguments, memory, shapes, bool(told_checks))
    inside = [_inside(plan.inside)] if checks.guarded else []
    return Source(
        name=names.function,
        c="\n".join([comment, '#include "polyad_cuda.h"', "", *inside, *(text for _, text in made)]),
        header=header,
        cdef="",
        sizes=program.params,
        size_members=tuple(names.params.values()) or ("unused",),
        arguments=arguments,
        memory=memory,
        checks=told_checks,
        in_order=plan.known.options.in_order,
        suffix=".cu",
        launches=shapes,
        host=host,
        limits=plan.limits,
        requires="" if plan.condition is None else condition_words(plan.condition),
    )


def _test(text: StatementText, check: CheckedIndex) -> LaunchText:
    """Prints the launch that checks an index: its instances compute a position, and say where it is wrong."""

    def test(instance: Instance) -> Lines:
        value = text.data_index(text.statements[instance.statement].body, instance)
        position = word("position")
        outside = infix("||", infix("<", position, ZERO), infix(">=", position, text.affine(check.extent)))
        told = f"/* the index {readable(check.info.index, check.info.dims)} of {check.info.array} */"
        return [
            told,
            "{",
            [
                declare("const int64_t", ("position", value)),
                code("if ({}) atomicExch({}, POLYAD_ERROR_INDEX);", outside, STATUS),
            ],
            "}",
        ]

    return LaunchText(text, {}, 0, nest_lines, test)


def _inside(name: str) -> str:
    """The function that checks an index where it is used."""
    lines: Lines = [
        "if (index >= 0 && index < extent) return 1;",
        "atomicExch(status, POLYAD_ERROR_INDEX);",
        "return 0;",
    ]
    return function_text(f"PA_INLINE int {name}(int64_t index, int64_t extent, int *status)", lines)


CUDA = Language(
    tuple(
        LoopPass(step.__name__, step)
        for step in (prefix_scans, plain_loops, products_apart, pointers, launches, early_loads, subtotals)
    ),
    source_of,
    lambda plan, source: read_launches_back(plan, source, [check_launch(c.loops) for c in plan.checks.before]),
    placed_schedule,
)
"""CUDA C++: plain loops, products apart, one launch for each nest of the outermost level."""
