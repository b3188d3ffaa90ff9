"""Two programs compute the same outputs: the property that every transform is tested for."""

from collections.abc import Mapping

import numpy as np

from polyad.ir.program import Program
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify


def random_inputs(program: Program, sizes: Mapping[str, int], seed: int = 0) -> dict[str, np.ndarray]:
    """Normal floats; integers below the smallest size, so that they can be indices."""
    rng = np.random.default_rng(seed)
    result = {}
    for name in program.inputs:
        array = program.arrays[name]
        shape = tuple(e.evaluate(sizes) for e in array.shape)
        if array.dtype.startswith("int"):
            result[name] = rng.integers(0, min(sizes.values()), shape)
        else:
            result[name] = rng.normal(size=shape)
    return result


def assert_same(before: Program, after: Program, *many_sizes: Mapping[str, int]) -> None:
    """`after` is valid and has the outputs of `before`; by default for sizes all 1, and small distinct ones."""
    verify(after)
    ones = dict.fromkeys(before.params, 1)
    distinct = {p: i + 2 for i, p in enumerate(before.params)}
    for sizes in many_sizes or (ones, distinct):
        inputs = random_inputs(before, sizes)
        expected, found = evaluate(before, inputs, sizes), evaluate(after, inputs, sizes)
        assert list(expected) == list(found)
        for name in expected:
            np.testing.assert_allclose(found[name], expected[name], rtol=1e-12, atol=1e-13, err_msg=f"{name} {sizes}")
