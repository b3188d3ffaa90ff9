"""A scan that carries many numbers, none of them a vector: an equaliser of S second-order filters in a row.

Each section has two states and five coefficients (transposed direct form II), and feeds the next in the same step:

    y = b0 x + s1;    s1' = b1 x - a1 y + s2;    s2' = b2 x - a2 y;    x of the next section = y

Loss: mean of (output - target)^2, differentiated with respect to the coefficients (S, 5) and the signal (T,).
"""

from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """coefficients (S, 5): b0 b1 b2 a1 a2 of stable sections, signal (T,), target (T,)."""
    T, S = case["T"], case["S"]
    rng = generator(case)
    radius, angle = rng.uniform(0.3, 0.8, S), rng.uniform(0.2, 2.9, S)
    poles = np.stack([-2 * radius * np.cos(angle), radius**2], axis=1)
    zeros = np.concatenate([np.ones((S, 1)), poles * rng.uniform(0.7, 1.1, (S, 2))], axis=1)
    return {
        "coefficients": np.concatenate([zeros, poles], axis=1),
        "signal": rng.normal(size=T),
        "target": rng.normal(size=T),
    }


def wrt(case: Case) -> tuple[str, ...]:
    return "coefficients", "signal"


def sections(C: Any, states: Any, x: Any) -> Any:
    """One step: 2 S states to the next ones, and the output."""
    after = []
    for n in range(len(states) // 2):
        y = C[n, 0] * x + states[2 * n]
        after.append(C[n, 1] * x - C[n, 3] * y + states[2 * n + 1])
        after.append(C[n, 2] * x - C[n, 4] * y)
        x = y
    return tuple(after), x


def shapes(case: Case, T: Any) -> dict[str, Any]:
    return {"coefficients": (case["S"], 5), "signal": (T,), "target": (T,)}


def polyad_loss(case: Case, coefficients: Any, signal: Any, target: Any) -> Any:
    import polyad as pa

    zero = pa.numpy.zeros((), dtype="float64")
    start = (zero,) * (2 * case["S"])
    _, y = pa.scan(lambda states, x: sections(coefficients, states, x), init=start, xs=signal)
    return pa.numpy.mean((y - target) ** 2)


def torch_loss(case: Case, coefficients: Any, signal: Any, target: Any) -> Any:
    import torch

    scalars = {(n, k): c for n, row in enumerate(coefficients.unbind(0)) for k, c in enumerate(row.unbind(0))}
    states: Any = (torch.zeros((), dtype=signal.dtype),) * (2 * case["S"])
    out = []
    for x in signal.unbind(0):
        states, y = sections(scalars, states, x)
        out.append(y)
    return ((torch.stack(out) - target) ** 2).mean()


def jax_loss(case: Case, coefficients: Any, signal: Any, target: Any) -> Any:
    import jax
    import jax.numpy as jnp

    start = (jnp.zeros((), signal.dtype),) * (2 * case["S"])
    _, y = jax.lax.scan(lambda states, x: sections(coefficients, states, x), start, signal)
    return jnp.mean((y - target) ** 2)


def jax_loss_by_sections(case: Case, coefficients: Any, signal: Any, target: Any) -> Any:
    """The other order: section by section, each over the whole signal."""
    import jax
    import jax.numpy as jnp

    def section(x: Any, c: Any) -> Any:
        def step(s: Any, x_t: Any) -> Any:
            y = c[0] * x_t + s[0]
            return (c[1] * x_t - c[3] * y + s[1], c[2] * x_t - c[4] * y), y

        zero = jnp.zeros((), x.dtype)
        return jax.lax.scan(step, (zero, zero), x)[1], None

    y, _ = jax.lax.scan(section, signal, coefficients)
    return jnp.mean((y - target) ** 2)


WORKLOAD = Workload(
    about="20 second-order filters in a row, 40 numbers carried, with their gradient",
    cases=(Case({"T": 1000, "S": 20}, "float64", goal={1: 0.1, 2: 0.1}, quick=True),),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "jax": with_jax(inputs, jax_loss, wrt),
        "jax sections": with_jax(inputs, jax_loss_by_sections, wrt),
    },
    tiny={"T": 6, "S": 2},
)
