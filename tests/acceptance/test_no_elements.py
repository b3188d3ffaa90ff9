"""Extents of zero anywhere: values and gradients, all outputs empty or some, sizes fixed and symbolic."""

from typing import Any

import numpy as np
import pytest

import polyad as pa

m = pa.numpy
IDS = np.zeros(0, dtype="int64")


def step(c: Any, x: Any) -> tuple[Any, Any]:
    return pa.tanh(c + x), c


def nothing(x: Any, e: Any) -> dict[str, Any]:
    """Results without elements, of x: float64[4, 3] and e: float64[0, 3]."""
    return {
        "product": e * 2.0,
        "slice": x[2:2],
        "take": m.take(x, m.asarray(IDS), axis=0),
        "embedding": pa.nn.embedding(m.asarray(IDS), x),
        "repeat": m.repeat(x, 0, axis=0),
        "tile": m.tile(x, 0),
        "cumsum": m.cumsum(e, axis=0),
        "cumprod along the other": m.cumprod(e, axis=1),
        "diagonal": m.diagonal(x, 5),
        "broadcast": m.broadcast_to(x[0], (0, 3)),
        "concatenate": m.concatenate([e, x[1:1]]),
        "matmul": e @ x.T,
        "sum": m.sum(e, axis=1),
        "steps": pa.scan(step, x[0], e)[1],
        "segments": pa.scan(step, x[0], e, checkpoint=pa.checkpoint.every(2))[1],
        "itself": e,
    }


def something(x: Any, e: Any) -> dict[str, Any]:
    """Results with elements, of arrays without."""
    return {
        "sum": m.sum(e, axis=0),
        "prod": m.prod(e),
        "matmul": x @ e.T @ e,
        "concatenate": m.concatenate([e, x]),
        "last": pa.scan(step, x[0], e)[0],
        "last of segments": pa.scan(step, x[0], e, checkpoint=pa.checkpoint.every(2))[0],
        "of a row": pa.scan(step, x[0, 0:0], x[:, 0:0])[0].sum(),
    }


X, E = np.arange(12.0).reshape(4, 3), np.zeros((0, 3))
WANTED = {
    "sum": np.zeros(3),
    "prod": 1.0,
    "matmul": np.zeros((4, 3)),
    "concatenate": X,
    "last": X[0],
    "last of segments": X[0],
    "of a row": 0.0,
}


def test_nothing_but_empty_results() -> None:
    found = pa.jit(nothing)(X, E)
    assert {n: v.size for n, v in found.items()} == dict.fromkeys(found, 0)
    assert found["diagonal"].shape == (0,) and found["matmul"].shape == (0, 4) and found["steps"].shape == (0, 3)


@pytest.mark.parametrize("level", [0, 3])
def test_one_result_without_elements(level: int) -> None:
    x = pa.placeholder((4,), "x", "float64")
    kernel = pa.compile(x[2:2] * 2.0, [x], target=pa.Target("openmp", optimize=level))
    assert kernel(np.ones(4)).shape == (0,)
    assert kernel.memory_plan().total_bytes == 0 and not kernel.instances()
    kernel.schedule.check(kernel.program)
    assert str(pa.Schedule.from_yaml(str(kernel.schedule))) == str(kernel.schedule)


def test_results_of_nothing() -> None:
    found = pa.jit(something)(X, E)
    for name, value in found.items():
        np.testing.assert_array_equal(value, WANTED[name], err_msg=name)


def loss(x: Any, e: Any) -> Any:
    parts = [*nothing(x, e).values(), *something(x, e).values()]
    return sum((m.sum(p * p) for p in parts[1:]), start=m.sum(parts[0]))


def test_gradients() -> None:
    value, (x_bar, e_bar) = pa.value_and_grad(loss, argnums=(0, 1))(X, E)
    assert value == 1.0 + (X**2).sum() + 2 * (X[0] ** 2).sum() and e_bar.shape == (0, 3)
    wanted = 2 * X
    wanted[0] += 4 * X[0]
    np.testing.assert_allclose(x_bar, wanted)


def test_the_gradient_by_an_array_without_elements_alone() -> None:
    assert pa.grad(lambda e: m.sum(e * e))(E).shape == (0, 3)
    assert pa.jvp(lambda e: e * 2.0, (E,), (E,))[1].shape == (0, 3)
    assert pa.jacrev(lambda e: e * 2.0)(np.zeros(0)).shape == (0, 0)
    assert pa.hessian(lambda e: m.sum(e**3))(np.zeros(0)).shape == (0, 0)


@pytest.mark.slow
def test_sizes_that_may_be_zero() -> None:
    n = pa.sizes("N", min=0)
    x, e = pa.placeholder((4, 3), "x", "float64"), pa.placeholder((n, 3), "e", "float64")
    policy = pa.checkpoint.every(2)
    states = [pa.scan(step, x[0], e, checkpoint=c)[1] for c in (None, policy)]
    total = m.sum(e * e) + m.sum(states[0]) + m.sum(states[1] ** 2)
    results = [total, m.cumsum(e, axis=0), *pa.grad(total, [x, e])]
    symbolic = pa.compile(results, [x, e])
    for rows in (0, 3):
        values = {"x": X, "e": np.ones((rows, 3))}
        fixed = pa.compile(results, [x, e], sizes={"N": rows}) if rows == 0 else symbolic
        for a, b in zip(symbolic(**values), fixed(**values), strict=True):
            assert a.shape == b.shape
            np.testing.assert_allclose(a, b)
    assert not symbolic(x=X, e=E)[2].any()
