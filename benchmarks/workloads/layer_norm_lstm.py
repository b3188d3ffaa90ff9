"""A cell that no library has: an LSTM with peepholes whose gates are layer-normalised.

    i = sigmoid(LN(z_i + p_i * c))      f = sigmoid(LN(z_f + p_f * c))      g = tanh(LN(z_g))
    c' = f * c + i * g                  o = sigmoid(LN(z_o + p_o * c'))     h' = o * tanh(c')

with z = W_ih x + W_hh h, and a gain and a bias for each LN. Loss: mean of (h[t] - y[t])^2 over all steps;
differentiated with respect to everything but y.
"""

from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Ready, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """x (T, B, H), W_ih and W_hh (4H, H), peep (3, H), gain and bias (4, H), h0 and c0 (B, H), y (T, B, H)."""
    T, B, H = case["T"], case["B"], case["H"]
    rng = generator(case)
    bound = 1 / np.sqrt(H)
    arrays = {
        "x": rng.normal(size=(T, B, H)),
        "W_ih": rng.uniform(-bound, bound, (4 * H, H)),
        "W_hh": rng.uniform(-bound, bound, (4 * H, H)),
        "peep": rng.uniform(-bound, bound, (3, H)),
        "gain": rng.uniform(0.5, 1.5, (4, H)),
        "bias": rng.uniform(-bound, bound, (4, H)),
        "h0": rng.normal(size=(B, H), scale=0.1),
        "c0": rng.normal(size=(B, H), scale=0.1),
        "y": rng.normal(size=(T, B, H), scale=0.5),
    }
    return {n: a.astype(case.dtype) for n, a in arrays.items()}


def wrt(case: Case) -> tuple[str, ...]:
    return "x", "W_ih", "W_hh", "peep", "gain", "bias", "h0", "c0"


def shapes(case: Case, T: Any, B: Any, H: Any) -> dict[str, Any]:
    weights = {"W_ih": (4 * H, H), "W_hh": (4 * H, H), "peep": (3, H), "gain": (4, H), "bias": (4, H)}
    return {"x": (T, B, H), **weights, "h0": (B, H), "c0": (B, H), "y": (T, B, H)}


def polyad_loss(
    case: Case, x: Any, W_ih: Any, W_hh: Any, peep: Any, gain: Any, bias: Any, h0: Any, c0: Any, y: Any
) -> Any:
    import polyad as pa

    def norm(z: Any, n: int) -> Any:
        return pa.nn.layer_norm(z, gain[n], bias[n])

    def step(carry: Any, x_t: Any) -> Any:
        h, c = carry
        i, f, g, o = pa.numpy.split(x_t @ W_ih.T + h @ W_hh.T, 4, axis=-1)
        i = pa.sigmoid(norm(i + peep[0] * c, 0))
        f = pa.sigmoid(norm(f + peep[1] * c, 1))
        c = f * c + i * pa.tanh(norm(g, 2))
        h = pa.sigmoid(norm(o + peep[2] * c, 3)) * pa.tanh(c)
        return (h, c), h

    _, hs = pa.scan(step, init=(h0, c0), xs=x)
    return pa.numpy.mean((hs - y) ** 2)


def torch_cell(z: Any, h: Any, c: Any, W_hh: Any, peep: Any, gain: Any, bias: Any) -> Any:
    import torch

    def norm(v: Any, n: int) -> Any:
        return torch.nn.functional.layer_norm(v, v.shape[-1:], gain[n], bias[n])

    i, f, g, o = torch.addmm(z, h, W_hh.T).chunk(4, 1)
    i = torch.sigmoid(norm(i + peep[0] * c, 0))
    f = torch.sigmoid(norm(f + peep[1] * c, 1))
    c = f * c + i * torch.tanh(norm(g, 2))
    return torch.sigmoid(norm(o + peep[2] * c, 3)) * torch.tanh(c), c


def torch_loop(
    cell: Any, x: Any, W_ih: Any, W_hh: Any, peep: Any, gain: Any, bias: Any, h0: Any, c0: Any, y: Any
) -> Any:
    import torch

    h, c, hs = h0, c0, []
    for z in (x @ W_ih.T).unbind(0):
        h, c = cell(z, h, c, W_hh, peep, gain, bias)
        hs.append(h)
    return ((torch.stack(hs) - y) ** 2).mean()


def torch_loss(case: Case, **arrays: Any) -> Any:
    return torch_loop(torch_cell, **arrays)


def with_torch_compile(case: Case) -> Ready:
    """The cell compiled, the loop in Python: compiling a loop of 100 steps takes minutes."""
    import torch

    cell = torch.compile(torch_cell)
    return with_torch(inputs, lambda case, **arrays: torch_loop(cell, **arrays), wrt)(case)


def jax_loss(
    case: Case, x: Any, W_ih: Any, W_hh: Any, peep: Any, gain: Any, bias: Any, h0: Any, c0: Any, y: Any
) -> Any:
    import jax
    import jax.numpy as jnp

    def norm(v: Any, n: int) -> Any:
        v = v - v.mean(-1, keepdims=True)
        return v * jax.lax.rsqrt((v * v).mean(-1, keepdims=True) + 1e-5) * gain[n] + bias[n]

    def step(carry: Any, z: Any) -> Any:
        h, c = carry
        i, f, g, o = jnp.split(z + h @ W_hh.T, 4, axis=-1)
        i = jax.nn.sigmoid(norm(i + peep[0] * c, 0))
        f = jax.nn.sigmoid(norm(f + peep[1] * c, 1))
        c = f * c + i * jnp.tanh(norm(g, 2))
        h = jax.nn.sigmoid(norm(o + peep[2] * c, 3)) * jnp.tanh(c)
        return (h, c), h

    _, hs = jax.lax.scan(step, (h0, c0), x @ W_ih.T)
    return jnp.mean((hs - y) ** 2)


WORKLOAD = Workload(
    about="value and gradient of a peephole LSTM with layer-normalised gates",
    cases=(Case({"T": 100, "B": 16, "H": 128}, goal={1: 0.5, 2: 0.5}, quick=True),),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "torch compile": with_torch_compile,
        "jax": with_jax(inputs, jax_loss, wrt),
    },
    tiny={"T": 3, "B": 2, "H": 3},
)
