"""Calls of kernels whose workspace grows with the number of threads."""

import ctypes

import numpy as np
import pytest

from polyad.kernel import Kernel
from polyad.ops.program_text import parse_program
from polyad.pipeline import compile_program
from tests.codegen.test_private import BATCH


@pytest.fixture(scope="module")
def batch() -> Kernel:
    return compile_program(parse_program(BATCH))


def test_the_number_of_threads_may_change_between_calls(batch: Kernel) -> None:
    x = np.random.default_rng(0).normal(size=(8, 64, 64))
    a = np.exp(x)
    turned = a.transpose(0, 2, 1)
    expected = turned * (turned + x).transpose(0, 2, 1)
    openmp = ctypes.CDLL("libgomp.so.1")
    before = openmp.omp_get_max_threads()
    out = [np.empty_like(x)]
    used = set()
    try:
        for number in (1, 1, 4, 4, 2, 1, 8, 4):
            openmp.omp_set_num_threads(number)
            used.add(batch.memory_plan(B=8, N=64).total_bytes)
            out[0].fill(np.nan)
            assert batch(x, out=out) is out[0]
            np.testing.assert_allclose(out[0], expected, rtol=1e-12)
    finally:
        openmp.omp_set_num_threads(before)
    assert len(used) == 4, "each thread has a copy of what one iteration needs"
    assert len(batch._plans) == 4, "and a plan for each number is kept"
