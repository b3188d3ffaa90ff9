"""The forward algorithm of a hidden Markov model with S states, in logarithms.

    a[0] = log_start + log_emit[0];    a[t, j] = log_emit[t, j] + logsumexp_i(a[t - 1, i] + log_move[i, j])

Loss: -logsumexp(a[T - 1]), differentiated with respect to log_start (S,), log_move (S, S) and log_emit (T, S). All
contenders sum exp(a - max a) exp(log_move), a product of a vector and a matrix, instead of S^2 exponentials a step.

Source: Rabiner, A Tutorial on Hidden Markov Models, 1989, section III.
"""

from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """log_start (S,), log_move (S, S) with rows that sum up to one, log_emit (T, S)."""
    T, S = case["T"], case["S"]
    rng = generator(case)

    def log_softmax(v: Any) -> Any:
        return v - np.log(np.exp(v).sum(-1, keepdims=True))

    return {
        "log_start": log_softmax(rng.normal(size=S)),
        "log_move": log_softmax(rng.normal(size=(S, S))),
        "log_emit": rng.normal(size=(T, S)) - 1,
    }


def wrt(case: Case) -> tuple[str, ...]:
    return "log_start", "log_move", "log_emit"


def shapes(case: Case, T: Any, S: Any) -> dict[str, Any]:
    return {"log_start": (S,), "log_move": (S, S), "log_emit": (T, S)}


def polyad_loss(case: Case, log_start: Any, log_move: Any, log_emit: Any) -> Any:
    import polyad as pa

    move = pa.exp(log_move)

    def step(a: Any, emit: Any) -> Any:
        top = pa.stop_gradient(pa.numpy.max(a))
        return top + pa.log(pa.exp(a - top) @ move) + emit, None

    a, _ = pa.scan(step, init=log_start + log_emit[0], xs=log_emit[1:])
    top = pa.stop_gradient(pa.numpy.max(a))
    return -(top + pa.log(pa.numpy.sum(pa.exp(a - top))))


def torch_loss(case: Case, log_start: Any, log_move: Any, log_emit: Any) -> Any:
    import torch

    move = torch.exp(log_move)
    a = log_start + log_emit[0]
    for emit in log_emit[1:].unbind(0):
        top = a.detach().max()
        a = top + torch.log(torch.exp(a - top) @ move) + emit
    return -torch.logsumexp(a, 0)


def jax_loss(case: Case, log_start: Any, log_move: Any, log_emit: Any) -> Any:
    import jax
    import jax.numpy as jnp

    move = jnp.exp(log_move)

    def step(a: Any, emit: Any) -> Any:
        top = jax.lax.stop_gradient(a.max())
        return top + jnp.log(jnp.exp(a - top) @ move) + emit, None

    a, _ = jax.lax.scan(step, log_start + log_emit[0], log_emit[1:])
    return -jax.nn.logsumexp(a)


WORKLOAD = Workload(
    about="the forward algorithm of a hidden Markov model with its gradient",
    cases=(Case({"T": 1000, "S": 32}, "float64", goal={1: 0.3, 2: 0.3}, quick=True),),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "jax": with_jax(inputs, jax_loss, wrt),
    },
    tiny={"T": 5, "S": 3},
)
