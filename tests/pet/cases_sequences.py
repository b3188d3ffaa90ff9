"""Cases that go along time: recurrent networks, filters, alignments, integrators."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.pet.case import Array, Case

Outputs = dict[str, Any]


def probabilities(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    drawn = rng.uniform(size=shape)
    return np.asarray(drawn / drawn.sum(axis=-1, keepdims=True))


def small(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return np.asarray(rng.normal(size=shape, scale=0.5))


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def cross_entropy(logits: Array, target: Array) -> Array:
    return -target * (logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True)))


def lstm(a: SimpleNamespace) -> Outputs:
    a.h[0] = a.c[0] = 0
    for t in range(a.T):
        i, f, g, o = np.split(a.x[t] @ a.W.T + a.h[t] @ a.U.T + a.b, 4, axis=-1)
        a.c[t + 1] = sigmoid(f) * a.c[t] + sigmoid(i) * np.tanh(g)
        a.h[t + 1] = sigmoid(o) * np.tanh(a.c[t + 1])
    return {"h": a.h, "c": a.c, "loss": [cross_entropy(a.h[a.T] @ a.V.T, a.target).sum()]}


SEQUENCES = [
    Case(
        "lstm",
        sizes={"T": 4, "B": 2, "D": 3, "H": 5, "K": 6},
        edges=({"T": 0, "B": 1, "D": 2, "H": 1, "K": 2}, {"T": 1, "B": 0, "D": 0, "H": 1, "K": 1}),
        of="loss",
        wrt=("x", "W", "U", "b", "V"),
        results=("h", "c", "loss"),
        draw={"W": small, "U": small, "V": small, "target": probabilities},
        numpy=lstm,
    ),
]
