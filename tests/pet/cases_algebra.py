"""Cases of linear algebra and statistics."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.pet.case import Array, Case
from tests.pet.draws import between, decaying, diagonally_dominant, positive_definite

Outputs = dict[str, Any]


def lower(of: Array, otherwise: Array) -> Array:
    return np.where(np.tri(len(of), dtype=bool), of, otherwise)


def gemver(a: SimpleNamespace) -> Outputs:
    A = a.A + np.outer(a.u1, a.v1) + np.outer(a.u2, a.v2)
    x = a.beta * A.T @ a.y + a.z
    return {"A": A, "x": x, "w": a.alpha * A @ x}


def symm(a: SimpleNamespace) -> Outputs:
    symmetric = np.tril(a.A) + np.tril(a.A, -1).T
    return {"C": a.alpha * symmetric @ a.B + a.beta * a.C}


def trmm(a: SimpleNamespace) -> Outputs:
    return {"B": a.alpha * (np.tril(a.A, -1) + np.eye(a.m)).T @ a.B}


def lu(a: SimpleNamespace) -> Outputs:
    """Factor through leading blocks: U = L^-1 A, where column k of L comes from the Schur complement."""
    L, rest = np.eye(a.n), a.A.copy()
    for k in range(a.n):
        L[k:, k] = rest[k:, k] / rest[k, k]
        rest -= np.outer(L[:, k], rest[k])
    U = np.linalg.solve(L, a.A)
    np.testing.assert_allclose(U, np.triu(U), atol=1e-10)
    return {"A": np.tril(L, -1) + np.triu(U)}


def durbin(a: SimpleNamespace) -> Outputs:
    first = np.concatenate([[1.0], a.r[:-1]])
    toeplitz = first[abs(np.subtract.outer(np.arange(a.n), np.arange(a.n)))]
    return {"y": np.linalg.solve(toeplitz, -a.r)}


def tridiagonal(a: SimpleNamespace) -> Outputs:
    return {"x": np.linalg.solve(np.diag(a.b) + np.diag(a.a[1:], -1) + np.diag(a.c[:-1], 1), a.x) if a.n else a.x}


def gramschmidt(a: SimpleNamespace) -> Outputs:
    Q, R = np.linalg.qr(a.A)
    signs = np.sign(np.diagonal(R))
    return {"Q": Q * signs, "R": R * signs[:, None]}


def covariance(a: SimpleNamespace) -> Outputs:
    mean = a.data.mean(axis=0)
    return {"mean": mean, "data": a.data - mean, "cov": np.cov(a.data, rowvar=False).reshape(a.m, a.m)}


def correlation(a: SimpleNamespace) -> Outputs:
    return {"corr": np.corrcoef(a.data, rowvar=False).reshape(a.m, a.m)}


SQUARES = ({"n": 0}, {"n": 1})

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
        "flat_gemm",
        sizes={"n": 3, "m": 4, "k": 5},
        edges=({"n": 1, "m": 2, "k": 0}, {"n": 0, "m": 0, "k": 1}),
        of="C",
        wrt=("A", "B", "C"),
        updates=("C",),
        numpy=lambda a: {"C": a.C + (a.A.reshape(a.n, a.k) @ a.B.reshape(a.k, a.m)).ravel()},
    ),
    Case(
        "two_mm",
        sizes={"n": 3, "m": 4, "k": 5, "l": 2},
        edges=({"n": 1, "m": 2, "k": 0, "l": 1}, {"n": 1, "m": 0, "k": 1, "l": 2}, {"n": 0, "m": 1, "k": 1, "l": 0}),
        of="D",
        wrt=("A", "B", "C", "D", "alpha", "beta"),
        updates=("D",),
        numpy=lambda a: {"D": a.alpha * a.A @ a.B @ a.C + a.beta * a.D},
    ),
    Case(
        "three_mm",
        sizes={},
        of="G",
        wrt=("A", "B", "C", "D"),
        results=("G",),
        numpy=lambda a: {"G": (a.A @ a.B) @ (a.C @ a.D)},
    ),
    Case(
        "atax",
        sizes={"m": 4, "n": 5},
        edges=({"m": 0, "n": 3}, {"m": 3, "n": 0}, {"m": 1, "n": 1}),
        of="y",
        wrt=("A", "x"),
        results=("y",),
        numpy=lambda a: {"y": a.A.T @ (a.A @ a.x)},
    ),
    Case(
        "bicg",
        sizes={"n": 4, "m": 3},
        edges=({"n": 0, "m": 2}, {"n": 2, "m": 0}, {"n": 1, "m": 1}),
        of="s",
        wrt=("A", "r"),
        results=("s", "q"),
        numpy=lambda a: {"s": a.A.T @ a.r, "q": a.A @ a.p},
    ),
    Case(
        "mvt",
        sizes={"n": 4},
        edges=SQUARES,
        of="x2",
        wrt=("A", "x2", "y2"),
        updates=("x1", "x2"),
        numpy=lambda a: {"x1": a.x1 + a.A @ a.y1, "x2": a.x2 + a.A.T @ a.y2},
    ),
    Case(
        "gemver",
        sizes={"n": 4},
        edges=SQUARES,
        of="w",
        wrt=("A", "u1", "v1", "u2", "v2", "y", "z", "alpha", "beta"),
        updates=("A",),
        results=("x", "w"),
        numpy=gemver,
    ),
    Case(
        "gesummv",
        sizes={"n": 4},
        edges=SQUARES,
        of="y",
        wrt=("A", "B", "x", "alpha", "beta"),
        results=("y",),
        numpy=lambda a: {"y": a.alpha * a.A @ a.x + a.beta * a.B @ a.x},
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
        "syr2k",
        sizes={"n": 4, "m": 3},
        edges=({"n": 1, "m": 0}, {"n": 0, "m": 1}),
        of="C",
        wrt=("A", "B", "C", "alpha", "beta"),
        updates=("C",),
        numpy=lambda a: {"C": lower(a.alpha * (a.A @ a.B.T + a.B @ a.A.T) + a.beta * a.C, a.C)},
    ),
    Case(
        "symm",
        sizes={"m": 4, "n": 3},
        edges=({"m": 1, "n": 1}, {"m": 0, "n": 2}, {"m": 2, "n": 0}),
        of="C",
        wrt=("A", "B", "C", "alpha", "beta"),
        updates=("C",),
        numpy=symm,
    ),
    Case(
        "trmm",
        sizes={"m": 4, "n": 3},
        edges=({"m": 1, "n": 1}, {"m": 0, "n": 2}, {"m": 2, "n": 0}),
        of="B",
        wrt=("A", "B", "alpha"),
        updates=("B",),
        numpy=trmm,
    ),
    Case(
        "doitgen",
        sizes={"R": 2, "Q": 3, "P": 4},
        edges=({"R": 1, "Q": 1, "P": 1}, {"R": 1, "Q": 0, "P": 2}, {"R": 2, "Q": 1, "P": 0}),
        of="A",
        wrt=("A", "C"),
        updates=("A",),
        numpy=lambda a: {"A": a.A @ a.C},
    ),
    Case(
        "trisolv",
        sizes={"n": 5},
        edges=SQUARES,
        of="x",
        wrt=("L", "b"),
        results=("x",),
        draw={"L": diagonally_dominant},
        numpy=lambda a: {"x": np.linalg.solve(np.tril(a.L), a.b)},
    ),
    Case(
        "cholesky",
        sizes={"n": 5},
        edges=SQUARES,
        of="A",
        wrt=("A",),
        updates=("A",),
        draw={"A": positive_definite},
        numpy=lambda a: {"A": lower(np.linalg.cholesky(a.A), a.A)},
    ),
    Case(
        "lu",
        sizes={"n": 5},
        edges=SQUARES,
        of="A",
        wrt=("A",),
        updates=("A",),
        draw={"A": diagonally_dominant},
        numpy=lu,
    ),
    Case(
        "ludcmp",
        sizes={"n": 5},
        edges=SQUARES,
        of="x",
        wrt=("A", "b"),
        updates=("A",),
        results=("y", "x"),
        draw={"A": diagonally_dominant},
        numpy=lambda a: {**lu(a), "x": np.linalg.solve(a.A, a.b)},
    ),
    Case(
        "durbin",
        sizes={"n": 6},
        edges=({"n": 1}, {"n": 2}),
        of="y",
        wrt=("r",),
        results=("y",),
        draw={"r": decaying},
        numpy=durbin,
    ),
    Case(
        "tridiagonal",
        sizes={"n": 6},
        edges=({"n": 0}, {"n": 1}, {"n": 2}),
        of="x",
        wrt=("a", "b", "c", "x"),
        updates=("x",),
        draw={"a": between(-1, 1), "b": between(3, 4), "c": between(-1, 1)},
        numpy=tridiagonal,
    ),
    Case(
        "gramschmidt",
        sizes={"m": 5, "n": 3},
        edges=({"m": 1, "n": 1}, {"m": 2, "n": 0}, {"m": 0, "n": 0}),
        of="Q",
        wrt=("A",),
        updates=("A",),
        results=("R", "Q"),
        numpy=gramschmidt,
    ),
    Case(
        "covariance",
        sizes={"n": 5, "m": 3},
        edges=({"n": 2, "m": 1}, {"n": 2, "m": 0}),
        of="cov",
        wrt=("data",),
        updates=("data",),
        results=("mean", "cov"),
        numpy=covariance,
    ),
    Case(
        "correlation",
        sizes={"n": 5, "m": 3},
        edges=({"n": 3, "m": 1}, {"n": 2, "m": 0}),
        of="corr",
        wrt=("data",),
        results=("corr",),
        draw={"data": between(-2, 2)},
        numpy=correlation,
    ),
]
