"""A scan that carries 40 numbers, none of them part of a vector: a phaser, S = 39 all-pass filters in a row, fed back.

    x = signal[t] + tanh(g last);    for each filter k:  y = a[k] x + s[k];  s[k]' = x - a[k] y;  x = y;    last' = y

Each filter needs what the one before it makes in the same step, and the first one what the last one made in the step
before. Loss: mean of (y[t] - target[t])^2, differentiated with respect to a (S,), g () and the signal (T,).
"""

from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """a (S,), g (), signal (T,), target (T,)."""
    T, S = case["T"], case["S"]
    rng = generator(case)
    return {
        "a": rng.uniform(-0.7, 0.7, S),
        "g": np.array(0.6),
        "signal": rng.normal(size=T),
        "target": rng.normal(size=T),
    }


def wrt(case: Case) -> tuple[str, ...]:
    return "a", "g", "signal"


def shapes(case: Case, T: Any) -> dict[str, Any]:
    return {"a": (case["S"],), "g": (), "signal": (T,), "target": (T,)}


def filters(a: Any, states: Any, x: Any) -> Any:
    """One step through all filters: their next states, and the output."""
    after = []
    for k, s in enumerate(states):
        y = a[k] * x + s
        after.append(x - a[k] * y)
        x = y
    return tuple(after), x


def polyad_loss(case: Case, a: Any, g: Any, signal: Any, target: Any) -> Any:
    import polyad as pa

    def step(carry: Any, x: Any) -> Any:
        states, last = carry
        states, y = filters(a, states, x + pa.tanh(g * last))
        return (states, y), y

    zero = pa.numpy.zeros((), dtype=case.dtype)
    _, y = pa.scan(step, init=((zero,) * case["S"], zero), xs=signal)
    return pa.numpy.mean((y - target) ** 2)


def torch_loss(case: Case, a: Any, g: Any, signal: Any, target: Any) -> Any:
    import torch

    coefficients = a.unbind(0)
    zero = torch.zeros((), dtype=signal.dtype)
    states, last, out = (zero,) * case["S"], zero, []
    for x in signal.unbind(0):
        states, last = filters(coefficients, states, x + torch.tanh(g * last))
        out.append(last)
    return ((torch.stack(out) - target) ** 2).mean()


def jax_loss(case: Case, a: Any, g: Any, signal: Any, target: Any) -> Any:
    import jax
    import jax.numpy as jnp

    def step(carry: Any, x: Any) -> Any:
        states, last = carry
        states, y = filters(a, states, x + jnp.tanh(g * last))
        return (states, y), y

    zero = jnp.zeros((), signal.dtype)
    _, y = jax.lax.scan(step, ((zero,) * case["S"], zero), signal)
    return jnp.mean((y - target) ** 2)


def jax_loss_nested(case: Case, a: Any, g: Any, signal: Any, target: Any) -> Any:
    """The filters as a scan inside of the scan, and their states as a vector."""
    import jax
    import jax.numpy as jnp

    def one(x: Any, filter: Any) -> Any:
        a_k, s = filter
        y = a_k * x + s
        return y, x - a_k * y

    def step(carry: Any, x: Any) -> Any:
        states, last = carry
        y, states = jax.lax.scan(one, x + jnp.tanh(g * last), (a, states))
        return (states, y), y

    zero = jnp.zeros((), signal.dtype)
    _, y = jax.lax.scan(step, (jnp.zeros(case["S"], signal.dtype), zero), signal)
    return jnp.mean((y - target) ** 2)


WORKLOAD = Workload(
    about="39 filters in a row with feedback, 40 numbers carried, with their gradient",
    cases=(Case({"T": 1000, "S": 39}, "float64", goal={1: 0.1, 2: 0.1}, quick=True),),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "jax": with_jax(inputs, jax_loss, wrt),
        "jax nested": with_jax(inputs, jax_loss_nested, wrt),
    },
    tiny={"T": 6, "S": 3},
)
