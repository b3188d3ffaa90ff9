"""What a target asks of the code generator: the one way from `Target` to `CodegenOptions`."""

from __future__ import annotations

from polyad.codegen.options import CodegenOptions
from polyad.machine import MACHINE
from polyad.runtime.vector_width import vector_bytes
from polyad.targets.target import Target

__all__ = ["codegen_options"]


def codegen_options(target: Target) -> CodegenOptions:
    """The options for a target: vectors are those of its CPU, unless its machine says something else."""
    machine = target.machine
    same = machine.vector_bytes == MACHINE.vector_bytes
    return CodegenOptions(
        target.openmp,
        machine.thread_start,
        machine.thread_meeting,
        target.strategies,
        vector_bytes(target.march) if same else machine.vector_bytes,
        machine,
    )
