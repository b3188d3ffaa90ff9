"""Kernels in programs of C and C++ that call them with device pointers: built in every way the docs promise."""

import ctypes
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
import polyad_c
from polyad.errors import CallError, CompileError
from polyad.export.library_names import library_names
from polyad.kernel import Kernel
from polyad.ops.program_text import parse_program
from polyad.pipeline import compile_program
from polyad.runtime.cuda import calls, compilers
from polyad.runtime.cuda.driver import find_driver
from tests.cuda.device import driver_library, target
from tests.export.conftest import GATHER, NORMED, needs, run

HOSTS = Path(__file__).parent / "hosts"
EXAMPLE = Path(__file__).resolve().parents[2] / "rnn_examples" / "lstm_on_gpu"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
LOADS = ["-ldl", "-lpthread", "-lm"]
HEADERS = {*polyad_c.CUDA_HEADERS, *polyad_c.HOST_HEADERS}
NAMES = library_names("normed", "1.0.0")


@pytest.fixture(scope="session")
def normed() -> Kernel:
    """(A, x) -> (y, total)."""
    return compile_program(parse_program(NORMED), target())


@pytest.fixture(scope="session")
def exported(normed: Kernel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `normed`; nobody writes to it."""
    folder = tmp_path_factory.mktemp("export with a space") / "normed"
    normed.export(folder)
    return folder


def driver() -> list[str]:
    """The arguments that link a host with the driver."""
    library = driver_library()
    if library is None:
        return ["-l:libcuda.so.1"]
    return [f"-L{library.parent}", f"-Wl,-rpath,{library.parent}", "-l:libcuda.so.1"]


def environment(**more: str) -> dict[str, str]:
    """That of a host, which finds the driver as it finds all libraries."""
    library = driver_library()
    return {**os.environ, **({"LD_LIBRARY_PATH": str(library.parent)} if library is not None else {}), **more}


def expect_same_numbers(kernel: Kernel, program: Path) -> None:
    """Run a build of hosts/normed.c and compare its numbers with Python's."""
    rng = np.random.default_rng(0)
    for n, k in ((1, 1), (7, 5), (64, 33)):
        A, x = rng.normal(size=(n, k)), rng.normal(size=k)
        data = np.array([n, k], np.int64).tobytes() + A.tobytes() + x.tobytes()
        result = np.frombuffer(run([program], program.parent, input=data, env=environment()))
        y, total = kernel(A, x)
        np.testing.assert_array_equal(result, [*y, total])


def test_the_files_are_those_of_the_contract(exported: Path) -> None:
    texts = "normed.cu normed.c normed.h normed_image.c normed.pc normedConfig.cmake normedConfigVersion.cmake"
    wanted = [*texts.split(), *HEADERS, NAMES.static, NAMES.shared, NAMES.linked]
    assert sorted(path.name for path in exported.iterdir()) == sorted(wanted)
    assert "PA_KERNEL void normed_0(" in (exported / "normed.cu").read_text(encoding="utf-8")


def test_texts_are_the_same_each_time(normed: Kernel, exported: Path, tmp_path: Path) -> None:
    for path in normed.export(tmp_path):
        if not path.name.startswith(NAMES.linked):
            assert path.read_bytes() == (exported / path.name).read_bytes(), path.name
    assert normed.export(tmp_path), "over what it wrote before"


@needs("nm")
def test_only_its_functions_are_seen(normed: Kernel, tmp_path: Path) -> None:
    normed.export(tmp_path, name="unit_rows")
    for library, flag in (("libunit_rows.a", "-g"), ("libunit_rows.so", "-D")):
        symbols = run(["nm", flag, "--defined-only", tmp_path / library], tmp_path).decode()
        assert set(re.findall(r" [TDRBC] (\w+)", symbols)) == {"unit_rows", "unit_rows_workspace"}, library


@needs("cc")
def test_the_static_library(normed: Kernel, exported: Path, tmp_path: Path) -> None:
    sources = [HOSTS / "normed.c", exported / "libnormed.a"]
    run(["cc", "-std=c99", *STRICT, "-I", exported, *sources, *driver(), *LOADS, "-o", "main"], tmp_path)
    expect_same_numbers(normed, tmp_path / "main")


@needs("cc", "pkg-config")
def test_pkg_config(normed: Kernel, exported: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    shutil.copytree(exported, moved)
    own = {**os.environ, "PKG_CONFIG_PATH": str(moved)}
    flags = shlex.split(run(["pkg-config", "--cflags", "--libs", "normed"], tmp_path, env=own).decode())
    run(["cc", HOSTS / "normed.c", *flags, f"-Wl,-rpath,{moved}", *driver(), "-o", "main"], tmp_path)
    expect_same_numbers(normed, tmp_path / "main")
    static = shlex.split(run(["pkg-config", "--static", "--libs", "normed"], tmp_path, env=own).decode())
    assert "-ldl" in static and "-fopenmp" not in static


@needs("cc", "cmake")
@pytest.mark.parametrize("library", ["normed::normed", "normed::static"])
def test_cmake(normed: Kernel, exported: Path, tmp_path: Path, library: str) -> None:
    shutil.copy(HOSTS / "normed.c", tmp_path / "main.c")
    shutil.copy(HOSTS / "device.h", tmp_path)
    linked = " ".join(f'"{flag}"' for flag in driver())
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\nproject(host C)\nfind_package(normed CONFIG REQUIRED)\n"
        f"add_executable(main main.c)\ntarget_link_libraries(main PRIVATE {library} {linked})\n"
    )
    run(["cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={exported}"], tmp_path)
    run(["cmake", "--build", "build"], tmp_path)
    expect_same_numbers(normed, tmp_path / "build" / "main")


@needs("nvcc")
@pytest.mark.parametrize("language", ["c++", "cu"])
def test_nvcc(normed: Kernel, exported: Path, tmp_path: Path, language: str) -> None:
    """A host that NVIDIA's compiler builds, as C++ and as CUDA C++, which needs the toolkit's runtime."""
    linked = [f"-Xlinker={flag.removeprefix('-Wl,')}" if flag.startswith("-Wl,") else flag for flag in driver()]
    if language == "c++":
        linked = ["-cudart", "none", *linked]
    elif subprocess.run(["nvcc", "-x", "cu", "-", "-o", "none"], input=b"int main() {}", cwd=tmp_path).returncode:
        pytest.skip("nvcc has no runtime to link with")
    run(["nvcc", "-x", language, "-I", exported, "-c", HOSTS / "normed.c", "-o", "main.o"], tmp_path)
    run(["nvcc", "main.o", exported / "libnormed.a", *linked, "-o", "main"], tmp_path)
    expect_same_numbers(normed, tmp_path / "main")


@pytest.mark.parametrize("compiler", [pytest.param(c, marks=needs(c)) for c in ("g++", "clang++")])
def test_it_is_cpp_too(normed: Kernel, exported: Path, tmp_path: Path, compiler: str) -> None:
    """The host and the sources of the library."""
    flags = ["-x", "c++", "-std=c++11", *STRICT, "-Wconversion", "-Wsign-conversion", "-Wshadow", "-I", str(exported)]
    for source in (exported / "normed.c", exported / "normed_image.c", HOSTS / "normed.c"):
        run([compiler, *flags, "-c", source, "-o", f"{source.parent.name}_{source.stem}.o"], tmp_path)
    run([compiler, *sorted(tmp_path.glob("*.o")), *driver(), *LOADS, "-o", "main"], tmp_path)
    expect_same_numbers(normed, tmp_path / "main")


@needs("cc", "nvcc", "bin2c", "sh")
def test_the_source_alone_by_the_commands_in_its_header(normed: Kernel, tmp_path: Path) -> None:
    files = normed.export(tmp_path, source_only=True)
    assert {path.name for path in files} == {"normed.cu", "normed.c", "normed.h", *HEADERS}
    told = (tmp_path / "normed.h").read_text(encoding="utf-8")
    commands = re.findall(r"^ \*   ((?:nvcc|bin2c|cc) .*)$", told, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        run(["sh", "-c", command], tmp_path)
    objects = [tmp_path / "normed.o", tmp_path / "normed_image.o"]
    run(["cc", "-I", tmp_path, HOSTS / "normed.c", *objects, *driver(), *LOADS, "-o", "main"], tmp_path)
    expect_same_numbers(normed, tmp_path / "main")


def built(host: str, exported: Path, folder: Path, linked: Sequence[str], name: str = "normed") -> Path:
    sources = [HOSTS / f"{host}.c", exported / f"lib{name}.a"]
    run(["cc", *STRICT, "-I", exported, *sources, *linked, *LOADS, "-o", "main"], folder)
    return folder / "main"


@needs("cc")
def test_misuse_returns_its_code_before_cuda_is_asked(exported: Path, tmp_path: Path) -> None:
    """A right call says where there is no driver, no device, or no context."""
    main = built("misuse", exported, tmp_path, [])
    library = driver_library()
    if library is None:
        pytest.skip("a driver is here")
    bare = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    run([main, "-1035"], tmp_path, env=bare)
    run([main, "-1100"], tmp_path, env=environment(CUDA_CPU_DEVICES="0"))
    run([main, "-1201"], tmp_path, env=environment())


@needs("cc")
def test_code_of_another_device(normed: Kernel, tmp_path: Path) -> None:
    """The driver for CPUs takes no machine code, and NVIDIA's none of other devices."""
    kernel = compile_program(parse_program(NORMED), pa.Target("cuda", arch="sm_120"))
    kernel.export(tmp_path / "out")
    assert b"\x7fELF" in (tmp_path / "out" / "libnormed.so").read_bytes()[64:]
    run([built("misuse", tmp_path / "out", tmp_path, driver()), "-5"], tmp_path, env=environment())


@needs("cc")
def test_a_driver_without_libraries(normed: Kernel, exported: Path, tmp_path: Path) -> None:
    """Those before CUDA 12 load modules."""
    library = driver_library()
    if library is None:
        pytest.skip("a driver is here")
    folder = tmp_path / "old"
    folder.mkdir()
    text = library.read_bytes()
    assert b"cuLibraryLoadData\0" in text
    (folder / library.name).write_bytes(text.replace(b"cuLibraryLoadData\0", b"cuLibraryLoadNone\0"))
    linked = [f"-L{folder}", f"-Wl,-rpath,{folder}", "-l:libcuda.so.1"]
    program = built("normed", exported, tmp_path, linked)
    rng = np.random.default_rng(1)
    A, x = rng.normal(size=(7, 5)), rng.normal(size=5)
    data = np.array([7, 5], np.int64).tobytes() + A.tobytes() + x.tobytes()
    own = environment(LD_LIBRARY_PATH=str(folder))
    result = np.frombuffer(run([program], tmp_path, input=data, env=own))
    y, total = normed(A, x)
    np.testing.assert_array_equal(result, [*y, total])


@needs("cc")
def test_a_wrong_index(tmp_path: Path) -> None:
    kernel = compile_program(parse_program(GATHER), target())
    kernel.export(tmp_path / "out")
    run([built("index", tmp_path / "out", tmp_path, driver(), "gather")], tmp_path, env=environment())


@needs("cc")
@pytest.mark.parametrize(("hidden", "arch", "wanted"), [(160, 90, "cluster 2"), (256, 80, "cooperative 1")])
def test_teams(hidden: int, arch: int, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clusters, and blocks that count where there are none: the bits of Python's call."""
    if driver_library() is None:
        pytest.skip("a device is what it is")
    T, H = pa.sizes("T H")
    W, x = pa.placeholder((H, H), "W", "float32"), pa.placeholder((T, 2, H), "x", "float32")
    zeros = pa.numpy.zeros((2, H), dtype="float32")
    h, _ = pa.scan(lambda h, row: (pa.tanh(h @ W + row), None), zeros, x)
    kernel = pa.compile([h], [W, x], name="team", target=target(arch=f"compute_{arch}"))
    kernel.export(tmp_path)
    rng = np.random.default_rng(0)
    given = [(0.1 * rng.normal(size=s)).astype("float32") for s in ((hidden, hidden), (2, 2, hidden))]
    result = np.empty((2, hidden), "float32")
    driver, library = find_driver(), ctypes.CDLL(str(tmp_path / "libteam.so"))
    library.team_workspace.restype = ctypes.c_size_t
    wide = {"H": hidden, "T": 2}
    sizes = (ctypes.c_int64 * 2)(*(wide[name] for name in kernel.code.sizes))
    size = library.team_workspace(sizes)
    assert size == kernel.memory_plan(**wide).total_bytes
    monkeypatch.setenv("CUDA_CPU_ARCH", str(arch))
    monkeypatch.setenv("CUDA_CPU_TRACE", str(tmp_path / "trace"))
    held = [pa.to_device(a) for a in (*given, result, np.zeros(-(-size // 4), "int32"))]
    pointers = [ctypes.c_void_p(a.__cuda_array_interface__["data"][0]) for a in held]
    with driver.current():
        assert library.team(sizes, *pointers, ctypes.c_size_t(size), None) == 0
        driver.do("cuStreamSynchronize", 0)
    result = held[-2].numpy()
    assert wanted in (tmp_path / "trace").read_text(encoding="utf-8")
    monkeypatch.undo()
    np.testing.assert_array_equal(result, kernel(*given))


@needs("cc")
def test_threads_may_come_first_together(exported: Path, tmp_path: Path) -> None:
    run([built("threads", exported, tmp_path, driver())], tmp_path, env=environment())


def test_without_a_compiler(normed: Kernel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def no_compiler() -> None:
        return compilers._find.__wrapped__(str(tmp_path))

    monkeypatch.setattr(calls, "find_cuda_compiler", no_compiler)
    monkeypatch.setattr(compilers, "_wheel_folders", lambda: iter([tmp_path]))
    monkeypatch.setattr(compilers, "_NVRTC", "libnvrtc_that_is_nowhere.so")
    with pytest.raises(CompileError, match=r"nvcc.*NVRTC.*source_only=True"):
        normed.export(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert len(normed.export(tmp_path / "out", source_only=True)) == 3 + len(HEADERS)


def test_options_of_cpus_are_refused(normed: Kernel, tmp_path: Path) -> None:
    with pytest.raises(CallError, match=r"option of CPUs.*arch=") as caught:
        normed.export(tmp_path, march="native")
    assert caught.value.argument == "march" and not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["normed.cu", "normed.c", "normed_image.c", "polyad_driver.h", NAMES.static])
def test_files_of_others_are_not_overwritten(normed: Kernel, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("written by hand\n")
    with pytest.raises(CallError, match=rf"{name} exists and was not written by polyad"):
        normed.export(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == [name]


@needs("cc", "make")
@pytest.mark.parametrize("clusters", [False, True])
@pytest.mark.quick_cases(1)
def test_the_example_learns(tmp_path: Path, clusters: bool) -> None:
    folder = tmp_path / "lstm_on_gpu"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("build"))
    own = {**environment(), "PYTHONPATH": str(EXAMPLE.parents[1])}
    made = ["make", f"PYTHON={sys.executable}", f"CUDA={' '.join(driver())}", f"ARCH=compute_{90 if clusters else 80}"]
    done = subprocess.run([*made, "build/train"], cwd=folder, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    claimed = {"CUDA_CPU_ARCH": "90" if clusters else "80"}
    said = run([folder / "build" / "train"], folder, env=environment(**claimed)).decode()
    losses = [float(loss) for loss in re.findall(r"^step +\d+: loss (\S+)$", said, re.MULTILINE)]
    assert len(losses) == 4 and losses == sorted(losses, reverse=True) and losses[-1] < losses[0] / 20
    shown = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    assert said.splitlines()[0] in shown, "the loss of weights that are the same everywhere"
