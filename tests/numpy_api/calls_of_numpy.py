"""Calls that NumPy and polyad both take, a line each, with `np` for either of them.

The names of `VALUES` stand for tensors: `x` (3, 4), `y` (4,), `s` (3, 3), integers `k` (5,), the number `z` and others.
"""

from typing import Any

import numpy as np

__all__ = ["PLAIN", "SMOOTH", "VALUES"]

RNG = np.random.default_rng(3)
VALUES: dict[str, Any] = {
    "x": RNG.normal(size=(3, 4)),
    "y": np.array([0.5, -1.5, 2.0, 0.25]),
    "s": RNG.normal(size=(3, 3)),
    "u": np.array([-1.2, 0.3, 0.9, 2.2, 3.5]),
    "z": np.array(0.75),
    "e": np.zeros((0,)),
    "one": np.array([1.5]),
    "k": np.array([3, 0, 2, 3, 1]),
    "n": np.array([np.nan, 1.0, -np.inf, np.inf, 2.0, np.nan, 0.0, -3.0]),
}

SMOOTH = """
np.arcsinh(x)
np.arccosh(abs(x) + 1.5)
np.arctanh(x / 10)
np.fmod(x, y)
np.fmod(x * 3, -abs(y))
np.fmax(x, y)
np.fmin(x, y)
np.deg2rad(x)
np.rad2deg(x)
np.radians(x)
np.degrees(x)
np.heaviside(x, 0.5) * x
np.float_power(abs(x), 1.5)
np.ptp(x)
np.ptp(x, axis=-1)
np.ptp(x, 0, keepdims=True)
np.average(x)
np.average(x, axis=-1)
np.average(x, weights=abs(x) + 1)
np.average(x, -1, y + 2)
np.average(x, axis=(0, 1), weights=abs(x) + 1, keepdims=True)
np.diff(x)
np.diff(x, 2, axis=0)
np.diff(x, n=3)
np.diff(x, n=0)
np.diff(x, axis=-2, prepend=0.0, append=x)
np.ediff1d(x)
np.ediff1d(y, to_begin=z, to_end=y)
np.trapezoid(x)
np.trapezoid(x, dx=0.5, axis=0)
np.trapezoid(x, np.cumsum(abs(y)))
np.trapezoid(x, x=x * x, axis=-2)
np.convolve(y, u)
np.convolve(u, y, "same")
np.convolve(y, u, "same")
np.convolve(y, u, mode="valid")
np.convolve(one, u)
np.correlate(u, y)
np.correlate(y, u)
np.correlate(u, y, "full")
np.correlate(y, u, "full")
np.correlate(u, y, "same")
np.correlate(y, u, "same")
np.interp(x, u, u * u + 1)
np.interp(x * 4, u, np.sin(u), left=-7.0, right=z)
np.interp(z, one, one * 2)
np.kron(x, y)
np.kron(s, x)
np.kron(y, u)
np.cross(s, x[:, :3])
np.cross(s, s[0])
np.cross(x[:, :3], s, axisa=1, axisb=0, axisc=0)
np.cross(s[1], s[0], axis=0)
np.vecdot(x, y)
np.vecdot(s, s, axis=0)
np.linalg.matrix_power(s, 5)
np.linalg.matrix_power(s, 0) * s
np.linalg.matrix_power(s, -2)
np.linalg.multi_dot([s, x, x.T, s])
np.linalg.multi_dot([y, x.T, s, x, y])
np.cumsum(x, axis=1, dtype="float64")
np.cumulative_sum(x, axis=-1, include_initial=True)
np.cumulative_prod(y, include_initial=True)
np.append(x, x * 2, axis=0)
np.append(x, y)
np.append(x, 3.0)
np.concatenate([x, y], axis=None)
np.dstack([x, x * 2])
np.dstack([y, y])
np.column_stack([y, y * y])
np.column_stack([x.T, y])
np.concat([x, x])
np.rot90(x)
np.rot90(x, 2)
np.rot90(x, k=-1, axes=(1, 0))
np.rot90(x, 3)
np.rot90(x, 4)
np.matrix_transpose(x)
np.atleast_3d(x)
np.atleast_3d(y)
np.broadcast_arrays(x, y, z)[2]
np.meshgrid(y, u)[0] * np.meshgrid(y, u)[1]
np.meshgrid(y, u, indexing="ij")[1]
np.meshgrid(y, u, y, sparse=True)[2]
np.meshgrid(y, z)[1]
np.logspace(0, 2, 4) * y
np.select([x > 0.5, x < -0.5], [x, x * x], 3.0)
np.select([x > 0, x > -1], [x * 2, y], y)
np.nan_to_num(x)
np.nansum(x, axis=0)
np.nanmean(x, -1, keepdims=True)
np.nanmax(x, 0)
np.nanmin(x)
np.repeat(x, [2, 0, 1], axis=0)
np.repeat(x, [1, 3, 0, 2], axis=-1)
np.repeat(x, np.array([2]), 1)
np.roll(x, 5)
np.pad(x, 1, constant_values=((1.0, 2.0), (3.0, 4.0)))
np.pad(x, ((1, 0), (2, 1)), constant_values=(-1.0, 5.0))
np.apply_along_axis(lambda v: v * v.sum(), 0, x)
np.apply_along_axis(lambda v: v[:2] * v.max(), -1, x)
np.apply_along_axis(lambda v: (v * v).sum(), 1, x)
np.std(x, 0, dtype="float64")
np.sort(x)
np.sort(x, axis=0)
np.sort(x, axis=None)
np.median(x)
np.median(x, axis=0)
np.median(x, axis=-1, keepdims=True)
np.quantile(x, 0.3)
np.quantile(x, [0.0, 0.25, 1.0], axis=1)
np.quantile(x, [[0.1, 0.9]], axis=0, keepdims=True)
np.percentile(x, 40, axis=(0, 1), method="lower")
np.percentile(x, 40, axis=1, method="higher")
np.percentile(x, 50, axis=0, method="nearest")
np.percentile(x, 40, axis=1, method="midpoint")
np.histogram(x, 4, weights=x * x)[0]
np.bincount(k, weights=u, minlength=4)
np.array([[y[0], 1.0], [z, y[1]]])
np.maximum.accumulate(x, axis=1)
np.minimum.accumulate(x)
"""

