"""GRU and tanh RNN layers.

Loss: mean of (h[t] - y[t])^2 over all steps. Differentiated with respect to the inputs, weights, biases and the initial
state. Weights in PyTorch's layout: both biases of a GRU count, of an RNN one is enough.
"""

from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import gradient_of, with_torch
from benchmarks.workload import Arrays, Case, Ready, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """x (T, B, H), W_ih and W_hh (G H, H), b_ih and b_hh (G H,), h0 (B, H), y (T, B, H); G = 3 for a GRU, else 1."""
    T, B, H = case["T"], case["B"], case["H"]
    rows = 3 * H if case.kind == "gru" else H
    rng = generator(case)
    bound = 1 / np.sqrt(H)
    arrays = {
        "x": rng.normal(size=(T, B, H)),
        "W_ih": rng.uniform(-bound, bound, (rows, H)),
        "W_hh": rng.uniform(-bound, bound, (rows, H)),
        "b_ih": rng.uniform(-bound, bound, rows),
        **({"b_hh": rng.uniform(-bound, bound, rows)} if case.kind == "gru" else {}),
        "h0": rng.normal(size=(B, H), scale=0.1),
        "y": rng.normal(size=(T, B, H), scale=0.5),
    }
    return {n: a.astype(case.dtype) for n, a in arrays.items()}


def wrt(case: Case) -> tuple[str, ...]:
    return ("x", "W_ih", "W_hh", "b_ih", *(["b_hh"] if case.kind == "gru" else []), "h0")


def shapes(case: Case, T: Any, B: Any, H: Any) -> dict[str, Any]:
    rows = 3 * H if case.kind == "gru" else H
    weights = {"W_ih": (rows, H), "W_hh": (rows, H), "b_ih": (rows,), "b_hh": (rows,)}
    return {"x": (T, B, H), **weights, "h0": (B, H), "y": (T, B, H)}


def polyad_loss(case: Case, x: Any, W_ih: Any, W_hh: Any, b_ih: Any, h0: Any, y: Any, b_hh: Any = None) -> Any:
    import polyad as pa

    def gru(h: Any, x_t: Any) -> Any:
        x_r, x_z, x_n = pa.numpy.split(x_t @ W_ih.T + b_ih, 3, axis=-1)
        h_r, h_z, h_n = pa.numpy.split(h @ W_hh.T + b_hh, 3, axis=-1)
        z = pa.sigmoid(x_z + h_z)
        n = pa.tanh(x_n + pa.sigmoid(x_r + h_r) * h_n)
        h = n + z * (h - n)
        return h, h

    def rnn(h: Any, x_t: Any) -> Any:
        h = pa.tanh(x_t @ W_ih.T + b_ih + h @ W_hh.T)
        return h, h

    _, hs = pa.scan(gru if case.kind == "gru" else rnn, init=h0, xs=x)
    return pa.numpy.mean((hs - y) ** 2)


def with_torch_module(case: Case) -> Ready:
    """nn.GRU, nn.RNN."""
    import torch

    a = {n: torch.from_numpy(v) for n, v in inputs(case).items()}
    kinds: Any = {"gru": torch.nn.GRU, "rnn": torch.nn.RNN}
    module = kinds[case.kind](case["H"], case["H"], dtype=a["x"].dtype)
    with torch.no_grad():
        module.weight_ih_l0.copy_(a["W_ih"])
        module.weight_hh_l0.copy_(a["W_hh"])
        module.bias_ih_l0.copy_(a["b_ih"])
        module.bias_hh_l0.copy_(a["b_hh"]) if "b_hh" in a else module.bias_hh_l0.zero_()
    x, h0 = a["x"].requires_grad_(), a["h0"].requires_grad_()
    biases = [module.bias_ih_l0, *([module.bias_hh_l0] if "b_hh" in a else [])]
    variables = [x, module.weight_ih_l0, module.weight_hh_l0, *biases, h0]
    return gradient_of(lambda: ((module(x, h0[None])[0] - a["y"]) ** 2).mean(), variables)


def torch_loss(case: Case, x: Any, W_ih: Any, W_hh: Any, b_ih: Any, h0: Any, y: Any, b_hh: Any = None) -> Any:
    import torch

    parts = torch.addmm(b_ih, x.reshape(-1, case["H"]), W_ih.T).reshape(*x.shape[:2], -1)
    h, hs = h0, []
    for part in parts.unbind(0):
        if case.kind == "gru":
            x_r, x_z, x_n = part.chunk(3, 1)
            h_r, h_z, h_n = torch.addmm(b_hh, h, W_hh.T).chunk(3, 1)
            z = torch.sigmoid(x_z + h_z)
            n = torch.tanh(x_n + torch.sigmoid(x_r + h_r) * h_n)
            h = n + z * (h - n)
        else:
            h = torch.tanh(torch.addmm(part, h, W_hh.T))
        hs.append(h)
    return ((torch.stack(hs) - y) ** 2).mean()


def jax_loss(case: Case, x: Any, W_ih: Any, W_hh: Any, b_ih: Any, h0: Any, y: Any, b_hh: Any = None) -> Any:
    import jax
    import jax.numpy as jnp

    def gru(h: Any, part: Any) -> Any:
        x_r, x_z, x_n = jnp.split(part, 3, axis=-1)
        h_r, h_z, h_n = jnp.split(h @ W_hh.T + b_hh, 3, axis=-1)
        z = jax.nn.sigmoid(x_z + h_z)
        n = jnp.tanh(x_n + jax.nn.sigmoid(x_r + h_r) * h_n)
        h = n + z * (h - n)
        return h, h

    def rnn(h: Any, part: Any) -> Any:
        h = jnp.tanh(part + h @ W_hh.T)
        return h, h

    _, hs = jax.lax.scan(gru if case.kind == "gru" else rnn, h0, x @ W_ih.T + b_ih)
    return jnp.mean((hs - y) ** 2)


SIZES = {"T": 100, "B": 16, "H": 128}
WORKLOAD = Workload(
    about="value and gradient of GRU and tanh RNN layers",
    cases=(
        Case(SIZES, kind="gru", goal={1: 0.7, 2: 0.5}, quick=True),
        Case(SIZES, kind="rnn", goal={1: 0.7, 2: 0.5}, quick=True),
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch nn": with_torch_module,
        "torch loop": with_torch(inputs, torch_loss, wrt),
        "jax": with_jax(inputs, jax_loss, wrt),
    },
    tiny={"T": 4, "B": 2, "H": 3},
)
