"""The loss of proximal policy optimisation: advantages by a scan backwards, a clipped ratio, a value and an entropy."""

import numpy as np

import polyad as jax
import polyad as lax
import polyad.numpy as jnp
from polyad import Tensor as Array

Params = dict[str, Array]
Batch = dict[str, Array]


def data() -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    rng = np.random.default_rng(8)
    steps, features, hidden, actions = 32, 4, 16, 3
    shapes = {"w": (features, hidden), "policy": (hidden, actions), "value": (hidden, 1)}
    params = {name: rng.normal(size=shape, scale=0.4) for name, shape in shapes.items()}
    batch: dict[str, np.ndarray] = {
        "obs": rng.normal(size=(steps, features)),
        "actions": rng.integers(0, actions, steps).astype(np.int32),
        "rewards": rng.normal(size=steps),
        "dones": (rng.random(steps) < 0.1).astype(np.float64),
        "values": rng.normal(size=steps + 1),
        "log_probs": np.log(rng.uniform(0.2, 0.5, steps)),
    }
    return params, batch


def gae(rewards: Array, values: Array, dones: Array, gamma: float = 0.99, lam: float = 0.95) -> Array:
    def step(advantage: Array, inputs: tuple[Array, ...]) -> tuple[Array, Array]:
        reward, value, next_value, done = inputs
        delta = reward + gamma * next_value * (1.0 - done) - value
        advantage = delta + gamma * lam * (1.0 - done) * advantage
        return advantage, advantage

    advantages: Array
    _, advantages = lax.scan(step, jnp.zeros(()), (rewards, values[:-1], values[1:], dones), reverse=True)
    return advantages


def loss(params: Params, batch: Batch, clip: float = 0.2) -> Array:
    advantages = gae(batch["rewards"], batch["values"], batch["dones"])
    returns = advantages + batch["values"][:-1]
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    h = jnp.tanh(batch["obs"] @ params["w"])
    log_pi = jax.nn.log_softmax(h @ params["policy"])
    log_prob = jnp.take_along_axis(log_pi, batch["actions"][:, None], axis=1)[:, 0]
    ratio = jnp.exp(log_prob - batch["log_probs"])
    clipped = jnp.clip(ratio, 1.0 - clip, 1.0 + clip)
    policy_loss = -jnp.mean(jnp.minimum(ratio * advantages, clipped * advantages))
    value_loss = jnp.mean(((h @ params["value"])[:, 0] - returns) ** 2)
    entropy = -jnp.mean(jnp.sum(jnp.exp(log_pi) * log_pi, axis=-1))
    return policy_loss + 0.5 * value_loss - 0.01 * entropy


def results() -> object:
    params, batch = data()
    return jax.jit(jax.value_and_grad(loss))(params, batch)
