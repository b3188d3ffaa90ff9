"""C functions that mix signs and widths of integers at random: read they compute what gcc's do, or they are refused."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import islpy as isl
import numpy as np
import pytest

from polyad.errors import CallError, ExtractionError
from polyad.pet.c_program import CProgram, from_c
from polyad.semantics.evaluate import evaluate
from tests.pet.extracted import NEEDS_PET
from tests.pet.mixed_integers import ARRAYS, SIZES, drawn_function

pytestmark = NEEDS_PET

DTYPES = {
    "int": np.int32,
    "unsigned": np.uint32,
    "long": np.int64,
    "size_t": np.uint64,
    "short": np.int16,
    "unsigned char": np.uint8,
}
NUMBERS = {"n": ctypes.c_int, "k": ctypes.c_uint, "m": ctypes.c_size_t, "w": ctypes.c_long}
FLAGS = ("-std=c99", "-O1", "-w", "-ffp-contract=off", "-fPIC", "-shared")
HEAD = "#include <stddef.h>\n"


def compiled(functions: dict[str, str], folder: Path) -> ctypes.CDLL:
    """All functions in one library."""
    (folder / "all.c").write_text(HEAD + "\n".join(functions.values()))
    subprocess.run(["cc", *FLAGS, "-o", str(folder / "all.so"), str(folder / "all.c")], check=True)
    return ctypes.CDLL(str(folder / "all.so"))


def arguments(sizes: dict[str, int]) -> dict[str, Any]:
    """Arrays for a call."""
    n = sizes["n"]
    draw = np.random.default_rng(n)
    data = {name: np.array(values[:n], DTYPES[kind]) for name, (kind, values) in ARRAYS.items()}
    return {**data, "x": draw.normal(size=n), "y": draw.normal(size=n)}


def of_c(library: ctypes.CDLL, name: str, sizes: dict[str, int], given: dict[str, Any]) -> np.ndarray[Any, Any]:
    """Return y as C leaves it."""
    passed = {**given, "y": given["y"].copy()}
    numbers = [NUMBERS[size](value) for size, value in sizes.items()]
    getattr(library, name)(*numbers, *(ctypes.c_void_p(array.ctypes.data) for array in passed.values()))
    return passed["y"]


def takes(program: CProgram, sizes: dict[str, int]) -> bool:
    """Whether sizes are those of the program; others are refused when it is called."""
    context = program.program.context
    for position in range(context.dim(isl.dim_type.param)):
        value = isl.Val(sizes[context.get_dim_name(isl.dim_type.param, position)])
        context = context.fix_val(isl.dim_type.param, position, value)
    return not context.is_empty()


def outcomes(seeds: range, folder: Path) -> Iterator[str]:
    """`equal` or `refused` for each function.

    Raises:
        AssertionError: one computes something else than C.
    """
    functions = dict(drawn_function(seed) for seed in seeds)
    library = compiled(functions, folder)
    for name, text in functions.items():
        path = folder / f"{name}.c"
        path.write_text(HEAD + text)
        try:
            program = from_c(path)
        except ExtractionError:
            yield "refused"
            continue
        outcome = "refused"
        for sizes in filter(lambda sizes: takes(program, sizes), SIZES):
            given = arguments(sizes)
            wide = {a: v.astype(np.int64) if v.dtype.kind == "u" else v for a, v in given.items()}
            inputs = {a: wide[a] for a in program.inputs}
            try:
                found = evaluate(program.program, inputs, {s: sizes[s] for s in program.sizes})
            except CallError:
                break  # an index that C does not ask for
            expected = of_c(library, name, sizes, given)
            np.testing.assert_array_equal(found[program.results["y"]], expected, err_msg=f"{sizes}\n{text}")
            outcome = "equal"
        yield outcome


@pytest.mark.parametrize(
    "first",
    [first if first < 60 else pytest.param(first, marks=pytest.mark.slow) for first in range(0, 500, 20)],
)
@pytest.mark.quick_cases(1)
def test_functions_are_read_and_equal_or_refused(first: int, tmp_path: Path) -> None:
    found = list(outcomes(range(first, first + 20), tmp_path))
    assert found.count("equal") >= 4, found  # 7 and more
