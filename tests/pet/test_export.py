"""C functions handed back: exported gradients and tangents in C programs, beside the C that they come from."""

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyad.errors import CallError
from polyad.pet.c_program import CProgram, from_c
from polyad.pet.handed_back.parameters import passed_parameters
from polyad.runtime.compiler import find_compiler
from tests.export.conftest import needs, run
from tests.pet.cases_styles import STYLE_CASES
from tests.pet.corpus import CASES, Case, central_differences, output_weights, reference
from tests.pet.extracted import NEEDS_PET
from tests.pet.host import SANITIZE, STRICT, Host, build_host

pytestmark = [NEEDS_PET, needs("cc")]


@pytest.fixture(autouse=True)
def unverified(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same programs are verified where they are run from Python (test_programs.py)."""
    monkeypatch.setenv("POLYAD_VERIFY", "0")


SLOW = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in ("lstm", "jacobi_1d", "cholesky", "lstm_float", "lotka_volterra")
]
CHECKED = [*SANITIZE, "-Wno-error"]  # gcc warns that it ignores `omp simd` of loops into whose bounds it puts a check


def gradient(case: Case) -> CProgram:
    return from_c(case.path).grad(case.of, case.wrt)


def expect_derivatives(case: Case, host: Host, seed: int = 0, sizes: dict[str, int] | None = None) -> None:
    """Values are those of the C function, and gradients those of its central differences."""
    arguments = case.arguments(seed, sizes)
    weights = output_weights(case, arguments, seed)
    names = {p.name for p in host.passed}
    if f"{case.of}_bar" not in names or host.program.program.arrays[case.of].role == "output":
        weights = weights if f"{case.of}_bar" in names else np.ones_like(weights)
    given: dict[str, Any] = dict(arguments)
    for name in case.wrt:
        given[f"{name}_bar"] = np.full(np.shape(arguments[name]) or (1,), np.nan)
    given[f"{case.of}_bar"] = weights
    ours, theirs = host(given)
    close = {"rtol": 1e-4, "atol": 1e-5} if case.single else {"rtol": 1e-9, "atol": 1e-11}
    for name, array in theirs.items():
        np.testing.assert_allclose(ours[name], array, **close, err_msg=f"{name} for {sizes}")
    close = {"rtol": 1e-3, "atol": 1e-4} if case.single else {"rtol": 1e-6, "atol": 1e-6}
    for name in case.wrt:
        wanted = central_differences(case, name, arguments, weights)
        np.testing.assert_allclose(
            ours[f"{name}_bar"].reshape(wanted.shape), wanted, **close, err_msg=f"{name}_bar for {sizes}"
        )


@pytest.mark.parametrize("name", ["gemm", "message_passing", *SLOW])
@pytest.mark.quick_cases(1)
def test_a_gradient_in_a_c_program(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    host = build_host(gradient(case), case.path, tmp_path)
    expect_derivatives(case, host)
    for seed, sizes in enumerate(case.edges, 1):
        expect_derivatives(case, host, seed, dict(sizes))


@pytest.fixture(scope="module")
def sanitizers(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Programs that they check can be built here, and run."""
    folder = tmp_path_factory.mktemp("sanitizers")
    probe = folder / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    try:
        run(["gcc", *CHECKED, probe, "-o", "probe"], folder)
        run([folder / "probe"], folder)
    except AssertionError:
        pytest.skip("the sanitizers do not work here")


@pytest.mark.slow
@needs("gcc")
@pytest.mark.usefixtures("sanitizers")
@pytest.mark.parametrize("name", CASES)
def test_sanitizers_find_nothing(name: str, tmp_path: Path) -> None:
    """Of no function: workspace and results hold NaN before, and every array lies in memory of its own."""
    case = CASES[name]
    host = build_host(gradient(case), case.path, tmp_path, CHECKED, ["gcc"])
    expect_derivatives(case, host)
    for seed, sizes in enumerate(case.edges, 1):
        expect_derivatives(case, host, seed, dict(sizes))


@pytest.mark.parametrize("name", ["gemm", pytest.param("cholesky", marks=pytest.mark.slow)])
def test_a_tangent_in_a_c_program(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    host = build_host(from_c(case.path).tangent(case.of, case.wrt), case.path, tmp_path)
    arguments = case.arguments()
    rng = np.random.default_rng(1)
    steps = {n: rng.normal(size=np.shape(arguments[n])) for n in case.wrt}
    given = {**arguments, f"{case.of}_dot": np.full(np.shape(arguments[case.of]), np.nan)}
    ours, theirs = host({**given, **{f"{n}_dot": step for n, step in steps.items()}})
    np.testing.assert_allclose(ours[case.of], theirs[case.of], rtol=1e-10)
    upper, lower = (
        reference(case, {**arguments, **{n: arguments[n] + h * steps[n] for n in case.wrt}})[case.of]
        for h in (1e-6, -1e-6)
    )
    np.testing.assert_allclose(ours[f"{case.of}_dot"], (upper - lower) / 2e-6, rtol=1e-6, atol=1e-6)


def test_the_function_itself_in_a_c_program(tmp_path: Path) -> None:
    case = CASES["jacobi_1d"]
    ours, theirs = build_host(from_c(case.path), case.path, tmp_path)(case.arguments())
    for name, array in theirs.items():
        np.testing.assert_allclose(ours[name], array, rtol=1e-12)


def test_what_a_function_returns_is_its_last_parameter(tmp_path: Path) -> None:
    style = next(s for s in STYLE_CASES if s.name == "dot")
    program = from_c(style.path).grad("returned", ["x", "y"])
    host = build_host(program, style.path, tmp_path)
    header = " ".join((tmp_path / "exported_dot_grad.h").read_text().split())
    assert (
        "int exported_dot_grad(int n, const double x[], const double y[], double returned[1], double x_bar[], "
        "double y_bar[], void *workspace);"
    ) in header
    arguments = style.arguments()
    nan = {f"{n}_bar": np.full(np.shape(arguments[n]), np.nan) for n in ("x", "y")}
    ours, theirs = host({**arguments, **nan, "returned": np.full((1,), np.nan)})
    np.testing.assert_allclose(ours["returned"], theirs["returned"], rtol=1e-12)
    np.testing.assert_allclose(ours["x_bar"], arguments["y"], rtol=1e-12)


def test_the_signature_is_that_of_the_c_function(tmp_path: Path) -> None:
    gradient(CASES["gemm"]).export(tmp_path, source_only=True)
    header = " ".join((tmp_path / "gemm_grad.h").read_text().split())
    assert (
        "int gemm_grad(int n, int m, int k, double alpha, double beta, const double A[n][k], const double B[k][m], "
        "double C[n][m], double C_bar[n][m], double A_bar[n][k], double B_bar[k][m], double *alpha_bar, "
        "double *beta_bar, void *workspace);"
    ) in header
    assert "size_t gemm_grad_workspace(int n, int m, int k);" in header


def test_declarations_are_those_of_the_c_function(tmp_path: Path) -> None:
    """But for typedefs, which the header does not have, and const, which says what is only read."""
    (tmp_path / "f.c").write_text(
        "typedef double real;\ntypedef real vector[3];\n"
        "void f(const int n, unsigned m, real (*A)[m], double * restrict y, const vector v, double B[restrict n][m],\n"
        "       const unsigned unread[n])\n{\n#pragma scop\n"
        "    for (int i = 0; i < n; i++) {\n        y[i] = 0;\n        for (int j = 0; j < m; j++)\n"
        "            y[i] += A[i][j] * B[i][j] * v[0];\n    }\n#pragma endscop\n}\n"
    )
    program = from_c(tmp_path / "f.c").grad("y", ["A", "v", "B"])
    passed = passed_parameters(program.function, program.program, program.results)
    assert [p.c for p in passed] == [
        "int n",
        "unsigned int m",
        "const double A[][m]",
        "double *restrict y",
        "const double v[3]",
        "const double B[restrict n][m]",
        "const unsigned int unread[n]",
        "const double *restrict y_bar",
        "double A_bar[][m]",
        "double v_bar[3]",
        "double B_bar[restrict n][m]",
    ]
    assert [p.flat for p in passed][:4] == ["int n", "unsigned int m", "const double *A", "double *y"]
    assert [p.shape for p in passed][2:4] == ["double [n][m]", "double [n]"]


def test_derivatives_come_inputs_first(tmp_path: Path) -> None:
    gradient(CASES["message_passing"]).export(tmp_path, "pass_back", source_only=True)
    header = " ".join((tmp_path / "pass_back.h").read_text().split())
    assert (
        "double y[nodes][features], const double y_bar[nodes][features], double weight_bar[edges], "
        "double x_bar[nodes][features], void *workspace);"
    ) in header


def test_what_is_wrong_is_a_status(tmp_path: Path) -> None:
    case = CASES["message_passing"]
    host = build_host(gradient(case), case.path, tmp_path)
    arguments = case.arguments()
    given = {**arguments, "y_bar": arguments["x"], "x_bar": arguments["x"], "weight_bar": arguments["weight"]}
    host(given)
    with pytest.raises(RuntimeError, match=r"^-1$"):
        host(given, workspace="none")
    with pytest.raises(RuntimeError, match=r"^-4$"):
        host({**given, "head": arguments["head"] + arguments["nodes"]})
    with pytest.raises(RuntimeError, match="SIZE_MAX"):
        host({**given, "nodes": -1})
    for size in ("nodes", "edges", "features"):
        given[size] = 2**31 - 1
    with pytest.raises(RuntimeError, match="SIZE_MAX"):
        host(given)


@pytest.mark.slow
@pytest.mark.parametrize("compiler", [pytest.param(c, marks=needs(c)) for c in ("gcc", "clang")])
@pytest.mark.parametrize("name", ["gemm", "lstm_float", "message_passing"])
def test_no_compiler_warns(name: str, compiler: str, tmp_path: Path) -> None:
    paths = gradient(CASES[name]).export(tmp_path, "back", source_only=True)
    cpp = "g++" if compiler == "gcc" else "clang++"
    for path in paths:
        if path.suffix == ".c":
            run([compiler, *STRICT, "-O2", "-c", path.name, "-o", "c.o"], tmp_path)
            run([cpp, "-x", "c++", "-std=c++11", *STRICT[1:], "-c", path.name, "-o", "cpp.o"], tmp_path)
    for language, standard in (("c", "c99"), ("c", "c11"), ("c++", "c++17")):
        command = [compiler, "-x", language, f"-std={standard}", *STRICT[1:], "-Wshadow", "-c", "-o", "h.o"]
        (tmp_path / "host.txt").write_text('#include "back.h"\n')
        run([*command, "host.txt"], tmp_path)


CPP = """
#include <cstdio>
#include <vector>
#include "gemm_grad.h"

int main()
{
    double A[2] = {1, 2}, B[2] = {3, 4}, C[1] = {5}, C_bar[1] = {1}, alpha_bar, beta_bar, A_bar[2], B_bar[2];
    std::vector<char> workspace(gemm_grad_workspace(1, 1, 2));
    int status = gemm_grad(1, 1, 2, 10, 100, A, B, C, C_bar, A_bar, B_bar, &alpha_bar, &beta_bar, workspace.data());
    std::printf("%d %g %g %g %g %g %g %g %g %g\\n", status, C[0], C_bar[0], alpha_bar, beta_bar, A_bar[0], A_bar[1],
                B_bar[0], B_bar[1], 0.0);
}
"""


@pytest.mark.slow
@needs("g++")
def test_the_library_in_a_cpp_program(tmp_path: Path) -> None:
    gradient(CASES["gemm"]).export(tmp_path, march="native", target="c")
    (tmp_path / "main.cpp").write_text(CPP)
    command = ["g++", "-Wall", "-Wextra", "-Werror", "main.cpp", "libgemm_grad.a", "-lm", "-o", "main"]
    run(command, tmp_path)
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "610", "100", "11", "5", "30", "40", "10", "20", "0"]


@pytest.mark.slow
def test_the_shared_library_has_it_all(tmp_path: Path) -> None:
    case = CASES["jacobi_1d"]
    program = gradient(case)
    folder = tmp_path / "library"
    program.export(folder, f"exported_{program.name}", version="2.1")
    flags = ["-I", str(folder), f"-L{folder}", f"-Wl,-rpath,{folder}"]
    library = [f"-lexported_{program.name}"]
    host = build_host(program, case.path, tmp_path, flags, find_compiler().command, library)
    expect_derivatives(case, host)


def test_arrays_that_no_kernel_can_read_are_widened(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(
        "void f(int n, const unsigned idx[n], double y[n])\n{\n#pragma scop\n"
        "    for (int i = 0; i < n; i++)\n        y[i] = idx[i] * y[i];\n#pragma endscop\n}\n"
    )
    host = build_host(from_c(tmp_path / "f.c").grad("y", ["y"]), tmp_path / "f.c", tmp_path)
    given = {"n": 3, "idx": np.array([1, 7, 4_000_000_000], dtype=np.uint32), "y": np.arange(1.0, 4)}
    ours, theirs = host({**given, "y_bar": np.ones(3)})
    np.testing.assert_array_equal(ours["y"], theirs["y"])
    np.testing.assert_array_equal(ours["y_bar"], given["idx"].astype(float))


def test_arrays_that_no_kernel_can_write_are_refused(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(
        "void f(int n, unsigned idx[n], double y[n])\n{\n#pragma scop\n"
        "    for (int i = 0; i < n; i++)\n        idx[i] = idx[i] + 1u;\n#pragma endscop\n}\n"
    )
    program = from_c(tmp_path / "f.c")
    with pytest.raises(CallError, match="idx is an array of `unsigned int`"):
        program.export(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_names_of_the_c_function_take_nothing_from_ours(tmp_path: Path) -> None:
    """Names of the wrapper, and words of C++, may be parameters."""
    (tmp_path / "f.c").write_text(
        "void f(int sizes, double new, const double workspace[sizes], double bytes[sizes])\n{\n#pragma scop\n"
        "    for (int i = 0; i < sizes; i++)\n        bytes[i] = bytes[i] * workspace[i] * new;\n#pragma endscop\n}\n"
    )
    host = build_host(from_c(tmp_path / "f.c").grad("bytes", ["new", "bytes"]), tmp_path / "f.c", tmp_path)
    x, y, bar = np.arange(1.0, 4), np.arange(2.0, 5), np.ones(3)
    given = {"sizes": 3, "new": 2.0, "workspace": x, "bytes": y, "bytes_bar": bar, "new_bar": np.zeros(1)}
    ours, theirs = host(given)
    np.testing.assert_array_equal(ours["bytes"], theirs["bytes"])
    np.testing.assert_allclose(ours["bytes_bar"], 2 * x)
    np.testing.assert_allclose(ours["new_bar"], [x @ y])
