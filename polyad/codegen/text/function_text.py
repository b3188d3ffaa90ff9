"""The C functions around the loops: checks of the arguments and of indices."""

from __future__ import annotations

from collections.abc import Sequence

from polyad.codegen.loops.loop_values import Condition
from polyad.codegen.loops.nodes import Instance
from polyad.codegen.lower.index_checks import IndexChecks
from polyad.codegen.names import WIDE, Names
from polyad.codegen.source import Argument
from polyad.codegen.storage.memory_plan import MemoryPlan
from polyad.codegen.text.code import Code, call, code, declare, infix, word
from polyad.codegen.text.equation_text import readable
from polyad.codegen.text.header_text import signature
from polyad.codegen.text.integer_text import ZERO
from polyad.codegen.text.line_text import Lines, function_text
from polyad.codegen.text.loop_text import LoopText
from polyad.codegen.text.nest_text import nest_lines
from polyad.codegen.text.statement_text import StatementText
from polyad.codegen.text.workspace_text import local_sizes, size_tests
from polyad.ir.affine import Affine

__all__ = ["argument_tests", "index_check_lines", "inside_function", "kernel_text"]


def inside_function(name: str) -> str:
    """The function that checks an index where it is used."""
    lines: Lines = [
        "if (index >= 0 && index < extent) return 1;",
        "PA_PRAGMA(omp atomic write)",
        "*status = POLYAD_ERROR_INDEX;",
        "return 0;",
    ]
    return function_text(f"PA_INLINE int {name}(int64_t index, int64_t extent, int *status)", lines)


def index_check_lines(checks: IndexChecks, text: StatementText) -> Lines:
    """The loops that check all indices computed from inputs."""
    lines: Lines = []
    for check in checks.before:
        position = word("position")
        outside = infix("||", infix("<", position, ZERO), infix(">=", position, text.affine(check.extent)))

        def test(instance: Instance, outside: Code = outside) -> Lines:
            value = text.data_index(text.statements[instance.statement].body, instance)
            return [
                declare("const int64_t", ("position", value)),
                code("if ({}) return POLYAD_ERROR_INDEX;", outside),
            ]

        told = check.info
        index = readable(told.index, told.dims)
        lines.append(f"/* the index {index} of {told.array}, dimension {told.dimension} */")
        body = LoopText(text, {}, 0, nest_lines, test).block(check.loops)
        single = any(isinstance(c, Instance) for c in check.loops.children)
        lines += ["{", body, "}"] if single else body
    return lines


def argument_tests(
    condition: Condition | None,
    arguments: Sequence[Argument],
    memory: MemoryPlan,
    names: Names,
    others: Lines,
    ctype: str = "const int64_t",
    computed: Sequence[Affine] = (),
    limited: bool = False,
) -> Lines:
    """Leave where arguments are not taken; the sizes stand in variables then.

    Args:
        condition: what is assumed of the sizes.
        arguments: of the call.
        memory: the workspace.
        names: the C names.
        others: the lines that follow.
        ctype: the type of the variables.
        computed: what is computed of sizes, and must not overflow.
        limited: what follows counts with 32 bits.
    """
    # Where there is a workspace, its function has looked at the sizes; so it does where they may be too large.
    tests = [] if memory.is_used else size_tests(condition, memory, names, "POLYAD_ERROR_SIZE", computed)
    if tests and limited:
        tests = [f"if ({names.function}_workspace(sizes) == SIZE_MAX) return POLYAD_ERROR_SIZE;"]
    absent = infix("||", *(infix("==", word(p), word("NULL")) for p in ["sizes", *(a.c_name for a in arguments)]))
    lines: Lines = [code("if ({}) return POLYAD_ERROR_NULL;", absent)]
    lines += local_sizes(names, [*tests, *others], ctype)
    if not memory.is_used:
        return [*lines, *tests, "PA_UNUSED(workspace);", "PA_UNUSED(workspace_bytes);"]
    return [
        *lines,
        declare("const size_t", ("bytes", call(f"{names.function}_workspace", "sizes"))),
        "if (bytes == SIZE_MAX) return POLYAD_ERROR_SIZE;",
        "if (bytes > 0 && workspace == NULL) return POLYAD_ERROR_NULL;",
        "if (workspace_bytes < bytes) return POLYAD_ERROR_WORKSPACE;",
    ]


def kernel_text(
    condition: Condition | None,
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
        condition: what is assumed of the sizes.
        arguments: of the call.
        memory: the workspace.
        names: the C names.
        slices: the lines that slice the workspace, from `workspace_slices`.
        checks: the lines that check indices.
        loops: the lines that compute.
        status: indices are checked where they are used.
    """
    narrow = names.value.index != WIDE
    lines = argument_tests(condition, arguments, memory, names, [*slices, *checks, *loops], limited=narrow)
    if status:
        lines.append("int status = POLYAD_OK;")
    for part in (checks, slices, loops):
        lines += ["", *part] if part else []
    lines += ["", f"return {'status' if status else 'POLYAD_OK'};"]
    return function_text(signature(arguments, names, "PA_RESTRICT "), lines)
