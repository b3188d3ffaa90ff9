"""GARCH(1, 1): the log-likelihood of returns whose variance follows its own past.

With e[t] = r[t] - mu and s[0] the variance of r:

    s[t] = omega + alpha e[t - 1]^2 + beta s[t - 1];    loss = 1/2 mean_t(log(2 pi s[t]) + e[t]^2 / s[t])

Differentiated with respect to the parameters (mu, omega, alpha, beta).

Source: Bollerslev, Generalized Autoregressive Conditional Heteroskedasticity, 1986.
"""

import math
from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """parameters (4,), r (T,), start ()."""
    rng = generator(case)
    parameters = np.array([0.05, 0.1, 0.1, 0.8])
    r = rng.standard_t(6, size=case["T"])
    return {"parameters": parameters, "r": r, "start": np.array(r.var())}


def wrt(case: Case) -> tuple[str, ...]:
    return ("parameters",)


def shapes(case: Case, T: Any) -> dict[str, Any]:
    return {"parameters": (4,), "r": (T,), "start": ()}


def polyad_loss(case: Case, parameters: Any, r: Any, start: Any) -> Any:
    import polyad as pa

    mu, omega, alpha, beta = (parameters[n] for n in range(4))
    squares = (r - mu) ** 2

    def step(s: Any, square: Any) -> Any:
        return omega + alpha * square + beta * s, s

    _, s = pa.scan(step, init=start, xs=squares)
    return 0.5 * pa.numpy.mean(math.log(2 * math.pi) + pa.log(s) + squares / s)


def torch_loss(case: Case, parameters: Any, r: Any, start: Any) -> Any:
    import torch

    mu, omega, alpha, beta = parameters.unbind(0)
    squares = (r - mu) ** 2
    s, variances = start, [start]
    for drive in (omega + alpha * squares[:-1]).unbind(0):
        s = torch.addcmul(drive, beta, s)
        variances.append(s)
    variance = torch.stack(variances)
    return 0.5 * (math.log(2 * math.pi) + torch.log(variance) + squares / variance).mean()


def jax_loss(case: Case, parameters: Any, r: Any, start: Any) -> Any:
    import jax
    import jax.numpy as jnp

    mu, omega, alpha, beta = parameters
    squares = (r - mu) ** 2

    def step(s: Any, drive: Any) -> Any:
        return drive + beta * s, s

    _, s = jax.lax.scan(step, start, omega + alpha * squares)
    return 0.5 * jnp.mean(math.log(2 * math.pi) + jnp.log(s) + squares / s)


def jax_loss_associative(case: Case, parameters: Any, r: Any, start: Any) -> Any:
    import jax
    import jax.numpy as jnp

    mu, omega, alpha, beta = parameters
    squares = (r - mu) ** 2
    drive = jnp.concatenate([start[None], omega + alpha * squares[:-1]])

    def combine(first: Any, second: Any) -> Any:
        return first[0] * second[0], second[0] * first[1] + second[1]

    _, s = jax.lax.associative_scan(combine, (jnp.full_like(drive, beta), drive))
    return 0.5 * jnp.mean(math.log(2 * math.pi) + jnp.log(s) + squares / s)


WORKLOAD = Workload(
    about="the log-likelihood of a GARCH(1, 1) model with its gradient",
    cases=(Case({"T": 10_000}, "float64", goal={1: 0.1, 2: 0.1}, quick=True),),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "jax": with_jax(inputs, jax_loss, wrt),
        "jax associative": with_jax(inputs, jax_loss_associative, wrt),
    },
    tiny={"T": 6},
)
