"""A recurrent network that reads characters: one-hot letters, a scan, cross entropy, one step of descent."""

from functools import partial

import numpy as np

import polyad as jax
import polyad as lax
import polyad.numpy as jnp
from polyad import Tensor as Array

Params = dict[str, Array]

TEXT = "hello loops, hello scans; the way back runs by itself."


def data() -> tuple[dict[str, np.ndarray], np.ndarray]:
    letters = sorted(set(TEXT))
    ids = np.array([letters.index(c) for c in TEXT], np.int32)
    rng = np.random.default_rng(0)
    n, hidden = len(letters), 24
    shapes = {"Wxh": (n, hidden), "Whh": (hidden, hidden), "bh": (hidden,), "Why": (hidden, n), "by": (n,)}
    params = {name: rng.normal(size=shape, scale=0.3) for name, shape in shapes.items()}
    return params, ids


def rnn_step(params: Params, h: Array, x: Array) -> tuple[Array, Array]:
    h = jnp.tanh(x @ params["Wxh"] + h @ params["Whh"] + params["bh"])
    logits = h @ params["Why"] + params["by"]
    return h, logits


def loss_fn(params: Params, ids: Array) -> Array:
    inputs = jax.nn.one_hot(ids[:-1], params["Wxh"].shape[0])
    h0 = jnp.zeros(params["Whh"].shape[0])
    _, logits = lax.scan(partial(rnn_step, params), h0, inputs)
    log_probs = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(log_probs, ids[1:, None], axis=1))


@jax.jit
def update(params: Params, ids: Array) -> tuple[Array, Params]:
    loss, grads = jax.value_and_grad(loss_fn)(params, ids)
    return loss, jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def results() -> object:
    params, ids = data()
    first, params = update(params, ids)
    second, params = update(params, ids)
    return first, second, params
