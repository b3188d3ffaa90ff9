"""The C function that chooses between the variants of a kernel.

    int f(sizes, ...)
    {
        if (__builtin_cpu_supports("avx2") && ...)
            return f_x86_64_v3(sizes, ...);
        return f_x86_64(sizes, ...);
    }

The question costs some nanoseconds a call: the compiler's library has asked the processor, and the operating system,
when the program was loaded. So there is no state here either.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyad.codegen.source import Source
from polyad.codegen.text.code import call, code, infix, word
from polyad.codegen.text.expression_text import C_TYPES
from polyad.codegen.text.line_text import Lines, function_text, printed
from polyad.export.marker import MARKER
from polyad.targets.variants import Variant

__all__ = ["dispatcher_text", "renaming"]


def renaming(name: str, variant: Variant) -> tuple[str, ...]:
    """The compiler arguments under which the C file of kernel `name` defines a variant of it."""
    mine = f"{name}_{variant.suffix}"
    return (f"-D{name}={mine}", f"-D{name}_workspace={mine}_workspace", "-fvisibility=hidden")


def dispatcher_text(source: Source, variants: Sequence[Variant]) -> str:
    """The C file of the function that the header of `source` declares.

    Args:
        source: the kernel.
        variants: the variants that were compiled, best first; the last asks for nothing.
    """
    name = source.name
    parameters = [
        f"const {name}_sizes *sizes",
        *(f"{a.const}{C_TYPES[a.dtype]} *{a.c_name}" for a in source.parameters),
        "void *workspace",
        "size_t workspace_bytes",
    ]
    arguments = ["sizes", *(a.c_name for a in source.parameters), "workspace", "workspace_bytes"]
    declared = [code("{};", call(f"int {name}_{v.suffix}", *parameters)) for v in variants]
    plain = variants[-1]
    choice: Lines = []
    for variant in variants:
        chosen = code("return {};", call(f"{name}_{variant.suffix}", *arguments))
        if variant.features:
            asked = infix("&&", *(word(f'__builtin_cpu_supports("{f}")') for f in variant.features))
            choice += [code("if ({}) {{", asked), [chosen], "}"]
        else:
            choice.append(chosen)
    return "\n".join(
        [
            f"/* {name}: {MARKER}; chooses the variant for the processor */",
            f'#include "{name}.h"',
            "",
            *printed(declared),
            f"size_t {name}_{plain.suffix}_workspace(const {name}_sizes *sizes);",
            "",
            function_text(f"int {name}({', '.join(parameters)})", choice),
            function_text(
                f"size_t {name}_workspace(const {name}_sizes *sizes)",
                [f"return {name}_{plain.suffix}_workspace(sizes);"],
            ),
        ]
    )
