"""Soft dynamic time warping: the smallest sum along a path through a matrix of distances, softened.

    R[i, j] = D[i, j] + softmin(R[i - 1, j], R[i, j - 1], R[i - 1, j - 1]),   softmin(v) = -log sum exp(-v)

Loss: R in the last corner, differentiated with respect to D.

Source: Cuturi and Blondel, Soft-DTW: a Differentiable Loss Function for Time-Series, 2017.
"""

from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Workload, generator

__all__ = ["WORKLOAD"]

FAR = 1e10
"""Stands for infinity, which has no place in differences."""


def inputs(case: Case) -> Arrays:
    """D (N, N): squared distances of two random walks in 8 dimensions."""
    rng = generator(case)
    x, y = rng.normal(size=(2, case["N"], 8)).cumsum(axis=1)
    return {"D": (((x[:, None] - y) ** 2).sum(2) / 64).astype(case.dtype)}


def wrt(case: Case) -> tuple[str, ...]:
    return ("D",)


def shapes(case: Case, N: Any) -> dict[str, Any]:
    return {"D": (N, N)}


def polyad_loss(case: Case, D: Any) -> Any:
    import polyad as pa

    N = D.shape[0]

    def cell(R: Any, i: Any, j: Any) -> Any:
        before = R[i - 1, j], R[i, j - 1], R[i - 1, j - 1]
        least = pa.stop_gradient(pa.minimum(pa.minimum(before[0], before[1]), before[2]))
        soft = least - pa.log(pa.exp(least - before[0]) + pa.exp(least - before[1]) + pa.exp(least - before[2]))
        start = pa.select((i == 0) & (j == 0), 0.0, FAR)
        return pa.select((i == 0) | (j == 0), start, D[i - 1, j - 1] + soft)

    R = pa.recurrence((N + 1, N + 1), cell, name="R", dtype=case.dtype)
    return R[N, N]


def torch_loss(case: Case, D: Any) -> Any:
    """Along anti-diagonals, each a vector: column d of `skewed` holds D[i, d - i] in row i."""
    import torch

    N = case["N"]
    skewed = torch.nn.functional.pad(D, (0, N)).reshape(-1)[: N * (2 * N - 1)].reshape(N, 2 * N - 1)
    far, rows = torch.full((1,), FAR, dtype=D.dtype), torch.arange(N)
    before, last = (torch.full((N + 1,), FAR, dtype=D.dtype) for _ in range(2))
    before[0] = 0
    for d, distances in enumerate(skewed.unbind(1)):
        values = distances - torch.logsumexp(torch.stack((-last[:-1], -last[1:], -before[:-1])), 0)
        inside = (rows <= d) & (d - rows < N)
        before, last = last, torch.cat((far, torch.where(inside, values, far)))
    return last[N]


def jax_loss(case: Case, D: Any) -> Any:
    """Along anti-diagonals, as above."""
    import jax
    import jax.numpy as jnp

    N = case["N"]
    skewed = jnp.pad(D, ((0, 0), (0, N))).reshape(-1)[: N * (2 * N - 1)].reshape(N, 2 * N - 1)
    rows = np.arange(N)
    far = jnp.full(N + 1, FAR, D.dtype)

    def step(carry: Any, now: Any) -> Any:
        before, last = carry
        d, distances = now
        a, b, c = last[:-1], last[1:], before[:-1]
        least = jax.lax.stop_gradient(jnp.minimum(jnp.minimum(a, b), c))
        values = distances + least - jnp.log(jnp.exp(least - a) + jnp.exp(least - b) + jnp.exp(least - c))
        inside = (rows <= d) & (d - rows < N)
        return (last, jnp.concatenate([far[:1], jnp.where(inside, values, FAR)])), None

    (_, last), _ = jax.lax.scan(step, (far.at[0].set(0), far), (jnp.arange(2 * N - 1), skewed.T))
    return last[N]


WORKLOAD = Workload(
    about="soft-DTW with its gradient",
    cases=(
        Case({"N": 512}, "float32", goal={1: 0.3, 2: 0.3}, quick=True),
        Case({"N": 512}, "float64", goal={1: 0.25, 2: 0.25}),
        Case({"N": 64}, "float64", goal={1: 0.25, 2: 0.25}, quick=True),
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "jax": with_jax(inputs, jax_loss, wrt),
    },
    tiny={"N": 4},
)
