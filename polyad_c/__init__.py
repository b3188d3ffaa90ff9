"""The C side of polyad: the header that every generated C file includes."""

from pathlib import Path

__all__ = ["include_dir", "runtime_header"]


def include_dir() -> Path:
    """Return the directory to pass to a C compiler as `-I`."""
    return Path(__file__).resolve().parent / "include"


def runtime_header() -> str:
    """Return the text of `polyad_runtime.h`, which an export copies beside the generated file."""
    return (include_dir() / "polyad_runtime.h").read_text(encoding="utf-8")
