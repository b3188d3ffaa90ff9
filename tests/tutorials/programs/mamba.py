"""A Mamba block: a selective state space between a causal convolution and a gate."""

import numpy as np

import polyad as jax
import polyad as lax
import polyad.numpy as jnp
from polyad import Tensor as Array

Params = dict[str, Array]


def data() -> tuple[dict[str, np.ndarray], np.ndarray]:
    rng = np.random.default_rng(4)
    model, inner, state, rank, taps, length = 6, 12, 4, 3, 4, 20
    shapes = {
        "in_proj": (model, 2 * inner),
        "conv": (taps, inner),
        "x_proj": (inner, rank + 2 * state),
        "dt_proj": (rank, inner),
        "out_proj": (inner, model),
    }
    params = {name: rng.normal(size=shape, scale=0.3) for name, shape in shapes.items()}
    params["A_log"] = np.log(np.tile(np.arange(1.0, state + 1), (inner, 1)))
    params["D"] = np.ones(inner)
    params["dt_bias"] = np.full(inner, -2.0)
    return params, rng.normal(size=(length, model))


def causal_conv(x: Array, w: Array) -> Array:
    taps = w.shape[0]
    padded = jnp.pad(x, ((taps - 1, 0), (0, 0)))
    total: Array = sum(padded[k : k + x.shape[0]] * w[k] for k in range(taps))
    return total


def combine(left: tuple[Array, Array], right: tuple[Array, Array]) -> tuple[Array, Array]:
    return left[0] * right[0], right[0] * left[1] + right[1]


def mamba_block(params: Params, x: Array) -> Array:
    u, gate = jnp.split(x @ params["in_proj"], 2, axis=-1)
    u = jax.nn.silu(causal_conv(u, params["conv"]))
    A = -jnp.exp(params["A_log"])
    n, rank = A.shape[1], params["dt_proj"].shape[0]
    dt, B, C = jnp.split(u @ params["x_proj"], [rank, rank + n], axis=-1)
    dt = jax.nn.softplus(dt @ params["dt_proj"] + params["dt_bias"])
    decay = jnp.exp(dt[:, :, None] * A)
    drive = dt[:, :, None] * B[:, None, :] * u[:, :, None]
    _, h = lax.associative_scan(combine, (decay, drive))
    y = jnp.einsum("tdn,tn->td", h, C) + params["D"] * u
    gated: Array = y * jax.nn.silu(gate)
    return gated @ params["out_proj"]


def loss(params: Params, x: Array) -> Array:
    return jnp.mean(mamba_block(params, x)[:-1] * x[1:])


def results() -> object:
    params, x = data()
    return jax.jit(jax.value_and_grad(loss))(params, x)
