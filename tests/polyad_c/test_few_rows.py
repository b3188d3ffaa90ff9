"""The macro-kernel where operands stay as they stand: slim tiles, products of rows of memory, small ones."""

import itertools
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.polyad_c.test_contraction_header import (
    MACHINES,
    OFTEN,
    UNTOUCHED,
    Array,
    MacroKernel,
    check,
    exactly,
    kernel,
    library,
    values,
)
from tests.polyad_c.test_runtime_header import run_compiler

__all__ = ["kernel", "library"]

WATCHED = """
#define PA_CONTRACTION_F32
#define PA_CONTRACTION_F64
#include "polyad_contraction.h"
#include <stdlib.h>
#define RUN(type, suffix)                                                                                            \\
    for (int64_t m = 1; m < 35; m += 1)                                                                               \\
        for (int64_t n = 1; n < 80; n += 13)                                                                          \\
            for (int64_t k = 1; k < 300; k += 67)                                                                     \\
                for (int turned = 0; turned < 2; turned += 1) {                                                       \\
                    const pa_contraction p = {{1, {m}}, {1, {n}}, {1, {k}}, {{k}, {1}},                               \\
                                              {{turned ? 1 : n}, {turned ? k : 1}}, {{n}, {1}}};                      \\
                    type *a = calloc((size_t)(m * k), sizeof *a), *b = calloc((size_t)(n * k), sizeof *b);            \\
                    type *c = calloc((size_t)(m * n), sizeof *c);                                                     \\
                    pa_contract_##suffix(&p, a, b, c, 1, 0, &room);                                                   \\
                    pa_contract_##suffix(&p, a, b, c, (type)0.3, 1, &room);                                           \\
                    pa_contract_share_##suffix(&p, a, b, c, (type)0.3, 1, &room);                                     \\
                    free(a), free(b), free(c);                                                                        \\
                }
int main(void)
{
    unsigned char *space = calloc(1, 1 << 20);
    const pa_room room = pa_rooms(PA_ALIGNED(space), 1, (1 << 20) - 64);
    RUN(float, f32)
    RUN(double, f64)
    free(space);
    return 0;
}
"""

FEW = (1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 20, 24, 25, 31, 32, 33)


@pytest.mark.parametrize("turned", [False, True], ids=["b by rows", "b by columns"])
@pytest.mark.parametrize("k", [1, 15, 63, 64, 65, 200, 300, 1024, 1027, 2100])
def test_few_rows(kernel: MacroKernel, k: int, turned: bool) -> None:
    """Slim tiles of b as it stands, and products of two rows of memory; vectors of terms, and what is left over."""
    for m, n in itertools.product(FEW, (1, 5, 6, 33, 70)):
        a = values(kernel, m, k)
        b = values(kernel, n, k, seed=1).T if turned else values(kernel, k, n, seed=1)
        exact = exactly(a, b)
        for scale, add, share in ((1.0, False, False), (0.3, True, False), (1.0, True, True)):
            around = np.full((m + 1, n + 3), UNTOUCHED, kernel.dtype)
            around[:m, :n] = values(kernel, m, n, seed=2)
            check(kernel, a, b, around[:m, :n], exact=exact, scale=scale, add=add, share=share)
            assert (around[m:] == UNTOUCHED).all() and (around[:, n:] == UNTOUCHED).all()


@pytest.mark.parametrize("m", [7, 8, 13, 24, 32])
def test_few_rows_that_are_packed(kernel: MacroKernel, m: int) -> None:
    """Rows that stride through memory are copied for tiles of another number of rows than slim ones have."""
    a, b = values(kernel, 300, 100)[:, :m].T, values(kernel, 300, 70, seed=1)
    check(kernel, a, b, np.zeros((m, 70), kernel.dtype))


def test_few_rows_of_groups_of_loops(kernel: MacroKernel) -> None:
    """m and n of several loops: only the sum has to be one."""
    a, b = values(kernel, 2, 3, 2, 130), np.moveaxis(values(kernel, 3, 5, 4, 130, seed=1), -1, 0)
    check(kernel, a, b, np.moveaxis(values(kernel, 3, 5, 4, 2, 3, 2, seed=2), (3, 4, 5), (0, 1, 2)), add=True)


