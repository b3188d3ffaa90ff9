"""Cases where data decide: which branch runs, which element is meant, when a loop ends."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.pet.case import Case
from tests.pet.draws import between, exactly, indices

Outputs = dict[str, Any]


def burgers(a: SimpleNamespace) -> Outputs:
    for _ in range(a.steps):
        here = a.u[1:-1]
        a.u[1:-1] = here - a.c * here * np.where(here > 0, here - a.u[:-2], a.u[2:] - here)
    return {"u": a.u}


def drawdown(a: SimpleNamespace) -> Outputs:
    drop = np.maximum.accumulate(a.price) - a.price
    return {"drop": drop, "worst": [drop.max()]}


def american_option(a: SimpleNamespace) -> Outputs:
    up, growth = np.exp(a.sigma * np.sqrt(a.dt)), np.exp(a.rate * a.dt)
    p = (growth - 1 / up) / (up - 1 / up)

    def value(t: int, i: int) -> float:
        now = a.strike - a.spot * up ** (2 * i - t)
        return float(max(now, 0 if t == a.steps else (p * value(t + 1, i + 1) + (1 - p) * value(t + 1, i)) / growth))

    return {"price": [value(0, 0)]}


def message_passing(a: SimpleNamespace) -> Outputs:
    y = np.zeros_like(a.x)
    np.add.at(y, a.head, a.weight[:, None] * np.tanh(a.x[a.tail]))
    return {"y": y}


def interpolate(a: SimpleNamespace) -> Outputs:
    return {"value": np.interp(a.place, np.arange(a.n), a.table)}


def robust_fit(a: SimpleNamespace) -> Outputs:
    error = abs(np.clip(a.a * abs(a.x) ** a.b, a.low, a.high) - a.y)
    return {"loss": [min(a.a, 0) ** 2 + np.where(error < 1, error**2 / 2, error - 0.5).sum()]}


def newton(a: SimpleNamespace) -> Outputs:
    root = a.a.copy()
    for _ in range(a.steps):
        residual = root + root**3 / 3 - a.a
        root = np.where(abs(residual) < a.tolerance, root, root - residual / (1 + root**2))
    return {"root": root}


BRANCHES = [
    Case(
        "burgers",
        sizes={"steps": 3, "n": 7},
        edges=({"steps": 0, "n": 3}, {"steps": 1, "n": 1}, {"steps": 1, "n": 0}),
        of="u",
        wrt=("u", "c"),
        updates=("u",),
        draw={"c": between(0.1, 0.3)},
        numpy=burgers,
    ),
    Case(
        "drawdown",
        sizes={"n": 8},
        edges=({"n": 1}, {"n": 2}),
        of="drop",
        wrt=("price",),
        results=("drop", "worst"),
        numpy=drawdown,
    ),
    Case(
        "max_pool",
        sizes={"n": 4, "width": 3},
        edges=({"n": 0, "width": 2}, {"n": 1, "width": 1}),
        of="y",
        wrt=("x",),
        results=("y",),
        numpy=lambda a: {"y": a.x.max(axis=1)},
    ),
    Case(
        "american_option",
        sizes={"steps": 5},
        edges=({"steps": 0}, {"steps": 1}),
        of="price",
        wrt=("spot", "strike", "rate", "sigma", "dt"),
        results=("price",),
        draw={
            "spot": between(0.9, 1.0),
            "strike": between(1.0, 1.1),
            "rate": between(0.02, 0.1),
            "sigma": between(0.2, 0.4),
            "dt": between(0.1, 0.3),
        },
        numpy=american_option,
    ),
    Case(
        "message_passing",
        sizes={"nodes": 4, "edges": 9, "features": 2},
        edges=({"nodes": 1, "edges": 2, "features": 1}, {"nodes": 2, "edges": 0, "features": 1}),
        of="y",
        wrt=("weight", "x"),
        results=("y",),
        draw={"tail": indices("nodes"), "head": indices("nodes")},
        numpy=message_passing,
    ),
    Case(
        "interpolate",
        sizes={"n": 5, "m": 7},
        edges=({"n": 4, "m": 0}, {"n": 4, "m": 1}),
        of="value",
        wrt=("table", "place"),
        results=("value",),
        draw={"place": between(0.01, 2.99)},
        numpy=interpolate,
    ),
    Case(
        "robust_fit",
        sizes={"n": 9},
        edges=({"n": 0}, {"n": 1}),
        of="loss",
        wrt=("a", "b", "low", "high", "x", "y"),
        results=("loss",),
        draw={"a": between(-1, -0.5), "b": between(0.5, 1.5), "low": exactly(-1.0), "high": exactly(-0.6)},
        numpy=robust_fit,
    ),
    Case(
        "newton",
        sizes={"n": 6, "steps": 4},
        edges=({"n": 0, "steps": 1}, {"n": 1, "steps": 0}, {"n": 1, "steps": 1}),
        of="root",
        wrt=("a",),
        results=("root",),
        draw={"a": between(-3, 3), "tolerance": exactly(0.05)},
        numpy=newton,
    ),
    Case(
        "newton_if",
        sizes={"n": 6, "steps": 4},
        edges=({"n": 0, "steps": 1}, {"n": 1, "steps": 0}, {"n": 1, "steps": 1}),
        of="root",
        wrt=("a",),
        results=("root",),
        draw={"a": between(-3, 3), "tolerance": exactly(0.05)},
        numpy=newton,
    ),
]
