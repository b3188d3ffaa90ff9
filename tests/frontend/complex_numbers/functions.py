"""Functions of complex arrays that NumPy and polyad both have, as lines of one text for both."""

from collections.abc import Callable
from typing import Any

import numpy as np

RNG = np.random.default_rng(0)


def some(*shape: int) -> np.ndarray:
    """Complex numbers around 0."""
    return RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)


Z, W, M, V, X = some(3, 4), some(3, 4), some(4, 5), some(6), RNG.standard_normal((3, 4))
ROWS = np.array([2, 0])

Case = Callable[..., Any]
"""(the module, z, w, m, v, x) -> the value; z, w, m, v are complex, x is real."""

OPERATORS: dict[str, Case] = {
    "z + w": lambda p, z, w, m, v, x: z + w,
    "x + z": lambda p, z, w, m, v, x: x + z,
    "z - x": lambda p, z, w, m, v, x: z - x,
    "x - z": lambda p, z, w, m, v, x: x - z,
    "z * w": lambda p, z, w, m, v, x: z * w,
    "z * x": lambda p, z, w, m, v, x: z * x * 2,
    "z / w": lambda p, z, w, m, v, x: z / w,
    "z / x": lambda p, z, w, m, v, x: z / x,
    "x / z": lambda p, z, w, m, v, x: x / z,
    "1 / z": lambda p, z, w, m, v, x: 1 / z,
    "1j * x": lambda p, z, w, m, v, x: 1j * x + 2,
    "x - 1j": lambda p, z, w, m, v, x: (x - 1j) / 2,
    "-z": lambda p, z, w, m, v, x: -z + (+z) * 0.5,
    "z**3": lambda p, z, w, m, v, x: z**3,
    "z**-2": lambda p, z, w, m, v, x: z**-2,
    "z**0": lambda p, z, w, m, v, x: z**0,
    "abs": lambda p, z, w, m, v, x: abs(z) + p.absolute(w),
    "z == w": lambda p, z, w, m, v, x: (z == w) | (z == z * 1),
    "z != w": lambda p, z, w, m, v, x: (z != w) & (z != z),
    "broadcast": lambda p, z, w, m, v, x: z[:, None, :] * v[:4] + x[0],
}
FUNCTIONS: dict[str, Case] = {
    **{
        name: (lambda p, z, w, m, v, x, name=name: getattr(p, name)(z))
        for name in "exp log sqrt sin cos tan sinh cosh tanh conj real imag angle square reciprocal isnan".split()
    },
    "log2": lambda p, z, w, m, v, x: p.log2(z) + p.log10(w) + p.exp2(z),
    "of reals": lambda p, z, w, m, v, x: p.real(x) + p.imag(x) + p.conj(x) + p.angle(x) + x.imag + x.real,
    "parts": lambda p, z, w, m, v, x: z.real + z.imag * z.conj(),
    "logical": lambda p, z, w, m, v, x: p.logical_and(z, p.logical_not(w)),
    "numpy's own": lambda p, z, w, m, v, x: np.sin(z) * np.sum(z) + np.add(x, z),
}
PRODUCTS: dict[str, Case] = {
    "z @ m": lambda p, z, w, m, v, x: z @ m,
    "x @ m": lambda p, z, w, m, v, x: x @ m,
    "z.T @ x": lambda p, z, w, m, v, x: z.T @ x,
    "dot": lambda p, z, w, m, v, x: p.dot(z, m) + z.dot(m),
    "inner": lambda p, z, w, m, v, x: p.inner(z, w),
    "outer": lambda p, z, w, m, v, x: p.outer(v, v[:3]),
    "vdot": lambda p, z, w, m, v, x: p.vdot(z, w) + p.vdot(x, w) + p.vdot(z, x),
    "tensordot": lambda p, z, w, m, v, x: p.tensordot(z, w, 2),
    "einsum 1": lambda p, z, w, m, v, x: p.einsum("ij->j", z),
    "einsum 2": lambda p, z, w, m, v, x: p.einsum("ij,ij", x, w),
    "einsum 3": lambda p, z, w, m, v, x: p.einsum("ij,ik,kl->jl", z, w, m),
    "einsum 4": lambda p, z, w, m, v, x: p.einsum("i,i,i,i->i", v, v, v, v),
}
REDUCTIONS: dict[str, Case] = {
    "sum": lambda p, z, w, m, v, x: p.sum(z, axis=1),
    "sum, kept": lambda p, z, w, m, v, x: z.sum(axis=0, keepdims=True),
    "sum, chosen": lambda p, z, w, m, v, x: p.sum(z, where=x > 0, initial=2.0) + p.sum(z, initial=1j),
    "mean": lambda p, z, w, m, v, x: p.mean(z) + z.mean(axis=0),
    "prod": lambda p, z, w, m, v, x: p.prod(z),
    "prod, kept": lambda p, z, w, m, v, x: z.prod(axis=1, keepdims=True),
    "prod, chosen": lambda p, z, w, m, v, x: p.prod(z, axis=(0,), where=x > 0, initial=2.0),
    "cumsum": lambda p, z, w, m, v, x: p.cumsum(z, axis=1),
    "cumprod": lambda p, z, w, m, v, x: p.cumprod(z, axis=0),
    "cumprod, flat": lambda p, z, w, m, v, x: z.cumprod(),
    "var": lambda p, z, w, m, v, x: p.var(z, axis=0) + p.std(w),
    "any": lambda p, z, w, m, v, x: p.any(z * 0, axis=0),
    "all": lambda p, z, w, m, v, x: p.all(z, axis=0),
    "count": lambda p, z, w, m, v, x: p.count_nonzero(z * 1j),
}
MOVES: dict[str, Case] = {
    "reshape": lambda p, z, w, m, v, x: z.reshape(2, 6) * v,
    "ravel": lambda p, z, w, m, v, x: z.ravel(),
    "transpose": lambda p, z, w, m, v, x: p.transpose(z, (1, 0)) + z.T,
    "moveaxis": lambda p, z, w, m, v, x: p.moveaxis(z, 0, 1) + p.swapaxes(z, 0, 1),
    "concatenate": lambda p, z, w, m, v, x: p.concatenate([z, x, w], axis=1),
    "stack": lambda p, z, w, m, v, x: p.stack([x, z], axis=1),
    "vstack": lambda p, z, w, m, v, x: p.vstack([z, w, v[:4]]),
    "hstack": lambda p, z, w, m, v, x: p.hstack([z, x]),
    "split": lambda p, z, w, m, v, x: p.split(z, 2, axis=1)[1] + p.array_split(v, 3)[1],
    "where": lambda p, z, w, m, v, x: p.where(x > 0, z, w),
    "where, a number": lambda p, z, w, m, v, x: p.where(x > 0, z, 0.0) + p.where(x > 0, 1j, x),
    "broadcast_to": lambda p, z, w, m, v, x: p.broadcast_to(v, (2, 6)),
    "flip": lambda p, z, w, m, v, x: p.flip(z, 0) + p.fliplr(z),
    "roll": lambda p, z, w, m, v, x: p.roll(z, 1, axis=1),
    "tile": lambda p, z, w, m, v, x: p.tile(v, 2),
    "repeat": lambda p, z, w, m, v, x: p.repeat(z, 2, axis=0),
    "pad": lambda p, z, w, m, v, x: p.pad(z, 1) + p.pad(z, 1, constant_values=2 + 1j),
    "pad, real": lambda p, z, w, m, v, x: p.pad(z, ((1, 0), (0, 2)), constant_values=2.0),
    "diag": lambda p, z, w, m, v, x: p.diag(z) * p.trace(z),
    "tril": lambda p, z, w, m, v, x: p.tril(z) + p.triu(z, 1),
    "take": lambda p, z, w, m, v, x: p.take(z, ROWS, axis=0),
    "squeeze": lambda p, z, w, m, v, x: p.squeeze(z[:1]) + p.expand_dims(v[:4], 0),
    "atleast": lambda p, z, w, m, v, x: p.atleast_2d(v),
    "a row": lambda p, z, w, m, v, x: z[1],
    "strided": lambda p, z, w, m, v, x: z[:, ::2] + z[:, -2:],
    "new axis": lambda p, z, w, m, v, x: z[None, ..., -1],
    "picked": lambda p, z, w, m, v, x: z[ROWS],
    "ones": lambda p, z, w, m, v, x: z + p.ones((3, 4), "complex64"),
    "like": lambda p, z, w, m, v, x: p.ones_like(z) - p.zeros_like(z) * p.full_like(z, 2j),
    "eye": lambda p, z, w, m, v, x: p.eye(3, dtype=complex) @ z,
    "asarray": lambda p, z, w, m, v, x: p.asarray(x, dtype="complex64"),
    "astype": lambda p, z, w, m, v, x: z.astype("complex64") * 1j,
    "astype of reals": lambda p, z, w, m, v, x: x.astype(complex),
    "a list": lambda p, z, w, m, v, x: p.asarray([1j, 2])[:, None] * x[0],
}
GROUPS = {
    "operators": OPERATORS,
    "functions": FUNCTIONS,
    "products": PRODUCTS,
    "reductions": REDUCTIONS,
    "moves": MOVES,
}
