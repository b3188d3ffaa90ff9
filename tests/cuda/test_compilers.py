"""NVIDIA's compilers on generated text: no warnings, no registers spilled, machine code for each generation."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

import polyad_c
from polyad.runtime.cuda.compilers import find_cuda_compiler
from polyad.runtime.library import source_files
from tests.cuda.device import kernel_of
from tests.cuda.test_programs import CASES

STRICT = ["-std=c++17", "-Werror", "all-warnings", "-Xptxas", "-v"]


def compiled(files: dict[str, str], folder: Path, arch: str) -> str:
    """The words of nvcc, which is found; a complaint fails the test."""
    compiler = find_cuda_compiler()
    if compiler.library:
        pytest.skip("NVRTC prints no warnings of a translation")
    for name, text in files.items():
        (folder / name).write_text(text)
    (main,) = (name for name in files if name.endswith(".cu"))
    command = [str(compiler.path), *STRICT, f"-arch={arch}", "-cubin", "-o", "out.cubin", main]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


@dataclass(frozen=True, slots=True)
class Resources:
    """Resources of a kernel: registers of a thread, bytes of shared memory of a block, bytes of registers in memory."""

    registers: int
    shared: int
    spilled: int


def resources(said: str) -> dict[str, Resources]:
    """Kernel -> its resources, by what ptxas says of each."""
    found = {}
    for part in said.split("Compiling entry function '")[1:]:
        (registers,) = re.findall(r"Used (\d+) registers", part)
        shared = re.findall(r"(\d+) bytes smem", part) or ["0"]
        spilled = re.findall(r"(\d+) bytes spill", part)
        assert spilled, "the compiler says it of each kernel"
        found[part.split("'")[0]] = Resources(int(registers), int(shared[0]), sum(map(int, spilled)))
    return found


def spills(said: str) -> int:
    """How many bytes of registers go to memory."""
    found = resources(said)
    assert found, "the compiler says it of each kernel"
    return sum(own.spilled for own in found.values())


@pytest.mark.parametrize("arch", ["sm_90", "sm_80", "sm_100"])
@pytest.mark.parametrize("name", ["LSTM", "rows", "gather", "two dimensions", "integers", "long prefix", "scans"])
@pytest.mark.quick_cases(1)
def test_kernels_compile_without_a_word(name: str, arch: str, tmp_path: Path) -> None:
    function, given = CASES[name]
    said = compiled(source_files(kernel_of(function, *given).code), tmp_path, arch)
    assert spills(said) == 0


def test_no_options_that_make_results_wrong() -> None:
    text = "".join(Path(p).read_text() for p in Path("polyad/runtime/cuda").glob("*.py"))
    assert "fast_math" not in text and "fast-math" not in text


def test_the_header_has_what_kernels_name() -> None:
    header = polyad_c.header("polyad_cuda.h")
    for macro in ("PA_KERNEL", "PA_MEET", "PA_LEAVE_IF", "PA_UNROLL", "PA_GRID_THREAD", "PA_BLOCK", "PA_THREAD"):
        assert f"#define {macro}" in header
