"""Kernels for GPUs as libraries: the C that launches them, and their machine code or PTX as bytes beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from polyad.codegen.source import Source
from polyad.errors import CompileError
from polyad.export.marker import MARKER
from polyad.runtime.compiler import Compiler, UnusableCompiler, compile_object, merge_objects
from polyad.runtime.cuda.calls import image_of
from polyad.targets import Target
from polyad.targets.gpu import DEFAULT_ARCH

__all__ = ["LOADER_FLAGS", "exported_arch", "image_text", "kernel_image", "launching_object"]

LOADER_FLAGS = ("-ldl", "-lpthread")
"""What finding the driver needs, where the C library is an older one."""

_FLAGS = ("-std=c99", "-O2", "-fPIC")

_BYTES_A_LINE = 24


def exported_arch(target: Target) -> str:
    """Return what kernels are compiled for: the target's word, else what all devices of today run, not the one here."""
    return target.arch or DEFAULT_ARCH


def kernel_image(source: Source, target: Target) -> bytes:
    """Machine code, or PTX, which ends with a 0, of the kernels.

    Raises:
        CompileError: there is none of NVIDIA's compilers, or it failed.
    """
    arch = exported_arch(target)
    try:
        image = image_of(source, target, arch)
    except UnusableCompiler as problem:
        raise CompileError(f"export: {problem}; source_only=True needs neither", problem.command) from problem
    return image.rstrip(b"\0") + b"\0" if arch.startswith("compute_") else image


def image_text(source: Source, image: bytes, arch: str) -> str:
    """The C file that holds an image."""
    name = source.name
    rows = (image[first : first + _BYTES_A_LINE] for first in range(0, len(image), _BYTES_A_LINE))
    lines = "\n".join(",".join(map(str, row)) + "," for row in rows)
    return f"""/* {name}_image.c: {MARKER}: the kernels of {name}.cu, compiled for {arch} */
#ifdef __cplusplus
extern "C"
#endif
#if defined(__GNUC__) || defined(__clang__)
__attribute__((aligned(64)))
#endif
const unsigned char {name}_image[] = {{
{lines}
}};
"""


def launching_object(compiler: Compiler, source: Source, files: Mapping[str, str], scratch: Path) -> Path:
    """Compile the C that launches kernels, and their image; returns one object file, in which nobody else sees that.

    Args:
        compiler: of C.
        source: the kernel.
        files: file name -> text, of all that is exported.
        scratch: an existing folder that is private to this call.

    Raises:
        CompileError: the compiler failed.
    """
    mains = (f"{source.name}.c", f"{source.name}_image.c")
    objects = [compile_object(compiler, files, main, _FLAGS, scratch) for main in mains]
    whole = scratch / "whole"
    whole.mkdir()
    return merge_objects(compiler, objects, whole / f"{source.name}.o")
