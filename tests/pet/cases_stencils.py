"""Cases that update grids: stencils, sweeps, shortest paths."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.pet.case import Array, Case

Outputs = dict[str, Any]


def lengths(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Draw lengths of edges: some are longer than the way around."""
    return np.asarray(rng.uniform(0.1, 4, size=shape))


def jacobi_1d(a: SimpleNamespace) -> Outputs:
    for _ in range(a.steps):
        a.B[1:-1] = (a.A[:-2] + a.A[1:-1] + a.A[2:]) / 3
        a.A[1:-1] = (a.B[:-2] + a.B[1:-1] + a.B[2:]) / 3
    return {"A": a.A, "B": a.B}


def seidel_2d(a: SimpleNamespace) -> Outputs:
    for _ in range(a.steps):
        for i in range(1, a.n - 1):
            for j in range(1, a.n - 1):
                a.A[i, j] = a.A[i - 1 : i + 2, j - 1 : j + 2].mean()
    return {"A": a.A}


def floyd_warshall(a: SimpleNamespace) -> Outputs:
    for k in range(a.n):
        a.path[:] = np.minimum(a.path, a.path[:, [k]] + a.path[[k], :])
    return {"path": a.path}


STENCILS = [
    Case(
        "jacobi_1d",
        sizes={"steps": 3, "n": 7},
        edges=({"steps": 0, "n": 3}, {"steps": 1, "n": 1}, {"steps": 1, "n": 0}),
        of="A",
        wrt=("A", "B"),
        updates=("A", "B"),
        numpy=jacobi_1d,
    ),
    Case(
        "seidel_2d",
        sizes={"steps": 2, "n": 5},
        edges=({"steps": 0, "n": 3}, {"steps": 1, "n": 1}, {"steps": 1, "n": 0}),
        of="A",
        wrt=("A",),
        updates=("A",),
        numpy=seidel_2d,
    ),
    Case(
        "floyd_warshall",
        sizes={"n": 5},
        edges=({"n": 0}, {"n": 1}),
        of="path",
        wrt=("path",),
        updates=("path",),
        draw={"path": lengths},
        numpy=floyd_warshall,
    ),
]
