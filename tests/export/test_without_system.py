"""Compilers for machines without a system: they make object files and no shared libraries."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CompileError
from tests.export.conftest import needs

BARE = """#!/bin/sh
for argument in "$@"; do
  case "$argument" in -shared|-fopenmp|-march=native) echo "cannot find crt0.o" >&2; exit 1;; esac
done
exec gcc -ffreestanding -nostdlib "$@"
"""


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    compiler = tmp_path / "bare-cc"
    compiler.write_text(BARE, encoding="utf-8")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    return compiler


def kernel() -> pa.Kernel:
    N = pa.sizes("N")
    x, w = pa.placeholder((N,), name="x"), pa.placeholder((N,), name="w", dtype="int8")
    target = pa.Target("c", march=None, index="int32")
    return pa.compile({"y": x * w.astype("float32")}, [x, w], name="scaled", target=target)


@needs("gcc", "ar")
def test_what_is_written_links_elsewhere(bare: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    written = kernel().export(out)
    names = {"scaled.c", "scaled.h", "polyad_runtime.h", "scaled.o", "libscaled.a"}
    assert {p.name for p in written} == {p.name for p in out.iterdir()} == names
    kernel().export(out)  # what was written is written again
    library = out / "linked.so"
    subprocess.run(["gcc", "-shared", "-o", library, out / "scaled.o", "-lm"], check=True)
    x, w, y = np.arange(5, dtype="float32"), np.array([1, -1, 2, -128, 127], "int8"), np.empty(5, "float32")
    function = ctypes.CDLL(str(library)).scaled
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (x, w, y)]
    assert function(ctypes.byref(ctypes.c_int64(5)), *pointers, None, ctypes.c_size_t(0)) == 0
    np.testing.assert_array_equal(y, x * w)


@needs("gcc", "ar")
def test_nothing_of_it_runs_here(bare: Path) -> None:
    with pytest.raises(CompileError, match=r"links no shared libraries: .*kernel.export writes object files"):
        kernel()(np.ones(3, "float32"), np.ones(3, "int8"))
