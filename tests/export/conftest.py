"""Kernels to export, and the C compilers to try them with."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyad.kernel import Kernel
from polyad.ops.program_text import parse_program
from polyad.pipeline import compile_program

NORMED = """
program normed: [N, K] -> { : N >= 1 and K >= 1 }
  input     A: float64[N, K]
  input     x: float64[K]
  temporary z: float64[N]
  output    y: float64[N]
  output    total: float64[]
  Sz: [N, K] -> { Sz[i, k] : 0 <= i < N and 0 <= k < K }
      z[i] += tanh(A[i, k] * x[k])
  St: [N, K] -> { St[i] : 0 <= i < N }
      total[] += z[i] * z[i]
  Sy: [N, K] -> { Sy[i] : 0 <= i < N }
      y[i] = z[N - 1 - i] / sqrt(1 + total[])
"""

GATHER = """
program gather: [V, D, T] -> { : V >= 1 and D >= 1 and T >= 1 }
  input     table: float32[V, D]
  input     ids: int32[T]
  output    rows: float32[T, D]
  S: [V, D, T] -> { S[t, d] : 0 <= t < T and 0 <= d < D }
      rows[t, d] = table[ids[t], d]
"""


@pytest.fixture(scope="session")
def kernel() -> Kernel:
    """(A, x) -> (y, total), with a workspace."""
    return compile_program(parse_program(NORMED))


@pytest.fixture(scope="session")
def gather() -> Kernel:
    """(table, ids) -> rows, with indices that are checked."""
    return compile_program(parse_program(GATHER))


@pytest.fixture(scope="session")
def exported(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `kernel`; nobody writes to it."""
    directory = tmp_path_factory.mktemp("export with a space") / "normed"
    kernel.export(directory)
    return directory


@pytest.fixture(scope="session")
def exported_gather(gather: Kernel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `gather`; nobody writes to it."""
    directory = tmp_path_factory.mktemp("gather")
    gather.export(directory)
    return directory


def needs(*commands: str) -> pytest.MarkDecorator:
    """Skip a test where a command is missing."""
    missing = [command for command in commands if shutil.which(command) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def run(command: Sequence[str | Path], cwd: Path, **options: object) -> bytes:
    """Run a command that has to succeed; returns its output."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{command}\n{done.stdout.decode()}\n{done.stderr.decode()}"
    return bytes(done.stdout)
