"""The C compiler: finding it, knowing what it can do, running it."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from polyad.errors import CompileError
from polyad.runtime.cache import digest, open_cache
from polyad.runtime.progress import stage
from polyad.runtime.run_tool import run_tool, scratch_directory
from polyad.targets import Target, compile_flags
from polyad.targets.flags import LINK_FLAGS, NO_ALIAS_VERSIONS
from polyad.targets.variants import VARIANTS

__all__ = [
    "CANDIDATES",
    "HOW_TO_GET_A_COMPILER",
    "HOW_TO_GET_OPENMP",
    "Compiler",
    "UnusableCompiler",
    "archive",
    "compile_object",
    "describe_compiler",
    "find_compiler",
    "link_shared",
    "merge_objects",
    "offers_variants",
    "works",
]

CANDIDATES = ("gcc", "clang", "cc")
"""Tried in this order when CC is not set."""

HOW_TO_GET_A_COMPILER = (
    "install one (Debian, Ubuntu: apt install gcc; Fedora: dnf install gcc; macOS: xcode-select --install), "
    "or set CC to a C compiler"
)
HOW_TO_GET_OPENMP = (
    "kernels run on one core; install the compiler's OpenMP library (Debian, Ubuntu: apt install libomp-dev for clang; "
    "Fedora: dnf install libomp-devel; macOS: brew install libomp, or brew install gcc and set CC), or use gcc"
)

_OPENMP_TEST = """#include <omp.h>
int polyad_probe(void);
int polyad_probe(void)
{
    int n = 0;
#pragma omp parallel for reduction(+ : n)
    for (int i = 0; i < 4; ++i)
        n += omp_get_num_threads();
    return n;
}
"""
_PLAIN_TEST = "int polyad_probe(void);\nint polyad_probe(void) { return 0; }\n"


class UnusableCompiler(CompileError):
    """No kernel at all can be compiled and run here: no compiler, one that does not work, or one for other machines."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler that was found and tried.

    Attributes:
        command: its full path, and the arguments that CC gave.
        version: the first line of `--version`.
        openmp: whether -fopenmp compiles and links.
        native_flag: its spelling of "the CPU of this machine", "" when it has none.
        identity: text that changes when another compiler, or another version of it, stands at that path.
        versions: whether it can be told not to decide at run time whether a loop may be vectorised.
        shared: whether it links shared libraries; those for machines without a system do not.
    """

    command: tuple[str, ...]
    version: str
    openmp: bool
    native_flag: str
    identity: str
    versions: bool = False
    shared: bool = True

    def flags(self, target: Target) -> tuple[str, ...]:
        """The compiler arguments for a target."""
        careful = (NO_ALIAS_VERSIONS,) if self.versions else ()
        return (*careful, *compile_flags(target, self.openmp, self.native_flag))


def find_compiler() -> Compiler:
    """The compiler named by CC (with its arguments), else the first of `CANDIDATES` on the path.

    Raises:
        UnusableCompiler: CC names something that does not exist or does not compile, or there is no compiler at all.
    """
    return _find(os.environ.get("CC", "").strip(), os.environ.get("PATH", ""))


@lru_cache(maxsize=16)
def _find(cc: str, path: str) -> Compiler:
    if cc:
        try:
            command = shlex.split(cc)
        except ValueError as problem:  # a quotation mark that is not closed
            raise UnusableCompiler(
                f"CC={cc!r} cannot be read as a command ({problem}); unset CC, or set it to a C compiler", cc
            ) from None
        found = shutil.which(command[0], path=path)
        if found is None:
            raise UnusableCompiler(
                f"CC={cc!r}: there is no command {command[0]!r}; unset CC, or set it to a C compiler", cc
            )
        return describe_compiler((found, *command[1:]))
    for name in CANDIDATES:
        found = shutil.which(name, path=path)
        if found is not None:
            return describe_compiler((found,))
    raise UnusableCompiler(f"no C compiler was found (looked for {', '.join(CANDIDATES)}): {HOW_TO_GET_A_COMPILER}")


_KNOWN = {"version": str, "openmp": bool, "native_flag": str, "versions": bool, "shared": bool}


@lru_cache(maxsize=16)
def describe_compiler(command: tuple[str, ...]) -> Compiler:
    """Try what a compiler can do; the answers are kept on disk until the compiler's file changes.

    Args:
        command: the full path of the compiler and arguments that always go with it.

    Raises:
        UnusableCompiler: it cannot compile the simplest C function.
    """
    try:
        program = Path(command[0]).resolve()
        status = program.stat()
    except OSError as problem:
        raise UnusableCompiler(f"the compiler {command[0]} cannot be looked at: {problem}", command[0]) from problem
    # What the environment adds to a compiler's search paths may make OpenMP appear or vanish.
    surroundings = [os.environ.get(name, "") for name in ("CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "SDKROOT")]
    key = digest(*command, str(program), str(status.st_mtime_ns), str(status.st_size), *surroundings)
    cache = open_cache()
    known = cache.load("probes", key, _KNOWN)
    if known is None:
        shared = works(command, _PLAIN_TEST, ())
        try:
            _try(command, _PLAIN_TEST, (), shared=shared)
        except CompileError as problem:
            raise UnusableCompiler(str(problem), problem.command, problem.output) from problem
        known = {
            "version": _version(command),
            "openmp": works(command, _OPENMP_TEST, ("-fopenmp",)),
            "native_flag": next(
                (f for f in ("-march=native", "-mcpu=native") if works(command, _PLAIN_TEST, ("-Werror", f))), ""
            ),
            "versions": works(command, _PLAIN_TEST, ("-Werror", NO_ALIAS_VERSIONS), shared=shared),
            "shared": shared,
        }
        cache.store("probes", key, known)
    identity = f"{key} {known['version']}"
    return Compiler(command, identity=identity, **known)


def _version(command: Sequence[str]) -> str:
    try:
        return (run_tool([*command, "--version"]).splitlines() or [""])[0] or "unknown version"
    except CompileError:
        return "unknown version"


def _try(
    command: Sequence[str], text: str, flags: Sequence[str], libraries: Sequence[str] = (), shared: bool = True
) -> None:
    with scratch_directory() as scratch:
        source = scratch / "probe.c"
        source.write_text(text, encoding="utf-8")
        output = ["-fPIC", "-shared" if shared else "-c", "-o", str(source.with_suffix(".so"))]
        run_tool([*command, *flags, *output, str(source), *libraries], scratch)
        if not source.with_suffix(".so").exists():  # `true`, or a wrapper that forgets what failed
            what = f"{command[0]} ended well and wrote no file: it is no C compiler; unset CC, or set it to one"
            raise CompileError(what, shlex.join(command))


def works(
    command: Sequence[str], text: str, flags: Sequence[str], libraries: Sequence[str] = (), shared: bool = True
) -> bool:
    """Whether a compiler makes a shared library of a C text, or an object file."""
    try:
        _try(command, text, flags, libraries, shared)
    except CompileError:
        return False
    return True


def offers_variants(compiler: Compiler) -> bool:
    """Whether it compiles for processors that `VARIANTS` is about, and code that asks for their features.

    The answer is kept on disk, as those of `describe_compiler` are.
    """
    asked = " && ".join(f'__builtin_cpu_supports("{f}")' for f in VARIANTS[0].features)
    text = (
        f"#ifndef __x86_64__\n#error\n#endif\nint polyad_probe(void);\nint polyad_probe(void) {{ return {asked}; }}\n"
    )
    key = digest("variants", compiler.identity, *compiler.command, text)
    cache = open_cache()
    known = cache.load("probes", key, {"variants": bool})
    if known is None:
        known = {"variants": works(compiler.command, text, ("-Werror", *VARIANTS[0].flags))}
        cache.store("probes", key, known)
    return bool(known["variants"])


def compile_object(
    compiler: Compiler, files: Mapping[str, str], main: str, flags: Sequence[str], directory: Path, name: str = ""
) -> Path:
    """Compile one C file to an object file.

    Args:
        compiler: what to run.
        files: file name -> text, the C file and the headers beside it.
        main: the name of the C file in `files`.
        flags: compiler arguments.
        directory: an existing folder that is private to this call; all files are written there.
        name: of the object file; that of the C file when not given.

    Returns:
        The object file.

    Raises:
        CompileError: carries the command and what the compiler printed.
    """
    for file, text in files.items():
        (directory / file).write_text(text, encoding="utf-8")
    built = directory / f"{name or Path(main).stem}.o"
    with stage(built.stem, "compiling C", f"compiling {main} with {Path(compiler.command[0]).name}"):
        run_tool([*compiler.command, *flags, "-I", ".", "-c", "-o", built.name, main], directory)
    return built


def link_shared(
    compiler: Compiler, objects: Sequence[Path], flags: Sequence[str], output: Path, libraries: Sequence[str] = ()
) -> Path:
    """Link object files, and `libraries` that they need, to a shared library whose soname is the name of its file.

    Raises:
        CompileError: carries the command and what the linker printed.
    """
    if not compiler.shared:
        raise UnusableCompiler(
            f"{compiler.command[0]} links no shared libraries: it is for a machine without a system, and nothing of it "
            "runs here; kernel.export writes object files with it, and without CC= kernels run on this machine",
            shlex.join(compiler.command),
        )
    names = [str(path) for path in objects]
    # Found again by its name where it was moved to, not by the folder in which it was linked.
    name = f"-install_name,@rpath/{output.name}" if os.uname().sysname == "Darwin" else f"-soname,{output.name}"
    soname = (f"-Wl,{name}",)
    needed = [*names, *libraries, *LINK_FLAGS]
    with stage(output.stem, "compiling C", f"linking {output.name}"):
        run_tool([*compiler.command, *flags, "-shared", *soname, "-o", str(output), *needed], output.parent)
    return output


def merge_objects(compiler: Compiler, objects: Sequence[Path], output: Path) -> Path:
    """Link object files to one in which only symbols of default visibility can be seen from outside.

    Raises:
        CompileError: carries the command and what the linker printed.
    """
    run_tool([*compiler.command, "-r", "-nostdlib", "-o", str(output), *(str(path) for path in objects)], output.parent)
    tool = shutil.which(os.environ.get("OBJCOPY", "objcopy"))
    if tool is not None:  # else hidden symbols still link, and only clutter lists of symbols
        run_tool([tool, "--localize-hidden", str(output)], output.parent)
    return output


def archive(objects: Sequence[Path], output: Path) -> Path:
    """Put object files into a static library, the same bytes each time.

    Raises:
        CompileError: there is no `ar`, or it failed.
    """
    tool = shutil.which(os.environ.get("AR", "ar"))
    if tool is None:
        raise CompileError("no 'ar' was found, which makes static libraries: it comes with binutils, as gcc does")
    deterministic = "rcsD" if "GNU" in _ar_version(tool) else "rcs"
    output.unlink(missing_ok=True)
    run_tool([tool, deterministic, str(output), *(str(path) for path in objects)], output.parent)
    return output


@lru_cache(maxsize=4)
def _ar_version(tool: str) -> str:
    try:
        return run_tool([tool, "--version"])
    except CompileError:  # that of macOS knows no such option
        return ""
