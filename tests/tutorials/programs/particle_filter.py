"""A bootstrap particle filter: weights, systematic resampling, and the gradient of its likelihood."""

import numpy as np

import polyad as jax
import polyad as lax
import polyad.numpy as jnp
from polyad import Tensor as Array
from polyad import random
from polyad.nn import logsumexp

PARTICLES = 50


def data() -> tuple[dict[str, np.ndarray], np.ndarray]:
    rng = np.random.default_rng(9)
    observations = np.cumsum(rng.normal(size=20)) + 0.5 * rng.normal(size=20)
    return {"drift": np.array(0.9), "log_scale": np.array(0.1)}, observations


def systematic_resample(key: Array, log_weights: Array) -> Array:
    weights = jax.nn.softmax(log_weights)
    n = weights.shape[0]
    positions = (jnp.arange(n) + random.uniform(key, (), dtype=weights.dtype)) / n
    ancestors: Array = jnp.clip(jnp.searchsorted(jnp.cumsum(weights), positions), 0, n - 1)
    return ancestors


def log_likelihood(params: dict[str, Array], key: Array, observations: Array) -> Array:
    scale = jnp.exp(params["log_scale"])

    def step(carry: tuple[Array, Array], y: Array) -> tuple[tuple[Array, Array], Array]:
        key, particles = carry
        key, noise_key, resample_key = random.split(key, 3)
        particles = params["drift"] * particles + random.normal(noise_key, particles.shape, dtype=particles.dtype)
        log_w = -0.5 * ((y - particles) / scale) ** 2 - jnp.log(scale) - 0.5 * jnp.log(2.0 * jnp.pi)
        ancestors = systematic_resample(resample_key, lax.stop_gradient(log_w))
        return (key, particles[ancestors]), logsumexp(log_w) - jnp.log(PARTICLES)

    init_key, key = random.split(key)
    particles = random.normal(init_key, (PARTICLES,), dtype=observations.dtype)
    _, log_evidence = lax.scan(step, (key, particles), observations)
    return jnp.sum(log_evidence)


def results() -> object:
    params, observations = data()
    return jax.jit(jax.value_and_grad(log_likelihood))(params, random.PRNGKey(3), observations)
