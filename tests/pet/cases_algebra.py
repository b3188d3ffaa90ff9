"""Cases of linear algebra."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.pet.case import Array, Case

Outputs = dict[str, Any]


def positive_definite(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    half = rng.normal(size=shape)
    return np.asarray(half @ half.T + 3 * np.eye(shape[0]))


def diagonally_dominant(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return np.asarray(rng.uniform(-1, 1, size=shape) + (shape[0] + 1) * np.eye(shape[0]))


def reflections(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Draw a few autocorrelations that are small enough for a positive definite Toeplitz matrix."""
    return np.asarray(rng.uniform(-0.5, 0.5, size=shape) / (1 + np.arange(shape[0])))


def toeplitz_solution(r: Array) -> Array:
    n = len(r)
    first = np.concatenate([[1.0], r[:-1]])
    toeplitz = first[abs(np.subtract.outer(np.arange(n), np.arange(n)))]
    return np.linalg.solve(toeplitz, -r)


def lower(of: Array, otherwise: Array) -> Array:
    return np.where(np.tri(len(of), dtype=bool), of, otherwise)


def atax(a: SimpleNamespace) -> Outputs:
    return {"y": a.A.T @ (a.A @ a.x)}


ALGEBRA = [
    Case(
        "gemm",
        sizes={"n": 3, "m": 4, "k": 5},
        edges=({"n": 1, "m": 2, "k": 0}, {"n": 0, "m": 0, "k": 1}),
        of="C",
        wrt=("A", "B", "C", "alpha", "beta"),
        updates=("C",),
        numpy=lambda a: {"C": a.alpha * a.A @ a.B + a.beta * a.C},
    ),
    Case(
        "atax",
        sizes={"m": 4, "n": 5},
        edges=({"m": 0, "n": 3}, {"m": 3, "n": 0}, {"m": 1, "n": 1}),
        of="y",
        wrt=("A", "x"),
        results=("y",),
        numpy=atax,
    ),
    Case(
        "syrk",
        sizes={"n": 4, "m": 3},
        edges=({"n": 1, "m": 0}, {"n": 0, "m": 1}),
        of="C",
        wrt=("A", "C", "alpha", "beta"),
        updates=("C",),
        numpy=lambda a: {"C": lower(a.alpha * a.A @ a.A.T + a.beta * a.C, a.C)},
    ),
    Case(
        "trisolv",
        sizes={"n": 5},
        edges=({"n": 0}, {"n": 1}),
        of="x",
        wrt=("L", "b"),
        results=("x",),
        draw={"L": diagonally_dominant},
        numpy=lambda a: {"x": np.linalg.solve(np.tril(a.L), a.b)},
    ),
    Case(
        "cholesky",
        sizes={"n": 5},
        edges=({"n": 0}, {"n": 1}),
        of="A",
        wrt=("A",),
        updates=("A",),
        draw={"A": positive_definite},
        numpy=lambda a: {"A": lower(np.linalg.cholesky(a.A), a.A)},
    ),
    Case(
        "durbin",
        sizes={"n": 6},
        edges=({"n": 1}, {"n": 2}),
        of="y",
        wrt=("r",),
        results=("y",),
        draw={"r": reflections},
        numpy=lambda a: {"y": toeplitz_solution(a.r)},
    ),
]
