"""The C side of polyad: the headers that generated C files include."""

from pathlib import Path

__all__ = ["CUDA_HEADERS", "HEADERS", "HOST_HEADERS", "header", "include_dir", "runtime_header"]

HEADERS = ("polyad_runtime.h", "polyad_contraction.h")
"""The first one is included by every generated C file, the other where it is used."""

CUDA_HEADERS = (
    "polyad_cuda.h",
    "polyad_cuda_scans.h",
    "polyad_cuda_teams.h",
    "polyad_cuda_tiles.h",
    "polyad_runtime.h",
)
"""Those of generated CUDA C++: the first one is included by every file, and includes the others."""


HOST_HEADERS = ("polyad_driver.h", "polyad_runtime.h")
"""Those of the C that launches kernels on a GPU, in the same way."""


def include_dir() -> Path:
    """Return the directory to pass to a C compiler as `-I`."""
    return Path(__file__).resolve().parent / "include"


def header(name: str) -> str:
    """Return the text of one of the headers, which an export copies beside the generated file."""
    return (include_dir() / name).read_text(encoding="utf-8")


def runtime_header() -> str:
    """Return the text of `polyad_runtime.h`, which an export copies beside the generated file."""
    return header("polyad_runtime.h")
