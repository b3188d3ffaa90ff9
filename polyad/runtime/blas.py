"""Finding a BLAS library: by pkg-config, by the linker, in Python packages; whatever links is taken."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from polyad.codegen.source import Source
from polyad.errors import CompileError
from polyad.runtime.compiler import Compiler, works
from polyad.targets import Target
from polyad.targets.blas import BLAS, BlasLibrary

__all__ = ["NO_BLAS", "Blas", "blas_for", "find_blas"]

# How builds of OpenBLAS spell cblas_sgemm, with the type of their integers.
_SPELLINGS = (
    ("cblas_##name", "int32_t"),
    ("scipy_cblas_##name", "int32_t"),
    ("scipy_cblas_##name##64_", "int64_t"),
    ("cblas_##name##64_", "int64_t"),
)


@dataclass(frozen=True, slots=True)
class Blas:
    """A library that was found and linked.

    Attributes:
        where: what was found, for people.
        defines: compiler arguments under which polyad_contraction.h calls it.
        link: linker arguments.
        package: of pkg-config, "" when it was found otherwise.
    """

    where: str
    defines: tuple[str, ...]
    link: tuple[str, ...]
    package: str = ""


NO_BLAS = Blas("", (), ())
"""What a kernel needs that calls none."""


@dataclass(frozen=True, slots=True)
class _Place:
    where: str
    link: tuple[str, ...]
    package: str = ""


def blas_for(source: Source, target: Target, compiler: Compiler, export: bool = False) -> Blas:
    """The library that the code of a kernel calls: none where it has no contraction, or the target names none.

    Raises:
        CompileError: the target's library was not found.
    """
    if target.blas is None or '"polyad_contraction.h"' not in source.c:
        return NO_BLAS
    return find_blas(target.blas, compiler, export)


def find_blas(name: str, compiler: Compiler, export: bool = False) -> Blas:
    """Look for a library.

    Args:
        name: a name of `BLAS`.
        compiler: what links with it.
        export: for a library that leaves this machine: what lies in Python packages does not count.

    Raises:
        CompileError: there is none; the message says how to get it.
    """
    library = BLAS[name]
    surroundings = tuple(os.environ.get(n, "") for n in ("PATH", "PKG_CONFIG_PATH", "LIBRARY_PATH"))
    found = _find(library, compiler, export, surroundings)
    if found is None:
        looked = "pkg-config and the linker" if export else "pkg-config, the linker and Python packages"
        raise CompileError(f"blas={name!r}: no such library was found by {looked}: {library.cure}")
    return found


@lru_cache(maxsize=16)
def _find(library: BlasLibrary, compiler: Compiler, export: bool, surroundings: tuple[str, ...]) -> Blas | None:
    """`surroundings`: of the environment, where other answers may come from."""
    for place in _places(library, export):
        for spelling, integer in _SPELLINGS:
            probe = (
                f"#define NAME(name) {spelling}\nvoid NAME(sgemm)(void);\nvoid NAME(dgemm)(void);\n"
                "int main(void) { NAME(sgemm)(); NAME(dgemm)(); return 0; }\n"
            )
            if works(compiler.command, probe, ("-Wl,--no-undefined",) if _gnu() else (), place.link):
                defines = (f"-DPA_BLAS(name)={spelling}", f"-DPA_BLAS_INT={integer}")
                return Blas(place.where, defines, place.link, place.package)
    return None


def _search(folders: Iterable[str]) -> tuple[str, ...]:
    """Lets a library that runs here find at run time what the linker found in these folders."""
    return tuple(f"-Wl,-rpath,{Path(folder).resolve()}" for folder in folders)


def _gnu() -> bool:
    return os.uname().sysname == "Linux"


def _asked(tool: str, package: str) -> list[str]:
    """The linker arguments that pkg-config gives for a package, none where it knows of none."""
    try:
        asked = subprocess.run([tool, "--libs", package], capture_output=True, text=True, check=False, timeout=60)
        return shlex.split(asked.stdout) if asked.returncode == 0 else []
    except (OSError, subprocess.SubprocessError, ValueError):  # it does not run, hangs, or prints something else
        return []


def _places(library: BlasLibrary, export: bool) -> Iterator[_Place]:
    tool = shutil.which("pkg-config")
    if tool is not None:
        link = _asked(tool, library.package)
        if link:
            folders = () if export else [f[2:] for f in link if f.startswith("-L")]
            yield _Place(f"{library.name} (pkg-config)", (*link, *_search(folders)), library.package)
    folders = () if export else [f for f in os.environ.get("LIBRARY_PATH", "").split(os.pathsep) if f]
    yield _Place(f"{library.name} ({library.link})", (library.link, *_search(folders)))
    if not export:
        for package, pattern in library.wheels:
            spec = importlib.util.find_spec(package)
            if spec is None or spec.origin is None:
                continue
            for path in sorted(Path(spec.origin).resolve().parent.glob(pattern)):
                file = path.resolve()
                yield _Place(str(file), (str(file), *_search([str(file.parent)])))
