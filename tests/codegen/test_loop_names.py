"""Names of the dimensions of a statement decide nothing, isl's own names for iterators included."""

import itertools

import numpy as np
import pytest

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.schedule.strategies import Strategies
from tests.acceptance.native_batch import NativeBatch

NAMES = list(itertools.permutations(("c0", "c1", "c2")))


def definition(first: str, second: str, third: str) -> pa.Tensor:
    x = pa.placeholder((2, 3), "x", "float64")
    body = {"x": x}
    exec(f"f = lambda {first}, {second}, {third}: x[{first}, {second}] * ({third} + 1)", body)
    return pa.compute((2, 3, 4), body["f"])


@pytest.mark.parametrize("level", [0, 3])
def test_names_of_isl(level: int) -> None:
    batch = NativeBatch(strategies=Strategies.at_level(level))
    numbers = []
    for names in NAMES:
        program, _ = program_of([definition(*names)], None, "kernel")
        numbers += batch.add(program)
    batch.build()
    x = np.arange(6.0).reshape(2, 3)
    for number, names in zip(numbers, NAMES, strict=True):
        (found,) = batch.run(number, {"x": x}, {}).values()
        np.testing.assert_array_equal(found, x[:, :, None] * np.arange(1, 5), err_msg=str(names))


def test_sizes_with_the_names_of_isl() -> None:
    """The dimensions of operations on whole arrays are called after the sizes."""
    c1, c2, c0 = pa.sizes("c1 c2 c0")
    x = pa.placeholder((c1, c2, c0), "x", "float64")
    loss = pa.numpy.sum(pa.sin(x[1:]) * x[:-1])
    program, _ = program_of([loss, *pa.grad(loss, [x])], None, "kernel")
    batch = NativeBatch()
    (number,) = batch.add(program)
    batch.build()
    v = np.random.default_rng(0).normal(size=(3, 2, 4))
    found = batch.run(number, {"x": v}, {"c1": 3, "c2": 2, "c0": 4})
    np.testing.assert_allclose(found[program.outputs[0]], np.sum(np.sin(v[1:]) * v[:-1]), rtol=1e-13)
    bar = np.zeros_like(v)
    bar[1:] += np.cos(v[1:]) * v[:-1]
    bar[:-1] += np.sin(v[1:])
    np.testing.assert_allclose(found[program.outputs[1]], bar, rtol=1e-13)


@pytest.mark.parametrize("names", [("a1", "N"), ("N", "a0"), ("a1", "a0"), ("p", "a2")])
def test_sizes_with_the_names_of_elements(names: tuple[str, str]) -> None:
    """Elements of arrays are called a0, a1, ... where nothing better is known: where a gradient begins with zeros."""
    rows, columns = pa.sizes(" ".join(names))
    table = pa.placeholder((rows, columns), "table", "float64")
    i, j = (pa.placeholder((3,), n, "int64") for n in "ij")
    picked = pa.numpy.sum(table[i, j] * table[i, j])
    program, _ = program_of(pa.grad(picked, [table]), [table, i, j], "kernel")
    batch = NativeBatch()
    (number,) = batch.add(program)
    batch.build()
    values = {"table": np.arange(8.0).reshape(2, 4), "i": np.array([0, 1, 1]), "j": np.array([3, 0, 3])}
    (found,) = batch.run(number, values, dict(zip(names, (2, 4), strict=True))).values()
    expected = np.zeros((2, 4))
    expected[values["i"], values["j"]] = 2 * values["table"][values["i"], values["j"]]
    np.testing.assert_array_equal(found, expected)
