"""The C of the host: a function that enqueues all launches in a stream, and its header.

    int f(const f_sizes *sizes, const float *x, float *y, void *workspace, size_t workspace_bytes,
          struct CUstream_st *stream)
    {
      if (sizes == NULL || x == NULL || y == NULL) return POLYAD_ERROR_NULL;
      int64_t N = sizes->N;
      ...                                              /* sizes, and whether the workspace is large enough */
      int pa_error = pa_ready();                       /* the driver is there, and the kernels are loaded */

      void *pa_given_0[] = {&N, &x, &y};
      const size_t pa_blocks_0 = pa_least(pa_groups(pa_iterations(N), 128), 65536);
      const size_t pa_threads_0 = 128;
      pa_error = pa_launch(pa_error, pa_kernels[0], pa_blocks_0, pa_threads_0, pa_given_0, stream);
      return pa_status_of(pa_error);
    }

Blocks and threads are those of the launch record, which Python launches by, printed: count_text.py. The kernels are
bytes in another C file, `f_image`, since they are made by other compilers. Only one function knows that name, so that
no array or size can stand for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from polyad.codegen.cuda.host.count_text import count_code
from polyad.codegen.launch_counts import Count, Iterations, leaves
from polyad.codegen.launch_shape import LaunchShape, Parameter
from polyad.codegen.names import Names
from polyad.codegen.plan import Plan
from polyad.codegen.source import Argument
from polyad.codegen.storage.memory_plan import MemoryPlan
from polyad.codegen.text.code import Code, call, code, conditional, declare, listed, word
from polyad.codegen.text.function_text import argument_tests
from polyad.codegen.text.header_text import STANDARD_INCLUDES, STREAM, head_comment, header_parts, signature
from polyad.codegen.text.line_text import Lines, function_text, printed
from polyad.codegen.text.workspace_text import device_slices, workspace_text
from polyad.ir.names import unique_name

__all__ = ["host_texts"]

_STATUS = "pa_words"
_CLUSTERS = "pa_clusters"

_WHO = {
    "threads": "a thread for each iteration",
    "blocks": "a block for each iteration",
    "tiles": "a block for each tile",
    "teams": "teams of blocks",
    "block": "one block",
    "thread": "one thread",
}


def host_texts(
    plan: Plan, arguments: Sequence[Argument], memory: MemoryPlan, shapes: Sequence[LaunchShape]
) -> tuple[str, str]:
    """The C file, and the header.

    Args:
        plan: the kernel.
        arguments: of the call, outputs in the place of inputs included.
        memory: the workspace on the device.
        shapes: the launches.
    """
    names, condition = plan.names, plan.condition
    parameters = [a for a in arguments if not a.over]
    stream = unique_name("stream", names.taken())
    comment = head_comment(condition, parameters, memory, names, notes=_notes(names.function))
    before, behind = header_parts(condition, comment, arguments, memory, names, stream, waits=memory.front > 0)
    computed = [
        leaf.formula
        for shape in shapes
        for count in (shape.blocks, shape.threads, shape.members, shape.room)
        for leaf in leaves(count)
        if isinstance(leaf, Iterations) and leaf.formula is not None
    ]
    given = {p for shape in shapes for p in shape.parameters}
    slices = device_slices(memory, names, {int(p.name) for p in given if p.kind == "slot"}, _STATUS)
    launches = [line for n, shape in enumerate(shapes) for line in _launch(n, shape, names, parameters, stream)]
    asked: Lines = []
    if teams := [n for n, shape in enumerate(shapes) if shape.members != 1]:
        kernel = f"pa_kernels[{teams[0]}]"
        asked = [declare("int", (_CLUSTERS, "0")), _next("pa_have_clusters", kernel, f"&{_CLUSTERS}")]
    cleared = [_next("pa_clear", _STATUS, str(memory.front), stream)] if memory.front else []
    body = [
        *argument_tests(condition, parameters, memory, names, [*slices, *launches], "int64_t", computed),
        *slices,
        declare("int", ("pa_error", "pa_ready()")),
        *asked,
        *cleared,
        *launches,
        "return pa_status_of(pa_error);",
    ]
    functions = [
        _ready(names.function, shapes),
        workspace_text(condition, memory, names, computed),
        function_text(signature(parameters, names, stream=stream), body),
        *([_status(names.function, memory.front, stream)] if memory.front else []),
    ]
    whole = "\n".join([before + '#include "polyad_driver.h"' + behind, *functions])
    return whole, before + STANDARD_INCLUDES + behind


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
    kernels = listed(*(f'"{shape.kernel}"' for shape in shapes))
    lines: Lines = [
        f"PA_IMAGE {image}[]; /* PTX or machine code of {name}.cu, in {name}_image.c */",
        code("static const char *const pa_names[] = {{{}}};", kernels),
        f"static void *pa_kernels[{count}];",
        "",
    ]
    loaded = code("return {};", call("pa_loaded", image, str(count), "pa_names", "pa_kernels"))
    return "\n".join([*printed(lines), function_text("PA_INLINE int pa_ready(void)", [loaded])])


def _launch(
    number: int, shape: LaunchShape, names: Names, arguments: Sequence[Argument], stream: str
) -> Iterator[Code | str]:
    """The arguments of a launch, and the launch."""

    def variable(name: str) -> str:
        return f"pa_{name}_{number}"

    def told(name: str, count: Count, ctype: str = "const size_t") -> Code:
        return declare(ctype, (variable(name), count_code(count, names.value, variable)))

    yield ""
    yield f"/* {shape.kernel}: {_WHO[shape.over]} */"
    kernel, given, blocks, threads = f"pa_kernels[{number}]", *map(variable, ("given", "blocks", "threads"))
    yield code("void *{}[] = {{{}}};", given, listed(*(_address(p, names, arguments) for p in shape.parameters)))
    team = [] if shape.members == 1 else [_team(shape, names, variable)]
    yield from team
    yield told("blocks", shape.blocks)
    yield told("threads", shape.threads)
    if shape.room == 0:
        yield _next("pa_launch", kernel, blocks, threads, given, stream)
        return
    room, members, running = variable("room"), variable("members") if team else "1", variable("running")
    yield told("room", shape.room, "size_t")
    yield from [declare("size_t", (running, "SIZE_MAX"))] if team else []
    yield _next("pa_prepare", kernel, blocks, threads, members, f"&{room}", f"&{running}" if team else "NULL")
    if team:
        blocks = variable("running_blocks")
        yield told("running_blocks", shape.running_blocks)
    yield _next("pa_launch_team", kernel, blocks, threads, members, room, given, stream)


def _team(shape: LaunchShape, names: Names, variable: Callable[[str], str]) -> Code:
    """How many blocks are a team."""
    chosen = conditional(word(_CLUSTERS), count_code(shape.members, names.value, variable), word("1"))
    return declare("const size_t", (variable("members"), chosen))


def _address(parameter: Parameter, names: Names, arguments: Sequence[Argument]) -> Code:
    """The address of an argument of a kernel."""
    match parameter.kind:
        case "size":
            variable = names.params[parameter.name]
            return word(f"&{variable}", variable)
        case "array":
            return word(f"&{next(a.c_name for a in arguments if a.name == parameter.name)}")
        case "slot":
            return word(f"&slot_{parameter.name}")
        case _:
            return word(f"&{_STATUS}")


def _next(function: str, *arguments: Code | str) -> Code:
    """Ask something of the driver, where nothing went wrong before."""
    return code("pa_error = {};", call(function, "pa_error", *arguments))


def _status(name: str, front: int, stream: str) -> str:
    """The function that waits, and says whether indices were in order."""
    lines: Lines = [
        "int words[2] = {0, 0};",
        "if (workspace == NULL) return POLYAD_ERROR_NULL;",
        code(
            "const int error = {};",
            call("pa_fetch", "pa_ready()", "words", "PA_ALIGNED(workspace)", str(front), stream),
        ),
        "if (error != 0) return pa_status_of(error);",
        "return words[0] != 0 ? words[0] : words[1];",
    ]
    return function_text(f"int {name}_status(const void *workspace, {STREAM} *{stream})", lines)
