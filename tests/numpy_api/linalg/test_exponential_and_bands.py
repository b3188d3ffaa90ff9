"""The matrix exponential, and systems with few diagonals, against SciPy's definitions of them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import linalg as la
from polyad import numpy as pn
from tests.compiled_derivatives import check_derivatives

RNG = np.random.default_rng(6)
EPS = np.finfo(float).eps


def exponential(a: np.ndarray) -> np.ndarray:
    """By the series of a / 2**20 in extended precision, and 20 squarings."""
    small = a.astype(np.longdouble) / 2**20
    power = total = np.eye(len(a), dtype=np.longdouble)
    for k in range(1, 12):
        power = power @ small / k
        total = total + power
    for _ in range(20):
        total = total @ total
    return total.astype(np.float64)


@pytest.mark.parametrize("scale", [20.0, 0.0, 0.1, 3.0])
@pytest.mark.quick_cases(1)
def test_exponential(scale: float) -> None:
    a = RNG.normal(size=(4, 4)) * scale
    expected = exponential(a)
    found = pa.jit(la.expm)(a)
    np.testing.assert_allclose(found, expected, atol=1e-12 * np.abs(expected).max())


def test_exponential_of_known_matrices() -> None:
    made = pa.jit(la.expm)
    angle = 0.7
    turn = made(angle * np.array([[0.0, -1.0], [1.0, 0.0]]))
    np.testing.assert_allclose(turn, [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], rtol=1e-14)
    several = made(np.stack([np.diag([1.0, -2.0]), np.array([[0.0, 5.0], [0.0, 0.0]])]))
    np.testing.assert_allclose(several, [np.diag(np.exp([1.0, -2.0])), [[1, 5], [0, 1]]], rtol=1e-14, atol=1e-15)
    assert np.isnan(pa.jit(lambda a: la.expm(a, max_squarings=2))(100 * np.eye(2))).all()


def test_gradient_of_the_exponential_is_that_of_the_block_matrix() -> None:
    a, w = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 3))
    found = pa.grad(lambda a: pn.sum(la.expm(a) * w))(a)
    block = np.block([[a.T, w], [np.zeros((3, 3)), a.T]])
    np.testing.assert_allclose(found, exponential(block)[:3, 3:], rtol=1e-9, atol=1e-11)


def dense(band: tuple[int, int], ab: np.ndarray) -> np.ndarray:
    lower, upper = band
    n = ab.shape[-1]
    a = np.zeros((*ab.shape[:-2], n, n))
    for i in range(n):
        for j in range(max(i - lower, 0), min(i + upper + 1, n)):
            a[..., i, j] = ab[..., upper + i - j, j]
    return a


BANDS = [(1, 1), (2, 1), (0, 2), (2, 0), (0, 0), (1, 3)]


@pytest.mark.parametrize("band", BANDS)
@pytest.mark.quick_cases(3)
def test_banded_systems(band: tuple[int, int]) -> None:
    for n in (1, 2, 7):
        ab, b, v = RNG.normal(size=(2, sum(band) + 1, n)), RNG.normal(size=(n, 3)), RNG.normal(size=n)
        ab[:, band[1]] += 0.1
        one, other = pa.jit(lambda ab, b, v: (la.solve_banded(band, ab, b), la.solve_banded(band, ab[0], v)))(ab, b, v)
        a = dense(band, ab)
        for found, m, right in ((one, a, b), (other, a[0], v)):
            rest = m @ found - right
            assert np.abs(rest).max() <= 20 * n * EPS * np.abs(a).max() * max(np.abs(found).max(), 1)


def test_pivots_of_a_band_keep_errors_small() -> None:
    n = 40
    d, off = np.full(n, 1e-9), np.ones(n)  # without pivots the first step would multiply by 1e9
    x = RNG.normal(size=n)
    a = np.diag(d) + np.diag(off[1:], -1) + np.diag(off[:-1], 1)
    found = pa.jit(la.tridiagonal_solve)(off, d, off, a @ x)
    np.testing.assert_allclose(found, x, rtol=1e-11)
    assert not np.isfinite(pa.jit(la.tridiagonal_solve)(np.zeros(3), np.zeros(3), np.ones(3), np.ones(3))).any()


def test_tridiagonal_systems_and_their_gradient() -> None:
    dl, d, du = RNG.normal(size=(3, 6))
    b, h = RNG.normal(size=(6, 2)), RNG.normal(size=(6, 2))
    a = np.diag(d) + np.diag(dl[1:], -1) + np.diag(du[:-1], 1)
    x = pa.jit(la.tridiagonal_solve)(dl, d, du, b)
    np.testing.assert_allclose(a @ x, b, atol=1e-12)
    bars = pa.grad(lambda *args: pn.sum(la.tridiagonal_solve(*args) * h), argnums=(0, 1, 2, 3))(dl, d, du, b)
    y = np.linalg.solve(a.T, h)
    a_bar = -y @ np.linalg.solve(a, b).T
    expected = np.append(0, np.diag(a_bar, -1)), np.diag(a_bar), np.append(np.diag(a_bar, 1), 0), y
    for found, wanted in zip(bars, expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_work_of_a_band_grows_with_the_rows_only() -> None:
    T = pa.sizes("T", min=4)
    ab, b = pa.placeholder((4, T), "ab", "float64"), pa.placeholder((T,), "b", "float64")
    kernel = pa.compile(la.solve_banded((1, 2), ab, b), [ab, b])
    few, more = (sum(kernel.instances(T=t).values()) for t in (100, 200))
    assert more <= 2.1 * few


def test_derivatives() -> None:
    B = pa.sizes("B")
    ab, b = pa.placeholder((B, 4, 5), "ab", "float64"), pa.placeholder((5, 2), "b", "float64")
    values = {"ab": RNG.normal(size=(2, 4, 5)), "b": RNG.normal(size=(5, 2))}
    check_derivatives(la.solve_banded((2, 1), ab, b), [ab, b], **values)
    a = pa.placeholder((2, 3, 3), "a", "float64")
    check_derivatives(la.expm(a, max_squarings=2), [a], a=RNG.normal(size=(2, 3, 3)) * [[[0.1]], [[4.0]]])


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: la.expm(np.ones((2, 3))), pa.ShapeError, "2 rows and 3 columns"),
        (lambda: la.expm(np.eye(2), max_squarings=1.5), pa.DTypeError, "max_squarings"),
        (lambda: la.solve_banded((1, 1), np.ones((2, 4)), np.ones(4)), pa.ShapeError, "make 3 rows, ab has shape"),
        (lambda: la.solve_banded((1, 0), np.ones((2, 4)), np.ones(3)), pa.ShapeError, "a matrix with 4 rows, b has"),
        (lambda: la.tridiagonal_solve(np.ones(2), np.ones(3), np.ones(3), np.ones(3)), pa.ShapeError, "broadcast"),
    ],
)
def test_errors(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()