PLAIN = """
np.diff(one)
np.diff(e)
np.sort(one)
np.sort(e)
np.isfinite(n)
np.isinf(n)
np.isposinf(n)
np.isneginf(n)
np.nan_to_num(n)
np.nan_to_num(n, nan=1.0, posinf=5.0, neginf=-5.0)
np.nansum(n[3:5])
np.nanmean(n[4:])
np.nanmax(n)
np.nanmin(n)
np.nansum(n[4:], where=n[4:] != 2.0)
np.fmax(n, 1.0)
np.fmin(1.0, n)
np.heaviside(n, 0.5)
np.sort(n)
np.sort(n[4:])
np.argsort(n)
np.argsort(k)
np.argsort(k, stable=True)
np.argsort(x, axis=0)
np.sort(k)
np.sort(x > 0)
np.median(n)
np.median(n[6:])
np.quantile(k, 0.25)
np.isclose(n, n)
np.isclose(n, n, equal_nan=True)
np.isclose(x, x + 1e-9)
np.isclose(x, x + 1e-4)
np.allclose(x, x + 1e-9)
np.allclose(x, x + 1e-4, atol=1e-3)
np.allclose(k, k)
np.array_equal(x, x)
np.array_equal(n, n)
np.array_equal(n, n, equal_nan=True)
np.array_equal(x, y)
np.searchsorted(u, x)
np.searchsorted(u, u)
np.searchsorted(u, u, side="right")
np.searchsorted(u, n)
np.searchsorted(u, n, "right")
np.searchsorted(np.sort(n), n)
np.searchsorted(np.sort(n), n, side="right")
np.searchsorted(e, u)
np.searchsorted(one, u)
np.digitize(x, u)
np.digitize(u, u, right=True)
np.bincount(k)
np.bincount(k, minlength=7)
np.histogram(x, 4)[0]
np.histogram(x, 4)[1]
np.histogram(x, u)[0]
np.histogram(x, bins=3, range=(-1.0, 1.0))[0]
np.histogram(x, bins=3, range=(-1.0, 1.0), density=True)[0]
np.histogram(one, 3)[1]
np.histogram(k, 3)[0]
np.histogram_bin_edges(x, 5)
np.diff(x > 0)
np.diff(k)
np.fmod(k, 2)
np.fmod(-k, 3)
np.fix(x)
np.cumulative_sum(k, include_initial=True)
np.average(k)
np.average(k, returned=True)[1]
np.cumsum(k, dtype="float32")
np.sum(k, dtype=np.float64)
np.empty_like(x) * 0
np.empty((2, 3)) * 0
np.array(x, dtype=np.float64)
np.array([1, 2])
np.array(k, copy=True)
"""
