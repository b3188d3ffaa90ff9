"""A transformer block: causal attention of several heads, layer norm, a feed-forward net, and residuals."""

import numpy as np

import polyad as jax
import polyad.numpy as jnp
from polyad import Tensor as Array

Params = dict[str, Array]

HEADS = 2


def data() -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    batch, length, width = 3, 9, 8
    shapes = {"wqkv": (width, 3 * width), "wo": (width, width), "w1": (width, 4 * width), "w2": (4 * width, width)}
    params = {name: rng.normal(size=shape, scale=0.2) for name, shape in shapes.items()}
    params |= {"g1": np.ones(width), "b1": np.zeros(width), "g2": np.ones(width), "b2": np.zeros(width)}
    return params, rng.normal(size=(batch, length, width)), rng.normal(size=(batch, length, width))


def layer_norm(x: Array, g: Array, b: Array, eps: float = 1e-5) -> Array:
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return g * (x - mean) / jnp.sqrt(variance + eps) + b


def attention(params: Params, x: Array) -> Array:
    batch, length, width = x.shape
    q, k, v = jnp.split(x @ params["wqkv"], 3, axis=-1)
    q, k, v = (a.reshape(batch, length, HEADS, width // HEADS) for a in (q, k, v))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(width // HEADS)
    mask = jnp.tril(jnp.ones((length, length), dtype=bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -jnp.inf), axis=-1)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(batch, length, width) @ params["wo"]


def block(params: Params, x: Array) -> Array:
    x = x + attention(params, layer_norm(x, params["g1"], params["b1"]))
    h: Array = jax.nn.gelu(layer_norm(x, params["g2"], params["b2"]) @ params["w1"], approximate=False)
    return x + h @ params["w2"]


def loss(params: Params, x: Array, target: Array) -> Array:
    return jnp.mean((block(params, x) - target) ** 2)


def results() -> object:
    params, x, target = data()
    return jax.jit(jax.value_and_grad(loss))(params, x, target)
