"""The C of the host: a function that enqueues all launches in a stream, and its header.

    int f(const f_sizes *sizes, const float *x, float *y, void *workspace, size_t workspace_bytes,
          struct CUstream_st *stream)
    {
      if (sizes == NULL || x == NULL || y == NULL) return POLYAD_ERROR_NULL;
      int64_t N = sizes->N;
      ...                                              /* sizes, and whether the workspace is large enough */
      int pa_error = pa_ready();                       /* the driver is there, and the kernels are loaded */

      const size_t pa_blocks_0 = pa_least(pa_groups(pa_iterations(N), 128), 65536);
      const size_t pa_threads_0 = 128;
      void *pa_given_0[] = {&N, &x, &y};
      pa_error = pa_launch(pa_error, pa_kernels[0], pa_blocks_0, pa_threads_0, pa_given_0, stream);
      return pa_status_of(pa_error);
    }

Blocks and threads are those of the launch record, which Python launches by, printed: count_text.py. The kernels are
bytes in another C file, `f_image`, since they are made by other compilers. Only one function knows that name, so that
no array or size can stand for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyad.codegen.cuda.host.count_text import CountText
from polyad.codegen.launch_counts import Iterations, leaves
from polyad.codegen.launch_shape import ALIGNMENT, MEETING_BYTES, STATUS_BYTES, LaunchShape, Parameter
from polyad.codegen.names import Names
from polyad.codegen.plan import Plan
from polyad.codegen.source import Argument
from polyad.codegen.storage.memory_plan import MemoryPlan
from polyad.codegen.text.code import Code, call, cast, code, conditional, declare, infix, listed, word
from polyad.codegen.text.function_text import argument_tests
from polyad.codegen.text.header_text import STANDARD_INCLUDES, STREAM, head_comment, header_parts, signature
from polyad.codegen.text.integer_text import ZERO
from polyad.codegen.text.line_text import Lines, function_text, printed
from polyad.codegen.text.workspace_text import device_slices, workspace_text
from polyad.ir.names import unique_name
from polyad.machine.device import LIMITS

__all__ = ["front_bytes", "host_texts"]

_STATUS = "pa_words"
_MEETINGS = "pa_meetings"
_LIMITS = ("multiprocessors", "shared", "cluster")

MEETINGS_AT, MEETINGS_BYTES = ALIGNMENT, MEETING_BYTES * 512
"""Behind the words of the status, in front of the workspace, stand those of teams that count: polyad_driver.h."""

_WHO = {
    "threads": "a thread for each iteration",
    "blocks": "a block for each iteration",
    "tiles": "a block for each tile",
    "scans": "a block for each segment of a scan",
    "teams": "teams of blocks",
    "block": "one block",
    "thread": "one thread",
}


def host_texts(
    plan: Plan, arguments: Sequence[Argument], memory: MemoryPlan, shapes: Sequence[LaunchShape], checks: bool
) -> tuple[str, str]:
    """The C file, and the header.

    Args:
        plan: the kernel.
        arguments: of the call, outputs in the place of inputs included.
        memory: the workspace on the device.
        shapes: the launches.
        checks: indices are tested.
    """
    names, condition = plan.names.wide(), plan.condition
    parameters, narrow = [a for a in arguments if not a.over], plan.names.value.index != names.value.index
    stream = unique_name("stream", names.taken())
    comment = head_comment(condition, parameters, memory, names, notes=_notes(names.function))
    before, behind = header_parts(condition, comment, arguments, memory, names, stream, waits=checks)
    counts = [count for shape in shapes for _, count in shape.formulas()]
    told = {leaf for count in counts for leaf in leaves(count)}
    computed = [leaf.formula for leaf in told if isinstance(leaf, Iterations) and leaf.formula is not None]
    given = {p for shape in shapes for p in shape.parameters}
    fronts = [*([(_STATUS, 0)] if checks else []), *([(_MEETINGS, MEETINGS_AT)] if _has_teams(shapes) else [])]
    slices = device_slices(memory, names, {int(p.name) for p in given if p.kind == "slot"}, fronts)
    launches = [line for n, shape in enumerate(shapes) for line in _launch(n, shape, names, parameters, stream)]
    asked: Lines = []
    if made := [n for n, shape in enumerate(shapes) if shape.products or shape.over == "teams"]:
        limits = [f"pa_{name}" for name in _LIMITS]
        asked = [declare("size_t", *((name, "1") for name in limits))]
        cluster = str(LIMITS.cluster)
        asked.append(_next("pa_limits", f"pa_kernels[{made[0]}]", cluster, *(f"&{name}" for name in limits)))
    cleared = [_next("pa_clear", _STATUS, str(STATUS_BYTES), stream)] if checks else []
    body = [
        *argument_tests(condition, parameters, memory, names, [*slices, *launches], "int64_t", computed, narrow),
        *slices,
        declare("int", ("pa_error", "pa_ready()")),
        *asked,
        *cleared,
        *launches,
        *([] if shapes else [f"PA_UNUSED({stream});"]),
        "return pa_status_of(pa_error);",
    ]
    functions = [
        _ready(names.function, shapes),
        workspace_text(condition, memory, names, computed, plan.limits),
        function_text(signature(parameters, names, stream=stream), body),
        *([_status(names.function, stream)] if checks else []),
    ]
    whole = "\n".join([before + '#include "polyad_driver.h"' + behind, *functions])
    return whole, before + STANDARD_INCLUDES + behind


def front_bytes(checks: bool, shapes: Sequence[LaunchShape]) -> int:
    """The bytes in front of the workspace."""
    return MEETINGS_AT + MEETINGS_BYTES if _has_teams(shapes) else STATUS_BYTES if checks else 0


def _has_teams(shapes: Sequence[LaunchShape]) -> bool:
    return any(shape.over == "teams" for shape in shapes)


def _notes(name: str) -> list[str]:
    """The way of the kernels into the library."""
    return [
        f"{name}.c launches the kernels of {name}.cu, which are bytes in {name}_image.c. To make that",
        "where it is missing, or for other devices, and then what a host program is linked with:",
        "",
        f"  nvcc -std=c++17 -arch=compute_80 -ptx -o {name}.ptx {name}.cu",
        f"  bin2c --const --padd 0 --name {name}_image {name}.ptx > {name}_image.c",
        f"  cc -std=c99 -O2 -c {name}.c {name}_image.c",
        "",
        f"-arch=sm_90 -cubin -o {name}.cubin makes machine code for one generation of devices in the place of PTX.",
    ]


def _ready(name: str, shapes: Sequence[LaunchShape]) -> str:
    """The names of the kernels, and the function that loads them."""
    count, image = len(shapes), f"{name}_image"
    kernels = listed(*(f'"{shape.kernel}"' for shape in shapes)) if shapes else word("NULL")  # C has no empty arrays
    lines: Lines = [
        f"PA_IMAGE {image}[]; /* PTX or machine code of {name}.cu, in {name}_image.c */",
        code("static const char *const pa_names[] = {{{}}};", kernels),
        f"static void *pa_kernels[{max(count, 1)}];",
        "",
    ]
    loaded = code("return {};", call("pa_loaded", image, str(count), "pa_names", "pa_kernels"))
    return "\n".join([*printed(lines), function_text("PA_INLINE int pa_ready(void)", [loaded])])


def _launch(number: int, shape: LaunchShape, names: Names, arguments: Sequence[Argument], stream: str) -> Lines:
    """Blocks, threads and arguments of a launch, and the launch."""

    def variable(name: str) -> str:
        return f"pa_{name}" if name in _LIMITS else f"pa_{name}_{number}"

    formulas, text = dict(shape.formulas()), CountText(names.value, variable)
    kernel, given, blocks, threads = f"pa_kernels[{number}]", *map(variable, ("given", "blocks", "threads"))
    room, counted = variable("room"), variable("counted")
    lines: Lines = ["", f"/* {shape.kernel}: {_WHO[shape.over]} */"]
    for name, count in formulas.items():
        lines += text.lines(name, count, "size_t" if name == "room" else "const size_t")
    if "counts" in formulas:
        counts = infix("!=", word(variable("counts")), ZERO)
        members = cast("int64_t", word(variable("members")))
        lines.append(declare("int64_t", (counted, conditional(counts, members, ZERO))))
    addresses = (_address(p, names, arguments, counted) for p in shape.parameters)
    lines.append(code("void *{}[] = {{{}}};", given, listed(*addresses)))
    if "members" in formulas:
        team = [variable(name) for name in ("members", "counts")]
        running, blocks_now = variable("running"), variable("running_blocks")
        lines.append(declare("size_t", (running, "SIZE_MAX")))
        lines.append(_next("pa_prepare", kernel, blocks, threads, *team, f"&{room}", f"&{running}"))
        lines += text.lines("running_blocks", shape.running_blocks)
        lines.append(_next("pa_meet", variable("counts"), variable("teams"), _MEETINGS, stream))
        lines.append(_next("pa_launch_team", kernel, blocks_now, threads, *team, room, given, stream))
    elif "room" in formulas:
        lines.append(_next("pa_prepare", kernel, blocks, threads, "1", "0", f"&{room}", "NULL"))
        lines.append(_next("pa_launch_team", kernel, blocks, threads, "1", "0", room, given, stream))
    else:
        lines.append(_next("pa_launch", kernel, blocks, threads, given, stream))
    return lines


def _address(parameter: Parameter, names: Names, arguments: Sequence[Argument], counted: str) -> Code:
    """The address of an argument of a kernel."""
    match parameter.kind:
        case "size":
            variable = names.params[parameter.name]
            return word(f"&{variable}", variable)
        case "array":
            return word(f"&{next(a.c_name for a in arguments if a.name == parameter.name)}")
        case "slot":
            return word(f"&slot_{parameter.name}")
        case "members":
            return word(f"&{counted}")
        case "meetings":
            return word(f"&{_MEETINGS}")
        case _:
            return word(f"&{_STATUS}")


def _next(function: str, *arguments: Code | str) -> Code:
    """Ask something of the driver, where nothing went wrong before."""
    return code("pa_error = {};", call(function, "pa_error", *arguments))


def _status(name: str, stream: str) -> str:
    """The function that waits, and says whether indices were in order."""
    lines: Lines = [
        "int words[2] = {0, 0};",
        "if (workspace == NULL) return POLYAD_ERROR_NULL;",
        code(
            "const int error = {};",
            call("pa_fetch", "pa_ready()", "words", "PA_ALIGNED(workspace)", str(STATUS_BYTES), stream),
        ),
        "if (error != 0) return pa_status_of(error);",
        "return words[0] != 0 ? words[0] : words[1];",
    ]
    return function_text(f"int {name}_status(const void *workspace, {STREAM} *{stream})", lines)
