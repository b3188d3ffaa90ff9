"""A variational autoencoder: an encoder, a sample by the reparametrisation trick, a decoder, and its bound."""

import numpy as np

import polyad as jax
import polyad.numpy as jnp
from polyad import Tensor as Array
from polyad import random

Params = dict[str, dict[str, Array]]


def data() -> tuple[dict[str, dict[str, np.ndarray]], np.ndarray]:
    rng = np.random.default_rng(5)
    pixels, hidden, latent = 20, 16, 3

    def layer(m: int, n: int) -> dict[str, np.ndarray]:
        return {"w": rng.normal(size=(m, n), scale=0.2), "b": np.zeros(n)}

    params = {
        "enc": layer(pixels, hidden),
        "mean": layer(hidden, latent),
        "logvar": layer(hidden, latent),
        "dec": layer(latent, hidden),
        "out": layer(hidden, pixels),
    }
    return params, (rng.random((8, pixels)) < 0.4).astype(np.float64)


def dense(p: dict[str, Array], x: Array) -> Array:
    return x @ p["w"] + p["b"]


def elbo(params: Params, key: Array, image: Array) -> Array:
    h = jax.nn.relu(dense(params["enc"], image))
    mean, logvar = dense(params["mean"], h), dense(params["logvar"], h)
    z = mean + jnp.exp(0.5 * logvar) * random.normal(key, mean.shape, dtype=mean.dtype)
    logits = dense(params["out"], jax.nn.relu(dense(params["dec"], z)))
    log_likelihood = -jnp.sum(jnp.logaddexp(0.0, jnp.where(image > 0.5, -1.0, 1.0) * logits))
    kl = -0.5 * jnp.sum(1.0 + logvar - mean**2 - jnp.exp(logvar))
    return log_likelihood - kl


def loss(params: Params, key: Array, images: Array) -> Array:
    keys = random.split(key, images.shape[0])
    return -jnp.mean(jax.vmap(elbo, in_axes=(None, 0, 0))(params, keys, images))


def results() -> object:
    params, images = data()
    return jax.jit(jax.value_and_grad(loss))(params, random.PRNGKey(0), images)
