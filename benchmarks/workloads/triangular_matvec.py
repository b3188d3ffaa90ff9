"""A lower triangular matrix times a vector.

Loss: sum of (L x) r, differentiated with respect to L, whose upper triangle gets zeros, and x.
"""

from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Ready, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """L (N, N) with anything above the diagonal, x (N,), r (N,)."""
    N = case["N"]
    rng = generator(case)
    arrays = {"L": rng.normal(size=(N, N)), "x": rng.normal(size=N), "r": rng.normal(size=N) / N}
    return {n: a.astype(case.dtype) for n, a in arrays.items()}


def wrt(case: Case) -> tuple[str, ...]:
    return "L", "x"


def shapes(case: Case, N: Any) -> dict[str, Any]:
    return {"L": (N, N), "x": (N,), "r": (N,)}


def polyad_loss(case: Case, L: Any, x: Any, r: Any) -> Any:
    import polyad as pa

    def row(i: Any) -> Any:
        j = pa.reduce_axis((0, i + 1), name="j")
        return pa.sum(L[i, j] * x[j], axis=j)

    return pa.numpy.sum(pa.compute(x.shape, row, name="y") * r)


def torch_loss(case: Case, L: Any, x: Any, r: Any) -> Any:
    import torch

    return ((torch.tril(L) @ x) * r).sum()


def jax_loss(case: Case, L: Any, x: Any, r: Any) -> Any:
    import jax.numpy as jnp

    return ((jnp.tril(L) @ x) * r).sum()


def with_numpy(case: Case) -> Ready:
    """By hand."""
    L, x, r = inputs(case).values()

    def call() -> Any:
        lower = np.tril(L)
        return np.dot(lower @ x, r), np.tril(np.outer(r, x)), r @ lower

    return Ready(call)


WORKLOAD = Workload(
    about="a triangular matrix times a vector with its gradient",
    cases=tuple(
        Case({"N": N}, dtype, goal={1: 0.6, 2: 0.6}, quick=N == 1024 and dtype == "float32")
        for N in (1024, 4096)
        for dtype in ("float32", "float64")
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "numpy": with_numpy,
        "torch": with_torch(inputs, torch_loss, wrt),
        "torch compile": with_torch(inputs, torch_loss, wrt, compiled=True),
        "jax": with_jax(inputs, jax_loss, wrt),
    },
    tiny={"N": 5},
)
