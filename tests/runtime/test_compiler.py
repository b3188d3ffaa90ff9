import os
import shutil
import subprocess
from pathlib import Path

import pytest

from polyad.errors import CompileError
from polyad.runtime import compiler as compiler_module
from polyad.runtime.compiler import archive, compile_object, describe_compiler, find_compiler, link_shared
from polyad.targets import Target

FILES = {"one.c": '#include "one.h"\nint one(void) { return 1; }\n', "one.h": "int one(void);\n"}


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def fresh_answers():  # type: ignore[no-untyped-def]
    """Compilers come and go in these tests, so nothing is remembered from one to the next."""
    compiler_module._find.cache_clear()
    describe_compiler.cache_clear()
    yield
    compiler_module._find.cache_clear()
    describe_compiler.cache_clear()


def test_a_compiler_is_found_and_known() -> None:
    found = find_compiler()
    assert Path(found.command[0]).is_absolute()
    assert found.version
    assert find_compiler() is found


def test_cc_is_respected_with_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "cc -DONE=1  '-DTWO=a b'")
    assert find_compiler().command == (shutil.which("cc"), "-DONE=1", "-DTWO=a b")


def test_a_cc_that_does_not_exist_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-cc -m64")
    with pytest.raises(CompileError, match="CC='no-such-cc -m64': there is no command 'no-such-cc'; unset CC"):
        find_compiler()


def test_no_compiler_at_all_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CompileError, match=r"apt install gcc.*dnf install gcc.*xcode-select --install") as caught:
        find_compiler()
    assert caught.value.command == ""


def test_the_order_is_gcc_clang_cc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CC", raising=False)
    real = find_compiler().command[0]
    for name in ("cc", "clang"):
        script(tmp_path / name, f'exec {real} "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path}")
    # The scripts call the real compiler, which finds its linker by itself only when the path has it.
    monkeypatch.setenv("COMPILER_PATH", str(Path(shutil.which("ld", path=os.defpath) or "/usr/bin/ld").parent))
    assert find_compiler().command[0] == str(tmp_path / "clang")


def test_openmp_is_tried_not_assumed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = find_compiler().command[0]
    lame = script(
        tmp_path / "lame-cc",
        f'for a in "$@"; do [ "$a" = -fopenmp ] && echo "omp.h not found" >&2 && exit 1; done\nexec {real} "$@"',
    )
    monkeypatch.setenv("CC", str(lame))
    found = find_compiler()
    assert not found.openmp
    assert "-fopenmp" not in found.flags(Target("openmp"))
    assert "-fopenmp-simd" in found.flags(Target("openmp"))


def test_answers_are_kept_until_the_compiler_changes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = find_compiler().command[0]
    log = tmp_path / "log"
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    counting = script(tmp_path / "cc", f'echo run >> {log}\nexec {real} "$@"')
    monkeypatch.setenv("CC", str(counting))
    first = find_compiler()
    runs = log.read_text().count("run")
    assert runs > 0
    describe_compiler.cache_clear()
    compiler_module._find.cache_clear()
    assert find_compiler() == first
    assert log.read_text().count("run") == runs
    describe_compiler.cache_clear()
    compiler_module._find.cache_clear()
    os.utime(counting, (1, 1))
    assert find_compiler().identity != first.identity
    assert log.read_text().count("run") > runs


def test_something_that_is_no_compiler_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", str(script(tmp_path / "cc", "echo I do not compile; exit 3")))
    with pytest.raises(CompileError, match="status 3") as caught:
        find_compiler()
    assert caught.value.output == "I do not compile"


def test_compile_archive_link(tmp_path: Path) -> None:
    found = find_compiler()
    flags = found.flags(Target("c"))
    built = compile_object(found, FILES, "one.c", flags, tmp_path)
    shared = link_shared(found, [built], flags, tmp_path / "libone.so")
    static = archive([built], tmp_path / "libone.a")
    assert shared.stat().st_size > 0
    before = static.read_bytes()
    assert archive([built], static).read_bytes() == before
    members = subprocess.run(["ar", "t", str(static)], capture_output=True, text=True, check=True).stdout.split()
    assert members == ["one.o"]


def test_a_failure_carries_command_and_output(tmp_path: Path) -> None:
    found = find_compiler()
    with pytest.raises(CompileError) as caught:
        compile_object(found, {"bad.c": "int f(void) { return nothing; }\n"}, "bad.c", ("-std=c99",), tmp_path)
    assert "bad.c" in caught.value.command
    assert "nothing" in caught.value.output
    assert caught.value.output in str(caught.value)


def test_two_versions_of_a_program_differ_in_identity(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = find_compiler().command[0]
    one = describe_compiler((str(script(tmp_path / "one", f'exec {real} "$@"')),))
    two = describe_compiler((str(script(tmp_path / "two", f'exec {real} "$@"')),))
    assert one.identity != two.identity


def test_a_cc_that_is_no_command_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "gcc 'unclosed")
    with pytest.raises(CompileError, match=r"CC=.*cannot be read as a command \(No closing quotation\); unset CC"):
        find_compiler()
