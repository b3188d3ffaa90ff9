"""A kernel described in text: its interface, equations, order, memory and compilation."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from polyad.codegen.launch_shape import LaunchShape
from polyad.codegen.source import Argument
from polyad.codegen.storage.memory_plan import MemoryPlan
from polyad.errors import CompileError
from polyad.ir.affine import Affine
from polyad.runtime.compiled_program import CompiledProgram
from polyad.runtime.compiler import find_compiler
from polyad.runtime.cuda.calls import arch_of
from polyad.runtime.cuda.compilers import FLAGS, find_cuda_compiler
from polyad.targets import Target

__all__ = ["describe", "workspace_lines"]


def describe(kernel: CompiledProgram) -> str:
    """The page that `kernel.describe()` returns; `print` it."""
    code = kernel.code
    inputs = [a for a in code.arguments if not a.is_output]
    outputs = [a for a in code.arguments if a.is_output]
    sections = [
        ("sizes", ", ".join(code.sizes) or "all fixed"),
        ("inputs", _arguments(inputs)),
        ("outputs", _arguments(outputs)),
        ("program", str(kernel.program)),
        ("schedule", kernel.schedule.tree()),
        ("workspace", workspace_lines(code.memory)),
        *([("launches", "\n".join(map(_launch, code.launches)))] if code.launches else []),
        ("compiled with", _command(kernel.target)),
    ]
    parts = [f"kernel {kernel.name}, target {kernel.target}"]
    parts += [f"{title}\n{textwrap.indent(body.rstrip(), '  ')}" for title, body in sections]
    return "\n\n".join(parts) + "\n"


def _arguments(arguments: Sequence[Argument]) -> str:
    return "\n".join(f"{a.name}: {a.dtype}[{', '.join(map(str, a.shape))}]" for a in arguments) or "none"


def workspace_lines(memory: MemoryPlan) -> str:
    """The slices of the workspace, a line each, and what needs none."""
    lines = [
        f"{slot.dtype}[{', '.join(map(str, slot.extents))}]: {', '.join(slot.arrays)}"
        + ("" if slot.copies is None else ", for each thread")
        for slot in memory.slots
    ]
    for home in dict.fromkeys(memory.homes.values()):
        lines.append(f"in the place of {home}: {', '.join(n for n, h in memory.homes.items() if h == home)}")
    if memory.variables:
        lines.append(f"C variables: {', '.join(memory.variables)}")
    return "\n".join(lines) or "none"


def _launch(launch: LaunchShape) -> str:
    """One launch: who runs what."""
    grid = _iterations([launch.counts])
    match launch.over:
        case "threads":
            words = f"a thread for each of {grid} iterations"
        case "blocks":
            words = f"a block for each of {grid} iterations, its threads for {_iterations(launch.shared)}"
        case "tiles":
            assert launch.tile is not None, "a launch over tiles says which"
            words = f"a block for each tile of {launch.tile.rows} x {launch.tile.columns} of {grid} results"
        case "teams":
            words = f"teams of blocks for {grid} rows" if launch.counts else "one team of blocks"
            words += f", their threads for {_iterations(launch.shared)}"
        case "scans":
            rows = f"{f'{launch.lanes} of ' if launch.lanes > 1 else ''}{grid} rows" if launch.counts else "one row"
            whole = not launch.shared
            words = f"a block for each{'' if whole else ' segment'} of {rows}"
            words += "" if whole else f" of {_iterations(launch.shared)} steps"
        case "block":
            words = f"one block, its threads for {_iterations(launch.shared)} iterations"
        case _:
            words = "one thread"
    return f"{launch.kernel}: {words}"


def _iterations(loops: Sequence[Sequence[Affine | None]]) -> str:
    """T * B, or 4 * H; ? where no formula says."""

    def factor(count: Affine | None) -> str:
        return "?" if count is None else f"({count})" if len(count.terms) + bool(count.constant) > 1 else str(count)

    return ", ".join(" * ".join(map(factor, counts)) for counts in dict.fromkeys(map(tuple, loops))) or "no"


def _command(target: Target) -> str:
    if target.backend.language == "cuda":
        try:
            found = find_cuda_compiler()
        except CompileError as problem:
            return str(problem)
        words = [str(found.path), *FLAGS, f"-arch={arch_of(target)}", *target.extra_flags]
        return f"{' '.join(words)}\n{'NVRTC' if found.library else 'nvcc'} {found.version}"
    try:
        compiler = find_compiler()
    except CompileError as problem:  # the kernel came with its process, the compiler may be gone
        return str(problem)
    return f"{' '.join([*compiler.command, *compiler.flags(target)])}\n{compiler.version}"
