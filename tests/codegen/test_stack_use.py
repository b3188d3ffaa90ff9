"""How much of the C stack kernels take: little, whatever the sizes are, because threads often have little."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from polyad.codegen.options import CodegenOptions
from polyad.runtime.contraction_object import LINKED_FLAGS
from tests import programs_gradient
from tests.codegen.compiled import INCLUDE, source_of
from tests.codegen.test_contractions import SHAPES
from tests.codegen.test_prefix import OVER

LIMIT = 16 * 1024  # bytes of one function; docs/guide/export.md tells users so
FLAGS = ("-std=c99", "-O3", "-march=native", "-fopenmp", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math")

# A prefix scan whose steps leave a dozen numbers each to the loop after it.
_KEPT = range(12)
MANY = (
    "program many: [T] -> { : T >= 1 }\n"
    + "".join(f"  input x{i}: float64[T]\n" for i in _KEPT)
    + "".join(f"  temporary v{i}: float64[T]\n  output y{i}: float64[T]\n" for i in _KEPT)
    + "  output h: float64[T + 1]\n  H0: [T] -> { H0[] }\n      h[0] = 0.5\n"
    + "".join(f"  V{i}: [T] -> {{ V{i}[t] : 0 <= t < T }}\n      v{i}[t] = tanh(x{i}[t])\n" for i in _KEPT)
    + "  H: [T] -> { H[t] : 0 <= t < T }\n      h[t + 1] = 0.5 * h[t] + "
    + " + ".join(f"v{i}[t]" for i in _KEPT)
    + "\n"
    + "".join(f"  Y{i}: [T] -> {{ Y{i}[t] : 0 <= t < T }}\n      y{i}[t] = h[t] * v{i}[t]\n" for i in _KEPT)
)

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="clang has no -fstack-usage that older ones know")


def stack_use(text: str, folder: Path, *flags: str) -> Mapping[str, int]:
    """Function -> bytes of its frame, none of which depends on data."""
    source = folder / "kernel.c"
    source.write_text(text, encoding="utf-8")
    command = ["gcc", *FLAGS, *flags, "-fstack-usage", f"-I{INCLUDE}", "-c", "-o", "kernel.o", source.name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in (folder / "kernel.su").read_text().splitlines()]
    assert all("dynamic" not in kind or "bounded" in kind for _, _, kind in rows), rows
    return {place.rsplit(":", 1)[-1]: int(count) for place, count, _ in rows}


KERNELS = {
    "LSTM gradient": programs_gradient.LSTM_GRADIENT,
    "product": SHAPES["product"][0],
    "convolution": SHAPES["strided and dilated windows"][0],
    "prefix scan": OVER,
    "prefix scan that keeps much": MANY,
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.quick_cases(2)
def test_a_kernel_takes_little_stack(name: str, tmp_path: Path) -> None:
    used = stack_use(source_of(KERNELS[name], CodegenOptions())[1].c, tmp_path, *LINKED_FLAGS)
    assert used and max(used.values()) <= LIMIT, used


def test_the_macro_kernel_takes_little_stack(tmp_path: Path) -> None:
    text = '#define PA_CONTRACTION_F64\n#include "polyad_contraction.h"\n'
    used = stack_use(text, tmp_path, "-DPA_CONTRACTION_OBJECT")
    assert "pa_contract_part_f64" in " ".join(used) and max(used.values()) <= LIMIT, used
