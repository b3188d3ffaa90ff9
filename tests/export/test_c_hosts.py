"""Exported kernels in C programs, built in every way that the docs promise; Python is not involved in any of them."""

import os
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest

from polyad.kernel import Kernel
from polyad.runtime.compiler import find_compiler
from tests.compilers import has_openmp
from tests.export.conftest import needs, run

HOSTS = Path(__file__).parent / "hosts"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def same_compiler() -> tuple[str, ...]:
    """A static library needs the OpenMP library of the compiler that made it."""
    return find_compiler().command


def expect_same_numbers(kernel: Kernel, program: Path, **options: object) -> None:
    """Run a build of hosts/normed.c and compare its numbers with Python's."""
    rng = np.random.default_rng(0)
    for n, k in ((1, 1), (7, 5), (64, 33)):
        A, x = rng.normal(size=(n, k)), rng.normal(size=k)
        data = np.array([n, k], np.int64).tobytes() + A.tobytes() + x.tobytes()
        result = np.frombuffer(run([program], program.parent, input=data, **options))
        y, total = kernel(A, x)
        np.testing.assert_allclose(result[:-1], y, rtol=1e-12)
        np.testing.assert_allclose(result[-1], total, rtol=1e-12)


@needs("cc")
def test_plain_compiler_with_the_static_library(kernel: Kernel, exported: Path, tmp_path: Path) -> None:
    main = HOSTS / "normed.c"
    run([*same_compiler(), "-I", exported, main, exported / "libnormed.a", "-lm", "-fopenmp", "-o", "main"], tmp_path)
    expect_same_numbers(kernel, tmp_path / "main")


@needs("cc")
def test_plain_compiler_with_the_shared_library(kernel: Kernel, exported: Path, tmp_path: Path) -> None:
    main = HOSTS / "normed.c"
    run(["cc", "-I", exported, main, f"-L{exported}", "-lnormed", f"-Wl,-rpath,{exported}", "-o", "main"], tmp_path)
    expect_same_numbers(kernel, tmp_path / "main")


@needs("cc")
def test_the_source_alone_is_enough(kernel: Kernel, exported: Path, tmp_path: Path) -> None:
    for name in ("normed.c", "normed.h", "polyad_runtime.h"):
        shutil.copy(exported / name, tmp_path)
    shutil.copy(HOSTS / "normed.c", tmp_path / "main.c")
    run(["cc", "-std=c99", "-O2", "main.c", "normed.c", "-lm", "-o", "main"], tmp_path)
    expect_same_numbers(kernel, tmp_path / "main")


