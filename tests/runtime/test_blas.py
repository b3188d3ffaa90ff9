"""`Target(blas=)`: contractions through a BLAS library, found in every place where one may be."""

import os
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CompileError
from polyad.kernel import Kernel
from polyad.pipeline import compile_program
from polyad.runtime import blas
from polyad.runtime.blas import NO_BLAS, blas_for, find_blas
from polyad.runtime.compiler import compile_object, find_compiler, link_shared
from polyad.targets.target import Target
from tests.export.conftest import needs, run

ENOUGH = {"M": 120, "N": 110, "K": 100}  # more than PA_BLAS_WORTH multiplications

# cblas_?gemm by its definition, which leaves a trace in the environment.
NAIVE = """
#include <stdlib.h>
#define GEMM(name, real) \\
void cblas_##name(int order, int ta, int tb, int m, int n, int k, real alpha, const real *a, int lda, const real *b, \\
                  int ldb, real beta, real *c, int ldc) \\
{ \\
    (void)order; \\
    setenv("POLYAD_TEST_BLAS", #name, 1); \\
    for (int i = 0; i < m; ++i) \\
        for (int j = 0; j < n; ++j) { \\
            double sum = 0; \\
            for (int l = 0; l < k; ++l) \\
                sum += (double)a[ta == 111 ? i * lda + l : l * lda + i] * b[tb == 111 ? l * ldb + j : j * ldb + l]; \\
            c[i * ldc + j] = (real)(alpha * sum + (beta != 0 ? beta * c[i * ldc + j] : 0)); \\
        } \\
}
GEMM(sgemm, float)
GEMM(dgemm, double)
"""


def products(dtype: str, target: Target) -> Kernel:
    """A product and its gradients: all four ways of transposing."""
    M, N, K = pa.sizes("M N K")
    a, w = pa.placeholder((M, K), "a", dtype), pa.placeholder((N, K), "w", dtype)
    y = a @ w.T
    return pa.compile([y, *pa.grad((y * y * y).sum(), [a, w])], [a, w], name="products", target=target)


def with_library(kernel: Kernel) -> Kernel:
    """The same kernel for a target that names a library."""
    target = Target(blas="openblas")
    return Kernel(kernel.code, target, program=kernel.program, schedule=kernel.schedule, compile=compile_program)


def inputs(dtype: str, sizes: dict[str, int]) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.normal(size=(sizes[n], sizes["K"])).astype(dtype) for n in "MN"]


