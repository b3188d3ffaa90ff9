"""The macro-kernel is compiled once for many kernels, and computes what an exported kernel computes."""

import ctypes
import shutil
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
from polyad.runtime.compiler import find_compiler

QUICK = pa.Target(extra_flags=("-O0",))  # all passes, and a compiler in a hurry


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a compiler that writes down what it is asked."""
    log, script = tmp_path / "commands", tmp_path / "cc"
    script.write_text(f'#!/bin/sh\necho "$*" >> {log}\nexec {find_compiler().command[0]} "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    return log


def product(name: str, dtype: str, size: int = 40) -> pa.Kernel:
    a, b = (pa.placeholder((size, size), n, dtype) for n in "ab")
    return pa.compile(a @ b, [a, b], name=name, target=QUICK)


def compiled(log: Path, name: str) -> int:
    return sum(line.endswith(f" -c -o {name}.o {name}.c") for line in log.read_text().splitlines())


def test_kernels_share_one_object_for_each_type(commands: Path) -> None:
    rng = np.random.default_rng(0)
    for name, dtype in (("p", "float64"), ("q", "float64"), ("r", "float32")):
        a, b = (rng.standard_normal((40, 40)).astype(dtype) for _ in range(2))
        np.testing.assert_allclose(product(name, dtype)(a, b), a @ b, rtol=1e-5, atol=1e-5)
        assert compiled(commands, name) == 1
    assert compiled(commands, "pa_contraction_f64") == compiled(commands, "pa_contraction_f32") == 1


def test_a_kernel_without_contractions_asks_for_none(commands: Path) -> None:
    x = pa.placeholder((5,), "x")
    pa.compile(x * 2.0, [x], name="twice", target=QUICK)(np.ones(5, "float32"))
    assert "pa_contraction" not in commands.read_text()


@pytest.mark.skipif(shutil.which("ar") is None, reason="exports need ar")
def test_an_exported_kernel_holds_the_macro_kernel_itself(commands: Path, tmp_path: Path) -> None:
    """Compiled for the same machine both compute the same bits."""
    kernel = product("alone", "float64")
    kernel(*np.zeros((2, 40, 40)))
    commands.write_text("")
    kernel.export(tmp_path / "out", march="native")
    assert "PA_CONTRACTION_LINKED" not in commands.read_text()
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 40, 40))
    library = ctypes.CDLL(str(next((tmp_path / "out").glob("libalone.*[!a]"))))
    out, sizes = np.zeros((40, 40)), ctypes.c_int64()
    library.alone_workspace.restype = ctypes.c_size_t
    needed = library.alone_workspace(ctypes.byref(sizes))
    scratch = ctypes.create_string_buffer(needed)
    arrays = [ctypes.c_void_p(x.ctypes.data) for x in (a, b, out)]
    assert library.alone(ctypes.byref(sizes), *arrays, scratch, ctypes.c_size_t(needed)) == 0
    np.testing.assert_array_equal(out, kernel(a, b))
