"""An LSTM layer: what a training step costs.

Loss: mean of (h[t] - y[t])^2 over all steps. Differentiated with respect to the inputs, both weight matrices, the bias
and the initial state. Weights in PyTorch's layout, gates in its order.
"""

from typing import Any

import numpy as np

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import gradient_of, with_torch
from benchmarks.workload import Case, Ready, Workload, generator

__all__ = ["WORKLOAD", "inputs", "jax_loss", "polyad_loss"]


def inputs(case: Case) -> dict[str, Any]:
    """x (T, B, H), W_ih and W_hh (4H, H), b (4H,), h0 and c0 (B, H), y (T, B, H)."""
    T, B, H = case["T"], case["B"], case["H"]
    rng = generator(case)
    bound = 1 / np.sqrt(H)
    arrays = {
        "x": rng.normal(size=(T, B, H)),
        "W_ih": rng.uniform(-bound, bound, (4 * H, H)),
        "W_hh": rng.uniform(-bound, bound, (4 * H, H)),
        "b": rng.uniform(-bound, bound, 4 * H),
        "h0": rng.normal(size=(B, H), scale=0.1),
        "c0": rng.normal(size=(B, H), scale=0.1),
        "y": rng.normal(size=(T, B, H), scale=0.5),
    }
    return {n: a.astype(case.dtype) for n, a in arrays.items()}


def wrt(case: Case) -> tuple[str, ...]:
    return "x", "W_ih", "W_hh", "b", "h0", "c0"


def shapes(case: Case, T: Any, B: Any, H: Any) -> dict[str, Any]:
    weights = {"W_ih": (4 * H, H), "W_hh": (4 * H, H), "b": (4 * H,)}
    return {"x": (T, B, H), **weights, "h0": (B, H), "c0": (B, H), "y": (T, B, H)}


def polyad_loss(case: Case, x: Any, W_ih: Any, W_hh: Any, b: Any, h0: Any, c0: Any, y: Any) -> Any:
    import polyad as pa

    def step(carry: Any, x_t: Any) -> Any:
        h, c = carry
        i, f, g, o = pa.numpy.split(x_t @ W_ih.T + h @ W_hh.T + b, 4, axis=-1)
        c = pa.sigmoid(f) * c + pa.sigmoid(i) * pa.tanh(g)
        h = pa.sigmoid(o) * pa.tanh(c)
        return (h, c), h

    _, hs = pa.scan(step, init=(h0, c0), xs=x)
    return pa.numpy.mean((hs - y) ** 2)


def with_torch_module(case: Case) -> Ready:
    """nn.LSTM, which calls oneDNN."""
    import torch

    a = {n: torch.from_numpy(v) for n, v in inputs(case).items()}
    module = torch.nn.LSTM(case["H"], case["H"], dtype=a["x"].dtype)
    with torch.no_grad():
        module.weight_ih_l0.copy_(a["W_ih"])
        module.weight_hh_l0.copy_(a["W_hh"])
        module.bias_ih_l0.copy_(a["b"])
        module.bias_hh_l0.zero_()
    x, h0, c0 = (a[n].requires_grad_() for n in ("x", "h0", "c0"))
    variables = [x, module.weight_ih_l0, module.weight_hh_l0, module.bias_ih_l0, h0, c0]
    return gradient_of(lambda: ((module(x, (h0[None], c0[None]))[0] - a["y"]) ** 2).mean(), variables)


def torch_loss(case: Case, x: Any, W_ih: Any, W_hh: Any, b: Any, h0: Any, c0: Any, y: Any) -> Any:
    import torch

    z = torch.addmm(b, x.reshape(-1, case["H"]), W_ih.T).reshape(*x.shape[:2], -1)
    h, c, hs = h0, c0, []
    for z_t in z.unbind(0):
        i, f, g, o = torch.addmm(z_t, h, W_hh.T).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        hs.append(h)
    return ((torch.stack(hs) - y) ** 2).mean()


def jax_loss(case: Case, x: Any, W_ih: Any, W_hh: Any, b: Any, h0: Any, c0: Any, y: Any) -> Any:
    import jax
    import jax.numpy as jnp

    def step(carry: Any, z_t: Any) -> Any:
        h, c = carry
        i, f, g, o = jnp.split(z_t + h @ W_hh.T, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    # XLA does not move the input projection out of the scan, so its users do.
    _, hs = jax.lax.scan(step, (h0, c0), x @ W_ih.T + b)
    return jnp.mean((hs - y) ** 2)


def case(T: int, B: int, H: int, dtype: str, one: float, two: float | None = None, quick: bool = False) -> Case:
    return Case({"T": T, "B": B, "H": H}, dtype, goal={1: one, 2: one if two is None else two}, quick=quick)


WORKLOAD = Workload(
    about="value and gradient of an LSTM layer, as many inputs as hidden units",
    cases=(
        case(100, 1, 64, "float32", 0.4, quick=True),
        case(100, 1, 512, "float32", 0.85, 0.6),
        case(100, 16, 128, "float32", 0.85, quick=True),
        case(100, 64, 256, "float32", 0.9),
        case(100, 64, 512, "float32", 1.0),
        case(35, 20, 650, "float32", 1.0),
        case(100, 1, 64, "float64", 0.5, quick=True),
        case(100, 16, 128, "float64", 0.6),
        case(100, 64, 256, "float64", 0.9),
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch nn": with_torch_module,
        "torch loop": with_torch(inputs, torch_loss, wrt),
        "jax": with_jax(inputs, jax_loss, wrt),
    },
    tiny={"T": 4, "B": 2, "H": 3},
)
