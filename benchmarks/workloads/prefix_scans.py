"""Running sums, products and logarithms of sums of exponentials.

Loss: sum of the running values times r, differentiated with respect to x. polyad takes the logarithm of running sums
of exp(x - max x). The peers have functions for it, and those are the peers of the aim; as they also hold where x
spans more than the range of exp, which costs time, the peers' form of what polyad computes is shown beside them.
"""

from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """x (N,), r (N,)."""
    rng = generator(case)
    x = rng.normal(size=case["N"])
    r = rng.normal(size=case["N"]) / 1000
    if case.kind == "cumprod":
        # Products stay near 1. In float32, N = 1e6 roundings of 2^-24 add up to about sqrt(N) 2^-24 = 6e-5 of one; sums
        # of products with weights of either sign would cancel to 1e-5 of their terms, and show nothing but that.
        x, r = np.exp(x / 1000), np.abs(r)
    return {"x": x.astype(case.dtype), "r": r.astype(case.dtype)}


def wrt(case: Case) -> tuple[str, ...]:
    return ("x",)


def shapes(case: Case, N: Any) -> dict[str, Any]:
    return {"x": (N,), "r": (N,)}


def polyad_loss(case: Case, x: Any, r: Any) -> Any:
    import polyad as pa

    if case.kind == "cumsum":
        running = pa.numpy.cumsum(x)
    elif case.kind == "cumprod":
        running = pa.numpy.cumprod(x)
    else:
        top = pa.stop_gradient(pa.numpy.max(x))
        running = top + pa.log(pa.numpy.cumsum(pa.exp(x - top)))
    return pa.numpy.sum(running * r)


def torch_loss(case: Case, x: Any, r: Any) -> Any:
    import torch

    functions: Any = {"cumsum": torch.cumsum, "cumprod": torch.cumprod, "cumlogsumexp": torch.logcumsumexp}
    return (functions[case.kind](x, 0) * r).sum()


def jax_loss(case: Case, x: Any, r: Any) -> Any:
    import jax

    functions: Any = {"cumsum": jax.numpy.cumsum, "cumprod": jax.numpy.cumprod, "cumlogsumexp": jax.lax.cumlogsumexp}
    return (functions[case.kind](x) * r).sum()


def jax_loss_by_scan(case: Case, x: Any, r: Any) -> Any:
    import jax
    import jax.numpy as jnp

    operation = {"cumsum": jnp.add, "cumprod": jnp.multiply, "cumlogsumexp": jnp.logaddexp}[case.kind]

    def step(before: Any, here: Any) -> Any:
        now = operation(before, here)
        return now, now

    _, rest = jax.lax.scan(step, x[0], x[1:])
    return (jnp.concatenate([x[:1], rest]) * r).sum()


def of_largest(library: str) -> Any:
    """The logarithm of running sums of exp(x - max x) where the case asks for it, else the library's own function."""

    def loss(case: Case, x: Any, r: Any) -> Any:
        if library == "torch":
            import torch

            if case.kind != "cumlogsumexp":
                return torch_loss(case, x, r)
            top = x.detach().max()
            return ((top + torch.log(torch.cumsum(torch.exp(x - top), 0))) * r).sum()
        import jax

        if case.kind != "cumlogsumexp":
            return jax_loss(case, x, r)
        top = jax.lax.stop_gradient(x.max())
        return ((top + jax.numpy.log(jax.numpy.cumsum(jax.numpy.exp(x - top)))) * r).sum()

    return loss


GOALS = {"cumlogsumexp": 0.1, "cumprod": 0.2, "cumsum": 0.25}
WORKLOAD = Workload(
    about="running sums, products and logsumexps with their gradient",
    cases=tuple(
        Case({"N": 1_000_000}, dtype, kind, goal={1: goal, 2: goal}, quick=dtype == "float32")
        for kind, goal in GOALS.items()
        for dtype in ("float32", "float64")
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "torch max": with_torch(inputs, of_largest("torch"), wrt),
        "jax": with_jax(inputs, jax_loss, wrt),
        "jax max": with_jax(inputs, of_largest("jax"), wrt),
        "jax scan": with_jax(inputs, jax_loss_by_scan, wrt),
    },
    tiny={"N": 7},
    aside=("torch max", "jax max"),
)
