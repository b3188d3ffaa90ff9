"""Kernels are made where nothing can be compiled: only calls need a compiler."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CompileError
from polyad.runtime import compiler as compiler_module
from polyad.runtime.compiler import describe_compiler, find_compiler
from tests.runtime.handmade import ENERGY, kernel_of


@pytest.fixture(autouse=True)
def fresh_answers():  # type: ignore[no-untyped-def]
    """Compilers come and go in these tests, so nothing is remembered from one to the next."""
    yield
    compiler_module._find.cache_clear()
    describe_compiler.cache_clear()


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def without_compiler(patch: pytest.MonkeyPatch, folder: Path) -> None:
    patch.delenv("CC", raising=False)
    patch.setenv("PATH", str(folder))


def compiler_for_elsewhere(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Compiles, but what it makes is no library of this machine: what a cross compiler does."""
    real = find_compiler().command[0]
    made = 'while [ $# -gt 1 ]; do [ "$1" = -o ] && case "$2" in *.so) printf elsewhere > "$2";; esac; shift; done'
    patch.setenv("CC", script(folder / "cross-cc", f'{real} "$@" || exit 1\n{made}'))


def broken_compiler(patch: pytest.MonkeyPatch, folder: Path) -> None:
    patch.setenv("CC", script(folder / "broken-cc", "echo out of order; exit 3"))


@pytest.mark.parametrize("machine", [without_compiler, compiler_for_elsewhere, broken_compiler])
def test_all_but_calls_needs_none(machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    A, x = np.ones((2, 3)), np.ones(3)
    with monkeypatch.context() as patch:
        machine(patch, tmp_path)
        kernel = kernel_of(ENERGY)
        assert "int energy(" in kernel.source
        assert "int energy(" in kernel.header
        assert "S[i]" in str(kernel.schedule)
        assert kernel.program.name == "energy"
        assert kernel.instances(N=4, K=3)["Sz"] == 12
        assert kernel.memory_plan(N=9, K=3).arrays == {"z": 72}
        assert pickle.loads(pickle.dumps(kernel)).source == kernel.source
        for _ in range(2):
            with pytest.raises(CompileError):
                kernel(A, x)
    assert kernel(A, x)[1] == pytest.approx(2 * np.tanh(3.0) ** 2), "with a compiler, it is compiled at its next call"
    assert kernel(A=A, x=x)[1] == pytest.approx(2 * np.tanh(3.0) ** 2)


def test_definitions_need_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_compiler(monkeypatch, tmp_path)
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x")
    kernel = pa.compile(pa.compute((N,), lambda i: x[i] * 3.5, name="y"), [x], name="times")
    assert "3.5" in kernel.source
    with pytest.raises(CompileError, match="no C compiler was found"):
        kernel(np.ones(3))
    with pytest.raises(CompileError, match="no C compiler was found"):
        pa.jit(lambda x: x * 2.25)(np.ones(3))


def test_a_compiler_that_writes_nothing_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`true` as a compiler: found out before a kernel asks it for the object file of the macro-kernel."""
    monkeypatch.setenv("CC", script(tmp_path / "idle-cc", "exit 0"))
    x = pa.placeholder((8, 8), "x", "float64")
    kernel = pa.compile(x @ x, [x], name="square")
    assert "int square(" in kernel.source
    with pytest.raises(CompileError, match="wrote no file: it is no C compiler"):
        kernel(np.ones((8, 8)))


def test_arguments_that_the_compiler_refuses_are_refused_at_once() -> None:
    """Only what is wrong with the machine waits for the first call."""
    with pytest.raises(CompileError, match="no-such-flag"):
        kernel_of(ENERGY, pa.Target("c", extra_flags=("-fno-such-flag",)))


def test_the_plan_counts_the_threads_that_would_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from polyad.runtime.cpu import usable_cores, usable_threads

    for text, expected in (("3", 3), ("5,2", 5), ("", usable_cores()), ("all", usable_cores()), ("0", usable_cores())):
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert usable_threads() == expected
