"""Compute the polynomial coefficients that stand in `polyad_runtime.h`.

Run `python polyad_c/fit_coefficients.py` (needs mpmath) to print every table again, with its error before rounding.
Each table is a weighted minimax polynomial found by Remez' exchange in 60 digits:

    minimise over p   max over x in [low, high]   | weight(x) * (target(x) - p(x)) |

The weight turns the error of `p` into the *relative* error of the function that uses it, so the printed bound can be
compared directly with half an ulp: 2^-25 for float, 2^-54 for double.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import mpmath as mp  # type: ignore[import-untyped]
import numpy as np

Function = Callable[[Any], Any]


class Fit(NamedTuple):
    """One table of coefficients: what is approximated, where, and what an error there costs."""

    name: str
    target: Function
    weight: Function
    low: float
    high: float
    degree: int
    digits: int  # 24-bit floats need 9 significant digits to be read back exactly, 53-bit doubles 17


def remez(fit: Fit, rounds: int = 12, grid_size: int = 4000) -> tuple[list[Any], Any]:
    """Return the coefficients, constant term first, and the largest weighted error.

    One round solves  p(x_i) + (-1)^i E / weight(x_i) = target(x_i)  on degree + 2 points and moves the points to the
    extrema of the weighted error, one from each run of equal sign.
    """
    count = fit.degree + 2
    middle, half = mp.mpf(fit.low + fit.high) / 2, mp.mpf(fit.high - fit.low) / 2
    grid = [middle - half * mp.cos(mp.pi * mp.mpf(i) / grid_size) for i in range(grid_size + 1)]
    targets = [fit.target(x) for x in grid]
    weights = [fit.weight(x) for x in grid]
    chosen = [round(i * grid_size / (count - 1)) for i in range(count)]
    coefficients: list[Any] = []
    for _ in range(rounds):
        matrix = mp.matrix(count, count)
        right = mp.matrix(count, 1)
        for row, g in enumerate(chosen):
            for power in range(count - 1):
                matrix[row, power] = grid[g] ** power
            matrix[row, count - 1] = (-1) ** row / weights[g]
            right[row] = targets[g]
        coefficients = list(mp.lu_solve(matrix, right))[:-1]
        errors = [w * (f - mp.polyval(coefficients[::-1], x)) for x, f, w in zip(grid, targets, weights, strict=True)]
        extrema: list[int] = []
        for g, error in enumerate(errors):
            if extrema and mp.sign(error) == mp.sign(errors[extrema[-1]]):
                if abs(error) > abs(errors[extrema[-1]]):
                    extrema[-1] = g
            else:
                extrema.append(g)
        while len(extrema) > count:  # keep alternation: drop the smaller end
            extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
        if len(extrema) < count:
            break
        chosen = extrema
    return coefficients, max(abs(e) for e in errors)


def _expm1_tail(r: Any) -> Any:
    """(e^r - 1 - r) / r^2, by its series near 0 where the quotient cancels."""
    if abs(r) > mp.mpf("1e-6"):
        return (mp.expm1(r) - r) / r**2
    return mp.mpf(1) / 2 + r / 6 + r**2 / 24 + r**3 / 120


def _expm1_weight(r: Any) -> Any:
    """r^2 / (e^r - 1): from an error of the tail to the relative error of expm1."""
    return max(abs(r), mp.mpf("1e-9")) ** 2 / abs(mp.expm1(max(abs(r), mp.mpf("1e-9")) * (1 if r >= 0 else -1)))


def _log1p_tail(f: Any) -> Any:
    """(log(1 + f) - f + f^2 / 2) / f^3, by its series near 0 where the numerator cancels."""
    if abs(f) < mp.mpf("1e-8"):
        return mp.mpf(1) / 3 - f / 4 + f**2 / 5
    return (mp.log1p(f) - f + f**2 / 2) / f**3


def _log1p_weight(f: Any) -> Any:
    """f^3 / log(1 + f): from an error of the tail to the relative error of the logarithm."""
    return f**2 if abs(f) < mp.mpf("1e-30") else f**3 / mp.log1p(f)


def _erf_tail(z: Any) -> Any:
    """erf(x) / x - 1 with z = x^2."""
    if z < mp.mpf("1e-12"):
        return 2 / mp.sqrt(mp.pi) * (1 - z / 3) - 1
    x = mp.sqrt(z)
    return mp.erf(x) / x - 1


LN2_HALF = 0.34658  # ln 2 / 2, widened a little: x * log2(e) is rounded before n is taken
LOG_LOW, LOG_HIGH = 0.5**0.5 - 1, 2**0.5 - 1


def fits() -> list[Fit]:
    """All tables in the order of the header."""
    exp_ = ("exp", _expm1_tail, _expm1_weight, -LN2_HALF, LN2_HALF)
    log_ = ("log", _log1p_tail, _log1p_weight, LOG_LOW, LOG_HIGH)
    erf_small = ("erf small", _erf_tail, lambda z: 1 / (1 + _erf_tail(z)), 0.0)
    erf_large = ("erf large", lambda a: mp.log(mp.erfc(a)), lambda a: mp.erfc(a) / mp.erf(a))
    return [
        Fit("f32 " + exp_[0], *exp_[1:], 4, 9),
        Fit("f64 " + exp_[0], *exp_[1:], 9, 17),
        Fit("f32 " + log_[0], *log_[1:], 7, 9),
        Fit("f64 " + log_[0], *log_[1:], 19, 17),
        Fit("f32 " + erf_small[0], *erf_small[1:], 1.0, 6, 9),
        Fit("f64 " + erf_small[0], *erf_small[1:], 1.0, 11, 17),
        Fit("f32 " + erf_large[0], *erf_large[1:], 1.0, 4.0, 6, 9),
        Fit("f64 " + erf_large[0], *erf_large[1:], 1.0, 6.0, 18, 17),
    ]


def _ln2_split(total_bits: int, integer_bits: int, digits: int) -> str:
    """Ln 2 as high + low, high short enough that n * high is exact for |n| < 2^integer_bits."""
    bits = total_bits - integer_bits
    high = mp.floor(mp.log(2) * 2**bits + mp.mpf(1) / 2) / 2**bits
    return f"{mp.nstr(high, digits + 8)} + {mp.nstr(mp.log(2) - high, digits)}"


def main() -> None:
    """Print all tables."""
    mp.mp.dps = 60
    print("f32 ln2:", _ln2_split(24, 8, 9))
    print("f64 ln2:", _ln2_split(53, 11, 17))
    for fit in fits():
        coefficients, error = remez(fit)
        print(f"{fit.name}: relative error 2^{float(mp.log(error, 2)):.1f}, constant term first")
        for c in coefficients:
            value = float(c)  # nearest double; then nearest float where a float is asked for
            print("   ", f"{float(np.float32(value)):.8e}f" if fit.digits == 9 else f"{value:.16e}")


if __name__ == "__main__":
    main()
