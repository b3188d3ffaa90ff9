"""A kernel described in text: its interface, equations, order, memory and compilation."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from polyad.codegen.source import Argument
from polyad.codegen.storage.memory_plan import MemoryPlan
from polyad.errors import CallError, CompileError
from polyad.inspect.launch_lines import launch_lines
from polyad.machine.rates import RATES
from polyad.runtime.compiled_program import CompiledProgram
from polyad.runtime.compiler import find_compiler
from polyad.runtime.cuda.calls import arch_of
from polyad.runtime.cuda.compilers import FLAGS, find_cuda_compiler
from polyad.targets import Target

__all__ = ["describe", "workspace_lines"]


def describe(kernel: CompiledProgram, device: str | None = None, sizes: Mapping[str, int] | None = None) -> str:
    """The page that `kernel.describe()` returns; `print` it.

    Args:
        kernel: what is described.
        device: a GPU by name, for the expected times of launches.
        sizes: all parameters, for what launches ask for; None for those that are fixed.

    Raises:
        CallError: there is no such device, or times of it are asked without sizes.
    """
    known = {} if not kernel.code.sizes else sizes
    rates = None if device is None else RATES.get(str(device).lower())
    if device is not None and (rates is None or known is None):
        what = f"device={device!r:.40}: expected one of {', '.join(RATES)}"
        why = what if rates is None else f"expected times need sizes: {', '.join(kernel.code.sizes)}"
        raise CallError(f"{kernel.name}: {why}", "device")
    code = kernel.code
    inputs = [a for a in code.arguments if not a.is_output]
    outputs = [a for a in code.arguments if a.is_output]
    sections = [
        ("sizes", ", ".join(code.sizes) or "all fixed"),
        ("inputs", _arguments(inputs)),
        ("outputs", _arguments(outputs)),
        ("program", str(kernel.program)),
        ("schedule", kernel.schedule.tree()),
        *([("tuned", str(kernel.tuning))] if kernel.tuning is not None else []),
        ("workspace", workspace_lines(code.memory)),
        *([("launches", launch_lines(kernel, known, rates))] if code.launches else []),
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
