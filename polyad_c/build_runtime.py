"""Compile the functions of `polyad_runtime.h` as loops over arrays, so that Python can test them.

The loops are what generated code looks like (`PA_SIMD`, restrict pointers), so the vectorised form is tested, not a
scalar twin. For an operation `exp` and type `f32` the module's `lib` holds

    void pa_vec_exp_f32(const float *a, float *y, int64_t n);                        y[i] = pa_exp_f32(a[i])
    void pa_vec_pow_f32(const float *a, const float *b, float *y, int64_t n);        y[i] = pa_pow_f32(a[i], b[i])

This file is also run by setuptools, without its package on the path: it imports nothing of polyad.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cffi import FFI

INCLUDE_DIR = Path(__file__).resolve().parent / "include"

TYPES = {"f32": "float", "f64": "double", "i32": "int32_t", "i64": "int64_t", "u32": "uint32_t"}

_FUNCTION = re.compile(r"^PA_INLINE (\w+) pa_(\w+)_([fiu]\d\d)\((\w+) \w+(?:, (\w+) \w+)?\)", re.MULTILINE)

RECOMMENDED_FLAGS = ("-O3", "-fno-math-errno", "-fno-trapping-math")
"""What generated code should be compiled with, apart from OpenMP and the machine's instruction set."""


class Loop(NamedTuple):
    """One array function: y[i] = pa_<operation>_<suffix>(a[i], ...), with elements of the type `result`."""

    operation: str
    suffix: str
    element: str
    result: str
    arity: int

    def prototype(self, restrict: str = "") -> str:
        """Spell the declaration, for cffi (no qualifier) or for C."""
        arrays = ", ".join(f"const {self.element} *{restrict}{name}" for name in "ab"[: self.arity])
        name = f"pa_vec_{self.operation}_{self.suffix}"
        return f"void {name}({arrays}, {self.result} *{restrict}y, int64_t n)"

    def definition(self) -> str:
        """Spell the C function."""
        arguments = ", ".join(f"{name}[i]" for name in "ab"[: self.arity])
        call = f"pa_{self.operation}_{self.suffix}({arguments})"
        return (
            f"{self.prototype('PA_RESTRICT ')}\n{{\n    PA_SIMD\n"
            f"    for (int64_t i = 0; i < n; ++i)\n        y[i] = {call};\n}}\n"
        )


def loops(header: str | None = None) -> Iterator[Loop]:
    """List the array functions: one for each function of numbers of one type, in the order of the header.

    Args:
        header: its text, that of `polyad_runtime.h` if it is not given.
    """
    text = (INCLUDE_DIR / "polyad_runtime.h").read_text(encoding="utf-8") if header is None else header
    seen = set()
    for result, operation, suffix, *arguments in _FUNCTION.findall(text):
        given = [a for a in arguments if a]
        # The header may define a function twice, for different compilers.
        element = TYPES.get(suffix, "")
        if set(given) == {element} and result in (element, "int") and (operation, suffix) not in seen:
            seen.add((operation, suffix))
            yield Loop(operation, suffix, element, result, len(given))


def make_ffibuilder(module_name: str, extra_flags: Sequence[str] = ()) -> FFI:
    """Describe the extension module to cffi.

    Args:
        module_name: Dotted name of the module to build.
        extra_flags: Compiler flags after the recommended ones, such as `-march=native`.
    """
    builder = FFI()
    all_loops = list(loops())
    prototypes = "".join(f"{loop.prototype()};\n" for loop in all_loops)
    builder.cdef(prototypes + "const char *polyad_status_text(int status);\n")
    source = '#include "polyad_runtime.h"\n\n' + "\n".join(loop.definition() for loop in all_loops)
    flags = [*RECOMMENDED_FLAGS, "-std=c99", "-fopenmp-simd", "-DPA_OPENMP_SIMD", *extra_flags]
    builder.set_source(
        module_name,
        source,
        include_dirs=[str(INCLUDE_DIR)],
        extra_compile_args=[] if sys.platform == "win32" else flags,
        libraries=[] if sys.platform == "win32" else ["m"],
    )
    return builder


def build(builder: FFI, module_name: str, directory: Path) -> Any:
    """Compile an API-mode builder into `directory` and import the result.

    Returns:
        The extension module, with its `ffi` and `lib`.

    Raises:
        RuntimeError: No working C compiler; the message carries the compiler's own words and the cure.
    """
    try:
        path = builder.compile(tmpdir=str(directory))
    except Exception as error:  # cffi re-raises whatever its build backend raised
        raise RuntimeError(
            f"could not compile {module_name}: {error}. A C compiler is needed here: install gcc or clang "
            "(Debian: apt install gcc; Fedora: dnf install gcc; macOS: xcode-select --install) or set CC."
        ) from error
    return load(module_name, path)


def load(module_name: str, path: str) -> Any:
    """Import a compiled extension module from its file."""
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ffibuilder = make_ffibuilder("polyad_c._runtime")

if __name__ == "__main__":
    ffibuilder.compile(verbose=True)
