"""The LSTM of the ADBench suite: element-wise gates, layers on top of each other, character by character.

With s the logistic function, for t = 0 .. C - 2 and layers k = 0 .. L - 1, x = text[t] * V[0] in the first layer and
the new h of the layer below in the others:

    c = c * s(x * Wf + bf) + s(h * Wi + bi) * tanh(h * Wc + bc);    h = s(x * Wo + bo) * tanh(c)
    y = h * V[1] + V[2];    loss -= sum_i text[t + 1, i] * (y[i] - log(2 + sum_j exp(y[j]))) / ((C - 1) B)

Differentiated with respect to W (2L, 4B), of which row 2k holds the weights of layer k and row 2k + 1 its biases in the
order f i o c, and V (3, B).

Source: Srajer, Kukelova, Fitzgibbon, A Benchmark of Selected Algorithmic Differentiation Tools, 2018.
"""

from typing import Any

from benchmarks.with_jax import with_jax
from benchmarks.with_polyad import Polyad
from benchmarks.with_torch import with_torch
from benchmarks.workload import Arrays, Case, Workload, generator

__all__ = ["WORKLOAD"]


def inputs(case: Case) -> Arrays:
    """W (2L, 4B), V (3, B), state (2L, B): h and c of each layer in turn, text (C, B) of zeros and ones."""
    L, C, B = case["L"], case["C"], case["B"]
    rng = generator(case)
    return {
        "W": rng.uniform(0, 1, (2 * L, 4 * B)),
        "V": rng.uniform(0, 1, (3, B)),
        "state": rng.uniform(0, 1, (2 * L, B)),
        "text": (rng.uniform(0, 1, (C, B)) < 1 / 3).astype(float),
    }


def wrt(case: Case) -> tuple[str, ...]:
    return "W", "V"


def shapes(case: Case, L: Any, C: Any, B: Any) -> dict[str, Any]:
    return {"W": (2 * L, 4 * B), "V": (3, B), "state": (2 * L, B), "text": (C, B)}


def polyad_loss(case: Case, W: Any, V: Any, state: Any, text: Any) -> Any:
    """Layers are a dimension like time; x[t, k] is what layer k reads at step t, x[t, k + 1] what comes out of it.

    Row 0 of x is the text. Every layer says the same then, so that all of them can take their steps together, each one
    step behind the layer below it.
    """
    import polyad as pa

    (characters, B), L = text.shape, state.shape[0] // 2
    steps = characters - 1

    def layer(x: Any, c: Any, t: Any, k: Any, i: Any) -> Any:
        def gate(n: int, value: Any, layer: Any) -> Any:
            return value * W[2 * layer, n * B + i] + W[2 * layer + 1, n * B + i]

        below = pa.sigmoid(gate(2, x[t, k - 1, i], k - 1)) * pa.tanh(c[t, k - 1, i])
        first = pa.select(t == 0, 0.0, text[t - 1, i] * V[0, i])
        x_new = pa.select(k == 0, first, pa.select(t == 0, state[2 * k - 2, i], below))
        forget, enter = pa.sigmoid(gate(0, x[t, k, i], k)), pa.sigmoid(gate(1, x[t - 1, k + 1, i], k))
        c_new = c[t - 1, k, i] * forget + enter * pa.tanh(gate(3, x[t - 1, k + 1, i], k))
        return x_new, pa.select(t == 0, state[2 * k + 1, i], c_new)

    x, _ = pa.recurrence(((steps + 1, L + 1, B), (steps + 1, L, B)), layer, name="lstm", dtype="float64")
    y = x[1:, L] * V[1] + V[2]
    normaliser = pa.log(2 + pa.numpy.sum(pa.exp(y), axis=1, keepdims=True))
    return -pa.numpy.mean(text[1:] * (y - normaliser))


def torch_loss(case: Case, W: Any, V: Any, state: Any, text: Any) -> Any:
    import torch

    L, B, steps = case["L"], case["B"], case["C"] - 1
    gates = W.reshape(L, 2, 4, B)
    # What reads the layer below, and what reads the step before, as one operation each.
    w_x, b_x, w_h, b_h = (
        [gates[k, part][rows] for k in range(L)] for rows in ([0, 2], [1, 3]) for part in range(2)
    )  # fmt: skip
    states, out = [(state[2 * k], state[2 * k + 1]) for k in range(L)], []
    for x in (text[:-1] * V[0]).unbind(0):
        v = x
        for k in range(L):
            h, c = states[k]
            f, o = torch.sigmoid(torch.addcmul(b_x[k], v, w_x[k])).unbind(0)
            i, g = torch.addcmul(b_h[k], h, w_h[k]).unbind(0)
            c = c * f + torch.sigmoid(i) * torch.tanh(g)
            v = o * torch.tanh(c)
            states[k] = (v, c)
        out.append(v)
    y = torch.stack(out) * V[1] + V[2]
    normaliser = torch.log(torch.exp(y).sum(1, keepdim=True) + 2)
    return -(text[1:] * (y - normaliser)).sum() / (steps * B)


def jax_loss(case: Case, W: Any, V: Any, state: Any, text: Any) -> Any:
    import jax
    import jax.numpy as jnp

    L, B, steps = case["L"], case["B"], case["C"] - 1
    gates = W.reshape(L, 2, 4, B)

    def step(states: Any, x: Any) -> Any:
        new, v = [], x * V[0]
        for (h, c), (w, b) in zip(states, gates, strict=True):
            f, o = jax.nn.sigmoid(v * w[0] + b[0]), jax.nn.sigmoid(v * w[2] + b[2])
            c = c * f + jax.nn.sigmoid(h * w[1] + b[1]) * jnp.tanh(h * w[3] + b[3])
            v = o * jnp.tanh(c)
            new.append((v, c))
        return new, v

    _, hs = jax.lax.scan(step, [(state[2 * k], state[2 * k + 1]) for k in range(L)], text[:-1])
    y = hs * V[1] + V[2]
    normaliser = jnp.log(2 + jnp.exp(y).sum(1, keepdims=True))
    return -jnp.sum(text[1:] * (y - normaliser)) / (steps * B)


WORKLOAD = Workload(
    about="ADBench's LSTM objective with its gradient",
    cases=(
        Case({"L": 2, "C": 1024, "B": 14}, "float64", goal={1: 0.08, 2: 0.08}, quick=True),
        Case({"L": 4, "C": 4096, "B": 14}, "float64", goal={1: 0.08, 2: 0.08}),
    ),
    contenders={
        "polyad": Polyad(inputs, polyad_loss, wrt, shapes),
        "torch": with_torch(inputs, torch_loss, wrt),
        "jax": with_jax(inputs, jax_loss, wrt),
    },
    tiny={"L": 3, "C": 5, "B": 4},
)
