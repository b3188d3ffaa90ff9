"""NVIDIA's compilers: nvcc of a toolkit, or NVRTC, which is one library. Either makes machine code or PTX of a text."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cffi

from polyad.errors import CompileError
from polyad.runtime.compiler import UnusableCompiler
from polyad.runtime.run_tool import run_tool, scratch_directory

__all__ = ["FLAGS", "CudaCompiler", "find_cuda_compiler"]

FLAGS = ("-std=c++17",)
"""Of both. Each operation is rounded as IEEE 754 says; products and sums are fused, as the C compiler does."""

HOW_TO_GET_ONE = "pip install nvidia-cuda-nvrtc (142 MB), or install the CUDA toolkit and put nvcc on PATH"

_TOOLKITS = ("CUDA_HOME", "CUDA_PATH")
_WHEELS = ("nvidia.cu13", "nvidia.cuda_nvrtc", "nvidia.cu12")
_NVRTC = "libnvrtc.so"


@dataclass(frozen=True, slots=True)
class CudaCompiler:
    """A compiler that was found.

    Attributes:
        path: of nvcc, or of NVRTC's library.
        version: as it says.
        library: it is NVRTC.
    """

    path: Path
    version: str
    library: bool

    @property
    def identity(self) -> str:
        """Text that changes when another version stands at that path."""
        status = self.path.resolve().stat()
        return f"{self.path} {self.version} {status.st_mtime_ns} {status.st_size}"

    def image(self, files: Mapping[str, str], main: str, arch: str, flags: Sequence[str]) -> bytes:
        """Compile a text: machine code for "sm_90", PTX for "compute_80".

        Args:
            files: file name -> text, the headers included.
            main: the name of the text.
            arch: what for.
            flags: further arguments.

        Raises:
            CompileError: it failed; carries what it printed.
        """
        if self.library:
            return _by_nvrtc(self.path, files, main, arch, flags)
        with scratch_directory() as scratch:
            for name, text in files.items():
                (scratch / name).write_text(text, encoding="utf-8")
            kind, output = ("-ptx", "out.ptx") if arch.startswith("compute_") else ("-cubin", "out.cubin")
            run_tool(
                [str(self.path), *FLAGS, f"-arch={arch}", kind, *flags, "-I", str(scratch), "-o", output, main], scratch
            )
            return (scratch / output).read_bytes()


def find_cuda_compiler() -> CudaCompiler:
    """Nvcc on PATH or in CUDA_HOME, else NVRTC in a toolkit or in NVIDIA's wheels.

    Raises:
        UnusableCompiler: there is none; says where it was looked for.
    """
    return _find(os.environ.get("PATH", ""), *(os.environ.get(name, "") for name in _TOOLKITS))


@cache
def _find(path: str, *toolkits: str) -> CudaCompiler:
    folders = [Path(t) for t in toolkits if t]
    looked = os.pathsep.join([path, *(str(t / "bin") for t in folders)])
    nvcc = shutil.which("nvcc", path=looked)
    if nvcc is not None:
        words = run_tool([nvcc, "--version"]).split("release ")[-1].split(",")[0]
        return CudaCompiler(Path(nvcc), words, library=False)
    places = [*(t / sub for t in folders for sub in ("lib64", "lib")), *_wheel_folders()]
    for folder in places:
        for library in sorted(folder.glob(f"{_NVRTC}*"), reverse=True):
            try:
                return CudaCompiler(library, _nvrtc_version(library), library=True)
            except OSError:
                continue
    try:
        return CudaCompiler(Path(_NVRTC), _nvrtc_version(Path(_NVRTC)), library=True)
    except OSError:
        pass
    where = ", ".join(map(str, places)) or "NVIDIA's wheels"
    raise UnusableCompiler(
        f"target='cuda' needs one of NVIDIA's compilers: nvcc was not found on PATH, nor by {' or '.join(_TOOLKITS)}; "
        f"{_NVRTC} (NVRTC) was not found in {where}, nor where the system looks for libraries: {HOW_TO_GET_ONE}",
        "nvcc",
    )


def _wheel_folders() -> Iterator[Path]:
    """The folders in which NVIDIA's wheels have their libraries."""
    for name in _WHEELS:
        try:
            spec = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            continue
        for place in (spec.submodule_search_locations or ()) if spec is not None else ():
            yield Path(place) / "lib"


_NVRTC_FUNCTIONS = """
int nvrtcVersion(int *major, int *minor);
const char *nvrtcGetErrorString(int error);
int nvrtcCreateProgram(void **program, const char *text, const char *name, int headers, const char **texts,
                       const char **names);
int nvrtcCompileProgram(void *program, int options, const char **texts);
int nvrtcDestroyProgram(void **program);
int nvrtcGetProgramLogSize(void *program, size_t *size);
int nvrtcGetProgramLog(void *program, char *log);
int nvrtcGetPTXSize(void *program, size_t *size);
int nvrtcGetPTX(void *program, char *image);
int nvrtcGetCUBINSize(void *program, size_t *size);
int nvrtcGetCUBIN(void *program, char *image);
"""


@cache
def _nvrtc(path: Path) -> tuple[cffi.FFI, Any]:
    ffi = cffi.FFI()
    ffi.cdef(_NVRTC_FUNCTIONS)
    return ffi, ffi.dlopen(str(path))


def _nvrtc_version(path: Path) -> str:
    ffi, library = _nvrtc(path)
    major, minor = ffi.new("int *"), ffi.new("int *")
    library.nvrtcVersion(major, minor)
    return f"{major[0]}.{minor[0]}"


def _by_nvrtc(path: Path, files: Mapping[str, str], main: str, arch: str, flags: Sequence[str]) -> bytes:
    ffi, library = _nvrtc(path)

    def texts(values: Sequence[str]) -> tuple[Any, list[Any]]:
        held = [ffi.new("char[]", v.encode()) for v in values]
        return ffi.new("const char *[]", held), held

    def read(size_of: Any, read_into: Any) -> bytes:
        size = ffi.new("size_t *")
        size_of(program[0], size)
        found = ffi.new("char[]", max(int(size[0]), 1))
        read_into(program[0], found)
        return bytes(ffi.buffer(found, int(size[0])))

    headers = [name for name in files if name != main]
    bodies, _bodies = texts([files[name] for name in headers])
    names, _names = texts(headers)
    program = ffi.new("void **")
    code = library.nvrtcCreateProgram(program, files[main].encode(), main.encode(), len(headers), bodies, names)
    if code == 0:
        options = [*FLAGS, f"-arch={arch}", "-default-device", *flags]
        spelled, _spelled = texts(options)
        code = library.nvrtcCompileProgram(program[0], len(options), spelled)
        shown = f"NVRTC {' '.join(options)} {main}"
        log = read(library.nvrtcGetProgramLogSize, library.nvrtcGetProgramLog).decode(errors="replace").strip("\0 \n")
    else:
        shown, log = "NVRTC", ""
    try:
        if code:
            found: Any = ffi.string(library.nvrtcGetErrorString(code))
            why = found.decode(errors="replace")
            raise CompileError(f"NVRTC failed ({why}):\n  {shown}\n{log}", shown, log)
        if arch.startswith("compute_"):
            return read(library.nvrtcGetPTXSize, library.nvrtcGetPTX)
        return read(library.nvrtcGetCUBINSize, library.nvrtcGetCUBIN)
    finally:
        library.nvrtcDestroyProgram(program)
