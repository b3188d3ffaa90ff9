"""The macro-kernel of polyad_contraction.h in an object file, compiled once for a compiler, its flags and a machine.

Its tiles take a C compiler more than a second, most kernels a tenth of that. A kernel that runs here is linked with
the object file from the cache; an exported one holds the same text, so both compute the same bits.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Sequence
from pathlib import Path

import polyad_c
from polyad._version import __version__
from polyad.codegen.source import Source
from polyad.runtime.cache import digest, open_cache
from polyad.runtime.compiler import Compiler, compile_object

__all__ = ["LINKED_FLAGS", "contraction_objects", "linked_header"]

LINKED_FLAGS = ("-DPA_CONTRACTION_LINKED",)
"""The compiler arguments under which a kernel expects the macro-kernel in an object file."""

_OBJECT_FLAGS = ("-DPA_CONTRACTION_OBJECT",)


_OTHERWISE = "#if !defined(PA_CONTRACTION_LINKED)"


def linked_header(header: str) -> str:
    """The part of polyad_contraction.h that is read under `LINKED_FLAGS`."""
    kept: list[str] = []
    depth = 0  # of conditions, from one that is false under these flags on
    for line in header.splitlines():
        directive = line.replace(" ", "")
        if depth or directive == _OTHERWISE.replace(" ", ""):
            depth += directive.startswith("#if") - directive.startswith("#endif")
        else:
            kept.append(line)
    return "\n".join(kept) + "\n"


def contraction_objects(
    source: Source, compiler: Compiler, flags: Sequence[str], machine: str, directory: Path
) -> list[Path]:
    """The object files that the code of a kernel is to be linked with: from the cache, or compiled now.

    Args:
        source: the kernel.
        compiler: what compiles it.
        flags: with these arguments.
        machine: what this machine is, as far as the flags ask it.
        directory: an existing folder that is private to this call, for the files.

    Raises:
        CompileError: the compiler failed.
    """
    asked = (f"PA_CONTRACTION_{suffix}" for suffix in ("F32", "F64"))
    return [_object(m, compiler, flags, machine, directory) for m in asked if f"#define {m}\n" in source.c]


def _object(macro: str, compiler: Compiler, flags: Sequence[str], machine: str, directory: Path) -> Path:
    files = {name: polyad_c.header(name) for name in polyad_c.HEADERS}
    name = macro.lower()
    files[f"{name}.c"] = f'#define {macro}\n#include "polyad_contraction.h"\n'
    key = digest(__version__, compiler.identity, *compiler.command, *flags, machine, *files, *files.values())
    cache = open_cache()
    own = directory / f"{name}.o"
    with cache.pinned_library(key) as found:
        if found is not None:  # the linker reads a copy: the entry may go while it runs
            shutil.copyfile(found, own)
            return own
    folder = directory / name
    folder.mkdir()
    compile_object(compiler, files, f"{name}.c", (*flags, *_OBJECT_FLAGS), folder).replace(own)
    with contextlib.suppress(OSError):  # a full disk costs the entry, not the call
        cache.store_library(key, own)
    return own
