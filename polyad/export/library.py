"""Exporting a kernel: source, header, static and shared library, and the files by which C projects find them.

Everything is built in a scratch folder first, so a failure leaves the directory as it was.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from polyad import islx
from polyad.codegen.generate import generate
from polyad.codegen.names import c_name
from polyad.codegen.source import Source
from polyad.errors import CallError
from polyad.export.build_files import cmake_config, cmake_version, pkg_config
from polyad.export.cuda_library import LOADER_FLAGS, exported_arch, image_text, kernel_image, launching_object
from polyad.export.dispatch import dispatcher_text, renaming
from polyad.export.library_names import LibraryNames, library_names
from polyad.export.marker import check_overwritable
from polyad.export.wrapper import Wrapper
from polyad.ir.names import MOST_LETTERS
from polyad.runtime.blas import blas_for
from polyad.runtime.codegen_options import codegen_options, language_of
from polyad.runtime.compiled_program import CompiledProgram
from polyad.runtime.compiler import (
    Compiler,
    archive,
    compile_object,
    find_compiler,
    link_shared,
    merge_objects,
    offers_variants,
)
from polyad.runtime.cpu import usable_cores
from polyad.runtime.library import source_files
from polyad.runtime.run_tool import scratch_directory
from polyad.targets import Target
from polyad.targets.flags import LINK_FLAGS, PARALLEL_FLAGS
from polyad.targets.variants import VARIANTS, Variant

__all__ = ["check_name", "export", "export_source", "variant_objects"]

_TAKEN_LIBRARIES = frozenset("c m dl rt pthread util gcc gomp omp iomp5 stdc".split())
"""libNAME of these would stand in for a library of the system when the folder is searched with -L."""


def export_source(
    kernel: CompiledProgram,
    directory: str | os.PathLike[str],
    name: str | None = None,
    wrapper: Wrapper | None = None,
) -> tuple[Path, ...]:
    """Write the C files of a kernel: no compiler is needed here, and any C99 compiler will do there.

    Of a kernel for GPUs, the CUDA C++ and the C that launches it; the header says how they are compiled.

    Args:
        kernel: what to export.
        directory: as for `export`.
        name: as for `export`.
        wrapper: as for `export`.

    Returns:
        The files written: name.c, name.h, polyad_runtime.h, polyad_contraction.h where it is needed, and the two of
        the wrapper; for GPUs name.cu, polyad_cuda.h and polyad_driver.h, too.

    Raises:
        CallError: as for `export`.
    """
    source = _named(kernel, name)
    texts = _files(source, wrapper)
    folder = _made(directory)
    check_overwritable(folder, texts, (), next(iter(texts)))
    return _write(folder, texts, ())


def export(
    kernel: CompiledProgram,
    directory: str | os.PathLike[str],
    name: str | None = None,
    march: str | None = None,
    version: str = "1.0.0",
    wrapper: Wrapper | None = None,
) -> tuple[Path, ...]:
    """Write a kernel as a C library that needs nothing of Python or polyad.

    Args:
        kernel: what to export.
        directory: where to; made when it does not exist. Files that polyad wrote there before are overwritten.
        name: the name of the C function and of the files; the kernel's own when None.
        march: the CPU to compile the libraries for, as in `-march=`; None for any CPU of this architecture, on x86-64
            with variants for newer ones that are chosen at run time (targets/variants.py).
        version: of the library: numbers with dots between.
        wrapper: a function that calls the kernel; the library is called like it then, and has both.

    Returns:
        The files written: name.c, name.h, polyad_runtime.h, polyad_contraction.h where it is needed, name.pc,
        nameConfig.cmake, nameConfigVersion.cmake, libname.a, the shared library under its soname, libname.so; for GPUs
        name.cu, name_image.c, polyad_cuda.h and polyad_driver.h, too. Where the compiler links no shared libraries, as
        those for machines without a system: the C files, name.o and libname.a.

    Raises:
        CallError: the name is not a C identifier, the directory cannot be written or holds foreign files, or an option
            is one of CPUs.
        CompileError: there is no compiler, or it failed.
    """
    version = str(version)
    if not re.fullmatch(r"\d+(\.\d+){0,3}", version):
        raise CallError(f"export: version={version!r} is none; write numbers with dots between: '1.0.0'", "version")
    source = _named(kernel, name)
    compiler = find_compiler()
    if source.suffix == ".cu":
        made = _for_gpus(compiler, source, kernel.target, march)
    else:
        made = _for_cpus(compiler, source, wrapper, replace(kernel.target, march=march))
    library = source.name if wrapper is None else wrapper.name
    names = library_names(library, version)
    signature = ", ".join(a.name for a in source.parameters) if wrapper is None else wrapper.signature
    folder = _made(directory)
    if not compiler.shared:
        return _without_system(compiler, made, names.static, folder, f"{library}.h")
    texts = {
        **made.files,
        f"{library}.pc": pkg_config(
            library,
            f"{library}({signature}), compiled by polyad",
            made.needs if made.package else [*made.libraries, *made.needs],
            made.package,
            version,
        ),
        f"{library}Config.cmake": cmake_config(library, names, [*made.libraries, *made.needs]),
        f"{library}ConfigVersion.cmake": cmake_version(library, version),
    }
    check_overwritable(folder, texts, (names.static, names.shared, names.linked), f"{library}.h")
    with scratch_directory() as scratch:
        objects = made.objects(scratch)
        shared = link_shared(compiler, objects, made.flags, scratch / names.shared, [*made.libraries, *made.loads])
        built = archive(objects, scratch / names.static), shared
        return (*_write(folder, texts, built), _linked(folder, names))


def _without_system(compiler: Compiler, made: _Made, static: str, folder: Path, header: str) -> tuple[Path, ...]:
    """Write what a machine without a system has a use for: texts, object files, the static library."""
    with scratch_directory() as scratch:
        objects = made.objects(scratch)
        built = [*objects, archive(objects, scratch / static)]
        check_overwritable(folder, made.files, tuple(path.name for path in built), header)
        return _write(folder, made.files, built)


def check_name(name: Any) -> str:
    """The name that a user gives a C function and its library.

    Raises:
        CallError: it cannot name a C function, or is too long for names of files.
    """
    if not isinstance(name, str) or c_name(name) != name:
        raise CallError(
            f"export: name={name!r} cannot name a C function (or C, C++ or its library uses it already); "
            f"try {c_name(str(name))!r}",
            "name",
        )
    return _library_name(name)


def _library_name(name: str) -> str:
    """A name of a C function that a library and its files can have, too."""
    if len(name) > MOST_LETTERS:
        raise CallError(
            f"export: the name {name[:20]!r}... has {len(name)} letters; it becomes part of file names, "
            f"so take at most {MOST_LETTERS}",
            "name",
        )
    if name in _TAKEN_LIBRARIES:
        raise CallError(
            f"export: lib{name} is the name of a system library; choose another with name=, "
            f"such as {name + '_kernel'!r}",
            "name",
        )
    return name


def _named(kernel: CompiledProgram, name: str | None) -> Source:
    """The generated code under the name asked for."""
    asked: Any = name
    if name is None or (isinstance(asked, str) and name == kernel.name):
        _library_name(kernel.code.name)
        return kernel.code
    check_name(name)
    program, schedule = replace(kernel.program, name=name), kernel.schedule
    options = codegen_options(kernel.target, kernel.code.in_order)
    with islx.LOCK:
        return generate(program, schedule, options, language=language_of(kernel.target))


def _files(source: Source, wrapper: Wrapper | None) -> dict[str, str]:
    """File name -> text: all that is compiled."""
    return {**(wrapper.files if wrapper is not None else {}), **source_files(source)}


@dataclass(frozen=True, slots=True)
class _Made:
    """The parts of libraries.

    Attributes:
        files: file name -> text: all that is compiled.
        objects: compiles it in a folder; returns the object files.
        flags: that link the shared library.
        libraries: that it is linked with, as others are whose static library is linked.
        loads: more of them, that others have in `needs`.
        needs: what the static library needs besides when it is linked.
        package: the pkg-config package of what `libraries` names, "" for none.
    """

    files: Mapping[str, str]
    objects: Callable[[Path], list[Path]]
    flags: Sequence[str]
    libraries: Sequence[str]
    loads: Sequence[str]
    needs: Sequence[str]
    package: str


def _for_gpus(compiler: Compiler, source: Source, target: Target, march: str | None) -> _Made:
    if march is not None:
        raise CallError(
            f"export: march={march!r} is an option of CPUs, and {source.name} is for GPUs: compile it for "
            "pa.Target('cuda', arch='sm_90') for code of one device",
            "march",
        )
    image = image_text(source, kernel_image(source, target), exported_arch(target))
    files = {**source_files(source), f"{source.name}_image.c": image}
    return _Made(
        files,
        lambda scratch: [launching_object(compiler, source, files, scratch)],
        ("-fPIC",),
        (),
        LOADER_FLAGS,
        LOADER_FLAGS,
        "",
    )


def _for_cpus(compiler: Compiler, source: Source, wrapper: Wrapper | None, target: Target) -> _Made:
    files = _files(source, wrapper)
    blas = blas_for(source, target, compiler, export=True)
    flags = (*compiler.flags(target), *blas.defines)

    def objects(scratch: Path) -> list[Path]:
        if target.march is None and offers_variants(compiler):
            built = merge_objects(
                compiler, variant_objects(compiler, source, flags, scratch), scratch / f"{source.name}.o"
            )
        else:
            built = compile_object(compiler, source_files(source), f"{source.name}.c", flags, scratch)
        if wrapper is None:
            return [built]
        return [built, compile_object(compiler, files, f"{wrapper.name}.c", flags, scratch)]

    needs = [*LINK_FLAGS, *(PARALLEL_FLAGS if target.openmp and compiler.openmp else ())]
    return _Made(files, objects, flags, blas.link, (), needs, blas.package)


def variant_objects(compiler: Compiler, source: Source, flags: Sequence[str], scratch: Path) -> list[Path]:
    """Compile the kernel once for each of `VARIANTS`, and the function that chooses; returns the object files."""

    def compiled(variant: Variant) -> Path:
        folder = scratch / variant.suffix
        folder.mkdir()
        own = (*flags, *variant.flags, *renaming(source.name, variant))
        return compile_object(compiler, files, f"{source.name}.c", own, folder, f"{source.name}_{variant.suffix}")

    files = source_files(source)
    with ThreadPoolExecutor(usable_cores()) as pool:
        objects = list(pool.map(compiled, VARIANTS))
    chooser = f"{source.name}_dispatch"
    files |= {f"{chooser}.c": dispatcher_text(source, VARIANTS)}
    return [compile_object(compiler, files, f"{chooser}.c", flags, scratch), *objects]


def _made(directory: str | os.PathLike[str]) -> Path:
    """The directory that a user named; it exists then."""
    try:
        path = Path(directory)
    except TypeError:
        path = Path("\0")
    if "\0" in str(path):
        raise CallError(f"{directory!r:.60} is no name of a directory", "directory")
    if path.exists() and not path.is_dir():
        raise CallError(f"export: {path} is a file; give a directory", "directory")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise CallError(f"export: cannot make {path}: {problem.strerror}", "directory") from problem
    if not os.access(path, os.W_OK | os.X_OK):
        raise CallError(f"export: {path} cannot be written: permission denied", "directory")
    return path


def _write(directory: Path, texts: Mapping[str, str], libraries: Sequence[Path]) -> tuple[Path, ...]:
    written = []
    try:
        for name, text in texts.items():
            (directory / name).write_text(text, encoding="utf-8")
            written.append(directory / name)
        for path in libraries:
            final = directory / path.name
            # Removed first: a running program may have the old one mapped, and writing into it would crash that.
            final.unlink(missing_ok=True)
            shutil.copyfile(path, final)
            written.append(final)
    except OSError as problem:
        raise CallError(f"export: cannot write to {directory}: {problem.strerror}", "directory") from problem
    return tuple(written)


def _linked(directory: Path, names: LibraryNames) -> Path:
    """Give the shared library the name by which `-l` finds it: a link, or a copy where there are no links."""
    link = directory / names.linked
    try:
        link.unlink(missing_ok=True)
        try:
            link.symlink_to(names.shared)
        except OSError:
            shutil.copyfile(directory / names.shared, link)
    except OSError as problem:
        raise CallError(f"export: cannot write to {directory}: {problem.strerror}", "directory") from problem
    return link
