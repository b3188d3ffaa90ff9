"""Cases that update grids: stencils, sweeps, filters of images and signals, tables of intervals and paths."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.pet.case import Array, Case
from tests.pet.draws import between

Outputs = dict[str, Any]


def jacobi_1d(a: SimpleNamespace) -> Outputs:
    for _ in range(a.steps):
        a.B[1:-1] = (a.A[:-2] + a.A[1:-1] + a.A[2:]) / 3
        a.A[1:-1] = (a.B[:-2] + a.B[1:-1] + a.B[2:]) / 3
    return {"A": a.A, "B": a.B}


def jacobi_2d(a: SimpleNamespace) -> Outputs:
    for _ in range(2):
        for to, of in ((a.B, a.A), (a.A, a.B)):
            to[1:-1, 1:-1] = (of[1:-1, 1:-1] + of[:-2, 1:-1] + of[2:, 1:-1] + of[1:-1, :-2] + of[1:-1, 2:]) / 5
    return {"A": a.A, "B": a.B}


def seidel_2d(a: SimpleNamespace) -> Outputs:
    for _ in range(a.steps):
        for i in range(1, a.n - 1):
            for j in range(1, a.n - 1):
                a.A[i, j] = a.A[i - 1 : i + 2, j - 1 : j + 2].mean()
    return {"A": a.A}


def laplacian(of: Array) -> Array:
    inside = slice(1, -1)
    total = -2 * of.ndim * of[(inside,) * of.ndim]
    for axis in range(of.ndim):
        for shifted in (slice(None, -2), slice(2, None)):
            total += of[tuple(shifted if k == axis else inside for k in range(of.ndim))]
    return np.asarray(total)


def heat_3d(a: SimpleNamespace) -> Outputs:
    for _ in range(a.steps):
        for to, of in ((a.B, a.A), (a.A, a.B)):
            to[1:-1, 1:-1, 1:-1] = of[1:-1, 1:-1, 1:-1] + a.c * laplacian(of)
    return {"A": a.A, "B": a.B}


def fdtd_2d(a: SimpleNamespace) -> Outputs:
    for t in range(a.steps):
        a.ey[0] = a.pulse[t]
        a.ey[1:] -= 0.5 * np.diff(a.hz, axis=0)
        a.ex[:, 1:] -= 0.5 * np.diff(a.hz, axis=1)
        a.hz[:-1, :-1] -= 0.7 * (np.diff(a.ex, axis=1)[:-1] + np.diff(a.ey, axis=0)[:, :-1])
    return {"ex": a.ex, "ey": a.ey, "hz": a.hz}


def adi(a: SimpleNamespace) -> Outputs:
    """Solve the tridiagonal systems as dense ones; the values at both ends are 1."""
    rate = vars(a)["lambda"]
    inside = max(a.n - 2, 0)
    system = (1 + rate) * np.eye(inside) - rate / 2 * (np.eye(inside, k=1) + np.eye(inside, k=-1))
    ends = np.zeros(inside)
    ends[:1] += rate / 2
    ends[-1:] += rate / 2

    def half(u: Array) -> Array:
        """Return v, implicit along axis 0, of u, explicit along axis 1."""
        explicit = u[1:-1, 1:-1] + rate / 2 * (u[1:-1, :-2] - 2 * u[1:-1, 1:-1] + u[1:-1, 2:])
        v = u.copy()
        v[0, 1:-1] = v[-1, 1:-1] = 1
        v[1:-1, 1:-1] = np.linalg.solve(system, explicit + ends[:, None])
        return v

    for _ in range(a.steps if a.n > 2 else 0):
        v = half(a.u)
        v[1:-1, [0, -1]] = a.u[1:-1, [0, -1]]
        a.u[1:-1] = half(v.T).T[1:-1]
    return {"u": a.u}


def recursive(x: Array, now: float, before: float, b1: float, b2: float) -> Array:
    """y[i] = now x[i] + before x[i - 1] + b1 y[i - 1] + b2 y[i - 2] along axis 0."""
    y = np.zeros((len(x) + 2, *x.shape[1:]))
    padded = np.concatenate([np.zeros((1, *x.shape[1:])), x])
    for i in range(len(x)):
        y[i + 2] = now * padded[i + 1] + before * padded[i] + b1 * y[i + 1] + b2 * y[i]
    return y[2:]


def deriche(a: SimpleNamespace) -> Outputs:
    e = np.exp(-a.alpha)
    k = (1 - e) ** 2 / (1 + 2 * a.alpha * e - e**2)
    b1, b2 = 2**-a.alpha, -(e**2)
    forth = recursive(a.image.T, k, k * e * (a.alpha - 1), b1, b2)
    shifted = np.concatenate([np.zeros((1, a.w)), a.image.T[::-1]])[:-1]  # the filter from the right starts one later
    back = recursive(shifted, k * e * (a.alpha + 1), -k * e**2, b1, b2)[::-1]
    return {"out": recursive((forth + back).T, k, 0, b1, b2)}


def floyd_warshall(a: SimpleNamespace) -> Outputs:
    for k in range(a.n):
        a.path[:] = np.minimum(a.path, a.path[:, [k]] + a.path[[k], :])
    return {"path": a.path}


def nussinov(a: SimpleNamespace) -> Outputs:
    """Place i is alone, or paired with k: another recurrence than that of the C."""

    @cache
    def best(i: int, j: int) -> float:
        paired = (a.score[i, k] + best(i + 1, k - 1) + best(k + 1, j) for k in range(i + 2, j + 1))
        return max(best(i + 1, j), *paired, 0.0) if i < j else 0.0

    return {"best": [[best(i, j) for j in range(a.n)] for i in range(a.n)] if a.n else np.zeros((0, 0))}


def image_pipeline(a: SimpleNamespace) -> Outputs:
    def smooth(of: Array) -> Array:
        around = np.concatenate([of[:1], of, of[-1:]])
        return (around[:-2] + 2 * around[1:-1] + around[2:]) / 4

    blurred = smooth(smooth(a.image.T).T)
    steep = np.zeros_like(a.image)
    down, right = blurred[2:, 1:-1] - blurred[:-2, 1:-1], blurred[1:-1, 2:] - blurred[1:-1, :-2]
    steep[1:-1, 1:-1] = np.sqrt((down / 2) ** 2 + (right / 2) ** 2 + 1e-3)
    return {"steep": steep}


def spectral_filter(a: SimpleNamespace) -> Outputs:
    windows = np.array([a.x[3 * i : 3 * (i + a.K)] for i in range(a.n)]).reshape(a.n, a.K, 3)
    phases = (windows * a.taps.reshape(a.K, 3)).sum(axis=1)
    y = phases.sum(axis=1)
    return {"y": y, "held": np.repeat(y, 3), "power": (phases**2).sum(axis=0)}


def double_buffer(a: SimpleNamespace) -> Outputs:
    u = a.start.copy()
    for _ in range(a.steps):
        u[1:-1] = u[1:-1] + a.source[1:-1] + a.rate * laplacian(u)
    return {"end": u}


def periodic(a: SimpleNamespace) -> Outputs:
    u = [a.start, a.start]
    for _ in range(a.steps):
        u.append(2 * u[-1] - u[-2] + a.c2 * (np.roll(u[-1], 1) - 2 * u[-1] + np.roll(u[-1], -1)))
    return {"u": u}


def conv_2d(a: SimpleNamespace) -> Outputs:
    padded = np.pad(a.image, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))[:, :, ::2, ::2]
    return {"out": np.maximum(np.einsum("bcyxkl,ockl->boyx", windows, a.weight) + a.bias[:, None, None], 0)}


FEW = ({"steps": 0, "n": 3}, {"steps": 1, "n": 1}, {"steps": 1, "n": 0})

STENCILS = [
    Case(
        "jacobi_1d",
        sizes={"steps": 3, "n": 7},
        edges=FEW,
        of="A",
        wrt=("A", "B"),
        updates=("A", "B"),
        numpy=jacobi_1d,
    ),
    Case("jacobi_2d", sizes={}, of="B", wrt=("A", "B"), updates=("A", "B"), numpy=jacobi_2d),
    Case("seidel_2d", sizes={"steps": 2, "n": 5}, edges=FEW, of="A", wrt=("A",), updates=("A",), numpy=seidel_2d),
    Case(
        "heat_3d",
        sizes={"steps": 2, "n": 5},
        edges=FEW,
        of="A",
        wrt=("A", "B", "c"),
        updates=("A", "B"),
        draw={"c": between(0.1, 0.2)},
        numpy=heat_3d,
    ),
    Case(
        "fdtd_2d",
        sizes={"steps": 3, "nx": 4, "ny": 5},
        edges=({"steps": 2, "nx": 1, "ny": 1}, {"steps": 0, "nx": 2, "ny": 1}, {"steps": 1, "nx": 1, "ny": 0}),
        of="hz",
        wrt=("pulse", "ex", "ey", "hz"),
        updates=("ex", "ey", "hz"),
        numpy=fdtd_2d,
    ),
    Case(
        "adi",
        sizes={"steps": 2, "n": 6},
        edges=FEW,
        of="u",
        wrt=("u", "lambda"),
        updates=("u",),
        draw={"lambda": between(0.5, 1.5)},
        numpy=adi,
    ),
    Case(
        "deriche",
        sizes={"w": 5, "h": 6},
        edges=({"w": 1, "h": 1}, {"w": 2, "h": 0}, {"w": 0, "h": 1}),
        of="out",
        wrt=("image", "alpha"),
        results=("out",),
        draw={"alpha": between(0.2, 0.8)},
        numpy=deriche,
    ),
    Case(
        "floyd_warshall",
        sizes={"n": 5},
        edges=({"n": 0}, {"n": 1}),
        of="path",
        wrt=("path",),
        updates=("path",),
        draw={"path": between(0.1, 4)},  # some edges are longer than the way around
        numpy=floyd_warshall,
    ),
    Case(
        "nussinov",
        sizes={"n": 7},
        edges=({"n": 0}, {"n": 1}, {"n": 3}),
        of="best",
        wrt=("score",),
        results=("best",),
        draw={"score": between(-1, 2)},
        numpy=nussinov,
    ),
    Case(
        "image_pipeline",
        sizes={"h": 5, "w": 6},
        edges=({"h": 1, "w": 3}, {"h": 1, "w": 1}, {"h": 0, "w": 2}, {"h": 2, "w": 0}),
        of="steep",
        wrt=("image",),
        results=("steep",),
        numpy=image_pipeline,
    ),
    Case(
        "spectral_filter",
        sizes={"n": 4, "K": 2},
        edges=({"n": 0, "K": 2}, {"n": 1, "K": 0}, {"n": 1, "K": 1}),
        of="power",
        wrt=("x", "taps"),
        results=("y", "held", "power"),
        numpy=spectral_filter,
    ),
    Case(
        "periodic",
        sizes={"steps": 3, "n": 5},
        edges=FEW,
        of="u",
        wrt=("start", "c2"),
        results=("u",),
        draw={"c2": between(0.2, 0.8)},
        numpy=periodic,
    ),
    Case("conv_2d", sizes={}, of="out", wrt=("image", "weight", "bias"), results=("out",), numpy=conv_2d),
    Case(
        "double_buffer",
        sizes={"steps": 3, "n": 6},
        edges=FEW,
        of="end",
        wrt=("start", "source", "rate"),
        results=("end",),
        numpy=double_buffer,
    ),
]
