"""A report of what polyad finds on this machine, what is missing, and how to get it."""

from __future__ import annotations

import ctypes
import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from polyad._version import __version__
from polyad.errors import CallError, CompileError
from polyad.measure.measured_machine import find_measured
from polyad.runtime.cache import open_cache
from polyad.runtime.compiler import (
    CANDIDATES,
    HOW_TO_GET_A_COMPILER,
    HOW_TO_GET_OPENMP,
    Compiler,
    compile_object,
    describe_compiler,
    find_compiler,
    link_shared,
)
from polyad.runtime.cpu import this_cpu, usable_cores
from polyad.runtime.cuda.compilers import find_cuda_compiler
from polyad.runtime.cuda.driver import find_driver
from polyad.runtime.run_tool import scratch_directory
from polyad.targets import TARGETS

__all__ = ["Finding", "can_run", "diagnose", "report"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    Attributes:
        what: the thing looked for.
        found: what was found, "" when it is missing.
        cure: what its absence means and how to get it; "" when nothing is to be done.
        needed: whether polyad cannot run kernels without it.
    """

    what: str
    found: str
    cure: str = ""
    needed: bool = False

    @property
    def mark(self) -> str:
        """One word: ok, missing (needed), or absent (optional)."""
        if self.found:
            return "ok"
        return "missing" if self.needed else "absent"


def diagnose(*further: Finding) -> list[Finding]:
    """Look at everything once.

    Args:
        further: what parts of polyad found that this module may not ask.
    """
    return [*_python(), *_compilers(), *_machine(), *_cache(), *_targets(), *further, *_optional()]


def can_run(findings: Sequence[Finding]) -> bool:
    """Whether nothing is missing that kernels need."""
    return all(f.mark != "missing" for f in findings)


def report(findings: Sequence[Finding]) -> str:
    """The findings as a table, one line each, a cure on the line below."""
    width = max(len(f.what) for f in findings)
    lines = []
    for f in findings:
        lines.append(f"{f.mark:<8}{f.what:<{width}}  {f.found or 'not found'}".rstrip())
        if f.cure:
            lines.append(f"{'':<8}{'':<{width}}  -> {f.cure}")
    missing = [f.what for f in findings if f.mark == "missing"]
    lines.append("")
    lines.append(f"polyad cannot run kernels here: {', '.join(missing)}" if missing else "polyad can run kernels here")
    return "\n".join(lines) + "\n"


def _python() -> Iterator[Finding]:
    yield Finding("polyad", __version__)
    yield Finding("python", f"{platform.python_version()} ({sys.executable})")
    for name in ("islpy", "numpy", "cffi", "optree"):
        found = _installed(name)
        yield Finding(name, found, "" if found else f"pip install {name}", needed=True)


def _compilers() -> Iterator[Finding]:
    try:
        chosen = find_compiler()
    except CompileError as problem:
        yield Finding("C compiler", "", " ".join(str(problem).split()) or HOW_TO_GET_A_COMPILER, needed=True)
        return
    origin = "from CC" if os.environ.get("CC", "").strip() else "used"
    yield _compiler_line("C compiler", chosen, origin)
    yield Finding(
        "OpenMP",
        f"works with {chosen.command[0]}" if chosen.openmp else "",
        "" if chosen.openmp else HOW_TO_GET_OPENMP,
    )
    refused = _refused(chosen)
    yield Finding("compiled code", "" if refused else "runs here", refused, needed=True)
    yield Finding("this CPU's flag", chosen.native_flag or "none: code is for any CPU of the architecture")
    for name in CANDIDATES:
        path = shutil.which(name)
        if path is not None and path != chosen.command[0]:
            try:
                yield _compiler_line(f"also {name}", describe_compiler((path,)), "set CC to use it")
            except CompileError:
                yield Finding(f"also {name}", f"{path}, which does not compile")
    archiver = shutil.which(os.environ.get("AR", "ar"))
    yield Finding("ar", archiver or "", "" if archiver else "for static libraries in exports; comes with binutils")


def _refused(compiler: Compiler) -> str:
    """Why a library that the compiler makes cannot be loaded, "" where it can: it may be for another machine."""
    text = "int polyad_probe(void);\nint polyad_probe(void) { return 42; }\n"
    try:
        with scratch_directory() as scratch:
            built = compile_object(compiler, {"probe.c": text}, "probe.c", ("-fPIC",), scratch)
            library = link_shared(compiler, [built], (), scratch / "probe.so")
            try:
                ctypes.CDLL(str(library))
            except OSError as problem:
                return f"{problem}; is {compiler.command[0]} for this machine? Set CC to another one"
    except CompileError as problem:
        return " ".join(str(problem).split())
    return ""


def _compiler_line(what: str, compiler: Compiler, remark: str) -> Finding:
    openmp = "OpenMP" if compiler.openmp else "no OpenMP"
    return Finding(what, f"{' '.join(compiler.command)}: {compiler.version} ({openmp}; {remark})")


def _machine() -> Iterator[Finding]:
    cpu = this_cpu()
    features = ", ".join(cpu.vector_features) or "no vector instructions known"
    yield Finding("CPU", f"{cpu.architecture} {cpu.model}: {features}")
    asked = os.environ.get("OMP_NUM_THREADS")
    cores = usable_cores()
    yield Finding("threads", f"{asked} (OMP_NUM_THREADS), {cores} cores" if asked else f"{cores}, one a core")
    try:
        measured = find_measured(find_compiler()) is not None
    except CompileError:
        measured = False
    yield Finding(
        "measured machine",
        "used by kernels with Target(machine=polyad.measured_machine())" if measured else "",
        "" if measured else "not needed; `python -m polyad.machine` measures caches and threads",
    )


def _cache() -> Iterator[Finding]:
    cache = open_cache()
    size, records = cache.size()
    if cache.persistent:
        yield Finding("cache", f"{cache.directory}: {records} records, {size / 1e6:.1f} MB")
    else:
        yield Finding(
            "cache",
            "",
            "the directory cannot be used (see the warning), so each process compiles its kernels anew; set "
            "POLYAD_CACHE_DIR to one that is yours alone",
        )


def _targets() -> Iterator[Finding]:
    for backend in TARGETS.values():
        name = f"target {backend.name}"
        if not backend.missing:
            yield Finding(name, backend.summary)
    try:
        compiler = find_cuda_compiler()
        yield Finding("CUDA compiler", f"{compiler.path}: {'NVRTC' if compiler.library else 'nvcc'} {compiler.version}")
    except CompileError as problem:
        yield Finding("CUDA compiler", "", str(problem))
    try:
        device = find_driver()
        known = f"{device.version // 1000}.{device.version % 1000 // 10}"
        yield Finding("GPU", f"{device.name}, sm_{device.arch}, whose driver knows CUDA {known}")
    except CallError as problem:
        yield Finding("GPU", "", str(problem))


def _optional() -> Iterator[Finding]:
    torch = _installed("torch")
    yield Finding(
        "torch", torch, "" if torch else "compared with in tests and benchmarks only: pip install 'polyad[torch]'"
    )
    for tool, use, package in (
        ("cmake", "builds C projects that use exported kernels", "cmake"),
        ("pkg-config", "finds exported kernels for C projects", "pkg-config"),
    ):
        path = shutil.which(tool)
        cure = f"{use}: apt install {package}, dnf install {package} or brew install {package}"
        yield Finding(tool, f"{path}: {_tool_version(path)}" if path else "", "" if path else cure)


def _installed(distribution: str) -> str:
    """The version of an installed distribution, "" when it is not there; it is not imported."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _tool_version(path: str | Path) -> str:
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return "does not run"
    return (done.stdout.splitlines() or [""])[0]
