"""Options of the code generator for a target: the one way from `Target` to `CodegenOptions`, and to a language."""

from __future__ import annotations

from dataclasses import replace

from polyad.codegen.generate import Language
from polyad.codegen.languages import LANGUAGES
from polyad.codegen.options import CodegenOptions
from polyad.machine import MACHINE
from polyad.runtime.vector_width import vector_bytes
from polyad.targets.target import Target

__all__ = ["codegen_options", "language_of"]


def codegen_options(target: Target, in_order: bool = False) -> CodegenOptions:
    """The options for a target: vectors are those of its CPU, unless its machine says something else."""
    machine = target.machine
    if machine.vector_bytes == MACHINE.vector_bytes:
        machine = replace(machine, vector_bytes=vector_bytes(target.march))
    return CodegenOptions(target.openmp, target.strategies, machine, in_order, target.index)


def language_of(target: Target) -> Language:
    """Return the language of the kernels for a target."""
    return LANGUAGES[target.backend.language]
