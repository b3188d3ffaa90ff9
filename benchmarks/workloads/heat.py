"""Heat in two dimensions: explicit steps u' = u + a * laplace(u) inside, the border stays.

Loss: mean of (u[T] - y)^2, differentiated with respect to the initial state, and in a case of its own with respect to
the coefficients a too, for which all states are needed again.
"""

from typing import Any

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Ready, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """u0, a, y (N, N)."""
    N = case["N"]
    rng = generator(case)
    arrays = {"u0": rng.normal(size=(N, N)), "a": rng.uniform(0.05, 0.2, (N, N)), "y": rng.normal(size=(N, N))}
    return {n: v.astype(case.dtype) for n, v in arrays.items()}


def wrt(case: Case) -> tuple[str, ...]:
    return ("u0", "a") if case.kind == "coefficients" else ("u0",)


def shapes(case: Case, N: Any) -> dict[str, Any]:
    return dict.fromkeys(("u0", "a", "y"), (N, N))


def polyad_loss(case: Case, u0: Any, a: Any, y: Any) -> Any:
    import polyad as pa

    T, N = case["T"], u0.shape[0]

    def cell(u: Any, t: Any, i: Any, j: Any) -> Any:
        here = u[t - 1, i, j]
        around = u[t - 1, i - 1, j] + u[t - 1, i + 1, j] + u[t - 1, i, j - 1] + u[t - 1, i, j + 1]
        inside = (i > 0) & (i < N - 1) & (j > 0) & (j < N - 1)
        return pa.select(t == 0, u0[i, j], pa.select(inside, here + a[i, j] * (around - 4 * here), here))

    u = pa.recurrence((T + 1, N, N), cell, name="u", dtype=case.dtype)
    return pa.numpy.mean((u[T] - y) ** 2)


def laplace(u: Any) -> Any:
    return u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]


def torch_step(u: Any, a: Any) -> Any:
    import torch

    return u + torch.nn.functional.pad(a[1:-1, 1:-1] * laplace(u), (1, 1, 1, 1))


def torch_loss(case: Case, u0: Any, a: Any, y: Any, step: Any = torch_step) -> Any:
    u = u0
    for _ in range(case["T"]):
        u = step(u, a)
    return ((u - y) ** 2).mean()


def with_torch_compile(case: Case) -> Ready:
    """The step compiled, the loop in Python."""
    import torch

    step = torch.compile(torch_step)
    return with_torch(inputs, lambda case, **arrays: torch_loss(case, **arrays, step=step), wrt)(case)


def jax_loss(case: Case, u0: Any, a: Any, y: Any) -> Any:
    import jax
    import jax.numpy as jnp

    def step(u: Any, _: Any) -> Any:
        return u + a * jnp.pad(laplace(u), 1), None

    u, _ = jax.lax.scan(step, u0, None, length=case["T"])
    return jnp.mean((u - y) ** 2)


SIZES = {"T": 100, "N": 1000}
WORKLOAD = Workload(
    about="100 steps of heat in two dimensions with its gradient",
    cases=(
        Case(SIZES, "float32", "state", goal={1: 0.5, 2: 0.5}, quick=True),
        Case(SIZES, "float64", "state", goal={1: 0.5, 2: 0.5}),
        Case(SIZES, "float32", "coefficients"),
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "torch compile": with_torch_compile,
        "jax": with_jax(inputs, jax_loss, wrt),
    },
    tiny={"T": 3, "N": 5},
)
