"""The wave equation in three dimensions: u'' = 2 u' - u + c * laplace(u') inside, 0 on the border.

One step ("step"): loss is the sum of u'' r, differentiated with respect to u', u and c. Several ("steps"), from rest:
loss is the mean of (u[T] - y)^2, differentiated with respect to the initial state and c.
"""

from typing import Any

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Ready, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """All (N, N, N). One step: u, before, c, r; several: u, c, y."""
    shape = (case["N"],) * 3
    rng = generator(case)
    c = rng.uniform(0.05, 0.15, shape)
    if case.kind == "step":
        arrays = {n: rng.normal(size=shape) for n in ("u", "before")} | {"c": c, "r": rng.normal(size=shape)}
    else:
        arrays = {"u": rng.normal(size=shape), "c": c, "y": rng.normal(size=shape)}
    return {n: v.astype(case.dtype) for n, v in arrays.items()}


def wrt(case: Case) -> tuple[str, ...]:
    return ("u", "before", "c") if case.kind == "step" else ("u", "c")


def shapes(case: Case, N: Any) -> dict[str, Any]:
    return dict.fromkeys(("u", "before", "c", "r", "y"), (N, N, N))


def polyad_loss(case: Case, u: Any, c: Any, before: Any = None, r: Any = None, y: Any = None) -> Any:
    import polyad as pa

    N = u.shape[0]

    def inside(*index: Any) -> Any:
        i, j, k = index
        return (i > 0) & (i < N - 1) & (j > 0) & (j < N - 1) & (k > 0) & (k < N - 1)

    def laplace(v: Any, i: Any, j: Any, k: Any) -> Any:
        around = v(i - 1, j, k) + v(i + 1, j, k) + v(i, j - 1, k) + v(i, j + 1, k) + v(i, j, k - 1) + v(i, j, k + 1)
        return around - 6 * v(i, j, k)

    def step(i: Any, j: Any, k: Any) -> Any:
        moved = 2 * u[i, j, k] - before[i, j, k] + c[i, j, k] * laplace(lambda *at: u[at], i, j, k)
        return pa.select(inside(i, j, k), moved, 0.0)

    def steps(w: Any, t: Any, i: Any, j: Any, k: Any) -> Any:
        moved = 2 * w[t - 1, i, j, k] - w[t - 2, i, j, k] + c[i, j, k] * laplace(lambda *at: w[t - 1, *at], i, j, k)
        return pa.select(t <= 1, u[i, j, k], pa.select(inside(i, j, k), moved, 0.0))

    if case.kind == "step":
        return pa.numpy.sum(pa.compute((N, N, N), step, name="after") * r)
    T = case["T"]
    w = pa.recurrence((T + 2, N, N, N), steps, name="w", dtype=case.dtype)  # slots 0 and 1 are the start at rest
    return pa.numpy.mean((w[T + 1] - y) ** 2)


def laplace(u: Any) -> Any:
    i = slice(1, -1)
    return (
        u[:-2, i, i] + u[2:, i, i] + u[i, :-2, i] + u[i, 2:, i] + u[i, i, :-2] + u[i, i, 2:] - 6 * u[i, i, i]
    )  # fmt: skip


def moved(u: Any, before: Any, c: Any) -> Any:
    i = slice(1, -1)
    return 2 * u[i, i, i] - before[i, i, i] + c[i, i, i] * laplace(u)


def torch_step(u: Any, before: Any, c: Any) -> Any:
    import torch

    return torch.nn.functional.pad(moved(u, before, c), (1,) * 6)


def torch_loss(
    case: Case, u: Any, c: Any, before: Any = None, r: Any = None, y: Any = None, step: Any = torch_step
) -> Any:
    if case.kind == "step":
        return (step(u, before, c) * r).sum()
    before = u
    for _ in range(case["T"]):
        before, u = u, step(u, before, c)
    return ((u - y) ** 2).mean()


def with_torch_compile(case: Case) -> Ready:
    """The step compiled, the loop in Python."""
    import torch

    step = torch.compile(torch_step)
    return with_torch(inputs, lambda case, **arrays: torch_loss(case, **arrays, step=step), wrt)(case)


def jax_loss(case: Case, u: Any, c: Any, before: Any = None, r: Any = None, y: Any = None) -> Any:
    import jax
    import jax.numpy as jnp

    if case.kind == "step":
        return jnp.sum(jnp.pad(moved(u, before, c), 1) * r)

    def step(states: Any, _: Any) -> Any:
        before, now = states
        return (now, jnp.pad(moved(now, before, c), 1)), None

    (_, last), _ = jax.lax.scan(step, (u, u), None, length=case["T"])
    return jnp.mean((last - y) ** 2)


WORKLOAD = Workload(
    about="the wave equation in three dimensions with its gradient",
    cases=(
        Case({"N": 256}, kind="step", goal={1: 0.25, 2: 0.25}, quick=True),
        Case({"T": 10, "N": 128}, kind="steps", goal={1: 0.35, 2: 0.35}, quick=True),
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "torch compile": with_torch_compile,
        "jax": with_jax(inputs, jax_loss, wrt),
    },
    tiny={"T": 3, "N": 5},
)
