"""Sizes whose workspace no memory holds: refused, on machines of 32 and 64 bits, and nothing overflows on the way."""

import re
import subprocess
from pathlib import Path

import pytest

from polyad.codegen.options import CodegenOptions
from polyad.codegen.source import Source
from polyad.schedule.strategies import Strategies
from tests.codegen.compiled import FLAGS, INCLUDE, STRICT, Library, source_of

GRID = """
program grid: [T, N] -> { : T >= 1 and 1 <= N <= 1000000000000 + T }
  input     x: float64[N]
  temporary s: float64[T, 2 * N - 1]
  output    y: float64[]
  S: [T, N] -> { S[t, n] : 0 <= t < T and 0 <= n < 2 * N - 1 }
      s[t, n] = x[n // 2]
  Y: [T, N] -> { Y[t, n] : 0 <= t < T and 0 <= n < 2 * N - 1 }
      y[] += s[t, n]
"""
SIZE, WORKSPACE = -3, -2
WILD = (-(2**63), -(2**47), -1, 0, 1, 3, 4095, 2**17, 2**20, 2**31 - 1, 2**31, 2**44 - 1, 2**47, 2**61 + 8, 2**63 - 1)
PAIRS = [(a, b) for a in WILD for b in WILD]
HOST = """
#include <stdio.h>
int main(void)
{
    static const int64_t given[][2] = {%s};
    static double x[1], y[1], buffer[16];
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i += 1) {
        grid_sizes sizes;
        sizes.T = given[i][0];
        sizes.N = given[i][1];
        const size_t bytes = grid_workspace(&sizes);
        printf("%%d %%d\\n", grid(&sizes, x, y, buffer, 1), bytes == SIZE_MAX ? 1 : 0);
    }
    return 0;
}
"""


def grid() -> Source:
    none = Strategies.at_level(0)
    return source_of(GRID, CodegenOptions(openmp=False, strategies=none))[1]


def literal(value: int) -> str:
    return "INT64_MIN" if value == -(2**63) else f"INT64_C({value})"


def wanted(T: int, N: int, pointer_bits: int) -> int:
    """The status of a call with one byte of workspace."""
    if not (1 <= T < 2**46 and 1 <= N < 2**46 and N <= 10**12 + T):
        return SIZE
    fits = 2 ** (pointer_bits - 1) > T * (2 * N - 1) * 8 + 128
    return WORKSPACE if fits else SIZE


@pytest.mark.parametrize("bits", [64, 32])
def test_sizes_too_large_for_memory_are_refused(bits: int, tmp_path: Path) -> None:
    """Of all pairs of wild sizes, with the compiler's checks for undefined behaviour on."""
    machine = [] if bits == 64 else ["-m32", "-msse2", "-mfpmath=sse"]
    flags = ["-std=c99", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all", *STRICT, *machine]
    probe = tmp_path / "probe.c"
    probe.write_text('#include <stdio.h>\nint main(void) { puts(""); return 0; }\n')
    if (
        bits == 32
        and subprocess.run(
            ["gcc", *flags, str(probe), "-o", str(probe.with_suffix(""))], capture_output=True
        ).returncode
    ):
        pytest.skip("no libraries for -m32 here")
    source, program = tmp_path / "host.c", tmp_path / "host"
    pairs = ", ".join(f"{{{literal(a)}, {literal(b)}}}" for a, b in PAIRS)
    source.write_text(grid().c + HOST % pairs)
    done = subprocess.run(
        ["gcc", *flags, f"-I{INCLUDE}", "-o", str(program), str(source), "-lm"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    found = [tuple(map(int, line.split())) for line in ran.stdout.splitlines()]
    assert found == [(status, int(status == SIZE)) for status in (wanted(a, b, bits) for a, b in PAIRS)]


def test_sizes_of_kernels_without_a_workspace_are_looked_at() -> None:
    source = source_of(
        """
program sums: [N] -> { : N >= 0 }
  input     x: float64[N]
  output    y: float64[]
  Y: [N] -> { Y[n] : 0 <= n < N }
      y[] += x[n]
"""
    )[1]
    assert not source.memory.slots
    library = Library(source, flags=FLAGS)
    x = library.ffi.new("double[1]")
    for N in (-1, 2**61 + 8):
        sizes = library.sizes({"N": N})
        assert library.library.sums(sizes, x, x, library.ffi.NULL, 0) == SIZE
        assert library.library.sums_workspace(sizes) == 2**64 - 1


def test_sizes_that_are_multiplied_have_less_room() -> None:
    """3000000 * N stays within 63 bits where N is within 40."""
    c = source_of(
        """
program wide: [N] -> { : N >= 1 }
  input     x: float64[N]
  temporary s: float64[3000000 * N]
  output    y: float64[]
  S: [N] -> { S[n] : 0 <= n < 3000000 * N }
      s[n] = x[n // 3000000]
  Y: [N] -> { Y[n] : 0 <= n < 3000000 * N }
      y[] += s[n]
""",
        CodegenOptions(strategies=Strategies.at_level(0)),
    )[1].c
    assert "pa_is_size(N, 40)" in c


def test_the_sizes_are_looked_at_once() -> None:
    """By the workspace function, which the kernel asks; a kernel without a workspace does so itself."""
    refused = "return POLYAD_ERROR_SIZE;"
    *_, asks, kernel = re.split(r"\n(?=int|size_t)", grid().c)
    assert asks.count("return SIZE_MAX;") == 2
    assert [line.strip() for line in kernel.splitlines() if refused in line] == [f"if (bytes == SIZE_MAX) {refused}"]

    plain = source_of(GRID.replace("temporary s", "output s"))[1]
    assert not plain.memory.slots
    assert plain.c.rpartition("\nint grid(")[2].count(refused) == 2
