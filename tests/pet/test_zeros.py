"""In the order of C, what algebra would fold stays: 0 times infinity is nan, and zeros keep their signs."""

import ctypes
import itertools
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
from polyad.pet.c_program import from_c
from tests.pet.corpus import FLAGS
from tests.pet.extracted import NEEDS_PET
from tests.pet.test_programs import PLAIN

pytestmark = NEEDS_PET

VALUES = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 1e-310, 3.0]

ROWS = [
    "0.0{f} * x[i]",
    "x[i] * -0.0{f}",
    "x[i] + 0.0{f}",
    "-0.0{f} + x[i]",
    "0.0{f} - x[i]",
    "x[i] - 0.0{f}",
    "0.0{f} / x[i]",
    "-(x[i] - y[i])",
    "-1.0{f} * (x[i] - y[i])",
    "(x[i] - y[i]) / -1.0{f}",
    "x[i] + -y[i]",
    "x[i] - -y[i]",
    "1.0{f} / (0.0{f} * -fabs{f}(x[i]))",
    "x[i] * 1.0{f} / 1.0{f}",
    "x[i] * (0.1{f} * 3.0{f})",
    "x[i] + (0.1{f} + 0.2{f})",
    "(x[i] < y[i] ? 0.0{f} : -0.0{f}) * y[i]",
]


def bits(numbers: np.ndarray) -> list[str]:
    """Each number with its sign; one nan is as good as another."""
    return ["nan" if np.isnan(x) else f"{x.item().hex()}" for x in numbers.ravel()]


@pytest.mark.parametrize(("real", "suffix"), [("double", ""), ("float", "f")])
@pytest.mark.quick_cases(1)
def test_nothing_is_folded_in_the_order_of_c(real: str, suffix: str, tmp_path: Path) -> None:
    rows = "\n".join(f"        r[{k}][i] = {row.format(f=suffix)};" for k, row in enumerate(ROWS))
    head = f"void f(int n, const {real} x[n], const {real} y[n], {real} r[{len(ROWS)}][n])"
    body = f"#pragma scop\n    for (int i = 0; i < n; i++) {{\n{rows}\n    }}\n#pragma endscop"
    (tmp_path / "f.c").write_text(f"#include <math.h>\n{head}\n{{\n{body}\n}}\n")
    library = tmp_path / "f.so"
    command = [os.environ.get("CC", "cc"), "-w", *FLAGS, "-shared", "-o", str(library), str(tmp_path / "f.c"), "-lm"]
    subprocess.run(command, check=True)
    dtype = np.dtype("float64" if real == "double" else "float32")
    with np.errstate(all="ignore"):
        x, y = (np.array(v, dtype) for v in zip(*itertools.product(VALUES, VALUES), strict=True))
    wanted = np.zeros((len(ROWS), len(x)), dtype)
    ctypes.CDLL(str(library)).f(len(x), x.ctypes.data_as(ctypes.c_void_p), y.ctypes.data_as(ctypes.c_void_p),
                                wanted.ctypes.data_as(ctypes.c_void_p))  # fmt: skip
    program = from_c(tmp_path / "f.c")
    kernel = pa.compile(program, target=PLAIN, schedule=program.schedule)
    found = kernel(n=len(x), x=x, y=y)["r"]
    for row, mine, theirs in zip(ROWS, found, wanted, strict=True):
        assert bits(mine) == bits(theirs), row
    kernel.certify()


def test_elsewhere_they_are(tmp_path: Path) -> None:
    """As polyad does with all equations: a derivative would carry its zeros along."""
    (tmp_path / "f.c").write_text(
        "void f(int n, double x[n], double r[n])\n{\n  for (int i = 0; i < n; i++)\n    r[i] = 0.0 * x[i] + 2.0;\n}"
    )
    program = from_c(tmp_path / "f.c", function="f")
    assert "* x" not in pa.compile(program).source
    assert "* x" in pa.compile(program, schedule=program.schedule).source
