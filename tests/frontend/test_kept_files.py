"""One schedule and one C file, written once and never regenerated: what users have saved goes on working.

The files were written by `python -m tests.frontend.test_kept_files` on the day names stopped depending on the user's
program text (docs/decisions/0020-names-follow-definitions.md). A change that makes a test here fail breaks the files of
users: it needs a way to read the old ones, not new files.
"""

import ctypes
import subprocess
from pathlib import Path

import numpy as np

import polyad as pa
from polyad.runtime.compiler import find_compiler

KEPT = Path(__file__).parent / "kept"
HEADERS = Path(pa.__file__).parent.parent / "polyad_c" / "include"


def saved(gradient: bool = True, schedule: pa.Schedule | None = None) -> pa.Kernel:
    """A smoothing recurrence, its energy and the gradient of that, as a user would write it."""
    T, B = pa.sizes("T B")
    x = pa.placeholder((T, B), "x", "float64")
    a = pa.placeholder((), "a", "float64")
    _, hs = pa.scan(lambda h, v: (a * h + v,) * 2, pa.numpy.zeros((B,), "float64"), x)
    energy = pa.numpy.sum(pa.tanh(hs) ** 2)
    outputs = {"energy": energy} | ({"da": pa.grad(energy, [a])[0]} if gradient else {})
    return pa.compile(outputs, [x, a], name="smooth", target=pa.Target("c", optimize=1), schedule=schedule)


X, A = np.linspace(-1, 1, 12).reshape(4, 3), np.array(0.7)


def test_the_kept_schedule_is_one_of_the_program_still() -> None:
    kept = pa.Schedule.load(KEPT / "smooth.yaml")
    found = saved(gradient=False, schedule=kept)(X, A)
    np.testing.assert_allclose(found["energy"], saved(gradient=False)(X, A)["energy"], rtol=1e-12)


def test_the_kept_c_file_compiles_and_computes_the_same(tmp_path: Path) -> None:
    kernel = saved()
    kept = (KEPT / "smooth.c").read_text()
    head = "int smooth(const smooth_sizes *sizes, const double *x, const double *a, double *energy, double *da,"
    assert head in " ".join(kernel.source.split())
    assert head in " ".join(kept.split())

    library = tmp_path / "smooth.so"
    command = [
        *find_compiler().command,
        "-std=c99",
        "-O1",
        "-fPIC",
        "-shared",
        f"-I{HEADERS}",
        "-o",
        library,
        KEPT / "smooth.c",
    ]
    subprocess.run([*map(str, command), "-lm"], check=True, timeout=60)
    smooth = ctypes.CDLL(str(library))
    sizes = (ctypes.c_int64 * 2)(*(4 if name == "T" else 3 for name in kernel.program.params))
    smooth.smooth_workspace.restype = ctypes.c_size_t
    room = smooth.smooth_workspace(sizes)
    space = np.zeros(room + 64, np.uint8)
    energy, da = np.zeros(()), np.zeros(())
    pointers = [v.ctypes.data_as(ctypes.c_void_p) for v in (X, A, energy, da, space)]
    assert smooth.smooth(sizes, *pointers, ctypes.c_size_t(room)) == 0
    for found, expected in zip((energy, da), kernel(X, A).values(), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


if __name__ == "__main__":
    saved(gradient=False).schedule.save(KEPT / "smooth.yaml")
    (KEPT / "smooth.c").write_text(saved().source)
