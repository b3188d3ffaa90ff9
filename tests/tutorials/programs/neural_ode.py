"""A neural differential equation: a network as the right-hand side, Runge-Kutta steps, and the way back."""

from itertools import pairwise

import numpy as np

import polyad as jax
import polyad as lax
import polyad.numpy as jnp
from polyad import Tensor as Array

Layers = list[tuple[Array, Array]]


def data() -> tuple[list[tuple[np.ndarray, np.ndarray]], np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    sizes = [2, 16, 2]
    params = [(rng.normal(size=(m, n), scale=0.4), np.zeros(n)) for m, n in pairwise(sizes)]
    times = np.linspace(0.0, 3.0, 16)
    spiral = np.exp(-0.1 * times)[:, None] * np.stack([np.cos(2 * times), np.sin(2 * times)], axis=1)
    return params, times, spiral


def mlp(params: Layers, y: Array) -> Array:
    for W, b in params[:-1]:
        y = jnp.tanh(y @ W + b)
    W, b = params[-1]
    return y @ W + b


def odeint(params: Layers, y0: Array, ts: Array, substeps: int = 4) -> Array:
    def rk4(y: Array, dt: Array) -> Array:
        k1 = mlp(params, y)
        k2 = mlp(params, y + 0.5 * dt * k1)
        k3 = mlp(params, y + 0.5 * dt * k2)
        k4 = mlp(params, y + dt * k3)
        return y + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)

    def interval(y: Array, dt: Array) -> tuple[Array, Array]:
        y = lax.fori_loop(0, substeps, lambda i, y: rk4(y, dt / substeps), y)
        return y, y

    _, ys = lax.scan(interval, y0, jnp.diff(ts))
    return jnp.concatenate([y0[None], ys])


def loss(params: Layers, ts: Array, target: Array) -> Array:
    return jnp.mean((odeint(params, target[0], ts) - target) ** 2)


def results() -> object:
    params, ts, target = data()
    return jax.jit(jax.value_and_grad(loss))(params, ts, target)
