"""Every stage of a kernel as text: the program after each pass, the order, the loops after each pass, the C.

What is shown is made anew from the definition by the stages that made the kernel, so it needs no compiler.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from polyad.codegen.loops.nodes import Block
from polyad.codegen.loops.text import loops_text
from polyad.codegen.plan import plan_kernel
from polyad.inspect.describe import workspace_lines
from polyad.inspect.orders import order_lines
from polyad.ir.program import Program
from polyad.islx import LOCK
from polyad.passes import Pass, prepare
from polyad.runtime.codegen_options import codegen_options, language_of
from polyad.runtime.compiled_program import CompiledProgram
from polyad.transforms.rewrite.fix_sizes import fix_sizes

__all__ = ["explain"]

_STEPS = {
    "schedule": "the loops of the schedule",
    "storage": "the loops after storage: where temporaries live, what is a C variable",
}


def explain(kernel: CompiledProgram) -> str:
    """The page that `kernel.explain()` returns; `print` it."""
    with LOCK:
        sections = [
            *_programs(kernel),
            ("the schedule", kernel.schedule.tree()),
            *([("the price of the schedule", order_lines(kernel))] if kernel.target.backend.language == "c" else []),
            *_loops(kernel),
            ("the workspace", workspace_lines(kernel.code.memory)),
            ("the C", kernel.source),
        ]
    parts = [f"kernel {kernel.name}, target {kernel.target}, stage by stage"]
    parts += [f"{title}\n{textwrap.indent(body.strip(), '  ')}" for title, body in sections]
    return "\n\n".join(parts) + "\n"


def _programs(kernel: CompiledProgram) -> list[tuple[str, str]]:
    """The program as it was defined, and after each pass that changed something."""
    found = [("the program as it was defined", str(kernel.definition))]
    program = kernel.definition
    if kernel.fixed:
        program = fix_sizes(program, kernel.fixed)
        sizes = ", ".join(f"{name} = {value}" for name, value in kernel.fixed.items())
        found.append((f"the program with {sizes}", str(program)))

    def told(step: Pass, before: Program, after: Program) -> None:
        if after is not before and str(after) != str(before):
            found.append((f"the program after {step.name}: {_first_line(step.function)}", str(after)))

    prepare(program, kernel.target.strategies, kernel.target.machine, told)
    return found


def _loops(kernel: CompiledProgram) -> list[tuple[str, str]]:
    """The loops of the schedule, after storage, and after each pass that changed something."""
    passes = language_of(kernel.target).passes
    about = {step.name: f"the loops after {step.name}: {_first_line(step.apply)}" for step in passes} | _STEPS
    found: list[tuple[str, str]] = []

    def told(step: str, loops: Block) -> None:
        text = loops_text(loops)
        if not found or text != found[-1][1]:
            found.append((about[step], text))

    options = codegen_options(kernel.target, kernel.code.in_order)
    plan_kernel(kernel.program, kernel.schedule, options, watch=told, passes=passes)
    return found


def _first_line(function: Callable[..., object]) -> str:
    """Return what a pass does, by its docstring."""
    return (function.__doc__ or "").strip().splitlines()[0].rstrip(".")
