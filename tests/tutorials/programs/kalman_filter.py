"""A Kalman filter's log likelihood, and its gradient by the parameters of a moving target."""

import numpy as np

import polyad as jax
import polyad as lax
import polyad.numpy as jnp
from polyad import Tensor as Array


def data() -> tuple[dict[str, np.ndarray], np.ndarray]:
    rng = np.random.default_rng(1)
    steps = 30
    positions = np.cumsum(rng.normal(size=(steps, 2)), axis=0)
    params = {"log_q": np.array(-1.0), "log_r": np.array(0.3), "decay": np.array(0.95)}
    return params, positions + rng.normal(size=(steps, 2))


def log_likelihood(params: dict[str, Array], observations: Array) -> Array:
    dt = 1.0
    A = jnp.array([[1.0, 0.0, dt, 0.0], [0.0, 1.0, 0.0, dt], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    A = A.at[2, 2].set(params["decay"]).at[3, 3].set(params["decay"])
    C = jnp.eye(2, 4)
    Q = jnp.exp(params["log_q"]) * jnp.eye(4)
    R = jnp.exp(params["log_r"]) * jnp.eye(2)

    def step(carry: tuple[Array, Array], y: Array) -> tuple[tuple[Array, Array], Array]:
        mean, cov = carry
        mean = A @ mean
        cov = A @ cov @ A.T + Q
        innovation = y - C @ mean
        S = C @ cov @ C.T + R
        K = jnp.linalg.solve(S, C @ cov).T
        _, log_det = jnp.linalg.slogdet(S)
        log_prob = -0.5 * (innovation @ jnp.linalg.solve(S, innovation) + log_det + 2 * jnp.log(2 * jnp.pi))
        mean = mean + K @ innovation
        cov = cov - K @ S @ K.T
        return (mean, cov), log_prob

    start = (jnp.zeros(4), 10.0 * jnp.eye(4))
    _, log_probs = lax.scan(step, start, observations)
    return jnp.sum(log_probs)


def results() -> object:
    params, observations = data()
    return jax.jit(jax.value_and_grad(log_likelihood))(params, observations)
