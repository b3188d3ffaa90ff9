"""From generated C to a loaded function, through the cache."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polyad_c
from polyad._version import __version__
from polyad.codegen.source import Source
from polyad.runtime.blas import blas_for
from polyad.runtime.cache import digest, open_cache
from polyad.runtime.called_functions import called_functions
from polyad.runtime.compiler import Compiler, UnusableCompiler, compile_object, find_compiler, link_shared
from polyad.runtime.contraction_object import LINKED_FLAGS, contraction_objects, linked_header
from polyad.runtime.cpu import this_cpu
from polyad.runtime.cuda.calls import load_cuda_kernel
from polyad.runtime.native import NativeKernel, load_function
from polyad.runtime.progress import LOG
from polyad.runtime.run_tool import scratch_directory
from polyad.runtime.workspace import FFI
from polyad.targets import Target

__all__ = ["load_kernel", "source_files"]


def source_files(source: Source) -> dict[str, str]:
    """File name -> text: the C file and the headers that it includes; for GPUs the CUDA C++ and the C that launches."""
    if source.suffix == ".cu":
        headers = dict.fromkeys((*polyad_c.CUDA_HEADERS, *polyad_c.HOST_HEADERS))
        return {
            f"{source.name}.cu": source.c,
            f"{source.name}.c": source.host,
            f"{source.name}.h": source.header,
            **{name: polyad_c.header(name) for name in headers},
        }
    return {
        f"{source.name}.c": source.c,
        f"{source.name}.h": source.header,
        **{name: polyad_c.header(name) for name in polyad_c.HEADERS if f'#include "{name}"' in source.c},
    }


def load_kernel(source: Source, target: Target) -> NativeKernel:
    """The compiled function of `source`: compiled now, or found in the cache.

    Raises:
        UnusableCompiler: there is no compiler, or what it makes cannot be loaded here.
        CompileError: the compiler failed.
    """
    if source.suffix == ".cu":
        return _overwriting(load_cuda_kernel(source, target), source)
    compiler = find_compiler()
    blas = blas_for(source, target, compiler)
    flags = (*compiler.flags(target), *blas.defines)
    files = _short(source_files(source))
    machine = this_cpu().identity if target.march == "native" else this_cpu().architecture
    key = digest(
        __version__, compiler.identity, *compiler.command, *flags, *blas.link, machine, *files, *files.values()
    )
    cache = open_cache()
    with cache.pinned_library(key) as found:
        if found is not None:
            try:
                LOG.debug("%s: the library comes from the cache", source.name)
                return _overwriting(load_function(found, source.name, len(source.parameters)), source)
            except OSError:  # intact, but not for this system: another libc, say, on a shared home directory
                cache.discard("libraries", key)
    with scratch_directory() as scratch:
        objects = contraction_objects(source, compiler, flags, machine, scratch)
        built = _compile(compiler, source, files, flags, objects, blas.link, scratch)
        # On a full disk the library is loaded from where it was built and goes with the process.
        with contextlib.suppress(OSError):
            cache.store_library(key, built)
        with cache.pinned_library(key) as stored:
            return _load(stored or built, source, compiler)


def _short(files: Mapping[str, str]) -> dict[str, str]:
    """The files of a kernel as it is compiled here: linked with the macro-kernel, and no more runtime than it calls."""
    runtime, contraction = polyad_c.HEADERS
    short = dict(files)
    if contraction in files:
        short[contraction] = linked_header(files[contraction])
    others = "\n".join(text for name, text in short.items() if name != runtime)
    return {**short, runtime: called_functions(files[runtime], others)}


def _compile(
    compiler: Compiler,
    source: Source,
    files: dict[str, str],
    flags: Sequence[str],
    objects: Sequence[Path],
    libraries: Sequence[str],
    directory: Path,
) -> Path:
    own = (*flags, *LINKED_FLAGS) if objects else flags
    compiled = compile_object(compiler, files, f"{source.name}.c", own, directory)
    return link_shared(compiler, [compiled, *objects], flags, directory / f"{source.name}.so", libraries)


def _load(path: Path, source: Source, compiler: Compiler) -> NativeKernel:
    try:
        return _overwriting(load_function(path, source.name, len(source.parameters)), source)
    except OSError as problem:
        raise UnusableCompiler(
            f"the library compiled from {source.name}.c by {compiler.command[0]} cannot be loaded: {problem}. Is that "
            "compiler for this machine? Set CC to another one, or see `polyad doctor`",
            " ".join(compiler.command),
            str(problem),
        ) from problem


def _overwriting(kernel: NativeKernel, source: Source) -> NativeKernel:
    """The function with a pointer for each argument: what it overwrites is a copy where outputs are wanted."""
    names = [a.name for a in source.arguments if not a.is_output]
    into = [(names.index(a.over), p, a) for p, a in enumerate(source.arguments) if a.over]
    if not into:
        return kernel
    kept = [p for p, a in enumerate(source.arguments) if not a.over]

    def run(sizes: Any, *rest: Any) -> int:
        pointers = list(rest)
        known = dict(zip(source.sizes, sizes, strict=False))  # without sizes the struct has one unused member
        for given, wanted, argument in into:
            if pointers[given] != pointers[wanted]:
                FFI.memmove(pointers[wanted], pointers[given], argument.bytes(known))
            pointers[given] = pointers[wanted]
        return kernel.run(sizes, *(pointers[p] for p in kept), *rest[-2:])

    return NativeKernel(run, kernel.threads, kernel.on_device)
