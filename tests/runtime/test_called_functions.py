"""Kernels that run here are compiled with the part of the runtime header that they call, to the same machine code."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
import polyad_c
from polyad.codegen.names import MATH
from polyad.runtime import library
from polyad.runtime.called_functions import called_functions
from polyad.runtime.library import source_files

HEADER = polyad_c.header("polyad_runtime.h")
FLAGS = ["-std=c99", "-O1", "-fopenmp-simd", "-DPA_OPENMP_SIMD", "-Wall", "-Wextra", "-Werror", "-fPIC"]
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="compiles C")


def compiled(files: Mapping[str, str], main: str, folder: Path) -> bytes:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    done = subprocess.run(["gcc", *FLAGS, "-c", "-o", "k.o", main], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return (folder / "k.o").read_bytes()


def test_what_is_not_called_is_left_out() -> None:
    short = called_functions(HEADER, "y[0] = pa_sigmoid_f32(x[0]); /* not of pa_erf_f64, nor by pow */")
    defined = set(re.findall(r"\bpa_\w+(?=\()", short))
    assert {"pa_sigmoid_f32", "pa_exp2i_f32", "pa_bits_f32"} <= defined
    assert not [name for name in defined if "f64" in name or "tanh" in name or "i64" in name]
    assert "math.h" not in called_functions(HEADER, "y[n] = x[n] * x[n]; /* pow */")
    assert "math.h" in called_functions(HEADER, "y[n] = pa_sqrt_f32(x[n]);")
    assert "math.h" in called_functions(HEADER, "y[n] = -INFINITY;")


@needs_gcc
def test_every_name_of_the_math_library_is_known() -> None:
    """The compiler's own <math.h> is asked: a missing name would lose its include."""
    command = ["gcc", "-std=c99", "-E", "-P", "-"]
    text = subprocess.run(command, input="#include <math.h>", capture_output=True, text=True, check=True).stdout
    declared = {name for name in re.findall(r"\b([a-z]\w*) ?\(", text) if name not in ("__attribute__", "sizeof")}
    assert len(declared) > 150 and {"cbrt", "cbrtf", "cbrtl"} <= declared
    assert not declared - MATH


@pytest.mark.parametrize("call", ["tgamma(x)", "(float)lgammaf(x)", "isinf(x) ? HUGE_VAL : x"])
def test_an_operator_may_call_any_function_of_the_math_library(call: str) -> None:
    header = HEADER.replace("return cbrt(x);", f"return {call};")
    assert header != HEADER
    assert "#include <math.h>" in called_functions(header, "y[0] = pa_cbrt_f64(x[0]);")
    assert "#include <math.h>" not in called_functions(header, "y[0] = pa_maximum_f64(x[0], 0.0);")
    assert "#include <math.h>" in called_functions(HEADER, f"y[0] = {call};"), "or its spelling in the table"


@needs_gcc
@pytest.mark.parametrize(
    "text",
    [
        "double f(double x); double f(double x) { return pa_erf_f64(x); }",
        "PA_ONCE(tanh, double, f64)\ndouble f(double x); double f(double x) { return pa_once_tanh_f64(x); }",
        "float f(const float *x, float *y); float f(const float *x, float *y) "
        "{ return pa_scan_sum_down_f32(x, 0.0f, y, 9); }",
        "float f(const float *x); float f(const float *x) { float m = -INFINITY; PA_SIMD_REDUCTION(pa_maximum, m)\n"
        "for (int i = 0; i < 9; ++i) m = pa_maximum_f32(m, x[i]); return m; }",
        "int64_t f(int64_t a); int64_t f(int64_t a) { return pa_floordiv_i64(a, 3) + pa_threads(); }",
    ],
)
def test_what_is_called_is_there(text: str, tmp_path: Path) -> None:
    files = {"k.c": f'#include "polyad_runtime.h"\n{text}\n', "polyad_runtime.h": HEADER}
    whole = compiled(files, "k.c", tmp_path / "whole")
    short = called_functions(HEADER, files["k.c"])
    assert len(short) < 0.45 * len(HEADER)
    assert compiled(files | {"polyad_runtime.h": short}, "k.c", tmp_path / "short") == whole


@needs_gcc
def test_kernels_run_what_they_would_run_with_the_whole_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Mapping[str, str]] = []
    compile_object = library.compile_object

    def watched(compiler: object, files: Mapping[str, str], *rest: object) -> Path:
        given.append(files)
        return compile_object(compiler, files, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(library, "compile_object", watched)
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    x = pa.placeholder((4, 6), "x")
    kernel = pa.compile(pa.nn.softmax(x, axis=-1), [x], name="shares", target=pa.Target(extra_flags=("-O0",)))
    np.testing.assert_allclose(kernel(np.ones((4, 6), "float32")), 1 / 6, rtol=1e-6)
    (files,) = given
    assert "pa_exp_f32" in files["polyad_runtime.h"] and "pa_tanh" not in files["polyad_runtime.h"]
    whole = source_files(kernel.code)
    assert whole["polyad_runtime.h"] == HEADER
    assert compiled(files, "shares.c", tmp_path / "short") == compiled(whole, "shares.c", tmp_path / "whole")


@needs_gcc
def test_kernels_with_contractions_have_the_declarations_that_they_need(tmp_path: Path) -> None:
    """Of both element types; without what the macro-kernel alone has, and nothing that ends a condition too early."""
    contraction = polyad_c.header("polyad_contraction.h")
    text = """#define PA_CONTRACTION_F32
#define PA_CONTRACTION_F64
#include "polyad_runtime.h"
#include "polyad_contraction.h"
void f(const pa_contraction *s, const double *a, double *b, const float *c, float *d, void *w);
void f(const pa_contraction *s, const double *a, double *b, const float *c, float *d, void *w)
{
    const pa_room room = pa_rooms(w, pa_threads(), 77824);
    pa_contract_f64(s, a, a, b, 1.0, 0, &room);
    pa_contract_f32(s, c, c, d, 1.0f, 0, &room);
}
"""
    files = {"k.c": text, "polyad_runtime.h": HEADER, "polyad_contraction.h": contraction}
    short = library._short(files)
    assert "define PA_TILE_ROWS" not in short["polyad_contraction.h"] and "math.h" not in short["polyad_runtime.h"]
    linked = "#define PA_CONTRACTION_LINKED\n" + text
    whole = compiled(files | {"k.c": linked}, "k.c", tmp_path / "whole")
    assert compiled(short | {"k.c": linked}, "k.c", tmp_path / "short") == whole
