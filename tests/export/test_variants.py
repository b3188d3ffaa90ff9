"""Exported libraries choose code for the processor they run on, and hold none that an older one would trip over."""

import ctypes
import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from polyad.errors import CompileError
from polyad.export.dispatch import dispatcher_text
from polyad.export.library import variant_objects
from polyad.kernel import Kernel
from polyad.runtime.compiler import compile_object, find_compiler, link_shared, offers_variants
from polyad.runtime.cpu import this_cpu
from polyad.runtime.library import source_files
from polyad.targets import Target
from polyad.targets.variants import BASELINE, VARIANTS
from tests.export.conftest import needs, run

pytestmark = pytest.mark.skipif(
    this_cpu().architecture != "x86_64" or not offers_variants(find_compiler()), reason="one variant only"
)
PORTABLE = Target("openmp", march=None)
SYSTEM = {"sse4.2": "sse4_2", "bmi": "bmi1"}  # what the system calls features by other names
WIDE = re.compile(r"%[yz]mm|%k[1-7]\b")


@pytest.fixture(scope="module")
def objects(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The object file of each variant, and of the function that chooses."""
    compiler = find_compiler()
    made = variant_objects(compiler, kernel.code, compiler.flags(PORTABLE), tmp_path_factory.mktemp("variants"))
    return dict(zip(["dispatch", *(v.suffix for v in VARIANTS)], made, strict=True))


def test_variants_are_ordered_and_the_last_asks_for_nothing() -> None:
    for better, worse in itertools.pairwise(VARIANTS):
        assert set(better.features) > set(worse.features)
    assert VARIANTS[-1] == BASELINE and not BASELINE.features and not BASELINE.flags


@needs("objdump")
def test_wide_registers_only_where_the_processor_was_asked(objects: dict[str, Path], tmp_path: Path) -> None:
    wide = {name: bool(WIDE.search(run(["objdump", "-d", path], tmp_path).decode())) for name, path in objects.items()}
    assert wide == {"dispatch": False, "x86_64": False, "x86_64_v2": False, "x86_64_v3": True, "x86_64_v4": True}


@needs("nm", "objcopy")
def test_the_variants_do_not_show(exported: Path, tmp_path: Path) -> None:
    for library in ("libnormed.a", "libnormed.so"):
        listed = run(["nm", "-g", "--defined-only", exported / library], tmp_path).decode()
        assert set(re.findall(r" T (\w+)", listed)) == {"normed", "normed_workspace"}


def forced(kernel: Kernel, objects: dict[str, Path], best: str, folder: Path) -> ctypes.CDLL:
    """The library as it behaves on a processor whose best variant is `best`."""
    compiler, name = find_compiler(), f"forced_{best}"
    features = next(v.features for v in VARIANTS if v.suffix == best)
    answers = " || ".join(f'!strcmp(feature, "{f}")' for f in features) or "0"
    pretend = f"#include <string.h>\nstatic int pretend(const char *feature) {{ (void)feature; return {answers}; }}\n"
    text = dispatcher_text(kernel.code, VARIANTS)
    assert text.count("__builtin_cpu_supports") == sum(len(v.features) for v in VARIANTS)
    files = source_files(kernel.code) | {f"{name}.c": pretend + text.replace("__builtin_cpu_supports", "pretend")}
    flags = compiler.flags(PORTABLE)
    chooser = compile_object(compiler, files, f"{name}.c", flags, folder)
    variants = [path for suffix, path in objects.items() if suffix != "dispatch"]
    return ctypes.CDLL(str(link_shared(compiler, [chooser, *variants], flags, folder / f"{name}.so")))


@pytest.mark.parametrize("best", [v.suffix for v in VARIANTS])
def test_variants_agree(kernel: Kernel, objects: dict[str, Path], best: str, tmp_path: Path) -> None:
    needed = {SYSTEM.get(f, f) for v in VARIANTS if v.suffix == best for f in v.features}
    if missing := needed - set(this_cpu().features):
        pytest.skip(f"this processor has no {', '.join(sorted(missing))}")
    library = forced(kernel, objects, best, tmp_path)
    rng = np.random.default_rng(0)
    for n, k in ((1, 1), (7, 5), (64, 33)):
        A, x = rng.uniform(0.1, 1.0, (n, k)), rng.uniform(0.1, 1.0, k)
        y, total = np.empty(n), np.empty(())
        sizes = (ctypes.c_int64 * 2)(n, k)
        library.normed_workspace.restype = ctypes.c_size_t
        room = library.normed_workspace(sizes)
        work = ctypes.create_string_buffer(room)
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in (A, x, y, total)]
        assert library.normed(sizes, *pointers, work, ctypes.c_size_t(room)) == 0
        for found, expected in zip((y, total), kernel(A, x), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-14)  # sums in another order, of positive terms


@needs("nm", "objdump")
def test_march_means_exactly_that(kernel: Kernel, tmp_path: Path) -> None:
    for march, wide in (("x86-64", False), ("x86-64-v3", True)):
        kernel.export(tmp_path, march=march)
        dump = run(["objdump", "-d", tmp_path / "libnormed.so"], tmp_path).decode()
        assert bool(WIDE.search(dump)) == wide
        assert "x86_64" not in run(["nm", tmp_path / "libnormed.so"], tmp_path).decode()


def test_without_variants_there_is_one(kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyad.export.library.offers_variants", lambda compiler: False)
    kernel.export(tmp_path)
    assert "x86_64" not in run(["nm", tmp_path / "libnormed.a"], tmp_path).decode()


def test_a_failing_variant_is_a_compile_error(kernel: Kernel, tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="no-such-flag"):
        variant_objects(find_compiler(), kernel.code, ("--no-such-flag",), tmp_path)
