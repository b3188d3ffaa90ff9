"""The programs aimed at passes (tests/aimed_programs.py), compiled: values as the evaluator has them, in any memory.

For the machine TINY, so that every pass and every way to generate code has small cases, with one thread and with two.
"""

import numpy as np
import pytest

from polyad.machine import TINY
from polyad.semantics.evaluate import evaluate
from tests.acceptance.native_batch import NativeBatch
from tests.aimed_programs import SIZES, aimed
from tests.transforms.equivalence import random_inputs

CHUNK = 22
CHUNKS = 10
QUICK = 0  # of which the quick suite runs these
ALLOWED = {"float64": 1e-10, "float32": 1e-5}


@pytest.mark.parametrize("chunk", [n if n < QUICK else pytest.param(n, marks=pytest.mark.slow) for n in range(CHUNKS)])
def test_values(chunk: int) -> None:
    batch = NativeBatch(machine=TINY)
    programs = [aimed(number) for number in range(chunk * CHUNK, (chunk + 1) * CHUNK)]
    numbers = [batch.add(program, openmp=(False, True)) for program in programs]
    batch.build()
    for program, (alone, shared) in zip(programs, numbers, strict=True):
        for sizes in SIZES:
            inputs = random_inputs(program, sizes)
            expected = evaluate(program, inputs, sizes)
            runs = {f"{t} threads": batch.run(shared, inputs, sizes, t) for t in (1, 2)}
            for how, found in {"no OpenMP": batch.run(alone, inputs, sizes), **runs}.items():
                for output, values in expected.items():
                    allowed, text = ALLOWED[str(found[output].dtype)], f"{output} at {sizes}, {how}\n{program}"
                    np.testing.assert_allclose(found[output], values, rtol=allowed, atol=0.1 * allowed, err_msg=text)
            assert all(runs["1 threads"][n].tobytes() == runs["2 threads"][n].tobytes() for n in expected), str(program)
