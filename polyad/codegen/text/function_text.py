"""The C functions around the loops: checks of the arguments and of indices."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.codegen.loop_names import name_loops
from polyad.codegen.loops.ast.walk import domain_loops
from polyad.codegen.loops.nodes import Instance
from polyad.codegen.lower.index_checks import IndexChecks
from polyad.codegen.names import Names
from polyad.codegen.source import Argument
from polyad.codegen.storage.memory_plan import MemoryPlan, Slot
from polyad.codegen.text.code import Code, call, code, infix, word
from polyad.codegen.text.header_text import signature
from polyad.codegen.text.integer_text import ONE, affine_code
from polyad.codegen.text.line_text import Lines, function_text
from polyad.codegen.text.loop_text import LoopText
from polyad.codegen.text.statement_text import StatementText
from polyad.codegen.text.workspace_text import local_sizes, size_tests
from polyad.ir.affine import Affine
from polyad.ir.program import Program

__all__ = ["index_check_lines", "inside_function", "kernel_text", "slot_count"]


def slot_count(slot: Slot, program: Program, names: Names) -> Code:
    """The elements of a slot, of one of its copies: 2 * B * H."""
    factors = []
    for extent in slot.extents:
        factor = affine_code(extent, names.value)
        factors.append(factor if _nonnegative(extent, program) else call("pa_max_i64", factor, "0"))
    return infix("*", *([f for f in factors if f != ONE] or [ONE]))


def _nonnegative(extent: Affine, program: Program) -> bool:
    if extent.is_constant:
        return True
    space = islx.space(program.params, "", ())
    aff = extent.to_aff(space, islx.positions(program.params, ()))
    allowed = isl.Set.universe(space).intersect_params(program.context)
    return bool(allowed.is_subset(aff.ge_set(isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space)))))


def inside_function(name: str) -> str:
    """The function that checks an index where it is used."""
    lines: Lines = [
        "if (index >= 0 && index < extent) return 1;",
        "PA_PRAGMA(omp atomic write)",
        "*status = POLYAD_ERROR_INDEX;",
        "return 0;",
    ]
    return function_text(f"PA_INLINE int {name}(int64_t index, int64_t extent, int *status)", lines)


def index_check_lines(checks: IndexChecks, program: Program, text: StatementText, taken: set[str]) -> Lines:
    """The loops that check all indices computed from inputs."""
    lines: Lines = []
    for check in checks.before:
        statement = check.statement
        loops = name_loops(
            domain_loops(statement.domain, program.context, statement.dims), {statement.name: statement.dims}, taken
        )

        def test(instance: Instance, limit: Affine = check.extent, name: str = statement.name) -> Lines:
            position = text.data_index(text.statements[name].body, instance)
            return [
                code("const int64_t position = {};", position),
                code("if (position < 0 || position >= {}) return POLYAD_ERROR_INDEX;", text.affine(limit)),
            ]

        lines.append(f"/* the index {check.info.index} of {check.info.array}, dimension {check.info.dimension} */")
        body = LoopText(text, {}, 0, test).block(loops)
        single = any(isinstance(c, Instance) for c in loops.children)
        lines += ["{", body, "}"] if single else body
    return lines


def kernel_text(
    program: Program,
    arguments: Sequence[Argument],
    memory: MemoryPlan,
    names: Names,
    slices: Lines,
    checks: Lines,
    loops: Lines,
    status: bool,
) -> str:
    """The kernel function.

    Args:
        program: the program.
        arguments: of the call.
        memory: the workspace.
        names: the C names.
        slices: the lines that slice the workspace, from `workspace_slices`.
        checks: the lines that check indices.
        loops: the lines that compute.
        status: indices are checked where they are used.
    """
    # Where there is a workspace, its function has looked at the sizes.
    tests = [] if memory.slots else size_tests(program, memory, names, "POLYAD_ERROR_SIZE")
    absent = infix("||", *(word(f"{p} == NULL") for p in ["sizes", *(a.c_name for a in arguments)]))
    lines: Lines = [code("if ({}) return POLYAD_ERROR_NULL;", absent)]
    lines += local_sizes(names, [*tests, *slices, *checks, *loops])
    if memory.slots:
        lines += [
            f"const size_t bytes = {names.function}_workspace(sizes);",
            "if (bytes == SIZE_MAX) return POLYAD_ERROR_SIZE;",
            "if (bytes > 0 && workspace == NULL) return POLYAD_ERROR_NULL;",
            "if (workspace_bytes < bytes) return POLYAD_ERROR_WORKSPACE;",
        ]
    else:
        lines += [*tests, "PA_UNUSED(workspace);", "PA_UNUSED(workspace_bytes);"]
    if status:
        lines.append("int status = POLYAD_OK;")
    for part in (checks, slices, loops):
        lines += ["", *part] if part else []
    lines += ["", f"return {'status' if status else 'POLYAD_OK'};"]
    return function_text(signature(arguments, names, "PA_RESTRICT "), lines)
