"""Products of square matrices, plain and as a dense layer.

Loss: sum of (x w) r, or of tanh(x w + b) r; differentiated with respect to x, w and b. NumPy's product is OpenBLAS, its
gradient is written by hand.
"""

from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Ready, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """x (N, N), w (N, N), b (N,) for "tanh" only, r (N, N)."""
    N = case["N"]
    rng = generator(case)
    arrays = {
        "x": rng.normal(size=(N, N)),
        "w": rng.normal(size=(N, N)) / np.sqrt(N),
        **({"b": rng.normal(size=N)} if case.kind == "tanh" else {}),
        "r": rng.normal(size=(N, N)),
    }
    return {n: a.astype(case.dtype) for n, a in arrays.items()}


def wrt(case: Case) -> tuple[str, ...]:
    return ("x", "w", "b") if case.kind == "tanh" else ("x", "w")


def shapes(case: Case, N: Any) -> dict[str, Any]:
    return {"x": (N, N), "w": (N, N), "b": (N,), "r": (N, N)}


def polyad_loss(case: Case, x: Any, w: Any, r: Any, b: Any = None) -> Any:
    import polyad as pa

    y = x @ w if b is None else pa.tanh(x @ w + b)
    return pa.numpy.sum(y * r)


def torch_loss(case: Case, x: Any, w: Any, r: Any, b: Any = None) -> Any:
    import torch

    y = x @ w if b is None else torch.tanh(torch.addmm(b, x, w))
    return (y * r).sum()


def jax_loss(case: Case, x: Any, w: Any, r: Any, b: Any = None) -> Any:
    import jax.numpy as jnp

    y = x @ w if b is None else jnp.tanh(x @ w + b)
    return jnp.sum(y * r)


def with_numpy(case: Case) -> Ready:
    a = inputs(case)
    x, w, r = a["x"], a["w"], a["r"]

    def plain() -> Any:
        return np.vdot(x @ w, r), r @ w.T, x.T @ r

    def layer() -> Any:
        y = x @ w
        y += a["b"]
        np.tanh(y, out=y)
        value = np.vdot(y, r)
        y *= y
        np.subtract(1, y, out=y)
        y *= r
        return value, y @ w.T, x.T @ y, y.sum(0)

    return Ready(layer if case.kind == "tanh" else plain)


def case(kind: str, N: int, dtype: str, goal: float, quick: bool = False) -> Case:
    return Case({"N": N}, dtype, kind, goal={1: goal, 2: goal}, quick=quick)


WORKLOAD = Workload(
    about="a product of matrices with its gradient",
    cases=(
        *(case("plain", N, t, 1.0, quick=t == "float32") for N in (64, 128, 256) for t in ("float32", "float64")),
        *(case("plain", 1024, t, 1.1) for t in ("float32", "float64")),
        *(case("tanh", 1024, t, 1.1, quick=t == "float32") for t in ("float32", "float64")),
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "numpy": with_numpy,
        "torch": with_torch(inputs, torch_loss, wrt),
        "jax": with_jax(inputs, jax_loss, wrt),
    },
    tiny={"N": 5},
)
