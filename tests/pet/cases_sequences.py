"""Cases that go along time: recurrent networks, attention, filters, alignments, integrators."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.pet.case import Array, Case
from tests.pet.draws import between, indices, positive_definite, probabilities, scaled

Outputs = dict[str, Any]


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def log_softmax(logits: Array) -> Array:
    return np.asarray(logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True)))


def lstm(a: SimpleNamespace) -> Outputs:
    a.h[0] = a.c[0] = 0
    for t in range(a.T):
        i, f, g, o = np.split(a.x[t] @ a.W.T + a.h[t] @ a.U.T + a.b, 4, axis=-1)
        a.c[t + 1] = sigmoid(f) * a.c[t] + sigmoid(i) * np.tanh(g)
        a.h[t + 1] = sigmoid(o) * np.tanh(a.c[t + 1])
    return {"h": a.h, "c": a.c, "loss": [-(a.target * log_softmax(a.h[a.T] @ a.V.T)).sum()]}


def gru(a: SimpleNamespace) -> Outputs:
    h, loss = a.h0, 0.0
    for t in range(a.T):
        from_x, from_h = np.split(a.x[t] @ a.W.T + a.b, 3, axis=-1), np.split(h @ a.U.T + a.bu, 3, axis=-1)
        reset, update = (sigmoid(from_x[k] + from_h[k]) for k in range(2))
        h = (1 - update) * np.tanh(from_x[2] + reset * from_h[2]) + update * h
        loss -= np.take_along_axis(log_softmax(h @ a.V.T), a.label[t][:, None], axis=-1).sum() / (a.T * a.B or 1)
    return {"loss": [loss]}


def lstm_float(a: SimpleNamespace) -> Outputs:
    for x in a.x:
        i, f, g, o = np.split(a.W @ np.concatenate([x, a.h]) + a.bias, 4)
        a.c = sigmoid(f) * a.c + sigmoid(i) * np.tanh(g)
        a.h = sigmoid(o) * np.tanh(a.c)
    return {"h": a.h, "c": a.c}


def mlp(a: SimpleNamespace) -> Outputs:
    layers = [a.x]
    for W, b in zip(a.W, a.b, strict=True):
        z = layers[-1] @ W.T + b
        layers.append(np.where(z > 0, z, 0.01 * z))
    return {"a": layers, "loss": [((layers[-1] - a.target) ** 2).sum() / (a.width or 1)]}


def attention(a: SimpleNamespace) -> Outputs:
    scores = np.where(np.tri(a.n, dtype=bool), a.q @ a.k.T / np.sqrt(a.D or 1), -np.inf)
    return {"y": np.exp(log_softmax(scores)) @ a.v}


def kalman(a: SimpleNamespace) -> Outputs:
    x, P, loss = a.start, np.eye(a.n), 0.0
    means = np.zeros((a.T, a.n))
    for t in range(a.T):
        x, P = a.F @ x, a.F @ P @ a.F.T + a.Q
        S = a.H @ P @ a.H.T + a.R
        error = a.z[t] - a.H @ x
        loss += 0.5 * np.linalg.slogdet(S)[1] + 0.5 * error @ np.linalg.solve(S, error)
        gain = P @ a.H.T @ np.linalg.inv(S)
        x, P = x + gain @ error, (np.eye(a.n) - gain @ a.H) @ P
        means[t] = x
    return {"mean": means, "loss": [loss]}


def soft_dtw(a: SimpleNamespace) -> Outputs:
    cost = np.full((a.n + 1, a.m + 1), 1e10)
    cost[0, 0] = 0
    for i in range(a.n):
        for j in range(a.m):
            ways = np.array([cost[i, j], cost[i + 1, j], cost[i, j + 1]])
            soft = -a.gamma * np.logaddexp.reduce(-ways / a.gamma)
            cost[i + 1, j + 1] = ((a.x[i] - a.y[j]) ** 2).sum() + soft
    return {"cost": cost, "loss": [cost[a.n, a.m]]}


def neural_ode(a: SimpleNamespace) -> Outputs:
    def slope(x: Array) -> Array:
        return np.asarray(a.W2 @ np.tanh(a.W1 @ x + a.b1) + a.b2)

    path = [a.start]
    for _ in range(a.steps):
        x = path[-1]
        k1 = slope(x)
        k2 = slope(x + a.dt / 2 * k1)
        k3 = slope(x + a.dt / 2 * k2)
        k4 = slope(x + a.dt * k3)
        path.append(x + a.dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    return {"path": path, "loss": [0.5 * ((path[-1] - a.target) ** 2).sum()]}


def sgd(a: SimpleNamespace) -> Outputs:
    step = np.zeros(a.m)
    for _ in range(a.epochs):
        for x, y in zip(a.x, a.y, strict=True):
            step = a.momentum * step - a.rate * (x @ a.w - y) * x
            a.w += step
    return {"w": a.w, "loss": [0.5 * ((a.x @ a.w - a.y) ** 2).sum()]}


def lotka_volterra(a: SimpleNamespace) -> Outputs:
    def slope(z: Array) -> Array:
        return np.array([a.birth * z[0] - a.hunt * z[0] * z[1], a.gain * z[0] * z[1] - a.death * z[1]])

    z, loss = np.array([a.prey, a.predators]), 0.0
    for counted in a.counted:
        z = z + a.dt * slope(z + a.dt / 2 * slope(z))
        loss += ((z - counted) ** 2).sum()
    return {"loss": [loss]}


def n_body(a: SimpleNamespace) -> Outputs:
    for _ in range(a.steps):
        apart = a.place[None] - a.place[:, None]
        a.velocity += a.dt * (a.mass[:, None] * apart / ((apart**2).sum(-1, keepdims=True) + 0.01) ** 1.5).sum(axis=1)
        a.place += a.dt * a.velocity
    return {"place": a.place, "velocity": a.velocity}


def hmm_forward(a: SimpleNamespace) -> Outputs:
    p = a.start
    for seen in a.seen:
        p = (p * a.emit[:, seen]) @ a.step
    return {"loss": [-np.log(p.sum())]}


def layer_norm(a: SimpleNamespace) -> Outputs:
    centred = a.x - a.x.mean(axis=-1, keepdims=True)
    return {"y": centred / np.sqrt(a.x.var(axis=-1, keepdims=True) + 1e-5) * a.scale + a.shift}


SEQUENCES = [
    Case(
        "lstm",
        sizes={"T": 4, "B": 2, "D": 3, "H": 5, "K": 6},
        edges=({"T": 0, "B": 1, "D": 2, "H": 1, "K": 2}, {"T": 1, "B": 0, "D": 0, "H": 1, "K": 1}),
        of="loss",
        wrt=("x", "W", "U", "b", "V"),
        results=("h", "c", "loss"),
        draw={"W": scaled(0.5), "U": scaled(0.5), "V": scaled(0.5), "target": probabilities},
        numpy=lstm,
    ),
    Case(
        "gru",
        sizes={"T": 4, "B": 2, "D": 3, "H": 5, "K": 6},
        edges=({"T": 0, "B": 1, "D": 2, "H": 1, "K": 2}, {"T": 1, "B": 0, "D": 0, "H": 1, "K": 1}),
        of="loss",
        wrt=("x", "h0", "W", "U", "b", "bu", "V"),
        results=("loss",),
        draw={"W": scaled(0.5), "U": scaled(0.5), "V": scaled(0.5), "label": indices("K")},
        numpy=gru,
    ),
    Case(
        "lstm_float",
        sizes={},
        of="h",
        wrt=("x", "W", "bias", "h", "c"),
        updates=("h", "c"),
        draw={"W": scaled(0.5)},
        numpy=lstm_float,
        tolerance=1e-5,
    ),
    Case(
        "mlp",
        sizes={"layers": 3, "batch": 2, "width": 4},
        edges=({"layers": 0, "batch": 1, "width": 1}, {"layers": 1, "batch": 0, "width": 1}),
        of="loss",
        wrt=("W", "b", "x", "target"),
        results=("a", "loss"),
        numpy=mlp,
    ),
    Case(
        "attention",
        sizes={"n": 5, "D": 3},
        edges=({"n": 0, "D": 1}, {"n": 1, "D": 1}, {"n": 2, "D": 0}),
        of="y",
        wrt=("q", "k", "v"),
        results=("y",),
        numpy=attention,
    ),
    Case(
        "kalman",
        sizes={"T": 4, "n": 3, "m": 2},
        edges=({"T": 0, "n": 2, "m": 1}, {"T": 1, "n": 1, "m": 1}, {"T": 2, "n": 2, "m": 0}),
        of="loss",
        wrt=("F", "Q", "H", "R", "z", "start"),
        results=("mean", "loss"),
        draw={"F": scaled(0.5), "Q": positive_definite, "R": positive_definite},
        numpy=kalman,
    ),
    Case(
        "soft_dtw",
        sizes={"n": 4, "m": 5, "D": 2},
        edges=({"n": 0, "m": 0, "D": 1}, {"n": 1, "m": 1, "D": 0}, {"n": 1, "m": 3, "D": 1}),
        of="loss",
        wrt=("x", "y", "gamma"),
        results=("cost", "loss"),
        draw={"gamma": between(0.5, 1.5)},
        numpy=soft_dtw,
    ),
    Case(
        "neural_ode",
        sizes={"steps": 3, "D": 2, "H": 4},
        edges=({"steps": 0, "D": 1, "H": 1}, {"steps": 1, "D": 1, "H": 0}, {"steps": 1, "D": 0, "H": 1}),
        of="loss",
        wrt=("start", "W1", "b1", "W2", "b2", "dt", "target"),
        results=("path", "loss"),
        draw={"dt": between(0.1, 0.3)},
        numpy=neural_ode,
    ),
    Case(
        "sgd",
        sizes={"epochs": 2, "n": 4, "m": 3},
        edges=({"epochs": 0, "n": 1, "m": 1}, {"epochs": 1, "n": 0, "m": 1}, {"epochs": 1, "n": 1, "m": 0}),
        of="loss",
        wrt=("rate", "momentum", "x", "y", "w"),
        updates=("w",),
        results=("loss",),
        draw={"rate": between(0.01, 0.1), "momentum": between(0.5, 0.9)},
        numpy=sgd,
    ),
    Case(
        "lotka_volterra",
        sizes={"steps": 5},
        edges=({"steps": 0}, {"steps": 1}),
        of="loss",
        wrt=("dt", "birth", "hunt", "gain", "death", "prey", "predators", "counted"),
        results=("loss",),
        draw={
            "dt": between(0.05, 0.1),
            **dict.fromkeys("birth hunt gain death prey predators counted".split(), between(0.5, 1.5)),
        },
        numpy=lotka_volterra,
    ),
    Case(
        "n_body",
        sizes={"steps": 2, "n": 4},
        edges=({"steps": 0, "n": 1}, {"steps": 1, "n": 1}, {"steps": 1, "n": 0}),
        of="place",
        wrt=("dt", "mass", "place", "velocity"),
        updates=("place", "velocity"),
        draw={"dt": between(0.05, 0.1), "mass": between(0.1, 1)},
        numpy=n_body,
    ),
    Case(
        "hmm_forward",
        sizes={"T": 5, "S": 3, "K": 4},
        edges=({"T": 0, "S": 1, "K": 1}, {"T": 1, "S": 1, "K": 1}),
        of="loss",
        wrt=("start", "step", "emit"),
        results=("loss",),
        draw={**dict.fromkeys(("start", "step", "emit"), probabilities), "seen": indices("K")},
        numpy=hmm_forward,
    ),
    Case(
        "layer_norm",
        sizes={"n": 3, "m": 5},
        edges=({"n": 0, "m": 2}, {"n": 1, "m": 1}),
        of="y",
        wrt=("x", "scale", "shift"),
        results=("y",),
        numpy=layer_norm,
        tolerance=1e-5,
    ),
]
