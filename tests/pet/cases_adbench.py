"""Cases of the ADBench suite, at sizes that tests can afford; `adbench.py` has its data.

Source: Srajer, Kukelova, Fitzgibbon, A Benchmark of Selected Algorithmic Differentiation Tools, 2018.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.pet.case import Array, Case
from tests.pet.draws import Sizes, between, exactly

Outputs = dict[str, Any]


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def logsumexp(x: Array) -> Array:
    return np.asarray(np.logaddexp.reduce(x, axis=-1))


def adbench_lstm(a: SimpleNamespace) -> Outputs:
    states = a.state.reshape(a.L, 2, a.B)
    total = 0.0
    for now, after in zip(a.text, a.text[1:], strict=False):
        x = now * a.V[0]
        for state, (w, b) in zip(states, a.W.reshape(a.L, 2, 4, a.B), strict=True):
            h, c = state.copy()
            state[1] = c * sigmoid(x * w[0] + b[0]) + sigmoid(h * w[1] + b[1]) * np.tanh(h * w[3] + b[3])
            state[0] = x = sigmoid(x * w[2] + b[2]) * np.tanh(state[1])
        y = x * a.V[1] + a.V[2]
        total += after @ (y - np.log(2 + np.exp(y).sum()))
    return {"loss": [-total / ((a.C - 1) * a.B)]}


def adbench_gmm(a: SimpleNamespace) -> Outputs:
    q, below = a.icf[:, : a.D], a.icf[:, a.D :]
    Q = np.exp(q)[:, :, None] * np.eye(a.D)
    columns, rows = np.triu_indices(a.D, 1)
    Q[:, rows, columns] = below
    projected = np.einsum("kij,nkj->nki", Q, a.x[:, None] - a.mu)
    fit = logsumexp(a.alpha + q.sum(axis=1) - 0.5 * (projected**2).sum(axis=-1)) - logsumexp(a.alpha)
    prior = a.gamma**2 / 2 * ((np.exp(q) ** 2).sum() + (below**2).sum()) - a.m * q.sum()
    return {"loss": [fit.sum() + prior + a.constant]}


def places(rng: np.random.Generator, shape: tuple[int, ...], sizes: Sizes) -> Array:
    """Return where a row of icf keeps Q[i, j], below the diagonal; nothing is drawn."""
    table = np.zeros(shape, int)
    columns, rows = np.triu_indices(sizes["D"], 1)
    table[rows, columns] = sizes["D"] + np.arange(len(rows))
    return table


def bits(rng: np.random.Generator, shape: tuple[int, ...], sizes: Sizes) -> Array:
    """Draw zeros and ones, a third of them ones."""
    return np.asarray(rng.uniform(size=shape) < 1 / 3)


ADBENCH = [
    Case(
        "adbench_lstm",
        sizes={"L": 2, "C": 5, "B": 3},
        edges=({"L": 0, "C": 3, "B": 2}, {"L": 1, "C": 2, "B": 1}, {"L": 3, "C": 4, "B": 1}),
        of="loss",
        wrt=("W", "V"),
        results=("loss",),
        draw={"text": bits, **dict.fromkeys(("W", "V", "state"), between(0, 1))},
        numpy=adbench_lstm,
    ),
    Case(
        "adbench_gmm",
        sizes={"K": 3, "D": 4, "N": 5, "P": 6},
        edges=({"K": 1, "D": 1, "N": 1, "P": 0}, {"K": 2, "D": 3, "N": 0, "P": 3}, {"K": 1, "D": 0, "N": 1, "P": 0}),
        of="loss",
        wrt=("alpha", "mu", "icf"),
        results=("loss",),
        draw={"place": places, "gamma": exactly(1.5), "m": exactly(2.0)},
        numpy=adbench_gmm,
    ),
]
