"""Gaussian process regression: a kernel matrix by vmap, its Cholesky factor, the likelihood and a prediction."""

from collections.abc import Callable

import numpy as np

import polyad as jax
import polyad.numpy as jnp
from polyad import Tensor as Array
from polyad.numpy.linalg import solve_triangular

Params = dict[str, Array]


def data() -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(6)
    x = np.sort(rng.uniform(-3.0, 3.0, (25, 1)), axis=0)
    y = np.sin(2.0 * x[:, 0]) + 0.1 * rng.normal(size=25)
    params = {"amplitude": np.array(0.1), "lengthscale": np.array(-0.3), "noise": np.array(-2.0)}
    return params, x, y, np.linspace(-3.0, 3.0, 7)[:, None]


def rbf(params: Params, x1: Array, x2: Array) -> Array:
    scaled = (x1 - x2) / jnp.exp(params["lengthscale"])
    return jnp.exp(params["amplitude"]) * jnp.exp(-0.5 * jnp.sum(scaled**2))


def gram(kernel: Callable[[Array, Array], Array], xs: Array, ys: Array) -> Array:
    matrix: Array = jax.vmap(lambda x: jax.vmap(lambda y: kernel(x, y))(ys))(xs)
    return matrix


def factor(params: Params, x: Array) -> Array:
    K = gram(lambda a, b: rbf(params, a, b), x, x)
    return jnp.linalg.cholesky(K + jnp.exp(params["noise"]) * jnp.eye(x.shape[0]))


def neg_log_likelihood(params: Params, x: Array, y: Array) -> Array:
    L = factor(params, x)
    alpha = solve_triangular(L, y, lower=True)
    nll: Array = 0.5 * alpha @ alpha + jnp.sum(jnp.log(jnp.diag(L))) + 0.5 * x.shape[0] * jnp.log(2.0 * jnp.pi)
    return nll


def predict(params: Params, x: Array, y: Array, x_new: Array) -> tuple[Array, Array]:
    L = factor(params, x)
    k = solve_triangular(L, gram(lambda a, b: rbf(params, a, b), x, x_new), lower=True)
    mean = k.T @ solve_triangular(L, y, lower=True)
    return mean, jnp.exp(params["amplitude"]) - jnp.sum(k**2, axis=0)


def results() -> object:
    params, x, y, x_new = data()
    return jax.jit(jax.value_and_grad(neg_log_likelihood))(params, x, y), jax.jit(predict)(params, x, y, x_new)