@pytest.fixture
def naive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a libopenblas that the linker finds, and nothing else that would do."""
    compiler = find_compiler()
    made = compile_object(compiler, {"naive.c": NAIVE}, "naive.c", ("-O1", "-fPIC"), tmp_path)
    link_shared(compiler, [made], (), tmp_path / "libopenblas.so")
    monkeypatch.setenv("LIBRARY_PATH", str(tmp_path))
    monkeypatch.setenv("PKG_CONFIG_LIBDIR", str(tmp_path))
    monkeypatch.setenv("PKG_CONFIG_PATH", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("dtype", ["float32", pytest.param("float64", marks=pytest.mark.slow)])
@pytest.mark.parametrize("sizes", [ENOUGH, {"M": 3, "N": 2, "K": 4}, {"M": 1, "N": 1200, "K": 1000}], ids=str)
@pytest.mark.quick_cases(1)
def test_the_same_numbers(dtype: str, sizes: dict[str, int]) -> None:
    try:
        find_blas("openblas", find_compiler())
    except CompileError:
        pytest.skip("no BLAS")
    values = inputs(dtype, sizes)
    by_library = products(dtype, Target(blas="openblas"))(*values)
    for found, expected in zip(by_library, products(dtype, Target())(*values), strict=True):
        allowed = {"float32": 2e-5, "float64": 1e-13}[dtype] * np.max(np.abs(expected))
        np.testing.assert_allclose(found, expected, rtol=0, atol=allowed)


@pytest.mark.slow
@needs("cc")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_large_products_are_sent_to_the_library(
    dtype: str, naive: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In an exported library, which C calls: the library's name is all that it knows of it."""
    kernel = products(dtype, Target())
    out = tmp_path_factory.mktemp("products")
    again = with_library(kernel)
    again.export(out, march="native")
    assert "-lopenblas" in (out / "products.pc").read_text(encoding="utf-8")
    assert "-lopenblas" in (out / "productsConfig.cmake").read_text(encoding="utf-8")
    listed = run(["nm", "-D", "--undefined-only", out / "libproducts.so"], out).decode()
    assert ("cblas_sgemm" if dtype == "float32" else "cblas_dgemm") in listed
    values = inputs(dtype, ENOUGH)
    real = "float" if dtype == "float32" else "double"
    main = f"""
    #include <stdio.h>
    #include <stdlib.h>
    #include "products.h"
    int main(void) {{
        products_sizes s = {{ .M = {ENOUGH["M"]}, .N = {ENOUGH["N"]}, .K = {ENOUGH["K"]} }};
        {real} *a = malloc(s.M * s.K * sizeof *a), *w = malloc(s.N * s.K * sizeof *w);
        {real} *y = malloc(s.M * s.N * sizeof *y);
        {real} *da = malloc(s.M * s.K * sizeof *a), *dw = malloc(s.N * s.K * sizeof *w);
        size_t bytes = products_workspace(&s);
        if (fread(a, sizeof *a, s.M * s.K, stdin) == 0 || fread(w, sizeof *w, s.N * s.K, stdin) == 0) return 1;
        if (products(&s, a, w, y, da, dw, malloc(bytes + 1), bytes)) return 2;
        if (getenv("POLYAD_TEST_BLAS") == NULL) return 3;
        fwrite(y, sizeof *y, s.M * s.N, stdout);
        fwrite(da, sizeof *da, s.M * s.K, stdout);
        fwrite(dw, sizeof *dw, s.N * s.K, stdout);
        return 0;
    }}"""
    (out / "main.c").write_text(main, encoding="utf-8")
    run([*find_compiler().command, "main.c", "-L.", "-lproducts", f"-L{naive}", "-lopenblas", "-o", "main"], out)
    environment = os.environ | {"LD_LIBRARY_PATH": f"{out}:{naive}", "DYLD_LIBRARY_PATH": f"{out}:{naive}"}
    result = run([out / "main"], out, input=b"".join(v.tobytes() for v in values), env=environment)
    expected = np.concatenate([e.ravel() for e in kernel(*values)])
    allowed = {"float32": 2e-5, "float64": 1e-13}[dtype] * np.max(np.abs(expected))
    np.testing.assert_allclose(np.frombuffer(result, dtype), expected, rtol=0, atol=allowed)


@pytest.mark.slow
@needs("pkg-config")
def test_packages_are_required_by_name(naive: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    text = f"Name: openblas\nDescription: one\nVersion: 1\nLibs: -L{naive} -lopenblas\n"
    (naive / "openblas.pc").write_text(text, encoding="utf-8")
    kernel = products("float64", Target())
    again = with_library(kernel)
    out = tmp_path_factory.mktemp("products")
    again.export(out, march="native")
    assert "Requires.private: openblas\n" in (out / "products.pc").read_text(encoding="utf-8")


def test_where_there_is_none_the_error_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blas, "_places", lambda library, export: iter(()))
    monkeypatch.setenv("LIBRARY_PATH", "nowhere/at/all")  # a surrounding that nothing was found in before
    with pytest.raises(CompileError, match=r"blas='openblas'.*libopenblas-dev.*leave out blas="):
        find_blas("openblas", find_compiler())


def test_kernels_without_contractions_need_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blas, "_places", lambda library, export: iter(()))
    monkeypatch.setenv("LIBRARY_PATH", "nowhere/else")
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")
    kernel = pa.compile([pa.tanh(x)], [x], name="plain", target=Target(blas="openblas"))
    assert blas_for(kernel.code, kernel.target, find_compiler()) == NO_BLAS
    np.testing.assert_allclose(kernel(np.ones(3)), np.tanh(np.ones(3)), rtol=1e-14)
