"""The page beside an exported derivative: what was differentiated, how it is computed, what memory it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from polyad.export.marker import MARKER
from polyad.inspect.describe import workspace_lines
from polyad.ir.array import Array
from polyad.ir.expr import Apply, Const, Read, reads, render, walk
from polyad.ir.program import Program
from polyad.islx import LOCK
from polyad.machine import MACHINE
from polyad.ops import OPS
from polyad.passes import Pass, prepare
from polyad.pet.c_program import CProgram
from polyad.pet.handed_back.parameters import passed_parameters
from polyad.runtime.compiled_program import CompiledProgram

__all__ = ["gradient_report"]


def gradient_report(
    name: str,
    path: str,
    primal: CProgram,
    gradient: CProgram,
    kernel: CompiledProgram,
    of: Sequence[str],
    wrt: Sequence[str],
) -> str:
    """The page in Markdown.

    Args:
        name: of the exported function.
        path: the C file.
        primal: what was read.
        gradient: its gradient.
        kernel: what the exported function calls.
        of: what was differentiated.
        wrt: what it was differentiated by.
    """
    function = primal.function
    parts = [
        f"# {name}\n\n<!-- {MARKER} -->",
        f"`{function.name}` of `{path}`, line {function.line}, and the gradient of {_listed(of)} by {_listed(wrt)}, by "
        "reverse mode.",
        "## The parameters\n\n" + _parameters(gradient, kernel),
        "## What the C function says\n\n" + _block(str(primal.program)),
        "## What is computed\n\nThe function and its gradient, simplified:\n\n" + _block(str(kernel.program)),
        "## In which order\n\n" + _block(kernel.schedule.tree()),
        "## Memory\n\nThe workspace holds, one line for what shares a place:\n\n" + _block(_memory(gradient, kernel)),
        "## What the backward pass reads\n\n" + _residuals(primal, gradient, kernel),
    ]
    return "\n\n".join(parts) + "\n"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{n}`" for n in names)


def _block(text: str) -> str:
    return f"```text\n{text.strip()}\n```"


def _parameters(gradient: CProgram, kernel: CompiledProgram) -> str:
    if kernel.code.host:  # nothing stands around a kernel for GPUs
        taken = [(a.c_name, a.way, f"{a.dtype}[{', '.join(map(str, a.shape))}]") for a in kernel.code.parameters]
        own = [f"| `{name}` | {way} | `{shape}` |" for name, way, shape in taken]
        ends = ["| `workspace` | | `void *` |", "| `stream` | | `CUstream` |"]
        return "\n".join(["| name | | type, on the device |", "|---|---|---|", *own, *ends])
    with LOCK:
        passed = passed_parameters(gradient.function, gradient.program, gradient.results)
    rows = [f"| `{p.name}` | {p.way or 'not used'} | `{p.shape}` |" for p in passed if p.declaration.derived is None]
    return "\n".join(["| name | | type |", "|---|---|---|", *rows, "| `workspace` | | `void *` |"])


def _memory(gradient: CProgram, kernel: CompiledProgram) -> str:
    slots = workspace_lines(kernel.code.memory)
    if kernel.code.host:
        return slots
    with LOCK:
        passed = passed_parameters(gradient.function, gradient.program, gradient.results)
    in_place = {a.name for a in kernel.code.arguments if a.overwritten}
    copies = [
        f"{array.dtype}[{', '.join(map(str, array.shape))}]: {p.name} as it was before the call"
        for p in passed
        if p.is_overwritten and p.input not in in_place
        for array in [gradient.program.arrays[p.input]]
    ]
    copies += [
        f"{array.dtype}[{', '.join(map(str, array.shape))}]: the rows of {p.name}, one behind the other"
        for p in passed
        if p.declaration.rows and p.way
        for array in [gradient.program.arrays[p.input or p.output]]
    ]
    return "\n".join([*copies, *([slots] if slots != "none" or not copies else [])])


def _residuals(primal: CProgram, gradient: CProgram, kernel: CompiledProgram) -> str:
    """Describe the values of the forward pass that the backward pass reads, and those it computes again."""
    with LOCK:
        backward = _Backward(primal.program, gradient.program)
        there: set[str] = set()

        def told(step: Pass, before: Program, after: Program) -> None:
            if step.name == "inline":
                gone = [n for n in backward.reads(before) if n not in after.arrays]
                there.update(n for n in gone if _is_computed(n, before))

        prepare(gradient.program, kernel.target.strategies, kernel.target.machine, told)
        read = backward.reads(kernel.program)
        functions = backward.functions(kernel.program)
        arrays = kernel.program.arrays
        given = [n for n in read if arrays[n].role == "input"]
        variables = set(kernel.code.memory.variables)
        stored = [n for n in read if n not in given and n not in variables]
    lines = [
        f"- given: {_described(given, arrays)}",
        f"- stored by the forward pass: {_described(stored, arrays)}",
        f"- arrays computed where they are read, again if they were before: {_listed(sorted(there)) or 'none'}",
        f"- functions and quotients of these that it computes: {_listed(functions) or 'none'}",
    ]
    return "\n".join(lines)


def _is_computed(array: str, program: Program) -> bool:
    """Whether it is more than a copy or a number."""
    bodies = [s.body for s in program.statements if s.array == array]
    return not all(isinstance(body, Read | Const) for body in bodies)


def _described(names: Sequence[str], arrays: Mapping[str, Array]) -> str:
    found = (f"`{n}` [{', '.join(map(str, arrays[n].shape))}]" if arrays[n].shape else f"`{n}`" for n in names)
    return ", ".join(found) or "nothing"


class _Backward:
    """Tells the arrays of a gradient's backward pass, after any pass over the program."""

    def __init__(self, primal: Program, gradient: Program):
        self.primal = frozenset(primal.arrays)
        self.seeds = frozenset(n for n in gradient.inputs if n not in primal.inputs)

    def has(self, array: str) -> bool:
        return array not in self.primal and "_bar" in array

    def reads(self, program: Program) -> list[str]:
        """Return the names of the forward pass and of the inputs that statements of the backward pass read."""

        def found() -> Iterator[str]:
            for statement in program.statements:
                if self.has(statement.array):
                    yield from (r.array for r in statement.reads())

        return [n for n in dict.fromkeys(found()) if not self.has(n) and n not in self.seeds]

    def functions(self, program: Program) -> list[str]:
        """Return the values of the forward pass it computes that cost as much as a division, in its words."""

        def found() -> Iterator[str]:
            for statement in program.statements:
                if self.has(statement.array):
                    for node in walk(statement.body):
                        of = [r.array for r in reads(node)]
                        dear = isinstance(node, Apply) and OPS[node.op].cost_of(node.args, MACHINE) >= OPS["div"].cost
                        if dear and of and not any(self.has(n) or n in self.seeds for n in of):
                            yield render(node, statement.dims)

        return list(dict.fromkeys(found()))
