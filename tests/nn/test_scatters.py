"""Gathers and scatters by indices of data: values and gradients against PyTorch, and how much they do."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.nn.against_torch import against_torch

RNG = np.random.default_rng(5)
X = RNG.normal(size=(3, 4, 2))
PLACES = np.array([[0, 2, 2, 0, 1], [3, 1, 1, 3, 0]])


@pytest.mark.torch
def test_places() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    a, b = map(torch.from_numpy, PLACES)
    against_torch(lambda x: nn.gather_nd(x, PLACES), lambda x: x[a, b], X)
    against_torch(lambda x: nn.gather_nd(x, PLACES.T, axis=-1), lambda x: x[a, b], X)
    against_torch(lambda x: nn.gather_nd(x, PLACES[:1]), lambda x: x[a], X)
    v = RNG.normal(size=(5, 2))
    against_torch(lambda x, v: nn.scatter_nd(x, PLACES, v), lambda x, v: x.index_put((a, b), v, accumulate=True), X, v)
    once = PLACES[:, [0, 1, 4]]
    against_torch(
        lambda x, v: nn.scatter_nd(x, once, v, "update"),
        lambda x, v: x.index_put(tuple(torch.from_numpy(once)), v),
        X,
        v[:3],
    )


@pytest.mark.torch
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_scatter_add(axis: int) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    ids = RNG.integers(0, 2, size=(2, 4, 2))
    against_torch(
        lambda x, v: nn.scatter_add(x, ids, v, axis),
        lambda x, v: x.scatter_add(axis, torch.from_numpy(ids), v),
        X,
        RNG.normal(size=ids.shape),
    )


@pytest.mark.torch
def test_segments() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    ids = np.array([2, 0, 2, 5, 2])
    against_torch(
        lambda x: nn.segment_sum(x, ids, 6),
        lambda x: torch.zeros(6, 3, dtype=x.dtype).index_add(0, torch.from_numpy(ids), x),
        RNG.normal(size=(5, 3)),
    )
    against_torch(
        lambda x: nn.segment_sum(x, ids, 6),
        lambda x: torch.zeros(6, dtype=x.dtype).index_add(0, torch.from_numpy(ids), x),
        RNG.normal(size=5),
    )


def test_a_segment_sum_is_one_addition_a_row() -> None:
    N, S = 50, 20
    x, ids = pa.placeholder((N,), "x", "float64"), pa.placeholder((N,), "ids", "int64")
    y = nn.segment_sum(x, ids, S)
    bar = pa.differentiate(pa.numpy.sum(y * y), [x])[x]
    for kernel in (pa.compile(y), pa.compile(bar)):
        assert max(kernel.instances().values()) == N


@pytest.mark.torch
@pytest.mark.parametrize("mode", ["mean", "sum", "max"])
def test_bags(mode: str) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    bag = torch.nn.functional.embedding_bag
    table, ids = RNG.normal(size=(6, 3)), np.array([[1, 2, 2], [5, 0, 1]])
    flat, offsets = np.array([1, 2, 2, 5, 0, 4, 4]), np.array([0, 2, 2, 6])
    i, j, o = map(torch.from_numpy, (ids, flat, offsets))
    against_torch(lambda t: nn.embedding_bag(ids, t, mode=mode), lambda t: bag(i, t, mode=mode), table)
    against_torch(lambda t: nn.embedding_bag(flat, t, offsets, mode), lambda t: bag(j, t, o, mode=mode), table)
    if mode == "sum":
        against_torch(
            lambda t, w: nn.embedding_bag(flat, t, offsets, mode, w),
            lambda t, w: bag(j, t, o, mode=mode, per_sample_weights=w),
            table,
            RNG.normal(size=7),
        )


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: nn.gather_nd(x, np.zeros((4, 2), int)), pa.ShapeError, "holds the coordinates, of which x has 3"),
        (lambda x: nn.gather_nd(x, np.zeros((2, 2))), pa.DTypeError, "indices must be integers"),
        (lambda x: nn.scatter_nd(x, PLACES, 1.0, "max"), pa.DefinitionError, "add, update"),
        (lambda x: nn.scatter_add(x, np.zeros((2, 4, 2), int), x), pa.ShapeError, "do not fit"),
        (lambda x: nn.segment_sum(x, np.zeros(4, int), 2), pa.ShapeError, r"\(N, ...\), \(N,\)"),
        (lambda x: nn.embedding_bag(np.zeros(4, int), x[0]), pa.ShapeError, "with offsets="),
        (lambda x: nn.embedding_bag(PLACES, x[0], None, "max", PLACES * 1.0), pa.ShapeError, "go with mode='sum'"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(pa.placeholder(X.shape, "x", "float64"))
