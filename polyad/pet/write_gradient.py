"""The command `polyad grad`: a library with a C function and its gradient, and a page about it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from polyad.codegen.names import c_name
from polyad.errors import CallError
from polyad.export.library import check_name
from polyad.export.marker import check_overwritable
from polyad.pet.c_program import CProgram
from polyad.pet.gradient_report import gradient_report
from polyad.targets.target import Target

__all__ = ["write_gradient"]


def write_gradient(
    program: CProgram,
    path: str,
    of: Sequence[str],
    wrt: Sequence[str],
    directory: str | os.PathLike[str],
    name: str | None = None,
    march: str | None = None,
    *,
    source_only: bool = False,
    version: str = "1.0.0",
    target: str | Target = "openmp",
) -> tuple[Path, ...]:
    """Differentiate, export, and write NAME.md beside the library; returns the files written.

    Args:
        program: what was read.
        path: the C file it was read from.
        of: outputs to differentiate.
        wrt: inputs to differentiate by.
        directory: as for `CProgram.export`.
        name: as for `CProgram.export`.
        march: as for `CProgram.export`.
        source_only: as for `CProgram.export`.
        version: as for `CProgram.export`.
        target: as for `CProgram.export`.

    Raises:
        DifferentiationError: there is no such output or input.
        CallError: as for `CProgram.export`.
        CompileError: as for `CProgram.export`.
    """
    gradient = program.grad(of, wrt)
    chosen = check_name(c_name(gradient.name) if name is None else name)
    page = f"{chosen}.md"
    check_overwritable(Path(directory), [page], (), page)
    files = gradient.export(directory, chosen, march, source_only=source_only, version=version, target=target)
    kernel = gradient.exported_kernel(chosen, target)  # from the cache
    text = gradient_report(chosen, path, program, gradient, kernel, of, wrt)
    written = Path(directory) / page
    try:
        written.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise CallError(f"export: cannot write to {directory}: {problem.strerror}", "directory") from problem
    return (*files, written)
