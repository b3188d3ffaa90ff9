"""Generated C compiled and called, by nothing but a compiler and cffi: the runtime of polyad has tests of its own."""

import ctypes
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cffi
import numpy as np

from polyad.codegen.generate import generate
from polyad.codegen.options import CodegenOptions
from polyad.codegen.source import Source
from polyad.ir.program import Program
from polyad.machine import TINY
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.transforms.passes.initialise import initialise

INCLUDE = Path(__file__).resolve().parents[2] / "polyad_c" / "include"
STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
FLAGS = ("-std=c99", "-O1", "-fopenmp", f"-DPA_PIECE={TINY.piece}", *STRICT)  # threads share short loops, too
COMPILERS = [c for c in ("gcc", "clang") if shutil.which(c)]
_FOLDER = tempfile.TemporaryDirectory(prefix="polyad_codegen_")


def source_of(text: str, options: CodegenOptions | None = None) -> tuple[Program, Source]:
    """The program with identity definitions, and its C under the default schedule of the options' strategies."""
    program = initialise(parse_program(text))
    return program, generated(program, options)


def generated(program: Program, options: CodegenOptions | None = None) -> Source:
    """C under the default schedule of the options' strategies."""
    options = options or CodegenOptions()
    return generate(program, default_schedule(program, options.strategies), options)


def compile_only(text: str, compiler: str, flags: Sequence[str], suffix: str = ".c", link: bool = True) -> Path:
    """A shared library, or an object file of it; a compiler's complaint fails the test."""
    how = ["-shared"] if link else ["-c"] if "-fsyntax-only" not in flags else []
    key = hashlib.sha256("\0".join([text, compiler, suffix, *flags, *how]).encode()).hexdigest()[:24]
    path = Path(_FOLDER.name) / f"{key}{suffix}"
    library = path.with_suffix(f"{suffix}.so")
    if not library.exists():
        path.write_text(text, encoding="utf-8")
        libraries = ["-lm"] if link else []
        command = [compiler, *flags, f"-I{INCLUDE}", "-fPIC", *how, "-o", str(library), str(path), *libraries]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}\n{text}"
    return library


@cache
def _interface(cdef: str) -> cffi.FFI:
    ffi = cffi.FFI()
    ffi.cdef(cdef)
    return ffi


class Library:
    """A compiled source."""

    def __init__(self, source: Source, compiler: str = "gcc", flags: Sequence[str] = FLAGS):
        self.source = source
        self.ffi = _interface(source.cdef)
        self.path = compile_only(source.c, compiler, flags)
        self.library: Any = self.ffi.dlopen(str(self.path))

    def sizes(self, sizes: Mapping[str, int]) -> Any:
        """The C struct."""
        struct = self.ffi.new(f"{self.source.name}_sizes *")
        for name, member in zip(self.source.sizes, self.source.size_members, strict=False):
            setattr(struct, member, sizes[name])
        return struct

    def workspace_bytes(self, sizes: Mapping[str, int]) -> int:
        """Return the number that the C function says."""
        return int(getattr(self.library, f"{self.source.name}_workspace")(self.sizes(sizes)))

    @property
    def threads(self) -> int:
        """How many threads may run."""
        return int(getattr(ctypes.CDLL(str(self.path)), "omp_get_max_threads", lambda: 1)())

    def call(self, sizes: Mapping[str, int], arrays: Mapping[str, np.ndarray]) -> int:
        """The status of a call with all arguments given; the workspace holds nan, and what lies behind it is kept."""
        bytes_needed = self.workspace_bytes(sizes)
        buffer = np.full(bytes_needed + 128, 0xFF, np.uint8)
        start = -buffer.ctypes.data % 64
        pointers = [self.ffi.cast(f"{_C[a.dtype]} *", arrays[a.name].ctypes.data) for a in self.source.arguments]
        workspace = self.ffi.cast("void *", buffer.ctypes.data + start)
        function = getattr(self.library, self.source.name)
        status = int(function(self.sizes(sizes), *pointers, workspace, bytes_needed))
        assert (buffer[start + bytes_needed :] == 0xFF).all(), "written behind the workspace"
        return status

    def run(self, sizes: Mapping[str, int], inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The outputs, which start as nan."""
        arrays = dict(inputs)
        for a in self.source.arguments:
            if a.is_output:
                shape = tuple(e.evaluate(sizes) for e in a.shape)
                arrays[a.name] = np.full(shape, np.nan if a.dtype.startswith("float") else -77, a.dtype)
        status = self.call(sizes, arrays)
        assert status == 0, f"status {status}"
        return {a.name: arrays[a.name] for a in self.source.arguments if a.is_output}


_C = {"float32": "float", "float64": "double", "int32": "int32_t", "int64": "int64_t"}