def test_few_rows_with_infinities(kernel: MacroKernel) -> None:
    """Terms that are not there multiply no infinity, and columns that are not there reach no element."""
    for n, k in ((7, 67), (5, 128)):
        a, b = values(kernel, 5, k), values(kernel, n, k, seed=1).T
        a[2, k - 1], b[k - 1, n - 1] = np.inf, np.nan
        c = np.zeros((5, n), kernel.dtype)
        kernel(a, b, c)
        expected = np.ones((5, n), bool)
        expected[2, :] = expected[:, n - 1] = False
        assert (np.isfinite(c) == expected).all()


@pytest.mark.parametrize("turned", [False, True], ids=["b by rows", "b by columns"])
@pytest.mark.parametrize("m", [3, 20, 24, 25, 32, 40])
def test_few_rows_are_the_same_bits_however_they_are_divided(kernel: MacroKernel, m: int, turned: bool) -> None:
    """Threads, parts of the columns, and shares of the rows of any size."""
    a, start = values(kernel, m, 300), values(kernel, m, 900, seed=2)
    b = values(kernel, 900, 300, seed=1).T if turned else values(kernel, 300, 900, seed=1)
    whole, share = start.copy(), start.copy()
    kernel(a, b, whole, add=True)
    kernel(a, b, share, add=True, share=True)
    for threads in (2, 3, 8):
        c = start.copy()
        kernel(a, b, c, add=True, threads=threads)
        assert c.tobytes() == whole.tobytes()
    long = values(kernel, m, 1300), values(kernel, 33, 1300, seed=1).T  # threads share its rows
    found = [np.zeros((m, 33), kernel.dtype) for _ in range(3)]
    for threads, c in enumerate(found, start=1):
        kernel(*long, c, threads=threads)
    assert len({c.tobytes() for c in found}) == 1
    for columns in (1, 6, 50, 333):
        c = start.copy()
        for j in range(0, 900, columns):
            kernel(a, b[:, j : j + columns], c[:, j : j + columns], add=True)
        assert c.tobytes() == whole.tobytes()
    for rows in (1, 5, 8, 13, 24, 39):
        c = start.copy()
        for i in range(0, m, rows):
            kernel(a[i : i + rows], b, c[i : i + rows], add=True, share=True)
        assert c.tobytes() == share.tobytes()


@pytest.mark.parametrize("machine", [m for m in OFTEN if m != "plain C"])
def test_few_rows_stay_in_their_memory(machine: str, tmp_path: Path) -> None:
    """Operands, results and what lies on the stack, watched by the compiler, where it can."""
    source, program = tmp_path / "few.c", tmp_path / "few"
    source.write_text(WATCHED)
    name = next((c for c in ("gcc", "clang") if shutil.which(c)), "cc")
    checks = ["-O1", "-std=c99", "-fsanitize=address,undefined", "-fno-sanitize=alignment", "-fno-sanitize-recover=all"]
    done = run_compiler(name, [*checks, *MACHINES[machine], "-o", str(program)], source, "-lm")
    if "sanitize" in done.stderr or "asan" in done.stderr:
        pytest.skip("the compiler watches no memory")
    assert done.returncode == 0, done.stderr
    ran = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[:2000]


@pytest.mark.parametrize(("m", "n", "k"), [(64, 64, 64), (50, 130, 70), (7, 33, 128)])
def test_copies_change_no_bit(kernel: MacroKernel, m: int, n: int, k: int) -> None:
    """Small operands are read where they stand, the same numbers far apart are copied."""

    def far_apart(x: Array) -> Array:
        spread = np.zeros((x.shape[0], 2000), kernel.dtype)
        spread[:, : x.shape[1]] = x
        return spread[:, : x.shape[1]]

    a, b = values(kernel, k, m), values(kernel, k, n, seed=1)
    results = []
    for left, right in itertools.product((a, far_apart(a)), (b, far_apart(b))):
        c = np.zeros((m, n), kernel.dtype)
        check(kernel, left.T, right, c)
        results.append(c.tobytes())
    assert len(set(results)) == 1
