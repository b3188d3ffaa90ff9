"""Value and gradient of an LSTM: what a training step costs.

Loss: mean of (h[t] - target[t])^2 over all steps; gradients with respect to both weight matrices and the bias. Weights
in PyTorch's layout, gates in its order. The same inputs for everybody.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.workload import Case, Workload

__all__ = ["WORKLOAD", "inputs", "jax_loss", "polyad_loss"]


def inputs(case: Case) -> dict[str, Any]:
    """x (T, B, I), target (T, B, H), W_ih (4H, I), W_hh (4H, H), b (4H,); I = H."""
    T, B, H = case["T"], case["B"], case["H"]
    rng = np.random.default_rng(0)
    bound = 1 / np.sqrt(H)
    arrays = {
        "x": rng.normal(size=(T, B, H)),
        "target": rng.normal(size=(T, B, H), scale=0.5),
        "W_ih": rng.uniform(-bound, bound, (4 * H, H)),
        "W_hh": rng.uniform(-bound, bound, (4 * H, H)),
        "b": rng.uniform(-bound, bound, 4 * H),
    }
    return {n: a.astype(np.float32) for n, a in arrays.items()}


def polyad_loss(weights: Any, x: Any, target: Any) -> Any:
    """The loss in polyad."""
    import polyad as pa

    W_ih, W_hh, b = weights

    def step(carry: Any, x_t: Any) -> Any:
        h, c = carry
        i, f, g, o = pa.numpy.split(x_t @ W_ih.T + h @ W_hh.T + b, 4, axis=-1)
        c = pa.sigmoid(f) * c + pa.sigmoid(i) * pa.tanh(g)
        h = pa.sigmoid(o) * pa.tanh(c)
        return (h, c), h

    start = pa.numpy.zeros_like(target[0])
    _, hs = pa.scan(step, init=(start, start), xs=x)
    return pa.numpy.mean((hs - target) ** 2)


def with_polyad(case: Case) -> Callable[[], Any]:
    import polyad as pa

    a = inputs(case)
    weights = [a["W_ih"], a["W_hh"], a["b"]]
    run = pa.value_and_grad(polyad_loss)

    def call() -> Any:
        value, grads = run(weights, a["x"], a["target"])
        return [value, *grads]

    return call


def with_torch(case: Case) -> Callable[[], Any]:
    import torch

    a = {n: torch.from_numpy(v) for n, v in inputs(case).items()}
    module = torch.nn.LSTM(case["H"], case["H"])
    with torch.no_grad():
        module.weight_ih_l0.copy_(a["W_ih"])
        module.weight_hh_l0.copy_(a["W_hh"])
        module.bias_ih_l0.copy_(a["b"])
        module.bias_hh_l0.zero_()
    weights = [module.weight_ih_l0, module.weight_hh_l0, module.bias_ih_l0]

    def call() -> Any:
        hs, _ = module(a["x"])
        value = ((hs - a["target"]) ** 2).mean()
        return [value.detach().numpy(), *(g.numpy() for g in torch.autograd.grad(value, weights))]

    return call


def jax_loss(weights: Any, x: Any, target: Any) -> Any:
    """The loss in JAX."""
    import jax
    import jax.numpy as jnp

    W_ih, W_hh, b = weights

    def step(carry: Any, zx_t: Any) -> Any:
        h, c = carry
        i, f, g, o = jnp.split(zx_t + h @ W_hh.T, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    start = jnp.zeros_like(target[0])
    # XLA does not move the input projection out of the scan, so its users do.
    _, hs = jax.lax.scan(step, (start, start), x @ W_ih.T + b)
    return jnp.mean((hs - target) ** 2)


def with_jax(case: Case) -> Callable[[], Any]:
    import jax

    a = {n: jax.numpy.asarray(v) for n, v in inputs(case).items()}
    weights = [a["W_ih"], a["W_hh"], a["b"]]
    run = jax.jit(jax.value_and_grad(jax_loss))

    def call() -> Any:
        value, grads = jax.block_until_ready(run(weights, a["x"], a["target"]))
        return [value, *grads]

    return call


WORKLOAD = Workload(
    about="value and gradient of an LSTM layer, float32, as many inputs as hidden units",
    cases=({"T": 100, "B": 1, "H": 64}, {"T": 100, "B": 16, "H": 128}),
    contenders={"polyad": with_polyad, "torch": with_torch, "jax": with_jax},
    rtol=1e-3,
)
