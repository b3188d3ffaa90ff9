"""Exports that need no compiler, or one for another machine; and what a host's build system and editor are told."""

import re
import shutil
import struct
from pathlib import Path

import pytest

from polyad.errors import CallError
from polyad.kernel import Kernel
from polyad.runtime.status import Status
from tests.export.conftest import needs, run

AARCH64 = "aarch64-linux-gnu-gcc"
ELF_AARCH64 = 183  # e_machine


def test_source_files_need_no_compiler(kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", str(tmp_path / "nothing here"))
    written = kernel.export(tmp_path / "out", source_only=True, name="other")
    assert sorted(p.name for p in written) == ["other.c", "other.h", "polyad_runtime.h"]
    assert kernel.export(tmp_path / "out", source_only=True, name="other") == written, "over what it wrote before"


@pytest.mark.skipif(shutil.which(AARCH64) is None, reason="no cross compiler")
def test_a_cross_compiler_makes_libraries_of_its_machine(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", AARCH64)
    kernel.export(tmp_path)
    head = (tmp_path / "libnormed.so").read_bytes()[:20]
    assert head[:4] == b"\x7fELF" and struct.unpack_from("<H", head, 18) == (ELF_AARCH64,)
    assert (tmp_path / "libnormed.a").read_bytes().startswith(b"!<arch>\n")


def test_a_host_needs_nothing_but_the_header(kernel: Kernel) -> None:
    """The codes by name, the ABI, and a comment for each argument."""
    codes = dict(re.findall(r"#define POLYAD_(?:ERROR_)?(\w+) \(?(-?\d+)\)?", kernel.header))
    assert {name: int(value) for name, value in codes.items()} == {status.name: status.value for status in Status}
    assert "#define NORMED_POLYAD_ABI 1" in kernel.header and "#define NORMED_POLYAD_VERSION" in kernel.header
    for argument in ("[in] A double [N, K]", "[in] x double [K]", "[out] y double [N]", "[out] total double []"):
        assert f" * @param{argument}\n" in kernel.header
    for argument in ("sizes", "workspace", "workspace_bytes"):
        assert f" * @param {argument} " in kernel.header


def test_versions_are_numbers(kernel: Kernel, tmp_path: Path) -> None:
    with pytest.raises(CallError, match="numbers with dots") as caught:
        kernel.export(tmp_path, version="new")
    assert caught.value.argument == "version" and not list(tmp_path.iterdir())


@needs("cmake")
@pytest.mark.parametrize(("asked", "found"), [("1.0", True), ("1", True), ("", True), ("1.1", False), ("0.9", False)])
def test_cmake_finds_the_version_asked_for(exported: Path, tmp_path: Path, asked: str, found: bool) -> None:
    script = (
        f'find_package(normed {asked} CONFIG QUIET PATHS "{exported}")\nmessage(STATUS "found=${{normed_FOUND}}")\n'
    )
    (tmp_path / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.13)\nproject(p NONE)\n{script}")
    said = run(["cmake", "-S", tmp_path, "-B", tmp_path / "build"], tmp_path).decode()
    assert f"found={int(found)}" in said