@needs("cc", "pkg-config")
def test_pkg_config_finds_it_wherever_it_is(kernel: Kernel, exported: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    shutil.copytree(exported, moved)
    environment = {**os.environ, "PKG_CONFIG_PATH": str(moved)}
    asked = run(["pkg-config", "--cflags", "--libs", "normed"], tmp_path, env=environment).decode()
    flags = shlex.split(asked)
    assert f"-I{moved}" in flags
    run(["cc", HOSTS / "normed.c", *flags, f"-Wl,-rpath,{moved}", "-o", "main"], tmp_path)
    expect_same_numbers(kernel, tmp_path / "main")
    static = shlex.split(run(["pkg-config", "--static", "--libs", "normed"], tmp_path, env=environment).decode())
    assert "-lm" in static


@needs("cc", "cmake")
@pytest.mark.parametrize("library", ["normed::normed", "normed::static"])
def test_cmake_finds_it(kernel: Kernel, exported: Path, tmp_path: Path, library: str) -> None:
    shutil.copy(HOSTS / "normed.c", tmp_path / "main.c")
    (tmp_path / "CMakeLists.txt").write_text(
        # Asked for twice, as happens when two parts of a project use it.
        "cmake_minimum_required(VERSION 3.13)\nproject(host C)\nfind_package(normed CONFIG REQUIRED)\n"
        "find_package(normed CONFIG REQUIRED)\nadd_executable(main main.c)\n"
        f"target_link_libraries(main PRIVATE {library})\n"
    )
    run(["cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={exported}"], tmp_path)
    run(["cmake", "--build", "build"], tmp_path)
    expect_same_numbers(kernel, tmp_path / "build" / "main")


@pytest.mark.parametrize("compiler", [pytest.param(c, marks=needs(c)) for c in ("gcc", "clang")])
@pytest.mark.parametrize("openmp", [True, False])
@pytest.mark.quick_cases(1)
def test_no_compiler_warns(exported: Path, exported_gather: Path, tmp_path: Path, compiler: str, openmp: bool) -> None:
    flags = ["-std=c99", "-O2", *STRICT, *(["-fopenmp"] if openmp else [])]
    if openmp and not has_openmp(compiler):
        pytest.skip(f"{compiler} has no OpenMP here (Debian: apt install libomp-dev)")
    for source in (exported / "normed.c", exported_gather / "gather.c"):
        run([compiler, *flags, "-I", source.parent, "-c", source, "-o", "kernel.o"], tmp_path)
    run([compiler, *flags, "-I", exported, "-c", HOSTS / "misuse.c", "-o", "host.o"], tmp_path)


@pytest.mark.parametrize("compiler", [pytest.param(c, marks=needs(c)) for c in ("g++", "clang++")])
def test_it_is_cpp_too(kernel: Kernel, exported: Path, exported_gather: Path, tmp_path: Path, compiler: str) -> None:
    flags = ["-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wsign-conversion"]
    flags.append("-Wdouble-promotion")
    for source in (exported / "normed.c", exported_gather / "gather.c"):
        run([compiler, *flags, "-I", source.parent, "-c", source, "-o", f"{source.stem}.o"], tmp_path)
    # The header declares C names, so a C++ program links with the C library.
    main = HOSTS / "normed.c"
    run([compiler, "-I", exported, *flags[:5], "-c", main, "-o", "main.o"], tmp_path)
    run([compiler, "main.o", f"-L{exported}", "-lnormed", f"-Wl,-rpath,{exported}", "-o", "main"], tmp_path)
    expect_same_numbers(kernel, tmp_path / "main")


HEADER_WARNINGS = "-Wconversion -Wsign-conversion -Wdouble-promotion -Wold-style-cast -Wuseless-cast -Wshadow".split()


@pytest.mark.parametrize("compiler", [pytest.param(c, marks=needs(c)) for c in ("g++", "clang++")])
def test_no_cpp_compiler_warns_of_the_header(
    exported: Path, exported_gather: Path, tmp_path: Path, compiler: str
) -> None:
    """Of C++ hosts that ask for more warnings than most, from the oldest standard to the newest."""
    (tmp_path / "host.cpp").write_text(
        '#include "normed.h"\n#include "gather.h"\n#include <cstdint>\n'
        "int call(const double *A, double *y, const float *t, const std::int32_t *ids, float *rows, void *w);\n"
        "int call(const double *A, double *y, const float *t, const std::int32_t *ids, float *rows, void *w)\n{\n"
        "    const normed_sizes sizes = {1, 1};\n    const gather_sizes other = {1, 1, 1};\n"
        "    const int first = normed(&sizes, A, A, y, y, w, normed_workspace(&sizes));\n"
        "    if (first != POLYAD_OK) return POLYAD_ERROR_NULL;\n"
        "    return gather(&other, t, ids, rows, w, gather_workspace(&other));\n"
        "}\n"
    )
    known = [w for w in HEADER_WARNINGS if compiler == "g++" or w != "-Wuseless-cast"]
    for standard in ("c++11", "c++17"):
        flags = [f"-std={standard}", *STRICT, *known, "-I", exported, "-I", exported_gather]
        run([compiler, *flags, "-c", "host.cpp", "-o", "host.o"], tmp_path)


@needs("gcc")
@pytest.mark.parametrize("openmp", [True, False])
def test_sanitizers_find_nothing(kernel: Kernel, exported: Path, tmp_path: Path, openmp: bool) -> None:
    flags = [
        "-g",
        "-O1",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
        *(["-fopenmp"] if openmp else []),
    ]
    probe = tmp_path / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    try:
        run(["gcc", *flags, probe, "-o", "probe"], tmp_path)
        run([tmp_path / "probe"], tmp_path)
    except AssertionError:
        pytest.skip("the sanitizers do not work here")
    run(["gcc", *flags, "-I", exported, HOSTS / "normed.c", exported / "normed.c", "-lm", "-o", "main"], tmp_path)
    expect_same_numbers(kernel, tmp_path / "main")
    run(["gcc", *flags, "-I", exported, HOSTS / "misuse.c", exported / "normed.c", "-lm", "-o", "misuse"], tmp_path)
    run([tmp_path / "misuse"], tmp_path)


@needs("cc")
def test_misuse_returns_its_code_and_writes_nothing(exported: Path, tmp_path: Path) -> None:
    main = HOSTS / "misuse.c"
    run(
        [*same_compiler(), *STRICT, "-I", exported, main, exported / "libnormed.a", "-lm", "-fopenmp", "-o", "main"],
        tmp_path,
    )
    run([tmp_path / "main"], tmp_path)


@needs("cc")
def test_an_index_out_of_range_returns_its_code(exported_gather: Path, tmp_path: Path) -> None:
    main, library = HOSTS / "index.c", exported_gather / "libgather.a"
    run([*same_compiler(), *STRICT, "-I", exported_gather, main, library, "-lm", "-fopenmp", "-o", "main"], tmp_path)
    run([tmp_path / "main"], tmp_path)


@needs("cc")
def test_two_kernels_in_one_program(exported: Path, exported_gather: Path, tmp_path: Path) -> None:
    libraries = [exported / "libnormed.a", exported_gather / "libgather.a"]
    includes = ["-I", exported, "-I", exported_gather]
    run([*same_compiler(), *STRICT, *includes, HOSTS / "two.c", *libraries, "-lm", "-fopenmp", "-o", "main"], tmp_path)
    run([tmp_path / "main"], tmp_path)


@needs("cc")
def test_eight_threads(exported: Path, tmp_path: Path) -> None:
    main, library = HOSTS / "threads.c", exported / "libnormed.a"
    run(
        [*same_compiler(), "-O1", "-I", exported, main, library, "-lm", "-fopenmp", "-pthread", "-o", "main"],
        tmp_path,
    )
    run([tmp_path / "main"], tmp_path)
