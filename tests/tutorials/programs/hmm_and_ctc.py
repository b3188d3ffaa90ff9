"""The forward algorithm of a hidden Markov model in logarithms, and the CTC loss of a sequence of labels."""

import numpy as np

import polyad as jax
import polyad as lax
import polyad.numpy as jnp
from polyad import Tensor as Array
from polyad.nn import logsumexp

NEG_INF = -1e30


def data() -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(2)
    states, symbols, steps = 5, 7, 40
    transition, emission = rng.normal(size=(states, states)), rng.normal(size=(states, symbols))
    observations = rng.integers(0, symbols, steps).astype(np.int32)
    logits, labels = rng.normal(size=(steps, symbols)), np.array([1, 3, 3, 2, 5], np.int32)
    return transition, emission, observations, logits, labels


def hmm_log_likelihood(transition: Array, emission: Array, observations: Array) -> Array:
    log_A = jax.nn.log_softmax(transition, axis=1)
    log_B = jax.nn.log_softmax(emission, axis=1)
    log_pi = -jnp.log(transition.shape[0]) * jnp.ones(transition.shape[0])

    def step(alpha: Array, obs: Array) -> tuple[Array, None]:
        return logsumexp(alpha[:, None] + log_A, axis=0) + log_B[:, obs], None

    alpha = log_pi + log_B[:, observations[0]]
    alpha, _ = lax.scan(step, alpha, observations[1:])
    return logsumexp(alpha)


def ctc_loss(logits: Array, labels: Array, blank: int = 0) -> Array:
    log_probs = jax.nn.log_softmax(logits)
    n = labels.shape[0]
    extended = jnp.full(2 * n + 1, blank).at[1::2].set(labels)
    same = jnp.concatenate([jnp.array([True, True]), extended[2:] == extended[:-2]])
    alpha = jnp.full(2 * n + 1, NEG_INF)
    alpha = alpha.at[0].set(log_probs[0, blank]).at[1].set(log_probs[0, labels[0]])

    def step(alpha: Array, log_p: Array) -> tuple[Array, None]:
        one = jnp.concatenate([jnp.full(1, NEG_INF), alpha[:-1]])
        two = jnp.concatenate([jnp.full(2, NEG_INF), alpha[:-2]])
        two = jnp.where(same | (extended == blank), NEG_INF, two)
        return jnp.logaddexp(jnp.logaddexp(alpha, one), two) + log_p[extended], None

    last: Array
    last, _ = lax.scan(step, alpha, log_probs[1:])
    return -jnp.logaddexp(last[-1], last[-2])


def results() -> object:
    transition, emission, observations, logits, labels = data()
    hmm = jax.jit(jax.value_and_grad(hmm_log_likelihood, argnums=(0, 1)))(transition, emission, observations)
    ctc = jax.jit(jax.value_and_grad(ctc_loss))(logits, labels)
    return hmm, ctc
